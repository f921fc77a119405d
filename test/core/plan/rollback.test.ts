// Fake kinds (test/support/fake-kinds.ts): song = playlist, single = smart start, rule = policy, dial = setting, shelf = asset catalog.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DesiredState } from '../../../src/core/config/desired-state.ts';
import type { DesiredResource } from '../../../src/core/kinds/kind.ts';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import type { PlanResult } from '../../../src/core/plan/build-plan.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import type { RollbackBaseline } from '../../../src/core/plan/rollback.ts';
import { isBehind } from '../../../src/core/state/planned-change.ts';
import { type AccountData, FakeAccount } from '../../support/fake-account.ts';
import { rounds } from '../../support/figures.ts';
import { aRule, aSong, desiredStateOf, planFor, target, theDial, withMoves } from '../../support/planning.ts';
import { adopted, type Bindings, stateWith } from '../../support/previous-states.ts';
import { assertAsyncProperty } from '../../support/property.ts';

const LAST = '1a57'.repeat(10);

/** The configurations of a comparison, and the account. */
interface Comparison {
  readonly bases?: readonly (DesiredState | readonly DesiredResource[])[];
  readonly last: DesiredState | readonly DesiredResource[] | null;
  readonly desired: DesiredState | readonly DesiredResource[];
  readonly account: AccountData;
  readonly bindings?: Bindings;
  readonly cannotTell?: string;
  readonly commitsByFile?: RollbackBaseline['commitsByFile'];
}

function stateOf(state: DesiredState | readonly DesiredResource[]): DesiredState {
  return 'resources' in state ? state : desiredStateOf(state);
}

function planOf(comparison: Comparison, more: Partial<PlanInput> = {}): Promise<PlanResult> {
  const { bases = [], last, desired, account, bindings = {}, cannotTell = null, commitsByFile = new Map() } = comparison;
  const lastState = last && stateOf(last);
  const baseline: RollbackBaseline = { lastCommit: LAST, lastState, baseStates: bases.map(stateOf), cannotTell, commitsByFile };
  const rollback = { baselineOf: () => baseline };
  return planFor(new FakeAccount(account), stateOf(desired), { ledgerState: stateWith(bindings), rollback, ...more });
}

/** Returns the changes of a plan as lines: `! update song/a` if `rollback` blocks it, `< update song/a` if it is behind. */
async function linesOf(comparison: Comparison, more: Partial<PlanInput> = {}): Promise<readonly string[]> {
  const { plan } = await planOf(comparison, more);
  const { changes, behind = [] } = plan;
  return [
    ...changes.map(({ action, address, blocked }) => `${blocked?.check === 'rollback' ? '! ' : ''}${action} ${address}`),
    ...behind.map(({ action, address }) => `< ${action} ${address}`),
  ];
}

/** Returns a song as the account holds it. */
function live({ fields }: DesiredResource): JsonObject {
  return fields;
}

const bound = { 'song/a': 'one' };

/**
 * A comparison of one song: its fields at the merge base, at the commit last applied, at the commit to be applied, and in the account; null
 * for none.
 */
function ofOneSong(
  base: JsonObject | null,
  last: JsonObject | null,
  desired: JsonObject | null,
  inAccount: JsonObject | null = last,
): Comparison {
  const song = (fields: JsonObject | null) => (fields === null ? [] : [aSong('a', fields)]);
  return {
    bases: [song(base)],
    last: song(last),
    desired: song(desired),
    account: { songs: inAccount === null ? {} : { one: live(aSong('a', inAccount)) } },
    bindings: bound,
  };
}

