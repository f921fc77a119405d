// Fake kinds (test/support/fake-kinds.ts): song = playlist, single = smart start, rule = policy, dial = setting, shelf = asset catalog.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DesiredResource, type Kind, NEUTRAL } from '../../../src/core/kinds/kind.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { withOrigin } from '../../../src/core/plan/change-origin.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import { planUpdate } from '../../../src/core/state/planned-change.ts';
import type { LastApplied } from '../../../src/core/state/state.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { rule, song } from '../../support/fake-kinds.ts';
import { aLiveRule, aRule, aSingle, aSong, desiredStateOf, target, theDial, withMoves } from '../../support/planning.ts';
import { EMPTY_LEDGER, lastAppliedOf, planAfter, planAndApply, stateWith } from '../../support/previous-states.ts';
import { assertAsyncProperty } from '../../support/property.ts';

const plain = { level: 0, list: ['x', 'y'] };

/** `origin action address` of each change, then the origin of each of its fields. */
async function origins(
  songs: { readonly [id: string]: { readonly [member: string]: unknown } },
  resources: readonly DesiredResource[],
  lastApplied: LastApplied | null,
  bindings: { readonly [address: string]: string } = {},
  more: Partial<PlanInput> = {},
) {
  const account = new FakeAccount({ songs: JSON.parse(JSON.stringify(songs)) });
  const state = stateWith(bindings);
  const { plan } = await planAfter(account, desiredStateOf(resources), { ...EMPTY_LEDGER, state, lastApplied }, more);
  return plan.changes
    .filter(({ kind }) => kind === 'song')
    .map(({ origin, action, address, fields }) => [
      `${origin} ${action} ${address}`,
      ...(action === 'update' ? fields.map((field) => `${field.path} ${field.origin}`) : []),
    ]);
}

describe('the origin of an update', () => {
  const bound = { 'song/a': 'one' };

  it('is `change` for fields that changed in the repository and `drift` for those that changed in the account', async () => {
    const live = { one: { ...plain, title: 'by hand' } };
    expect(await origins(live, [aSong('a', { level: 1 })], lastAppliedOf([aSong('a')]), bound)).toEqual([
      ['both update song/a', '/level change', '/title drift'],
    ]);
    expect(await origins({ one: { ...plain, title: 'a' } }, [aSong('a', { level: 1 })], lastAppliedOf([aSong('a')]), bound)).toEqual([
      ['change update song/a', '/level change'],
    ]);
    expect(await origins(live, [aSong('a')], lastAppliedOf([aSong('a')]), bound)).toEqual([['drift update song/a', '/title drift']]);
  });

  it('is `both` where both changed one field', async () => {
    const live = { one: { ...plain, title: 'a', level: 7 } };
    expect(await origins(live, [aSong('a', { level: 1 })], lastAppliedOf([aSong('a')]), bound)).toEqual([
      ['both update song/a', '/level both'],
    ]);
  });

  it('is `change` where the resource was not declared before', async () => {
    expect(await origins({ one: { ...plain, title: 'a', level: 7 } }, [aSong('a')], lastAppliedOf([]))).toEqual([
      ['change update song/a', '/level change'],
    ]);
  });

  it('is `unknown` without a last applied configuration, or where it is not known', async () => {
    const live = { one: { ...plain, title: 'a', level: 7 } };
    expect(await origins(live, [aSong('a')], null)).toEqual([['unknown update song/a', '/level unknown']]);
    expect(await origins(live, [aSong('a')], lastAppliedOf([], ['song/a']))).toEqual([['unknown update song/a', '/level unknown']]);
  });

  it('compares a moved resource with its old address', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a', level: 7 } } });
    const desiredState = withMoves(desiredStateOf([aSong('b')]), { 'song/a': 'song/b' });
    const history = { ...EMPTY_LEDGER, state: stateWith(bound), lastApplied: lastAppliedOf([aSong('a')]) };
    const { plan } = await planAfter(account, desiredState, history);
    expect(plan.changes[0]?.fields.map(({ path, origin }) => [path, origin])).toEqual([
      ['/level', 'drift'],
      ['/title', 'change'],
    ]);
  });

  it('treats a change above or below a path as a change of that path', () => {
    const planned = (kind: Kind, desired: DesiredResource, live: ReturnType<typeof aLiveRule>, ...paths: readonly string[]) =>
      planUpdate(
        { ...kind, assessRisk: ({ fields }) => fields.map(() => NEUTRAL) },
        desired,
        live,
        paths.map((path) => ({ path, before: null, after: null })),
      );
    const originOf = (...[each, ...rest]: Parameters<typeof withOrigin>) => withOrigin(each, ...rest).change.origin;
    const deep = { ...aRule('p'), fields: { name: 'p', strength: { of: 1 } } };
    const live = { ...aLiveRule('1', 'p'), fields: { name: 'p', strength: { of: 2 } } };
    const lastApplied = lastAppliedOf([{ ...deep, fields: { name: 'p', strength: { of: 3 } } }]);
    expect(originOf(planned(rule, deep, live, '/strength'), lastApplied, 0)).toBe('both');
    const flat = { ...live, fields: { name: 'p', strength: 2 } };
    expect(originOf(planned(rule, deep, flat, '/strength/of'), lastAppliedOf([deep]), 0)).toBe('drift');
    expect(originOf(planned(rule, deep, live, '/strength/others'), lastApplied, 0)).toBe('unknown');
    expect(originOf(planned(rule, deep, live, '/other'), lastApplied, 0)).toBe('unknown');
    // A path that begins with the same letters is not above or below.
    const alike = { ...aLiveRule('1', 'p'), fields: { ...deep.fields, stren: 1 } };
    expect(originOf(planned(rule, deep, alike, '/strength/of'), lastAppliedOf([deep]), 0)).toBe('unknown');
    const { origin, fields } = withOrigin(planned(rule, deep, live, '/strength', '/other'), lastApplied, 0).change;
    expect([origin, ...fields.map((field) => field.origin)]).toEqual(['unknown', 'both', 'unknown']);
  });
});

