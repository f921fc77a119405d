/** The rotation schedule on the service (drm-api-v3 section 4.8; api-notes section 5). */

import { malformed } from '../../api-client/errors.ts';
import { isJsonObject, isObject, type Json, type JsonObject } from '../../model/json.ts';
import { asBoolean, asInteger, asString } from '../../model/json-readers.ts';
import { describeWriteMismatch } from '../../model/write-mismatch.ts';
import type { ApiRequest, ApiService, LiveNote, PlannedChange, ReadResult, WriteRequest, WriteResult } from '../kind.ts';
import { ADDRESS, declaredAt, SECTION, UNSET } from './declare.ts';

const GET: ApiRequest = { method: 'GET', path: '/api/v3/drm/key-rotation-schedule', repeatable: true };

/** How the members of a schedule read; `enabled` is false where it is absent. */
const READERS: { readonly [member: string]: (value: unknown) => Json | undefined } = {
  enabled: asBoolean,
  frequency: asInteger,
  unit: asString,
  hour: asInteger,
  next_rotation: asInteger,
};

/** The service's own text is shown up to this length (design section 4, rule 10). */
const LONGEST_TEXT = 500;

/** The live schedule, and a note where rotations fail. @throws ServiceError where the answer is not a schedule */
export async function read(service: ApiService): Promise<ReadResult> {
  const { body } = await service.send(GET);
  const schedule = scheduleOf(GET, body) ?? {};
  const fields = { ...UNSET, ...fieldsOf(GET, schedule) };
  const live = { id: '', label: '', fields, matchableByName: false, configSection: SECTION, unknown: [] };
  const owner = isObject(body) ? asString(body.owner) : undefined;
  return { objects: [live], notes: failing(schedule), ...(owner === undefined ? {} : { owner }) };
}

/** All declared fields in one request. `now` in Unix milliseconds. */
export function requests({ desired }: PlannedChange, now: number): readonly WriteRequest[] {
  if (!desired) return [];
  return [{ method: 'POST', path: `${GET.path}/create-or-update`, body: declaredAt(desired, now), repeatable: true }];
}

/**
 * The specification does not show this answer: where it holds a schedule (api-notes section 5), that is as it was sent, but for
 * `next_rotation`, which the service moves by itself; where it holds none, verification decides. @throws ServiceError (`malformed`)
 */
export function parseWriteResponse(_planned: PlannedChange, write: WriteRequest, body: unknown): WriteResult {
  const schedule = scheduleOf(write, body);
  if (!schedule) return { state: 'done' };
  const { next_rotation: _moves, ...sent } = isJsonObject(write.body) ? write.body : {};
  const shown = Object.entries({ ...UNSET, ...fieldsOf(write, schedule) }).filter(([member]) => Object.hasOwn(sent, member));
  const reason = describeWriteMismatch(sent, Object.fromEntries(shown));
  return reason === undefined ? { state: 'done' } : { state: 'failed', reason };
}

/** The schedule, undefined where there is none; null, absent and `{}` all mean that none was set (design section 3). */
function scheduleOf(request: ApiRequest, body: unknown): { readonly [member: string]: unknown } | undefined {
  const schedule = isObject(body) ? (body[SECTION] ?? undefined) : null;
  if (schedule !== undefined && !isObject(schedule)) throw malformed(request, `its ${SECTION} is not an object`);
  return schedule;
}

function fieldsOf(request: ApiRequest, schedule: { readonly [member: string]: unknown }): JsonObject {
  const written = Object.entries(READERS).filter(([member]) => (schedule[member] ?? null) !== null);
  return Object.fromEntries(
    written.map(([member, read]) => {
      const value = read(schedule[member]);
      if (value === undefined) throw malformed(request, `${SECTION}/${member} has another type than documented`);
      return [member, value];
    }),
  );
}

function failing(schedule: { readonly [member: string]: unknown }): readonly LiveNote[] {
  const count = asInteger(schedule.err_count ?? 0);
  if (count === undefined) throw malformed(GET, `${SECTION}/err_count is not a whole number`);
  if (count <= 0) return [];
  const said = asString(schedule.err_msg)?.slice(0, LONGEST_TEXT);
  const summary = `key rotation is failing: ${count} ${count === 1 ? 'error' : 'errors'}${said ? `, the service says: ${said}` : ''}`;
  return [{ code: 'rotation-failing', summary, hint: 'ask the vendor, or save the schedule again', address: ADDRESS }];
}