describe('a field', () => {
  it.each([
    ['is rolled back where an old commit has another value', { level: 1 }, { level: 2 }, { level: 1 }, '< update song/a'],
    ['may be changed by a new commit', { level: 1 }, { level: 1 }, { level: 2 }, 'update song/a'],
    ['may be changed by both commits', { level: 1 }, { level: 2 }, { level: 3 }, 'update song/a'],
    ['is rolled back together with a change', { level: 1 }, { level: 2 }, { level: 1, list: ['z', 'y'] }, '! update song/a'],
  ])('%s', async (_what, base, last, desired, line) => {
    expect(await linesOf(ofOneSong(base, last, desired))).toEqual([line]);
  });

  it('may be restored after an edit by hand, and is not rolled back where the account has the value already', async () => {
    expect(await linesOf(ofOneSong({ level: 1 }, { level: 1 }, { level: 1 }, { level: 7 }))).toEqual(['update song/a']);
    expect(await linesOf(ofOneSong({ level: 1 }, { level: 2 }, { level: 1 }, { level: 1 }))).toEqual([]);
    const mixed = ofOneSong({ level: 1 }, { level: 2 }, { level: 1, list: ['z', 'y'] }, { level: 1 });
    expect(await linesOf(mixed)).toEqual(['update song/a']);
  });

  it('is blocked, and not listed apart, where the same update also overwrites an edit by hand of another field', async () => {
    const comparison = ofOneSong({ level: 1 }, { level: 2 }, { level: 1 }, { level: 2, list: ['by', 'hand'] });
    expect(await linesOf(comparison)).toEqual(['! update song/a']);
    const { plan } = await planOf(comparison);
    expect(plan.changes[0]?.blocked?.reason).toBe(`it would roll back level of commit ${LAST.slice(0, 12)}, which was applied`);
  });

  it('that no change writes is not rolled back, however deep it lies', async () => {
    const dial = (fields: JsonObject): DesiredResource => ({ ...theDial(false, []), fields: { open: false, list: [], ...fields } });
    const account = { dial: { list: [], open: true } };
    const comparison = { bases: [[dial({})]], last: [dial({ more: { deep: { deeper: 1 } } })], desired: [dial({})], account };
    expect(await linesOf(comparison)).toEqual(['update dial']);
    const differing = { ...account, dial: { list: [], open: false, more: { deep: { deeper: 1 } } } };
    expect(await linesOf({ ...comparison, last: [dial({ open: true })], account: { dial: { list: [], open: true } } })).toEqual([
      '< update dial',
    ]);
    expect(await linesOf({ ...comparison, account: differing })).toEqual([]);
  });
});

describe('an object of several values', () => {
  /** The dial with an object in place of its list, which the account shows as it is. */
  const dial = (list: Json): DesiredResource => ({ ...theDial(false, []), fields: { open: false, list } });
  const of = (base: Json, last: Json, desired: Json, inAccount: Json): Comparison => ({
    bases: [[dial(base)]],
    last: [dial(last)],
    desired: [dial(desired)],
    account: { dial: { open: false, list: inAccount } },
  });

  it.each<[string, Comparison, string]>([
    ['is written whole with an old and a new value', of({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 2 }, 'text'), '! update dial'],
    ['is written whole with old values alone', of({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 1 }, 'text'), '< update dial'],
    ['is written in parts, an old and a new one', of({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 1 }), '! update dial'],
    ['is written in parts, only a new one', of({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 2 }, { a: 1, b: 1 }), 'update dial'],
    ['takes the place of a text that the newer commit brought', of({}, 'text', {}, { a: 1 }), '< update dial'],
    ['is no other one where an absent value takes the place of null', of({ a: null }, { b: null }, {}, { a: 1 }), 'update dial'],
  ])('%s', async (_what, comparison, line) => {
    expect(await linesOf(comparison)).toEqual([line]);
  });
});

describe('an ignored field', () => {
  const ignoring = (resource: DesiredResource, until?: string): DesiredResource => {
    const field = { path: '/level', declared: { file: 'a.yaml', line: 7, column: 3 }, ...(until === undefined ? {} : { until }) };
    return { ...resource, ignored: [field] };
  };
  const [old, edited] = [aSong('a', { level: 1 }), { songs: { one: live(aSong('a', { level: 7 })) } }];
  const comparison = { bases: [[old]], desired: [old], bindings: bound, account: edited };

  it('is not written by a commit that does not ignore it yet', async () => {
    expect(await linesOf({ ...comparison, last: [ignoring(old)] })).toEqual(['< update song/a']);
    expect(await linesOf({ ...comparison, last: [old] })).toEqual(['update song/a']);
  });

  it('is compared by its value once the entry has expired', async () => {
    const lastDay = ignoring(old, '1970-01-01');
    expect(await linesOf({ ...comparison, last: [lastDay] })).toEqual(['< update song/a']);
    expect(await linesOf({ ...comparison, last: [ignoring(old, '1969-12-31')] })).toEqual(['update song/a']);
  });

  it('is compared by its value in a create, which sends it', async () => {
    const created = { ...comparison, account: {} };
    expect(await linesOf({ ...created, last: [ignoring(old)] })).toEqual(['create song/a']);
    expect(await linesOf({ ...created, last: [ignoring(aSong('a', { level: 2 }))] })).toEqual(['< create song/a']);
  });
});

