/** Assesses how changes of a policy affect playback, whatever devices viewers have (drm-api-v3 section 2, design section 11). */
import { strengthOf } from '../../device-impact/settings-strength.ts';
import {
  requirementsOn,
  type StrengthChange,
  SYSTEM_TRACKS,
  strengthChangesBetween,
  type Track,
} from '../../device-impact/track-requirements.ts';
import type { PlaybackReason } from '../../model/change.ts';
import { groupBy } from '../../model/collections.ts';
import { SYSTEM_NAMES, type System } from '../../model/impact.ts';
import { type Json, type JsonObject, pointer } from '../../model/json.ts';
import type { RiskInput } from '../kind.ts';
import { durationChanges, formatSeconds, switchChanges, undocumentedDuration } from './license-risk.ts';
import { changedUndefinedSettings, concerns, hasEffect } from './risk.ts';
import { describeChange, isHdcpWithoutOutput, SYSTEMS } from './robustness-risk.ts';

/** A reason, and a JSON Pointer to the setting that causes it. */
type FieldReason = PlaybackReason & { readonly setting: string };

const NAME_IN_URLS = 'playback URLs may name this policy, and upkeep does not see them';

/**
 * Returns why a change affects playback. No content uses a policy before it exists, so a new one is neutral. A policy that is deleted or
 * renamed can be named by playback URLs (api-notes section 8).
 */
export function assessPlayback({ before, after, fields }: RiskInput): readonly PlaybackReason[] {
  if (before === null) return [];
  if (after === null) return [{ playback: 'unknown', text: `it is deleted: ${NAME_IN_URLS}` }];
  const bothSides = [before.fields, after.fields] as const;
  const undefinedSettings = changedUndefinedSettings(...bothSides);
  const reasons = [...licenseReasons(...bothSides), ...robustnessReasons(...bothSides)];
  const defined = reasons.filter(({ setting }) => !undefinedSettings.some(({ path }) => concerns([setting], path)));
  const isRenamed = fields.some(({ path }) => path === '/policy_name');
  return [
    ...defined.filter(({ setting }) => hasEffect(setting, bothSides)).map(({ setting: _setting, ...reason }) => reason),
    ...undefinedSettings.map(({ text }): PlaybackReason => ({ playback: 'unknown', text })),
    ...(isRenamed ? [{ playback: 'unknown', text: `it is renamed: ${NAME_IN_URLS}` } as const] : []),
  ];
}

function licenseReasons(before: JsonObject, after: JsonObject): readonly FieldReason[] {
  return [
    ...switchChanges(before, after).map(({ path, what, isAllowed }): FieldReason => {
      const setting = pointer(path);
      if (isAllowed) return { playback: 'gains', text: `${what} will be allowed`, setting };
      return { playback: path.at(-1) === 'can_play' ? 'stops' : 'reduces', text: `${what} will no longer be allowed`, setting };
    }),
    ...durationChanges(before, after).map((durationChange): FieldReason => {
      const { path, what, ...seconds } = durationChange;
      const name = `\`${path.at(-1)}\``;
      const change = `${formatSeconds(seconds.after)} instead of ${formatSeconds(seconds.before)}`;
      const setting = pointer(path);
      const undocumented = undocumentedDuration(durationChange);
      if (undocumented !== undefined) return { playback: 'unknown', text: `${undocumented}: ${change}`, setting };
      return { playback: seconds.after < seconds.before ? 'reduces' : 'gains', text: `${what}: ${change} (${name})`, setting };
    }),
  ];
}

/** Returns the reasons of robustness and output protection. Combines equal reasons of several tracks into one. */
function robustnessReasons(before: JsonObject, after: JsonObject): readonly FieldReason[] {
  const perTrack = SYSTEMS.flatMap((system) =>
    SYSTEM_TRACKS[system].flatMap((track): readonly (FieldReason & { readonly system: System; readonly track: Track })[] => {
      const [from, to] = [requirementsOn(system, before, track), requirementsOn(system, after, track)];
      if ((from.length === 0) !== (to.length === 0)) {
        const text =
          'the policy has an element for it only before or only after the change, and the API documents do not say what holds without one';
        return [{ playback: 'unknown', text, setting: '/widevine/content_key_specs', system, track }];
      }
      const changes = strengthChangesBetween(system, from, to).filter((change) => !isHdcpWithoutOutput(change));
      return changes.flatMap((change) => {
        const playback = playbackOf(change);
        const setting = pointer([...change.to.place, ...change.dimension.path]);
        return playback === null ? [] : [{ playback, text: describeChange(change), setting, system, track }];
      });
    }),
  );
  const groups = groupBy(perTrack, ({ playback, text, system }) => `${system} ${playback} ${text}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const { system, track, text, ...rest } = first;
    return [
      { ...rest, text: `${SYSTEM_NAMES[system]} ${[...new Set([track, ...others.map((other) => other.track)])].join(', ')}: ${text}` },
    ];
  });
}

/**
 * Levels that stop playback on no device, because the client need only attempt the protection (drm-api-v3 section 2.4).
 */
const BEST_EFFORT_LEVELS: ReadonlyMap<string, readonly Json[]> = new Map([
  ['digital_video_protection_level', [100, 250]],
  ['analog_video_protection_level', [100, 150]],
]);

/** Returns what a change of one requirement does to playback; null where it does nothing. */
function playbackOf({ dimension, before, after, isStronger }: StrengthChange): PlaybackReason['playback'] | null {
  // Below 0: a value that the API documents do not list.
  if ([before, after].some((value) => strengthOf(dimension, value) < 0)) return 'unknown';
  // Desktop browsers may refuse to play under a copy mark, which is not documented (drm-api-v3 section 2.3).
  if (dimension.name === 'cgms_flags') return 'unknown';
  const tried = BEST_EFFORT_LEVELS.get(dimension.name) ?? [];
  if ([before, after].every((value) => tried.includes(value))) return null;
  return isStronger ? 'reduces' : 'gains';
}
