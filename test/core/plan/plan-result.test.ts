/** What `buildPlan` returns besides the plan, for apply, ledger and reports. */
import { describe, expect, it } from 'vitest';
import type { DesiredResource, Kind } from '../../../src/core/kinds/kind.ts';
import type { PlanImpact } from '../../../src/core/model/impact.ts';
import type { BeforeAfter } from '../../../src/core/plan/before-after.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import { NO_OVERRIDES } from '../../../src/core/safety/overrides.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, kinds, rule, song } from '../../support/fake-kinds.ts';
import { aRule, aSong, changeLines, desiredStateOf, only, onlyOrigin, planFor, target, theDial } from '../../support/planning.ts';
import { EMPTY_LEDGER, lastAppliedOf, planAfter, stateWith } from '../../support/previous-states.ts';

const list = ['x', 'y'];
const HOLDINGS = {
  songs: { two: { title: 'b', level: 0, list }, one: { title: 'a', level: 0, list }, z: { title: 'z', level: 0, list } },
  rules: { r: { name: 'p', strength: 1 } },
};
const RESOURCES = [aSong('a', { level: 1 }), aSong('b'), aRule('p'), aRule('new'), theDial(true, [])];
const shared = { ...target, ownership: 'shared' } as const;

function run(resources: readonly DesiredResource[] = RESOURCES, more: Partial<PlanInput> = {}, account = new FakeAccount(HOLDINGS)) {
  return planFor(account, desiredStateOf(resources), { target: shared, ...more });
}

/** What these addresses come to where they are written: the songs that change. */
function meaning(beforeAfter: BeforeAfter) {
  const changing = beforeAfter.resourcesOf('song').filter(({ isWritten }) => isWritten);
  const impact: PlanImpact = { summaries: [], matrices: [], notes: changing.map(({ address }) => address) };
  return { byChange: new Map(), playbackReasons: new Map(), summary: changing.length === 0 ? null : impact };
}