describe('the baseline of a change', () => {
  const songs = {
    one: live(aSong('a', { level: 1 })),
    two: live(aSong('b')),
    three: live(aSong('c')),
    y: live(aSong('d', { list: ['y'] })),
  };
  const bindings = { 'song/old-a': 'one', 'song/old-b': 'two', 'song/gone': 'three', 'song/d': 'y' };
  const desired = desiredStateOf([aSong('a'), aSong('b'), aSong('d', { list: ['x'] }), aSong('new')]);
  const planOfAll = async (baselineOf: (address: string) => RollbackBaseline | null) =>
    (await planFor(new FakeAccount({ songs }), desired, { ledgerState: stateWith(bindings), rollback: { baselineOf } })).plan;

  it('is that of the address at which its object was bound; a move has none', async () => {
    const asked: string[] = [];
    const plan = await planOfAll((address) => {
      asked.push(address);
      return null;
    });
    const lines = plan.changes.map(({ action, address }) => `${action} ${address}`).sort();
    expect(lines).toEqual(['create song/d', 'create song/new', 'delete song/gone', 'delete song/~y', 'move song/b', 'update song/a']);
    expect(asked.sort()).toEqual(['song/d', 'song/d', 'song/gone', 'song/new', 'song/old-a']);
  });

  it('may be another one for each address, and nothing is rolled back where there is none', async () => {
    const empty = { lastCommit: LAST, lastState: null, baseStates: [], commitsByFile: new Map() };
    const baselines = new Map<string, RollbackBaseline>([
      ['song/old-a', { ...empty, cannotTell: 'of a reason' }],
      ['song/gone', { ...empty, cannotTell: 'of another reason' }],
    ]);
    const { changes, behind } = await planOfAll((address) => baselines.get(address) ?? null);
    const reasons = changes.flatMap(({ address, blocked }) => (blocked ? [`${address}: ${blocked.check}: ${blocked.reason}`] : []));
    const reason = (why: string) =>
      `rollback: upkeep cannot tell whether it would roll back something of commit 1a571a571a57, which was applied: of ${why}`;
    expect(reasons.sort()).toEqual([`song/a: ${reason('a reason')}`, `song/gone: ${reason('another reason')}`]);
    expect(behind).toBeUndefined();
  });
});

describe('a resource', () => {
  it('that is no longer declared is not even updated with new values', async () => {
    const comparison = { bases: [[aSong('a', { level: 1 })]], last: [], desired: [aSong('a', { level: 2 })], bindings: bound };
    expect(await linesOf({ ...comparison, account: { songs: { one: live(aSong('a', { level: 1 })) } } })).toEqual(['! update song/a']);
  });

  it.each([
    ['is not deleted by an old commit that does not have it yet', null, {}, null, '< delete song/a'],
    ['is not created again by an old commit that still has it', {}, null, {}, '< create song/a'],
    ['is not created again by a commit that changes it and still has it', {}, null, { level: 1 }, '! create song/a'],
    ['may be deleted by a new commit', {}, {}, null, 'delete song/a'],
    ['may be deleted by a new commit although another one changed it', {}, { level: 1 }, null, 'delete song/a'],
    ['may be declared by a new commit', null, null, {}, 'create song/a'],
  ])('%s', async (_what, base, last, desired, line) => {
    expect(await linesOf(ofOneSong(base, last, desired))).toEqual([line]);
  });

  it('may be created again after somebody deleted its object, but not with old values', async () => {
    expect(await linesOf(ofOneSong({}, {}, {}, null))).toEqual(['create song/a']);
    expect(await linesOf(ofOneSong({}, { level: 1 }, {}, null))).toEqual(['< create song/a']);
    expect(await linesOf(ofOneSong({}, { level: 1 }, { list: ['z', 'y'] }, null))).toEqual(['! create song/a']);
  });

  it('that is no longer declared is neither updated, nor adopted, by a commit that still declares it', async () => {
    const comparison = { bases: [[aSong('a')]], last: [], desired: [aSong('a')] };
    expect(await linesOf({ ...comparison, account: { songs: { one: live(aSong('a', { level: 5 })) } } })).toEqual(['< update song/a']);
    expect(await linesOf({ ...comparison, account: { songs: { one: live(aSong('a')) } } })).toEqual(['< adopt song/a']);
  });

  it('is neither deleted nor forgotten by a commit that does not have it yet', async () => {
    const comparison = {
      bases: [[]],
      last: [aSong('a')],
      account: { songs: { one: live(aSong('a')) } },
      bindings: { 'song/a': adopted('one') },
    };
    expect(await linesOf({ ...comparison, desired: [] })).toEqual(['< delete song/a']);
    expect(await linesOf({ ...comparison, desired: [] }, { appliesEarlierCommit: true })).toEqual(['< forget song/a']);
    expect(await linesOf({ ...comparison, desired: withMoves(desiredStateOf([]), {}, ['song/a']) })).toEqual(['< forget song/a']);
  });

  it('is not replaced by an old commit whose list `whyNotBindable` refuses for its object', async () => {
    const [before, after] = [aSong('a', { list: ['x'] }), aSong('a', { list: ['x', 'y'] })];
    const comparison = {
      bases: [[before]],
      last: [after],
      desired: [before],
      account: { songs: { y: live(aSong('a', { list: ['y'] })) } },
      bindings: { 'song/a': 'y' },
    };
    expect(await linesOf(comparison)).toEqual(['< create song/a', '< delete song/~y']);
  });
});

