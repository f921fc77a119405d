import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DesiredResource, LiveResource } from '../../src/kinds/kind.ts';
import { type MatchResult, matchResources } from '../../src/plan/match.ts';
import type { MovedBindings } from '../../src/state/state.ts';
import { dial, rule, song } from './fakes.ts';
import { aLiveRule, aLiveSong, aRule, aSingle, aSong, theDial } from './runs.ts';

const NONE = new Map<string, string>();

function pairs(match: MatchResult): { readonly [address: string]: string } {
  return Object.fromEntries([...match.pairs].map(([address, live]) => [address, live.id]));
}

describe('identify', () => {
  it('goes by ID, then by label', () => {
    const objects = [aLiveSong('one', { title: 'b' }), aLiveSong('two', { title: 'a' }), aLiveSong('x', { list: ['x'] })];
    const match = matchResources(song, [aSong('a'), aSong('b'), aSingle('x')], objects, NONE);
    expect(pairs(match)).toEqual({ 'song/a': 'two', 'song/b': 'one', 'single/x': 'x' });
    expect(match.unmatched).toEqual([]);
    expect(match.ambiguous.size).toBe(0);
  });

  it('puts `adopt` before every clue, and leaves what it does not take', () => {
    const objects = [aLiveSong('one', { title: 'a' }), aLiveSong('two', { title: 'other' })];
    const match = matchResources(song, [aSong('a')], objects, new Map([['song/a', 'two']]));
    expect(pairs(match)).toEqual({ 'song/a': 'two' });
    expect(match.unmatched.map(({ id }) => id)).toEqual(['one']);
  });

  it('leaves no object to a delete that a contested address may mean', () => {
    const objects = [aLiveSong('one', { title: 'a' }), aLiveSong('two', { title: 'b' }), aLiveSong('three', { title: 'c' })];
    const adopt = new Map([
      ['song/a', 'one'],
      ['song/b', 'one'],
    ]);
    const match = matchResources(song, [aSong('a'), aSong('b')], objects, adopt);
    expect([...match.ambiguous.keys()].sort()).toEqual(['song/a', 'song/b']);
    expect(match.unmatched.map(({ id }) => id)).toEqual(['three']);
  });

  it('prefers the ID of the asset to the label', () => {
    const objects = [aLiveSong('one', { title: 'a' }), aLiveSong('x', { title: '', list: ['x'] })];
    expect(pairs(matchResources(song, [aSong('a', { list: ['x'] })], objects, NONE))).toEqual({ 'song/a': 'x' });
  });

  it('counts an `adopt` whose object is gone as none, and says so', () => {
    const match = matchResources(song, [aSong('a')], [aLiveSong('one', { title: 'a' })], new Map([['song/a', 'gone']]));
    expect(pairs(match)).toEqual({ 'song/a': 'one' });
    expect(match.warnings).toMatchInlineSnapshot(`
      [
        {
          "address": "song/a",
          "code": "adopt-target-missing",
          "hint": "remove the line from adopt",
          "summary": "adopt names gone, which the account does not have",
        },
      ]
    `);
  });

  it('does not bind what the kind refuses, by `adopt` or by ID, and warns where the ID was asked for', () => {
    const objects = [aLiveSong('x', { list: ['x'] })];
    const match = matchResources(song, [aSong('a')], objects, new Map([['song/a', 'x']]));
    expect(pairs(match)).toEqual({});
    expect(match.unmatched).toEqual(objects);
    expect(match.warnings).toMatchInlineSnapshot(`
      [
        {
          "address": "song/a",
          "code": "id-changes",
          "hint": "a new object is created instead of x, and the ID changes",
          "summary": "x keeps its one asset",
        },
      ]
    `);
  });

  it('never takes a single or a nameless object for a label', () => {
    const objects = [aLiveSong('x', { title: 'a', list: ['x'] }), aLiveSong('one', { title: '' })];
    const match = matchResources(song, [aSong('a'), aSong('b', { title: '' })], objects, NONE);
    expect(pairs(match)).toEqual({});
    expect(match.unmatched).toEqual(objects);
  });

  it('contests two candidates, names them, and deletes neither', () => {
    const objects = [aLiveSong('two', { title: 'a' }), aLiveSong('one', { title: 'a' })];
    const match = matchResources(song, [aSong('a')], objects, NONE);
    expect(pairs(match)).toEqual({});
    expect(match.ambiguous.get('song/a')).toBe('2 live objects fit it: one, two');
    expect(match.unmatched).toEqual([]);
  });

  it('contests an object that several addresses are bound to, and each reason names the others', () => {
    const adopt = new Map(['a', 'b', 'c'].map((key) => [`song/${key}`, 'one']));
    const match = matchResources(song, [aSong('a'), aSong('b'), aSong('c')], [aLiveSong('one')], adopt);
    expect(pairs(match)).toEqual({});
    expect([...match.ambiguous.keys()].sort()).toEqual(['song/a', 'song/b', 'song/c']);
    expect(match.ambiguous.get('song/a')).toBe('one live object (one) is claimed by song/a, song/b, song/c');
    expect(match.ambiguous.get('song/c')).toBe('one live object (one) is claimed by song/a, song/b, song/c');
    expect(match.unmatched).toEqual([]);
  });

  it('contests an object that is adopted by one address and has the ID of another', () => {
    const objects = [aLiveSong('x', { title: 'any', list: ['p', 'q'] })];
    const match = matchResources(song, [aSong('a'), aSingle('x')], objects, new Map([['song/a', 'x']]));
    expect([...match.ambiguous.keys()].sort()).toEqual(['single/x', 'song/a']);
    expect(match.unmatched).toEqual([]);
  });

  it('leaves a candidate alone that another address has by `adopt`', () => {
    const objects = [aLiveSong('one', { title: 'a' }), aLiveSong('two', { title: 'a' })];
    const match = matchResources(song, [aSong('a'), aSong('b')], objects, new Map([['song/b', 'two']]));
    expect(pairs(match)).toEqual({ 'song/a': 'one', 'song/b': 'two' });
  });

  it('pairs a singleton with its one object, and knows neither too much', () => {
    const live = { ...aLiveSong('', { title: '' }), section: 'dial' };
    expect(pairs(matchResources(dial, [theDial(true, [])], [live], NONE))).toEqual({ dial: '' });
    expect(matchResources(dial, [], [live], NONE)).toMatchObject({ unmatched: [], warnings: [] });
    expect(pairs(matchResources(dial, [theDial(true, [])], [], NONE))).toEqual({});
  });

  it('goes by names for rules', () => {
    const match = matchResources(rule, [aRule('p')], [aLiveRule('1', 'p'), aLiveRule('2', 'q')], NONE);
    expect(pairs(match)).toEqual({ 'rule/p': '1' });
    expect(match.unmatched.map(({ id }) => id)).toEqual(['2']);
  });
});

