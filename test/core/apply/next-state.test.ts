import { describe, expect, it } from 'vitest';
import { nextState } from '../../../src/core/apply/next-state.ts';
import type { Kind } from '../../../src/core/kinds/kind.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import type { Result } from '../../../src/core/model/outcome.ts';
import { buildPlan } from '../../../src/core/plan/build-plan.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, rule, song } from '../../support/fake-kinds.ts';
import {
  aRule,
  aSingle,
  aSong,
  changeLines,
  desiredStateOf,
  only,
  onlyOrigin,
  planInputOf,
  target,
  theDial,
  withMoves,
} from '../../support/planning.ts';
import {
  adopted,
  bindingsOf,
  EMPTY_LEDGER,
  historyOf,
  type LedgerHistory,
  planAfter,
  planAndApply,
  stateWith,
} from '../../support/previous-states.ts';

const plain = { level: 0, list: ['x', 'y'] };
const exclusive = { target } as const;
const shared = { target: { ...target, ownership: 'shared' } } as const;
const ab = () => new FakeAccount({ songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'b' } } });

/** Computes the next state from given results, without an apply. */
async function recordResults(
  history: LedgerHistory,
  desiredState: Parameters<typeof planAfter>[1],
  results: { readonly [address: string]: Result },
  more: Partial<PlanInput> = shared,
  account = ab(),
) {
  const input = planInputOf(account, desiredState, { ledgerState: history.state, lastApplied: history.lastApplied, ...more });
  const later = nextState(history, input, await buildPlan(input), { results: new Map(Object.entries(results)), ids: new Map(), at: '' });
  const { state, externalIds } = later;
  return { bindings: bindingsOf(state), pendingSince: Object.fromEntries(later.pendingSince), state, externalIds };
}

