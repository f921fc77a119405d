/** Warns of a rotation that is overdue: the service moves `next_rotation` when it rotates (api-notes section 5, point 3). */
import type { JsonObject } from '../../model/json.ts';
import type { LiveResource, LiveWarning } from '../kind.ts';
import { ADDRESS, MIN_MILLISECONDS } from './declare.ts';
import { formatTime } from './risk.ts';

/** Returns a warning where the static key should have been rotated before `now`, Unix milliseconds. */
export function overdueWarnings([live]: readonly LiveResource[], now: number): readonly LiveWarning[] {
  const since = live ? overdueSince(live.fields, now) : null;
  if (since === null) return [];
  const summary = `key rotation is overdue: the static key was to be rotated at ${shortTime(since)}, and the schedule still says so`;
  return [
    { code: 'rotation-overdue', summary, hint: 'ask the vendor why it was not rotated, or save the schedule again', address: ADDRESS },
  ];
}

/** Formats a time, without seconds where they are 0. */
export function shortTime(time: number): string {
  return formatTime(time).replace(/:00\.000Z$/, 'Z');
}

/** Returns when the static key should have been rotated before `now`, both in Unix milliseconds; null where no rotation is overdue. */
export function overdueSince({ enabled, next_rotation: next }: JsonObject, now: number): number | null {
  // A time in seconds is no time that the documents define.
  return enabled === true && typeof next === 'number' && next >= MIN_MILLISECONDS && next < now ? next : null;
}
