/** A second reading of `windows`: minute by minute, with the clocks of Intl and its own matching of cron patterns. */

/** A cron pattern, as lists of the values that it matches. Null is `*`. */
export interface Pattern {
  readonly minutes: readonly number[] | null;
  readonly hours: readonly number[] | null;
  readonly days: readonly number[] | null;
  readonly months: readonly number[] | null;
  readonly weekdays: readonly number[] | null;
}

/** An entry: with local times, such as 2026-12-18T18:00, or with a pattern and minutes. */
export interface Entry {
  readonly type: 'deny' | 'allow';
  readonly unless?: readonly ('strengthens' | 'reverts')[];
  readonly times: { readonly from: string | null; readonly until: string | null } | { readonly pattern: Pattern; readonly minutes: number };
}

/** What is open in each minute of a span of time. */
export interface Minutes {
  readonly isOpen: readonly boolean[];
  /** Whether what is named in `unless` passes, by its name. */
  readonly passes: { readonly [name: string]: readonly boolean[] };
}

export const MINUTE = 60_000;

/** Returns the text of a pattern. */
export function textOf({ minutes, hours, days, months, weekdays }: Pattern): string {
  return [minutes, hours, days, months, weekdays].map((values) => values?.join(',') ?? '*').join(' ');
}

/** Returns for `count` minutes from `start` whether all scopes are open. The clocks are read from `lead` minutes earlier on. */
export function openMinutes(
  scopes: readonly { readonly timeZone: string; readonly entries: readonly Entry[] }[],
  start: number,
  count: number,
  lead: number,
): Minutes {
  const active = scopes.map(({ timeZone, entries }) => {
    const clock = clockTexts(timeZone, start - lead * MINUTE, count + lead);
    return entries.map((entry) => ({ ...entry, minutes: activeMinutes(entry, clock) }));
  });
  const isOpenAt = (minute: number, counts: (entry: Entry) => boolean) =>
    active.every((entries) => {
      const allows = entries.filter(({ type }) => type === 'allow');
      return (
        !entries.some((entry) => entry.type === 'deny' && counts(entry) && entry.minutes[minute + lead]) &&
        (allows.length === 0 || allows.some(({ minutes }) => minutes[minute + lead]))
      );
    });
  const minutes = Array.from({ length: count }, (_, minute) => minute);
  return {
    isOpen: minutes.map((minute) => isOpenAt(minute, () => true)),
    passes: Object.fromEntries(
      (['strengthens', 'reverts'] as const).map((name) => [
        name,
        minutes.map((minute) => isOpenAt(minute, ({ unless = [] }) => !unless.includes(name))),
      ]),
    ),
  };
}

/** What the clocks of a zone show, by instant: many examples look at the same nights. */
const shown = new Map<string, Map<number, string>>();

/** Returns what the clocks of a zone show in each minute, such as 2026-12-18T18:00. */
function clockTexts(timeZone: string, start: number, count: number): readonly string[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const known = shown.get(timeZone) ?? new Map<number, string>();
  shown.set(timeZone, known);
  return Array.from({ length: count }, (_, minute) => {
    const instant = start + minute * MINUTE;
    const text = known.get(instant) ?? format.format(instant).replace(' ', 'T');
    known.set(instant, text);
    return text;
  });
}

function activeMinutes({ type, times }: Entry, clock: readonly string[]): readonly boolean[] {
  if ('pattern' in times) return coverage(beginnings(times.pattern, clock), times.minutes);
  const [from, until] = [times.from, times.until].map((time) => (time === null ? null : minutesOf(time, clock)));
  return clock.map((_, minute) => {
    const [first, end] = type === 'deny' ? [from?.first, until?.last] : [from?.last, until?.first];
    return minute >= (first ?? 0) && minute < (end ?? Number.POSITIVE_INFINITY);
  });
}

function coverage(begins: readonly boolean[], length: number): readonly boolean[] {
  let end = -1;
  return begins.map((isHere, minute) => {
    if (isHere) end = minute + length;
    return minute < end;
  });
}

/** Returns the first and the last minute in which the clocks show a time; of one that they jump past, the minute after it. */
function minutesOf(time: string, clock: readonly string[]): { readonly first: number; readonly last: number } {
  const first = clock.indexOf(time);
  const past = clock.findIndex((text) => text > time);
  const later = past === -1 ? clock.length : past;
  return first === -1 ? { first: later, last: later } : { first, last: clock.lastIndexOf(time) };
}

/** Returns whether a pattern begins in each minute. */
function beginnings(pattern: Pattern, clock: readonly string[]): readonly boolean[] {
  const isFixed = pattern.minutes !== null && pattern.hours !== null;
  if (!isFixed) return clock.map((text) => matches(pattern, text));
  let latest = clock[0] ?? '';
  return clock.map((text, minute) => {
    if (minute === 0) return matches(pattern, text);
    if (text <= latest) return false;
    const passed = timesAfter(latest, text);
    latest = text;
    return passed.some((each) => matches(pattern, each));
  });
}

/** Returns the times of clocks after one and up to another one, minute by minute. */
function timesAfter(earlier: string, later: string): readonly string[] {
  if (later.slice(0, -2) === earlier.slice(0, -2) && Number(later.slice(-2)) === Number(earlier.slice(-2)) + 1) return [later];
  const [from, to] = [Date.parse(`${earlier}Z`), Date.parse(`${later}Z`)];
  return Array.from({ length: (to - from) / MINUTE }, (_, index) => new Date(from + (index + 1) * MINUTE).toISOString().slice(0, 16));
}

function matches({ minutes, hours, days, months, weekdays }: Pattern, text: string): boolean {
  if (minutes !== null && !minutes.includes(Number(text.slice(-2)))) return false;
  const date = new Date(`${text}Z`);
  const has = (values: readonly number[] | null, value: number) => values === null || values.includes(value);
  const isDay = has(days, date.getUTCDate());
  const isWeekday = has(weekdays, date.getUTCDay());
  return (
    has(hours, date.getUTCHours()) &&
    has(months, date.getUTCMonth() + 1) &&
    (days === null || weekdays === null ? isDay && isWeekday : isDay || isWeekday)
  );
}
