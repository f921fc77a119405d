/**
 * Emulates the key rotation schedule: drm-api-v3 sections 2.6 and 4.8, api-notes section 5.
 * Assumptions beyond these: members that an update omits keep their values, and only an enabled schedule with
 * `frequency`, `unit` and `hour` rotates. Seed: the dictionary, or null for a schedule that was never set.
 * Stored: collection `schedule`, ID `current`, the dictionary.
 */
import type { Json, JsonObject } from '../../core/model/json.ts';
import { isObject } from '../../core/model/json.ts';
import { asBoolean } from '../../core/model/json-readers.ts';
import {
  badRequest,
  type Collections,
  type EmulatedKind,
  type EmulatedRequest,
  type EmulatedResponse,
  integerReader,
} from '../contract.ts';

/** The members that may be set, and the reader of each value. `next_rotation` is in Unix milliseconds, `hour` in UTC. */
const readers: { readonly [member: string]: (value: unknown) => Json | undefined } = {
  next_rotation: integerReader(0),
  enabled: asBoolean,
  frequency: integerReader(1),
  unit: (value) => (value === 'd' || value === 'm' ? value : undefined),
  hour: integerReader(0, 23),
};

function readSettings(body: unknown): JsonObject {
  if (!isObject(body)) badRequest('the schedule must be a dictionary');
  const settings = Object.entries(readers).flatMap(([member, read]) => {
    if (body[member] === undefined) return [];
    const value = read(body[member]);
    if (value === undefined) badRequest(`${member} has a value that is not allowed`);
    return [[member, value] as const];
  });
  return Object.fromEntries(settings);
}

/** Returns the rotation one period after a time (Unix milliseconds), at the schedule's hour; undefined if the schedule does not rotate. */
function rotationAfter(schedule: JsonObject, time: number): number | undefined {
  const { enabled, frequency, unit, hour } = schedule;
  if (enabled !== true || typeof frequency !== 'number' || typeof hour !== 'number') return undefined;
  const date = new Date(time);
  const [months, days] = unit === 'm' ? [frequency, 0] : unit === 'd' ? [0, frequency] : [0, 0];
  if (months + days === 0) return undefined;
  // In a month without that day, the rotation is on its last day, not in the next month.
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  const day = months > 0 ? Math.min(date.getUTCDate(), lastDay) : date.getUTCDate() + days;
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, day, hour);
  // Dates end in the year 275760.
  return Number.isNaN(next) ? undefined : next;
}

/** Returns the schedule at a time: the service itself advances `next_rotation` once it has passed. */
function scheduleAt(schedule: JsonObject, now: number): JsonObject {
  let next = typeof schedule.next_rotation === 'number' ? schedule.next_rotation : undefined;
  let last = schedule.last_rotation ?? null;
  while (next !== undefined && next <= now) {
    const later = rotationAfter(schedule, next);
    if (later === undefined) break;
    last = next;
    next = later;
  }
  return next === undefined ? schedule : { ...schedule, next_rotation: next, last_rotation: last };
}

function stored(account: Collections): JsonObject | undefined {
  return account.collection('schedule').get('current');
}

/** Returns a schedule with nothing but the members that the service sets itself. */
function withoutSettings(schedule: JsonObject | undefined): JsonObject | undefined {
  return schedule && Object.fromEntries(Object.entries(schedule).filter(([member]) => !Object.hasOwn(readers, member)));
}

/** Stores settings over the current ones, with the members that the service sets itself. */
function store(
  settings: JsonObject,
  account: Pick<EmulatedRequest, 'collection' | 'newId' | 'now'>,
  current: JsonObject | undefined = stored(account),
): void {
  const own = { _id: account.newId(), created: account.now, last_rotation: null, last_err: null, err_count: 0, err_msg: '' };
  const schedule: JsonObject = { ...own, ...current, lastmod: account.now, ...settings };
  const next = settings.next_rotation ?? rotationAfter(schedule, account.now);
  account.collection('schedule').put('current', next === undefined ? schedule : { ...schedule, next_rotation: next });
}

function unsetSchedule(request: EmulatedRequest): JsonObject {
  if (request.quirks.unsetSchedule === 'absent') return {};
  return { key_rotation_schedule: request.quirks.unsetSchedule === 'null' ? null : {} };
}

function respond(request: EmulatedRequest): EmulatedResponse {
  const schedule = stored(request);
  const member = schedule === undefined ? unsetSchedule(request) : { key_rotation_schedule: scheduleAt(schedule, request.now) };
  return { status: 200, body: { owner: request.owner, ...member } };
}

/** The endpoints of drm-api-v3 section 4.8. */
export const emulatedKeyRotationSchedule: EmulatedKind = {
  name: 'key-rotation-schedule',
  routes: [
    { method: 'GET', path: '/api/v3/drm/key-rotation-schedule', apiVersion: 'v3', handle: respond },
    {
      method: 'POST',
      path: '/api/v3/drm/key-rotation-schedule/create-or-update',
      apiVersion: 'v3',
      handle(request) {
        const settings = readSettings(request.body);
        const { scheduleResets, scheduleAnswered } = request.quirks;
        const unset = scheduleResets ? withoutSettings(stored(request)) : stored(request);
        store(settings, request, unset);
        return scheduleAnswered ? respond(request) : { status: 200, body: { owner: request.owner } };
      },
    },
  ],
  seed(value, account) {
    if (value === null) return;
    if (!isObject(value)) throw new Error('must be an object or null');
    store({ ...value, ...readSettings(value) }, account);
  },
  dump(account) {
    return stored(account) ?? null;
  },
};
