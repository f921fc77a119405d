/** The rows of the fault matrix: every endpoint of both APIs, with each use that a run makes of it, and a small account that needs it. */
import { isJsonObject, isObject, type Json, type JsonObject } from '../../../src/core/model/json.ts';
import { asset, beams, PLAYLISTS } from '../accounts.ts';

/** One thing that an apply brings about, in the order of its writes. */
export interface ExpectedEffect {
  readonly name: string;
  /** What `read` returns at first, and in the end. */
  readonly before: Json;
  readonly desired: Json;
  /** Reads it from an account in the form of a seed. */
  read(account: JsonObject): Json;
}

/** An account, and the configuration in the repository. */
export interface Scene {
  readonly seed: JsonObject;
  readonly sections: JsonObject;
  /** [shared] */
  readonly ownership?: 'exclusive';
  readonly targets: readonly ExpectedEffect[];
  /** Live objects that the scene changes, by `desc`, `policy_name` or ID, or whole kinds; all others must stay as they are. */
  readonly managed: readonly string[];
  /** Whether its objects have names that a service may escape, and its targets count an object under both forms. */
  readonly storesNames?: true;
}

/**
 * What a request is for:
 * - `read`: the plan depends on it; `look-up`: it shows whether the list is incomplete; `read back`: it verifies a write
 * - `create`, `delete`: must not take effect twice; `set`: may
 */
export type Purpose = 'read' | 'look-up' | 'read back' | 'create' | 'delete' | 'set';

