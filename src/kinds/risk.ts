import { combineEffects, type Effect, type Phase, type RiskAssessment, type RiskReason } from '../model/change.ts';

/** The phase of an update, by its effect on protection (design section 4, rule 6). */
export const PHASE_OF_EFFECT: { readonly [effect in Effect]: Phase } = { tightens: 'tighten', neutral: 'update', loosens: 'loosen' };

/** The verdict on a field that has nothing to do with protection. */
export const NEUTRAL: RiskAssessment = { effect: 'neutral', reasons: [] };

/** The verdict that these reasons come to: `loosens` wins, and all are listed. */
export function assess(...reasons: readonly RiskReason[]): RiskAssessment {
  return { effect: combineEffects(reasons), reasons };
}

/** A reason why protection gets weaker. */
export function loosens(text: string): RiskReason {
  return { effect: 'loosens', text };
}

/** A reason why protection gets stronger. */
export function tightens(text: string): RiskReason {
  return { effect: 'tightens', text };
}

/** Names out of the account or the configuration as part of a reason: in sorted order, quoted where they are more than one plain word. */
export function formatNames(names: Iterable<string>): string {
  const quoted = (name: string) => (/^[\w.:-]+$/.test(name) ? name : JSON.stringify(name));
  return [...names].sort().map(quoted).join(', ');
}
