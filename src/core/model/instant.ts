/** Days and instants as texts. */

const SECOND_MS = 1_000;

const INSTANT = /^(\d{4}-\d\d-\d\d)[Tt](?!24)\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

const DAY_MS = 24 * 3_600_000;

/** Reads an instant of RFC 3339, with a date that exists; returns Unix milliseconds. Undefined for any other text. */
export function parseInstant(text: string): number | undefined {
  const day = INSTANT.exec(text)?.[1];
  const time = Date.parse(text.toUpperCase());
  return day !== undefined && isDay(day) && Number.isFinite(time) ? time : undefined;
}

/**
 * Returns how an instant is written that a text gives as 24:00, the end of a day, which RFC 3339 does not know: the beginning of the next day.
 * Undefined for any other text.
 */
export function beginningOfNextDay(text: string): string | undefined {
  const [, day = '', zone = 'Z'] = /^(\d{4}-\d\d-\d\d)[Tt ]24:00(?::00(?:\.0+)?)?([Zz]|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  return isDay(day) ? `${dayOf(Date.parse(day) + DAY_MS)}T00:00:00${zone.toUpperCase()}` : undefined;
}

/** Formats Unix milliseconds as an instant in UTC, without a fraction that is zero. */
export function formatInstant(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Formats the second in which Unix milliseconds lie, in UTC. */
export function formatSecond(time: number): string {
  return formatInstant(Math.floor(time / SECOND_MS) * SECOND_MS);
}

/** Returns the day of Unix milliseconds, UTC, such as 2027-03-31. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Decides whether a text is a day that exists, such as 2027-03-31. */
export function isDay(text: string): boolean {
  const time = Date.parse(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
