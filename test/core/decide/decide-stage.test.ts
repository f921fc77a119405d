/** The rules of stages as tables of data, without git (design section 15, rules 5, 6 and 11). */
import { describe, expect, test } from 'vitest';
import {
  type Declared,
  decideStage,
  decideTakenBack,
  MAX_OWN_ENTRIES,
  NOTHING_DECLARED,
  type StageAnswer,
  type StageEntry,
  type StageFacts,
  type Stands,
} from '../../../src/core/decide/decide-stage.ts';
import type { Json } from '../../../src/core/model/json.ts';

const HOUR = 3_600_000;
const SOAK = 24 * HOUR;
const START = Date.parse('2026-11-27T12:00:00Z');
const DIRTY = 'the last apply was made from a work tree that was not committed';

/** The `repeat` of each playlist, by name. */
type Repeats = { readonly [name: string]: number };

const declaring = (values: Declared['values'], knownBy: Declared['knownBy'] = new Map()): Declared => ({ values, knownBy });
const declared = (repeats: Repeats): Declared =>
  declaring(new Map(Object.entries(repeats).map(([name, repeat]) => [`playlist/${name}`, { repeat, playlist: [name] }])));
const stands = (repeats: Repeats): Stands => ({ declared: declared(repeats), unknown: null });
const UNKNOWN: Stands = { declared: NOTHING_DECLARED, unknown: { addresses: 'all', why: DIRTY } };

/** A whole entry, so many hours after the start. */
function entry(hours: number, commit: string, repeats: Repeats, more: Partial<StageEntry> = {}): StageEntry {
  const at = START + hours * HOUR;
  const values = { isWhole: true, isKilled: false, isInterrupted: false, leftOut: new Map(), writes: new Map() };
  return { at, commit, digest: `of ${commit}`, ...values, stands: stands(repeats), ...more };
}

const writes = (name: string, values: { readonly [path: string]: Json | undefined } | null, isOpen = false): StageEntry['writes'] =>
  new Map([[`playlist/${name}`, { isOpen, values: values && new Map(Object.entries(values)) }]]);

/** Commit `C` has `a: 3`, and the later target stands at `last`, with `a: 0`; both have `b: 0`. */
function facts(hours: number, oldestFirst: readonly StageEntry[], more: Partial<StageFacts> = {}): StageFacts {
  return {
    next: declared({ a: 3, b: 0 }),
    digest: 'of C',
    commit: 'C',
    later: { ...stands({ a: 0, b: 0 }), commit: 'last' },
    history: { entries: oldestFirst.toReversed(), isAll: true },
    contained: new Map([['last', new Set(['last'])]]),
    soakMs: SOAK,
    now: START + hours * HOUR,
    ...more,
  };
}

/** Returns the reason why something waits, and null where it does not. */
function reasonOf(decision: StageAnswer): string | null {
  if ('needs' in decision) throw new Error(`needs ${JSON.stringify(decision.needs)}`);
  return decision.hold?.reason ?? null;
}

const C = entry(0, 'C', { a: 3, b: 0 });
const SINCE = 'carries this configuration since 2026-11-27T12:00:00Z, and has to for 24h';
const PART = 'has applied this configuration only in part, or did not read it back';
const NOT_YET = 'has not carried this configuration yet';
const CORRECTED = 'has corrected playlist/a (/repeat) after 6 min';

