/** Reads and writes the rotation schedule (drm-api-v3 section 4.8; api-notes section 5). */

import { malformed } from '../../api-client/errors.ts';
import { isJson, isJsonObject, isObject, type Json, type JsonObject, pointer } from '../../model/json.ts';
import { asBoolean, asInteger, asString } from '../../model/json-readers.ts';
import { describeWriteMismatch } from '../../model/write-mismatch.ts';
import type {
  ApiRequest,
  ApiService,
  LiveSetting,
  LiveWarning,
  ReadResult,
  ResourceChange,
  UndocumentedValue,
  WriteRequest,
  WriteResult,
} from '../kind.ts';
import { ADDRESS, declaredAt, SECTION, UNSET } from './declare.ts';

/** Path of the schedule. */
export const SCHEDULE = '/api/v3/drm/key-rotation-schedule';
/** Path of updates. */
export const CREATE_OR_UPDATE = `${SCHEDULE}/create-or-update`;

const GET: ApiRequest = { method: 'GET', path: SCHEDULE, repeatable: true };

/** Readers of the members of a schedule. */
const READERS: { readonly [member: string]: (value: unknown) => Json | undefined } = {
  enabled: asBoolean,
  frequency: asInteger,
  unit: asString,
  hour: asInteger,
  next_rotation: asInteger,
};

/** The members of a schedule that the service sets (api-notes section 5). */
const SERVICE_MEMBERS = ['_id', 'created', 'lastmod', 'last_rotation', 'last_err', 'err_count', 'err_msg'];

/** Maximum length of a text of the service that is shown, in characters (design section 4, rule 10). */
const MAX_TEXT_LENGTH = 500;

/** Reads the live schedule, with a warning where rotations fail. @throws ApiError where the response is not a schedule */
export async function read(service: ApiService): Promise<ReadResult<LiveSetting>> {
  const { body } = await service.send(GET);
  const schedule = scheduleOf(GET, body) ?? {};
  const live = { id: null, fields: fieldsOf(GET, schedule), unknownMembers: unknownMembersOf(schedule) };
  const owner = isObject(body) ? asString(body.owner) : undefined;
  return { objects: [live], warnings: failureWarnings(schedule), ...(owner === undefined ? {} : { owner }) };
}

/** Builds the one request, with all declared fields. `now` in Unix milliseconds. */
export function requests({ desired }: ResourceChange, now: number): readonly WriteRequest[] {
  if (!desired) return [];
  return [{ method: 'POST', path: CREATE_OR_UPDATE, body: declaredAt(desired, now), repeatable: true }];
}

/**
 * Reads the response, which the API documents do not define. A schedule in it (api-notes section 5) must equal the one that was sent,
 * except for `next_rotation`, which the service advances. Without a schedule in it, verification decides.
 * @throws ApiError (`malformed`)
 */
export function parseWriteResponse(_change: ResourceChange, write: WriteRequest, body: unknown): WriteResult {
  const schedule = scheduleOf(write, body);
  if (!schedule) return { state: 'done' };
  const { next_rotation: _moves, ...sent } = isJsonObject(write.body) ? write.body : {};
  const shown = Object.entries(fieldsOf(write, schedule)).filter(([member]) => Object.hasOwn(sent, member));
  const reason = describeWriteMismatch(sent, Object.fromEntries(shown));
  return reason === undefined ? { state: 'done' } : { state: 'failed', reason };
}

/** Returns the schedule of a response, undefined where there is none. Null, absent and `{}` all mean "never set" (design section 3, sources). */
function scheduleOf(request: ApiRequest, body: unknown): { readonly [member: string]: unknown } | undefined {
  const schedule = isObject(body) ? (body[SECTION] ?? undefined) : null;
  if (schedule !== undefined && !isObject(schedule)) throw malformed(request, `its ${SECTION} is not an object`);
  return schedule;
}

/**
 * Returns the fields of a schedule. One that has members, but none that says whether it is on, is not off: its `enabled` is null.
 * @throws ApiError (`malformed`)
 */
function fieldsOf(request: ApiRequest, schedule: { readonly [member: string]: unknown }): JsonObject {
  const isUnset = Object.values(schedule).every((value) => value === null);
  const present = Object.entries(READERS).filter(([member]) => (schedule[member] ?? null) !== null);
  const values = present.map(([member, read]): [string, Json] => {
    const value = read(schedule[member]);
    if (value === undefined) throw malformed(request, `${SECTION}/${member} has another type than documented`);
    return [member, value];
  });
  return { ...(isUnset ? UNSET : { enabled: null }), ...Object.fromEntries(values) };
}

/** Returns the members that no document names, except null and those that begin with `@`, which describe an answer. */
export function unknownMembersOf(schedule: { readonly [member: string]: unknown }): readonly UndocumentedValue[] {
  const isUnknown = (member: string) => !Object.hasOwn(READERS, member) && !SERVICE_MEMBERS.includes(member) && !member.startsWith('@');
  return Object.entries(schedule).flatMap(([member, value]) =>
    isUnknown(member) && value !== null ? [{ path: pointer([member]), value: isJson(value) ? value : 'nested too deep' }] : [],
  );
}

function failureWarnings(schedule: { readonly [member: string]: unknown }): readonly LiveWarning[] {
  const count = asInteger(schedule.err_count ?? 0);
  if (count !== undefined && count <= 0) return [];
  const message = asString(schedule.err_msg)?.slice(0, MAX_TEXT_LENGTH);
  const summary =
    (count === undefined
      ? 'key rotation may be failing: `err_count` is no number'
      : `key rotation is failing: ${count} ${count === 1 ? 'error' : 'errors'}`) + (message ? `, the service says: ${message}` : '');
  return [{ code: 'rotation-failing', summary, hint: 'ask the vendor, or save the schedule again', address: ADDRESS }];
}