describe('the origin of a create', () => {
  it.each([
    ['`change` for a new resource', lastAppliedOf([]), 'change'],
    ['`drift` if somebody deleted the object', lastAppliedOf([aSong('a')]), 'drift'],
    ['`both` if somebody deleted the object and the repository changed', lastAppliedOf([aSong('a', { level: 3 })]), 'both'],
    ['`unknown` without a last apply', null, 'unknown'],
  ])('is %s', async (_what, lastApplied, origin) => {
    expect(await origins({}, [aSong('a')], lastApplied)).toEqual([[`${origin} create song/a`]]);
  });
});

describe('the origin of a delete', () => {
  const one = { one: { ...plain, title: 'a' } };

  it.each([
    ['`change` if the repository no longer declares it', lastAppliedOf([aSong('a')]), { 'song/a': 'one' }, 'change delete song/a'],
    ['`both` if somebody changed the object as well', lastAppliedOf([aSong('a', { level: 1 })]), { 'song/a': 'one' }, 'both delete song/a'],
    [
      '`change` if the ledger binds an object whose address was not declared at the last apply',
      lastAppliedOf([]),
      { 'song/a': 'one' },
      'change delete song/a',
    ],
    ['`drift` if the ledger does not bind the object', lastAppliedOf([]), {}, 'drift delete song/~one'],
    ['`unknown` without a last apply', null, {}, 'unknown delete song/~one'],
  ])('is %s', async (_what, lastApplied, bindings, change) => {
    expect(await origins(one, [], lastApplied, bindings)).toEqual([[change]]);
  });

  it('is `drift` for a delete and its replacing create, if a manual edit made the object unfit for its address', async () => {
    const resources = [aSong('p', { list: ['x', 'y'] })];
    const live = { x: { title: 'p', level: 0, list: ['x'] } };
    expect(await origins(live, resources, lastAppliedOf(resources), { 'song/p': 'x' })).toEqual([
      ['drift create song/p'],
      ['drift delete song/~x'],
    ]);
  });

  it('is the same for a delete and its replacing create: `both` if the declaration no longer fits and somebody changed the object', async () => {
    const resources = [aSong('p', { list: ['x', 'y'] })];
    const live = (level: number) => ({ x: { title: 'p', level, list: ['x'] } });
    const lastApplied = lastAppliedOf([aSong('p', { list: ['x'] })]);
    expect(await origins(live(7), resources, lastApplied, { 'song/p': 'x' })).toEqual([['both create song/p'], ['both delete song/~x']]);
    expect(await origins(live(0), resources, lastApplied, { 'song/p': 'x' })).toEqual([
      ['change create song/p'],
      ['change delete song/~x'],
    ]);
  });
});

