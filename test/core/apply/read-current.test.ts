import { describe, expect, it } from 'vitest';
import { ObjectsOfOthers } from '../../../src/core/apply/objects-of-others.ts';
import { type CurrentObjects, readCurrent } from '../../../src/core/apply/read-current.ts';
import type { DesiredResource, Kind } from '../../../src/core/kinds/kind.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, song } from '../../support/fake-kinds.ts';
import { aSingle, aSong, desiredStateOf, planFor, theDial } from '../../support/planning.ts';

/** Objects that were live when the plan was made, by ID. */
function liveAtPlan(...ids: readonly string[]): ObjectsOfOthers {
  return new ObjectsOfOthers([], new Map([['song', new Set(ids)]]));
}

function ids(found: CurrentObjects): { readonly [address: string]: string | null } {
  return Object.fromEntries([...found].map(([address, [live]]) => [address, live?.id ?? null]));
}

/** Plans the creates of these resources on an empty account. */
async function creates(resources: readonly DesiredResource[]) {
  return (await planFor(new FakeAccount(), desiredStateOf(resources))).changes;
}

const few = [aSong('a'), aSong('b'), aSingle('x'), aSong('y', { list: ['y'] }), aSong('none')];
const many = [...few, aSong('more'), aSong('nameless', { title: '' })];
const holdings = {
  one: { title: 'a', level: 0, list: ['p', 'q'] },
  two: { title: 'b', level: 0, list: [] },
  x: { title: '', level: 0, list: ['x'] },
  y: { title: 'z', level: 0, list: ['y'] },
};

