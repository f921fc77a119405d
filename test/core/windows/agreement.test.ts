import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RawWindowRule, type RawWindows, readWindows } from '../../../src/core/config/windows.ts';
import { EXCEPTIONS } from '../../../src/core/model/decision.ts';
import { type WindowState, windowState } from '../../../src/core/windows/window-state.ts';
import { rounds } from '../../support/figures.ts';
import { assertProperty } from '../../support/property.ts';
import { type Entry, MINUTE, openMinutes, type Pattern, textOf } from './oracle.ts';

/** A zone, and moments near which its clocks jump, or nothing happens. */
const PLACES = [
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['America/Santiago', '2026-09-06T04:00Z'],
  ['America/Santiago', '2026-04-05T03:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Asia/Kolkata', '2028-02-28T18:30Z'],
  ['UTC', '2026-12-31T23:00Z'],
] as const;

/** How far the clocks are looked at, minutes: before the time in question as long as an interval may be, and after it. */
const [LEAD, AHEAD] = [3 * 24 * 60, 2 * 24 * 60];

const someOf = (least: number, most: number, count: number) =>
  fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: count }).map((values) => values.sort((a, b) => a - b));
/** Mostly times of the night, at which clocks jump. */
const hours = fc.oneof({ weight: 3, arbitrary: someOf(0, 3, 2) }, { weight: 1, arbitrary: someOf(0, 23, 3) });
const minutes = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom([0], [30], [15, 45], [0, 30]) },
  { weight: 1, arbitrary: someOf(0, 59, 3) },
);

const patterns: fc.Arbitrary<Pattern> = fc.record({
  minutes: fc.oneof({ weight: 9, arbitrary: minutes }, { weight: 1, arbitrary: fc.constant(null) }),
  hours: fc.oneof({ weight: 4, arbitrary: hours }, { weight: 1, arbitrary: fc.constant(null) }),
  days: fc.option(someOf(1, 31, 6), { freq: 2 }),
  months: fc.option(someOf(1, 12, 8), { freq: 2 }),
  weekdays: fc.option(someOf(0, 6, 4), { freq: 2 }),
});

/** Local times near a moment, such as 2026-12-18T18:00. */
const localTimes = (near: number) =>
  fc
    .oneof(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -2_000, max: 2_000 }))
    .map((distance) => new Date(near + distance * MINUTE).toISOString().slice(0, 16));

const intervals = (near: number) =>
  fc
    .tuple(fc.option(localTimes(near), { freq: 5 }), fc.option(localTimes(near), { freq: 5 }))
    .map(([a, b]) => (a !== null && b !== null && a > b ? { from: b, until: a } : { from: a, until: b }))
    .filter(({ from, until }) => from !== until);

const entries = (near: number): fc.Arbitrary<Entry> =>
  fc
    .record({
      type: fc.constantFrom('deny', 'allow'),
      unless: fc.subarray([...EXCEPTIONS]),
      times: fc.oneof(
        intervals(near),
        fc.record({ pattern: patterns, minutes: fc.oneof(fc.constantFrom(1, 30, 60, 90, 480), fc.integer({ min: 1, max: LEAD })) }),
      ),
    })
    .map(({ unless, ...entry }): Entry => (unless.length > 0 && entry.type === 'deny' ? { ...entry, unless } : entry));

const cases = fc.constantFrom(...PLACES).chain(([timeZone, moment]) => {
  const near = Date.parse(moment);
  const local = near + offsetAt(timeZone, near);
  const scope = fc.record({ timeZone: fc.constant(timeZone), entries: fc.array(entries(local), { maxLength: 4 }) });
  return fc.record({
    scopes: fc.array(scope, { minLength: 1, maxLength: 2 }),
    start: fc.integer({ min: -1_500, max: 300 }).map((distance) => near + distance * MINUTE),
    rest: fc.constantFrom(0, 0, 1, 30_000, MINUTE - 1),
  });
});

function offsetAt(timeZone: string, instant: number): number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${format.format(instant).replace(' ', 'T')}Z`) - instant;
}

function rawRule({ times, unless }: Entry): RawWindowRule {
  const own =
    'pattern' in times
      ? { cron: textOf(times.pattern), for: `${times.minutes}m` }
      : { ...(times.from !== null && { from: times.from }), ...(times.until !== null && { until: times.until }) };
  return { ...own, why: 'test', ...(unless !== undefined && { unless }) };
}

function rawWindows(timeZone: string, all: readonly Entry[]): RawWindows {
  const rulesOf = (type: Entry['type']) => all.filter((entry) => entry.type === type).map(rawRule);
  return { time_zone: timeZone, deny: rulesOf('deny'), allow: rulesOf('allow') };
}

/** Returns the changes of a list: the indexes at which its value is another one than before. */
function changesOf(values: readonly boolean[]): readonly number[] {
  return values.flatMap((value, index) => (index > 0 && value !== values[index - 1] ? [index] : []));
}

describe('the state of windows', () => {
  it('is that of a second reading, minute by minute, and so are the next two changes', () => {
    const seen = { open: 0, closed: 0, changes: 0, back: 0, exceptions: 0 };
    assertProperty(
      fc.property(cases, ({ scopes, start, rest }) => {
        // An `allow` without times is an error.
        const usable = scopes.map(({ timeZone, entries: all }) => ({
          timeZone,
          entries: all.filter(({ type, times }) => type === 'deny' || 'pattern' in times || times.from !== null || times.until !== null),
        }));
        const read = usable.map(({ timeZone, entries: all }) => readWindows(rawWindows(timeZone, all), ['windows'], '2026-01-01'));
        expect(read.flatMap(({ findings }) => findings)).toEqual([]);
        const state = windowState(
          read.map(({ windows }) => windows),
          start + rest,
        );
        const expected = openMinutes(usable, start, AHEAD, LEAD);
        expect(state.isOpen).toBe(expected.isOpen[0]);
        expect(state.exceptions).toEqual(EXCEPTIONS.filter((name) => expected.passes[name]?.[0]));
        expect(state.closedBy.length === 0).toBe(state.isOpen);
        const [change, back] = changesOf(expected.isOpen).map((minute) => start + minute * MINUTE);
        expectChange(state.changesAt, change, state, start);
        if (change !== undefined) expectChange(state.changesBackAt, back, state, start);
        seen[state.isOpen ? 'open' : 'closed'] += 1;
        if (change !== undefined) seen.changes += 1;
        if (back !== undefined) seen.back += 1;
        if (!state.isOpen && state.exceptions.length > 0) seen.exceptions += 1;
      }),
      { numRuns: rounds(200, 5_000) },
    );
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(10);
  });
});

/** Expects a change at a time, or beyond the time that was looked at, or that the limit was reached. */
function expectChange(found: number | null, expected: number | undefined, { knownUntil }: WindowState, start: number): void {
  if (found === null && knownUntil !== null) expect(expected ?? knownUntil).toBeGreaterThanOrEqual(knownUntil);
  else if (expected === undefined) expect(found ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(start + AHEAD * MINUTE);
  else expect(found).toBe(expected);
}
