// `one`, `two` and `hand` are IDs of live objects, `gone` is an ID that the account does not have.
import { describe, expect, it } from 'vitest';
import { type PruneInput, pruneUnmatched } from '../../../src/core/state/prune.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { song } from '../../support/fake-kinds.ts';
import { aLiveSong, aSingle, aSong, changeLines, desiredStateOf, target, withMoves } from '../../support/planning.ts';
import {
  adopted,
  type Bindings,
  bindingsOf,
  EMPTY_LEDGER,
  historyOf,
  planAfter,
  planAndApply,
  stateWith,
} from '../../support/previous-states.ts';
import { exclusive, plain, planWithBindings, shared, songs } from './fixture.ts';

const observe = { target: { ...target, ownership: 'observe' } } as const;

describe('pruneUnmatched', () => {
  it('deletes under `shared` what was applied and is no longer declared', async () => {
    const { lines, undeclared } = await planWithBindings(desiredStateOf([aSong('a')]), { 'song/a': 'one', 'song/b': 'two' });
    expect(lines).toEqual(['delete song/b']);
    expect(undeclared).toEqual(['song/~hand']);
  });

  it('deletes nothing under `shared` that the ledger does not bind', async () => {
    const { lines, undeclared } = await planWithBindings(desiredStateOf([]), {});
    expect(lines).toEqual([]);
    expect(undeclared).toHaveLength(3);
  });

  it('deletes under `exclusive` also what was never applied and is not declared', async () => {
    const { lines } = await planWithBindings(desiredStateOf([aSong('a')]), { 'song/a': 'one', 'song/b': 'two' }, exclusive);
    expect(lines).toEqual(['delete song/b', 'delete song/~hand']);
  });

  it('blocks deletes under `observe`, and adds no change that only the ledger records', async () => {
    const { changes } = await planWithBindings(withMoves(desiredStateOf([aSong('a')]), {}, ['song/hand']), { 'song/b': 'two' }, observe);
    expect(changes.map(({ action, address, blocked }) => `${action} ${address} ${blocked?.check}`)).toEqual(['delete song/b observe']);
  });

  it('deletes nothing of an absent section under any ownership, and counts the objects in a finding', async () => {
    for (const more of [shared, exclusive]) {
      const { lines, findings } = await planWithBindings(desiredStateOf([], {}, ['rules']), { 'song/a': 'one', 'song/b': 'two' }, more);
      expect(lines).toEqual([]);
      expect(findings).toMatchObject([{ code: 'section-removed', severity: 'warning', summary: expect.stringContaining('2 of its') }]);
    }
  });

  it('deletes nothing of an absent section where the other section of the kind is present', async () => {
    const account = () => new FakeAccount({ songs: { x: { title: '', level: 0, list: ['x'] }, two: { ...plain, title: 'b' } } });
    const bindings = { 'single/x': 'x', 'song/b': 'two' };
    for (const more of [shared, exclusive]) {
      expect((await planWithBindings(desiredStateOf([], {}, ['songs']), bindings, more, account())).lines).toEqual(['delete song/b']);
      expect((await planWithBindings(desiredStateOf([], {}, ['singles']), bindings, more, account())).lines).toEqual(['delete single/x']);
    }
  });

  it('does not delete an object that is bound in an absent section, even if it looks like one of a present section', async () => {
    const account = new FakeAccount({ songs: { x: { title: 'p', level: 0, list: ['x'] } } });
    expect((await planWithBindings(desiredStateOf([], {}, ['singles']), { 'song/p': 'x' }, exclusive, account)).lines).toEqual([]);
  });

  it('moves the binding of an object that another declared address matches, instead of deleting it', async () => {
    const {
      lines,
      changes: [first],
    } = await planWithBindings(desiredStateOf([aSong('c', { title: 'b' })]), { 'song/b': 'two' });
    expect(lines).toEqual(['move song/c']);
    expect(first).toMatchObject({ movedFrom: 'song/b' });
  });

  it('deletes an object under the address `~<id>` where its own address is declared and gets a new object', async () => {
    const account = new FakeAccount({ songs: { x: { title: 'p', level: 0, list: ['x'] } } });
    const desiredState = desiredStateOf([aSong('p', { list: ['x', 'y'] })]);
    const history = { ...historyOf([aSong('p', { list: ['x'] })], stateWith({ 'song/p': 'x' })) };
    const { plan: result } = await planAfter(account, desiredState, history, { target: { ...shared.target, protect: ['song/p'] } });
    expect(result.changes.map(({ action, address, origin, blocked }) => [action, address, origin, blocked?.check])).toEqual([
      ['create', 'song/p', 'change', undefined],
      ['delete', 'song/~x', 'change', 'protect'],
    ]);
    expect(result.findings.map(({ code }) => code)).toEqual(['id-changes']);
    const { history: after, outcomeLines } = await planAndApply(account, desiredState, history, 'c2', shared);
    expect(outcomeLines).toEqual(['created song/p', 'deleted song/~x']);
    expect(bindingsOf(after.state)).toEqual({ 'song/p': 'born-1' });
  });

  it('counts the old object of an address as undeclared if `adopt` gives the address another object', async () => {
    const desiredState = desiredStateOf([aSong('a')], { 'song/a': 'hand' });
    expect((await planWithBindings(desiredState, { 'song/a': 'one' })).lines).toEqual(['update song/a']);
    expect((await planWithBindings(desiredState, { 'song/a': 'one' }, exclusive)).lines).toEqual([
      'update song/a',
      'delete song/~one',
      'delete song/~two',
    ]);
  });
});

