/** Reads and writes the VMP rejection set (drm-api-v3 section 4.5). */

import { malformed } from '../../api-client/errors.ts';
import { isJsonObject, isObject } from '../../model/json.ts';
import { asString, asStringArray } from '../../model/json-readers.ts';
import { describeWriteMismatch } from '../../model/write-mismatch.ts';
import type { ApiRequest, ApiService, LiveSetting, ReadResult, ResourceChange, WriteRequest, WriteResult } from '../kind.ts';
import { canonical, SECTION, type StatusFields } from './declare.ts';

/** Path of the set. */
export const STATUSES = '/api/v3/drm/vmp-reject-statuses';
/** Path of updates. */
export const UPDATE = `${STATUSES}/update`;

const GET: ApiRequest = { method: 'GET', path: STATUSES, repeatable: true, isList: true };

/** Reads the live set; empty where it was never set. @throws ApiError where the list is missing */
export async function read(service: ApiService): Promise<ReadResult<LiveSetting<StatusFields>>> {
  const { body } = await service.send(GET);
  const fields = canonical(statusesOf(GET, body));
  const owner = isObject(body) ? asString(body.owner) : undefined;
  const live = { id: null, fields, unknownMembers: [] } as const;
  return { objects: [live], warnings: [], ...(owner === undefined ? {} : { owner }) };
}

/** Builds the one request, with the whole set. */
export function requests({ desired }: ResourceChange): readonly WriteRequest[] {
  return desired ? [{ method: 'POST', path: UPDATE, body: desired.fields, repeatable: true }] : [];
}

/** Compares the response with the set that was sent, in any order. @throws ApiError (`malformed`) */
export function parseWriteResponse(_change: ResourceChange, write: WriteRequest, body: unknown): WriteResult {
  const reason = describeWriteMismatch(isJsonObject(write.body) ? write.body : {}, canonical(statusesOf(write, body)));
  return reason === undefined ? { state: 'done' } : { state: 'failed', reason };
}

function statusesOf(request: ApiRequest, body: unknown): readonly string[] {
  const statuses = isObject(body) ? asStringArray(body[SECTION]) : undefined;
  if (!statuses) throw malformed(request, `its ${SECTION} is not a list of texts`);
  return statuses;
}
