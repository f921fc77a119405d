/** The step of a probe that changes settings of the account as a whole: only of an account that is said to be disposable. */
import { equal, isObject, type JsonObject } from '../model/json.ts';
import {
  agreedSetting,
  keyStatusIn,
  PROBE_HOUR,
  PROBE_SCHEDULE,
  PROBE_SLICERS,
  PROBE_STATUSES,
  restorable,
  SCHEDULE,
  SLICERS,
  STATUS,
  scheduleIn,
  slicersIn,
  statusesIn,
  VMP,
} from './account-settings.ts';
import { agreed, type Found, NO_ANSWER, notFound, type Reader, type Row } from './answers.ts';
import { type Exchange, type Exchanges, isSuccess } from './exchange.ts';
import type { SettingName } from './scratch.ts';
import { isRefused, succeeded } from './write-row.ts';

/** A row that changes a setting, which is journalled before. */
interface AccountRow extends Row {
  readonly changes?: SettingName;
}

/** The step: its requests, and the readers of its answers. */
export interface AccountStep {
  readonly rows: readonly AccountRow[];
  readonly readers: { readonly [id: string]: Reader };
}

/** Returns what a setting was before the step, where two readings agree about it. */
export function priorIn(setting: SettingName, seen: Exchanges): JsonObject | undefined {
  return agreedSetting(setting, seen, READINGS[setting]);
}

const READINGS: { readonly [name in SettingName]: readonly (readonly string[])[] } = {
  'vmp-reject-statuses': [['statuses before'], ['statuses before again']],
  'static-key': [
    ['key before', 'slicers before'],
    ['key before again', 'slicers before again'],
  ],
  'key-rotation-schedule': [['schedule before'], ['schedule before again']],
};

const [TAMPERED, UNVERIFIED, UNKNOWN] = PROBE_STATUSES;
const [FIRST_SLICER, SECOND_SLICER] = PROBE_SLICERS;
const BOTH_STATUSES: readonly string[] = [TAMPERED, UNVERIFIED];

const get = (name: string, path: string, when?: (seen: Exchanges) => boolean): AccountRow => ({
  name,
  method: 'GET',
  path,
  ...(when ? { fill: (seen) => (when(seen) ? {} : null) } : {}),
});

/** Builds the step. The settings `left` are not asked about: an earlier probe could not put them back. */
export function accountStep(left: readonly SettingName[]): AccountStep {
  const isAsked = ({ changes }: { readonly changes: SettingName }): boolean => !left.includes(changes);
  const parts = [statusPart, keyPart, schedulePart];
  const whyNot = notFound('an earlier probe could not put the setting back');
  return {
    rows: parts.flatMap((part) => (isAsked(part) ? part.rows : [])),
    readers: Object.fromEntries(
      parts.flatMap((part) => Object.entries(part.readers).map(([id, reader]) => [id, isAsked(part) ? reader : () => whyNot] as const)),
    ),
  };
}

/** The requests about one setting, and the readers of their answers. */
interface Part extends AccountStep {
  readonly changes: SettingName;
}

const NOT_TAKEN_AGAIN = notFound('its values were not accepted as they were, so that they could not be put back');

// VMP statuses

const statuses = (seen: Exchanges, name: string) => statusesIn(seen.get(name));

/** Decides whether the statuses can be put back: an empty list empties them, whatever else an update does. */
function canEmptyStatuses(seen: Exchanges): boolean {
  return succeeded(seen, 'no statuses') && equal(statuses(seen, 'statuses without any'), []);
}

const writeStatuses = (name: string, list: readonly string[], when = canEmptyStatuses): AccountRow => ({
  name,
  method: 'POST',
  path: `${VMP}/update`,
  body: { vmp_reject_statuses: list },
  changes: 'vmp-reject-statuses',
  fill: (seen) => (when(seen) ? {} : null),
});

