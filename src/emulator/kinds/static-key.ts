/**
 * Emulates the two settings of the static key: drm-api-v3 sections 2.6, 4.6 and 4.7.
 * Seed: `{ use_static_encryption_key?, static_key_slicer_ids?, live_slicers? }`; a member that is omitted, or null slicers, was never set.
 * `live_slicers` are the IDs that can be looked up (api-notes section 7); without it, the slicers that use the static key.
 * Stored: collection `settings`, ID `status` with `{ use_static_encryption_key }`, ID `slicers` with `{ static_key_slicer_ids }`;
 * collection `directory`, ID `live_slicers` with `{ items }`.
 */
import type { Json, JsonObject } from '../../core/model/json.ts';
import { isObject } from '../../core/model/json.ts';
import { asBoolean, asStringArray } from '../../core/model/json-readers.ts';
import { badRequest, type Collections, type EmulatedKind, type EmulatedRequest, type EmulatedResponse, type Route } from '../contract.ts';
import { applyListOrder } from '../quirks.ts';
import { type LookupItem, lookupRoutes, readItems } from './lookup-endpoints.ts';

const STATUS_MEMBER = 'use_static_encryption_key';
const SLICERS_MEMBER = 'static_key_slicer_ids';

function readStatus(account: Collections): boolean {
  return account.collection('settings').get('status')?.[STATUS_MEMBER] === true;
}

function readSlicers(account: Collections): readonly string[] | undefined {
  return asStringArray(account.collection('settings').get('slicers')?.[SLICERS_MEMBER]);
}

function storeStatus(account: Collections, value: unknown): void {
  const isUsed = asBoolean(value);
  if (isUsed === undefined) badRequest(`${STATUS_MEMBER} must be a boolean`);
  account.collection('settings').put('status', { [STATUS_MEMBER]: isUsed });
}

function storeSlicers(account: Collections, value: unknown): void {
  const ids = asStringArray(value);
  if (ids === undefined) badRequest(`${SLICERS_MEMBER} must be a list of strings`);
  account.collection('settings').put('slicers', { [SLICERS_MEMBER]: [...new Set(ids)] });
}

function respond(request: EmulatedRequest, member: string, value: Json): EmulatedResponse {
  return { status: 200, body: { [member]: value, owner: request.owner } };
}

function respondStatus(request: EmulatedRequest): EmulatedResponse {
  return respond(request, STATUS_MEMBER, readStatus(request));
}

function respondSlicers(request: EmulatedRequest): EmulatedResponse {
  const ids = readSlicers(request);
  const unset = request.quirks.unsetSlicers === 'null' ? null : [];
  return respond(request, SLICERS_MEMBER, ids === undefined ? unset : applyListOrder(ids, request));
}

/** Returns the read and the update of one of the two settings. */
function settingRoutes(
  path: string,
  member: string,
  store: (account: Collections, value: unknown) => void,
  handleRead: (request: EmulatedRequest) => EmulatedResponse,
): Route[] {
  return [
    { method: 'GET', path, apiVersion: 'v3', handle: handleRead },
    {
      method: 'POST',
      path: `${path}/update`,
      apiVersion: 'v3',
      handle(request) {
        store(request, isObject(request.body) ? request.body[member] : undefined);
        return handleRead(request);
      },
    },
  ];
}

const LIVE_SLICERS = 'live_slicers';
const LOOKUP = {
  v2: '/api2/slicer/status',
  v4: '/api/v4/ingest/cloud-slicers/live/slicers',
  requestField: 'slicer_ids',
  listField: 'slicers',
  idField: 'slicer_id',
};

function readLiveSlicers(account: Collections): readonly LookupItem[] | undefined {
  const items = account.collection('directory').get(LIVE_SLICERS)?.items;
  return items === undefined ? undefined : readItems(items, LIVE_SLICERS);
}

/** The endpoints of drm-api-v3 sections 4.6 and 4.7. */
export const emulatedStaticKey: EmulatedKind = {
  name: 'static-key',
  routes: [
    ...settingRoutes('/api/v3/drm/use-static-encryption-key', STATUS_MEMBER, storeStatus, respondStatus),
    ...settingRoutes('/api/v3/drm/static-key-slicer-ids', SLICERS_MEMBER, storeSlicers, respondSlicers),
  ],
  lookups: lookupRoutes(LOOKUP, 'LiveSlicer', (request) => {
    const items = readLiveSlicers(request) ?? readItems(readSlicers(request) ?? [], SLICERS_MEMBER);
    return new Map(items.map((item) => [item.id, item]));
  }),
  seed(value, account) {
    if (!isObject(value)) throw new Error('must be an object');
    if (value[STATUS_MEMBER] !== undefined) storeStatus(account, value[STATUS_MEMBER]);
    if (value[SLICERS_MEMBER] !== undefined && value[SLICERS_MEMBER] !== null) storeSlicers(account, value[SLICERS_MEMBER]);
    const live = value[LIVE_SLICERS];
    if (live !== undefined) account.collection('directory').put(LIVE_SLICERS, { items: readItems(live, LIVE_SLICERS) });
  },
  dump(account): JsonObject {
    const live = readLiveSlicers(account);
    const settings = { [STATUS_MEMBER]: readStatus(account), [SLICERS_MEMBER]: readSlicers(account) ?? null };
    return live === undefined ? settings : { ...settings, [LIVE_SLICERS]: live };
  },
};
