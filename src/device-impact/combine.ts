/** Rules of a device before they are located in the policy, and the playback that several rules result in. */
import type { Output, PlaybackLevel, Rule } from '../model/impact.ts';

/** A rule without its field and section; `by` is the name of the setting behind it. */
export interface RuleDraft {
  readonly outcome: PlaybackLevel;
  readonly text: string;
  readonly by: string;
  readonly output?: Output;
  readonly seconds?: number;
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
