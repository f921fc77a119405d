/**
 * The static key's two settings as the service keeps them: drm-api-v3 sections 2.6, 4.6 and 4.7.
 * Seed: `{ use_static_encryption_key?, static_key_slicer_ids?, live_slicers? }`; a member left out, or null slicers, was never set.
 * `live_slicers` are the IDs that can be looked up (api-notes section 7); without it, those that use the static key.
 * Stored: collection `settings`, ID `status` with `{ use_static_encryption_key }`, ID `slicers` with `{ static_key_slicer_ids }`;
 * collection `directory`, ID `live_slicers` with `{ items }`.
 */
import type { Json, JsonObject } from '../../model/json.ts';
import { isObject } from '../../model/json.ts';
import { asBoolean, asStringArray } from '../../model/json-readers.ts';
import type { EmulatedKind, EmulatedRequest, EmulatedResponse, Route } from '../contract.ts';
import { applyListOrder, RouteError } from '../contract.ts';
import { type LookupItem, lookupRoutes, readItems } from './lookup-endpoints.ts';

type Account = Pick<EmulatedRequest, 'collection'>;

const statusMember = 'use_static_encryption_key';
const slicersMember = 'static_key_slicer_ids';

function used(account: Account): boolean {
  return account.collection('settings').get('status')?.[statusMember] === true;
}

function slicers(account: Account): readonly string[] | undefined {
  return asStringArray(account.collection('settings').get('slicers')?.[slicersMember]);
}

function storeStatus(account: Account, value: unknown): void {
  const use = asBoolean(value);
  if (use === undefined) throw new RouteError(400, 'bad_request', `${statusMember} must be a boolean`);
  account.collection('settings').put('status', { [statusMember]: use });
}

function storeSlicers(account: Account, value: unknown): void {
  const ids = asStringArray(value);
  if (ids === undefined) throw new RouteError(400, 'bad_request', `${slicersMember} must be a list of strings`);
  account.collection('settings').put('slicers', { [slicersMember]: [...new Set(ids)] });
}

function answer(request: EmulatedRequest, member: string, value: Json): EmulatedResponse {
  return { status: 200, body: { [member]: value, owner: request.owner } };
}

function answerStatus(request: EmulatedRequest): EmulatedResponse {
  return answer(request, statusMember, used(request));
}

function answerSlicers(request: EmulatedRequest): EmulatedResponse {
  const ids = slicers(request);
  const unset = request.quirks.unsetSlicers === 'null' ? null : [];
  return answer(request, slicersMember, ids === undefined ? unset : applyListOrder(ids, request));
}

/** The read and the update of one of the two settings. */
function routes(
  path: string,
  member: string,
  store: (account: Account, value: unknown) => void,
  show: (request: EmulatedRequest) => EmulatedResponse,
): Route[] {
  return [
    { method: 'GET', path, apiVersion: 'v3', handle: show },
    {
      method: 'POST',
      path: `${path}/update`,
      apiVersion: 'v3',
      handle(request) {
        store(request, isObject(request.body) ? request.body[member] : undefined);
        return show(request);
      },
    },
  ];
}

const directoryMember = 'live_slicers';
const directory = {
  v2: '/api2/slicer/status',
  v4: '/api/v4/ingest/cloud-slicers/live/slicers',
  asks: 'slicer_ids',
  answers: 'slicers',
  id: 'slicer_id',
};

function liveSlicers(account: Account): readonly LookupItem[] | undefined {
  const items = account.collection('directory').get(directoryMember)?.items;
  return items === undefined ? undefined : readItems(items, directoryMember);
}

/** The endpoints of drm-api-v3 sections 4.6 and 4.7. */
export const emulation: EmulatedKind = {
  name: 'static-key',
  routes: [
    ...routes('/api/v3/drm/use-static-encryption-key', statusMember, storeStatus, answerStatus),
    ...routes('/api/v3/drm/static-key-slicer-ids', slicersMember, storeSlicers, answerSlicers),
  ],
  lookups: lookupRoutes(directory, 'LiveSlicer', (request) => {
    const items = liveSlicers(request) ?? readItems(slicers(request) ?? [], slicersMember);
    return new Map(items.map((item) => [item.id, item]));
  }),
  seed(value, account) {
    if (!isObject(value)) throw new Error('must be an object');
    if (value[statusMember] !== undefined) storeStatus(account, value[statusMember]);
    if (value[slicersMember] !== undefined && value[slicersMember] !== null) storeSlicers(account, value[slicersMember]);
    const live = value[directoryMember];
    if (live !== undefined) account.collection('directory').put(directoryMember, { items: readItems(live, directoryMember) });
  },
  dump(account): JsonObject {
    const live = liveSlicers(account);
    const settings = { [statusMember]: used(account), [slicersMember]: slicers(account) ?? null };
    return live === undefined ? settings : { ...settings, [directoryMember]: live };
  },
};
