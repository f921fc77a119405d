import type { Change, Effect, SafetyCheck } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { count, writes } from '../report/view/labels.ts';
import type { Question } from './prompt.ts';

/** What the user is asked about. */
export interface ConfirmationInput {
  readonly plan: Plan;
  readonly baseUrl: string;
  /** How many changes go ahead only because a brake was released, by brake. */
  readonly released: ReadonlyMap<SafetyCheck, number>;
  /** Whether uncommitted edits are applied because they were allowed. */
  readonly isDirty: boolean;
}

/** Addresses of one effect that are named. */
const MOST_NAMED = 4;

/**
 * The question before anything is written; null where nothing would be. Where protection loosens, or something goes ahead that a brake would
 * hold, only the target's name is a yes: it cannot be typed without thinking of where it goes.
 */
export function confirmationQuestion({ plan, baseUrl, released, isDirty }: ConfirmationInput): Question | null {
  const free = plan.changes.filter((change) => change.blocked === null && writes(change));
  if (free.length === 0) return null;
  const loosens = free.some(({ effect }) => effect === 'loosens');
  return {
    question: `Apply ${count(free.length, 'change')} to ${plan.target}?`,
    facts: [
      ['service', baseUrl],
      ['changes', counts(free)],
      ...(['loosens', 'tightens'] as const).flatMap((effect) => effectFact(effect, free)),
      ...releaseFacts(released, isDirty),
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

function releaseFacts(released: ConfirmationInput['released'], isDirty: boolean): readonly (readonly [string, string])[] {
  const brakes = [...released].map(([check, changes]) => `${check} (${count(changes, 'change')})`);
  const all = [...brakes, ...(isDirty ? ['dirty (edits that are not committed)'] : [])];
  return all.length === 0 ? [] : [['released', `brakes by --allow: ${all.join(', ')}`]];
}
