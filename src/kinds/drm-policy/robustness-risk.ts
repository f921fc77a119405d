/** What a change does to robustness and outputs, per track as devices see it (drm-api-v3 sections 2.2 to 2.4). */
import { meaningOf } from '../../device-impact/settings-strength.ts';
import { type StrengthChange, strengthChangesBetween } from '../../device-impact/strength-changes.ts';
import { type Requirement, requirementsOn, TRACKS, type Track } from '../../device-impact/track-requirements.ts';
import type { System } from '../../model/impact.ts';
import { type JsonObject, pointer } from '../../model/json.ts';
import { loosens, tightens } from '../kind.ts';
import type { RiskGround } from './risk-grounds.ts';

const SYSTEMS: readonly System[] = ['fairplay', 'widevine', 'playready'];

/** A ground without the tracks for which it holds. */
interface OnTrack {
  readonly track: Track;
  readonly isStronger: boolean;
  readonly text: string;
  readonly at: readonly string[];
}

/** The grounds for all tracks of all DRM systems; equal ones of several tracks are told once. */
export function assessRobustness(before: JsonObject, after: JsonObject): readonly RiskGround[] {
  const found = SYSTEMS.flatMap((system) =>
    TRACKS[system].flatMap((track) => onTrack(system, track, requirementsOn(system, before, track), requirementsOn(system, after, track))),
  );
  const alike = new Map<string, OnTrack & { readonly tracks: readonly Track[] }>();
  for (const each of found) {
    const key = `${each.isStronger} ${each.text} ${each.at.join(' ')}`;
    alike.set(key, { ...each, tracks: [...(alike.get(key)?.tracks ?? []), each.track] });
  }
  return [...alike.values()].map(({ tracks, isStronger, text, at }) => {
    const words = `${tracks.join(', ')}: ${text}`;
    return { reason: isStronger ? tightens(words) : loosens(words), at };
  });
}

function onTrack(system: System, track: Track, before: readonly Requirement[], after: readonly Requirement[]): readonly OnTrack[] {
  if ((before.length === 0) !== (after.length === 0)) return [uncovered(track, [...after, ...before])];
  const doubt =
    Math.max(before.length, after.length) > 1 ? `; several elements cover the track, and the documents do not say which counts` : '';
  const steps = strengthChangesBetween(system, before, after).filter((step) => !isMoot(step));
  return steps.map((step) => ({ track, isStronger: step.isStronger, text: words(step) + doubt, at: placesOf(step) }));
}

/** Whether protection gains or loses by it nobody can tell, so that it counts as a loss. */
function uncovered(track: Track, requirements: readonly Requirement[]): OnTrack {
  const text = 'no element covers it on one side, and the documents do not say what holds then';
  return { track, isStronger: false, text, at: requirements.map(({ place }) => pointer(place)) };
}

/** Where no digital output is left on one side, the level says all: what HDCP it would ask for is no step of its own. */
function isMoot({ dimension, from, to }: StrengthChange): boolean {
  return dimension.name === 'require_hdcp_type_1' && [from, to].some(({ demands }) => demands.digital_video_protection_level === 301);
}

function words({ dimension, before, after }: StrengthChange): string {
  return `${meaningOf(dimension, after)} instead of ${meaningOf(dimension, before)} (\`${dimension.name}\`)`;
}

/** The setting itself, and the level that puts `require_hdcp_type_1` into force. */
function placesOf({ dimension, from, to }: StrengthChange): readonly string[] {
  const own = [to, from].map(({ place }) => pointer([...place, ...dimension.path]));
  return dimension.name === 'require_hdcp_type_1' ? [...own, pointer([...to.place, 'digital_video_protection_level'])] : own;
}