describe('bindings after an apply', () => {
  it('exist for objects that were created, adopted or moved; not for those that were deleted or forgotten, nor for settings', async () => {
    const songs = {
      one: { ...plain, title: 'a' },
      two: { ...plain, title: 'b' },
      three: { ...plain, title: 'c' },
      four: { ...plain, title: 'd' },
    };
    const account = new FakeAccount({ songs });
    const history = historyOf(
      [aSong('b'), aSong('c'), aSong('d')],
      stateWith({ 'song/b': 'two', 'song/c': 'three', 'song/d': adopted('four') }),
    );
    const desiredState = withMoves(
      desiredStateOf([aSong('a'), aSong('bb', { title: 'b' }), aSingle('q'), theDial(true, [])]),
      { 'song/b': 'song/bb' },
      ['song/d'],
    );
    const done = await planAndApply(account, desiredState, history, 'c2', shared);
    expect(done.outcomeLines.sort()).toEqual([
      'adopted song/a',
      'created single/q',
      'deleted song/c',
      'forgotten song/d',
      'moved song/bb',
      'updated dial',
    ]);
    expect(bindingsOf(done.history.state)).toEqual({ 'single/q': 'q', 'song/a': adopted('one'), 'song/bb': 'two' });
    expect(done.history.state.bindings.get('single/q')).toEqual({ id: 'q', origin: 'created' });
    expect([...done.history.state.forgotten]).toEqual(['four']);
    expect(changeLines(await planAfter(account, desiredState, done.history, shared))).toEqual([]);
  });

  it('stay where the change failed or was skipped, and nothing is adopted', async () => {
    const history = historyOf([aSong('b')], stateWith({ 'song/b': 'two' }));
    const desiredState = desiredStateOf([aSong('a', { level: 1 })]);
    for (const result of ['failed', 'skipped'] as const) {
      const after = await recordResults(history, desiredState, { 'song/a': result, 'song/b': result });
      expect(after.bindings).toEqual({ 'song/b': 'two' });
      expect(after.pendingSince).toEqual({ 'song/a': 'c1', 'song/b': 'c1' });
    }
  });

  it('stay where a change has no result', async () => {
    const history = historyOf([aSong('b')], stateWith({ 'song/b': 'two' }));
    const after = await recordResults(history, desiredStateOf([aSong('a')]), { 'song/a': 'adopted' });
    expect(after).toMatchObject({ bindings: { 'song/a': adopted('one'), 'song/b': 'two' }, pendingSince: { 'song/b': 'c1' } });
  });

  it('include a created object that did not read back as desired', async () => {
    const account = new FakeAccount();
    account.intercept('POST /songs', () => {
      account.songs.set('odd', { ...plain, title: 'other' });
      return { body: { id: 'odd' } };
    });
    const done = await planAndApply(account, desiredStateOf([aSong('a')]), EMPTY_LEDGER, 'c1', shared);
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(bindingsOf(done.history.state)).toEqual({ 'song/a': 'odd' });
    expect([...done.history.pendingSince]).toEqual([['song/a', null]]);
    expect(changeLines(await planAfter(account, desiredStateOf([aSong('a')]), done.history, shared))).toEqual(['update song/a']);
  });

  it('keep their origin through an update: a created object does not become an adopted one', async () => {
    const bindings = { 'song/a': 'one', 'song/b': adopted('two') };
    const history = historyOf([aSong('a'), aSong('b')], stateWith(bindings));
    const desiredState = desiredStateOf([aSong('a', { level: 1 }), aSong('b', { level: 1 })]);
    const after = await recordResults(history, desiredState, { 'song/a': 'updated', 'song/b': 'updated' });
    expect(after.bindings).toEqual(bindings);
  });

  it('get the origin that the apply gave them to which this one goes back, if they get the same object', async () => {
    const history = historyOf([], stateWith({}));
    for (const level of [0, 1]) {
      const desiredState = desiredStateOf([aSong('a', { level }), aSong('b', { level })]);
      const result = level === 0 ? 'adopted' : 'updated';
      const after = await recordResults(
        history,
        desiredState,
        { 'song/a': result, 'song/b': result },
        { ...shared, earlierBindings: stateWith({ 'song/a': 'one', 'song/b': 'gone' }).bindings },
      );
      expect(after.bindings).toEqual({ 'song/a': 'one', 'song/b': adopted('two') });
    }
  });

  it('are replaced where an object that somebody deleted was created again', async () => {
    const account = new FakeAccount();
    const history = historyOf([aSong('a')], stateWith({ 'song/a': 'one' }));
    const done = await planAndApply(account, desiredStateOf([aSong('a')]), history, 'c2', shared);
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect([...done.history.state.bindings]).toEqual([['song/a', { id: 'born-1', origin: 'created' }]]);
  });

  it('are dropped for an object that somebody deleted, unless it is still declared', async () => {
    const history = historyOf([aSong('a'), aSong('b'), aSong('z')], stateWith({ 'song/a': 'one', 'song/b': 'two', 'song/z': 'gone' }));
    expect((await recordResults(history, desiredStateOf([aSong('a'), aSong('b')]), {})).bindings).toEqual({
      'song/a': 'one',
      'song/b': 'two',
    });
    expect(
      (await recordResults(history, desiredStateOf([aSong('a'), aSong('b'), aSong('z')]), { 'song/z': 'failed' })).bindings,
    ).toHaveProperty('song/z');
  });

  it('of two kinds are kept apart, even if their objects have the same ID', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' } }, rules: { one: { name: 'p', strength: 1 } } });
    const history = historyOf([aSong('a')], stateWith({ 'song/a': 'one' }));
    const done = await planAndApply(account, desiredStateOf([aSong('a'), aRule('p')]), history, 'c2', shared);
    expect(done.outcomeLines).toEqual(['adopted rule/p']);
    expect(bindingsOf(done.history.state)).toEqual({ 'rule/p': adopted('one'), 'song/a': 'one' });
    const gone = await planAndApply(account, desiredStateOf([aSong('a')]), done.history, 'c3', shared);
    expect(gone.outcomeLines).toEqual(['deleted rule/p']);
    expect(bindingsOf(gone.history.state)).toEqual({ 'song/a': 'one' });
  });

  it('stay where the kind was not read, is not managed, or is not selected by `--only`', async () => {
    const bindings = { 'song/a': 'one', 'song/z': 'gone', 'rule/p': 'r' };
    const history = historyOf([aSong('a'), aSong('z'), aRule('p')], stateWith(bindings));
    const failing = ab();
    failing.fail('GET /songs', { category: 'failed' });
    const incomplete = await recordResults(history, desiredStateOf([aSong('a')]), {}, shared, failing);
    expect(incomplete.bindings).toMatchObject({ 'song/a': 'one', 'song/z': 'gone' });
    // A single binding, so that the read is not suspicious as well.
    failing.fail('GET /songs', { category: 'failed' });
    const single = historyOf([aSong('z')], stateWith({ 'song/z': 'gone' }));
    expect((await recordResults(single, desiredStateOf([]), {}, shared, failing)).bindings).toEqual({ 'song/z': 'gone' });
    expect((await recordResults(history, desiredStateOf([], {}, ['dial']), {})).bindings).toEqual(bindings);
    expect((await recordResults(history, desiredStateOf([aSong('a')]), {}, { ...shared, ...only('song/a') })).bindings).toEqual(bindings);
  });

  it('stay where the object is gone and its section is absent, although the other section of its kind is managed', async () => {
    const bindings = { 'song/a': 'one', 'song/b': 'two', 'song/z': 'gone', 'single/q': 'q' };
    const history = historyOf([aSong('a'), aSong('b'), aSong('z'), aSingle('q')], stateWith(bindings));
    const bindingsWith = async (...sections: readonly string[]) =>
      (await recordResults(history, desiredStateOf([aSong('a'), aSong('b')], {}, sections), {})).bindings;
    expect(await bindingsWith('songs')).toEqual({ 'song/a': 'one', 'song/b': 'two', 'single/q': 'q' });
    expect(await bindingsWith('songs', 'singles')).toEqual({ 'song/a': 'one', 'song/b': 'two' });
  });

  it('stay as they are under `observe`, as do the commits of left-out addresses', async () => {
    const history = historyOf([aSong('z')], stateWith({ 'song/z': 'gone' }));
    const after = await recordResults(history, desiredStateOf([aSong('a')]), {}, { target: { ...target, ownership: 'observe' } });
    expect(after).toMatchObject({ bindings: { 'song/z': 'gone' }, pendingSince: { 'song/a': 'c1', 'song/z': 'c1' } });
  });
});

