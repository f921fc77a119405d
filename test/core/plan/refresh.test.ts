import { describe, expect, it } from 'vitest';
import type { CollectionKind, DesiredResource, Kind } from '../../../src/core/kinds/kind.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import { type CollectionState, isCollectionState, type KindState } from '../../../src/core/plan/kind-state.ts';
import { notRead, readKind, refreshKind, spotCheckList } from '../../../src/core/plan/refresh.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, rule, song } from '../../support/fake-kinds.ts';
import { aRule, aSong, desiredStateOf, only, planFor, planInputOf, target } from '../../support/planning.ts';
import { type Bindings, stateWith } from '../../support/previous-states.ts';
import { apiError } from '../kinds/fixtures.ts';
import { planWithBindings, shared, songs as threeSongs } from '../state/fixture.ts';

const plain = { level: 0, list: ['x', 'y'] };

const songs = (count: number) => Array.from({ length: count }, (_, index) => aSong(String(index).padStart(4, '0')));

async function collectionState(refreshing: Promise<KindState>): Promise<CollectionState> {
  const kindState = await refreshing;
  if (!isCollectionState(kindState)) throw new Error('expected a collection');
  return kindState;
}

function refreshOf(kind: Kind, desiredState: Parameters<typeof planInputOf>[1], more: Partial<PlanInput> = {}) {
  const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'extra' } } });
  return { account, kindState: refreshKind(kind, planInputOf(account, desiredState, more), account) };
}

describe('refreshKind', () => {
  it('sorts the resources of its kind, and matches them', async () => {
    const { kindState } = refreshOf(song, desiredStateOf([aSong('b'), aRule('p'), aSong('a')]), {
      target: { ...target, ownership: 'shared' },
    });
    const { resources, match, pruning, read } = await collectionState(kindState);
    expect(resources.map(({ address }) => address)).toEqual(['song/a', 'song/b']);
    expect([...match.liveByAddress].map(([address, { id }]) => [address, id])).toEqual([['song/a', 'one']]);
    expect(pruning).toMatchObject({ toDelete: [], forgets: [] });
    expect(pruning.kept.map(({ id, remoteName }) => [id, remoteName])).toEqual([['two', 'extra']]);
    expect(read.status).toBe('complete');
  });

  it.each([
    ['is not managed', 'unmanaged', desiredStateOf([], {}, ['rules']), {}],
    ['is not selected by --only', 'skipped', desiredStateOf([]), { ...only('rule/*', 'dial') }],
  ])('does not read a kind that %s', async (_why, status, desiredState, more) => {
    const { account, kindState } = refreshOf(song, desiredState, more);
    expect((await kindState).read.status).toBe(status);
    expect(account.requests).toEqual([]);
  });

  it('does not read a kind whose assets could not be looked up by their external IDs', async () => {
    const error = apiError('unreachable');
    const failedExternalIdLookups = new Map([['song', error]]);
    const { account, kindState } = refreshOf(song, desiredStateOf([aSong('a')]), { failedExternalIdLookups });
    const { read, match, pruning } = await collectionState(kindState);
    expect([read.status, read.error, account.requests]).toEqual(['incomplete', error, []]);
    expect([match.liveByAddress.size, pruning.toDelete]).toEqual([0, []]);
    expect((await refreshOf(rule, desiredStateOf([]), { failedExternalIdLookups }).kindState).read.status).toBe('complete');
  });

  it('matches by the bindings of the apply to which `--ref` goes back, as far as their objects exist', async () => {
    const desiredState = desiredStateOf([aSong('here', { title: 'p' }), aSong('there', { title: 'q' })]);
    const matched = async (earlier: Bindings | null, ledger: Bindings | null) => {
      const more = {
        ledgerState: ledger && stateWith(ledger),
        earlierBindings: earlier && stateWith(earlier).bindings,
        appliesEarlierCommit: true,
      };
      const { match } = await collectionState(refreshOf(song, desiredState, more).kindState);
      return [...match.liveByAddress].map(([address, { id }]) => `${address} ${id}`);
    };
    const current = { 'song/here': 'one', 'song/there': 'two' };
    expect(await matched(null, current)).toEqual(['song/here one', 'song/there two']);
    expect(await matched({ 'song/here': 'two' }, current)).toEqual(['song/here two']);
    expect(await matched({ 'song/here': 'gone' }, current)).toEqual(['song/here one', 'song/there two']);
    expect(await matched(current, null)).toEqual([]);
  });

  it('matches nothing after an incomplete read', async () => {
    const { account, kindState } = refreshOf(song, desiredStateOf([aSong('a')]), {
      ledgerState: stateWith({ 'song/a': 'one', 'song/z': 'two' }),
    });
    account.fail('GET /songs', { category: 'timeout' });
    const { match, pruning, read } = await collectionState(kindState);
    expect(read.status).toBe('incomplete');
    expect(match).toEqual({ liveByAddress: new Map(), identityProblems: new Map(), unclaimed: [], warnings: [] });
    expect(pruning).toEqual({ toDelete: [], forgets: [], kept: [], notDeclarable: [] });
  });

  it('spot-checks the objects of its kind that the ledger binds and the list lacks', async () => {
    const state = stateWith({ 'song/a': 'one', 'song/z': 'gone', 'rule/p': 'elsewhere' });
    const { account, kindState } = refreshOf(song, desiredStateOf([aSong('a')]), { ledgerState: state });
    await kindState;
    expect(account.log('reads')).toEqual(['GET /songs', 'GET /songs/gone']);
  });

  it('reads a kind if --only selects the address of the setting, or one address of the collection', async () => {
    expect((await refreshOf(dial, desiredStateOf([]), { ...only('di*') }).kindState).read.status).toBe('complete');
    expect((await refreshOf(rule, desiredStateOf([]), { ...only('rule/p') }).kindState).read.status).toBe('complete');
  });
});

