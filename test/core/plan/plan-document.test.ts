import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { waves } from '../../../src/core/decide/sent.ts';
import { type DesiredResource, type LiveObject, weakens } from '../../../src/core/kinds/kind.ts';
import { completeChanges, planFingerprint } from '../../../src/core/plan/plan-document.ts';
import { type PlannedChange, planUpdate } from '../../../src/core/state/planned-change.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, song } from '../../support/fake-kinds.ts';
import { changed, plannedOf } from '../../support/planned-changes.ts';
import { aLiveSong, aRule, aSingle, aSong, desiredStateOf, planFor, target, theDial } from '../../support/planning.ts';
import { assertProperty } from '../../support/property.ts';

const context = {
  target: 'stage',
  baseUrl: 'https://services.example.com',
  owner: 'me',
  resettableMembers: [],
  requestOptions: { bulkLimit: 100 },
  now: 0,
};

const nowhere = { positionOf: () => ({ file: 'a.yaml', line: 1, column: 1, excerpt: '' }) };

/** Returns the changes as the plan document has them. */
function completed(...planned: readonly PlannedChange[]) {
  return completeChanges(planned, context, nowhere).map(({ change }) => change);
}

type DigestParts = Parameters<typeof changed>[1] &
  Partial<Pick<PlannedChange, 'dependsOn'>> & { desired?: DesiredResource; live?: LiveObject };

function digest({
  desired = aSong('a', { level: 1 }),
  live = aLiveSong('one', { title: 'a' }),
  dependsOn = null,
  ...more
}: DigestParts = {}) {
  const field = { path: '/level', before: 0, after: 1, origin: 'unknown', effect: 'strengthens' } as const;
  const update = changed(plannedOf(song, 'update', { desired, live, effect: 'strengthens' }), { fields: [field], ...more });
  return completed({ ...update, dependsOn })[0]?.digest;
}

describe('the digest of a change', () => {
  const field = { path: '/level', before: 0, after: 1, origin: 'unknown', effect: 'strengthens' } as const;

  it('is a SHA-256, and the same for the same change', () => {
    expect(digest()).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(digest()).toBe(digest());
  });

  it('covers the action', () => {
    const parts = { desired: aSong('a'), live: aLiveSong('one') };
    const digests = completed(plannedOf(song, 'delete', parts), plannedOf(song, 'forget', parts)).map((change) => change.digest);
    expect(new Set(digests).size).toBe(2);
  });

  it.each<[string, DigestParts]>([
    ['address', { address: 'song/b' }],
    ['remote ID', { live: aLiveSong('two', { title: 'a' }) }],
    ['path of a field', { fields: [{ ...field, path: '/other' }] }],
    ['value before', { fields: [{ ...field, before: 7 }] }],
    ['side after', { fields: [{ ...field, after: 7 }] }],
    ['number of fields', { fields: [field, field] }],
    ['requests', { desired: aSong('a', { level: 1, list: ['z'] }) }],
  ])('covers the %s', (_what, more) => {
    expect(digest(more)).not.toBe(digest());
  });

  it.each<[string, DigestParts]>([
    ['block reason', { blocked: { check: 'weakening', reason: 'r', lift: { edit: 'x' } } }],
    ['place in the order', { phase: 'weaken', wave: 9, dependsOn: 'song/x' }],
    ['effect and origin', { effect: 'neutral', fields: [{ ...field, effect: 'neutral', origin: 'drift', reasons: [weakens('because')] }] }],
    ['name', { name: 'another' }],
  ])('does not cover the %s', (_what, more) => {
    expect(digest(more)).toBe(digest());
  });

  it('covers asset and settings of a bulk create, but not the other changes of the request', async () => {
    const digests = async (...assets: string[]) => {
      const { plan } = await planFor(new FakeAccount(), desiredStateOf(assets.map((asset) => aSingle(asset))));
      return new Map(plan.changes.map((change) => [change.address, change.digest]));
    };
    const [alone, both] = [await digests('x'), await digests('x', 'y')];
    expect(both.get('single/x')).toBe(alone.get('single/x'));
    expect(both.get('single/y')).not.toBe(both.get('single/x'));
  });
});