describe('`removed`', () => {
  const removing = (...addresses: string[]) => withMoves(desiredStateOf([]), {}, addresses);

  it.each([
    ['shared', shared, []],
    ['exclusive', exclusive, ['delete song/~two']],
  ] as const)('forgets the bound object instead of deleting it under `%s`, also in later runs', async (_ownership, more, others) => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'anything' }, two: { ...plain, title: 'b' } } });
    const first = await planAndApply(account, removing('song/a'), historyOf([aSong('a')], stateWith({ 'song/a': 'one' })), 'c2', more);
    expect(changeLines(first.planResult)).toEqual([...others, 'forget song/a']);
    expect(bindingsOf(first.history.state)).toEqual({});
    expect([...first.history.state.forgotten]).toEqual(['one']);
    expect(changeLines(await planAfter(account, removing('song/a'), first.history, more))).toEqual([]);
    expect(changeLines(await planAfter(account, desiredStateOf([]), first.history, more))).toEqual([]);
    expect(account.songs.has('one')).toBe(true);
  });

  it('finds objects without a binding by name, by ID, or by the address that the plan shows', async () => {
    const account = new FakeAccount({ songs: { ...songs(), q: { title: '', level: 0, list: ['q'] } } });
    const { lines } = await planWithBindings(removing('song/a', 'single/q', 'song/~hand'), {}, exclusive, account);
    expect(lines).toEqual(['delete song/~two', 'forget single/q', 'forget song/a', 'forget song/~hand']);
  });

  it('finds an object by name where the bound object is gone', async () => {
    expect((await planWithBindings(removing('song/a'), { 'song/a': 'gone' }, exclusive)).lines).toContain('forget song/a');
  });

  it('keeps all objects that fit, where there are several', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'a' } } });
    const first = await planAndApply(account, removing('song/a'), EMPTY_LEDGER, 'c1', exclusive);
    expect([...account.songs.keys()]).toEqual(['one', 'two']);
    expect([...first.history.state.forgotten].sort()).toEqual(['one', 'two']);
  });

  it('does not affect an object that another address declares', async () => {
    const desiredState = withMoves(desiredStateOf([aSong('c', { title: 'a' })]), {}, ['song/a']);
    expect((await planWithBindings(desiredState, { 'song/a': 'one' })).lines).toEqual(['move song/c']);
  });

  it('affects no object of another kind that has the name', async () => {
    const { lines, undeclared } = await planWithBindings(removing('rule/a'), {});
    expect(lines).toEqual([]);
    expect(undeclared).toContain('song/~one');
  });

  it('does not find by its name an object that is never matched by name', async () => {
    const account = () => new FakeAccount({ songs: { q: { title: 'a', level: 0, list: ['q'] } } });
    expect((await planWithBindings(removing('song/a'), {}, shared, account())).lines).toEqual([]);
    expect((await planWithBindings(removing('single/q'), {}, shared, account())).lines).toEqual(['forget single/q']);
  });

  it('forgets an object once, under the alphabetically first address, if several addresses of `removed` mean it', async () => {
    // `song/by hand` means another object.
    const addresses = ['song/~one', 'song/by hand', 'song/a', 'song/one'];
    for (const order of [addresses, addresses.toReversed()]) {
      expect((await planWithBindings(removing(...order), {})).lines).toEqual(['forget song/a', 'forget song/by hand']);
    }
  });

  it('does not forget again what an earlier apply has forgotten', async () => {
    const forgot = { ...EMPTY_LEDGER, state: stateWith({}, { forgotten: new Set(['one']) }) };
    expect(changeLines(await planAfter(new FakeAccount({ songs: songs() }), removing('song/a', 'song/b'), forgot, shared))).toEqual([
      'forget song/b',
    ]);
  });

  it('keeps its object without a ledger, also under `exclusive`', async () => {
    const { plan, undeclared } = await planAfter(new FakeAccount({ songs: songs() }), removing('song/a'), EMPTY_LEDGER, {
      ...exclusive,
      ledgerState: null,
    });
    expect(changeLines({ plan })).toEqual(['delete song/~hand', 'delete song/~two']);
    expect(undeclared.map(({ address }) => address)).toEqual(['song/~one']);
  });

  it('has no effect any more after its object was declared again', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' } } });
    const forgot = { ...EMPTY_LEDGER, state: stateWith({}, { forgotten: new Set(['one']) }) };
    const { history } = await planAndApply(account, desiredStateOf([aSong('a')]), forgot, 'c1', shared);
    expect(history.state.forgotten.size).toBe(0);
    expect(changeLines(await planAfter(account, desiredStateOf([]), history, shared))).toEqual(['delete song/a']);
  });

  it('is blocked by `protect` where that names the address to forget', async () => {
    const { changes } = await planWithBindings(
      removing('song/a'),
      { 'song/a': 'one' },
      { target: { ...shared.target, protect: ['song/a'] } },
    );
    expect(changes).toMatchObject([{ action: 'forget', blocked: { check: 'protect' } }]);
  });
});

