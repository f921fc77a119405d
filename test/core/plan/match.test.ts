// Fake kinds (test/support/fake-kinds.ts): song = playlist, single = smart start, rule = policy, dial = setting, shelf = asset catalog.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { DesiredResource, LiveObject, LiveSetting } from '../../../src/core/kinds/kind.ts';
import type { MatchedBy } from '../../../src/core/model/explanation.ts';
import { type MatchResult, matchedBy, matchResources, matchSetting } from '../../../src/core/plan/match.ts';
import { applyMoves, type EffectiveBindings, NO_BINDINGS } from '../../../src/core/state/moves.ts';
import { rule, song } from '../../support/fake-kinds.ts';
import { aLiveRule, aLiveSong, aRule, aSingle, aSong, theDial } from '../../support/planning.ts';
import { stateWith } from '../../support/previous-states.ts';
import { assertProperty } from '../../support/property.ts';

const NONE = new Map<string, string>();

const LIVE_DIAL: LiveSetting = { id: null, fields: { open: false, list: [] }, unknownMembers: [] };

function idsByAddress(match: MatchResult): { readonly [address: string]: string | null } {
  return Object.fromEntries([...match.liveByAddress].map(([address, live]) => [address, live.id]));
}

describe('matchResources', () => {
  it('matches by ID first, then by name', () => {
    const objects = [aLiveSong('id-1', { title: 'b' }), aLiveSong('id-2', { title: 'a' }), aLiveSong('x', { list: ['x'] })];
    const match = matchResources(song, [aSong('a'), aSong('b'), aSingle('x')], objects, NONE);
    expect(idsByAddress(match)).toEqual({ 'song/a': 'id-2', 'song/b': 'id-1', 'single/x': 'x' });
    expect(match.unclaimed).toEqual([]);
    expect(match.identityProblems.size).toBe(0);
  });

  it('prefers `adopt` to every match key, and leaves the other object unclaimed', () => {
    const objects = [aLiveSong('id-1', { title: 'a' }), aLiveSong('id-2', { title: 'other' })];
    const match = matchResources(song, [aSong('a')], objects, new Map([['song/a', 'id-2']]));
    expect(idsByAddress(match)).toEqual({ 'song/a': 'id-2' });
    expect(match.unclaimed.map(({ id }) => id)).toEqual(['id-1']);
  });

  it('does not count an object as unclaimed that fits an address with an identity problem', () => {
    const objects = [aLiveSong('id-1', { title: 'a' }), aLiveSong('id-2', { title: 'b' }), aLiveSong('id-3', { title: 'c' })];
    const adopt = new Map([
      ['song/a', 'id-1'],
      ['song/b', 'id-1'],
    ]);
    const match = matchResources(song, [aSong('a'), aSong('b')], objects, adopt);
    expect([...match.identityProblems.keys()].sort()).toEqual(['song/a', 'song/b']);
    expect(match.unclaimed.map(({ id }) => id)).toEqual(['id-3']);
  });

  it('prefers the ID of the asset to the name', () => {
    const objects = [aLiveSong('id-1', { title: 'a' }), aLiveSong('x', { title: '', list: ['x'] })];
    expect(idsByAddress(matchResources(song, [aSong('a', { list: ['x'] })], objects, NONE))).toEqual({ 'song/a': 'x' });
  });

  it('ignores a line of `adopt` whose object does not exist, and warns', () => {
    const match = matchResources(song, [aSong('a')], [aLiveSong('id-1', { title: 'a' })], new Map([['song/a', 'id-missing']]));
    expect(idsByAddress(match)).toEqual({ 'song/a': 'id-1' });
    expect(match.warnings).toMatchInlineSnapshot(`
      [
        {
          "address": "song/a",
          "code": "adopt-target-missing",
          "hint": "Remove the line from \`adopt\`.",
          "summary": "\`adopt\` names id-missing, which the account does not have",
        },
      ]
    `);
  });

  it('does not match an object that `whyNotBindable` refuses, and warns if `adopt` names it', () => {
    const objects = [aLiveSong('x', { list: ['x'] })];
    const match = matchResources(song, [aSong('a')], objects, new Map([['song/a', 'x']]));
    expect(idsByAddress(match)).toEqual({});
    expect(match.unclaimed).toEqual(objects);
    expect(match.warnings).toMatchInlineSnapshot(`
      [
        {
          "address": "song/a",
          "code": "id-changes",
          "hint": "upkeep does not use x for this address. It takes another object that fits, or creates one, with another ID.",
          "summary": "x keeps its one asset",
        },
      ]
    `);
  });

  it('never matches by name an object with the ID of its asset, or one without a name', () => {
    const objects = [aLiveSong('x', { title: 'a', list: ['x'] }), aLiveSong('id-1', { title: '' })];
    const match = matchResources(song, [aSong('a'), aSong('b', { title: '' })], objects, NONE);
    expect(idsByAddress(match)).toEqual({});
    expect(match.unclaimed).toEqual(objects);
  });

  it('reports an identity problem that names the objects if two fit an address, and returns neither as unclaimed', () => {
    const objects = [aLiveSong('id-2', { title: 'a' }), aLiveSong('id-1', { title: 'a' })];
    const match = matchResources(song, [aSong('a')], objects, NONE);
    expect(idsByAddress(match)).toEqual({});
    expect(match.identityProblems.get('song/a')).toBe('2 live objects fit it: id-1, id-2');
    expect(match.unclaimed).toEqual([]);
  });

  it('reports an identity problem of all addresses that adopt the same object, which lists them', () => {
    const adopt = new Map(['a', 'b', 'c'].map((key) => [`song/${key}`, 'id-1']));
    const match = matchResources(song, [aSong('a'), aSong('b'), aSong('c')], [aLiveSong('id-1')], adopt);
    expect(idsByAddress(match)).toEqual({});
    expect([...match.identityProblems.keys()].sort()).toEqual(['song/a', 'song/b', 'song/c']);
    expect(match.identityProblems.get('song/a')).toBe('one live object (id-1) is claimed by song/a, song/b, song/c');
    expect(match.identityProblems.get('song/c')).toBe('one live object (id-1) is claimed by song/a, song/b, song/c');
    expect(match.unclaimed).toEqual([]);
  });

  it('reports an identity problem of two addresses if one adopts the object and the other fits its ID', () => {
    const objects = [aLiveSong('x', { title: 'any', list: ['p', 'q'] })];
    const match = matchResources(song, [aSong('a'), aSingle('x')], objects, new Map([['song/a', 'x']]));
    expect([...match.identityProblems.keys()].sort()).toEqual(['single/x', 'song/a']);
    expect(match.unclaimed).toEqual([]);
  });

  it('does not match an object that another address adopts', () => {
    const objects = [aLiveSong('id-1', { title: 'a' }), aLiveSong('id-2', { title: 'a' })];
    const match = matchResources(song, [aSong('a'), aSong('b')], objects, new Map([['song/b', 'id-2']]));
    expect(idsByAddress(match)).toEqual({ 'song/a': 'id-1', 'song/b': 'id-2' });
  });

  it('matches an address in spite of a conflict between two other addresses', () => {
    const objects = [aLiveSong('id-1', { title: 'p' }), aLiveSong('id-2', { title: 'c' })];
    const adopt = new Map(['a', 'b'].map((key) => [`song/${key}`, 'id-1']));
    const match = matchResources(song, [aSong('a'), aSong('b'), aSong('c')], objects, adopt);
    expect(idsByAddress(match)).toEqual({ 'song/c': 'id-2' });
    expect([...match.identityProblems.keys()]).toEqual(['song/a', 'song/b']);
  });

  it('does not count an object as unclaimed whose ID is a match key of an address with an identity problem', () => {
    const objects = [aLiveSong('id-1', { title: 'p' }), aLiveSong('x', { list: ['x'] }), aLiveSong('z', { list: ['z'] })];
    const adopt = new Map(['song/a', 'single/x'].map((address) => [address, 'id-1']));
    const match = matchResources(song, [aSong('a'), aSingle('x')], objects, adopt);
    expect([...match.identityProblems.keys()].sort()).toEqual(['single/x', 'song/a']);
    expect(match.unclaimed.map(({ id }) => id)).toEqual(['z']);
  });

  it('reports an identity problem that lists each object once, over all names of a resource', () => {
    const named = { ...aSong('a'), matchKeys: [{ remoteName: 'a' }, { remoteName: 'b' }, { remoteName: 'a' }] };
    const objects = [aLiveSong('id-1', { title: 'a' }), aLiveSong('id-2', { title: 'b' })];
    const match = matchResources(song, [named], objects, NONE);
    expect(match.identityProblems.get('song/a')).toBe('2 live objects fit it: id-1, id-2');
    expect(match.unclaimed).toEqual([]);
  });

  it('names only the first five of many objects that fit an address', () => {
    const fitting = (count: number) => Array.from({ length: count }, (_, index) => aLiveSong(`id-${count - index}`, { title: 'a' }));
    const problem = (count: number) => matchResources(song, [aSong('a')], fitting(count), NONE).identityProblems.get('song/a');
    expect(problem(5)).toBe('5 live objects fit it: id-1, id-2, id-3, id-4, id-5');
    expect(problem(7)).toBe('7 live objects fit it: id-1, id-2, id-3, id-4, id-5 and 2 more');
  });

  it('matches by ID where the kind has no `whyNotBindable`, and not where that refuses the object', () => {
    const objects = [aLiveSong('x', { list: ['x'] })];
    const { whyNotBindable: _refuses, ...willing } = song;
    expect(idsByAddress(matchResources(willing, [aSingle('x')], objects, NONE))).toEqual({ 'single/x': 'x' });
    const refusing = { ...song, whyNotBindable: () => 'never' };
    expect(idsByAddress(matchResources(refusing, [aSingle('x')], objects, NONE))).toEqual({});
  });

  it('matches a setting with that of the account, if both exist', () => {
    expect(idsByAddress(matchSetting([theDial(true, [])], [LIVE_DIAL]))).toEqual({ dial: null });
    expect(matchSetting([], [LIVE_DIAL])).toMatchObject({ unclaimed: [], warnings: [] });
    expect(idsByAddress(matchSetting([theDial(true, [])], []))).toEqual({});
  });

  it('matches resources of the fake kind `rule` by name', () => {
    const match = matchResources(rule, [aRule('p')], [aLiveRule('1', 'p'), aLiveRule('2', 'q')], NONE);
    expect(idsByAddress(match)).toEqual({ 'rule/p': '1' });
    expect(match.unclaimed.map(({ id }) => id)).toEqual(['2']);
  });
});