describe('a section', () => {
  it('that a newer commit leaves undeclared keeps its objects', async () => {
    const account = { songs: { one: live(aSong('a')) } };
    const undeclared = desiredStateOf([], {}, ['rules']);
    expect(await linesOf({ bases: [[]], last: undeclared, desired: [], account })).toEqual(['< delete song/~one']);
    expect(await linesOf({ bases: [undeclared], last: undeclared, desired: [], account })).toEqual(['delete song/~one']);
    expect(await linesOf({ bases: [[]], last: [], desired: [], account })).toEqual(['delete song/~one']);
  });
});

describe('the addresses of a `moved`', () => {
  const moved = (state: DesiredState) => withMoves(state, { 'song/a': 'song/b' });

  it('are one resource where the newer commit has moved it', async () => {
    const same = { title: 'a' };
    const last = moved(desiredStateOf([aSong('b', same)]));
    const comparison = { bases: [[aSong('a')]], last, desired: [aSong('a')], bindings: { 'song/b': 'one' } };
    expect(await linesOf({ ...comparison, account: { songs: { one: live(aSong('b', same)) } } })).toEqual(['move song/a']);
    const changed = moved(desiredStateOf([aSong('b', { ...same, level: 1 })]));
    const account = { songs: { one: live(aSong('b', { ...same, level: 1 })) } };
    expect(await linesOf({ ...comparison, last: changed, account })).toEqual(['< update song/a']);
  });

  it('are one resource where the newer commit has moved it, so that a new value of it may be written', async () => {
    const last = moved(desiredStateOf([aSong('b', { title: 'a' })]));
    const account = { songs: { one: live(aSong('b', { title: 'a' })) } };
    const comparison = { bases: [[aSong('a')]], last, desired: [aSong('a', { level: 5 })], account, bindings: { 'song/b': 'one' } };
    expect(await linesOf(comparison)).toEqual(['update song/a']);
    expect(await linesOf({ ...comparison, last: desiredStateOf([aSong('b', { title: 'a' })]) })).toEqual(['! update song/a']);
  });

  it('are one resource where the newer commit has moved it and changed its name: nothing is deleted or created', async () => {
    const last = moved(desiredStateOf([aSong('b')]));
    const account = { songs: { one: live(aSong('b')) } };
    const comparison = { bases: [[aSong('a')]], last, desired: [aSong('a')], account, bindings: { 'song/b': 'one' } };
    expect(await linesOf(comparison)).toEqual(['< create song/a', '< delete song/b']);
  });

  it('are one resource where the commit to be applied moves it', async () => {
    const desired = moved(desiredStateOf([aSong('b', { title: 'a' })]));
    const comparison = { bases: [[aSong('a')]], last: [aSong('a', { level: 1 })], desired, bindings: { 'song/a': 'one' } };
    expect(await linesOf({ ...comparison, account: { songs: { one: live(aSong('a', { level: 1 })) } } })).toEqual(['< update song/b']);
  });

  it('are one resource through a chain of moves', async () => {
    const middle = withMoves(desiredStateOf([aSong('b', { title: 'a' })]), { 'song/a': 'song/b' });
    const desired = withMoves(desiredStateOf([aSong('c', { title: 'a' })]), { 'song/a': 'song/b', 'song/b': 'song/c' });
    const last = withMoves(desiredStateOf([aSong('b', { title: 'a', level: 1 })]), { 'song/a': 'song/b' });
    const account = { songs: { one: live(aSong('b', { title: 'a', level: 1 })) } };
    expect(await linesOf({ bases: [middle], last, desired, account, bindings: { 'song/b': 'one' } })).toEqual(['< update song/c']);
  });

  it('are two resources where a commit declares both', async () => {
    const last = moved(desiredStateOf([aSong('b', { title: 'a' }), aSong('a', { title: 'new', level: 3 })]));
    const account = { songs: { one: live(aSong('b', { title: 'a' })), two: live(aSong('a', { title: 'new', level: 3 })) } };
    const comparison = { bases: [[aSong('a')]], last, desired: [aSong('a')], account, bindings: { 'song/b': 'one', 'song/a': 'two' } };
    expect(await linesOf(comparison)).toEqual(['< delete song/b', '< update song/a']);
  });
});

