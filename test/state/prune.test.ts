import { describe, expect, it } from 'vitest';
import { movedFrom } from '../../src/model/change.ts';
import { suspiciousReadReason } from '../../src/state/bindings.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { dial, rule, song } from '../support/fake-kinds.ts';
import { aLiveSong, aRule, aSingle, aSong, changeLines, desiredStateOf, target, theDial, withMoves } from '../support/planning.ts';
import { bindingIds, EMPTY_LEDGER, historyOf, planAfter, planAndApply, stateWith } from '../support/previous-states.ts';

const plain = { guard: 0, list: ['x', 'y'] };
const shared = { target: { ...target, ownership: 'shared' } } as const;
const observed = { target: { ...target, ownership: 'observe' } } as const;
const songs = () => ({ one: { ...plain, title: 'a' }, two: { ...plain, title: 'b' }, hand: { ...plain, title: 'by hand' } });

async function plan(
  desiredState: Parameters<typeof planAfter>[1],
  bindings: { readonly [address: string]: string },
  more: Parameters<typeof planAfter>[3] = shared,
  account = new FakeAccount({ songs: songs() }),
) {
  const { plan: result, unmanaged } = await planAfter(account, desiredState, { ...EMPTY_LEDGER, state: stateWith(bindings) }, more);
  return {
    lines: changeLines({ plan: result }),
    changes: result.changes,
    unmanaged: unmanaged.map(({ address }) => address),
    findings: result.findings,
    observed: result.observed,
  };
}

describe('classifyUnmatched', () => {
  it('deletes under `shared` what was applied and is no longer declared', async () => {
    const { lines, unmanaged } = await plan(desiredStateOf([aSong('a')]), { 'song/a': 'one', 'song/b': 'two' });
    expect(lines).toEqual(['delete song/b']);
    expect(unmanaged).toEqual(['song/~hand']);
  });

  it('deletes nothing under `shared` that the ledger does not bind', async () => {
    const { lines, unmanaged } = await plan(desiredStateOf([]), {});
    expect(lines).toEqual([]);
    expect(unmanaged).toHaveLength(3);
  });

  it('deletes under `exclusive` also what was never applied and is not declared', async () => {
    const { lines } = await plan(desiredStateOf([aSong('a')]), { 'song/a': 'one', 'song/b': 'two' }, {});
    expect(lines).toEqual(['delete song/b', 'delete song/~hand']);
  });

  it('blocks deletes under `observe`, and adds no change that only the ledger records', async () => {
    const { changes } = await plan(withMoves(desiredStateOf([aSong('a')]), {}, ['song/hand']), { 'song/b': 'two' }, observed);
    expect(changes.map(({ action, address, blocked }) => `${action} ${address} ${blocked?.check}`)).toEqual(['delete song/b observe']);
  });

  it('deletes nothing of an absent section under any ownership, and counts the objects in a finding', async () => {
    for (const more of [shared, {}]) {
      const { lines, findings } = await plan(desiredStateOf([], {}, ['rules']), { 'song/a': 'one', 'song/b': 'two' }, more);
      expect(lines).toEqual([]);
      expect(findings).toMatchObject([{ code: 'section-removed', severity: 'warning', summary: expect.stringContaining('2 of its') }]);
    }
  });

  it('deletes nothing of an absent section where the other section of the kind is present', async () => {
    const account = () => new FakeAccount({ songs: { x: { title: '', guard: 0, list: ['x'] }, two: { ...plain, title: 'b' } } });
    const bindings = { 'single/x': 'x', 'song/b': 'two' };
    for (const more of [shared, {}]) {
      expect((await plan(desiredStateOf([], {}, ['songs']), bindings, more, account())).lines).toEqual(['delete song/b']);
      expect((await plan(desiredStateOf([], {}, ['singles']), bindings, more, account())).lines).toEqual(['delete single/x']);
    }
  });

  it('does not delete an object that is bound in an absent section, even if it looks like one of a present section', async () => {
    const account = new FakeAccount({ songs: { x: { title: 'p', guard: 0, list: ['x'] } } });
    expect((await plan(desiredStateOf([], {}, ['singles']), { 'song/p': 'x' }, {}, account)).lines).toEqual([]);
  });

  it('moves the binding of an object that another declared address matches, instead of deleting it', async () => {
    const {
      lines,
      changes: [first],
    } = await plan(desiredStateOf([aSong('c', { title: 'b' })]), { 'song/b': 'two' });
    expect(lines).toEqual(['move song/c']);
    expect(first).toMatchObject({ movedFrom: 'song/b' });
  });

  it('deletes an object that its address replaces, under the address `~<id>`, next to the create', async () => {
    const account = new FakeAccount({ songs: { x: { title: 'p', guard: 0, list: ['x'] } } });
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
    expect(bindingIds(after.state)).toEqual({ 'song/p': 'born-1' });
  });

  it('treats the old object of an address that `adopt` binds to another one as unmanaged', async () => {
    const desiredState = desiredStateOf([aSong('a')], { 'song/a': 'hand' });
    expect((await plan(desiredState, { 'song/a': 'one' })).lines).toEqual(['update song/a']);
    expect((await plan(desiredState, { 'song/a': 'one' }, {})).lines).toEqual(['update song/a', 'delete song/~one', 'delete song/~two']);
  });
});

