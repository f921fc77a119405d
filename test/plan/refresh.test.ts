import { describe, expect, it } from 'vitest';
import type { CollectionKind, DesiredResource } from '../../src/kinds/kind.ts';
import { notRead, readKind, spotCheckList } from '../../src/plan/refresh.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { rule, song } from '../support/fake-kinds.ts';
import { aSong, desiredStateOf, planFor } from '../support/planning.ts';

const songs = (count: number) => Array.from({ length: count }, (_, index) => aSong(String(index).padStart(4, '0')));

describe('readKind', () => {
  it('returns the result of the read, and when the read began', async () => {
    const account = new FakeAccount({ songs: { one: { title: 'a', guard: 0, list: [] } } });
    account.msPerRequest = 500;
    const read = await readKind(song, account, account.now);
    expect(read).toMatchObject({ status: 'complete', readAt: 1_000_000, error: null });
    expect(read.result.objects.map(({ id }) => id)).toEqual(['one']);
  });

  it.each(['unreachable', 'timeout', 'credentials', 'not-found', 'throttled', 'rejected', 'failed', 'malformed', 'interrupted'] as const)(
    'is incomplete after the fault %s, never an empty list',
    async (fault) => {
      const account = new FakeAccount({ songs: { one: { title: 'a', guard: 0, list: [] } } });
      account.fail('GET /songs', { kind: fault });
      const read = await readKind(song, account, account.now);
      expect(read.status).toBe('incomplete');
      expect(read.error?.kind).toBe(fault);
    },
  );

  it('does not catch a bug in upkeep', async () => {
    const broken: CollectionKind = { ...song, read: () => Promise.reject(new TypeError('oops')) };
    const account = new FakeAccount();
    await expect(readKind(broken, account, account.now)).rejects.toThrow(TypeError);
  });
});

describe('spotCheckList', () => {
  async function probed(missing: readonly DesiredResource[], kind: CollectionKind = song, account = new FakeAccount()) {
    const read = await readKind(kind, account, account.now);
    account.requests.length = 0;
    return { seen: await spotCheckList(kind, read, missing, [], account), account };
  }

  it.each([
    [0, 0],
    [1, 1],
    [20, 20],
    [21, 20],
    [49, 20],
    [999, 20],
  ])('of %i missing resources looks up %i', async (missing, lookUps) => {
    const { account, seen: read } = await probed(songs(missing));
    expect(account.requests).toHaveLength(lookUps);
    expect(read.status).toBe('complete');
  });

  it('spreads its look-ups evenly, so that it notices wherever a list is cut off', async () => {
    const { account } = await probed(songs(1000));
    const places = account.requests.map(({ query }) => Number(query?.title));
    const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
    expect(Math.max(...gaps, places[0] ?? 0, 999 - (places.at(-1) ?? 0))).toBeLessThanOrEqual(51);
  });

  it('returns an incomplete read if a look-up finds an object that the list lacks, and names it', async () => {
    const account = new FakeAccount({ songs: { one: { title: '0001', guard: 0, list: [] } } });
    account.intercept('GET /songs', () => ({ body: { items: [] } }));
    const { seen: read } = await probed(songs(3), song, account);
    expect(read.status).toBe('incomplete');
    expect(read.error?.message).toBe('reading song: the list lacks song/~one, which the service has');
    expect(read.error?.advice).toBe('The service gave only a part of its list. Run again; if it stays so, ask the vendor about paging.');
  });

  it('accepts the list if look-ups find only listed objects', async () => {
    const account = new FakeAccount({ songs: { one: { title: '0001', guard: 0, list: [] } } });
    expect((await probed(songs(3), song, account)).seen.status).toBe('complete');
  });

  it('returns an incomplete read if an object was renamed to a missing name since it was listed', async () => {
    const account = new FakeAccount({ songs: { one: { title: '0001', guard: 0, list: [] } } });
    const read = await readKind(song, account, account.now);
    const [one] = read.result.objects;
    const before = { ...read, result: { objects: one ? [{ ...one, remoteName: 'of old' }] : [], notes: [] } };
    const { status, error } = await spotCheckList(song, before, songs(3), [], account);
    expect([status, error?.message]).toEqual(['incomplete', 'reading song: song/~one got another name while the account was read']);
    expect(error?.advice).toBe('Run again when nobody changes the account by hand.');
  });

  it('returns an incomplete read if a look-up fails', async () => {
    const account = new FakeAccount();
    const read = await readKind(song, account, account.now);
    account.fail('GET /songs', { kind: 'failed' });
    expect(await spotCheckList(song, read, songs(3), [], account)).toMatchObject({ status: 'incomplete', error: { kind: 'failed' } });
  });

  it('looks nothing up for a kind without spot checks, or that was not read', async () => {
    expect((await probed(songs(3), rule)).account.requests).toEqual([]);
    const account = new FakeAccount();
    expect(await spotCheckList(song, notRead('skipped'), songs(3), [], account)).toEqual(notRead('skipped'));
    expect(account.requests).toEqual([]);
  });

  it('does not catch a bug in upkeep', async () => {
    const broken: CollectionKind = { ...song, find: () => Promise.reject(new TypeError('oops')) };
    await expect(probed(songs(1), broken)).rejects.toThrow(TypeError);
  });
});

describe('the number of requests of a read', () => {
  const holding = (count: number) =>
    new FakeAccount({ songs: Object.fromEntries(songs(count).map(({ displayName, fields }) => [`id-${displayName}`, fields])) });

  it.each([
    ['when all is there', (count: number) => holding(count)],
    ['when nothing is there', () => new FakeAccount()],
  ])('does not grow with the number of resources %s', async (_when, account) => {
    const cost = async (count: number) => (await planFor(account(count), desiredStateOf(songs(count)))).plan.cost.reads;
    const [few, twice] = [await cost(50), await cost(100)];
    expect(twice).toBe(few);
    expect(few).toBeLessThanOrEqual(3 + 20);
  });
});