describe('refreshKind, of an object whose name may be another form of a desired name,', () => {
  const wanted = aSong('b', { title: 'a ' });

  async function problems(ledgerState: PlanInput['ledgerState'], removed: readonly string[] = []) {
    const desiredState = { ...desiredStateOf([wanted]), removed: new Set(removed) };
    const { match } = await collectionState(refreshOf(song, desiredState, { ledgerState }).kindState);
    return [...match.identityProblems.keys()];
  }

  it('reports an identity problem where neither the ledger nor `removed` says what the object is', async () => {
    expect(await problems(null)).toEqual(['song/b']);
    expect(await problems(stateWith({ 'song/z': 'two' }, { forgotten: new Set(['two']) }), ['song/~two'])).toEqual(['song/b']);
  });

  it.each([
    ['the ledger binds it to another address', stateWith({ 'song/z': 'one' }), []],
    ['the ledger records that it was forgotten', stateWith({}, { forgotten: new Set(['one']) }), []],
    ['`removed` names its ID', null, ['song/~one']],
  ])('reports none where %s', async (_where, ledgerState, removed) => {
    expect(await problems(ledgerState, removed)).toEqual([]);
  });
});

describe('refreshKind, of an object that no configuration can declare,', () => {
  const why = () => new Map([['two', 'it has no name']]);

  async function pruned(globs: readonly string[], deletes: number) {
    const more = { ...only(...globs), overrides: { deletes, checks: new Set<never>() }, whyNotDeclarable: why };
    const { pruning } = await collectionState(refreshOf(song, desiredStateOf([aSong('a')]), more).kindState);
    return { deleted: pruning.toDelete.map(({ live }) => live.id), kept: pruning.notDeclarable.map(({ live }) => live.id) };
  }

  it('deletes it where `--only` gives its address in full while `--allow deletes` is given', async () => {
    expect(await pruned(['song/~two'], 1)).toEqual({ deleted: ['two'], kept: [] });
    expect(await pruned(['rule/*', 'song/~two'], 1)).toEqual({ deleted: ['two'], kept: [] });
  });

  it.each([
    ['nothing is said', [], 0],
    ['`--allow deletes` is given alone', [], 1],
    ['`--only` gives its address in full without `--allow deletes`', ['song/~two'], 0],
    ['`--only` gives it by a glob', ['song/*'], 1],
    ['`--only` gives another address', ['song/~other'], 1],
  ])('keeps it where %s', async (_where, only, deletes) => {
    expect(await pruned(only, deletes)).toEqual({ deleted: [], kept: ['two'] });
  });

  it('keeps it where its ID contains `*`, because `--only` cannot name it alone', async () => {
    const account = new FakeAccount({ songs: { 'w*': { ...plain, title: 'extra' } } });
    const more = {
      ...only('song/~w*'),
      overrides: { deletes: 1, checks: new Set<never>() },
      whyNotDeclarable: () => new Map([['w*', 'why']]),
    };
    const { pruning } = await collectionState(refreshKind(song, planInputOf(account, desiredStateOf([]), more), account));
    expect(pruning.notDeclarable).toMatchObject([{ live: { id: 'w*' }, reason: 'why' }]);
    expect(pruning.toDelete).toEqual([]);
  });

  it('calls `whyNotDeclarable` once for all objects of the kind, and only where an object would be deleted', async () => {
    const asked: unknown[] = [];
    const whyNotDeclarable: PlanInput['whyNotDeclarable'] = (kind, objects, now) => {
      asked.push([kind.name, objects.map(({ id }) => id), now]);
      return new Map();
    };
    await refreshOf(song, desiredStateOf([]), { whyNotDeclarable }).kindState;
    expect(asked).toEqual([['song', ['one', 'two'], 1_000_000]]);
    await refreshOf(song, desiredStateOf([aSong('a'), aSong('extra')]), { whyNotDeclarable }).kindState;
    expect(asked).toHaveLength(1);
  });
});