describe('a binding', () => {
  it('matches an object whatever its name, and updates it in place', async () => {
    const {
      lines,
      changes: [first],
    } = await plan(desiredStateOf([aSong('renamed')]), { 'song/renamed': 'two' });
    expect(lines).toEqual(['update song/renamed']);
    expect(first?.fields).toMatchObject([{ path: '/title', before: 'b', after: 'renamed' }]);
  });

  it('whose object is gone counts as no binding', async () => {
    expect((await plan(desiredStateOf([aSong('a')]), { 'song/a': 'gone' })).lines).toEqual(['adopt song/a']);
    expect((await plan(desiredStateOf([aSong('new')]), { 'song/new': 'gone' })).lines).toEqual(['create song/new']);
  });

  it('and an `adopt` of the same object for another address are both blocked', async () => {
    const { changes } = await plan(desiredStateOf([aSong('a'), aSong('b')], { 'song/b': 'one' }), { 'song/a': 'one' });
    expect(changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([
      ['song/a', 'identity'],
      ['song/b', 'identity'],
    ]);
  });
});

describe('the first apply with a ledger', () => {
  it('adopts matched objects, writes nothing, and the next plan is empty', async () => {
    const account = new FakeAccount({
      songs: { ...songs(), q: { title: '', guard: 0, list: ['q'] } },
      rules: { one: { name: 'p', strength: 1 } },
    });
    const desiredState = desiredStateOf([aSong('a'), aSong('b'), aSingle('q'), aRule('p'), theDial(false, [])]);
    const first = await planAndApply(account, desiredState, EMPTY_LEDGER, 'c1', shared);
    expect(first.outcomeLines.sort()).toEqual(['adopted rule/p', 'adopted single/q', 'adopted song/a', 'adopted song/b']);
    expect(first.planResult.plan).toMatchObject({ summary: { create: 0, update: 0, delete: 0, blocked: 0, unchanged: 5 }, requests: [] });
    expect(account.log()).toEqual([]);
    expect(bindingIds(first.history.state)).toEqual({ 'rule/p': 'one+', 'single/q': 'q+', 'song/a': 'one+', 'song/b': 'two+' });
    expect(changeLines(await planAfter(account, desiredState, first.history, shared))).toEqual([]);
  });

  it('marks an update with the object that it adopts', async () => {
    const { changes } = await plan(desiredStateOf([aSong('a', { guard: 1 })]), {});
    expect(changes).toMatchObject([{ action: 'update', adopts: 'one' }]);
  });

  it('adopts nothing without a ledger', async () => {
    const { plan: result } = await planAfter(new FakeAccount({ songs: songs() }), desiredStateOf([aSong('a')]), EMPTY_LEDGER, {
      ...shared,
      state: null,
    });
    expect(result.changes).toEqual([]);
  });
});

describe('`moved`', () => {
  it('keeps the object under its new address, with or without a change', async () => {
    const { changes } = await plan(
      withMoves(desiredStateOf([aSong('c', { title: 'a' }), aSong('d')]), { 'song/a': 'song/c', 'song/b': 'song/d' }),
      {
        'song/a': 'one',
        'song/b': 'two',
      },
    );
    expect(changes.map((change) => [change.action, change.address, movedFrom(change)])).toEqual([
      ['update', 'song/d', 'song/b'],
      ['move', 'song/c', 'song/a'],
    ]);
  });

  it('matches by the old name without a binding, or where the bound object is gone', async () => {
    const desiredState = withMoves(desiredStateOf([aSong('c')]), { 'song/a': 'song/c' });
    expect((await plan(desiredState, {})).changes).toMatchObject([{ action: 'update', address: 'song/c', adopts: 'one' }]);
    expect((await plan(desiredState, { 'song/a': 'gone' })).changes).toMatchObject([
      { action: 'update', address: 'song/c', adopts: 'one' },
    ]);
  });

  it('does not match by the old name an object of a declared address, or for a resource that is matched by ID only', async () => {
    const taken = withMoves(desiredStateOf([aSong('a'), aSong('c')]), { 'song/a': 'song/c' });
    expect((await plan(taken, {})).lines).toEqual(['create song/c', 'adopt song/a']);
    const single = withMoves(desiredStateOf([aSingle('c')]), { 'single/a': 'single/c' });
    expect((await plan(single, {})).lines).toEqual(['create single/c']);
  });

  it('renames a rule before a new one is created with its old name', async () => {
    const account = new FakeAccount({ rules: { r: { name: 'p', strength: 1 } } });
    const desiredState = withMoves(desiredStateOf([aRule('p', 2), aRule('p-1')]), { 'rule/p': 'rule/p-1' });
    const history = historyOf([aRule('p')], stateWith({ 'rule/p': 'r' }));
    const first = await planAndApply(account, desiredState, history, 'c2', shared);
    expect(first.outcomeLines).toEqual(['updated rule/p-1', 'created rule/p']);
    expect(account.rules.get('r')).toMatchObject({ name: 'p-1' });
    expect(bindingIds(first.history.state)).toEqual({ 'rule/p': 'born-1', 'rule/p-1': 'r' });
    expect(changeLines(await planAfter(account, desiredState, first.history, shared))).toEqual([]);
  });

  it('follows a chain, and is applied once', async () => {
    const account = new FakeAccount({ songs: songs() });
    const desiredState = withMoves(desiredStateOf([aSong('b'), aSong('c')]), { 'song/a': 'song/b', 'song/b': 'song/c' });
    const history = historyOf([aSong('a'), aSong('b')], stateWith({ 'song/a': 'one', 'song/b': 'two' }));
    const first = await planAndApply(account, desiredState, history, 'c2', shared);
    expect(bindingIds(first.history.state)).toEqual({ 'song/b': 'one', 'song/c': 'two' });
    expect([account.songs.get('one')?.title, account.songs.get('two')?.title]).toEqual(['b', 'c']);
    expect(changeLines(await planAfter(account, desiredState, first.history, shared))).toEqual([]);
  });

  it('is implied where an object changes its group but not its ID', async () => {
    const account = new FakeAccount({ songs: { x: { title: '', guard: 0, list: ['x'] } } });
    const regrouped = { ...aSingle('x'), address: 'single/other/x' };
    const { plan: result } = await planAfter(
      account,
      desiredStateOf([regrouped]),
      { ...EMPTY_LEDGER, state: stateWith({ 'single/x': 'x' }) },
      shared,
    );
    expect(result.changes).toMatchObject([{ action: 'move', address: 'single/other/x', movedFrom: 'single/x' }]);
  });
});

describe('`removed`', () => {
  const removing = (...addresses: string[]) => withMoves(desiredStateOf([]), {}, addresses);

  it.each([
    ['shared', shared, []],
    ['exclusive', {}, ['delete song/~two']],
  ] as const)('forgets the bound object instead of deleting it under `%s`, also in later runs', async (_ownership, more, others) => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'anything' }, two: { ...plain, title: 'b' } } });
    const first = await planAndApply(account, removing('song/a'), historyOf([aSong('a')], stateWith({ 'song/a': 'one' })), 'c2', more);
    expect(changeLines(first.planResult)).toEqual([...others, 'forget song/a']);
    expect(bindingIds(first.history.state)).toEqual({});
    expect([...first.history.state.forgotten]).toEqual(['one']);
    expect(changeLines(await planAfter(account, removing('song/a'), first.history, more))).toEqual([]);
    expect(changeLines(await planAfter(account, desiredStateOf([]), first.history, more))).toEqual([]);
    expect(account.songs.has('one')).toBe(true);
  });

  it('finds objects without a binding by name, by ID, or by the address that the plan shows', async () => {
    const account = new FakeAccount({ songs: { ...songs(), q: { title: '', guard: 0, list: ['q'] } } });
    const { lines } = await plan(removing('song/a', 'single/q', 'song/~hand'), {}, {}, account);
    expect(lines).toEqual(['delete song/~two', 'forget single/q', 'forget song/a', 'forget song/~hand']);
  });

  it('finds an object by name where the bound object is gone', async () => {
    expect((await plan(removing('song/a'), { 'song/a': 'gone' }, {})).lines).toContain('forget song/a');
  });

  it('keeps all objects that fit, where there are several', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'a' } } });
    const first = await planAndApply(account, removing('song/a'), EMPTY_LEDGER, 'c1', {});
    expect([...account.songs.keys()]).toEqual(['one', 'two']);
    expect([...first.history.state.forgotten].sort()).toEqual(['one', 'two']);
  });

  it('does not affect an object that another address declares', async () => {
    const desiredState = withMoves(desiredStateOf([aSong('c', { title: 'a' })]), {}, ['song/a']);
    expect((await plan(desiredState, { 'song/a': 'one' })).lines).toEqual(['move song/c']);
  });

  it('is undone by declaring the object again: from then on it may be deleted', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' } } });
    const forgot = { ...EMPTY_LEDGER, state: stateWith({}, { forgotten: new Set(['one']) }) };
    const { history } = await planAndApply(account, desiredStateOf([aSong('a')]), forgot, 'c1', shared);
    expect(history.state.forgotten.size).toBe(0);
    expect(changeLines(await planAfter(account, desiredStateOf([]), history, shared))).toEqual(['delete song/a']);
  });

  it('is blocked where `protect` names it', async () => {
    const { changes } = await plan(removing('song/a'), { 'song/a': 'one' }, { target: { ...shared.target, protect: ['song/a'] } });
    expect(changes).toMatchObject([{ action: 'forget', blocked: { check: 'protect' } }]);
  });
});

