/** The conditions under which an apply may begin to write; each function refuses one that is not met. */

import { type Change, takesOver } from '../core/model/change.ts';
import { firstOf, groupBy } from '../core/model/collections.ts';
import { changesSent, type Plan } from '../core/model/plan.ts';
import type { PlanResult } from '../core/plan/build-plan.ts';
import { verifySavedPlan } from '../core/plan/saved-plan.ts';
import { isOverridden, type Overrides, withOverridden } from '../core/safety/overrides.ts';
import type { PlannedChange } from '../core/state/planned-change.ts';
import { count, overridesByWord, overrideText } from '../report/view/labels.ts';
import { CliError, EXIT_CODES, type ExitCode, highestPrecedence, interrupted } from './run/exit-codes.ts';
import { joinClauses } from './run/messages.ts';
import type { Secrets } from './run/secrets.ts';

/** Maximum number of addresses named in a sentence. */
const MAX_NAMED = 4;

/**
 * Refuses an apply after an incomplete read, unless `--skip-blocked` is given; an interrupt always stops it (design section 4, rule 9).
 * @throws CliError
 */
export function refuseIncomplete(incomplete: readonly ExitCode[], skipBlocked: true | undefined): void {
  if (incomplete.includes(EXIT_CODES.interrupted)) throw interrupted();
  if (incomplete.length === 0 || skipBlocked) return;
  throw new CliError(
    highestPrecedence(incomplete),
    'incomplete-read',
    'not everything could be read, so nothing was written',
    'fix the reads; --skip-blocked applies the kinds that were read completely',
  );
}

/** The plan that was approved: a saved plan, the fingerprint of `--expect`, or neither. */
export interface ApprovedPlan {
  readonly saved: Plan | null;
  readonly expect: string | undefined;
}

/**
 * Returns the overrides of an apply. Those of a saved plan count where `--expect` passes on the fingerprint under which it was approved;
 * the file alone overrides nothing. @throws CliError if the file is not the approved plan, or overrides more than `--allow` does
 */
export function approvedOverrides({ saved, expect }: ApprovedPlan, allow: Overrides): Overrides {
  if (!saved) return allow;
  if (expect !== undefined && expect !== saved.fingerprint)
    throw new CliError(
      EXIT_CODES.stale,
      'stale-plan',
      `the file holds the plan ${saved.fingerprint}, not ${expect}`,
      'nothing was written; apply the plan that was approved, or have this one approved',
    );
  const overridden = saved.overrides ?? [];
  if (expect !== undefined) return withOverridden(allow, overridden);
  const missing = overridden.filter((each) => !isOverridden(allow, each));
  if (missing.length === 0) return allow;
  throw new CliError(
    EXIT_CODES.blocked,
    'override-not-approved',
    `the plan overrides safety checks, which its file alone cannot do: ${missing.map(overrideText).join(', ')}`,
    `nothing was written; pass on the fingerprint that was approved (--expect), or override here as well: ${missing
      .flatMap(({ check, only = [] }) => (only.length === 0 ? [check] : only.map((glob) => `${check}=${glob}`)))
      .map((written) => `--allow ${written}`)
      .join(' ')}`,
  );
}

/**
 * Selects the changes to apply: those of the saved plan, or all. Also returns the addresses of the others. @throws CliError if the approved
 * plan is stale; exit codes of `incomplete` reads take precedence, since they may be the cause
 */
export function selectChanges(
  { saved, expect }: ApprovedPlan,
  result: PlanResult,
  incomplete: readonly ExitCode[],
  secrets: Secrets,
): { readonly changes: readonly PlannedChange[]; readonly notInPlan: readonly string[] } {
  const stale = (summary: string): CliError =>
    new CliError(
      highestPrecedence([...incomplete, EXIT_CODES.stale]),
      'stale-plan',
      summary,
      'nothing was written; run `upkeep plan` again and have the new plan reviewed',
    );
  if (!saved) {
    if (expect !== undefined && expect !== result.plan.fingerprint)
      throw stale(`the plan is now ${result.plan.fingerprint}, not ${expect}`);
    return { changes: result.changes, notInPlan: [] };
  }
  const selection = verifySavedPlan(saved, result, secrets.redactIn);
  if ('stale' in selection) throw stale(`the plan is stale: ${joinClauses(selection.stale)}`);
  return { changes: selection.changes, notInPlan: selection.notInPlan };
}