/** What somebody does on the account; null = deleted. */
interface ManualEdits {
  readonly songs: { readonly [id: string]: JsonObject | null };
  readonly rules: { readonly [id: string]: JsonObject | null };
  readonly open: boolean;
}

describe('a plan of an unchanged repository', () => {
  const title = fc.constantFrom('a', 'b', 'c', 'q', 'other', '');
  const fields = fc.record({ title, level: fc.integer({ min: 0, max: 2 }), list: fc.subarray(['x', 'y', 'z', 'q', 'born-1']) });
  const declared = fc.record({
    level: fc.integer({ min: 0, max: 2 }),
    list: fc.constantFrom<string[]>(['x', 'y'], ['y', 'z', 'x'], ['z']),
  });
  const ids = fc.constantFrom('q', 'z', 'h1', 'h2', 'born-1', 'born-2', 'born-3', 'born-4');
  const hand = fc.record<ManualEdits>({
    songs: fc.dictionary(ids, fc.option(fields), { noNullPrototype: true }),
    rules: fc.dictionary(ids, fc.option(fc.record({ name: title, strength: fc.integer({ min: 1, max: 2 }) })), { noNullPrototype: true }),
    open: fc.boolean(),
  });

  /** A fake account gives new objects the IDs born-1, born-2 and so on: here somebody's object has one already. */
  const idsInUse: readonly [ManualEdits, ManualEdits] = [
    { songs: { 'born-1': { title: 'other', level: 0, list: [] } }, rules: { q: { name: 'a' }, 'born-4': { name: 'b' } }, open: false },
    { songs: { 'born-1': { title: 'a', level: 0, list: ['born-1'] } }, rules: {}, open: false },
  ];

  it('has only fields of origin `drift`, whatever changed in the account', async () => {
    const ownership = fc.constantFrom<'shared' | 'exclusive'>('shared', 'exclusive');
    await assertAsyncProperty(
      fc.asyncProperty(declared, declared, hand, hand, ownership, async (a, b, before, after, how) => {
        const account = new FakeAccount();
        meddle(account, before);
        const resources = [
          aSong('a', a),
          aSong('b', { ...b, list: ['x', 'z'] }),
          aSingle('q'),
          aRule('a'),
          aRule('b', 2),
          theDial(false, []),
        ];
        const more = { target: { ...target, ownership: how }, kinds: [song, rule] };
        const { history } = await planAndApply(account, desiredStateOf(resources), EMPTY_LEDGER, 'c1', more);
        meddle(account, after);
        const { plan } = await planAfter(account, desiredStateOf(resources), history, more);
        // Without the addresses that the last apply left out, which are in `pendingSince`.
        const settled = plan.changes.filter(({ address }) => !history.pendingSince.has(address));
        for (const change of settled.filter(({ action }) => ['create', 'update', 'delete'].includes(action))) {
          expect([change.address, change.origin]).toEqual([change.address, 'drift']);
          expect(change.fields.every(({ origin }) => origin === 'drift')).toBe(true);
        }
      }),
      { examples: [[plain, plain, ...idsInUse, 'exclusive']] },
    );
  });

  function meddle(account: FakeAccount, what: ManualEdits): void {
    for (const [id, song] of Object.entries(what.songs)) {
      if (song) account.songs.set(id, song);
      else account.songs.delete(id);
    }
    for (const [id, one] of Object.entries(what.rules)) {
      if (one) account.rules.set(id, one);
      else account.rules.delete(id);
    }
    account.setDial({ list: [], open: what.open });
  }
});