/** What may stand between an entry of `C` and the end of its soak: whether each ends the time for which it stood. */
const BETWEEN: readonly (readonly [string, StageEntry, string | null])[] = [
  ['another value at a path that differs', entry(0.1, 'D', { a: 7, b: 0 }), CORRECTED],
  ['the value of the later target at such a path', entry(0.1, 'D', { a: 0, b: 0 }), 'has changed back playlist/a (/repeat) after 6 min'],
  ['the resource is declared no more', entry(0.1, 'D', { b: 0 }), CORRECTED],
  ['another value at a path that does not differ', entry(0.1, 'D', { a: 3, b: 9 }), null],
  ['another resource', entry(0.1, 'D', { a: 3, b: 0, c: 1 }), null],
  [
    'a killed apply',
    entry(0.1, 'D', {}, { isKilled: true, isWhole: false, stands: null, digest: null }),
    'was interrupted 6 min after it had applied this configuration',
  ],
  [
    'a killed apply of the same commit',
    entry(0.1, 'C', {}, { isKilled: true, isWhole: false, stands: null, digest: null }),
    'was interrupted 6 min after it had applied this configuration',
  ],
  ['a partial apply of the same digest', entry(0.1, 'D', { a: 3, b: 0 }, { digest: 'of C', isWhole: false }), null],
  ['a failed apply of the same commit', entry(0.1, 'C', { a: 0, b: 0 }, { digest: null, isWhole: false }), null],
  [
    'a partial apply of another configuration that leaves these paths out',
    entry(0.1, 'D', { a: 3, b: 9 }, { isWhole: false, leftOut: new Map([['playlist/a', 'C']]) }),
    null,
  ],
  [
    'a failed write of another value',
    entry(0.1, 'D', { a: 3, b: 0 }, { isWhole: false, writes: writes('a', { '/repeat': 7 }, true) }),
    CORRECTED,
  ],
  [
    'a failed write of the same value',
    entry(0.1, 'D', { a: 3, b: 0 }, { isWhole: false, writes: writes('a', { '/repeat': 3 }, true) }),
    null,
  ],
  [
    'a write of which only a commit tells the value',
    entry(0.1, 'D', { a: 3, b: 0 }, { writes: writes('a', { '/repeat': undefined }) }),
    null,
  ],
  [
    'no commit, and another value',
    entry(0.1, 'D', {}, { commit: null, digest: null, stands: UNKNOWN, writes: writes('a', { '/repeat': 7 }) }),
    CORRECTED,
  ],
  [
    'no commit, and the same value',
    entry(0.1, 'D', {}, { commit: null, digest: null, stands: UNKNOWN, writes: writes('a', { '/repeat': 3 }) }),
    null,
  ],
  [
    'no commit, and a path without its value',
    entry(0.1, 'D', {}, { commit: null, digest: null, stands: UNKNOWN, writes: writes('a', { '/repeat': undefined }) }),
    CORRECTED,
  ],
  [
    'no commit, and another path without its value',
    entry(0.1, 'D', {}, { commit: null, digest: null, stands: UNKNOWN, writes: writes('a', { '/desc': undefined }) }),
    null,
  ],
  [
    'no commit, and an address without paths',
    entry(0.1, 'D', {}, { commit: null, digest: null, stands: UNKNOWN, writes: writes('a', null) }),
    'has corrected playlist/a after 6 min',
  ],
  ['no commit, and another address', entry(0.1, 'D', {}, { commit: null, digest: null, stands: UNKNOWN, writes: writes('b', null) }), null],
  ['nothing to do', entry(0.1, 'D', { a: 3, b: 0 }), null],
];

