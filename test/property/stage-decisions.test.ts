/**
 * Random histories of entries: what decideStage and decideTakenBack say equals a model that goes through the same history forwards, moment by
 * moment, written from the sentences of design section 15, rules 5 and 11.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Declared,
  decideStage,
  decideTakenBack,
  type Need,
  NOTHING_DECLARED,
  type StageAnswer,
  type StageEntry,
  type Stands,
  type Write,
} from '../../src/core/decide/decide-stage.ts';
import { record, rounds } from '../support/figures.ts';
import { atMost } from '../support/patience.ts';
import { assertProperty } from '../support/property.ts';

const RUNS = rounds(3_000, 100_000);

const NAMES = ['a', 'b', 'c'] as const;
type Name = (typeof NAMES)[number];

/** The value of each name; null where it is not declared. */
type Values = { readonly [name in Name]: number | null };

/** What an apply did, of a configuration with these values. */
type Kind = 'whole' | 'part' | 'not read back' | 'failed' | 'killed' | 'dirty' | 'paths only';

interface Apply {
  /** Minutes since the apply before. */
  readonly pause: number;
  /** The number of its configuration. */
  readonly number: number;
  readonly kind: Kind;
  /** The names that it left out, failed at, or did not write. */
  readonly out: readonly Name[];
}

const values: fc.Arbitrary<Values> = fc.record({
  a: fc.constantFrom(1, 1, 2, 3, null),
  b: fc.constantFrom(1, 1, 2, null),
  c: fc.constantFrom(1, 1, 1, 2),
});
const out = fc.subarray([...NAMES]);
const kind: fc.Arbitrary<Kind> = fc.constantFrom(
  'whole',
  'whole',
  'whole',
  'whole',
  'part',
  'not read back',
  'failed',
  'killed',
  'dirty',
  'paths only',
);
const apply: fc.Arbitrary<Apply> = fc.record({ pause: fc.constantFrom(0, 1, 2, 3, 6), number: fc.nat(3), kind, out });

const declared = (each: Values): Declared => {
  const values = NAMES.flatMap((name) => {
    const value = each[name];
    return value === null ? [] : [[name, { value }] as const];
  });
  return { values: new Map(values), knownBy: new Map() };
};

const none: Values = { a: null, b: null, c: null };

/**
 * Answers what a decision needs, and nothing else, from entries that hide it until then. What it says then is what it says of the whole
 * history.
 */
function settled(all: readonly StageEntry[], decide: (entries: readonly StageEntry[], isAll: boolean) => StageAnswer): string | null {
  const inPart = reasonInPart(all, decide);
  expect(decide(all, true)).toEqual({ hold: inPart === null ? null : expect.objectContaining({ reason: inPart }) });
  return inPart;
}

function reasonInPart(all: readonly StageEntry[], decide: (entries: readonly StageEntry[], isAll: boolean) => StageAnswer): string | null {
  let read = 0;
  const loaded = new Set<number>();
  for (let step = 0; step < 1_000; step += 1) {
    const entries = all.slice(0, read).map((each, index) => (loaded.has(index) ? each : { ...each, stands: null }));
    const decision = decide(entries, read === all.length);
    if ('hold' in decision) return decision.hold?.reason ?? null;
    const needs: Need = decision.needs;
    if ('older' in needs) read = Math.min(all.length, Math.max(2 * read, 1));
    else if ('stands' in needs) for (const place of needs.stands) loaded.add(place);
    else throw new Error('needs what is known');
  }
  throw new Error('does not end');
}