describe('an object outside of `manages`', () => {
  const managing = (...manages: readonly string[]) => ({ target: { ...exclusive.target, manages } });

  it('is kept, whatever the ownership is, and whether it is bound or not; address, ID and name count', async () => {
    const deletes = async (...globs: readonly string[]) =>
      (await planWithBindings(desiredStateOf([]), { 'song/kept': 'one' }, managing(...globs))).lines;
    expect(await deletes('song/other')).toEqual([]);
    expect(await deletes('song/kept')).toEqual(['delete song/kept']);
    expect(await deletes('song/~two')).toEqual(['delete song/~two']);
    expect(await deletes('song/b')).toEqual(['delete song/~two']);
    // A name alone may look like an address of anything.
    expect(await deletes('b')).toEqual([]);
    expect((await deletes('*')).length).toBeGreaterThan(1);
  });

  // The ledger binds `one` to `song/kept`; its live name is `a`.
  it.each([
    ['created', ['song/other'], 'kept'],
    ['created', ['song/kept'], 'delete'],
    ['created', ['song/a'], 'delete'],
    ['created', ['song/~one'], 'delete'],
    ['adopted', ['song/other'], 'kept'],
    ['adopted', ['song/kept'], 'forget'],
    ['adopted', ['song/a'], 'delete'],
    ['adopted', ['song/~one'], 'delete'],
    ['recognized', ['song/other'], 'kept'],
    ['recognized', ['song/kept'], 'forget'],
    ['recognized', ['song/a'], 'forget'],
  ] as const)('%s and bound, is under %j: %s', async (origin, globs, expected) => {
    const bindings = { 'song/kept': { id: 'one', origin } };
    const under = async (ownership: 'shared' | 'exclusive') =>
      (await planWithBindings(desiredStateOf([]), bindings, { target: { ...target, ownership, manages: [...globs, 'song/none'] } })).lines;
    expect(await under('shared')).toEqual(expected === 'kept' ? [] : [`${expected} song/kept`]);
    // `exclusive` deletes as an undeclared object what was only recognized, where `manages` names it.
    const isUndeclared = origin === 'recognized' && globs[0] === 'song/a';
    expect(await under('exclusive')).toEqual(isUndeclared ? ['delete song/~one'] : expected === 'kept' ? [] : [`${expected} song/kept`]);
  });
});

