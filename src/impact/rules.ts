/** Rules in the making, and what several of them come to. */
import type { Output, Playback, Rule } from '../model/impact.ts';

/** A rule before its field and section are written out: `by` names the setting that makes it. */
export interface Draft {
  readonly outcome: Playback;
  readonly text: string;
  readonly by: string;
  readonly output?: Output;
}

const ORDER: readonly Playback[] = ['refused', 'depends', 'limited', 'plays'];

/** Place of a playback in the order from refused to plays. */
export function rankOf(playback: Playback): number {
  return ORDER.indexOf(playback);
}

/** The worst of several; `plays` where there are none. */
export function worst(parts: readonly Playback[]): Playback {
  return ORDER[Math.min(...parts.map(rankOf), ORDER.length - 1)] ?? 'plays';
}

/** What rules come to for a device with these outputs: what concerns the device as a whole, and then what is left of its outputs. */
export function comeTo(rules: readonly Pick<Rule, 'outcome' | 'output'>[], outputs: readonly Output[]): Playback {
  const whole = rules.filter((rule) => rule.output === undefined);
  const perOutput = outputs.map((output) => worst(rules.filter((rule) => rule.output === output).map((rule) => rule.outcome)));
  return worst([...whole.map((rule) => rule.outcome), anyOf(perOutput)]);
}

/** A device plays where one of its outputs does; it is limited by each that does not. */
function anyOf(outputs: readonly Playback[]): Playback {
  if (outputs.every((playback) => playback === 'plays')) return 'plays';
  if (outputs.some((playback) => rankOf(playback) >= rankOf('limited'))) return 'limited';
  return outputs.includes('depends') ? 'depends' : 'refused';
}

/** What holds when nobody knows which of several answers counts: only what all of them agree on. */
export function agreed(answers: readonly Playback[]): Playback {
  const ranks = answers.map(rankOf);
  if (Math.max(...ranks) === rankOf('refused')) return 'refused';
  return Math.min(...ranks) >= rankOf('limited') ? worst(answers) : 'depends';
}
