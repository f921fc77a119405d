/**
 * Reads and writes the static key's status and its slicers (drm-api-v3 sections 4.6 and 4.7), two settings of the service that form one
 * scope. A slicer is a component that ingests a live stream.
 */

import { malformed } from '../../api-client/errors.ts';
import { equal, isJsonObject, isObject } from '../../model/json.ts';
import { asBoolean, asString, asStringArray } from '../../model/json-readers.ts';
import { describeWriteMismatch } from '../../model/write-mismatch.ts';
import type { ApiRequest, ApiService, LiveSetting, ReadResult, ResourceChange, WriteRequest, WriteResult } from '../kind.ts';
import { canonical, type StaticKeyFields, setOf } from './declare.ts';

/** Path of the status: whether every slicer uses the static key. */
export const STATUS = '/api/v3/drm/use-static-encryption-key';
/** Path of the slicers that use the static key. */
export const SLICERS = '/api/v3/drm/static-key-slicer-ids';

/** Returns the path of updates of one of the two. */
export function updateOf(path: string): string {
  return `${path}/update`;
}

const GET_STATUS: ApiRequest = { method: 'GET', path: STATUS, repeatable: true };
const GET_SLICERS: ApiRequest = { method: 'GET', path: SLICERS, repeatable: true, isList: true };

/** Reads the live scope. @throws ApiError unless both settings were read */
export async function read(service: ApiService): Promise<ReadResult<LiveSetting<StaticKeyFields>>> {
  const [status, slicers] = await Promise.all([service.send(GET_STATUS), service.send(GET_SLICERS)]);
  const ids = slicersOf(GET_SLICERS, slicers.body);
  const live = { id: null, fields: scopeOf(statusOf(GET_STATUS, status.body), ids), unknownMembers: [] } as const;
  const owner = ownerOf(status.body) ?? ownerOf(slicers.body);
  return { objects: [live], warnings: [], ...(owner === undefined ? {} : { owner }) };
}

/** Returns the scope that the two settings form together. */
function scopeOf(isForAll: boolean, ids: readonly string[]): StaticKeyFields {
  return canonical(isForAll ? 'all' : ids.length > 0 ? 'specific' : 'none', ids);
}

/** Returns the scope after one of the two settings was written. */
export function afterRequest({ scope, slicer_ids: ids }: StaticKeyFields, { path, body }: WriteRequest): StaticKeyFields {
  const { use_static_encryption_key: status, static_key_slicer_ids: slicers } = isJsonObject(body) ? body : {};
  return path === updateOf(STATUS) ? scopeOf(status === true, ids) : scopeOf(scope === 'all', asStringArray(slicers) ?? ids);
}

/** Builds the requests in the order that drm-api-v3 section 3 prescribes for a change of the scope, without those that would change nothing. */
export function requests({ desired, live }: ResourceChange<LiveSetting<StaticKeyFields>, StaticKeyFields>): readonly WriteRequest[] {
  if (!desired) return [];
  const { scope, slicer_ids: slicers } = desired.fields;
  const before = live?.fields ?? canonical('none', []);
  const useAll = scope === 'all';
  const status = useAll === (before.scope === 'all') ? [] : [update(STATUS, { use_static_encryption_key: useAll })];
  const list = equal(slicers, before.slicer_ids) ? [] : [update(SLICERS, { static_key_slicer_ids: slicers })];
  if (useAll) return status;
  return scope === 'specific' ? [...list, ...status] : [...status, ...list];
}

/** Compares the response, which has the form of the GET, with the setting that was sent. @throws ApiError (`malformed`) */
export function parseWriteResponse(_change: ResourceChange, write: WriteRequest, body: unknown): WriteResult {
  const shown = write.path.startsWith(STATUS)
    ? { use_static_encryption_key: statusOf(write, body) }
    : { static_key_slicer_ids: setOf(slicersOf(write, body)) };
  const reason = describeWriteMismatch(isJsonObject(write.body) ? write.body : {}, shown);
  return reason === undefined ? { state: 'done' } : { state: 'failed', reason };
}

function update(path: string, body: NonNullable<WriteRequest['body']>): WriteRequest {
  return { method: 'POST', path: updateOf(path), body, repeatable: true };
}

function statusOf(request: ApiRequest, body: unknown): boolean {
  const status = isObject(body) ? asBoolean(body.use_static_encryption_key) : undefined;
  if (status === undefined) throw malformed(request, 'its use_static_encryption_key is not a boolean');
  return status;
}

/** Returns the slicer IDs; null means that slicers were never set. @throws ApiError (`malformed`), also where the member is absent */
function slicersOf(request: ApiRequest, body: unknown): readonly string[] {
  const slicers = isObject(body) ? body.static_key_slicer_ids : undefined;
  const ids = slicers === null ? [] : asStringArray(slicers);
  if (!ids) throw malformed(request, 'its static_key_slicer_ids is neither a list of texts nor null');
  return ids;
}

function ownerOf(body: unknown): string | undefined {
  return isObject(body) ? asString(body.owner) : undefined;
}