describe('a chain of moves that is only partly applied', () => {
  const history = historyOf([aSong('a'), aSong('b')], stateWith({ 'song/a': 'one', 'song/b': 'two' }));
  const desiredState = withMoves(desiredStateOf([aSong('b', { title: 'a' }), aSong('c')]), { 'song/a': 'song/b', 'song/b': 'song/c' });

  it('loses no binding if the move at its end fails', async () => {
    const account = ab();
    account.fail('PATCH /songs/two', { category: 'rejected' });
    const done = await planAndApply(account, desiredState, history, 'c2', shared);
    expect(done.outcomeLines).toEqual(['failed song/c', 'moved song/b']);
    expect(bindingsOf(done.history.state)).toEqual({ 'song/b': 'one', 'song/c': 'two' });
    const again = await planAndApply(account, desiredState, done.history, 'c3', shared);
    expect(again.outcomeLines).toEqual(['updated song/c']);
    expect(account.songs.get('two')?.title).toBe('c');
  });

  it('loses no binding with `--only`, or if a new object is created under an old address', async () => {
    const part = await planAndApply(ab(), desiredState, history, 'c2', { ...shared, ...only('song/b') });
    expect(part.outcomeLines).toEqual(['moved song/b']);
    expect(bindingsOf(part.history.state)).toEqual({ 'song/b': 'one', 'song/c': 'two' });
    const withNewSong = withMoves(desiredStateOf([aSong('a'), aSong('b', { title: 'new' }), aSong('c', { title: 'b' })]), {
      'song/b': 'song/c',
    });
    const created = await planAndApply(ab(), withNewSong, history, 'c2', { ...shared, ...only('song/b') });
    expect(created.outcomeLines).toEqual(['created song/b']);
    expect(bindingsOf(created.history.state)).toEqual({ 'song/a': 'one', 'song/b': 'born-1', 'song/c': 'two' });
  });

  it('does not give a new object of an old address to a new address that has an identity problem', async () => {
    const twins = { one: { ...plain, title: 'c' }, two: { ...plain, title: 'c' } };
    const account = new FakeAccount({ songs: twins });
    const own = withMoves(desiredStateOf([aSong('b'), aSong('c')]), { 'song/b': 'song/c' });
    const done = await planAndApply(account, own, EMPTY_LEDGER, 'c1', shared);
    expect(done.outcomeLines).toEqual(['created song/b', 'skipped song/c']);
    expect(changeLines(await planAfter(account, own, done.history, shared)).sort()).toEqual(['adopt song/b', 'create song/c']);
    account.songs.delete('two');
    const settled = await planAndApply(account, own, done.history, 'c2', shared);
    expect(bindingsOf(settled.history.state)).toEqual({ 'song/b': adopted('born-1'), 'song/c': adopted('one') });
    expect(changeLines(await planAfter(account, own, settled.history, shared))).toEqual([]);
  });

  it('does not give a new object of an old address to an address in the chain that has an identity problem', async () => {
    const account = new FakeAccount({
      songs: { was: { ...plain, title: 'b' }, one: { ...plain, title: 'b' }, two: { ...plain, title: 'b' } },
    });
    const chain = withMoves(desiredStateOf([aSong('a'), aSong('b'), aSong('c')]), { 'song/b': 'song/c', 'song/a': 'song/b' });
    const done = await planAndApply(account, chain, historyOf([aSong('b')], stateWith({ 'song/b': 'was' })), 'c2', exclusive);
    expect(done.outcomeLines).toEqual(['created song/a', 'updated song/c', 'skipped song/b']);
    expect(bindingsOf(done.history.state)).toEqual({ 'song/c': 'was' });
    expect(changeLines(await planAfter(account, chain, done.history, exclusive)).sort()).toEqual(['adopt song/a', 'create song/b']);
  });

  it('does not give a new object of an old address to an address in the chain whose own move failed', async () => {
    const account = new FakeAccount({
      songs: { one: { ...plain, title: 'b' }, two: { ...plain, title: 'b' }, three: { ...plain, title: 'b' } },
    });
    const chain = withMoves(desiredStateOf([aSong('a'), aSong('b'), aSong('c')]), { 'song/b': 'song/c', 'song/a': 'song/b' });
    account.fail('PATCH /songs/one', { category: 'rejected' });
    const done = await planAndApply(account, chain, historyOf([aSong('b')], stateWith({ 'song/b': 'one' })), 'c2', exclusive);
    expect(done.outcomeLines.sort()).toEqual(['created song/a', 'failed song/c', 'skipped song/b']);
    expect(bindingsOf(done.history.state)).toEqual({ 'song/b': 'one' });
    const lines = changeLines(await planAfter(account, chain, done.history, exclusive));
    expect(lines.filter((line) => line.startsWith('delete'))).toEqual([]);
  });

  it('finds the origin of a failed move by the old address', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a', level: 7 } } });
    const moved = withMoves(desiredStateOf([aSong('b')]), { 'song/a': 'song/b' });
    account.fail('PATCH', { category: 'rejected' });
    const done = await planAndApply(account, moved, historyOf([aSong('a')], stateWith({ 'song/a': 'one' })), 'c2', shared);
    expect(bindingsOf(done.history.state)).toEqual({ 'song/a': 'one' });
    const { plan } = await planAfter(account, moved, done.history, shared);
    expect(plan.changes[0]?.fields.map(({ path, origin }) => [path, origin])).toEqual([
      ['/level', 'drift'],
      ['/title', 'change'],
    ]);
  });
});