/** Builds the entries of a history, oldest first. */
function entriesOf(configurations: readonly Values[], applies: readonly Apply[]): readonly StageEntry[] {
  let at = 0;
  let now: Values = none;
  return applies.map(({ pause, number, kind: what, out: left }): StageEntry => {
    at += pause;
    const wanted = configurations[number] ?? none;
    const before = now;
    const base = { at, commit: `c${number}`, digest: JSON.stringify(wanted), isWhole: false, isKilled: false, isInterrupted: false };
    const known = { leftOut: new Map<string, string | null>(), writes: new Map<string, Write>() };
    if (what === 'killed') return { ...base, ...known, digest: null, isKilled: true, isInterrupted: true, stands: null };
    if (what === 'dirty' || what === 'paths only') {
      const wrote = NAMES.filter((name) => !left.includes(name) && before[name] !== wanted[name]);
      const valuesOf = (name: Name) => new Map([['/value', what === 'dirty' ? wanted[name] : undefined]]);
      const writes = new Map(wrote.map((name): [string, Write] => [name, { isOpen: false, values: valuesOf(name) }]));
      now = { ...before, ...Object.fromEntries(wrote.map((name) => [name, wanted[name]])) };
      return {
        ...base,
        ...known,
        writes,
        commit: null,
        digest: null,
        stands: { declared: NOTHING_DECLARED, unknown: { addresses: 'all', why: 'x' } },
      };
    }
    const skipped = what === 'part' || what === 'failed' ? left : [];
    now = { ...wanted, ...Object.fromEntries(skipped.map((name) => [name, before[name]])) };
    const leftOut = new Map(skipped.map((name) => [name, null]));
    const tried = what === 'failed' ? skipped : [];
    const writes = new Map(tried.map((name): [string, Write] => [name, { isOpen: true, values: new Map([['/value', wanted[name]]]) }]));
    const isWhole = what === 'whole' || (what === 'part' && skipped.length === 0);
    const stands: Stands = { declared: declared(now), unknown: null };
    return { ...base, leftOut, writes, isWhole, stands };
  });
}

/** Goes through a history forwards, minute by minute: whether some apply of the configuration stood as long as the soak. */
function hasSoaked(
  configurations: readonly Values[],
  applies: readonly Apply[],
  { number, later, soak, end }: { readonly number: number; readonly later: Values | null; readonly soak: number; readonly end: number },
): boolean {
  const wanted = configurations[number] ?? none;
  const isSame = (each: number) => each === number || NAMES.every((name) => configurations[each]?.[name] === wanted[name]);
  const watched = NAMES.filter((name) => later === null || later[name] !== wanted[name]);
  const account = new Map<Name, number | null>(NAMES.map((name) => [name, null]));
  let standing: readonly number[] = [];
  const due = [...applies];
  let passed = 0;
  for (let minute = 0; minute <= end; minute += 1) {
    for (let next = due[0]; next !== undefined && passed + next.pause <= minute; next = due[0]) {
      due.shift();
      passed += next.pause;
      const { kind: what, out: left } = next;
      const config = configurations[next.number] ?? none;
      if (what === 'killed') {
        standing = [];
        continue;
      }
      const hasCommit = what !== 'dirty' && what !== 'paths only';
      const put = NAMES.filter(
        (name) => !((what === 'part' || !hasCommit) && left.includes(name)) && (hasCommit || account.get(name) !== config[name]),
      );
      const isOther = (name: Name) => watched.includes(name) && (what === 'paths only' || config[name] !== wanted[name]);
      if (!(hasCommit && isSame(next.number)) && put.some(isOther)) standing = [];
      for (const name of put) if (what !== 'failed' || !left.includes(name)) account.set(name, config[name]);
      const isWhole = what === 'whole' || (what === 'part' && left.length === 0);
      if (isWhole && isSame(next.number)) standing = [...standing, minute];
    }
    if (standing.some((since) => minute - since >= soak)) return true;
  }
  return false;
}

/** What came of the histories. */
const figures = { carried: 0, 'replaced within the soak': 0, 'too young': 0, 'taken back': 0, 'not taken back': 0 };

test(`an earlier target has carried what stood on it for the soak, in ${RUNS} random histories`, {
  timeout: atMost(rounds(60_000, 600_000)),
}, () => {
  const property = fc.property(
    fc.array(values, { minLength: 4, maxLength: 4 }),
    fc.array(apply, { maxLength: 9 }),
    fc.record({
      number: fc.nat(3),
      // What the later target stands at is one of the configurations, or another one, or not known.
      later: fc.option(fc.oneof(fc.nat(3), values), { freq: 9 }),
      soak: fc.constantFrom(1, 3, 6, 12),
      wait: fc.nat(12),
    }),
    (configurations, applies, { number, later: drawn, soak, wait }) => {
      const later = typeof drawn === 'number' ? (configurations[drawn] ?? none) : drawn;
      const next = configurations[number] ?? none;
      // The newest entry has the configuration, so that nothing is changed back after its soak.
      const all: readonly Apply[] = [...applies, { pause: wait, number, kind: 'whole', out: [] }];
      const end = all.reduce((sum, { pause }) => sum + pause, 0);
      const reason = settled(entriesOf(configurations, all).toReversed(), (entries, isAll) =>
        decideStage({
          next: declared(next),
          digest: JSON.stringify(next),
          commit: `c${number}`,
          later:
            later === null
              ? { declared: NOTHING_DECLARED, unknown: { addresses: 'all', why: 'x' }, commit: null }
              : { declared: declared(later), unknown: null, commit: null },
          history: { entries, isAll },
          contained: new Map(),
          soakMs: soak,
          now: end,
        }),
      );
      expect(reason === null, String(reason)).toBe(hasSoaked(configurations, all, { number, later, soak, end }));
      const isOldEnough = entriesOf(configurations, applies).some(
        ({ isWhole, digest, at }) => isWhole && digest === JSON.stringify(next) && at + soak <= end,
      );
      figures[reason === null ? 'carried' : isOldEnough ? 'replaced within the soak' : 'too young'] += 1;
    },
  );
  assertProperty(property, { numRuns: RUNS });
});