describe('a change that the ledger records', () => {
  const live = (id: string) => aLiveSong(id, { title: 'a' });

  it.each([
    ['adopts', { adopts: 'one' }],
    ['movedFrom', { movedFrom: 'song/b' }],
  ])('shows `%s` of an update, and nothing that the update does not have', (member, binding) => {
    const update = planUpdate(song, aSong('a'), live('one'), []);
    const [bound, unbound] = completed({ ...update, change: { ...update.change, ...binding } }, update);
    expect(bound).toMatchObject(binding);
    expect(Object.keys(bound ?? {}).filter((key) => ['adopts', 'movedFrom'].includes(key))).toEqual([member]);
    expect(Object.keys(unbound ?? {})).not.toEqual(expect.arrayContaining([member]));
  });

  it('shows what an adoption adopts, and from where a move moves', () => {
    expect(completed(plannedOf(song, 'adopt'))[0]).toMatchObject({ action: 'adopt', adopts: 'one' });
    expect(completed(plannedOf(song, 'move'))[0]).toMatchObject({ action: 'move', movedFrom: 'song/before' });
  });

  it.each(['adopt', 'move'] as const)('has another digest for another object (%s), although it sends no request', (action) => {
    const digests = ['one', 'two', 'one'].map((id) => completed(plannedOf(song, action, { live: live(id) }))[0]?.digest);
    expect(digests[0]).toBe(digests[2]);
    expect(digests[1]).not.toBe(digests[0]);
  });
});

