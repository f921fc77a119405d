import { describe, expect, it } from 'vitest';
import { movedFrom } from '../../src/model/change.ts';
import { suspiciousReadReason } from '../../src/state/bindings.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { dial, rule, song } from '../support/fake-kinds.ts';
import { aLiveSong, aRule, aSingle, aSong, declaring, moving, target, theDial, told } from '../support/planning.ts';
import { FIRST, knowing, known, lived, pastOf, recalled } from '../support/previous-states.ts';

const plain = { guard: 0, list: ['x', 'y'] };
const shared = { target: { ...target, ownership: 'shared' } } as const;
const observed = { target: { ...target, ownership: 'observe' } } as const;
const songs = () => ({ one: { ...plain, title: 'a' }, two: { ...plain, title: 'b' }, hand: { ...plain, title: 'by hand' } });

async function plan(
  desiredState: Parameters<typeof recalled>[1],
  bindings: { readonly [address: string]: string },
  more: Parameters<typeof recalled>[3] = shared,
  account = new FakeAccount({ songs: songs() }),
) {
  const { plan: drawn, unmanaged } = await recalled(account, desiredState, { ...FIRST, state: knowing(bindings) }, more);
  return { told: told({ plan: drawn }), changes: drawn.changes, unmanaged: unmanaged.map(({ address }) => address), drawn };
}

describe('the object to delete', () => {
  it('is under `shared` one that was applied and is no longer declared', async () => {
    const { told: changes, unmanaged } = await plan(declaring([aSong('a')]), { 'song/a': 'one', 'song/b': 'two' });
    expect(changes).toEqual(['delete song/b']);
    expect(unmanaged).toEqual(['song/~hand']);
  });

  it('is under `shared` never one that the ledger does not bind', async () => {
    const { told: changes, unmanaged } = await plan(declaring([]), {});
    expect(changes).toEqual([]);
    expect(unmanaged).toHaveLength(3);
  });

  it('is under `exclusive` also one that is not declared', async () => {
    const { told: changes } = await plan(declaring([aSong('a')]), { 'song/a': 'one', 'song/b': 'two' }, {});
    expect(changes).toEqual(['delete song/b', 'delete song/~hand']);
  });

  it('is blocked under `observe`, without a change for the ledger', async () => {
    const { changes } = await plan(moving(declaring([aSong('a')]), {}, ['song/hand']), { 'song/b': 'two' }, observed);
    expect(changes.map(({ action, address, blocked }) => `${action} ${address} ${blocked?.check}`)).toEqual(['delete song/b observe']);
  });

  it('is none of an absent section under any ownership; a finding counts them', async () => {
    for (const more of [shared, {}]) {
      const { told: changes, drawn } = await plan(declaring([], {}, ['rules']), { 'song/a': 'one', 'song/b': 'two' }, more);
      expect(changes).toEqual([]);
      expect(drawn.findings).toMatchObject([
        { code: 'section-removed', severity: 'warning', summary: expect.stringContaining('2 of its') },
      ]);
    }
  });

  it('is none under the absent one of two sections of a kind', async () => {
    const account = () => new FakeAccount({ songs: { x: { title: '', guard: 0, list: ['x'] }, two: { ...plain, title: 'b' } } });
    const bindings = { 'single/x': 'x', 'song/b': 'two' };
    for (const more of [shared, {}]) {
      expect((await plan(declaring([], {}, ['songs']), bindings, more, account())).told).toEqual(['delete song/b']);
      expect((await plan(declaring([], {}, ['singles']), bindings, more, account())).told).toEqual(['delete single/x']);
    }
  });

  it('is not an address of the absent section whose object would be of the present one', async () => {
    const account = new FakeAccount({ songs: { x: { title: 'p', guard: 0, list: ['x'] } } });
    expect((await plan(declaring([], {}, ['singles']), { 'song/p': 'x' }, {}, account)).told).toEqual([]);
  });

  it('is never one that a declared address matches: its binding passes to that address', async () => {
    const {
      told: changes,
      changes: [first],
    } = await plan(declaring([aSong('c', { title: 'b' })]), { 'song/b': 'two' });
    expect(changes).toEqual(['move song/c']);
    expect(first).toMatchObject({ movedFrom: 'song/b' });
  });

  it('is the object that its address gives up for another, beside the create, under an address of its own', async () => {
    const account = new FakeAccount({ songs: { x: { title: 'p', guard: 0, list: ['x'] } } });
    const desiredState = declaring([aSong('p', { list: ['x', 'y'] })]);
    const past = { ...pastOf([aSong('p', { list: ['x'] })], knowing({ 'song/p': 'x' })) };
    const { plan: drawn } = await recalled(account, desiredState, past, { target: { ...shared.target, protect: ['song/p'] } });
    expect(drawn.changes.map(({ action, address, origin, blocked }) => [action, address, origin, blocked?.check])).toEqual([
      ['create', 'song/p', 'change', undefined],
      ['delete', 'song/~x', 'change', 'protect'],
    ]);
    expect(drawn.findings.map(({ code }) => code)).toEqual(['id-changes']);
    const { past: after, told: done } = await lived(account, desiredState, past, 'c2', shared);
    expect(done).toEqual(['created song/p', 'deleted song/~x']);
    expect(known(after.state)).toEqual({ 'song/p': 'born-1' });
  });

  it('is not the old object of an address that `adopt` gives another one, but nobody’s', async () => {
    const desiredState = declaring([aSong('a')], { 'song/a': 'hand' });
    expect((await plan(desiredState, { 'song/a': 'one' })).told).toEqual(['update song/a']);
    expect((await plan(desiredState, { 'song/a': 'one' }, {})).told).toEqual(['update song/a', 'delete song/~one', 'delete song/~two']);
  });
});