describe('an object that no configuration can declare', () => {
  const odd = (id: string) => ({ ...aLiveSong(id), remoteName: `name of ${id}` });
  const inputWith = (more: Partial<PruneInput>): PruneInput => ({
    ownership: 'exclusive',
    manages: null,
    presentKeys: new Set(['songs']),
    removed: new Set(),
    ledgerState: stateWith({}),
    appliesEarlierCommit: false,
    earlierBindings: null,
    whyNotDeclarable: ({ id }) => (id === 'odd' ? 'its list is odd' : undefined),
    ...more,
  });
  const prune = (more: Partial<PruneInput> = {}) => {
    const { toDelete, forgets, kept, notDeclarable } = pruneUnmatched(
      song,
      { liveByAddress: new Map(), unclaimed: [odd('odd'), odd('plain')] },
      inputWith(more),
    );
    return {
      deleted: toDelete.map(({ live }) => live.id),
      forgotten: forgets.map(({ change }) => change.address),
      kept: kept.map(({ id }) => id),
      notDeclarable: notDeclarable.map(({ live, reason }) => `${live.id}: ${reason}`),
    };
  };

  it('is kept under `exclusive`, with the reason', () => {
    expect(prune()).toEqual({ deleted: ['plain'], forgotten: [], kept: ['odd'], notDeclarable: ['odd: its list is odd'] });
  });

  it('is deleted if it was applied and is no longer declared', () => {
    const ledgerState = stateWith({ 'song/a': 'odd' });
    expect(prune({ ledgerState })).toEqual({ deleted: ['odd', 'plain'], forgotten: [], kept: [], notDeclarable: [] });
  });

  it('is not reported where it would be kept anyway', () => {
    const allKept = { deleted: [], forgotten: [], kept: ['odd', 'plain'], notDeclarable: [] };
    expect(prune({ ownership: 'shared' })).toEqual(allKept);
    expect(prune({ presentKeys: new Set() })).toEqual(allKept);
    expect(prune({ removed: new Set(['song/odd', 'song/plain']) })).toEqual({ ...allKept, forgotten: ['song/odd', 'song/plain'] });
  });
});

describe('`--ref` to a commit of which no apply is known', () => {
  it('deletes under `exclusive` what was never applied', async () => {
    const { lines } = await planWithBindings(
      desiredStateOf([aSong('a')]),
      { 'song/a': 'one' },
      { ...exclusive, appliesEarlierCommit: true },
    );
    expect(lines).toEqual(['delete song/~hand', 'delete song/~two']);
  });

  it.each([
    ['shared', shared],
    ['exclusive', exclusive],
  ] as const)('deletes what was created and forgets what was adopted, under `%s`', async (_ownership, more) => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'b' } } });
    const history = historyOf([aSong('a'), aSong('b')], stateWith({ 'song/a': 'one', 'song/b': adopted('two') }));
    const back = await planAndApply(account, desiredStateOf([]), history, 'c0', { ...more, appliesEarlierCommit: true });
    expect(back.outcomeLines).toEqual(['deleted song/a', 'forgotten song/b']);
    expect(bindingsOf(back.history.state)).toEqual({});
    expect(changeLines(await planAfter(account, desiredStateOf([]), back.history, more))).toEqual([]);
  });

  it('forgets an adopted object once if `removed` names it, too, and deletes it where a later commit no longer declares it', async () => {
    const bindings = { 'song/a': adopted('one') };
    expect(
      (await planWithBindings(withMoves(desiredStateOf([]), {}, ['song/a']), bindings, { ...shared, appliesEarlierCommit: true })).lines,
    ).toEqual(['forget song/a']);
    expect((await planWithBindings(desiredStateOf([]), bindings)).lines).toEqual(['delete song/a']);
  });
});