describe('identify with what is recalled', () => {
  const recalled = (ids: { readonly [address: string]: string }, names: { readonly [address: string]: string } = {}): MovedBindings => ({
    ids: new Map(Object.entries(ids)),
    formerNames: new Map(Object.entries(names)),
  });

  it('puts a binding after `adopt` and before every clue', () => {
    const objects = [aLiveSong('one', { title: 'a' }), aLiveSong('two', { title: 'x' }), aLiveSong('three', { title: 'b' })];
    const adopt = new Map([['song/a', 'two']]);
    const match = matchResources(song, [aSong('a'), aSong('b')], objects, adopt, recalled({ 'song/a': 'one', 'song/b': 'one' }));
    expect(pairs(match)).toEqual({ 'song/a': 'two', 'song/b': 'one' });
    expect(match.unmatched.map(({ id }) => id)).toEqual(['three']);
  });

  it('binds nothing that the kind refuses, and says that the ID changes', () => {
    const match = matchResources(song, [aSong('a')], [aLiveSong('x', { list: ['x'] })], NONE, recalled({ 'song/a': 'x' }));
    expect(pairs(match)).toEqual({});
    expect(match.warnings).toMatchObject([{ code: 'id-changes', address: 'song/a' }]);
  });

  it('binds nothing that is known by its ID alone', () => {
    const objects = [aLiveSong('other', { title: 'x', list: ['p', 'q'] })];
    expect(pairs(matchResources(song, [aSingle('x')], objects, NONE, recalled({ 'single/x': 'other' }, { 'single/x': 'x' })))).toEqual({});
  });

  it('goes by a former name last, and contests two that bear it', () => {
    const former = recalled({}, { 'song/b': 'a' });
    expect(pairs(matchResources(song, [aSong('b')], [aLiveSong('one', { title: 'a' })], NONE, former))).toEqual({ 'song/b': 'one' });
    const own = [aLiveSong('one', { title: 'a' }), aLiveSong('two', { title: 'b' })];
    expect(pairs(matchResources(song, [aSong('b')], own, NONE, former))).toEqual({ 'song/b': 'two' });
    const twins = [aLiveSong('one', { title: 'a' }), aLiveSong('two', { title: 'a' })];
    expect(matchResources(song, [aSong('b')], twins, NONE, former).ambiguous.get('song/b')).toBe('2 live objects fit it: one, two');
  });
});