describe('matchResources, of addresses that would be created with an equal match key,', () => {
  const problems = (resources: readonly DesiredResource[], objects: readonly LiveObject[] = [], adopt = NONE) =>
    Object.fromEntries(matchResources(song, resources, objects, adopt).identityProblems);

  it('reports an identity problem of each that shares its name with another, and of no other', () => {
    expect(problems([aSong('a', { title: 't' }), aSong('c'), aSong('b', { title: 't' })])).toEqual({
      'song/a': 'song/a, song/b would be created with the same name t',
      'song/b': 'song/a, song/b would be created with the same name t',
    });
  });

  it('reports an identity problem of each that shares its ID with another', () => {
    expect(problems([aSong('a', { list: ['x'] }), aSong('b', { list: ['x'] })])).toEqual({
      'song/a': 'song/a, song/b would be created with the same ID x',
      'song/b': 'song/a, song/b would be created with the same ID x',
    });
  });

  it('does not confuse an ID and a name with the same text', () => {
    expect(problems([aSong('a', { title: 'x' }), aSingle('x')])).toEqual({});
  });

  it('reports no identity problem where only one of them is created', () => {
    const resources = [aSong('a', { title: 't' }), aSong('b', { title: 't' })];
    expect(problems(resources, [aLiveSong('id-1', { title: 'by hand' })], new Map([['song/a', 'id-1']]))).toEqual({});
  });
});

