/** Rules in the making, and what several of them come to. */
import type { Output, PlaybackLevel, Rule } from '../model/impact.ts';

/** A rule before its field and section are written out: `by` names the setting that makes it. */
export interface RuleDraft {
  readonly outcome: PlaybackLevel;
  readonly text: string;
  readonly by: string;
  readonly output?: Output;
}

const ORDER: readonly PlaybackLevel[] = ['refused', 'unknown', 'restricted', 'plays'];

/** Place of a playback in the order from refused to plays. */
export function rankOfRule(playback: PlaybackLevel): number {
  return ORDER.indexOf(playback);
}

/** The worst of several; `plays` where there are none. */
export function worst(parts: readonly PlaybackLevel[]): PlaybackLevel {
  return ORDER[Math.min(...parts.map(rankOfRule), ORDER.length - 1)] ?? 'plays';
}

/** What rules come to for a device with these outputs: what concerns the device as a whole, and then what is left of its outputs. */
export function combine(rules: readonly Pick<Rule, 'outcome' | 'output'>[], outputs: readonly Output[]): PlaybackLevel {
  const whole = rules.filter((rule) => rule.output === undefined);
  const perOutput = outputs.map((output) => worst(rules.filter((rule) => rule.output === output).map((rule) => rule.outcome)));
  return worst([...whole.map((rule) => rule.outcome), anyOf(perOutput)]);
}

/** A device plays where one of its outputs does; it is limited by each that does not. */
function anyOf(outputs: readonly PlaybackLevel[]): PlaybackLevel {
  if (outputs.every((playback) => playback === 'plays')) return 'plays';
  if (outputs.some((playback) => rankOfRule(playback) >= rankOfRule('restricted'))) return 'restricted';
  return outputs.includes('unknown') ? 'unknown' : 'refused';
}

/** What holds when nobody knows which of several answers counts: only what all of them agree on. */
export function commonOutcome(answers: readonly PlaybackLevel[]): PlaybackLevel {
  const ranks = answers.map(rankOfRule);
  if (Math.max(...ranks) === rankOfRule('refused')) return 'refused';
  return Math.min(...ranks) >= rankOfRule('restricted') ? worst(answers) : 'unknown';
}