describe('pendingSince', () => {
  const history = historyOf([aSong('a'), aSong('b')], stateWith({ 'song/a': 'one', 'song/b': 'two' }));

  it('is empty if everything was applied, or nothing had to be', async () => {
    expect((await recordResults(history, desiredStateOf([aSong('a'), aSong('b')]), {})).pendingSince).toEqual({});
    expect(
      (await recordResults(history, desiredStateOf([aSong('a', { level: 1 }), aSong('b')]), { 'song/a': 'updated' })).pendingSince,
    ).toEqual({});
  });

  it('contains the commit of the previous apply for changed addresses that this apply left out', async () => {
    const desiredState = desiredStateOf([aSong('a', { level: 1 }), aSong('b', { level: 1 }), aSong('c'), aRule('p')]);
    const after = await recordResults(history, desiredState, { 'song/a': 'updated' }, { ...shared, ...only('song/a') });
    expect(after.pendingSince).toEqual({ 'rule/p': 'c1', 'song/b': 'c1', 'song/c': 'c1' });
  });

  it('keeps the commit at which an address was last applied, through further applies that leave it out, until it is applied', async () => {
    const older: LedgerHistory = {
      ...history,
      commit: 'c5',
      pendingSince: new Map([
        ['song/b', 'c3'],
        ['song/a', null],
      ]),
    };
    const desiredState = desiredStateOf([aSong('a', { level: 1 }), aSong('b', { level: 1 })]);
    expect((await recordResults(older, desiredState, { 'song/a': 'failed', 'song/b': 'skipped' })).pendingSince).toEqual({
      'song/a': null,
      'song/b': 'c3',
    });
    expect((await recordResults(older, desiredState, { 'song/a': 'updated', 'song/b': 'failed' })).pendingSince).toEqual({
      'song/b': 'c3',
    });
    expect((await recordResults(older, desiredState, { 'song/a': 'updated', 'song/b': 'updated' })).pendingSince).toEqual({});
  });

  it('contains the commit of the previous apply for changes of a kind that is read incompletely or no longer managed', async () => {
    const failing = ab();
    failing.fail('GET /songs', { category: 'failed' });
    const after = await recordResults(history, desiredStateOf([aSong('a'), aSong('b', { level: 1 })]), {}, shared, failing);
    expect(after.pendingSince).toEqual({ 'song/b': 'c1' });
    expect((await recordResults(history, desiredStateOf([], {}, ['rules']), {})).pendingSince).toEqual({
      'song/a': 'c1',
      'song/b': 'c1',
    });
  });

  it('contains the address of drift that a safety check blocked', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a', level: 9 }, two: { ...plain, title: 'b' } } });
    const blockWeakening = { target: { ...shared.target, weakening: 'block' } } as const;
    const done = await planAndApply(account, desiredStateOf([aSong('a'), aSong('b')]), history, 'c2', blockWeakening);
    expect(done.outcomeLines).toEqual(['skipped song/a']);
    expect([...done.history.pendingSince]).toEqual([['song/a', 'c1']]);
  });
});