describe('readCurrent', () => {
  it.each([
    ['few creates one by one', few, false],
    ['many creates through one list', many, true],
  ])('finds the objects of %s', async (_what, resources, isList) => {
    const account = new FakeAccount({ songs: holdings });
    const found = await readCurrent(song, await creates(resources), account, liveAtPlan());
    expect(ids(found)).toMatchObject({ 'song/a': 'one', 'song/b': 'two', 'single/x': 'x', 'song/y': 'y', 'song/none': null });
    expect(account.requests.every(({ path, query }) => path === '/songs' && !query)).toBe(isList);
    if (isList) expect(account.requests).toHaveLength(1);
    expect(found.get('song/none')).toEqual([]);
  });

  it.each([
    ['few', few],
    ['many', many],
  ])('does not mistake an object that existed at the plan for the created one, of %s creates', async (_what, resources) => {
    const account = new FakeAccount({ songs: holdings });
    expect(ids(await readCurrent(song, await creates(resources), account, liveAtPlan('one', 'x')))).toMatchObject({
      'song/a': null,
      'song/b': 'two',
      'single/x': null,
    });
  });

  it.each([
    ['few', few],
    ['many', many],
  ])('returns of two candidates the one that is as desired first, of %s creates', async (_what, resources) => {
    const same = { title: 'a', level: 0, list: ['x', 'y'] };
    for (const songs of [
      { one: holdings.one, own: same },
      { own: same, one: holdings.one },
    ]) {
      const account = new FakeAccount({ songs });
      expect(ids(await readCurrent(song, await creates(resources), account, liveAtPlan()))).toMatchObject({ 'song/a': 'own' });
    }
  });

  it.each([
    ['few', [aSong('a')]],
    ['many', many],
  ])('returns all objects that one create may have made, the one with the known ID first, of %s creates', async (_what, resources) => {
    const own = { title: 'a', level: 0, list: ['x', 'y'] };
    const account = new FakeAccount({ songs: { one: holdings.one, own, twin: own, elder: own } });
    const changes = await creates(resources);
    const withId = (await readCurrent(song, changes, account, liveAtPlan('elder'), new Map([['song/a', 'twin']]))).get('song/a');
    expect(withId?.map(({ id }) => id)).toEqual(['twin', 'one', 'own']);
    const withoutId = (await readCurrent(song, changes, account, liveAtPlan('elder'))).get('song/a');
    expect(withoutId?.map(({ id }) => id)).toEqual(['own', 'twin', 'one']);
  });

  it.each([
    ['few', [aSong('a')]],
    ['many', many],
  ])('returns nothing where the object with the known ID does not exist, of %s creates', async (_what, resources) => {
    const account = new FakeAccount({ songs: { one: holdings.one } });
    const found = await readCurrent(song, await creates(resources), account, liveAtPlan(), new Map([['song/a', 'nowhere']]));
    expect(found.get('song/a')).toEqual([]);
  });

  it('does not find an object by a name that does not identify it', async () => {
    const account = new FakeAccount({ songs: { solo: { title: 'a', level: 0, list: ['solo'] } } });
    const found = await readCurrent(song, await creates(many), account, liveAtPlan());
    expect(found.get('song/a')).toEqual([]);
  });

  it('returns an object with another form of the name, but none that was live at the plan or has the name of another change', async () => {
    const content = { level: 0, list: ['x', 'y'] };
    const songs = {
      elder: { ...content, title: 'a ' },
      other: { ...content, list: ['z', 'y'], title: ' a' },
      altered: { ...content, title: ' a ' },
    };
    const changes = await creates([aSong('a'), aSong('other', { list: ['z', 'y'], title: ' a' })]);
    const others = new ObjectsOfOthers(changes, new Map([['song', new Set(['elder'])]]));
    const found = await readCurrent(song, changes, new FakeAccount({ songs }), others);
    expect(found.get('song/a')?.map(({ id }) => id)).toEqual(['altered']);
    expect(found.get('song/other')?.map(({ id }) => id)).toEqual(['other']);
  });

  it('returns an object that has the name of another change, where its content is that of this one', async () => {
    const changes = await creates([aSong('a', { title: 'a ' }), aSong('other', { title: 'a', list: ['z', 'y'] })]);
    const account = new FakeAccount({ songs: { trimmed: { title: 'a', level: 0, list: ['x', 'y'] } } });
    const found = await readCurrent(song, changes, account, liveAtPlan());
    expect(found.get('song/a')?.map(({ id }) => id)).toEqual(['trimmed']);
  });

  it('never returns an object that another create made', async () => {
    const nameless = { title: '', list: ['x', 'y'] };
    const account = new FakeAccount({ songs: { p1: { ...nameless, level: 0 }, p2: { ...nameless, level: 0 } } });
    const same: Kind = { ...song, find: async (service) => (await song.read(service)).objects };
    const changes = await creates([aSong('p', nameless), aSong('q', nameless)]);
    const found = await readCurrent(
      same,
      changes,
      account,
      liveAtPlan(),
      new Map([
        ['song/p', 'p1'],
        ['song/q', 'p2'],
      ]),
    );
    expect([...found.values()].map((objects) => objects.map(({ id }) => id))).toEqual([['p1'], ['p2']]);
  });

  it('reads by ID where that is known, from the live object or from a response', async () => {
    const account = new FakeAccount({ songs: { one: holdings.one } });
    const { changes } = await planFor(account, desiredStateOf([aSong('a'), aSong('b')]));
    account.songs.set('born', { title: 'any', level: 0, list: [] });
    const found = await readCurrent(song, changes, account, liveAtPlan('one'), new Map([['song/b', 'born']]));
    expect(ids(found)).toEqual({ 'song/a': 'one', 'song/b': 'born' });
    account.songs.clear();
    expect(ids(await readCurrent(song, changes, account, liveAtPlan('one')))).toEqual({ 'song/a': null, 'song/b': null });
  });

  it('reads a setting', async () => {
    const account = new FakeAccount();
    const { changes } = await planFor(account, desiredStateOf([theDial(true, [])]));
    expect(ids(await readCurrent(dial, changes, account, liveAtPlan()))).toEqual({ dial: null });
  });
});