describe('a configuration that an earlier target applied wholly', () => {
  test('is carried when it stood for the soak, to the millisecond', () => {
    expect(reasonOf(decideStage(facts(24, [C])))).toBeNull();
    const early = decideStage({ ...facts(24, [C]), now: START + SOAK - 1 });
    expect(early).toEqual({ hold: { reason: SINCE, until: '2026-11-28T12:00:00.000Z' } });
  });

  test('counts by its digest or by its commit, and not by a digest that is not known', () => {
    const other = entry(0, 'D', { a: 3, b: 0 }, { digest: 'of C' });
    expect(reasonOf(decideStage(facts(24, [other])))).toBeNull();
    expect(reasonOf(decideStage(facts(24, [{ ...C, digest: null }])))).toBeNull();
    expect(reasonOf(decideStage(facts(24, [{ ...other, digest: null }])))).toBe(NOT_YET);
    expect(reasonOf(decideStage(facts(24, [{ ...C, commit: null, digest: null }], { commit: null })))).toBe(NOT_YET);
  });

  test('is not carried by an apply in part, nor before its first one', () => {
    expect(reasonOf(decideStage(facts(30, [{ ...C, isWhole: false }])))).toBe(PART);
    expect(reasonOf(decideStage(facts(30, [])))).toBe(NOT_YET);
  });

  test.each(BETWEEN)('within its soak: %s', (_, between, reason) => {
    // So that only the time within the soak is asked for, and not what the newest entry took back.
    const last = entry(25, 'E', { a: 3, b: 0 });
    expect(reasonOf(decideStage(facts(30, [C, between, last])))).toBe(reason);
    // While it is too young, it is told at once.
    expect(reasonOf(decideStage(facts(1, [C, between])))).toBe(reason ?? SINCE);
    // At the end of the soak, and not after it.
    const at = (hours: number) => [C, { ...between, at: START + hours * HOUR }, { ...last, at: START + 27 * HOUR }];
    expect(reasonOf(decideStage(facts(30, at(24)))) === null).toBe(reason === null);
    expect(reasonOf(decideStage(facts(30, at(24.001))))).toBeNull();
  });

  test.each(BETWEEN.flatMap((a, index) => BETWEEN.slice(index + 1).map((b) => [`${a[0]}, and then: ${b[0]}`, a, b] as const)))(
    'within its soak: %s',
    (_, [, first, one], [, second, two]) => {
      const all = [C, first, { ...second, at: START + 0.2 * HOUR }, entry(25, 'E', { a: 3, b: 0 })];
      const reason = reasonOf(decideStage(facts(30, all)));
      expect(reason).toBe(one ?? two?.replace('6 min', '12 min') ?? null);
    },
  );

  test('is carried where any one of its applies stood for the soak', () => {
    const corrected = [C, entry(0.1, 'D', { a: 7, b: 0 })];
    expect(reasonOf(decideStage(facts(50, [...corrected, entry(1, 'C', { a: 3, b: 0 })])))).toBeNull();
    expect(reasonOf(decideStage(facts(50, [entry(-30, 'C', { a: 3, b: 0 }), ...corrected, entry(1, 'C', { a: 3, b: 0 })])))).toBeNull();
    const again = { ...entry(30, 'C', { a: 3, b: 0 }), at: START + 30 * HOUR };
    expect(decideStage(facts(40, [...corrected, again]))).toMatchObject({ hold: { until: '2026-11-29T18:00:00.000Z' } });
  });

  test('is told since its first apply that nothing has replaced', () => {
    expect(decideStage(facts(5, [C, entry(1, 'C', { a: 3, b: 0 })]))).toEqual({
      hold: { reason: SINCE, until: '2026-11-28T12:00:00.000Z' },
    });
  });

  test('is told to the end of the second in which its soak ends', () => {
    expect(decideStage(facts(5, [{ ...C, at: C.at + 1 }]))).toMatchObject({ hold: { until: '2026-11-28T12:00:01.000Z' } });
  });

  test('is not carried where the clock of a correction is behind, nor by an entry whose clock is ahead', () => {
    const behind = entry(-0.5, 'D', { a: 7, b: 0 });
    expect(reasonOf(decideStage(facts(30, [C, behind])))).toBe('has corrected playlist/a (/repeat) after 0 s');
    const ahead = entry(100, 'E', { a: 3, b: 9 });
    expect(reasonOf(decideStage(facts(30, [C, entry(0.1, 'D', { a: 7, b: 0 }), ahead])))).toBe(CORRECTED);
    expect(reasonOf(decideStage(facts(30, [C, ahead, entry(0.1, 'D', { a: 7, b: 0 })])))).toBe(CORRECTED);
    expect(reasonOf(decideStage(facts(30, [{ ...C, at: START + 100 * HOUR }])))).toContain('since 2026-12-01');
  });

  test('is ended by nothing but a killed apply where nothing differs from what the later target stands at', () => {
    const same = { later: { ...stands({ a: 3, b: 0 }), commit: 'last' } };
    const ends = BETWEEN.map(([name, between]) => [
      name,
      reasonOf(decideStage(facts(30, [C, between, entry(25, 'E', { a: 3, b: 0 })], same))),
    ]);
    expect(ends.filter(([, reason]) => reason !== null)).toEqual([
      ['a killed apply', expect.any(String)],
      ['a killed apply of the same commit', expect.any(String)],
    ]);
  });

  test('is compared at every path of an address, or of all, of which nobody knows what the later target stands at', () => {
    const end = entry(25, 'C', { a: 3, b: 0 });
    const other = entry(0.1, 'D', { a: 3, b: 9 });
    const all = { later: { ...UNKNOWN, commit: null } };
    expect(reasonOf(decideStage(facts(30, [C, other, end], all)))).toBe(SINCE.replace('27T12', '28T13'));
    const partly = (name: string) => ({
      later: { ...stands({ a: 0, b: 0 }), unknown: { addresses: new Set([`playlist/${name}`]), why: 'x' }, commit: 'last' },
    });
    expect(reasonOf(decideStage(facts(30, [C, other, end], partly('b'))))).toBe(SINCE.replace('27T12', '28T13'));
    expect(reasonOf(decideStage(facts(30, [C, other, end], partly('c'))))).toBeNull();
  });
});