describe('an apply of an earlier commit', () => {
  it.each([
    ['shared', shared],
    ['exclusive', {}],
  ] as const)('deletes what was created and forgets what was adopted, under `%s`', async (_ownership, more) => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'b' } } });
    const history = historyOf([aSong('a'), aSong('b')], stateWith({ 'song/a': 'one', 'song/b': 'two+' }));
    const back = await planAndApply(account, desiredStateOf([]), history, 'c0', { ...more, appliesEarlierCommit: true });
    expect(back.outcomeLines).toEqual(['deleted song/a', 'forgotten song/b']);
    expect(bindingIds(back.history.state)).toEqual({});
    expect(changeLines(await planAfter(account, desiredStateOf([]), back.history, more))).toEqual([]);
  });

  it('forgets an object once if `removed` names it too; a later commit deletes it', async () => {
    const bindings = { 'song/a': 'one+' };
    expect((await plan(withMoves(desiredStateOf([]), {}, ['song/a']), bindings, { ...shared, appliesEarlierCommit: true })).lines).toEqual([
      'forget song/a',
    ]);
    expect((await plan(desiredStateOf([]), bindings)).lines).toEqual(['delete song/a']);
  });
});

describe('a suspicious read', () => {
  const objects = ['1', '2', '3'].map((id) => aLiveSong(id));
  const bound = (...ids: string[]) => stateWith(Object.fromEntries(ids.map((id) => [`song/${id}`, id])), { ownerDigest: 'me' });

  it.each([
    ['one of one object gone', ['x'], false],
    ['half of them gone', ['x', 'y', '1', '2'], false],
    ['two of three gone', ['x', 'y', '1'], true],
    ['both gone', ['x', 'y'], true],
    ['none gone', ['1', '2', '3'], false],
  ])('is detected with %s: %j', (_what, ids, suspicious) => {
    expect(suspiciousReadReason(song, objects, null, bound(...ids)) !== undefined).toBe(suspicious);
    expect(suspiciousReadReason(rule, [], null, bound(...ids))).toBeUndefined();
  });

  it('names how many objects are gone', () => {
    expect(suspiciousReadReason(song, objects, null, bound('x', 'y', '1'))).toBe('2 of 3 objects that were applied are gone');
  });

  it('is detected with another owner, if both owners are known', () => {
    expect(suspiciousReadReason(dial, [], 'you', bound())).toBe('the account answers with another owner than at the last apply');
    expect(suspiciousReadReason(dial, [], 'me', bound())).toBeUndefined();
    expect(suspiciousReadReason(dial, [], null, bound())).toBeUndefined();
    expect(suspiciousReadReason(dial, [], 'you', stateWith({}))).toBeUndefined();
    expect(suspiciousReadReason(dial, [], 'you', null)).toBeUndefined();
  });

  it('blocks every change of its kind until it is allowed', async () => {
    const bindings = { 'song/c': 'gone', 'song/d': 'gone too', 'song/a': 'one' };
    const desiredState = desiredStateOf([aSong('a', { guard: 1 }), aSong('c'), aSong('d'), aRule('p')]);
    const { changes } = await plan(desiredState, bindings);
    expect(changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([
      ['rule/p', undefined],
      ['song/a', 'suspicious-read'],
      ['song/c', 'suspicious-read'],
      ['song/d', 'suspicious-read'],
    ]);
    const allowed = { deletes: 0, checks: new Set(['suspicious-read'] as const) };
    expect((await plan(desiredState, bindings, { ...shared, overrides: allowed })).changes.every(({ blocked }) => blocked === null)).toBe(
      true,
    );
  });

  it('is incomplete where a look-up finds what the list lacks', async () => {
    const account = new FakeAccount({ songs: songs() });
    account.intercept('GET /songs', () => ({ body: { items: [{ id: 'one', ...songs().one }] } }));
    const { observed, changes } = await plan(desiredStateOf([aSong('a')]), { 'song/a': 'one', 'song/b': 'two' }, shared, account);
    expect(observed.song).toBe('incomplete');
    expect(changes).toEqual([]);
  });

  it('takes at most five look-ups', async () => {
    const account = new FakeAccount({ songs: songs() });
    const bindings = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`song/${index}`, `gone-${index}`]));
    const { changes } = await plan(desiredStateOf([aSong('a')]), bindings, shared, account);
    expect(account.log('reads').filter((read) => read.startsWith('GET /songs/'))).toHaveLength(5);
    expect(changes.map(({ action, blocked }) => [action, blocked?.check])).toEqual([['adopt', 'suspicious-read']]);
  });
});