describe('several merge bases', () => {
  const at = (level: number) => [aSong('a', { level })];

  it('are enough for a value to count as rolled back if one of them has it', async () => {
    const comparison = { last: at(3), desired: at(1), account: { songs: { one: live(aSong('a', { level: 3 })) } }, bindings: bound };
    expect(await linesOf({ ...comparison, bases: [at(2), at(1)] })).toEqual(['< update song/a']);
    expect(await linesOf({ ...comparison, bases: [at(1), at(2)] })).toEqual(['< update song/a']);
    expect(await linesOf({ ...comparison, bases: [at(2), at(4)] })).toEqual(['update song/a']);
  });

  it('put a change behind where it would do nothing but roll back compared with any one of them', async () => {
    const [last, desired] = [aSong('a', { level: 3 }), aSong('a', { level: 1, list: ['z', 'y'] })];
    const comparison = { last: [last], desired: [desired], account: { songs: { one: live(last) } }, bindings: bound };
    expect(await linesOf({ ...comparison, bases: [at(1), [desired]] })).toEqual(['< update song/a']);
    expect(await linesOf({ ...comparison, bases: [[desired], at(1)] })).toEqual(['< update song/a']);
    expect(await linesOf({ ...comparison, bases: [at(1), at(2)] })).toEqual(['! update song/a']);
  });

  it('block every change of a value that differs from the commit last applied, if one of them cannot be used', async () => {
    const comparison = { ...ofOneSong({}, { level: 1 }, { level: 2 }), cannotTell: 'reasons' };
    expect(await linesOf(comparison)).toEqual(['! update song/a']);
    expect(await linesOf({ ...ofOneSong({}, { level: 1 }, {}), cannotTell: 'reasons' })).toEqual(['< update song/a']);
  });
});