describe('what an earlier target went back to after the soak', () => {
  const before = [entry(-30, 'last', { a: 0, b: 0 }), C];

  test.each<readonly [string, StageEntry, string | null]>([
    ['the value of the later target', entry(25, 'last', { a: 0, b: 0 }), 'has changed back playlist/a (/repeat)'],
    ['a third value', entry(25, 'D', { a: 7, b: 0 }), null],
    ['the resource is gone', entry(25, 'D', { b: 0 }), null],
    ['the value of the later target elsewhere', entry(25, 'D', { a: 3, b: 1 }), null],
    ['the same configuration', entry(25, 'C', { a: 3, b: 0 }), null],
    ['the same configuration in part', entry(25, 'C', { a: 0, b: 0 }, { isWhole: false }), 'has changed back playlist/a (/repeat)'],
    [
      'the value of the later target, and a failed write of the new one',
      entry(25, 'D', { a: 0, b: 0 }, { isWhole: false, writes: writes('a', { '/repeat': 3 }, true) }),
      'has changed back playlist/a (/repeat)',
    ],
    [
      'no commit',
      entry(25, 'D', {}, { commit: null, stands: UNKNOWN }),
      `may have changed something back, which nobody can tell: ${DIRTY}`,
    ],
    [
      'a killed apply',
      entry(25, 'D', {}, { isKilled: true, isWhole: false, isInterrupted: true }),
      'may have changed something back, which nobody can tell: its last apply was interrupted',
    ],
    [
      'an apply in part after a killed one',
      entry(25, 'D', { a: 3, b: 0 }, { isWhole: false, isInterrupted: true }),
      'may have changed something back, which nobody can tell: its last apply was interrupted',
    ],
  ])('%s', (_, newest, reason) => {
    expect(reasonOf(decideStage(facts(30, [...before, newest])))).toBe(reason);
  });

  test('is a resource that it lacks again, one that it has again, and a member of an object by itself', () => {
    const of = (next: Declared, now: Declared, last: Declared) =>
      reasonOf(
        decideStage(
          facts(
            30,
            [
              { ...C, stands: { declared: next, unknown: null } },
              { ...entry(25, 'D', {}), stands: { declared: now, unknown: null } },
            ],
            {
              next,
              later: { declared: last, unknown: null, commit: null },
            },
          ),
        ),
      );
    const one = declaring(new Map([['a', { x: 1 }]]));
    const none = NOTHING_DECLARED;
    expect(of(one, none, none)).toBe('has changed back a');
    expect(of(none, one, one)).toBe('has changed back a');
    const value = (nested: number, list: readonly Json[]): Declared => declaring(new Map([['a', { nested: { x: 1, y: nested }, list }]]));
    expect(of(value(2, [1, 2]), value(1, [1]), value(1, [1]))).toBe('has changed back a (/list, /nested/y)');
    expect(of(value(2, [1, 2]), value(2, [1]), value(1, [1]))).toBe('has changed back a (/list)');
    expect(of(declaring(new Map([['a', { x: { z: 1 } }]])), declaring(new Map([['a', { x: 2 }]])), one)).toBeNull();
  });

  test('is no change back where it is the later target that would go back', () => {
    const contained = new Map([['last', new Set(['last', 'C'])]]);
    const all = [C, entry(25, 'last', { a: 0, b: 0 })];
    expect(reasonOf(decideStage(facts(60, all, { contained })))).toBe('has the newer value of playlist/a (/repeat)');
    expect(decideStage(facts(60, all, { contained: new Map() }))).toEqual({ needs: { containedIn: 'last' } });
  });

  test('is not known where an address of the later target is not', () => {
    const later = { ...stands({ a: 0, b: 0 }), unknown: { addresses: new Set(['playlist/b']), why: 'b is not known' }, commit: 'last' };
    expect(reasonOf(decideStage(facts(30, [C, entry(25, 'D', { a: 3, b: 1 })], { later })))).toContain('b is not known');
  });
});

