/**
 * The key rotation schedule as the service keeps it: drm-api-v3 sections 2.6 and 4.8, api-notes section 5.
 * Where these are silent: members that an update leaves out keep their values, and only an enabled schedule with
 * `frequency`, `unit` and `hour` rotates. Seed: the dictionary, or null for a schedule that was never set.
 * Stored: collection `schedule`, ID `current`, the dictionary.
 */
import type { Json, JsonObject } from '../../model/json.ts';
import { isObject } from '../../model/json.ts';
import { asBoolean, asInteger } from '../../model/json-readers.ts';
import type { EmulatedKind, EmulatedRequest, EmulatedResponse } from '../contract.ts';
import { RouteError } from '../contract.ts';

type Account = Pick<EmulatedRequest, 'collection'>;

function integer(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (value: unknown) => Json | undefined {
  return (value) => {
    const number = asInteger(value);
    return number === undefined || number < minimum || number > maximum ? undefined : number;
  };
}

/** What may be set, and the reading of each value. `next_rotation` in Unix milliseconds, `hour` in UTC. */
const readers: { readonly [member: string]: (value: unknown) => Json | undefined } = {
  next_rotation: integer(0),
  enabled: asBoolean,
  frequency: integer(1, 1000),
  unit: (value) => (value === 'd' || value === 'm' ? value : undefined),
  hour: integer(0, 23),
};

function readSettings(body: unknown): JsonObject {
  if (!isObject(body)) throw new RouteError(400, 'bad_request', 'the schedule must be a dictionary');
  const settings = Object.entries(readers).flatMap(([member, read]) => {
    if (body[member] === undefined) return [];
    const value = read(body[member]);
    if (value === undefined) throw new RouteError(400, 'bad_request', `${member} has a value that is not allowed`);
    return [[member, value] as const];
  });
  return Object.fromEntries(settings);
}

/** The rotation after the given time, one period later at the schedule's hour; undefined where the schedule does not rotate. */
function following(schedule: JsonObject, time: number): number | undefined {
  const { enabled, frequency, unit, hour } = schedule;
  if (enabled !== true || typeof frequency !== 'number' || typeof hour !== 'number') return undefined;
  const date = new Date(time);
  const [months, days] = unit === 'm' ? [frequency, 0] : unit === 'd' ? [0, frequency] : [0, 0];
  if (months + days === 0) return undefined;
  // A month without the day rotates on its last day instead of slipping into the next month.
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  const day = months > 0 ? Math.min(date.getUTCDate(), lastDay) : date.getUTCDate() + days;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, day, hour);
}

/** The schedule as it stands now: the service moves `next_rotation` on by itself once it has passed. */
function rotated(schedule: JsonObject, now: number): JsonObject {
  let next = typeof schedule.next_rotation === 'number' ? schedule.next_rotation : undefined;
  let last = schedule.last_rotation ?? null;
  while (next !== undefined && next <= now) {
    const later = following(schedule, next);
    if (later === undefined) break;
    last = next;
    next = later;
  }
  return next === undefined ? schedule : { ...schedule, next_rotation: next, last_rotation: last };
}

function stored(account: Account): JsonObject | undefined {
  return account.collection('schedule').get('current');
}

/** Stores settings over what stands; members of the service's own keep their values. */
function store(settings: JsonObject, account: Pick<EmulatedRequest, 'collection' | 'newId' | 'now'>): void {
  const own = { _id: account.newId(), created: account.now, last_rotation: null, last_err: null, err_count: 0, err_msg: '' };
  const schedule: JsonObject = { ...own, ...stored(account), lastmod: account.now, ...settings };
  const next = settings.next_rotation ?? following(schedule, account.now);
  account.collection('schedule').put('current', next === undefined ? schedule : { ...schedule, next_rotation: next });
}

function unset(request: EmulatedRequest): JsonObject {
  if (request.quirks.unsetSchedule === 'absent') return {};
  return { key_rotation_schedule: request.quirks.unsetSchedule === 'null' ? null : {} };
}

function answer(request: EmulatedRequest): EmulatedResponse {
  const schedule = stored(request);
  const shown = schedule === undefined ? unset(request) : { key_rotation_schedule: rotated(schedule, request.now) };
  return { status: 200, body: { owner: request.owner, ...shown } };
}

/** The endpoints of drm-api-v3 section 4.8. */
export const emulation: EmulatedKind = {
  name: 'key-rotation-schedule',
  routes: [
    { method: 'GET', path: '/api/v3/drm/key-rotation-schedule', apiVersion: 'v3', handle: answer },
    {
      method: 'POST',
      path: '/api/v3/drm/key-rotation-schedule/create-or-update',
      apiVersion: 'v3',
      handle(request) {
        store(readSettings(request.body), request);
        return answer(request);
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