test(`what a later target took back waits until the branch went on at that path, in ${RUNS} random histories`, {
  timeout: atMost(rounds(60_000, 600_000)),
}, () => {
  const property = fc.property(
    fc.array(values, { minLength: 5, maxLength: 5 }),
    fc.array(
      apply.map((each): Apply => ({ ...each, kind: each.kind === 'part' ? 'part' : 'whole' })),
      { maxLength: 9 },
    ),
    fc.nat(4),
    (configurations, drawn, number) => {
      // Commit `n` of a line contains those with smaller numbers.
      const line = new Map(
        configurations.map((_, index) => [`c${index}`, new Set(configurations.slice(0, index + 1).map((__, each) => `c${each}`))]),
      );
      // That a name is declared is a value of its own, beside the one that it has.
      const isDeclared = (commit: number | undefined, name: Name) => valueAt(commit, name) !== null;
      const valueAt = (commit: number | undefined, name: Name) => configurations[commit ?? -1]?.[name] ?? null;
      // By name: where it stands, and the values that it stood at, each with the commit at which it did last.
      const at = new Map<Name, number>();
      const stood = new Map<Name, Map<number | boolean | null, number>>(NAMES.map((name) => [name, new Map()]));
      const entries: StageEntry[] = [];
      for (const each of drawn) {
        const isOut = (name: Name) => each.kind === 'part' && each.out.includes(name);
        const leftOut = new Map(NAMES.filter(isOut).map((name) => [name, at.has(name) ? `c${at.get(name)}` : null]));
        for (const name of NAMES.filter((other) => !isOut(other))) {
          at.set(name, each.number);
          const held = stood.get(name) ?? new Map();
          // It contains the commits of these: the branch went on.
          for (const [value, commit] of held) if (commit <= each.number) held.delete(value);
          held.set(valueAt(each.number, name), each.number);
          held.set(isDeclared(each.number, name), each.number);
        }
        const now = (name: Name) => valueAt(at.get(name), name);
        entries.push({
          at: entries.length,
          commit: `c${each.number}`,
          digest: null,
          isWhole: leftOut.size === 0,
          isKilled: false,
          isInterrupted: false,
          leftOut,
          writes: new Map(),
          stands: { declared: declared({ a: now('a'), b: now('b'), c: now('c') }), unknown: null },
        });
      }
      const next = configurations[number] ?? none;
      const taken = NAMES.filter((name) => {
        const [now, held] = [at.get(name), stood.get(name)];
        const isValueTaken = valueAt(now, name) !== valueAt(number, name) && held?.has(valueAt(number, name));
        return isValueTaken || (isDeclared(now, name) !== isDeclared(number, name) && held?.has(isDeclared(number, name)));
      });
      const reason = settled(entries.toReversed(), (known, isAll) =>
        decideTakenBack({ next: declared(next), history: { entries: known, isAll }, contained: line }),
      );
      expect(reason?.replaceAll(' (/value)', '') ?? null).toBe(taken.length === 0 ? null : `has changed back ${taken.join(', ')}`);
      figures[reason === null ? 'not taken back' : 'taken back'] += 1;
    },
  );
  assertProperty(property, { numRuns: RUNS });
  for (const [name, value] of Object.entries(figures)) {
    record({ proof: 'stage decisions', name, value, wanted: 'more than 0', holds: value > 0 });
    expect(value, name).toBeGreaterThan(0);
  }
});
