/**
 * The settings of the account as a whole that a probe changes only where it is told that the account is disposable: how they are read, which
 * values a probe writes, and how what they were is put back.
 */
import { createHash } from 'node:crypto';
import { equal, isObject, type JsonObject } from '../model/json.ts';
import { asBoolean, asInteger, asString, asStringArray } from '../model/json-readers.ts';
import { type Exchange, isSuccess, type ProbeConnection, type ProbeService } from './exchange.ts';
import type { PriorSetting, ScratchJournal, SettingName } from './scratch.ts';

/** Path of the rejected VMP statuses. */
export const VMP = '/api/v3/drm/vmp-reject-statuses';
/** Path of the slicers with a static key. */
export const SLICERS = '/api/v3/drm/static-key-slicer-ids';
/** Path of the status of the static key. */
export const STATUS = '/api/v3/drm/use-static-encryption-key';
/** Path of the rotation schedule. */
export const SCHEDULE = '/api/v3/drm/key-rotation-schedule';

/** The statuses that a probe rejects; the last one is no status that a document names. */
export const PROBE_STATUSES = ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED', 'UPKEEP_PROBE'] as const;
/** The slicers that a probe lists; there are none of that name. */
export const PROBE_SLICERS = ['upkeep-probe-1', 'upkeep-probe-2'] as const;
/** The schedule that a probe writes. It is never enabled: a rotation cannot be undone. */
export const PROBE_SCHEDULE = { enabled: false, frequency: 11, unit: 'm', hour: 3 } as const;
/** The hour that a probe changes alone. */
export const PROBE_HOUR = 4;

/** A write of a setting. */
interface Update {
  readonly path: string;
  readonly body: JsonObject;
}

/** A setting, in a canonical form: lists are sorted, and what was never set is an empty list or a schedule that is off. */
interface AccountSetting {
  /** The paths of its reads. */
  readonly reads: readonly string[];
  /** Returns what the answers to the reads show; undefined where one of them is not usable. */
  parse(answers: readonly (Exchange | undefined)[]): JsonObject | undefined;
  /** Decides whether a live value is that before the probe, as far as it can be put back at `now`, Unix milliseconds. */
  isPrior(live: JsonObject, prior: JsonObject, now: number): boolean;
  /** Decides whether a live value consists only of what was there before, and of what a probe writes. */
  isOfProbe(live: JsonObject, prior: JsonObject): boolean;
  /** Returns the writes that put the value back. Those of a later round first empty a list that a service may only add to. */
  updates(live: JsonObject, prior: JsonObject, now: number, round: number): readonly Update[];
}

const listOf = (value: unknown): readonly string[] | undefined => {
  const texts = value === null ? [] : asStringArray(value);
  return texts && [...new Set(texts)].sort();
};
const textsOf = (value: unknown): readonly string[] => asStringArray(value) ?? [];

/** Returns the body of a success. */
function bodyOf(exchange: Exchange | undefined): { readonly [member: string]: unknown } | undefined {
  return exchange !== undefined && isSuccess(exchange) && isObject(exchange.body) ? exchange.body : undefined;
}

/** Returns the rejected statuses that an answer shows, sorted. */
export function statusesIn(exchange: Exchange | undefined): readonly string[] | undefined {
  return listOf(bodyOf(exchange)?.vmp_reject_statuses ?? undefined);
}

/** Returns the slicers that an answer shows, sorted; null counts as none. */
export function slicersIn(exchange: Exchange | undefined): readonly string[] | undefined {
  return listOf(bodyOf(exchange)?.static_key_slicer_ids);
}

/** Returns the status of the static key that an answer shows. */
export function keyStatusIn(exchange: Exchange | undefined): boolean | undefined {
  return asBoolean(bodyOf(exchange)?.use_static_encryption_key);
}