describe('identify, whatever the order', () => {
  const titles = fc.constantFrom('a', 'b', 'c', '');
  const object = fc
    .record({ id: fc.constantFrom('1', '2', '3', '4', '5'), title: titles, single: fc.boolean() })
    .map(({ id, title, single }): LiveResource => aLiveSong(id, { title, list: single ? [id] : ['x', 'y'] }));
  const objects = fc.uniqueArray(object, { selector: ({ id }) => id });
  const resource = fc.oneof(
    fc.record({ key: fc.constantFrom('k', 'l', 'm'), title: titles }).map(({ key, title }): DesiredResource => aSong(key, { title })),
    fc.constantFrom('1', '2').map((asset): DesiredResource => aSingle(asset)),
  );
  const resources = fc.uniqueArray(resource, { selector: ({ address }) => address });
  const adopt = fc
    .dictionary(fc.constantFrom('song/k', 'song/l', 'song/m'), fc.constantFrom('1', '2', '3', 'gone'))
    .map((bindings) => new Map(Object.entries(bindings)));
  const shuffled = <Item>(items: readonly Item[]) => fc.shuffledSubarray([...items], { minLength: items.length });
  const world = fc.tuple(resources, objects, adopt).chain(([some, live, bound]) =>
    fc.record({
      some: fc.constant(some),
      live: fc.constant(live),
      bound: fc.constant(bound),
      some2: shuffled(some),
      live2: shuffled(live),
    }),
  );
  const sorted = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

  it('comes to the same', () => {
    fc.assert(
      fc.property(world, ({ some, live, bound, some2, live2 }) => {
        const one = matchResources(song, some, live, bound);
        const other = matchResources(song, some2, live2, bound);
        expect(sorted(other.pairs)).toEqual(sorted(one.pairs));
        expect(sorted(other.ambiguous)).toEqual(sorted(one.ambiguous));
        expect(other.unmatched.map(({ id }) => id).sort()).toEqual(one.unmatched.map(({ id }) => id).sort());
      }),
    );
  });

  it('gives an object to one address at most, and one that is claimed is never undeclared', () => {
    fc.assert(
      fc.property(world, ({ some, live, bound }) => {
        const { pairs: found, ambiguous, unmatched } = matchResources(song, some, live, bound);
        const ids = [...found.values()].map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(unmatched.filter(({ id }) => ids.includes(id))).toEqual([]);
        expect([...found.keys()].filter((address) => ambiguous.has(address))).toEqual([]);
      }),
    );
  });
});