/** One use of one endpoint. */
export interface Use {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As in a fault rule, where `*` matches an ID. */
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

/** Undeclared objects, which must stay as they are. */
const UNDECLARED = {
  playlist: [{ id: 'bystander', desc: 'bystander', playlist: beams(900, 901) }],
  'drm-policy': [{ _id: 'bystander', policy_name: 'bystander', fairplay: { lease: true } }],
  'vmp-reject-statuses': ['PLATFORM_TAMPERED'],
  'static-key': { use_static_encryption_key: true, static_key_slicer_ids: ['a', 'b'] },
  'key-rotation-schedule': { enabled: true, frequency: 1, unit: 'd', hour: 3 },
} satisfies JsonObject;

function objects(account: JsonObject, kind: string, member: string, name: string): readonly JsonObject[] {
  return [account[kind] ?? []].flat().filter((each): each is JsonObject => isJsonObject(each) && each[member] === name);
}

/** The form of a name in HTML. */
const escaped = (name: string) => name.replace('&', '&amp;');

/** An object that is to be there exactly once, under its name or under the escaped form of it. */
function namedEffect(kind: string, member: string, name: string): ExpectedEffect {
  const count = (account: JsonObject, form: string) => objects(account, kind, member, form).length;
  return { name, before: 0, desired: 1, read: (account) => count(account, name) + count(account, escaped(name)) };
}

/** An object that is to be there exactly once. */
function createdEffect(kind: string, member: string, name: string): ExpectedEffect {
  return { name, before: 0, desired: 1, read: (account) => objects(account, kind, member, name).length };
}

/** The same, gone. */
function deletedEffect(kind: string, member: string, name: string): ExpectedEffect {
  return { ...createdEffect(kind, member, name), before: 1, desired: 0 };
}

function updatedEffect(name: string, before: Json, desired: Json, read: ExpectedEffect['read']): ExpectedEffect {
  return { name, before, desired, read };
}

function valueAt(value: unknown, ...path: readonly string[]): Json {
  const found = path.reduce((part: unknown, member) => (isObject(part) ? part[member] : undefined), value);
  return JSON.parse(JSON.stringify(found ?? null));
}

const livePlaylist = (n: number, more: JsonObject = {}): JsonObject => ({
  id: `live${n}`,
  desc: `p${n}`,
  ...more,
  playlist: beams(n, 1000 + n),
});
const declaredPlaylist = (n: number, more: JsonObject = {}): JsonObject => ({ ...more, playlist: beams(n, 1000 + n) });
const smartStart = (n: number): ExpectedEffect => ({ ...createdEffect('playlist', 'id', asset(n)), name: `asset ${n}` });

const bulk: Scene = {
  seed: UNDECLARED,
  sections: { smart_starts: { one: { assets: [asset(1)], repeat: 1 }, two: { assets: [asset(2)], repeat: 2 } } },
  targets: [smartStart(1), smartStart(2)],
  managed: [asset(1), asset(2)],
};

const newPlaylists: Scene = {
  seed: UNDECLARED,
  sections: { playlists: { p1: declaredPlaylist(1, { desc: 'p&1' }), p2: declaredPlaylist(2, { desc: 'p&2' }) } },
  targets: [namedEffect('playlist', 'desc', 'p&1'), namedEffect('playlist', 'desc', 'p&2')],
  managed: ['p&1', 'p&2'].flatMap((name) => [name, escaped(name)]),
  storesNames: true,
};

const repeatOf = (name: string) =>
  updatedEffect(name, 0, 2, (account) => valueAt(objects(account, 'playlist', 'desc', name)[0] ?? null, 'repeat'));

const changedPlaylists: Scene = {
  seed: { ...UNDECLARED, playlist: [...UNDECLARED.playlist, livePlaylist(1), livePlaylist(2)] },
  sections: { playlists: { p1: declaredPlaylist(1, { repeat: 2 }), p2: declaredPlaylist(2, { repeat: 2 }) } },
  targets: [repeatOf('p1'), repeatOf('p2')],
  managed: ['p1', 'p2'],
};

const oldPlaylists: Scene = {
  seed: { ...UNDECLARED, playlist: [livePlaylist(1), livePlaylist(2), livePlaylist(3)] },
  sections: { playlists: { p3: declaredPlaylist(3) } },
  ownership: 'exclusive',
  targets: [deletedEffect('playlist', 'desc', 'p1'), deletedEffect('playlist', 'desc', 'p2')],
  managed: ['p1', 'p2'],
};

const policy = (lease: boolean): JsonObject => ({ fairplay: { lease } });

const newPolicies: Scene = {
  seed: UNDECLARED,
  sections: { drm_policies: { 'pre&mium': policy(true), 'stan&dard': policy(true) } },
  targets: [namedEffect('drm-policy', 'policy_name', 'pre&mium'), namedEffect('drm-policy', 'policy_name', 'stan&dard')],
  managed: ['pre&mium', 'stan&dard'].flatMap((name) => [name, escaped(name)]),
  storesNames: true,
};

const livePolicies = (...names: readonly string[]) => names.map((name) => ({ _id: `id-${name}`, policy_name: name, ...policy(false) }));

const leaseOf = (name: string) =>
  updatedEffect(name, false, true, (account) =>
    valueAt(objects(account, 'drm-policy', 'policy_name', name)[0] ?? null, 'fairplay', 'lease'),
  );

const changedPolicies: Scene = {
  seed: { ...UNDECLARED, 'drm-policy': [...UNDECLARED['drm-policy'], ...livePolicies('premium', 'standard')] },
  sections: { drm_policies: { premium: policy(true), standard: policy(true) } },
  targets: [leaseOf('premium'), leaseOf('standard')],
  managed: ['premium', 'standard'],
};

const oldPolicies: Scene = {
  seed: { ...UNDECLARED, 'drm-policy': livePolicies('premium', 'standard', 'kept') },
  sections: { drm_policies: { kept: policy(false) } },
  ownership: 'exclusive',
  targets: [deletedEffect('drm-policy', 'policy_name', 'premium'), deletedEffect('drm-policy', 'policy_name', 'standard')],
  managed: ['premium', 'standard'],
};

const statuses: Scene = {
  seed: UNDECLARED,
  sections: { vmp_reject_statuses: ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'] },
  targets: [
    updatedEffect('statuses', ['PLATFORM_TAMPERED'], ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'], (account) =>
      valueAt(account, 'vmp-reject-statuses'),
    ),
  ],
  managed: ['vmp-reject-statuses'],
};

const staticKey: Scene = {
  seed: UNDECLARED,
  sections: { static_key: { scope: 'specific', slicer_ids: ['a'] } },
  targets: [
    updatedEffect('slicers', ['a', 'b'], ['a'], (account) => valueAt(account, 'static-key', 'static_key_slicer_ids')),
    updatedEffect('status', true, false, (account) => valueAt(account, 'static-key', 'use_static_encryption_key')),
  ],
  managed: ['static-key'],
};

const schedule: Scene = {
  seed: UNDECLARED,
  sections: { key_rotation_schedule: { enabled: true, frequency: 1, unit: 'd', hour: 20 } },
  targets: [updatedEffect('hour', 3, 20, (account) => valueAt(account, 'key-rotation-schedule', 'hour'))],
  managed: ['key-rotation-schedule'],
};

const V3 = '/api/v3/drm';

function use(name: string, purpose: Purpose, method: Use['method'], path: string, scene: Scene, more: Partial<Use> = {}): Use {
  const writes = scene.targets.map((_, index) => index);
  return { name, purpose, method, path, scene, after: 0, writes, blocks: [], ...more };
}

/** All uses. Rows with a dash in their name are further uses of an endpoint. */
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