const statusPart: Part = {
  changes: 'vmp-reject-statuses',
  rows: [
    get('statuses before', VMP),
    get('statuses before again', VMP),
    // Whether this key may write them, and how, shows without a change.
    {
      ...writeStatuses('same statuses', []),
      fill(seen) {
        const prior = priorIn('vmp-reject-statuses', seen);
        return prior === undefined ? null : { body: { vmp_reject_statuses: prior.statuses } };
      },
    },
    writeStatuses('no statuses', [], (seen) => succeeded(seen, 'same statuses')),
    get('statuses without any', VMP, (seen) => succeeded(seen, 'same statuses')),
    writeStatuses('two statuses', BOTH_STATUSES),
    get('statuses with two', VMP, canEmptyStatuses),
    writeStatuses('one status', [TAMPERED]),
    get('statuses with one', VMP, canEmptyStatuses),
    writeStatuses('unknown status', [UNKNOWN]),
    get('statuses with unknown', VMP, canEmptyStatuses),
    writeStatuses('no statuses again', []),
    get('statuses without any again', VMP, canEmptyStatuses),
  ],
  readers: {
    'vmp-statuses'(seen) {
      if (isRefused(seen.get('unknown status')) && succeeded(seen, 'one status')) return { found: 'refused' };
      const shown = shownTwice(seen, 'unknown status', 'statuses with unknown', statuses);
      return shown === undefined ? whyNoStatuses(seen) : { found: shown.includes(UNKNOWN) ? 'accepted' : 'left out' };
    },
    'vmp-update'(seen) {
      const two = shownTwice(seen, 'two statuses', 'statuses with two', statuses);
      const one = shownTwice(seen, 'one status', 'statuses with one', statuses);
      if (two === undefined || one === undefined) return whyNoStatuses(seen);
      return updateOfList(two, one, BOTH_STATUSES, TAMPERED);
    },
    'vmp-empty'(seen) {
      if (isRefused(seen.get('no statuses'))) return succeeded(seen, 'same statuses') ? { found: 'refused' } : NO_ANSWER;
      const first = shownTwice(seen, 'no statuses', 'statuses without any', statuses);
      if (first !== undefined && first.length > 0) return { found: 'ignored' };
      // A set that was empty before shows only now what an empty list does.
      const last = shownTwice(seen, 'no statuses again', 'statuses without any again', statuses);
      if (last === undefined || statuses(seen, 'statuses with one')?.length === 0) return whyNoStatuses(seen);
      return { found: last.length === 0 ? 'accepted' : 'ignored' };
    },
  },
};

function whyNoStatuses(seen: Exchanges): Found {
  if (priorIn('vmp-reject-statuses', seen) === undefined) return notFound('the statuses could not be read twice alike');
  if (!succeeded(seen, 'same statuses')) return NOT_TAKEN_AGAIN;
  return canEmptyStatuses(seen) ? NO_ANSWER : notFound('an empty list does not empty the set, so that it could not be put back');
}

/** Reads what an update of a list does: it was set to two texts, and then to one of them. */
function updateOfList(two: readonly string[], one: readonly string[], both: readonly string[], kept: string): Found {
  if (!both.every((text) => two.includes(text))) return NO_ANSWER;
  if (equal(one, [kept])) return { found: 'replaces' };
  return { found: both.every((text) => one.includes(text)) ? 'merges' : 'does something else' };
}

/** Returns what both the answer to a write and the read after it show; undefined where they differ. */
function shownTwice(
  seen: Exchanges,
  write: string,
  read: string,
  listIn: (seen: Exchanges, name: string) => readonly string[] | undefined,
): readonly string[] | undefined {
  const [answered, shown] = [listIn(seen, write), listIn(seen, read)];
  return answered !== undefined && shown !== undefined && equal(answered, shown) ? shown : undefined;
}

// Static key

const slicers = (seen: Exchanges, name: string) => slicersIn(seen.get(name));
const priorKey = (seen: Exchanges): boolean | undefined => {
  const prior = priorIn('static-key', seen);
  return prior === undefined ? undefined : prior.status === true;
};

/** Decides whether the static key can be put back: its status and its slicers are accepted, and an empty list empties the slicers. */
function canRestoreKey(seen: Exchanges): boolean {
  return succeeded(seen, 'same key at first') && succeeded(seen, 'no slicers') && equal(slicers(seen, 'slicers without any'), []);
}

