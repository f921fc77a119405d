/** The rows of the fault matrix: every endpoint of both APIs, with each use that a run makes of it, and a small account that needs it. */
import { isJsonObject, isObject, type Json, type JsonObject } from '../../../src/model/json.ts';
import { asset, beams, PLAYLISTS } from '../accounts.ts';

/** One thing that an apply brings about, in the order of its writes. */
export interface Target {
  readonly name: string;
  /** What `look` gives at first, and in the end. */
  readonly before: Json;
  readonly desired: Json;
  /** Reads it from an account in the form of a seed. */
  look(account: JsonObject): Json;
}

/** An account, and what the repository says of it. */
export interface Scene {
  readonly seed: JsonObject;
  readonly sections: JsonObject;
  /** [shared] */
  readonly ownership?: 'exclusive';
  readonly targets: readonly Target[];
  /** Live objects that the scene changes, by `desc`, `policy_name` or ID, or whole kinds; all others must stay as they are. */
  readonly touches: readonly string[];
}

/**
 * What a request is for:
 * - `read`: the plan rests on it; `look-up`: it tells whether the list lacks something; `read back`: it verifies what was written
 * - `create`, `delete`: must not take effect twice; `set`: may
 */
export type Purpose = 'read' | 'look-up' | 'read back' | 'create' | 'delete' | 'set';

/** One use of one endpoint. */
export interface Use {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As in a fault rule, where `*` stands for an ID. */
  readonly path: string;
  readonly purpose: Purpose;
  /** Requests to the endpoint that come before this use, and go well. */
  readonly after: number;
  readonly scene: Scene;
  /** Indices of the targets that this use writes. */
  readonly writes: readonly number[];
  /** Indices of the targets that are skipped where its write fails. */
  readonly blocks: readonly number[];
}

/** What nobody declares, and nobody may touch. */
const BYSTANDERS = {
  playlist: [{ id: 'bystander', desc: 'bystander', playlist: beams(900, 901) }],
  'drm-policy': [{ _id: 'bystander', policy_name: 'bystander', fairplay: { lease: true } }],
  'vmp-reject-statuses': ['PLATFORM_TAMPERED'],
  'static-key': { use_static_encryption_key: true, static_key_slicer_ids: ['a', 'b'] },
  'key-rotation-schedule': { enabled: true, frequency: 1, unit: 'd', hour: 3 },
} satisfies JsonObject;

function objects(account: JsonObject, kind: string, member: string, name: string): readonly JsonObject[] {
  return [account[kind] ?? []].flat().filter((each): each is JsonObject => isJsonObject(each) && each[member] === name);
}

/** An object that is to be there exactly once. */
function created(kind: string, member: string, name: string): Target {
  return { name, before: 0, desired: 1, look: (account) => objects(account, kind, member, name).length };
}

/** The same, gone. */
function deleted(kind: string, member: string, name: string): Target {
  return { ...created(kind, member, name), before: 1, desired: 0 };
}

function updated(name: string, before: Json, desired: Json, look: Target['look']): Target {
  return { name, before, desired, look };
}

function memberOf(value: unknown, ...path: readonly string[]): Json {
  const found = path.reduce((part: unknown, member) => (isObject(part) ? part[member] : undefined), value);
  return JSON.parse(JSON.stringify(found ?? null));
}

const live = (n: number, more: JsonObject = {}): JsonObject => ({ id: `live${n}`, desc: `p${n}`, ...more, playlist: beams(n, 1000 + n) });
const wanted = (n: number, more: JsonObject = {}): JsonObject => ({ ...more, playlist: beams(n, 1000 + n) });
const smartStart = (n: number): Target => ({ ...created('playlist', 'id', asset(n)), name: `asset ${n}` });

const bulk: Scene = {
  seed: BYSTANDERS,
  sections: { smart_starts: { one: { assets: [asset(1)], repeat: 1 }, two: { assets: [asset(2)], repeat: 2 } } },
  targets: [smartStart(1), smartStart(2)],
  touches: [asset(1), asset(2)],
};

const newPlaylists: Scene = {
  seed: BYSTANDERS,
  sections: { playlists: { p1: wanted(1), p2: wanted(2) } },
  targets: [created('playlist', 'desc', 'p1'), created('playlist', 'desc', 'p2')],
  touches: ['p1', 'p2'],
};

const repeatOf = (name: string) =>
  updated(name, 0, 2, (account) => memberOf(objects(account, 'playlist', 'desc', name)[0] ?? null, 'repeat'));

const changedPlaylists: Scene = {
  seed: { ...BYSTANDERS, playlist: [...BYSTANDERS.playlist, live(1), live(2)] },
  sections: { playlists: { p1: wanted(1, { repeat: 2 }), p2: wanted(2, { repeat: 2 }) } },
  targets: [repeatOf('p1'), repeatOf('p2')],
  touches: ['p1', 'p2'],
};

const oldPlaylists: Scene = {
  seed: { ...BYSTANDERS, playlist: [live(1), live(2), live(3)] },
  sections: { playlists: { p3: wanted(3) } },
  ownership: 'exclusive',
  targets: [deleted('playlist', 'desc', 'p1'), deleted('playlist', 'desc', 'p2')],
  touches: ['p1', 'p2'],
};

const policy = (lease: boolean): JsonObject => ({ fairplay: { lease } });

