import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMoves, nameFromKey } from '../../../src/core/state/moves.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { aRule, aSingle, aSong, changeLines, desiredStateOf, withMoves } from '../../support/planning.ts';
import { type Bindings, bindingsOf, EMPTY_LEDGER, historyOf, planAfter, planAndApply, stateWith } from '../../support/previous-states.ts';
import { assertProperty } from '../../support/property.ts';
import { planWithBindings, shared, songs } from './fixture.ts';

function effectiveBindings(bindings: Bindings, moves: readonly (readonly [string, string])[]) {
  const { ids, oldKeys } = applyMoves(stateWith(bindings), new Map(moves.map(([from, to]) => [to, from])));
  return { ids: Object.fromEntries(ids), oldKeys: Object.fromEntries(oldKeys) };
}

describe('applyMoves', () => {
  it('returns the bindings of the ledger where nothing moved, and none without a ledger', () => {
    expect(effectiveBindings({ 'song/a': '1' }, [])).toEqual({ ids: { 'song/a': '1' }, oldKeys: {} });
    expect(applyMoves(null, new Map()).ids.size).toBe(0);
  });

  it('moves a binding to the new address', () => {
    expect(effectiveBindings({ 'song/a': '1' }, [['song/a', 'song/b']]).ids).toEqual({ 'song/b': '1' });
  });

  it.each([
    [
      'forwards',
      [
        ['song/a', 'song/b'],
        ['song/b', 'song/c'],
      ] as const,
    ],
    [
      'backwards',
      [
        ['song/b', 'song/c'],
        ['song/a', 'song/b'],
      ] as const,
    ],
  ])('applies a chain from its last address, written %s', (_how, moves) => {
    expect(effectiveBindings({ 'song/a': '1', 'song/b': '2' }, moves).ids).toEqual({ 'song/b': '1', 'song/c': '2' });
  });

  it('changes nothing after the moves were applied, also if the old address is used again', () => {
    const moves = [
      ['song/a', 'song/b'],
      ['song/b', 'song/c'],
    ] as const;
    const made = { 'song/a': '3', 'song/b': '1', 'song/c': '2' };
    expect(effectiveBindings(made, moves)).toEqual({ ids: made, oldKeys: {} });
  });

  it('keeps the former name, also beside a binding, but not after the move was applied', () => {
    const moves = [
      ['rule/a%20b', 'rule/c'],
      ['rule/d', 'rule/e'],
      ['rule/f', 'rule/g'],
    ] as const;
    expect(effectiveBindings({ 'rule/d': '1', 'rule/g': '2' }, moves).oldKeys).toEqual({ 'rule/c': 'a b', 'rule/e': 'd' });
  });

  it('is idempotent', () => {
    const length = fc.integer({ min: 1, max: 8 });
    const chain = length.chain((count) => fc.tuple(fc.constant(count), fc.integer({ min: 1, max: count })));
    assertProperty(
      fc.property(chain, ([count, bound]) => {
        const moves = Array.from({ length: count }, (_, index) => [`song/${index}`, `song/${index + 1}`] as const);
        const bindings = Object.fromEntries(Array.from({ length: bound }, (_, index) => [`song/${count - 1 - index}`, `id-${index}`]));
        const once = effectiveBindings(bindings, moves).ids;
        expect(effectiveBindings({ ...once }, moves).ids[`song/${count}`]).toBe('id-0');
        expect(Object.values(once).sort()).toEqual(Object.values(bindings).sort());
      }),
    );
  });

  it('applies a long chain without recursion', () => {
    const count = 20_000;
    const oldAddressByNew = new Map(Array.from({ length: count }, (_, index) => [`song/${index + 1}`, `song/${index}`]));
    let asked = 0;
    const get = oldAddressByNew.get.bind(oldAddressByNew);
    oldAddressByNew.get = (address) => {
      asked += 1;
      return get(address);
    };
    expect(applyMoves(stateWith({ 'song/0': 'x' }), oldAddressByNew).ids.get('song/1')).toBe('x');
    expect(asked).toBeLessThan(count * 3);
  });
});