/** Returns the digest of a JSON text. */
function sha256(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

describe('a digest that was approved with an earlier version of upkeep', () => {
  it('is still that of the change of a setting, and of one that writes nothing', () => {
    const live = { id: null, fields: { list: [], open: false }, unknownMembers: [] } as const;
    const update = planUpdate(dial, theDial(true, []), live, [{ path: '/open', before: false, after: true }]);
    const fields = '[{"after":true,"before":false,"path":"/open"}]';
    const requests = '[{"body":{"open":true},"item":null,"method":"POST","path":"/dial/open"}]';
    expect(completed(update, plannedOf(song, 'adopt')).map((change) => change.digest)).toEqual([
      sha256(`{"action":"update","address":"dial","fields":${fields},"remoteId":"","requests":${requests}}`),
      sha256('{"action":"adopt","address":"song/a","fields":[],"remoteId":"one","requests":[]}'),
    ]);
  });

  it('is still in the fingerprint of its plan, with overrides and unread kinds only where there are any', () => {
    const account = '"owner":"me","target":"stage"';
    expect(planFingerprint(context, ['b', 'a'])).toBe(sha256(`{"baseUrl":"${context.baseUrl}","digests":["a","b"],${account}}`));
    const rest = { overrides: [{ check: 'weakening', count: 2 }], unread: [{ kind: 'song', refused: true, reason: 'HTTP 400' }] } as const;
    expect(planFingerprint(context, [], rest)).toBe(
      sha256(`{"baseUrl":"${context.baseUrl}","digests":[],"overrides":[{"check":"weakening","count":2}],${account},"unread":["song"]}`),
    );
  });
});

it('a change says why it affects playback, and nothing where it does not', () => {
  const stops = { playback: 'stops', playbackReasons: [{ playback: 'stops', text: 'it goes off air' }] } as const;
  const [stopping, neutral] = completed(changed(plannedOf(song, 'create'), stops), plannedOf(song, 'create'));
  expect(stopping).toMatchObject(stops);
  expect(neutral?.playback).toBe('neutral');
  expect(neutral).not.toHaveProperty('playbackReasons');
});

describe('the fingerprint', () => {
  it('covers target, base URL, owner and digests', () => {
    const whole = planFingerprint(context, ['a', 'b']);
    expect(whole).toMatch(/^sha256:[0-9a-f]{64}$/);
    const others = [
      planFingerprint({ ...context, target: 'other' }, ['a', 'b']),
      planFingerprint({ ...context, baseUrl: 'https://other.example.com' }, ['a', 'b']),
      planFingerprint({ ...context, owner: 'you' }, ['a', 'b']),
      planFingerprint(context, ['a']),
      planFingerprint(context, ['ab']),
    ];
    expect(new Set([whole, ...others]).size).toBe(6);
  });

  it('covers overridden safety checks, with the number of changes', () => {
    const overrides = [{ check: 'weakening', count: 2 }] as const;
    const fingerprints = [
      planFingerprint(context, ['a']),
      planFingerprint(context, ['a'], { overrides }),
      planFingerprint(context, ['a'], { overrides: [{ check: 'weakening', count: 3 }] }),
      planFingerprint(context, ['a'], { overrides: [{ check: 'deletes', count: 2 }] }),
      planFingerprint(context, ['a'], { overrides: [...overrides, { check: 'deletes', count: 2 }] }),
    ];
    expect(new Set(fingerprints).size).toBe(5);
    expect(planFingerprint(context, ['a'], { overrides: [], unread: [] })).toBe(fingerprints[0]);
  });

  it('covers which kinds were not read, and not why', () => {
    const unread = (...kinds: readonly string[]) => kinds.map((kind) => ({ kind, refused: true, reason: 'HTTP 400' }));
    const [none, playlist, both] = [unread(), unread('playlist'), unread('playlist', 'drm-policy')].map((each) =>
      planFingerprint(context, [], { unread: each }),
    );
    expect(new Set([none, playlist, both]).size).toBe(3);
    expect(planFingerprint(context, [], { unread: [{ kind: 'playlist', refused: false, reason: 'HTTP 503' }] })).toBe(playlist);
  });

  it('does not depend on the order of the digests', () => {
    const lists = fc.array(fc.string()).chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    assertProperty(
      fc.property(lists, ([one, other]) => {
        expect(planFingerprint(context, other)).toBe(planFingerprint(context, one));
      }),
    );
  });

  it('does not depend on safety checks, findings, time, commit, or undeclared objects', async () => {
    const resources = [aSong('a', { level: 1 }), theDial(true, ['s'])];
    const one = await planFor(new FakeAccount(), desiredStateOf(resources));
    const later = new FakeAccount({ songs: { two: { title: 'extra', level: 0, list: [] } } });
    later.time = 99_000_000;
    const finding = { severity: 'warning', code: 'c', summary: 's', file: 'f', line: 1, column: 1 } as const;
    const other = await planFor(
      later,
      { ...desiredStateOf(resources), findings: [finding] },
      {
        target: { ...target, ownership: 'shared', weakening: 'block' },
        config: { commit: 'abc', dirty: true, digest: 'sha256:x' },
      },
    );
    expect(other.plan.summary).toMatchObject({ blocked: 1, undeclared: 1 });
    expect(other.plan.fingerprint).toBe(one.plan.fingerprint);
  });
});

describe('the plan document', () => {
  it('lists requests wave by wave with their addresses, without those of blocked changes', async () => {
    const account = new FakeAccount({
      songs: { one: { title: 'a', level: 1, list: ['x', 'y'] }, gone: { title: 'gone', level: 0, list: [] } },
    });
    const resources = [aSong('a', { level: 0 }), aSong('b', { level: 1 }), aSingle('u'), aSingle('v'), aRule('p'), theDial(false, ['s'])];
    const { plan } = await planFor(account, desiredStateOf(resources), { target: { ...target, weakening: 'block' } });
    expect(plan.requests.map(({ method, path, addresses }) => [method, path, ...addresses])).toEqual([
      ['POST', '/rules', 'rule/p'],
      ['POST', '/dial/list', 'dial'],
      ['POST', '/songs', 'song/b'],
      ['POST', '/bulk', 'single/u', 'single/v'],
      ['DELETE', '/songs/gone', 'song/~gone'],
    ]);
    expect(plan.requests.find(({ path }) => path === '/bulk')?.body).toEqual({ title: '', level: 0, assets: ['u', 'v'] });
    expect(plan.requests.at(-1)?.body).toBeNull();
    expect(plan.changes.find(({ address }) => address === 'song/a')?.blocked?.check).toBe('weakening');
    expect(plan.summary).toEqual({ create: 4, update: 2, delete: 1, blocked: 1, unchanged: 0, undeclared: 0, recognized: 1 });
    expect(plan.cost).toEqual({ reads: 6, writes: 5 });
  });

  it('lists the two requests of one change in their order', async () => {
    const { plan } = await planFor(new FakeAccount(), desiredStateOf([theDial(true, ['s'])]));
    expect(plan.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/dial/list', { list: ['s'] }],
      ['/dial/open', { open: true }],
    ]);
  });

  it('sends bulk creates in chunks of the setting', async () => {
    const singles = Array.from({ length: 5 }, (_, index) => aSingle(`asset-${index}`));
    const service = { ...target.service, smartStartBulkLimit: 2 };
    const { plan } = await planFor(new FakeAccount(), desiredStateOf(singles), { target: { ...target, service } });
    expect(plan.requests.map(({ addresses }) => addresses.length)).toEqual([2, 2, 1]);
    expect(plan.cost.writes).toBe(3);
  });

  it('holds only counts where nothing differs', async () => {
    const account = new FakeAccount({ songs: { one: { title: 'a', level: 0, list: ['x', 'y'] } } });
    const { plan } = await planFor(account, desiredStateOf([aSong('a'), theDial(false, [])]));
    expect(plan).toMatchObject({ changes: [], requests: [], summary: { unchanged: 2 }, cost: { writes: 0 } });
    expect(Object.keys(plan)).not.toContain('impact');
  });
});

