/** Times of a time zone. */

/** Decides whether a text names a time zone, such as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Formats Unix milliseconds as a local time with its zone, such as `2026-12-18 18:00 Europe/Berlin`; with seconds where they are not 0. */
export function inZone(instant: number, timeZone: string): string {
  const text = new Date(clockOf(timeZone)(instant)).toISOString();
  const seconds = text.slice(17, 19);
  return `${text.slice(0, 10)} ${text.slice(11, 16)}${seconds === '00' ? '' : `:${seconds}`} ${timeZone}`;
}

/**
 * Returns the instants, Unix milliseconds, at which the clocks of a zone show a time, which is written as if it were UTC. They differ where the
 * time occurs twice. Of a time that never occurs, both are the moment at which the clocks jump past it.
 */
export function instantsOf(local: number, timeZone: string): { readonly first: number; readonly last: number } {
  const clock = clockOf(timeZone);
  const near = AROUND.map((distance) => local - (clock(local + distance) - (local + distance)));
  const exact = near.filter((instant) => clock(instant) === local);
  if (exact.length > 0) return { first: Math.min(...exact), last: Math.max(...exact) };
  const jump = firstPast(clock, local, Math.min(...near) - SECOND, Math.max(...near));
  return { first: jump, last: jump };
}

const SECOND = 1_000;
const HOUR = 3_600_000;

/** Before and after any change of the offset that can concern a local time: offsets are at most 14 hours, changes at most a day. */
const AROUND: readonly number[] = [-26 * HOUR, 0, 26 * HOUR];

/** Returns the first whole second after `before`, up to `past`, at which the clocks show more than a time. */
function firstPast(clock: (instant: number) => number, local: number, before: number, past: number): number {
  let [low, high] = [Math.floor(before / SECOND), Math.ceil(past / SECOND)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (clock(middle * SECOND) > local) high = middle;
    else low = middle;
  }
  return high * SECOND;
}

/** Returns a function that reads the clocks of a zone: the local time, to the second, as if it were UTC. */
function clockOf(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? Number.NaN;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  };
}
