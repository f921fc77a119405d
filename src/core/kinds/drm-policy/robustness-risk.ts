/** Assesses how a change affects robustness and output protection, per track (drm-api-v3 sections 2.2 to 2.4). */
import { meaningOf, strengthOf } from '../../device-impact/settings-strength.ts';
import {
  type Requirement,
  requirementsOn,
  type StrengthChange,
  SYSTEM_TRACKS,
  strengthChangesBetween,
  type Track,
} from '../../device-impact/track-requirements.ts';
import { SYSTEM_NAMES, type System } from '../../model/impact.ts';
import { type JsonObject, pointer, stableJson } from '../../model/json.ts';
import { strengthens, weakens } from '../kind.ts';
import type { LocatedReason } from './located-reasons.ts';

/** The DRM systems, in the order of reasons. */
export const SYSTEMS: readonly System[] = ['fairplay', 'widevine', 'playready'];

/** A reason that concerns one track. */
interface TrackReason {
  readonly system: System;
  readonly track: Track;
  readonly isStronger: boolean;
  readonly text: string;
  readonly settings: readonly string[];
}

/** Returns the reasons of all tracks of all DRM systems. Combines equal reasons of several tracks into one. */
export function assessRobustness(before: JsonObject, after: JsonObject): readonly LocatedReason[] {
  const reasons = SYSTEMS.flatMap((system) =>
    SYSTEM_TRACKS[system].flatMap((track) =>
      assessTrack(system, track, requirementsOn(system, before, track), requirementsOn(system, after, track)),
    ),
  );
  const combined = new Map<string, TrackReason & { readonly tracks: readonly Track[] }>();
  for (const each of reasons) {
    const key = `${each.system} ${each.isStronger} ${each.text} ${each.settings.join(' ')}`;
    combined.set(key, { ...each, tracks: [...(combined.get(key)?.tracks ?? []), each.track] });
  }
  return [...combined.values()].map(({ system, tracks, isStronger, text, settings }) => {
    const reason = `${SYSTEM_NAMES[system]} ${tracks.join(', ')}: ${text}`;
    return { reason: isStronger ? strengthens(reason) : weakens(reason), settings };
  });
}

function assessTrack(system: System, track: Track, before: readonly Requirement[], after: readonly Requirement[]): readonly TrackReason[] {
  if ((before.length === 0) !== (after.length === 0)) return [uncoveredTrack(system, track, [...after, ...before])];
  const suffix =
    Math.max(before.length, after.length) > 1 ? `; several elements cover the track, and the API documents do not say which counts` : '';
  const changes = strengthChangesBetween(system, before, after).filter(
    (change) => !isHdcpWithoutOutput(change) && !allowsAllCopies(change),
  );
  return changes.map((change) => {
    const open = undocumentedValue(change);
    const [isStronger, text] = open === undefined ? [change.isStronger, describeChange(change)] : [false, open];
    return { system, track, isStronger, text: text + suffix, settings: pointersOf(change) };
  });
}

/** Returns the reason where the API documents do not list a value on either side, so that nobody knows which of the two is stronger. */
function undocumentedValue({ dimension, before, after }: StrengthChange): string | undefined {
  const value = [before, after].find((each) => strengthOf(dimension, each) < 0);
  return value === undefined ? undefined : `the API documents do not say what \`${dimension.name}\` ${stableJson(value)} means`;
}

/**
 * Builds the reason for a track that has an element only before or only after the change. Its effect is unknown and therefore counts as
 * weakening.
 */
function uncoveredTrack(system: System, track: Track, requirements: readonly Requirement[]): TrackReason {
  const text =
    'the policy has an element for it only before or only after the change, and the API documents do not say what holds without one';
  return { system, track, isStronger: false, text, settings: requirements.map(({ place }) => pointer(place)) };
}

/**
 * Decides whether a change has no effect: where the level forbids digital output before or after, a changed HDCP requirement is irrelevant.
 */
export function isHdcpWithoutOutput({ dimension, from, to }: StrengthChange): boolean {
  return dimension.name === 'require_hdcp_type_1' && [from, to].some(({ demands }) => demands.digital_video_protection_level === 301);
}

/** Decides whether a changed copy mark allows unlimited copies before and after: COPY_FREE protects no more than no mark does. */
function allowsAllCopies({ before, after }: StrengthChange): boolean {
  return [before, after].every((value) => value === 'CGMS_NONE' || value === 'COPY_FREE');
}

/** Describes a change of one requirement in words. */
export function describeChange({ dimension, before, after }: StrengthChange): string {
  return `${meaningOf(dimension, after)} instead of ${meaningOf(dimension, before)} (\`${dimension.name}\`)`;
}

/** Returns JSON Pointers to the setting, and for `require_hdcp_type_1` also to the level that enables it. */
function pointersOf({ dimension, from, to }: StrengthChange): readonly string[] {
  const own = [to, from].map(({ place }) => pointer([...place, ...dimension.path]));
  return dimension.name === 'require_hdcp_type_1' ? [...own, pointer([...to.place, 'digital_video_protection_level'])] : own;
}
