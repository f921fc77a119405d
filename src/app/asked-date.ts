import type { AskedDate } from '../model/run-of-show.ts';

const RFC_3339 = /^\d{4}-\d{2}-\d{2}(?:[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/;

/** Parses a date, which means its beginning in UTC, or an instant, both as in RFC 3339; null where a text is neither. */
export function parseAskedDate(text: string): AskedDate | null {
  const time = RFC_3339.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  const isDay = !Number.isNaN(time) && new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10));
  return isDay ? { text, time } : null;
}