describe('what a decision needs', () => {
  const unloaded = (each: StageEntry): StageEntry => ({ ...each, stands: null });

  test('is an older entry as long as none that is read has carried the configuration, and no more then', () => {
    const [old, d] = [entry(0, 'C', { a: 3, b: 0 }), entry(25, 'D', { a: 7, b: 0 })];
    const read = (...entries: readonly StageEntry[]) => decideStage({ ...facts(30, []), history: { entries, isAll: false } });
    expect(read()).toEqual({ needs: { older: true } });
    expect(read(unloaded(d))).toEqual({ needs: { older: true } });
    expect(read(d, old)).toEqual({ hold: null });
    expect(read(entry(29, 'C', { a: 3, b: 0 }))).toEqual({ needs: { older: true } });
  });

  test('is only what entries within the soak put, and what the newest one did', () => {
    const all = [C, entry(1, 'D', { a: 3, b: 1 }), entry(26, 'E', { a: 3, b: 2 }), entry(27, 'F', { a: 3, b: 3 })];
    expect(decideStage(facts(30, all.map(unloaded)))).toEqual({ needs: { stands: [2] } });
    expect(decideStage(facts(30, [C, ...all.slice(1, 2), ...all.slice(2).map(unloaded)]))).toEqual({ needs: { stands: [0] } });
  });

  test('is asked for in few steps, however often the configuration was replaced', () => {
    const count = 400;
    let entries = Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? entry(index, 'D', { a: 7, b: 0 }, { stands: null }) : entry(index, 'C', { a: 3, b: 0 }, { stands: null }),
    ).toReversed();
    let steps = 0;
    for (;;) {
      const decision = decideStage({ ...facts(count + 30, []), history: { entries, isAll: true } });
      steps += 1;
      if ('hold' in decision) break;
      if (!('stands' in decision.needs)) throw new Error('needs more');
      const loaded = new Set(decision.needs.stands);
      entries = entries.map((each, index) =>
        loaded.has(index) ? { ...each, stands: stands({ a: each.commit === 'C' ? 3 : 7, b: 0 }) } : each,
      );
    }
    expect(steps).toBeLessThan(15);
  });
});

/** Commits of one line: each contains those before. */
const LINE = ['c0', 'c1', 'c1b', 'c2', 'c3', 'c4', 'c5'];
const LINEAR = new Map(LINE.map((commit, index) => [commit, new Set(LINE.slice(0, index + 1))]));

/** Decides for a commit whose `a` is 2: which target stood at which commits, oldest first. */
function takenBack(oldestFirst: readonly StageEntry[], next: Repeats = { a: 2, b: 0 }): string | null {
  return reasonOf(
    decideTakenBack({ next: declared(next), history: { entries: oldestFirst.toReversed(), isAll: true }, contained: LINEAR }),
  );
}