const newPolicies: Scene = {
  seed: BYSTANDERS,
  sections: { drm_policies: { premium: policy(true), standard: policy(true) } },
  targets: [created('drm-policy', 'policy_name', 'premium'), created('drm-policy', 'policy_name', 'standard')],
  touches: ['premium', 'standard'],
};

const named = (...names: readonly string[]) => names.map((name) => ({ _id: `id-${name}`, policy_name: name, ...policy(false) }));

const leaseOf = (name: string) =>
  updated(name, false, true, (account) => memberOf(objects(account, 'drm-policy', 'policy_name', name)[0] ?? null, 'fairplay', 'lease'));

const changedPolicies: Scene = {
  seed: { ...BYSTANDERS, 'drm-policy': [...BYSTANDERS['drm-policy'], ...named('premium', 'standard')] },
  sections: { drm_policies: { premium: policy(true), standard: policy(true) } },
  targets: [leaseOf('premium'), leaseOf('standard')],
  touches: ['premium', 'standard'],
};

const oldPolicies: Scene = {
  seed: { ...BYSTANDERS, 'drm-policy': named('premium', 'standard', 'kept') },
  sections: { drm_policies: { kept: policy(false) } },
  ownership: 'exclusive',
  targets: [deleted('drm-policy', 'policy_name', 'premium'), deleted('drm-policy', 'policy_name', 'standard')],
  touches: ['premium', 'standard'],
};

const statuses: Scene = {
  seed: BYSTANDERS,
  sections: { vmp_reject_statuses: ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'] },
  targets: [
    updated('statuses', ['PLATFORM_TAMPERED'], ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'], (account) =>
      memberOf(account, 'vmp-reject-statuses'),
    ),
  ],
  touches: ['vmp-reject-statuses'],
};

const staticKey: Scene = {
  seed: BYSTANDERS,
  sections: { static_key: { scope: 'specific', slicer_ids: ['a'] } },
  targets: [
    updated('slicers', ['a', 'b'], ['a'], (account) => memberOf(account, 'static-key', 'static_key_slicer_ids')),
    updated('status', true, false, (account) => memberOf(account, 'static-key', 'use_static_encryption_key')),
  ],
  touches: ['static-key'],
};

const schedule: Scene = {
  seed: BYSTANDERS,
  sections: { key_rotation_schedule: { enabled: true, frequency: 1, unit: 'd', hour: 20 } },
  targets: [updated('hour', 3, 20, (account) => memberOf(account, 'key-rotation-schedule', 'hour'))],
  touches: ['key-rotation-schedule'],
};

const V3 = '/api/v3/drm';

function use(name: string, purpose: Purpose, method: Use['method'], path: string, scene: Scene, more: Partial<Use> = {}): Use {
  const writes = scene.targets.map((_, index) => index);
  return { name, purpose, method, path, scene, after: 0, writes, blocks: [], ...more };
}

/** All of them. The rows whose name holds a dash are further uses of an endpoint. */
export const USES: readonly Use[] = [
  use('bulk create', 'create', 'POST', '/api/v4/smart-start', bulk),
  use('create playlist', 'create', 'POST', PLAYLISTS, newPlaylists),
  use('list playlists', 'read', 'GET', PLAYLISTS, changedPlaylists),
  use('get playlist', 'look-up', 'GET', `${PLAYLISTS}/*`, bulk),
  use('get playlist - read back', 'read back', 'GET', `${PLAYLISTS}/*`, changedPlaylists),
  use('update playlist', 'set', 'PATCH', `${PLAYLISTS}/*`, changedPlaylists),
  use('delete playlist', 'delete', 'DELETE', `${PLAYLISTS}/*`, oldPlaylists),
  use('create policy', 'create', 'POST', `${V3}/policies/create-or-update`, newPolicies),
  use('create policy - update', 'set', 'POST', `${V3}/policies/create-or-update`, changedPolicies),
  use('delete policy', 'delete', 'DELETE', `${V3}/policy/*`, oldPolicies),
  use('list policies', 'read', 'GET', `${V3}/policies`, changedPolicies),
  use('get policy', 'read back', 'GET', `${V3}/policy/*`, changedPolicies),
  use('get statuses', 'read', 'GET', `${V3}/vmp-reject-statuses`, statuses),
  use('get statuses - read back', 'read back', 'GET', `${V3}/vmp-reject-statuses`, statuses, { after: 1 }),
  use('update statuses', 'set', 'POST', `${V3}/vmp-reject-statuses/update`, statuses),
  use('get slicers', 'read', 'GET', `${V3}/static-key-slicer-ids`, staticKey),
  use('get slicers - read back', 'read back', 'GET', `${V3}/static-key-slicer-ids`, staticKey, { after: 1 }),
  use('update slicers', 'set', 'POST', `${V3}/static-key-slicer-ids/update`, staticKey, { writes: [0], blocks: [1] }),
  use('get key status', 'read', 'GET', `${V3}/use-static-encryption-key`, staticKey),
  use('get key status - read back', 'read back', 'GET', `${V3}/use-static-encryption-key`, staticKey, { after: 1 }),
  use('update key status', 'set', 'POST', `${V3}/use-static-encryption-key/update`, staticKey, { writes: [1] }),
  use('get schedule', 'read', 'GET', `${V3}/key-rotation-schedule`, schedule),
  use('get schedule - read back', 'read back', 'GET', `${V3}/key-rotation-schedule`, schedule, { after: 1 }),
  use('update schedule', 'set', 'POST', `${V3}/key-rotation-schedule/create-or-update`, schedule),
];
