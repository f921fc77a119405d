import { describe, expect, it } from 'vitest';
import type { Kind } from '../../src/kinds/kind.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import {
  type CollectionState,
  isAddressSelected,
  isCollectionState,
  type KindState,
  keptAddresses,
  ownerDigest,
  refreshKind,
} from '../../src/plan/kind-state.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { dial, rule, song } from '../support/fake-kinds.ts';
import { aRule, aSong, desiredStateOf, planInputOf, target } from '../support/planning.ts';
import { stateWith } from '../support/previous-states.ts';

const plain = { guard: 0, list: ['x', 'y'] };

async function collectionState(refreshed: Promise<KindState>): Promise<CollectionState> {
  const kindState = await refreshed;
  if (!isCollectionState(kindState)) throw new Error('expected a collection');
  return kindState;
}

function looking(kind: Kind, desiredState: Parameters<typeof planInputOf>[1], more: Partial<PlanInput> = {}) {
  const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'extra' } } });
  return { account, column: refreshKind(kind, planInputOf(account, desiredState, more), account) };
}

describe('refreshKind', () => {
  it('sorts the resources of its kind, and matches them', async () => {
    const { column } = looking(song, desiredStateOf([aSong('b'), aRule('p'), aSong('a')]), { target: { ...target, ownership: 'shared' } });
    const { resources, match, pruning, read } = await collectionState(column);
    expect(resources.map(({ address }) => address)).toEqual(['song/a', 'song/b']);
    expect([...match.pairs].map(([address, { id }]) => [address, id])).toEqual([['song/a', 'one']]);
    expect(pruning).toMatchObject({ toDelete: [], toForget: [] });
    expect(keptAddresses(await column).map(({ address, live }) => [address, live.remoteName])).toEqual([['song/~two', 'extra']]);
    expect(read.status).toBe('complete');
  });

  it.each([
    ['is not managed', 'unmanaged', desiredStateOf([], {}, ['rules']), {}],
    ['lies outside of --only', 'skipped', desiredStateOf([]), { only: ['rule/*', 'dial'] }],
  ])('does not read what %s', async (_why, state, desiredState, more) => {
    const { account, column } = looking(song, desiredState, more);
    expect((await column).read.status).toBe(state);
    expect(account.requests).toEqual([]);
  });

  it('matches nothing after an incomplete read', async () => {
    const { account, column } = looking(song, desiredStateOf([aSong('a')]), { state: stateWith({ 'song/a': 'one', 'song/z': 'two' }) });
    account.fail('GET /songs', { kind: 'timeout' });
    const { match, pruning, read } = await collectionState(column);
    expect(read.status).toBe('incomplete');
    expect(match.pairs.size).toBe(0);
    expect(pruning).toEqual({ toDelete: [], toForget: [], kept: [] });
  });

  it('looks up the objects of its kind that the ledger binds and the list lacks', async () => {
    const state = stateWith({ 'song/a': 'one', 'song/z': 'gone', 'rule/p': 'elsewhere' });
    const { account, column } = looking(song, desiredStateOf([aSong('a')]), { state });
    await column;
    expect(account.log('reads')).toEqual(['GET /songs', 'GET /songs/gone']);
  });

  it('reads a setting by its one address', async () => {
    expect((await looking(dial, desiredStateOf([]), { only: ['di*'] }).column).read.status).toBe('complete');
    expect((await looking(rule, desiredStateOf([]), { only: ['rule/p'] }).column).read.status).toBe('complete');
  });
});

describe('isAddressSelected', () => {
  it.each([
    [[], 'song/a', true],
    [['song/*'], 'song/a', true],
    [['rule/*', 'song/b'], 'song/a', false],
  ])('%j holds %s: %s', (only, address, is) => {
    expect(isAddressSelected(only, address)).toBe(is);
  });
});

describe('ownerDigest', () => {
  it('distinguishes owners without revealing them', () => {
    expect(ownerDigest('me')).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(ownerDigest('me')).not.toBe(ownerDigest('you'));
    expect(ownerDigest('me')).toBe(ownerDigest('me'));
  });
});
