import type { Change, Effect, SafetyCheck } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { count, writes } from '../report/view/labels.ts';
import type { Question } from './prompt.ts';

/** The data of the confirmation prompt. */
export interface ConfirmationInput {
  readonly plan: Plan;
  readonly baseUrl: string;
  /** The number of changes that are applied only because a safety check was overridden, by check. */
  readonly released: ReadonlyMap<SafetyCheck, number>;
  /** Whether uncommitted edits are applied because they were allowed. */
  readonly isDirty: boolean;
}

/** Maximum number of addresses named per effect. */
const MOST_NAMED = 4;

/**
 * Builds the question before an apply; null if nothing would be written. If protection loosens or a safety check is overridden, only the
 * name of the target confirms, so that the user thinks of the target.
 */
export function confirmationQuestion({ plan, baseUrl, released, isDirty }: ConfirmationInput): Question | null {
  const toApply = plan.changes.filter((change) => change.blocked === null && writes(change));
  if (toApply.length === 0) return null;
  const loosens = toApply.some(({ effect }) => effect === 'loosens');
  return {
    question: `Apply ${count(toApply.length, 'change')} to ${plan.target}?`,
    facts: [
      ['service', baseUrl],
      ['changes', counts(toApply)],
      ...(['loosens', 'tightens'] as const).flatMap((effect) => effectFact(effect, toApply)),
      ...overrideFacts(released, isDirty),
    ],
    yes: loosens || isDirty || released.size > 0 ? plan.target : 'yes',
  };
}

function counts(changes: readonly Change[]): string {
  const of = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return `${of('create')} to create, ${of('update')} to update, ${of('delete')} to delete`;
}

function effectFact(effect: Exclude<Effect, 'neutral'>, changes: readonly Change[]): readonly (readonly [string, string])[] {
  const addresses = changes.flatMap((change) => (change.effect === effect ? [change.address] : []));
  if (addresses.length === 0) return [];
  const more = addresses.length - MOST_NAMED;
  const named = [...addresses.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
  return [[effect, `${count(addresses.length, 'change')}: ${named.join(', ')}`]];
}

function overrideFacts(released: ConfirmationInput['released'], isDirty: boolean): readonly (readonly [string, string])[] {
  const checks = [...released].map(([check, changes]) => `${check} (${count(changes, 'change')})`);
  const all = [...checks, ...(isDirty ? ['dirty (edits that are not committed)'] : [])];
  return all.length === 0 ? [] : [['override', `safety checks by --allow: ${all.join(', ')}`]];
}