describe('a binding', () => {
  it('matches an object whatever its name, and updates it in place', async () => {
    const {
      told: changes,
      changes: [first],
    } = await plan(declaring([aSong('renamed')]), { 'song/renamed': 'two' });
    expect(changes).toEqual(['update song/renamed']);
    expect(first?.fields).toMatchObject([{ path: '/title', before: 'b', after: 'renamed' }]);
  });

  it('whose object is gone counts as no binding', async () => {
    expect((await plan(declaring([aSong('a')]), { 'song/a': 'gone' })).told).toEqual(['adopt song/a']);
    expect((await plan(declaring([aSong('new')]), { 'song/new': 'gone' })).told).toEqual(['create song/new']);
  });

  it('yields only to `adopt`, and never shares its object', async () => {
    const { changes } = await plan(declaring([aSong('a'), aSong('b')], { 'song/b': 'one' }), { 'song/a': 'one' });
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
    const desiredState = declaring([aSong('a'), aSong('b'), aSingle('q'), aRule('p'), theDial(false, [])]);
    const first = await lived(account, desiredState, FIRST, 'c1', shared);
    expect(first.told.sort()).toEqual(['adopted rule/p', 'adopted single/q', 'adopted song/a', 'adopted song/b']);
    expect(first.reconciled.plan).toMatchObject({ summary: { create: 0, update: 0, delete: 0, blocked: 0, unchanged: 5 }, requests: [] });
    expect(account.log()).toEqual([]);
    expect(known(first.past.state)).toEqual({ 'rule/p': 'one+', 'single/q': 'q+', 'song/a': 'one+', 'song/b': 'two+' });
    expect(told(await recalled(account, desiredState, first.past, shared))).toEqual([]);
  });

  it('marks an update with the object that it adopts', async () => {
    const { changes } = await plan(declaring([aSong('a', { guard: 1 })]), {});
    expect(changes).toMatchObject([{ action: 'update', adopts: 'one' }]);
  });

  it('adopts nothing without a ledger', async () => {
    const { plan: drawn } = await recalled(new FakeAccount({ songs: songs() }), declaring([aSong('a')]), FIRST, {
      ...shared,
      state: null,
    });
    expect(drawn.changes).toEqual([]);
  });
});