describe('waves', () => {
  it('are in order whatever the order of the changes', async () => {
    const { changes } = await planFor(new FakeAccount(), desiredStateOf([aSong('a'), aRule('p'), theDial(true, [])]));
    expect(waves(changes.toReversed()).map((wave) => wave.map(({ change }) => change.address))).toEqual([['rule/p'], ['song/a'], ['dial']]);
  });
});

describe('completeChanges', () => {
  const at = { file: 'config.yaml', line: 3, column: 5, excerpt: 'a: {}' };
  const positionOf = (path: readonly (string | number)[]) => ({ ...at, file: path.join('/') });

  it('adds where a resource is declared, and no place to a change of an object that is not', () => {
    const planned = [plannedOf(song, 'create', { desired: aSong('a') }), plannedOf(song, 'delete')];
    const [created, deleted] = completeChanges(planned, context, { positionOf });
    expect(created?.change.declared).toEqual({ file: 'songs/a', line: 3, column: 5 });
    expect(deleted?.change).not.toHaveProperty('declared');
  });

  it('points to the line of an asset file', () => {
    const textFilePosition = { file: 'assets.txt', line: 7, column: 1, excerpt: 'x' };
    const [created] = completeChanges([plannedOf(song, 'create', { desired: { ...aSong('a'), textFilePosition } })], context, {
      positionOf,
    });
    expect(created?.change.declared).toEqual({ file: 'assets.txt', line: 7, column: 1 });
  });

  it('changes nothing else of what is planned', () => {
    const planned = plannedOf(song, 'update');
    const [{ change: { digest: _digest, declared: _declared, ...change } = planned.change, ...rest } = planned] = completeChanges(
      [planned],
      context,
      { positionOf },
    );
    const { digest: _before, ...expected } = planned.change;
    expect({ ...rest, change }).toEqual({ ...planned, change: expected });
  });
});