describe('where upkeep cannot tell', () => {
  const cannotTell = 'the two commits have no history in common';
  const of = (last: JsonObject | null, desired: JsonObject | null, now: JsonObject | null = last): Comparison => ({
    ...ofOneSong(null, last, desired, now),
    bases: [],
    cannotTell,
  });

  it.each([
    ['an update', of({ level: 1 }, { level: 2 }), ['! update song/a']],
    ['a create', of(null, {}), ['! create song/a']],
    ['a delete', of({}, null), ['! delete song/a']],
    ['an adoption', of(null, {}, {}), ['! adopt song/a']],
  ])('%s is blocked with the reason', async (_what, comparison, lines) => {
    const unbound = { ...comparison, ...(lines[0]?.includes('adopt') ? { bindings: {} } : {}) };
    expect(await linesOf(unbound)).toEqual(lines);
    const { plan } = await planOf(unbound);
    expect(plan.changes[0]?.blocked).toMatchObject({
      check: 'rollback',
      reason: `upkeep cannot tell whether it would roll back something of commit ${LAST.slice(0, 12)}, which was applied: ${cannotTell}`,
      lift: { edit: 'apply a commit that contains that one', allow: 'rollback' },
    });
    expect(plan.summary.blocked).toBe(1);
  });

  it('values that equal those of the commit last applied are not blocked: edits by hand are overwritten', async () => {
    expect(await linesOf(of({ level: 1 }, { level: 1 }, { level: 2 }))).toEqual(['update song/a']);
    expect(await linesOf(of({ level: 1 }, { level: 1 }, null))).toEqual(['create song/a']);
    expect(await linesOf(of(null, null, {}))).toEqual(['delete song/a']);
    const partly = of({ level: 1 }, { level: 1, list: ['z', 'y'] }, { level: 2, list: ['z', 'y'] });
    expect(await linesOf(partly)).toEqual(['update song/a']);
  });

  it('everything is blocked where the commit last applied cannot be used, except a move that writes nothing', async () => {
    const songs = { one: live(aSong('a')), two: live(aSong('b', { title: 'c' })) };
    const comparison = {
      last: null,
      desired: [aSong('c'), aRule('new')],
      account: { songs },
      bindings: { 'song/a': 'one', 'song/b': 'two' },
      cannotTell: 'its upkeep.yaml is not valid',
    };
    expect(await linesOf(comparison)).toEqual(['! create rule/new', '! delete song/a', 'move song/c']);
  });
});

describe('the reason', () => {
  it('names the commit last applied, the fields, and the commits that touched the file since the merge base', async () => {
    const commits = ['1', '2', '3', '4'].map((digit) => digit.repeat(40));
    const comparison = ofOneSong({ list: ['x', 'y'] }, { level: 1, list: ['z', 'y'], title: 'b' }, { list: ['x', 'y'] });
    const { plan } = await planOf({ ...comparison, commitsByFile: new Map([['songs/a.yaml', commits.slice(0, 2)]]) });
    expect(plan.behind?.[0]?.blocked?.reason).toBe(
      `it would roll back level, list, title of commit ${LAST.slice(0, 12)}, which was applied (its file was changed by 111111111111, 222222222222)`,
    );
    const { plan: many } = await planOf({ ...comparison, commitsByFile: new Map([['songs/a.yaml', commits]]) });
    expect(many.behind?.[0]?.blocked?.reason).toMatch(/ \(its file was changed by 111111111111, 222222222222, 333333333333, 1 more\)$/);
  });

  it('says whether the resource itself was declared or removed', async () => {
    const reasonOf = async (comparison: Comparison) => (await planOf(comparison)).plan.behind?.[0]?.blocked?.reason;
    expect(await reasonOf(ofOneSong(null, {}, null))).toContain('it would roll back its declaration of commit');
    const unmanaged = { bases: [[]], last: desiredStateOf([], {}, ['rules']), desired: [], account: { songs: { one: live(aSong('a')) } } };
    const commit = `commit ${LAST.slice(0, 12)}, which was applied`;
    expect(await reasonOf(unmanaged)).toBe(`it would touch what ${commit}, leaves unmanaged`);
    expect(await reasonOf(ofOneSong({}, null, {}))).toMatch(/^it would bring back what commit [0-9a-f]{12}, which was applied, removed/);
  });
});