describe('`moved`', () => {
  it('keeps the object under its new address, with or without a change', async () => {
    const { changes } = await plan(
      moving(declaring([aSong('c', { title: 'a' }), aSong('d')]), { 'song/a': 'song/c', 'song/b': 'song/d' }),
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

  it('looks for the old name without a binding, or where its object is gone', async () => {
    const desiredState = moving(declaring([aSong('c')]), { 'song/a': 'song/c' });
    expect((await plan(desiredState, {})).changes).toMatchObject([{ action: 'update', address: 'song/c', adopts: 'one' }]);
    expect((await plan(desiredState, { 'song/a': 'gone' })).changes).toMatchObject([
      { action: 'update', address: 'song/c', adopts: 'one' },
    ]);
  });

  it('takes no old name that a declared address has, and none for what is known by ID alone', async () => {
    const taken = moving(declaring([aSong('a'), aSong('c')]), { 'song/a': 'song/c' });
    expect((await plan(taken, {})).told).toEqual(['create song/c', 'adopt song/a']);
    const single = moving(declaring([aSingle('c')]), { 'single/a': 'single/c' });
    expect((await plan(single, {})).told).toEqual(['create single/c']);
  });

  it('renames a rule while a new one takes its name', async () => {
    const account = new FakeAccount({ rules: { r: { name: 'p', strength: 1 } } });
    const desiredState = moving(declaring([aRule('p', 2), aRule('p-1')]), { 'rule/p': 'rule/p-1' });
    const past = pastOf([aRule('p')], knowing({ 'rule/p': 'r' }));
    const first = await lived(account, desiredState, past, 'c2', shared);
    expect(first.told).toEqual(['updated rule/p-1', 'created rule/p']);
    expect(account.rules.get('r')).toMatchObject({ name: 'p-1' });
    expect(known(first.past.state)).toEqual({ 'rule/p': 'born-1', 'rule/p-1': 'r' });
    expect(told(await recalled(account, desiredState, first.past, shared))).toEqual([]);
  });

  it('follows a chain, and is applied once', async () => {
    const account = new FakeAccount({ songs: songs() });
    const desiredState = moving(declaring([aSong('b'), aSong('c')]), { 'song/a': 'song/b', 'song/b': 'song/c' });
    const past = pastOf([aSong('a'), aSong('b')], knowing({ 'song/a': 'one', 'song/b': 'two' }));
    const first = await lived(account, desiredState, past, 'c2', shared);
    expect(known(first.past.state)).toEqual({ 'song/b': 'one', 'song/c': 'two' });
    expect([account.songs.get('one')?.title, account.songs.get('two')?.title]).toEqual(['b', 'c']);
    expect(told(await recalled(account, desiredState, first.past, shared))).toEqual([]);
  });

  it('happens to what changes its group but not its ID', async () => {
    const account = new FakeAccount({ songs: { x: { title: '', guard: 0, list: ['x'] } } });
    const regrouped = { ...aSingle('x'), address: 'single/other/x' };
    const { plan: drawn } = await recalled(account, declaring([regrouped]), { ...FIRST, state: knowing({ 'single/x': 'x' }) }, shared);
    expect(drawn.changes).toMatchObject([{ action: 'move', address: 'single/other/x', movedFrom: 'single/x' }]);
  });
});

describe('`removed`', () => {
  const removing = (...addresses: string[]) => moving(declaring([]), {}, addresses);

  it.each([
    ['shared', shared, []],
    ['exclusive', {}, ['delete song/~two']],
  ] as const)('forgets what is bound instead of deleting it, in `%s`, once and for all', async (_ownership, more, others) => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'anything' }, two: { ...plain, title: 'b' } } });
    const first = await lived(account, removing('song/a'), pastOf([aSong('a')], knowing({ 'song/a': 'one' })), 'c2', more);
    expect(told(first.reconciled)).toEqual([...others, 'forget song/a']);
    expect(known(first.past.state)).toEqual({});
    expect([...first.past.state.forgotten]).toEqual(['one']);
    expect(told(await recalled(account, removing('song/a'), first.past, more))).toEqual([]);
    expect(told(await recalled(account, declaring([]), first.past, more))).toEqual([]);
    expect(account.songs.has('one')).toBe(true);
  });

  it('finds objects without a binding by name, by ID, or by the address in the plan', async () => {
    const account = new FakeAccount({ songs: { ...songs(), q: { title: '', guard: 0, list: ['q'] } } });
    const { told: changes } = await plan(removing('song/a', 'single/q', 'song/~hand'), {}, {}, account);
    expect(changes).toEqual(['delete song/~two', 'forget single/q', 'forget song/a', 'forget song/~hand']);
  });

  it('finds by name what its binding has lost', async () => {
    expect((await plan(removing('song/a'), { 'song/a': 'gone' }, {})).told).toContain('forget song/a');
  });

  it('keeps all objects that it may mean, where several fit', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'a' } } });
    const first = await lived(account, removing('song/a'), FIRST, 'c1', {});
    expect([...account.songs.keys()]).toEqual(['one', 'two']);
    expect([...first.past.state.forgotten].sort()).toEqual(['one', 'two']);
  });

  it('says nothing of an object that is declared elsewhere', async () => {
    const desiredState = moving(declaring([aSong('c', { title: 'a' })]), {}, ['song/a']);
    expect((await plan(desiredState, { 'song/a': 'one' })).told).toEqual(['move song/c']);
  });

  it('is undone by declaring it again: then it is ours, and may be deleted', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' } } });
    const forgot = { ...FIRST, state: knowing({}, { forgotten: new Set(['one']) }) };
    const { past } = await lived(account, declaring([aSong('a')]), forgot, 'c1', shared);
    expect(past.state.forgotten.size).toBe(0);
    expect(told(await recalled(account, declaring([]), past, shared))).toEqual(['delete song/a']);
  });

  it('is blocked where `protect` names it', async () => {
    const { changes } = await plan(removing('song/a'), { 'song/a': 'one' }, { target: { ...shared.target, protect: ['song/a'] } });
    expect(changes).toMatchObject([{ action: 'forget', blocked: { check: 'protect' } }]);
  });
});

