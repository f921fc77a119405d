import { combineEffects, type Effect, type Phase, type RiskAssessment, type RiskReason } from '../model/change.ts';
import { firstOf } from '../model/collections.ts';

/** The phase of an update, by its effect on protection (design section 4, rule 6). */
export const PHASE_OF_EFFECT: { readonly [effect in Effect]: Phase } = { strengthens: 'strengthen', neutral: 'update', weakens: 'weaken' };

/** The assessment of a field that does not affect protection. */
export const NEUTRAL: RiskAssessment = { effect: 'neutral', reasons: [] };

/** Combines reasons into one assessment, which lists all of them. Its effect is `weakens` if any reason weakens. */
export function assess(...reasons: readonly RiskReason[]): RiskAssessment {
  return { effect: combineEffects(reasons), reasons };
}

/** Builds a reason why protection gets weaker. */
export function weakens(text: string): RiskReason {
  return { effect: 'weakens', text };
}

/** Builds a reason why protection gets stronger. */
export function strengthens(text: string): RiskReason {
  return { effect: 'strengthens', text };
}

/** Formats names from the account or the configuration for a reason: sorted, and quoted unless a name is one plain word. */
export function formatNames(names: Iterable<string>): string {
  const quoted = (name: string) => (/^[\w.:-]+$/.test(name) ? name : JSON.stringify(name));
  return [...names].sort().map(quoted).join(', ');
}

/** Maximum number of addresses that a sentence names. */
const MAX_ADDRESSES = 4;

/** Formats the first addresses, and says how many there are besides. */
export function formatAddresses(all: readonly { readonly address: string }[]): string {
  return firstOf(
    all.map(({ address }) => address),
    MAX_ADDRESSES,
  ).join(', ');
}