describe('what a target took back itself', () => {
  const c1 = entry(1, 'c1', { a: 5, b: 0 });
  const c2 = entry(2, 'c2', { a: 2, b: 0 });
  const undo = entry(3, 'c1', { a: 5, b: 0 });
  const HELD = 'has changed back playlist/a (/repeat)';
  /** An apply that left `a` at `c2`, because its write of this value failed. */
  const failedAt = (commit: string, value: number) =>
    entry(
      3,
      commit,
      { a: 2, b: 0 },
      { isWhole: false, leftOut: new Map([['playlist/a', 'c2']]), writes: writes('a', { '/repeat': value }, true) },
    );

  test.each<readonly [string, readonly StageEntry[], string | null]>([
    ['nothing, before the first apply', [], null],
    ['nothing, after the first apply', [c1], null],
    ['nothing, where it went on', [c1, c2], null],
    ['nothing, where the branch has changed the value since', [c2, entry(3, 'c3', { a: 5, b: 0 })], null],
    ['a value, by an apply of an earlier commit', [c1, c2, undo], HELD],
    ['a value, by an earlier commit that it never had', [c2, undo], HELD],
    [
      'a value, in two steps',
      [c1, entry(2, 'c1b', { a: 4, b: 0 }), c2, entry(3, 'c1b', { a: 4, b: 0 }), entry(4, 'c1', { a: 5, b: 0 })],
      HELD,
    ],
    [
      'still, after an apply of something else in part',
      [c1, c2, undo, entry(4, 'c3', { a: 5, b: 9 }, { isWhole: false, leftOut: new Map([['playlist/a', 'c1']]) })],
      HELD,
    ],
    ['not any more, after the branch has another value', [c1, c2, undo, entry(4, 'c3', { a: 5, b: 0 })], null],
    [
      'not any more, after the branch has another value in part',
      [c1, c2, undo, entry(4, 'c3', { a: 6, b: 0 }, { isWhole: false, leftOut: new Map([['playlist/b', 'c1']]) })],
      null,
    ],
    [
      'not any more, after an override applied it, and the branch went on',
      [c1, c2, undo, entry(4, 'c2', { a: 2, b: 0 }), entry(5, 'c3', { a: 6, b: 0 })],
      null,
    ],
    [
      'not any more, after an override applied a later commit that has it, and the branch went on',
      [c1, c2, undo, entry(4, 'c3', { a: 2, b: 0 }), entry(5, 'c4', { a: 6, b: 0 })],
      null,
    ],
    ['once more, after an override applied it', [c1, c2, undo, entry(4, 'c2', { a: 2, b: 0 }), entry(5, 'c1', { a: 5, b: 0 })], HELD],
    ['nothing, where an override has applied it', [c1, c2, undo, entry(4, 'c2', { a: 2, b: 0 })], null],
    [
      'nothing of a part that an undo left out',
      [c1, c2, entry(3, 'c1', { a: 2, b: 0 }, { isWhole: false, leftOut: new Map([['playlist/a', 'c2']]) })],
      null,
    ],
    [
      'nothing, where an earlier commit had the same value, from which the branch went on',
      [entry(1, 'c2', { a: 2, b: 0 }), entry(2, 'c0', { a: 2, b: 0 }), entry(3, 'c1', { a: 5, b: 0 })],
      null,
    ],
    ['a value, by an undo that was killed', [c1, c2, entry(3, 'c1', { a: 5, b: 0 }, { isKilled: true, isWhole: false })], HELD],
    ['a value, by an undo that failed there', [c1, c2, failedAt('c1', 5)], HELD],
    ['a value, by an undo that failed there at first', [c1, c2, failedAt('c1', 5), entry(4, 'c1', { a: 5, b: 0 })], HELD],
    ['nothing, where a newer commit failed there', [c1, c2, failedAt('c3', 9)], null],
    [
      'a value, also after a killed apply that was to bring it again',
      [c1, c2, undo, entry(4, 'c2', { a: 2, b: 0 }, { isKilled: true, isWhole: false })],
      HELD,
    ],
    [
      'a value, as far as anybody can tell, by a work tree that was not committed, after an apply of something else',
      [
        c1,
        c2,
        entry(3, '', {}, { commit: null, stands: UNKNOWN, writes: writes('a', { '/repeat': 5 }) }),
        entry(
          4,
          'c3',
          { b: 0 },
          {
            isWhole: false,
            leftOut: new Map([['playlist/a', null]]),
            stands: { declared: declared({ b: 0 }), unknown: { addresses: new Set(['playlist/a']), why: 'nobody knows' } },
          },
        ),
      ],
      'may have changed something back, which nobody can tell: nobody knows',
    ],
    ['nothing, where an apply of it was killed', [c1, entry(2, 'c2', { a: 2, b: 0 }, { isKilled: true, isWhole: false })], null],
    [
      'a value, by a work tree that was not committed',
      [c1, c2, entry(3, '', {}, { commit: null, stands: UNKNOWN, writes: writes('a', { '/repeat': 5 }) })],
      HELD,
    ],
    [
      'the value of another path, by a work tree that was not committed',
      [c1, c2, entry(3, '', {}, { commit: null, stands: UNKNOWN, writes: writes('b', { '/repeat': 5 }) })],
      'has changed back playlist/b (/repeat)',
    ],
  ])('is %s', (_, entries, reason) => {
    expect(takenBack(entries)).toBe(reason);
  });

  test('is held after a whole apply of another path, by a commit that does not contain what was taken back', () => {
    const [second, other] = [entry(2, 'c2', { a: 2, b: 9 }), entry(4, 'c1b', { a: 5, b: 9 })];
    expect(takenBack([c1, second, undo, other], { a: 2, b: 9 })).toBe(HELD);
    const after = Array.from({ length: MAX_OWN_ENTRIES - 3 }, (_, index) => ({ ...other, at: START + (5 + index) * HOUR }));
    expect(takenBack([second, undo, other, ...after], { a: 2, b: 9 })).toBe(HELD);
    expect(takenBack([second, undo, other, ...after, other], { a: 2, b: 9 })).toBeNull();
  });

  test('is compared by path and value: another value, and the value at another address, are none', () => {
    expect(takenBack([c1, c2, undo], { a: 3, b: 0 })).toBeNull();
    expect(takenBack([c1, c2, undo], { a: 5, b: 2 })).toBeNull();
    expect(takenBack([c1, entry(2, 'c2', { a: 2, b: 2 }), undo], { a: 2, b: 2 })).toBe(`${HELD}, playlist/b (/repeat)`);
    expect(takenBack([entry(1, 'c1', { b: 0 }), c2, entry(3, 'c1', { b: 0 })])).toBe('has changed back playlist/a');
    expect(takenBack([entry(1, 'c1', { a: 5, b: 0 }), entry(2, 'c2', { b: 0 }), undo], { b: 0 })).toBe('has changed back playlist/a');
  });

  test('is looked for in no configuration where all that was applied lies on one line', () => {
    const bare = (each: StageEntry): StageEntry => ({ ...each, stands: null });
    const ask = (entries: readonly StageEntry[], isAll: boolean, contained = LINEAR, next: Declared | null = null) =>
      decideTakenBack({ next, history: { entries, isAll }, contained });
    expect(ask([bare(c2)], false)).toEqual({ needs: { older: true } });
    expect(ask([c2, c1].map(bare), true, new Map())).toEqual({ needs: { containedIn: 'c2' } });
    expect(ask([c2, c1].map(bare), true)).toEqual({ hold: null });
    expect(ask([undo, c2, c1].map(bare), true)).toEqual({ needs: { next: true } });
    expect(ask([undo, c2, c1].map(bare), true, LINEAR, declared({ a: 2, b: 0 }))).toEqual({ needs: { stands: [0] } });
    expect(ask([undo, bare(c2), bare(c1)], true, LINEAR, declared({ a: 2, b: 0 }))).toEqual({ needs: { stands: [1] } });
  });
});