describe('matchResources, of an object whose name may be another form of a desired name,', () => {
  const untrimmed = aSong('a', { title: 'Evening ' });
  const evening = aLiveSong('id-1', { title: 'Evening' });
  const problem =
    'the `title` of id-1 ("Evening") may be that of this address, as the service stored it; ' +
    'if id-1 is another object, write `removed: [song/~id-1]`';

  it('does not match it, reports an identity problem that says how to go on, and does not return it as unclaimed', () => {
    const match = matchResources(song, [untrimmed], [evening, aLiveSong('id-2')], NONE);
    expect(idsByAddress(match)).toEqual({});
    expect([...match.identityProblems]).toEqual([['song/a', problem]]);
    expect(match.unclaimed.map(({ id }) => id)).toEqual(['id-2']);
  });

  it('names every such object, and the address of the one with the lowest ID', () => {
    const objects = [aLiveSong('id-2', { title: ' Evening' }), evening];
    expect(matchResources(song, [untrimmed], objects, NONE).identityProblems.get('song/a')).toBe(
      'the `title` of id-1 ("Evening"), id-2 (" Evening") may be that of this address, as the service stored it; ' +
        'if id-1 is another object, write `removed: [song/~id-1]`',
    );
  });

  describe('which another address has by its name,', () => {
    const long = aSong('a', { title: 'Evening block', list: ['p'] });
    const short = aSong('b', { title: 'Evening ', list: ['q'] });
    const stored = (list: readonly string[]) => aLiveSong('id-1', { title: 'Evening ', list });

    it('gives it to neither where its content is that of the longer name alone: the service may have cut it', () => {
      for (const resources of [
        [long, short],
        [short, long],
      ]) {
        const match = matchResources(song, resources, [stored(['p'])], NONE);
        expect(idsByAddress(match)).toEqual({});
        const reason = 'one live object (id-1) is claimed by song/a, song/b';
        expect(match.identityProblems).toEqual(new Map(['song/a', 'song/b'].map((address) => [address, reason])));
      }
    });

    it('reports it also where several objects fit the other address', () => {
      const match = matchResources(song, [long, short], [stored(['p']), aLiveSong('id-2', { title: 'Evening ', list: ['q'] })], NONE);
      expect(idsByAddress(match)).toEqual({});
      expect([...match.identityProblems.keys()].sort()).toEqual(['song/a', 'song/b']);
    });

    it('leaves it there where its content is that of the other address, of both, or of neither', () => {
      expect(idsByAddress(matchResources(song, [long, short], [stored(['q'])], NONE))).toEqual({ 'song/b': 'id-1' });
      expect(idsByAddress(matchResources(song, [long, short], [stored(['r'])], NONE))).toEqual({ 'song/b': 'id-1' });
      const same = aSong('b', { title: 'Evening ', list: ['p'] });
      expect(idsByAddress(matchResources(song, [long, same], [stored(['p'])], NONE))).toEqual({ 'song/b': 'id-1' });
    });

    it('leaves it there where `adopt` or the ledger binds it, or the ledger knows it', () => {
      const adopted = matchResources(song, [long, short], [stored(['p'])], new Map([['song/b', 'id-1']]));
      expect(idsByAddress(adopted)).toEqual({ 'song/b': 'id-1' });
      const known = matchResources(song, [long, short], [stored(['p'])], NONE, NO_BINDINGS, ({ id }) => id === 'id-1');
      expect(idsByAddress(known)).toEqual({ 'song/b': 'id-1' });
    });
  });

  it('reports nothing where the object belongs to another address', () => {
    const match = matchResources(song, [untrimmed, aSong('b', { title: 'Evening' })], [evening], NONE);
    expect(idsByAddress(match)).toEqual({ 'song/b': 'id-1' });
    expect([...match.identityProblems]).toEqual([]);
  });

  it('reports nothing of an object that the ledger binds or has forgotten, or that `removed` names', () => {
    const match = matchResources(song, [untrimmed], [evening], NONE, NO_BINDINGS, ({ id }) => id === 'id-1');
    expect([...match.identityProblems]).toEqual([]);
    expect(match.unclaimed).toEqual([evening]);
  });

  it('reports nothing of an address that has an object already', () => {
    const match = matchResources(song, [untrimmed], [evening, aLiveSong('id-2', { title: 'Evening ' })], NONE);
    expect(idsByAddress(match)).toEqual({ 'song/a': 'id-2' });
    expect([...match.identityProblems]).toEqual([]);
    expect(match.unclaimed).toEqual([evening]);
  });

  it('reports nothing where no name is alike', () => {
    const match = matchResources(song, [untrimmed], [aLiveSong('id-1', { title: 'Morning' })], NONE);
    expect([...match.identityProblems]).toEqual([]);
  });
});

