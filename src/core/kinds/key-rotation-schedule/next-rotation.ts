/** Warns of a rotation that is overdue: the service moves `next_rotation` when it rotates (api-notes section 5, point 3). */
import type { LiveResource, LiveWarning } from '../kind.ts';
import { ADDRESS, MIN_MILLISECONDS } from './declare.ts';
import { formatTime } from './risk.ts';

/** Returns a warning where the static key should have been rotated before `now`, Unix milliseconds. */
export function overdueWarnings([live]: readonly LiveResource[], now: number): readonly LiveWarning[] {
  const { enabled, next_rotation: next } = live?.fields ?? {};
  // A time in seconds is no time that the documents define.
  if (enabled !== true || typeof next !== 'number' || next < MIN_MILLISECONDS || next >= now) return [];
  const summary = `key rotation is overdue: the static key was to be rotated at ${formatTime(next)}, and the schedule still says so`;
  return [
    { code: 'rotation-overdue', summary, hint: 'ask the vendor why it was not rotated, or save the schedule again', address: ADDRESS },
  ];
}