describe('an object that another key declares', () => {
  /** Declares `repeat` under the key `name`, of an object that is known by these texts; and `b: 0` beside it. */
  const object = (name: string, repeat: number, ...texts: readonly string[]): Declared => {
    const rest = declared({ b: 0 }).values;
    return declaring(new Map([[`playlist/${name}`, { repeat }], ...rest]), new Map([[`playlist/${name}`, texts]]));
  };
  const without = declared({ b: 0 });
  const at = (hours: number, commit: string, stood: Declared) => entry(hours, commit, {}, { stands: { declared: stood, unknown: null } });

  /** What its commits declare of the object: the key, and what it is known by there. */
  const KNOWN: readonly (readonly [string, readonly [string, readonly string[]], readonly [string, readonly string[]]])[] = [
    ['by `moved`', ['a', []], ['z', ['playlist/a']]],
    ['by its name', ['a', ['name playlist/Gala']], ['z', ['name playlist/Gala']]],
    ['by its ID', ['a', ['ID 1']], ['z', ['ID 1']]],
    ['by `moved` the other way round', ['a', ['playlist/z']], ['z', []]],
  ];

  test.each(KNOWN)('is the same one for what a target took back: %s', (_, [before, known], [after, knownAfter]) => {
    const old = (repeat: number) => object(before, repeat, ...known);
    const history = [at(1, 'c1', old(5)), at(2, 'c2', old(2)), at(3, 'c1', old(5))];
    const reason = (next: Declared, entries = history) =>
      reasonOf(decideTakenBack({ next, history: { entries: entries.toReversed(), isAll: true }, contained: LINEAR }));
    expect(reason(object(after, 2, ...knownAfter))).toBe('has changed back playlist/a (/repeat)');
    expect(reason(object(after, 7, ...knownAfter))).toBeNull();
    // An undo of its create: the target stands at nothing there.
    const created = [at(1, 'c1', without), at(2, 'c2', old(2)), at(3, 'c1', without)];
    expect(reason(object(after, 2, ...knownAfter), created)).toBe('has changed back playlist/z');
  });

  test.each(KNOWN)(
    'is the same one for what an earlier target corrected or changed back: %s',
    (_, [before, known], [after, knownAfter]) => {
      const old = (repeat: number) => object(before, repeat, ...known);
      const later = { declared: old(0), unknown: null, commit: 'last' };
      const carried = at(0, 'C', old(3));
      const reason = (newer: StageEntry, next = old(3)) => reasonOf(decideStage(facts(60, [carried, newer], { next, later })));
      expect(reason(at(0.1, 'D', object(after, 7, ...knownAfter)))).toBe('has corrected playlist/a (/repeat) after 6 min');
      expect(reason(at(0.1, 'D', object(after, 3, ...knownAfter)))).toBeNull();
      expect(reason(at(30, 'D', object(after, 0, ...knownAfter)))).toBe('has changed back playlist/a (/repeat)');
      expect(reason(at(30, 'D', object(after, 3, ...knownAfter)))).toBeNull();
    },
  );

  test('that deletes and creates anew, where a correction only renames it, is not promoted', () => {
    const later = { declared: object('a', 0), unknown: null, commit: 'last' };
    const mistake = object('z', 0);
    const history = [at(0, 'C', mistake), at(0.1, 'D', object('z', 0, 'playlist/a'))];
    expect(reasonOf(decideStage(facts(60, history, { next: mistake, later })))).toBe('has changed back playlist/a, playlist/z after 6 min');
  });

  test('is another one, where nothing tells that it is the same', () => {
    const history = [at(1, 'c1', object('a', 5)), at(2, 'c2', object('a', 2)), at(3, 'c1', object('a', 5))];
    const decision = decideTakenBack({
      next: object('z', 2),
      history: { entries: history.toReversed(), isAll: true },
      contained: LINEAR,
    });
    expect(reasonOf(decision)).toBeNull();
  });
});