/** Refuses an apply when a safety check blocks any change, unless `--skip-blocked` is given. @throws CliError */
export function refuseBlocked(plan: Plan, skipBlocked: true | undefined): void {
  const changes = [...plan.changes, ...(plan.behind ?? [])];
  const blocked = changes.flatMap((change) => (change.blocked ? [{ address: change.address, ...change.blocked }] : []));
  if (blocked.length === 0 || skipBlocked) return;
  const reasons = blocked.map(({ address, check, reason }) => `${address} by safety check \`${check}\`: ${reason}`);
  const overrides = [...new Set(blocked.map(({ override }) => override))];
  throw new CliError(
    EXIT_CODES.blocked,
    'blocked',
    `nothing was written, because changes are blocked (${blocked.length} of ${changes.length}): ${joinClauses(reasons)}`,
    `${joinClauses(overrides)}; or apply the rest with --skip-blocked`,
    [],
    plan,
  );
}

/** A question to the user about a target. */
export interface Question {
  readonly question: string;
  /** Facts shown before the question: a label and a text each. */
  readonly facts: readonly (readonly [label: string, text: string])[];
  /** The only confirming answer: `yes`, or the name of the target. */
  readonly yes: string;
}

/** The data of the confirmation of an apply. */
export interface ConfirmationInput {
  readonly plan: Plan;
  readonly baseUrl: string;
  /** Whether uncommitted edits are applied because they were allowed. */
  readonly isDirty: boolean;
}

/**
 * Builds the question before an apply; null if nothing would be written. If playback stops, protection is weakened, an object is taken over or
 * a safety check is overridden, only the name of the target confirms, so that the user thinks of the target.
 */
export function confirmationQuestion({ plan, baseUrl, isDirty }: ConfirmationInput): Question | null {
  const toApply = changesSent(plan);
  if (toApply.length === 0) return null;
  const isRisky = toApply.some((change) => change.effect === 'weakens' || change.playback === 'stops' || takesOver(change));
  return {
    question: `Apply ${count(toApply.length, 'change')} to ${plan.target}?`,
    facts: [
      ['service', baseUrl],
      ['changes', actionCounts(toApply)],
      ...fact('stops playback', toApply, ({ playback }) => playback === 'stops'),
      ...fact('weakens', toApply, ({ effect }) => effect === 'weakens'),
      ...fact('takes over', toApply, takesOver),
      ...fact('strengthens', toApply, ({ effect }) => effect === 'strengthens'),
      ...overrideFacts(plan, isDirty),
    ],
    yes: isRisky || isDirty || plan.overrides ? plan.target : 'yes',
  };
}

function actionCounts(changes: readonly Change[]): string {
  const of = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return `${of('create')} to create, ${of('update')} to update, ${of('delete')} to delete`;
}

/** Returns the fact that names the changes of one risk; none if there are none. */
function fact(name: string, changes: readonly Change[], includes: (change: Change) => boolean): readonly (readonly [string, string])[] {
  const addresses = changes.filter(includes).map(({ address }) => address);
  if (addresses.length === 0) return [];
  return [[name, `${count(addresses.length, 'change')}: ${firstOf(addresses, MAX_NAMED).join(', ')}`]];
}

function overrideFacts({ overrides = [] }: Plan, isDirty: boolean): readonly (readonly [string, string])[] {
  const dirty = isDirty ? [['safety checks', ['dirty (edits that are not committed)']] as const] : [];
  const byWord = groupBy([...overridesByWord(overrides), ...dirty], ([word]) => word);
  return [...byWord].map(([word, all]) => ['override', `${word} by --allow: ${all.flatMap(([, texts]) => texts).join(', ')}`]);
}