describe('an earlier commit', () => {
  it.each([
    ['shared', shared],
    ['exclusive', {}],
  ] as const)('what was created is deleted and what was adopted forgotten, in `%s`', async (_ownership, more) => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'b' } } });
    const past = pastOf([aSong('a'), aSong('b')], knowing({ 'song/a': 'one', 'song/b': 'two+' }));
    const back = await lived(account, declaring([]), past, 'c0', { ...more, appliesEarlierCommit: true });
    expect(back.told).toEqual(['deleted song/a', 'forgotten song/b']);
    expect(known(back.past.state)).toEqual({});
    expect(told(await recalled(account, declaring([]), back.past, more))).toEqual([]);
  });

  it('forgets once what is also removed, and deletes both ways forward', async () => {
    const bindings = { 'song/a': 'one+' };
    expect((await plan(moving(declaring([]), {}, ['song/a']), bindings, { ...shared, appliesEarlierCommit: true })).told).toEqual([
      'forget song/a',
    ]);
    expect((await plan(declaring([]), bindings)).told).toEqual(['delete song/a']);
  });
});

describe('a suspicious read', () => {
  const objects = ['1', '2', '3'].map((id) => aLiveSong(id));
  const bound = (...ids: string[]) => knowing(Object.fromEntries(ids.map((id) => [`song/${id}`, id])), { owner: 'me' });

  it.each([
    ['one of one gone', ['x'], false],
    ['half of them gone', ['x', 'y', '1', '2'], false],
    ['two of three gone', ['x', 'y', '1'], true],
    ['both gone', ['x', 'y'], true],
    ['none gone', ['1', '2', '3'], false],
  ])('is one with %s: %j', (_what, ids, doubtful) => {
    expect(suspiciousReadReason(song, objects, null, bound(...ids)) !== undefined).toBe(doubtful);
    expect(suspiciousReadReason(rule, [], null, bound(...ids))).toBeUndefined();
  });

  it('says how many are gone', () => {
    expect(suspiciousReadReason(song, objects, null, bound('x', 'y', '1'))).toBe('2 of 3 objects that were applied are gone');
  });

  it('is one with another owner, where both are known', () => {
    expect(suspiciousReadReason(dial, [], 'you', bound())).toBe('the account answers with another owner than at the last apply');
    expect(suspiciousReadReason(dial, [], 'me', bound())).toBeUndefined();
    expect(suspiciousReadReason(dial, [], null, bound())).toBeUndefined();
    expect(suspiciousReadReason(dial, [], 'you', knowing({}))).toBeUndefined();
    expect(suspiciousReadReason(dial, [], 'you', null)).toBeUndefined();
  });

  it('blocks every change of its kind until it is allowed', async () => {
    const bindings = { 'song/c': 'gone', 'song/d': 'gone too', 'song/a': 'one' };
    const desiredState = declaring([aSong('a', { guard: 1 }), aSong('c'), aSong('d'), aRule('p')]);
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
    account.trap('GET /songs', () => ({ body: { items: [{ id: 'one', ...songs().one }] } }));
    const { drawn } = await plan(declaring([aSong('a')]), { 'song/a': 'one', 'song/b': 'two' }, shared, account);
    expect(drawn.observed.song).toBe('incomplete');
    expect(drawn.changes).toEqual([]);
  });

  it('takes at most five look-ups', async () => {
    const account = new FakeAccount({ songs: songs() });
    const bindings = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`song/${index}`, `gone-${index}`]));
    const { drawn } = await plan(declaring([aSong('a')]), bindings, shared, account);
    expect(account.log('reads').filter((read) => read.startsWith('GET /songs/'))).toHaveLength(5);
    expect(drawn.changes.map(({ action, blocked }) => [action, blocked?.check])).toEqual([['adopt', 'suspicious-read']]);
  });
});