describe('`--ref` to a commit that was applied', () => {
  const back = (bindings: Bindings, earlier: Bindings, more: Parameters<typeof planWithBindings>[2] = shared, desired = [aSong('a')]) =>
    planWithBindings(desiredStateOf(desired), bindings, {
      ...more,
      appliesEarlierCommit: true,
      earlierBindings: stateWith(earlier).bindings,
    });

  it('gives an address the object that it had then, whatever it is bound to now', async () => {
    const renamed = { 'song/b': 'hand' };
    expect((await back(renamed, { 'song/a': 'hand' })).changes).toMatchObject([
      { action: 'update', address: 'song/a', movedFrom: 'song/b' },
    ]);
    const rebound = { 'song/a': adopted('hand') };
    expect((await back(rebound, { 'song/a': 'one' })).lines).toEqual(['adopt song/a', 'forget song/~hand']);
  });

  it('keeps the current object of an address where the object that it had at the apply of `--ref` is gone, and says so', async () => {
    const { lines, findings } = await back({ 'song/a': 'one' }, { 'song/a': 'gone' });
    expect(lines).toEqual([]);
    expect(findings).toMatchObject([
      {
        code: 'id-changes',
        address: 'song/a',
        summary: 'the object that song/a had at the apply of `--ref`, gone, is not restored: it is one now',
      },
    ]);
    const created = await back({}, { 'song/c': 'gone' }, shared, [aSong('c')]);
    expect(created.lines).toEqual(['create song/c']);
    expect(created.findings[0]?.summary).toContain('gone, is not restored: a new one is created, with another ID');
  });

  it('says nothing of an object that is created again with the ID of its asset', async () => {
    expect((await back({}, { 'single/z': 'z' }, shared, [aSingle('z')])).findings).toEqual([]);
  });

  it.each([
    ['shared', shared],
    ['exclusive', exclusive],
  ] as const)('deletes under `%s` what was created since, and forgets what was adopted since', async (_ownership, more) => {
    const bindingsNow = { 'song/a': 'hand', 'song/b': 'one' };
    const { lines } = await back(bindingsNow, { 'song/a': 'one', 'song/x': 'two' }, more);
    expect(lines.filter((line) => !line.includes('two'))).toEqual(['delete song/~hand', 'move song/a']);
    const bindingsAfterAdoption = { 'song/a': adopted('hand'), 'song/b': 'one' };
    const kept = await back(bindingsAfterAdoption, { 'song/a': 'one', 'song/x': 'two' }, more);
    expect(kept.lines.filter((line) => !line.includes('two'))).toEqual(['move song/a', 'forget song/~hand']);
    expect(kept.findings).toMatchObject([{ code: 'undone-adoption', summary: expect.stringContaining('hand (by hand) was adopted') }]);
  });

  it('deletes what was created since the apply of `--ref`, although `removed` at that commit names its address', async () => {
    const removed = withMoves(desiredStateOf([]), {}, ['song/a']);
    const more = { ...shared, appliesEarlierCommit: true, earlierBindings: stateWith({}).bindings };
    expect((await planWithBindings(removed, { 'song/a': 'one' }, more)).lines).toEqual(['delete song/a']);
  });

  it('forgets what `removed` at the commit of `--ref` names, if it was bound at that apply', async () => {
    const more = { ...shared, appliesEarlierCommit: true, earlierBindings: stateWith({ 'song/a': 'one' }).bindings };
    expect((await planWithBindings(withMoves(desiredStateOf([]), {}, ['song/a']), { 'song/a': 'one' }, more)).lines).toEqual([
      'forget song/a',
    ]);
  });
});