describe('an address that this apply left out', () => {
  const history = historyOf([aSong('a'), aSong('b')], stateWith({ 'song/a': 'one', 'song/b': 'two' }));

  it('is not an address whose object moved away, if a new object was created for it', async () => {
    const desiredState = withMoves(desiredStateOf([aSong('a'), aSong('c', { level: 1 })]), { 'song/a': 'song/c' });
    const after = await recordResults(historyOf([aSong('a')], stateWith({ 'song/a': 'one' })), desiredState, {
      'song/a': 'created',
      'song/c': 'failed',
    });
    expect(after.pendingSince).toEqual({ 'song/c': 'c1' });
  });

  it('is not one where only the ledger had to record a change', async () => {
    const unbound = historyOf([aSong('a', { level: 1 })], stateWith({}));
    const after = await recordResults(unbound, desiredStateOf([aSong('a')]), { 'song/a': 'skipped' });
    expect([after.bindings, after.pendingSince]).toEqual([{}, {}]);
  });

  it('is each that is declared differently, where only drift was applied', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'b', level: 7 } } });
    const desiredState = desiredStateOf([aSong('a', { level: 1 }), aSong('b', { list: ['z', 'x'] })]);
    const done = await planAndApply(account, desiredState, history, 'c2', { ...shared, ...onlyOrigin('drift') });
    expect(done.outcomeLines).toEqual(['updated song/b']);
    expect(Object.fromEntries(done.history.pendingSince)).toEqual({ 'song/a': 'c1', 'song/b': 'c1' });
  });

  it('is listed in the order of the addresses', async () => {
    const desiredState = desiredStateOf([aSong('c'), aSong('b', { level: 1 }), aSong('a', { level: -1 })]);
    const after = await recordResults(history, desiredState, { 'song/b': 'failed', 'song/c': 'failed', 'song/a': 'failed' });
    expect(Object.keys(after.pendingSince)).toEqual(['song/a', 'song/b', 'song/c']);
  });
});