describe('a change that would do nothing but roll back', () => {
  const mixed: Comparison = {
    bases: [[aSong('a'), aSong('b')]],
    last: [aSong('a', { level: 1 }), aSong('b'), aSong('c'), aSong('d')],
    desired: [aSong('a'), aSong('b', { level: 2 })],
    account: {
      songs: { 1: live(aSong('a', { level: 1 })), 2: live(aSong('b')), 3: live(aSong('c')), 4: live(aSong('d')) },
    },
    bindings: { 'song/a': '1', 'song/b': '2', 'song/c': '3', 'song/d': '4' },
  };

  it('is counted by nothing else in the plan', async () => {
    const { plan, changes } = await planOf(mixed);
    expect(plan.behind?.map(({ address }) => address)).toEqual(['song/c', 'song/d', 'song/a']);
    expect(plan.changes.map(({ address }) => address)).toEqual(['song/b']);
    expect(plan.summary).toEqual({ create: 0, update: 1, delete: 0, blocked: 0, unchanged: 0, undeclared: 0 });
    expect([plan.requests.length, plan.cost.writes]).toEqual([1, 1]);
    const contained = await planOf({ ...mixed, desired: [aSong('a', { level: 1 }), aSong('b', { level: 2 }), aSong('c'), aSong('d')] });
    expect(plan.fingerprint).toBe(contained.plan.fingerprint);
    expect(changes.filter(isBehind)).toHaveLength(3);
  });

  it('does not count for the limits of a target', async () => {
    const limits = { ...target.limits, delete: { count: 1, percent: 100 }, update: { percent: 100 } };
    const deleting = { ...mixed, desired: [aSong('a')] };
    const { plan } = await planOf(deleting, { target: { ...target, limits } });
    expect(plan.changes.map(({ address, action, blocked }) => [address, action, blocked])).toEqual([['song/b', 'delete', null]]);
    const overrides = { deletes: 0, checks: new Set(['rollback'] as const) };
    const { plan: allowed } = await planOf(deleting, { target: { ...target, limits }, overrides });
    expect(allowed.changes.filter(({ blocked }) => blocked?.check === 'deletes')).toHaveLength(3);
  });

  it('is not shown to guards, and not to the analysis of devices', async () => {
    const seen: string[] = [];
    const position = () => ({ file: 'upkeep.yaml', line: 1, column: 1 });
    const guards = [{ id: 'none', verdict: 'deny', conditions: ['true'], message: 'no', position }] as const;
    const analyzeImpact: PlanInput['analyzeImpact'] = ({ resourcesOf }) => {
      seen.push(...resourcesOf('song').flatMap(({ address, isWritten }) => (isWritten ? [address] : [])));
      return { byChange: new Map(), playbackReasons: new Map(), summary: null };
    };
    const { plan } = await planOf(mixed, { guards, analyzeImpact });
    expect([...new Set(seen)]).toEqual(['song/b']);
    expect(plan.changes.map(({ blocked }) => blocked?.check)).toEqual(['guard']);
    expect(plan.behind?.map(({ blocked }) => blocked?.check)).toEqual(['rollback', 'rollback', 'rollback']);
  });

  it('is a change like any other where the safety check is overridden, and counts as overridden', async () => {
    const { plan } = await planOf(mixed, { overrides: { deletes: 0, checks: new Set(['rollback']) } });
    expect(plan.behind).toBeUndefined();
    expect(plan.changes.map(({ action, address, blocked }) => [action, address, blocked])).toEqual([
      ['update', 'song/b', null],
      ['delete', 'song/c', null],
      ['delete', 'song/d', null],
      ['update', 'song/a', null],
    ]);
    expect(plan.overrides).toEqual([{ check: 'rollback', count: 3 }]);
  });
});

it('blocks exactly what rolls a value back, for any values at the merge base, the commit last applied and the commit to be applied', async () => {
  const fields = fc.option(fc.record({ level: fc.nat(2), list: fc.constantFrom(['x', 'y'], ['z', 'y']) }), { freq: 4 });
  const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const property = fc.asyncProperty(fields, fields, fields, fields, async (base, last, desired, now) => {
    const action = desired === null ? 'delete' : now === null ? 'create' : 'update';
    // The values of the fields that are written, each at the three commits.
    const written = (['level', 'list'] as const).filter((name) => action !== 'update' || !isEqual(now?.[name], desired?.[name]));
    const values = written.map((name) => ({ base: base?.[name], last: last?.[name], desired: desired?.[name] }));
    const isBackIn = (each: (typeof values)[number]) => isEqual(each.base, each.desired) && !isEqual(each.last, each.desired);
    const isDeclaredBack = base !== null && desired !== null && (last === null || values.some(isBackIn));
    const isBack = desired === null ? base === null && last !== null : isDeclaredBack;
    const isWhole = desired === null || (action === 'update' ? values.every(isBackIn) : isEqual(base, desired));
    const [line = null] = await linesOf(ofOneSong(base, last, desired, now));
    const isNothing = isEqual(now, desired);
    expect(line).toBe(isNothing ? null : `${isBack ? (isWhole ? '< ' : '! ') : ''}${action} song/a`);
  });
  await assertAsyncProperty(property, { numRuns: rounds(150, 2_000) });
});