describe('readKind', () => {
  it('returns the result of the read, and when the read began', async () => {
    const account = new FakeAccount({ songs: { one: { title: 'a', level: 0, list: [] } } });
    account.msPerRequest = 500;
    const read = await readKind(song, account, account.now);
    expect(read).toMatchObject({ status: 'complete', readAt: 1_000_000, error: null });
    expect(read.result.objects.map(({ id }) => id)).toEqual(['one']);
  });

  it.each(['unreachable', 'timeout', 'credentials', 'not-found', 'throttled', 'rejected', 'failed', 'malformed', 'interrupted'] as const)(
    'returns an incomplete read, never an empty list, after the error %s',
    async (error) => {
      const account = new FakeAccount({ songs: { one: { title: 'a', level: 0, list: [] } } });
      account.fail('GET /songs', { category: error });
      const read = await readKind(song, account, account.now);
      expect(read.status).toBe('incomplete');
      expect(read.error?.category).toBe(error);
    },
  );

  it('does not catch a bug in upkeep', async () => {
    const broken: CollectionKind = { ...song, read: () => Promise.reject(new TypeError('oops')) };
    const account = new FakeAccount();
    await expect(readKind(broken, account, account.now)).rejects.toThrow(TypeError);
  });
});

describe('spotCheckList', () => {
  async function spotChecked(toCreate: readonly DesiredResource[], kind: CollectionKind = song, account = new FakeAccount()) {
    const listed = await readKind(kind, account, account.now);
    account.requests.length = 0;
    return { read: await spotCheckList(kind, listed, toCreate, [], account), account };
  }

  it.each([
    [0, 0],
    [1, 1],
    [20, 20],
    [21, 20],
    [49, 20],
    [999, 20],
  ])('of %i resources to create checks %i', async (toCreate, checks) => {
    const { account, read } = await spotChecked(songs(toCreate));
    expect(account.requests).toHaveLength(checks);
    expect(read.status).toBe('complete');
  });

  it('spreads its checks evenly, so that they find a missing part of a list wherever it is', async () => {
    const { account } = await spotChecked(songs(1000));
    const positions = account.requests.map(({ query }) => Number(query?.title));
    const gaps = positions.slice(1).map((position, index) => position - (positions[index] ?? 0));
    expect(Math.max(...gaps, positions[0] ?? 0, 999 - (positions.at(-1) ?? 0))).toBeLessThanOrEqual(51);
  });

  it('returns an incomplete read if a check finds an object that the list lacks, and names it', async () => {
    const account = new FakeAccount({ songs: { one: { title: '0001', level: 0, list: [] } } });
    account.intercept('GET /songs', () => ({ body: { items: [] } }));
    const { read } = await spotChecked(songs(3), song, account);
    expect(read.status).toBe('incomplete');
    expect(read.error?.message).toBe('reading song: the list lacks song/~one, which the service has');
    expect(read.error).toMatchObject({ category: 'malformed', mayHaveWritten: 'no' });
    expect(read.error?.advice).toBe(
      'The service gave only a part of its list, or somebody created the object meanwhile. Run again; if it stays so, ask the vendor about paging.',
    );
  });

  it('accepts the list if the checks find only listed objects', async () => {
    const account = new FakeAccount({ songs: { one: { title: '0001', level: 0, list: [] } } });
    expect((await spotChecked(songs(3), song, account)).read.status).toBe('complete');
  });

  it('returns an incomplete read if an object got, after it was listed, the name of a resource that would be created', async () => {
    const account = new FakeAccount({ songs: { one: { title: '0001', level: 0, list: [] } } });
    const read = await readKind(song, account, account.now);
    const [one] = read.result.objects;
    const before = { ...read, result: { objects: one ? [{ ...one, remoteName: 'of old' }] : [], warnings: [] } };
    const { status, error } = await spotCheckList(song, before, songs(3), [], account);
    expect([status, error?.message]).toEqual(['incomplete', 'reading song: song/~one got another name while the account was read']);
    expect(error?.advice).toBe('Run again when nobody changes the account by hand.');
  });

  it('returns an incomplete read if a check fails', async () => {
    const account = new FakeAccount();
    const read = await readKind(song, account, account.now);
    account.fail('GET /songs', { category: 'failed' });
    expect(await spotCheckList(song, read, songs(3), [], account)).toMatchObject({ status: 'incomplete', error: { category: 'failed' } });
  });

  it('checks nothing of a kind without spot checks, or of one that was not read', async () => {
    expect((await spotChecked(songs(3), rule)).account.requests).toEqual([]);
    const account = new FakeAccount();
    expect(await spotCheckList(song, notRead('skipped'), songs(3), [], account)).toEqual(notRead('skipped'));
    expect(account.requests).toEqual([]);
  });

  it('does not catch a bug in upkeep', async () => {
    const broken: CollectionKind = { ...song, find: () => Promise.reject(new TypeError('oops')) };
    await expect(spotChecked(songs(1), broken)).rejects.toThrow(TypeError);
  });
});