describe('matchResources with the bindings of the ledger', () => {
  const effectiveBindings = (
    ids: { readonly [address: string]: string },
    oldKeys: { readonly [address: string]: string } = {},
  ): EffectiveBindings => ({
    ids: new Map(Object.entries(ids)),
    oldKeys: new Map(Object.entries(oldKeys)),
  });

  it('prefers `adopt` to a binding, and a binding to every match key', () => {
    const objects = [aLiveSong('id-1', { title: 'a' }), aLiveSong('id-2', { title: 'x' }), aLiveSong('id-3', { title: 'b' })];
    const adopt = new Map([['song/a', 'id-2']]);
    const match = matchResources(song, [aSong('a'), aSong('b')], objects, adopt, effectiveBindings({ 'song/a': 'id-1', 'song/b': 'id-1' }));
    expect(idsByAddress(match)).toEqual({ 'song/a': 'id-2', 'song/b': 'id-1' });
    expect(match.unclaimed.map(({ id }) => id)).toEqual(['id-3']);
  });

  it('does not match a bound object that `whyNotBindable` refuses, and warns that the ID changes', () => {
    const match = matchResources(song, [aSong('a')], [aLiveSong('x', { list: ['x'] })], NONE, effectiveBindings({ 'song/a': 'x' }));
    expect(idsByAddress(match)).toEqual({});
    expect(match.warnings).toMatchObject([{ code: 'id-changes', address: 'song/a' }]);
  });

  it('ignores the binding of a resource that is matched by its ID alone', () => {
    const objects = [aLiveSong('other', { title: 'x', list: ['p', 'q'] })];
    expect(
      idsByAddress(matchResources(song, [aSingle('x')], objects, NONE, effectiveBindings({ 'single/x': 'other' }, { 'single/x': 'x' }))),
    ).toEqual({});
  });

  it('matches by the old key of `moved` last, and reports an identity problem if two objects have that name', () => {
    const moved = effectiveBindings({}, { 'song/b': 'a' });
    expect(idsByAddress(matchResources(song, [aSong('b')], [aLiveSong('id-1', { title: 'a' })], NONE, moved))).toEqual({
      'song/b': 'id-1',
    });
    const both = [aLiveSong('id-1', { title: 'a' }), aLiveSong('id-2', { title: 'b' })];
    expect(idsByAddress(matchResources(song, [aSong('b')], both, NONE, moved))).toEqual({ 'song/b': 'id-2' });
    const twins = [aLiveSong('id-1', { title: 'a' }), aLiveSong('id-2', { title: 'a' })];
    expect(matchResources(song, [aSong('b')], twins, NONE, moved).identityProblems.get('song/b')).toBe('2 live objects fit it: id-1, id-2');
  });
});

