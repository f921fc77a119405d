/** The rotation schedule on the service (drm-api-v3 section 4.8; facts.md section 5). */
import { type Fields, isFields, isObject, type Json } from '../../model/json.ts';
import { asBoolean, asInteger, asText } from '../../model/read.ts';
import { untaken } from '../../model/taken.ts';
import { malformed } from '../../service/errors.ts';
import type { Note, Observation, Planned, Request, Service, Settled, Write } from '../kind.ts';
import { ADDRESS, declaredAt, SECTION, UNSET } from './spec.ts';

const GET: Request = { method: 'GET', path: '/api/v3/drm/key-rotation-schedule', repeatable: true };

/** How the members of a schedule read; `enabled` is false where it is absent. */
const READERS: { readonly [member: string]: (value: unknown) => Json | undefined } = {
  enabled: asBoolean,
  frequency: asInteger,
  unit: asText,
  hour: asInteger,
  next_rotation: asInteger,
};

/** The service's own text is shown up to this length (design section 4, rule 10). */
const LONGEST_TEXT = 500;

/** The live schedule, and a note where rotations fail. @throws ServiceError where the answer is not a schedule */
export async function read(service: Service): Promise<Observation> {
  const { body } = await service.send(GET);
  const schedule = scheduleOf(GET, body) ?? {};
  const fields = { ...UNSET, ...fieldsOf(GET, schedule) };
  const live = { id: '', label: '', fields, nameable: false, section: SECTION, unknown: [] };
  const owner = isObject(body) ? asText(body.owner) : undefined;
  return { objects: [live], notes: failing(schedule), ...(owner === undefined ? {} : { owner }) };
}

/** All declared fields in one request. `now` in Unix milliseconds. */
export function writes({ desired }: Planned, now: number): readonly Write[] {
  if (!desired) return [];
  return [{ method: 'POST', path: `${GET.path}/create-or-update`, body: declaredAt(desired, now), repeatable: true }];
}

/**
 * The specification does not show this answer: where it holds a schedule (facts.md section 5), that is as it was sent, but for
 * `next_rotation`, which the service moves by itself; where it holds none, verification decides. @throws ServiceError (`malformed`)
 */
export function settle(_planned: Planned, write: Write, body: unknown): Settled {
  const schedule = scheduleOf(write, body);
  if (!schedule) return { state: 'done' };
  const { next_rotation: _moves, ...sent } = isFields(write.body) ? write.body : {};
  const shown = Object.entries({ ...UNSET, ...fieldsOf(write, schedule) }).filter(([member]) => Object.hasOwn(sent, member));
  const reason = untaken(sent, Object.fromEntries(shown));
  return reason === undefined ? { state: 'done' } : { state: 'failed', reason };
}

/** The schedule, undefined where there is none; null, absent and `{}` all mean that none was set (design section 3). */
function scheduleOf(request: Request, body: unknown): { readonly [member: string]: unknown } | undefined {
  const schedule = isObject(body) ? (body[SECTION] ?? undefined) : null;
  if (schedule !== undefined && !isObject(schedule)) throw malformed(request, `its ${SECTION} is not an object`);
  return schedule;
}

function fieldsOf(request: Request, schedule: { readonly [member: string]: unknown }): Fields {
  const written = Object.entries(READERS).filter(([member]) => (schedule[member] ?? null) !== null);
  return Object.fromEntries(
    written.map(([member, read]) => {
      const value = read(schedule[member]);
      if (value === undefined) throw malformed(request, `${SECTION}/${member} has another type than documented`);
      return [member, value];
    }),
  );
}

function failing(schedule: { readonly [member: string]: unknown }): readonly Note[] {
  const count = asInteger(schedule.err_count ?? 0);
  if (count === undefined) throw malformed(GET, `${SECTION}/err_count is not a whole number`);
  if (count <= 0) return [];
  const said = asText(schedule.err_msg)?.slice(0, LONGEST_TEXT);
  const summary = `key rotation is failing: ${count} ${count === 1 ? 'error' : 'errors'}${said ? `, the service says: ${said}` : ''}`;
  return [{ code: 'rotation-failing', summary, hint: 'ask the vendor, or save the schedule again', address: ADDRESS }];
}