describe('spot checks of bindings', () => {
  it('make the read incomplete where they find an object that the list lacks', async () => {
    const account = new FakeAccount({ songs: threeSongs() });
    account.intercept('GET /songs', () => ({ body: { items: [{ id: 'one', ...threeSongs().one }] } }));
    const { readStatus, changes } = await planWithBindings(
      desiredStateOf([aSong('a')]),
      { 'song/a': 'one', 'song/b': 'two' },
      shared,
      account,
    );
    expect(readStatus.song).toBe('incomplete');
    expect(changes).toEqual([]);
  });

  it('are at most five', async () => {
    const account = new FakeAccount({ songs: threeSongs() });
    const bindings = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`song/${index}`, `gone-${index}`]));
    const { changes } = await planWithBindings(desiredStateOf([aSong('a')]), bindings, shared, account);
    expect(account.log('reads').filter((read) => read.startsWith('GET /songs/'))).toHaveLength(5);
    expect(changes.map(({ action, blocked }) => [action, blocked?.check])).toEqual([['adopt', 'suspicious-read']]);
  });
});

describe('the number of requests that read a kind', () => {
  const holding = (count: number) =>
    new FakeAccount({ songs: Object.fromEntries(songs(count).map(({ displayName, fields }) => [`id-${displayName}`, fields])) });

  it.each([
    ['when the account contains all of them', (count: number) => holding(count)],
    ['when the account is empty', () => new FakeAccount()],
  ])('does not depend on the number of resources %s', async (_when, account) => {
    const cost = async (count: number) => (await planFor(account(count), desiredStateOf(songs(count)))).plan.cost.reads;
    const [few, twice] = [await cost(50), await cost(100)];
    expect(twice).toBe(few);
    expect(few).toBeLessThanOrEqual(3 + 20);
  });
});