describe('matchResources, in any order of its inputs,', () => {
  const titles = fc.constantFrom('a', 'b', 'c', '');
  const object = fc
    .record({ id: fc.constantFrom('1', '2', '3', '4', '5'), title: titles, single: fc.boolean() })
    .map(({ id, title, single }): LiveObject => aLiveSong(id, { title, list: single ? [id] : ['x', 'y'] }));
  const objects = fc.uniqueArray(object, { selector: ({ id }) => id });
  const resource = fc.oneof(
    fc.record({ key: fc.constantFrom('k', 'l', 'm'), title: titles }).map(({ key, title }): DesiredResource => aSong(key, { title })),
    fc.constantFrom('1', '2').map((asset): DesiredResource => aSingle(asset)),
  );
  const resources = fc.uniqueArray(resource, { selector: ({ address }) => address });
  const adopt = fc
    .dictionary(fc.constantFrom('song/k', 'song/l', 'song/m'), fc.constantFrom('1', '2', '3', 'id-missing'))
    .map((bindings) => new Map(Object.entries(bindings)));
  const shuffled = <Item>(items: readonly Item[]) => fc.shuffledSubarray([...items], { minLength: items.length });
  const inputs = fc.tuple(resources, objects, adopt).chain(([someResources, live, adopted]) =>
    fc.record({
      someResources: fc.constant(someResources),
      live: fc.constant(live),
      adopted: fc.constant(adopted),
      shuffledResources: shuffled(someResources),
      shuffledObjects: shuffled(live),
    }),
  );
  const sorted = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

  it('returns the same result', () => {
    assertProperty(
      fc.property(inputs, ({ someResources, live, adopted, shuffledResources, shuffledObjects }) => {
        const one = matchResources(song, someResources, live, adopted);
        const other = matchResources(song, shuffledResources, shuffledObjects, adopted);
        expect(sorted(other.liveByAddress)).toEqual(sorted(one.liveByAddress));
        expect(sorted(other.identityProblems)).toEqual(sorted(one.identityProblems));
        expect(other.unclaimed.map(({ id }) => id).sort()).toEqual(one.unclaimed.map(({ id }) => id).sort());
      }),
    );
  });

  it('matches an object with at most one address, and never reports a matched object as unclaimed', () => {
    assertProperty(
      fc.property(inputs, ({ someResources, live, adopted }) => {
        const { liveByAddress, identityProblems, unclaimed } = matchResources(song, someResources, live, adopted);
        const ids = [...liveByAddress.values()].map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(unclaimed.filter(({ id }) => ids.includes(id))).toEqual([]);
        expect([...liveByAddress.keys()].filter((address) => identityProblems.has(address))).toEqual([]);
      }),
    );
  });
});