/** Returns the schedule that an answer shows: the members that can be set; null where it shows none. */
export function scheduleIn(exchange: Exchange | undefined): JsonObject | null | undefined {
  const body = bodyOf(exchange);
  if (body === undefined) return undefined;
  const schedule = body.key_rotation_schedule ?? null;
  if (schedule === null || (isObject(schedule) && Object.keys(schedule).length === 0)) return null;
  if (!isObject(schedule)) return undefined;
  const { enabled, unit, ...numbers } = schedule;
  const members = {
    enabled: asBoolean(enabled ?? false),
    frequency: asInteger(numbers.frequency),
    unit: asString(unit),
    hour: asInteger(numbers.hour),
    next_rotation: asInteger(numbers.next_rotation),
  };
  return Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** Returns the writes of a list that differs. */
function listUpdates(path: string, member: string, live: readonly string[], prior: readonly string[], round: number): readonly Update[] {
  if (equal(live, prior)) return [];
  const update = (list: readonly string[]): Update => ({ path: `${path}/update`, body: { [member]: list } });
  return round > 1 && prior.length > 0 ? [update([]), update(prior)] : [update(prior)];
}

const isWithin = (list: readonly string[], ...allowed: readonly (readonly string[])[]): boolean =>
  list.every((text) => allowed.some((texts) => texts.includes(text)));

/** Returns what of a schedule can be put back: the service does not take a rotation in the past. */
export function restorable(prior: JsonObject, now: number): JsonObject {
  const { next_rotation: next, ...rest } = prior;
  return typeof next === 'number' && next > now ? prior : rest;
}

const SETTINGS: { readonly [name in SettingName]: AccountSetting } = {
  'vmp-reject-statuses': {
    reads: [VMP],
    parse([answer]) {
      const statuses = statusesIn(answer);
      return statuses && { statuses };
    },
    isPrior: (live, prior) => equal(live, prior),
    isOfProbe: (live, prior) => isWithin(textsOf(live.statuses), textsOf(prior.statuses), PROBE_STATUSES),
    updates: (live, prior, _now, round) => listUpdates(VMP, 'vmp_reject_statuses', textsOf(live.statuses), textsOf(prior.statuses), round),
  },
  'static-key': {
    reads: [STATUS, SLICERS],
    parse([first, second]) {
      const [status, slicers] = [keyStatusIn(first), slicersIn(second)];
      return status === undefined || slicers === undefined ? undefined : { status, slicers };
    },
    isPrior: (live, prior) => equal(live, prior),
    isOfProbe: (live, prior) => isWithin(textsOf(live.slicers), textsOf(prior.slicers), PROBE_SLICERS),
    updates(live, prior, _now, round) {
      const slicers = listUpdates(SLICERS, 'static_key_slicer_ids', textsOf(live.slicers), textsOf(prior.slicers), round);
      const isSame = live.status === prior.status;
      const status = isSame ? [] : [{ path: `${STATUS}/update`, body: { use_static_encryption_key: prior.status === true } }];
      // The documented orders (drm-api-v3 section 3): the slicers come first only where specific ones use the key.
      const isSpecific = prior.status !== true && textsOf(prior.slicers).length > 0;
      return isSpecific ? [...slicers, ...status] : [...status, ...slicers];
    },
  },
  'key-rotation-schedule': {
    reads: [SCHEDULE],
    parse([answer]) {
      const schedule = scheduleIn(answer);
      return schedule === null ? { enabled: false } : schedule;
    },
    isPrior: (live, prior, now) => Object.entries(restorable(prior, now)).every(([name, value]) => live[name] === value),
    isOfProbe(live, prior) {
      const written: JsonObject = PROBE_SCHEDULE;
      return Object.entries(live).every(
        ([name, value]) => value === prior[name] || value === written[name] || (name === 'hour' && value === PROBE_HOUR),
      );
    },
    updates: (_live, prior, now) => [{ path: `${SCHEDULE}/create-or-update`, body: restorable(prior, now) }],
  },
};

/** Returns a setting that two readings agree about, by the names of their answers; undefined where they do not. */
export function agreedSetting(
  name: SettingName,
  seen: ReadonlyMap<string, Exchange>,
  readings: readonly (readonly string[])[],
): JsonObject | undefined {
  const [first, second] = readings.map((names) => SETTINGS[name].parse(names.map((each) => seen.get(each))));
  return first !== undefined && second !== undefined && equal(first, second) ? first : undefined;
}

/** Returns what tells accounts apart in the journal: a setting is never put back into another account. */
export function accountDigest({ credentials, baseUrl }: Pick<ProbeConnection, 'credentials' | 'baseUrl'>): string {
  return createHash('sha256').update(`${credentials.owner.toLowerCase()}\n${baseUrl}`).digest('hex');
}

/** The settings that are not as before. */
export interface Restoration {
  /** Those that could not be put back, each with the reason. The next probe tries again. */
  readonly left: readonly string[];
  /** Those that somebody else has changed since an earlier probe. They are left as they are. */
  readonly changedByOthers: readonly SettingName[];
}

/** Which probe has changed a setting. */
type ChangedBy = 'this probe' | 'an earlier probe';

/** Rounds of writes by which a setting is put back. */
const ROUNDS = 3;

/**
 * Puts the settings of the journal back, and reads them again until they are as before. A setting that an earlier probe left is written only
 * where it shows nothing but values of that probe and those from before: somebody else may have changed it since. Those that are
 * not put back stay in the journal.
 */
export async function restoreSettings(service: ProbeService, journal: ScratchJournal, by: ChangedBy): Promise<Restoration> {
  const left: string[] = [];
  const changedByOthers: SettingName[] = [];
  for (const prior of journal.settings()) {
    const outcome = prior.account === accountDigest(service.connection) ? await restore(service, prior, by) : 'of another account';
    if (outcome === 'restored' || outcome === 'changed by somebody else since') journal.restored(prior.setting);
    if (outcome === 'changed by somebody else since') changedByOthers.push(prior.setting);
    else if (outcome !== 'restored') left.push(`${prior.setting} (${outcome})`);
  }
  return { left, changedByOthers };
}

type Restored = 'restored' | 'not put back' | 'changed by somebody else since' | 'of another account';

async function restore(service: ProbeService, { setting: name, prior }: PriorSetting, by: ChangedBy): Promise<Restored> {
  const setting = SETTINGS[name];
  const { now } = service.connection;
  let isOwn = by === 'this probe';
  for (let round = 1; ; round++) {
    const live = await readSetting(service, setting);
    if (live !== undefined && setting.isPrior(live, prior, now())) return 'restored';
    if (live !== undefined && !isOwn && !setting.isOfProbe(live, prior)) return 'changed by somebody else since';
    if (round > ROUNDS) return 'not put back';
    isOwn ||= live !== undefined;
    for (const { path, body } of live === undefined ? [] : setting.updates(live, prior, now(), round))
      await service.send({ name: 'put back', method: 'POST', path, body });
  }
}

/** Reads a setting twice; undefined where the two differ: one answer alone may lack a part. */
async function readSetting(service: ProbeService, { reads, parse }: AccountSetting): Promise<JsonObject | undefined> {
  const readings: (JsonObject | undefined)[] = [];
  for (let reading = 1; reading <= 2; reading++) {
    const answers: (Exchange | undefined)[] = [];
    for (const path of reads) answers.push(await service.send({ name: 'look', method: 'GET', path }));
    readings.push(parse(answers));
  }
  const [first, second] = readings;
  return first !== undefined && second !== undefined && equal(first, second) ? first : undefined;
}
