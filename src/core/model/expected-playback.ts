/** Decides of what stops playing whether it was expected to play, and whether its reasons name all of it. */
import type { Change, FieldDifference, PlaybackReason } from './change.ts';
import { isUnexpectedStatus, VMP_FIELD } from './impact.ts';
import { isList } from './json.ts';

const isAbout = ({ offAir, devices }: PlaybackReason): boolean => offAir === true || devices !== undefined;

/**
 * Decides whether what stops was expected to play: anything that goes off air, any class of devices that is not declared unexpected, and
 * devices with a rejected VMP status that is not one of those that hardening is meant to keep out.
 */
export function stopsExpectedPlayback({ playbackReasons = [], fields }: Change): boolean {
  const reasons = playbackReasons.filter((reason) => reason.playback === 'stops' && isAbout(reason));
  return reasons.length === 0 || reasons.some(({ expected = true }) => expected) || fields.some(rejectsExpectedStatus);
}

function rejectsExpectedStatus({ path, before, after }: FieldDifference): boolean {
  if (path !== VMP_FIELD || !isList(after)) return false;
  return after.some((status) => !isUnexpectedStatus(status) && !(isList(before) && before.includes(status)));
}

/**
 * Decides whether a change that stops playback has to be described by its reasons without devices: it names nothing that goes off air and no
 * class of devices that is expected to play, and something stops that is.
 */
export function stopsUnnamedDevices(change: Change): boolean {
  const { playbackReasons = [] } = change;
  const namesExpected = playbackReasons.some((reason) => reason.playback === 'stops' && isAbout(reason) && reason.expected !== false);
  return !namesExpected && stopsExpectedPlayback(change);
}
