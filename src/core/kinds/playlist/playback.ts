/** Assesses how changes of a playlist affect playback (playlist-api-v4 sections 2.1 and 3, design section 11). */
import type { FieldDifference, PlaybackReason } from '../../model/change.ts';
import type { Json } from '../../model/json.ts';
import type { RiskInput } from '../kind.ts';
import { type PlaylistFields, undocumentedAt, undocumentedText } from './model.ts';

/** Decides whether viewers can play a playlist, or may: only `active` 0 surely switches it off (api-notes section 3). */
export function isOnAir({ active }: PlaylistFields): boolean {
  return active !== 0;
}

/**
 * Returns why a change affects playback. Nothing that is set while the playlist is off affects it. Of an undefined `active` nobody knows
 * whether the playlist can be played, but one that goes off cannot be played any more.
 */
export function assessPlayback({ before, after, fields }: RiskInput<PlaylistFields>): readonly PlaybackReason[] {
  const [wasOnAir, staysOnAir] = [before, after].map((playlist) => playlist !== null && isOnAir(playlist.fields));
  if (!staysOnAir) return wasOnAir ? [{ playback: 'stops', text: 'it goes off air', offAir: true }] : [];
  const active = after?.fields.active;
  if (!wasOnAir && active === 1) return [{ playback: 'gains', text: 'it goes on air' }];
  if (!wasOnAir) return [unknown('/active', active ?? null)];
  return fields.flatMap(reasonsOfField);
}

/** What a change to the stronger or weaker of two documented values does to playback. */
const SWITCHES: ReadonlyMap<string, { readonly [value: number]: PlaybackReason }> = new Map([
  [
    '/skip_drm',
    {
      0: { playback: 'reduces', text: 'players need a digital signature' },
      1: { playback: 'gains', text: 'players need no digital signature any more' },
    },
  ],
  [
    '/studio_drm_required',
    {
      0: { playback: 'gains', text: 'players need no DRM any more' },
      1: { playback: 'reduces', text: 'players need DRM' },
    },
  ],
]);

function reasonsOfField({ path, before, after }: FieldDifference): readonly PlaybackReason[] {
  const undocumented = undocumentedAt(path, [before, after]);
  if (undocumented !== undefined) return [unknown(path, undocumented)];
  if (path === '/repeat') return [reasonOfRepeat(before, after)];
  const reason = SWITCHES.get(path)?.[Number(after)];
  return reason === undefined ? [] : [reason];
}

/** Compares how often a playlist repeats: -1 = for ever (playlist-api-v4 section 2.1). */
function reasonOfRepeat(before: Json, after: Json): PlaybackReason {
  const isFewer = after !== -1 && (before === -1 || Number(after) < Number(before));
  return { playback: isFewer ? 'reduces' : 'gains', text: `it repeats ${timesOf(after)} instead of ${timesOf(before)}` };
}

function timesOf(repeat: Json): string {
  return repeat === -1 ? 'for ever' : `${repeat} ${repeat === 1 ? 'time' : 'times'}`;
}

function unknown(path: string, value: Json): PlaybackReason {
  return { playback: 'unknown', text: undocumentedText(path, value) };
}
