import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMoves, formerName } from '../../src/state/moves.ts';
import { stateWith } from '../support/previous-states.ts';

function recalledIds(bindings: { readonly [address: string]: string }, moves: readonly (readonly [string, string])[]) {
  const { ids, formerNames } = applyMoves(stateWith(bindings), new Map(moves.map(([from, to]) => [to, from])));
  return { ids: Object.fromEntries(ids), formerNames: Object.fromEntries(formerNames) };
}

describe('applyMoves', () => {
  it('returns the bindings of the ledger where nothing moved, and none without a ledger', () => {
    expect(recalledIds({ 'song/a': '1' }, [])).toEqual({ ids: { 'song/a': '1' }, formerNames: {} });
    expect(applyMoves(null, new Map()).ids.size).toBe(0);
  });

  it('moves a binding to the new address', () => {
    expect(recalledIds({ 'song/a': '1' }, [['song/a', 'song/b']]).ids).toEqual({ 'song/b': '1' });
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
    expect(recalledIds({ 'song/a': '1', 'song/b': '2' }, moves).ids).toEqual({ 'song/b': '1', 'song/c': '2' });
  });

  it('changes nothing after the moves were applied, also if the old address is used again', () => {
    const moves = [
      ['song/a', 'song/b'],
      ['song/b', 'song/c'],
    ] as const;
    const made = { 'song/a': '3', 'song/b': '1', 'song/c': '2' };
    expect(recalledIds(made, moves)).toEqual({ ids: made, formerNames: {} });
  });

  it('keeps the former name, also beside a binding, but not after the move was applied', () => {
    const moves = [
      ['rule/a%20b', 'rule/c'],
      ['rule/d', 'rule/e'],
      ['rule/f', 'rule/g'],
    ] as const;
    expect(recalledIds({ 'rule/d': '1', 'rule/g': '2' }, moves).formerNames).toEqual({ 'rule/c': 'a b', 'rule/e': 'd' });
  });

  it('is idempotent', () => {
    const length = fc.integer({ min: 1, max: 8 });
    const chain = length.chain((count) => fc.tuple(fc.constant(count), fc.integer({ min: 1, max: count })));
    fc.assert(
      fc.property(chain, ([count, bound]) => {
        const moves = Array.from({ length: count }, (_, index) => [`song/${index}`, `song/${index + 1}`] as const);
        const bindings = Object.fromEntries(Array.from({ length: bound }, (_, index) => [`song/${count - 1 - index}`, `id-${index}`]));
        const once = recalledIds(bindings, moves).ids;
        expect(recalledIds({ ...once }, moves).ids[`song/${count}`]).toBe('id-0');
        expect(Object.values(once).sort()).toEqual(Object.values(bindings).sort());
      }),
    );
  });

  it('applies a long chain without recursion', () => {
    const count = 100_000;
    const moved = new Map(Array.from({ length: count }, (_, index) => [`song/${index + 1}`, `song/${index}`]));
    let asked = 0;
    const get = moved.get.bind(moved);
    moved.get = (address) => {
      asked += 1;
      return get(address);
    };
    expect(applyMoves(stateWith({ 'song/0': 'x' }), moved).ids.get('song/1')).toBe('x');
    expect(asked).toBeLessThan(count * 3);
  });
});

describe('formerName', () => {
  it.each([
    ['rule/plain', 'plain'],
    ['rule/uhd%20premium', 'uhd premium'],
    ['rule/100%', '100%'],
    ['single/group/x', 'group/x'],
  ])('of %s is %s', (address, name) => {
    expect(formerName(address)).toBe(name);
  });
});
