/** Rules of a device before they are located in the policy, and the playback that several rules result in. */
import type { Output, PlaybackLevel, Rule } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';

/** A rule without its field and section; `by` is the name of the setting behind it. */
export interface RuleDraft {
  readonly outcome: PlaybackLevel;
  readonly text: string;
  readonly by: string;
  readonly output?: Output;
  readonly seconds?: number;
}

/**
 * Returns the rules that Widevine and PlayReady share: on offline playback, and on playback that has begun (drm-api-v3 sections 2.3, 2.4).
 */
export function offlineRules(settings: JsonObject, { offline }: { readonly offline: boolean }): readonly RuleDraft[] {
  const drafts: RuleDraft[] = [];
  if (settings.can_persist === false && offline)
    drafts.push({ outcome: 'refused', text: 'not allowed', by: 'can_persist', output: 'offline' });
  const seconds = Number(settings.playback_duration_seconds);
  if (seconds > 0) {
    const text = `offline or after a renewal, playback ends ${seconds} s after its first start`;
    drafts.push({ outcome: 'plays', text, by: 'playback_duration_seconds', seconds });
  }
  return drafts;
}

/** From worst to best. */
const LEVELS: readonly PlaybackLevel[] = ['refused', 'unknown', 'restricted', 'plays'];

/** Returns the rank of a playback level: 0 for `refused`, 3 for `plays`. */
export function playbackRank(level: PlaybackLevel): number {
  return LEVELS.indexOf(level);
}

/** Returns the worst of several playback levels; `plays` if there are none. */
export function worst(levels: readonly PlaybackLevel[]): PlaybackLevel {
  return LEVELS[Math.min(...levels.map(playbackRank), LEVELS.length - 1)] ?? 'plays';
}

/**
 * Returns the playback of a device with these outputs under these rules: the worst of the rules for the whole device and of the playback
 * on its outputs together.
 */
export function combine(rules: readonly Pick<Rule, 'outcome' | 'output'>[], outputs: readonly Output[]): PlaybackLevel {
  const levelOf = (output: Output | undefined) => worst(rules.filter((rule) => rule.output === output).map((rule) => rule.outcome));
  return worst([levelOf(undefined), anyOutput(outputs.map(levelOf))]);
}

/** Combines the playback on several outputs: a device plays if one output does, and is restricted by each output that does not. */
function anyOutput(levels: readonly PlaybackLevel[]): PlaybackLevel {
  if (levels.every((level) => level === 'plays')) return 'plays';
  if (levels.some((level) => playbackRank(level) >= playbackRank('restricted'))) return 'restricted';
  return levels.includes('unknown') ? 'unknown' : 'refused';
}

/** Returns the outcome that all alternatives have in common, for cases where the API documents do not define which alternative applies. */
export function commonOutcome(alternatives: readonly PlaybackLevel[]): PlaybackLevel {
  const ranks = alternatives.map(playbackRank);
  if (Math.max(...ranks) === playbackRank('refused')) return 'refused';
  return Math.min(...ranks) >= playbackRank('restricted') ? worst(alternatives) : 'unknown';
}