describe('the result of buildPlan holds', () => {
  it('the object of each address, and undeclared objects', async () => {
    const { remoteIdByAddress, undeclared, context } = await run();
    expect([...remoteIdByAddress].sort()).toEqual([
      ['dial', null],
      ['rule/p', 'r'],
      ['song/a', 'one'],
      ['song/b', 'two'],
    ]);
    expect(undeclared).toEqual([{ address: 'song/~z', name: 'z' }]);
    const { name, baseUrl } = target;
    expect(context).toEqual({
      target: name,
      baseUrl,
      owner: 'the-owner',
      requestOptions: { bulkLimit: 100 },
      now: 1_000_000,
      resettableMembers: [],
    });
  });

  it('undeclared objects by address, and only those that `--only` selects', async () => {
    const { undeclared } = await run([aSong('z')], {});
    expect(undeclared.map(({ address }) => address)).toEqual(['song/~one', 'song/~two', 'rule/~r']);
    const part = await run([aSong('z')], { ...only('song/~t*') });
    expect(part.undeclared.map(({ address }) => address)).toEqual(['song/~two']);
    expect(part.plan.summary).toMatchObject({ undeclared: 1, unchanged: 0 });
  });

  it('the read of each kind, and the errors of incomplete ones', async () => {
    const account = new FakeAccount(HOLDINGS);
    account.fail('GET /rules', { category: 'timeout' });
    const { readByKind, errors, beforeAfter, plan } = await run(RESOURCES, {}, account);
    expect(Object.fromEntries([...readByKind].map(([kind, { status, result }]) => [kind, [status, result.objects.length]]))).toEqual({
      song: ['complete', 3],
      rule: ['incomplete', 0],
      dial: ['complete', 1],
    });
    expect(errors.map(({ category }) => category)).toEqual(['timeout']);
    expect(beforeAfter.completeKinds).toEqual(new Set(['song', 'dial']));
    expect(plan.readStatus).toEqual({ song: 'complete', rule: 'incomplete', dial: 'complete' });
  });

  it('the digest of the owner that a response names, and null where none does', async () => {
    const owned: Kind = { ...rule, read: async (service) => ({ ...(await rule.read(service)), owner: 'me' }) };
    expect((await run()).ownerDigest).toBeNull();
    expect((await run(RESOURCES, { kinds: [song, owned, dial] })).ownerDigest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('the impact of the plan on devices, and of a part of it', async () => {
    const { plan, impactOf, beforeAfter } = await run([...RESOURCES, aSong('new')], { analyzeImpact: meaning });
    expect(plan.impact?.notes).toEqual(['song/a', 'song/new']);
    expect(impactOf(new Set(['song/a', 'rule/new']))?.notes).toEqual(['song/a']);
    expect(impactOf(new Set(['rule/new']))).toBeNull();
    expect(beforeAfter.resourcesOf('rule').map(({ address, isWritten }) => [address, isWritten])).toEqual([
      ['rule/new', true],
      ['rule/p', false],
    ]);
    const part = await run([...RESOURCES, aSong('new')], { analyzeImpact: meaning, ...only('song/n*') });
    expect(part.plan.impact?.notes).toEqual(['song/new']);
  });

  it('the number of changes that only an override allows, within `--only`', async () => {
    const strict = { ...target, limits: { ...target.limits, delete: { count: 0, percent: 100 } } };
    const allowed = { ...NO_OVERRIDES, deletes: Number.POSITIVE_INFINITY };
    const gone = desiredStateOf([aRule('p')]);
    const all = await planFor(new FakeAccount(HOLDINGS), gone, { target: strict, overrides: allowed });
    expect(changeLines(all)).toEqual(['delete song/~one', 'delete song/~two', 'delete song/~z']);
    expect(all.plan.overrides).toEqual([{ check: 'deletes', count: 3 }]);
    expect(all.overridesOf(new Set(['song/~two']))).toEqual([{ check: 'deletes', count: 1 }]);
    const some = await planFor(new FakeAccount(HOLDINGS), gone, { target: strict, overrides: allowed, ...only('song/~one') });
    expect(some.plan.overrides).toEqual([{ check: 'deletes', count: 1 }]);
    const none = await planFor(new FakeAccount(HOLDINGS), gone, { target: strict, overrides: allowed, ...only('song/none') });
    expect(none.plan).not.toHaveProperty('overrides');
  });
});

describe('the plan document', () => {
  const edited = { songs: { one: { title: 'a', level: 7, list }, two: { title: 'b', level: 7, list } } };

  it('names the kinds that could not be read, and whether the credentials were refused', async () => {
    const account = new FakeAccount(HOLDINGS);
    account.fail('GET /songs', { category: 'credentials' });
    account.fail('GET /rules', { category: 'timeout' });
    expect((await run(RESOURCES, {}, account)).plan.unread).toEqual([
      { kind: 'song', refused: true, reason: 'it was credentials' },
      { kind: 'rule', refused: false, reason: 'it was timeout' },
    ]);
    expect((await run()).plan).not.toHaveProperty('unread');
  });

  it('shows the ignored fields of unchanged resources, and counts what `--only-origin` leaves out, within `--only`', async () => {
    const ignored = [{ path: '/level', declared: { file: 'a.yaml', line: 7, column: 3 } }];
    const ignoring = [aSong('a'), aSong('b')].map((each) => ({ ...each, ignored }));
    expect((await run(ignoring, only('song/a'), new FakeAccount(edited))).plan.ignored).toEqual([
      { address: 'song/a', path: '/level', live: 7 },
    ]);
    const applied = { lastApplied: lastAppliedOf([aSong('a'), aSong('b')]), ...onlyOrigin('change') } as const;
    const drifted = async (more: Partial<PlanInput> = {}) =>
      (await run([aSong('a'), aSong('b')], { ...applied, ...more }, new FakeAccount(edited))).plan;
    expect((await drifted()).leftOut).toEqual({ onlyOrigin: 'change', count: 2 });
    expect((await drifted(onlyOrigin('change', 'song/a'))).leftOut).toEqual({ onlyOrigin: 'change', count: 1 });
    expect(await drifted(onlyOrigin('change', 'rule/*'))).not.toHaveProperty('leftOut');
  });
});

describe('buildPlan', () => {
  it('asks only about updates whether the whole that is sent could be declared', async () => {
    const asked: unknown[] = [];
    const whyNotDeclarable: PlanInput['whyNotDeclarable'] = (_kind, objects) => {
      asked.push(...objects.map(({ id }) => id));
      return new Map();
    };
    const ignored = [{ path: '/strength', declared: { file: 'a.yaml', line: 7, column: 3 } }];
    const rules = { r1: { name: 'p', strength: 1 }, r2: { name: 'q', strength: 1 } };
    const resources = ['p', 'new', 'to'].map((name) => ({ ...aRule(name, 3), ignored }));
    const declaration = desiredStateOf(resources, { 'rule/to': 'r2' });
    const result = await planFor(new FakeAccount({ rules }), declaration, { ledgerState: stateWith({}), whyNotDeclarable });
    expect(changeLines(result).sort()).toEqual(['adopt rule/p', 'create rule/new', 'update rule/to']);
    expect(asked).toEqual(['r2']);
  });

  it('blocks what takes the last objects on air off it, whatever is not on air', async () => {
    const songs = Object.fromEntries([1, 1, 0, 0].map((level, index) => [`id-${index}`, { title: `t${index}`, level, list }]));
    const kind: Kind = {
      ...song,
      isOnAir: ({ level }) => level === 1,
      assessPlayback: ({ after }) => (after === null ? [{ playback: 'stops', text: 'it goes off air', offAir: true }] : []),
    };
    const reasonsOf = async (...kept: readonly string[]) => {
      const resources = [...kept, 't2', 't3'].map((title) => aSong(title, { level: ['t2', 't3'].includes(title) ? 0 : 1 }));
      const strict = { ...target, playbackLoss: 'block' } as const;
      const { plan } = await planFor(new FakeAccount({ songs }), desiredStateOf(resources), { kinds: [kind], target: strict });
      return plan.changes.map(({ address, blocked }) => `${address} ${blocked?.reason}`);
    };
    expect(await reasonsOf('t1')).toEqual(['song/~id-0 undefined']);
    const reason = 'viewers lose playback: all 2 active songs go off air';
    expect(await reasonsOf()).toEqual([`song/~id-0 ${reason}`, `song/~id-1 ${reason}`]);
  });

  it('counts every request as a read, and counts unchanged resources', async () => {
    const account = new FakeAccount(HOLDINGS);
    const { plan } = await run(RESOURCES, {}, account);
    expect(plan.cost.reads).toBe(account.requests.length);
    expect(plan.summary).toEqual({ create: 1, update: 2, delete: 0, blocked: 0, unchanged: 2, undeclared: 1, recognized: 1 });
    expect((await run(RESOURCES, { ...only('song/b', 'rule/*') })).plan.summary).toMatchObject({ create: 1, update: 0, unchanged: 2 });
  });

  it('counts updates of objects that only their names identify, where there is no ledger', async () => {
    const account = () => new FakeAccount({ songs: { one: { title: 'a', level: 0 }, two: { title: 'b', level: 0 } } });
    const resources = [aSong('a', { level: 1 }), aSong('b', { level: 1 }), aSong('new')];
    const recognized = async (more: Partial<PlanInput> = {}, adopt = {}) =>
      (await planFor(account(), desiredStateOf(resources, adopt), more)).plan.summary.recognized;
    expect(await recognized()).toBe(2);
    expect(await recognized({}, { 'song/a': 'one' })).toBe(1);
    expect(await recognized({ ...only('song/new') })).toBeUndefined();
    expect(await recognized({ ledgerState: stateWith({}) })).toBeUndefined();
  });

  it('counts changes that only the ledger records as unchanged, with unknown origin', async () => {
    const { plan } = await planAfter(new FakeAccount(HOLDINGS), desiredStateOf([aSong('a'), aSong('b')]), EMPTY_LEDGER, { target: shared });
    expect(changeLines({ plan })).toEqual(['adopt song/a', 'adopt song/b']);
    expect(plan.summary).toMatchObject({ unchanged: 2, blocked: 0 });
    expect(plan.changes.map(({ origin }) => origin)).toEqual(['unknown', 'unknown']);
  });

  it('blocks a kind as a suspicious read if most of its objects are gone, and no other kind', async () => {
    const history = { ...EMPTY_LEDGER, state: stateWith({ 'song/p': 'gone-1', 'song/q': 'gone-2', 'rule/p': 'r' }) };
    const { plan } = await planAfter(new FakeAccount(HOLDINGS), desiredStateOf([aSong('c'), aRule('p', 2)]), history, { target: shared });
    expect(plan.changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([
      ['song/c', 'suspicious-read'],
      ['rule/p', undefined],
    ]);
  });

  it('locates each change, and analyzes the impact of all changes and of those that it selects, whether there are guards or not', async () => {
    const asked: BeforeAfter[] = [];
    const meaningOf = (beforeAfter: BeforeAfter) => {
      asked.push(beforeAfter);
      return meaning(beforeAfter);
    };
    const { plan } = await run([aSong('c'), aRule('p')], { analyzeImpact: meaningOf });
    expect(plan.changes.map(({ declared }) => declared)).toEqual([{ file: 'songs/c.yaml', line: 1, column: 1 }]);
    expect(asked).toHaveLength(2);
    const position = () => ({ file: 'upkeep.yaml', line: 3, column: 5 });
    const guard = {
      id: 'mine',
      verdict: 'deny',
      conditions: ['size(impact) == 0 && target == "stage"'],
      message: 'No.',
      position,
    } as const;
    const guarded = await run([aSong('c')], { analyzeImpact: meaningOf, guards: [guard] });
    expect(guarded.plan.changes.map(({ blocked }) => blocked?.reason)).toEqual(['guard `mine`: No.']);
    expect(asked).toHaveLength(4);
  });

  it('applies limits to the live objects of a kind, not of all kinds', async () => {
    const songs = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`id-${index}`, { title: `t${index}`, level: 0, list }]));
    const limits = { ...target.limits, delete: { count: 9, percent: 30 } };
    const blockingChecks = async (count: number) => {
      const kept = Array.from({ length: 10 - count }, (_, index) => aSong(`t${index}`));
      const account = new FakeAccount({ songs, rules: { r: { name: 'p', strength: 1 } } });
      const { plan } = await planFor(account, desiredStateOf([...kept, aRule('p')]), { target: { ...target, limits } });
      return plan.changes.map((change) => change.blocked?.check ?? 'free');
    };
    expect(await blockingChecks(3)).toEqual(['free', 'free', 'free']);
    expect(await blockingChecks(4)).toEqual(['deletes', 'deletes', 'deletes', 'deletes']);
  });

  it('blocks a rename to a name in use only where names are unique', async () => {
    const adopt = { 'rule/p': 'other', 'song/a': 'two' };
    const rules = { ...HOLDINGS.rules, other: { name: 'q', strength: 1 } };
    const account = new FakeAccount({ ...HOLDINGS, rules });
    const { plan } = await planFor(account, desiredStateOf([aRule('p'), aSong('a')], adopt), { target: shared, kinds });
    expect(plan.changes.map(({ address, blocked }) => [address, blocked?.reason])).toEqual([
      ['song/a', undefined],
      ['rule/p', 'its name is already in use by rule/~r'],
    ]);
  });
});