describe('nameFromKey', () => {
  it.each([
    ['rule/plain', 'plain'],
    ['rule/uhd%20premium', 'uhd premium'],
    ['rule/100%', '100%'],
    ['single/group/x', 'group/x'],
  ])('of %s is %s', (address, name) => {
    expect(nameFromKey(address)).toBe(name);
  });
});

describe('`moved`', () => {
  it('keeps the object under its new address, with or without a change', async () => {
    const { changes } = await planWithBindings(
      withMoves(desiredStateOf([aSong('c', { title: 'a' }), aSong('d')]), { 'song/a': 'song/c', 'song/b': 'song/d' }),
      {
        'song/a': 'one',
        'song/b': 'two',
      },
    );
    expect(changes.map((change) => [change.action, change.address, 'movedFrom' in change ? change.movedFrom : undefined])).toEqual([
      ['update', 'song/d', 'song/b'],
      ['move', 'song/c', 'song/a'],
    ]);
  });

  it('matches by the old name without a binding, or where the bound object is gone', async () => {
    const desiredState = withMoves(desiredStateOf([aSong('c')]), { 'song/a': 'song/c' });
    expect((await planWithBindings(desiredState, {})).changes).toMatchObject([{ action: 'update', address: 'song/c', adopts: 'one' }]);
    expect((await planWithBindings(desiredState, { 'song/a': 'gone' })).changes).toMatchObject([
      { action: 'update', address: 'song/c', adopts: 'one' },
    ]);
  });

  it('does not match by the old name an object of a declared address, or for a resource that is matched by ID only', async () => {
    const declaredAgain = withMoves(desiredStateOf([aSong('a'), aSong('c')]), { 'song/a': 'song/c' });
    expect((await planWithBindings(declaredAgain, {})).lines).toEqual(['create song/c', 'adopt song/a']);
    const single = withMoves(desiredStateOf([aSingle('c')]), { 'single/a': 'single/c' });
    expect((await planWithBindings(single, {})).lines).toEqual(['create single/c']);
  });

  it('renames a rule before a new one is created with its old name', async () => {
    const account = new FakeAccount({ rules: { r: { name: 'p', strength: 1 } } });
    const desiredState = withMoves(desiredStateOf([aRule('p', 2), aRule('p-1')]), { 'rule/p': 'rule/p-1' });
    const history = historyOf([aRule('p')], stateWith({ 'rule/p': 'r' }));
    const first = await planAndApply(account, desiredState, history, 'c2', shared);
    expect(first.outcomeLines).toEqual(['updated rule/p-1', 'created rule/p']);
    expect(account.rules.get('r')).toMatchObject({ name: 'p-1' });
    expect(bindingsOf(first.history.state)).toEqual({ 'rule/p': 'born-1', 'rule/p-1': 'r' });
    expect(changeLines(await planAfter(account, desiredState, first.history, shared))).toEqual([]);
  });

  it('follows a chain, and is applied once', async () => {
    const account = new FakeAccount({ songs: songs() });
    const desiredState = withMoves(desiredStateOf([aSong('b'), aSong('c')]), { 'song/a': 'song/b', 'song/b': 'song/c' });
    const history = historyOf([aSong('a'), aSong('b')], stateWith({ 'song/a': 'one', 'song/b': 'two' }));
    const first = await planAndApply(account, desiredState, history, 'c2', shared);
    expect(bindingsOf(first.history.state)).toEqual({ 'song/b': 'one', 'song/c': 'two' });
    expect([account.songs.get('one')?.title, account.songs.get('two')?.title]).toEqual(['b', 'c']);
    expect(changeLines(await planAfter(account, desiredState, first.history, shared))).toEqual([]);
  });

  it('is implied where an object changes its group but not its ID', async () => {
    const account = new FakeAccount({ songs: { x: { title: '', level: 0, list: ['x'] } } });
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