const writeSlicers = (name: string, list: readonly string[], when = canRestoreKey): AccountRow => ({
  name,
  method: 'POST',
  path: `${SLICERS}/update`,
  body: { static_key_slicer_ids: list },
  changes: 'static-key',
  fill: (seen) => (when(seen) ? {} : null),
});

const writeKey = (name: string, of: (prior: boolean) => boolean, when: (seen: Exchanges) => boolean): AccountRow => ({
  name,
  method: 'POST',
  path: `${STATUS}/update`,
  changes: 'static-key',
  fill(seen) {
    const prior = priorKey(seen);
    return prior === undefined || !when(seen) ? null : { body: { use_static_encryption_key: of(prior) } };
  },
});

const keyPart: Part = {
  changes: 'static-key',
  rows: [
    get('key before', STATUS),
    get('slicers before', SLICERS),
    get('key before again', STATUS),
    get('slicers before again', SLICERS),
    writeKey(
      'same key at first',
      (prior) => prior,
      () => true,
    ),
    // A service may refuse slicers that do not exist any more: such a list could not be put back.
    {
      ...writeSlicers('same slicers', []),
      fill(seen) {
        const prior = succeeded(seen, 'same key at first') ? priorIn('static-key', seen) : undefined;
        return prior === undefined ? null : { body: { static_key_slicer_ids: prior.slicers } };
      },
    },
    writeSlicers('no slicers', [], (seen) => succeeded(seen, 'same slicers')),
    get('slicers without any', SLICERS, (seen) => succeeded(seen, 'no slicers')),
    writeSlicers('two slicers', PROBE_SLICERS),
    get('slicers with two', SLICERS, canRestoreKey),
    writeSlicers('one slicer', [FIRST_SLICER]),
    get('slicers with one', SLICERS, canRestoreKey),
    writeKey('other key', (prior) => !prior, canRestoreKey),
    get('key changed', STATUS, canRestoreKey),
    writeKey('same key', (prior) => prior, canRestoreKey),
    get('slicers after key', SLICERS, canRestoreKey),
    get('slicers after key again', SLICERS, canRestoreKey),
  ],
  readers: {
    'slicers-update'(seen) {
      const two = shownTwice(seen, 'two slicers', 'slicers with two', slicers);
      const one = shownTwice(seen, 'one slicer', 'slicers with one', slicers);
      if (two === undefined || one === undefined) return whyNoKey(seen);
      return updateOfList(two, one, [FIRST_SLICER, SECOND_SLICER], FIRST_SLICER);
    },
    'slicers-kept'(seen) {
      const before = shownTwice(seen, 'one slicer', 'slicers with one', slicers);
      const after = ['slicers after key', 'slicers after key again'].map((name) => slicers(seen, name));
      const [first, second] = after;
      const other = keyStatusIn(seen.get('key changed'));
      if (before === undefined || first === undefined || !equal(first, second)) return whyNoKey(seen);
      if (other === undefined || other === priorKey(seen) || !succeeded(seen, 'same key')) return NO_ANSWER;
      return { found: equal(first, before) ? 'keeps' : 'changes it' };
    },
  },
};

function whyNoKey(seen: Exchanges): Found {
  if (priorKey(seen) === undefined) return notFound('the static key could not be read twice alike');
  if (!canRestoreKey(seen)) return NOT_TAKEN_AGAIN;
  return isRefused(seen.get('two slicers')) ? notFound('slicers that do not exist are refused') : NO_ANSWER;
}

// Rotation schedule

/** Decides whether the schedule may be changed: it is off, as far as all answers show. */
function isScheduleOff(seen: Exchanges): boolean {
  const shown = ['schedule off', 'schedule shown off', 'schedule set', 'schedule shown set'].map((name) => scheduleIn(seen.get(name)));
  return priorIn('key-rotation-schedule', seen)?.enabled === false && shown.every((schedule) => schedule?.enabled !== true);
}

/** Decides whether the schedule can be put back: one that was never set stays as one that is off, any other is accepted as it was. */
function canRestoreSchedule(seen: Exchanges): boolean {
  return isScheduleOff(seen) && (wasNeverSet(seen) || succeeded(seen, 'same schedule'));
}

