import { describe, expect, it } from 'vitest';
import { type CurrentObjects, isUnchanged, readCurrent } from '../../src/apply/read-current.ts';
import type { DesiredResource, Kind } from '../../src/kinds/kind.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { dial, song } from '../support/fake-kinds.ts';
import { aLiveRule, aLiveSong, aSingle, aSong, desiredStateOf, planFor, theDial } from '../support/planning.ts';

const NOBODY = new Set<string>();

function ids(found: CurrentObjects): { readonly [address: string]: string | null } {
  return Object.fromEntries([...found].map(([address, [live]]) => [address, live?.id ?? null]));
}

/** Creates of these resources, planned on an account that was empty. */
async function creates(resources: readonly DesiredResource[]) {
  return (await planFor(new FakeAccount(), desiredStateOf(resources))).changes;
}

const few = [aSong('a'), aSong('b'), aSingle('x'), aSong('y', { list: ['y'] }), aSong('none')];
const many = [...few, aSong('more'), aSong('nameless', { title: '' })];
const holdings = {
  one: { title: 'a', guard: 0, list: ['p', 'q'] },
  two: { title: 'b', guard: 0, list: [] },
  x: { title: '', guard: 0, list: ['x'] },
  y: { title: 'z', guard: 0, list: ['y'] },
};

describe('look', () => {
  it.each([
    ['few, one by one', few, false],
    ['many, through one list', many, true],
  ])('finds %s', async (_what, resources, listed) => {
    const account = new FakeAccount({ songs: holdings });
    const found = await readCurrent(song, await creates(resources), account, NOBODY);
    expect(ids(found)).toMatchObject({ 'song/a': 'one', 'song/b': 'two', 'single/x': 'x', 'song/y': 'y', 'song/none': null });
    expect(account.requests.every(({ path, query }) => path === '/songs' && !query)).toBe(listed);
    if (listed) expect(account.requests).toHaveLength(1);
  });

  it.each([
    ['few', few],
    ['many', many],
  ])('never takes what was there before for what a create has made, of %s', async (_what, resources) => {
    const account = new FakeAccount({ songs: holdings });
    expect(ids(await readCurrent(song, await creates(resources), account, new Set(['one', 'x'])))).toMatchObject({
      'song/a': null,
      'song/b': 'two',
      'single/x': null,
    });
  });

  it.each([
    ['few', few],
    ['many', many],
  ])('takes of two candidates the one that is as desired, of %s', async (_what, resources) => {
    const same = { title: 'a', guard: 0, list: ['x', 'y'] };
    for (const songs of [
      { one: holdings.one, own: same },
      { own: same, one: holdings.one },
    ]) {
      const account = new FakeAccount({ songs });
      expect(ids(await readCurrent(song, await creates(resources), account, NOBODY))).toMatchObject({ 'song/a': 'own' });
    }
  });

  it.each([
    ['few', [aSong('a')]],
    ['many', many],
  ])('tells when two are there for one create, the one that was told first, of %s', async (_what, resources) => {
    const own = { title: 'a', guard: 0, list: ['x', 'y'] };
    const account = new FakeAccount({ songs: { one: holdings.one, own, twin: own, elder: own } });
    const steps = await creates(resources);
    const told = (await readCurrent(song, steps, account, new Set(['elder']), new Map([['song/a', 'twin']]))).get('song/a');
    expect(told?.map(({ id }) => id)).toEqual(['twin', 'one', 'own']);
    const untold = (await readCurrent(song, steps, account, new Set(['elder']))).get('song/a');
    expect(untold?.map(({ id }) => id)).toEqual(['own', 'twin', 'one']);
  });

  it('never takes what was made for another', async () => {
    const nameless = { title: '', list: ['x', 'y'] };
    const account = new FakeAccount({ songs: { p1: { ...nameless, guard: 0 }, p2: { ...nameless, guard: 0 } } });
    const same: Kind = { ...song, find: async (service) => (await song.read(service)).objects };
    const steps = await creates([aSong('p', nameless), aSong('q', nameless)]);
    const found = await readCurrent(
      same,
      steps,
      account,
      NOBODY,
      new Map([
        ['song/p', 'p1'],
        ['song/q', 'p2'],
      ]),
    );
    expect([...found.values()].map((objects) => objects.map(({ id }) => id))).toEqual([['p1'], ['p2']]);
  });

  it('goes by the ID that is known: of the live object, or learnt by writing', async () => {
    const account = new FakeAccount({ songs: { one: holdings.one } });
    const { changes: steps } = await planFor(account, desiredStateOf([aSong('a'), aSong('b')]));
    account.songs.set('born', { title: 'any', guard: 0, list: [] });
    const found = await readCurrent(song, steps, account, new Set(['one']), new Map([['song/b', 'born']]));
    expect(ids(found)).toEqual({ 'song/a': 'one', 'song/b': 'born' });
    account.songs.clear();
    expect(ids(await readCurrent(song, steps, account, new Set(['one'])))).toEqual({ 'song/a': null, 'song/b': null });
  });

  it('reads a setting whole', async () => {
    const account = new FakeAccount();
    const { changes: steps } = await planFor(account, desiredStateOf([theDial(true, [])]));
    expect(ids(await readCurrent(dial, steps, account, NOBODY))).toEqual({ dial: null });
  });
});

describe('unmoved', () => {
  it('tells fields and unknown members apart', () => {
    const one = aLiveRule('1', 'p');
    expect(isUnchanged(one, aLiveRule('1', 'p'))).toBe(true);
    expect(isUnchanged(one, aLiveRule('1', 'p', 2))).toBe(false);
    expect(isUnchanged(one, { ...one, unknown: [{ path: '/odd', value: 1 }] })).toBe(false);
    expect(isUnchanged({ ...one, unknown: [{ path: '/odd', value: 1 }] }, { ...one, unknown: [{ path: '/odd', value: 2 }] })).toBe(false);
    expect(isUnchanged(aLiveSong('1'), aLiveSong('1'))).toBe(true);
  });
});