describe('the assets that the external IDs of an address named', () => {
  const naming = (key: string, asset: string, fields: JsonObject = {}) => ({ ...aSong(key, fields), externalIds: { film: asset } });
  const history = historyOf([naming('a', 'old-a'), naming('b', 'old-b')], stateWith({ 'song/a': 'one', 'song/b': 'two' }));

  it('are those of this apply where the address was applied or nothing had to be, else those of the last one', async () => {
    const declared = [naming('a', 'new-a', { level: 1 }), naming('b', 'new-b'), aSong('c')];
    const created = { 'song/c': 'created' } as const;
    const applied = await recordResults(history, desiredStateOf(declared), { ...created, 'song/a': 'updated' });
    expect(applied.externalIds).toStrictEqual({ 'song/a': { film: 'new-a' }, 'song/b': { film: 'new-b' } });
    const failed = await recordResults(history, desiredStateOf(declared), { ...created, 'song/a': 'failed' });
    expect(failed.externalIds).toStrictEqual({ 'song/a': { film: 'old-a' }, 'song/b': { film: 'new-b' } });
  });

  it('are left out for an address that was never applied, and for one that is no longer declared', async () => {
    const desiredState = desiredStateOf([naming('b', 'new-b'), naming('c', 'new-c')]);
    const after = await recordResults(history, desiredState, { 'song/a': 'deleted', 'song/c': 'failed' });
    expect(after.externalIds).toStrictEqual({ 'song/b': { film: 'new-b' } });
    const first = await recordResults(EMPTY_LEDGER, desiredState, { 'song/b': 'adopted', 'song/c': 'created' });
    expect(first.externalIds).toStrictEqual({ 'song/b': { film: 'new-b' }, 'song/c': { film: 'new-c' } });
  });
});

describe('the owner', () => {
  const owned = (owner: string): Kind => ({ ...rule, read: async (service) => ({ ...(await rule.read(service)), owner }) });
  const withOwner = (owner: string) => ({ ...shared, kinds: [song, owned(owner), dial] });
  const desiredState = desiredStateOf([aSong('a', { level: 1 }), aRule('p')]);

  it('is recorded as a digest, and another owner makes every read suspicious', async () => {
    const account = new FakeAccount({ rules: { r: { name: 'p', strength: 1 } } });
    const { history } = await planAndApply(account, desiredState, EMPTY_LEDGER, 'c1', withOwner('me'));
    expect(history.state.ownerDigest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(changeLines(await planAfter(account, desiredState, history, withOwner('me')))).toEqual([]);
    const elsewhere = new FakeAccount();
    const other = await planAfter(elsewhere, desiredState, history, withOwner('you'));
    expect(other.plan.changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([
      ['rule/p', 'suspicious-read'],
      ['song/a', 'suspicious-read'],
    ]);
  });

  it('keeps the recorded state until the suspicious read is allowed', async () => {
    const me = await planAndApply(new FakeAccount(), desiredState, EMPTY_LEDGER, 'c1', withOwner('me'));
    const skipped = await planAndApply(new FakeAccount(), desiredStateOf([]), me.history, 'c2', withOwner('you'));
    expect(skipped.history.state).toEqual(me.history.state);
    const allowed = { deletes: 0, checks: new Set(['suspicious-read'] as const) };
    const sure = await planAndApply(new FakeAccount(), desiredStateOf([]), me.history, 'c2', { ...withOwner('you'), overrides: allowed });
    expect(sure.history.state.ownerDigest).not.toBe(me.history.state.ownerDigest);
    expect(bindingsOf(sure.history.state)).toEqual({});
  });
});