function wasNeverSet(seen: Exchanges): boolean {
  return equal(priorIn('key-rotation-schedule', seen), { enabled: false });
}

const writeSchedule = (name: string, body: JsonObject): AccountRow => ({
  name,
  method: 'POST',
  path: `${SCHEDULE}/create-or-update`,
  body,
  changes: 'key-rotation-schedule',
  fill: (seen) => (canRestoreSchedule(seen) ? {} : null),
});

const schedulePart: Part = {
  changes: 'key-rotation-schedule',
  rows: [
    get('schedule before', SCHEDULE),
    get('schedule before again', SCHEDULE),
    {
      ...writeSchedule('same schedule', {}),
      fill(seen) {
        const [prior, read] = [priorIn('key-rotation-schedule', seen), seen.get('schedule before')];
        if (prior === undefined || read === undefined || !isScheduleOff(seen) || wasNeverSet(seen)) return null;
        return { body: restorable(prior, read.at) };
      },
    },
    writeSchedule('schedule off', { enabled: false }),
    get('schedule shown off', SCHEDULE, canRestoreSchedule),
    writeSchedule('schedule set', PROBE_SCHEDULE),
    get('schedule shown set', SCHEDULE, canRestoreSchedule),
    writeSchedule('schedule hour', { enabled: false, hour: PROBE_HOUR }),
    get('schedule shown hour', SCHEDULE, canRestoreSchedule),
  ],
  readers: {
    'schedule-off'(seen) {
      const answer = seen.get('schedule off');
      if (isRefused(answer)) return succeeded(seen, 'schedule set') ? { found: 'refused' } : whyNoSchedule(seen);
      if (!succeeded(seen, 'schedule off') || scheduleIn(seen.get('schedule shown off')) === undefined) return whyNoSchedule(seen);
      return { found: 'accepted' };
    },
    'schedule-update'(seen) {
      const [set, changed] = ['schedule shown set', 'schedule shown hour'].map((name) => scheduleIn(seen.get(name)));
      const { frequency, unit, hour } = PROBE_SCHEDULE;
      if (set?.frequency !== frequency || set.unit !== unit || set.hour !== hour || changed?.hour !== PROBE_HOUR)
        return whyNoSchedule(seen);
      const kept = [changed.frequency === frequency, changed.unit === unit];
      if (kept.every((each) => each)) return { found: 'keeps' };
      return kept.some((each) => each) ? NO_ANSWER : { found: 'resets' };
    },
    'schedule-members'(seen) {
      const forms = ['schedule set', 'schedule shown set'].map((name) => {
        const shown = scheduleIn(seen.get(name));
        return shown && Object.entries(PROBE_SCHEDULE).every(([member, value]) => shown[member] === value);
      });
      if (forms[1] === true) return { found: 'as sent' };
      return forms.every((isAsSent) => isAsSent === false) ? { found: 'another form' } : whyNoSchedule(seen);
    },
    'schedule-answer': (seen) =>
      canRestoreSchedule(seen)
        ? agreed(['schedule off', 'schedule set', 'schedule hour'].map((name) => answeredSchedule(seen.get(name))))
        : whyNoSchedule(seen),
    'schedule-moves': () => notFound('it would take a rotation, which cannot be undone'),
  },
};

function answeredSchedule(answer: Exchange | undefined): string | undefined {
  if (answer === undefined || !isSuccess(answer)) return undefined;
  const isShown = isObject(answer.body) && isObject(answer.body.key_rotation_schedule);
  return isShown ? 'shown' : 'not shown';
}

function whyNoSchedule(seen: Exchanges): Found {
  const prior = priorIn('key-rotation-schedule', seen);
  if (prior === undefined) return notFound('the schedule could not be read twice alike');
  if (prior.enabled === true) return notFound('the account rotates its static key, and a rotation cannot be undone');
  if (!wasNeverSet(seen) && !succeeded(seen, 'same schedule')) return NOT_TAKEN_AGAIN;
  return isRefused(seen.get('schedule set')) ? notFound('the schedule of the probe was refused') : NO_ANSWER;
}
