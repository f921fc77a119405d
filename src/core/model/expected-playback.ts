/** Decides of what stops playing whether it was expected to play, and whether its reasons name all of it. */
import type { Change, PlaybackReason } from './change.ts';

const isAbout = ({ offAir, devices }: PlaybackReason): boolean => offAir === true || devices !== undefined;

/** Decides whether anything that stops was expected to play: all but devices that nobody expects to play. */
export function stopsExpectedPlayback({ playbackReasons = [] }: Change): boolean {
  const reasons = playbackReasons.filter(({ playback }) => playback === 'stops');
  return reasons.length === 0 || reasons.some(({ expected }) => expected !== false);
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