type Case = [
  expected: MatchedBy,
  when: string,
  desired: DesiredResource,
  live: LiveObject,
  facts?: {
    readonly adopt?: { readonly [address: string]: string };
    readonly bindings?: { readonly [address: string]: string };
    readonly moved?: { readonly [from: string]: string };
  },
];

const songTitled = (title: string) => aLiveSong('id-1', { title });
/** A desired song whose one asset is the ID of the live song. */
const songOfAssetOne = aSong('a', { list: ['id-1'] });

describe('matchedBy', () => {
  test.each<Case>([
    ['adopt', '`adopt` names the object', aSong('a'), songTitled('other'), { adopt: { 'song/a': 'id-1' } }],
    [
      'adopt',
      '`adopt`, the ledger, the ID and the name all fit',
      songOfAssetOne,
      songTitled('a'),
      { adopt: { 'song/a': 'id-1' }, bindings: { 'song/a': 'id-1' } },
    ],
    ['binding', 'the ledger binds the object', aSong('a'), songTitled('other'), { bindings: { 'song/a': 'id-1' } }],
    ['binding', 'the ledger, the ID and the name all fit', songOfAssetOne, songTitled('a'), { bindings: { 'song/a': 'id-1' } }],
    [
      'binding',
      '`adopt` names the object for another address',
      aSong('a'),
      songTitled('other'),
      { adopt: { 'song/b': 'id-1' }, bindings: { 'song/a': 'id-1' } },
    ],
    [
      'binding',
      'the ledger binds the old address of `moved`',
      aSong('a'),
      songTitled('b'),
      { bindings: { 'song/b': 'id-1' }, moved: { 'song/b': 'song/a' } },
    ],
    [
      'id',
      'the ID fits and `adopt` and the ledger name a missing object',
      songOfAssetOne,
      songTitled('other'),
      { adopt: { 'song/a': 'id-missing' }, bindings: { 'song/a': 'id-missing' } },
    ],
    ['id', 'the ID and the name fit', songOfAssetOne, songTitled('a')],
    [
      'id',
      'the ID fits and the resource is not matched by bindings',
      { ...songOfAssetOne, mayMatchByBinding: false },
      songTitled('other'),
      { bindings: { 'song/a': 'id-1' } },
    ],
    [
      'name',
      'the name fits and the ledger binds the object to another address',
      aSong('a'),
      songTitled('a'),
      { bindings: { 'song/b': 'id-1' } },
    ],
    ['name', 'the name fits and the ID does not', aSong('a', { list: ['id-2'] }), songTitled('a')],
    ['old-key', 'the old name of `moved` fits', aSong('a'), songTitled('b'), { moved: { 'song/b': 'song/a' } }],
  ])('returns `%s` where %s', (expected, _when, desired, live, { adopt = {}, bindings = {}, moved = {} } = {}) => {
    const effective = applyMoves(stateWith(bindings), new Map(Object.entries(moved).map(([from, to]) => [to, from])));
    const adopted = new Map(Object.entries(adopt));
    expect(matchResources(song, [desired], [live], adopted, effective).liveByAddress.get(desired.address)).toBe(live);
    expect(matchedBy(desired, live, adopted, effective)).toBe(expected);
  });

  test('returns `setting` for a setting, whatever `adopt` says', () => {
    expect(matchedBy(theDial(true, []), LIVE_DIAL, new Map([['dial', 'id-1']]), NO_BINDINGS)).toBe('setting');
  });
});
