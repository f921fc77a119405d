/** Selects what an apply may write: the overrides that count, the changes that were approved, and the question to the user. */

import { type Change, takesOver } from '../core/model/change.ts';
import { firstOf, groupBy } from '../core/model/collections.ts';
import { EXIT_CODES } from '../core/model/exit-codes.ts';
import { changesSent, type Plan } from '../core/model/plan.ts';
import type { PlanResult } from '../core/plan/build-plan.ts';
import { verifySavedPlan } from '../core/plan/saved-plan.ts';
import { isOverridden, type Overrides, withOverridden } from '../core/safety/overrides.ts';
import type { PlannedChange } from '../core/state/planned-change.ts';
import { count, overridesByWord, overrideText } from '../report/view/labels.ts';
import { CliError } from './run/exit-codes.ts';
import { joinClauses } from './run/messages.ts';
import type { Secrets } from './run/secrets.ts';

/** Maximum number of addresses named in a sentence. */
const MAX_NAMED = 4;

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
      `the file holds ${saved.fingerprint === undefined ? 'a plan for which nothing was read' : `the plan ${saved.fingerprint}`}, not ${expect}`,
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

/** The changes to apply, and how they differ from what was approved. */
interface SelectedChanges {
  readonly changes: readonly PlannedChange[];
  /** The addresses of the other changes. */
  readonly notInPlan: readonly string[];
  /** Why the plan is not the one that was approved, clauses; none where it is, or where none had to be. */
  readonly differs: readonly string[];
}

/** Selects the changes to apply: those of the saved plan, or all. */
export function selectChanges({ saved, expect }: ApprovedPlan, result: PlanResult, secrets: Secrets): SelectedChanges {
  const all = { changes: result.changes, notInPlan: [] };
  if (!saved) {
    const { fingerprint } = result.plan;
    const isApproved = expect === undefined || expect === fingerprint;
    const now = fingerprint === undefined ? 'nothing was read, so that the plan is' : `the plan is now ${fingerprint},`;
    return { ...all, differs: isApproved ? [] : [`${now} not ${expect}`] };
  }
  const selection = verifySavedPlan(saved, result, secrets.redactIn);
  return 'stale' in selection ? { ...all, differs: [`the plan is stale: ${joinClauses(selection.stale)}`] } : { ...selection, differs: [] };
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

/** Decides whether an apply overrides that nobody knows whether it is the first one. */
export function isFirst({ overrides = [] }: Plan): boolean {
  return overrides.some(({ check }) => check === 'first-apply');
}

/**
 * Builds the question before an apply; null if nothing would be written, and it is not the first one. If playback stops, protection is weakened,
 * an object is taken over or a safety check is overridden, only the name of the target confirms, so that the user thinks of the target.
 */
export function confirmationQuestion({ plan, baseUrl, isDirty }: ConfirmationInput): Question | null {
  const toApply = changesSent(plan);
  if (toApply.length === 0 && !isFirst(plan)) return null;
  const isRisky = toApply.some((change) => change.effect === 'weakens' || change.playback === 'stops' || takesOver(change));
  return {
    question:
      toApply.length === 0 ? `Record the first apply to ${plan.target}?` : `Apply ${count(toApply.length, 'change')} to ${plan.target}?`,
    facts: [
      ['service', baseUrl],
      ['changes', actionCounts(toApply)],
      ...fact('stops playback', toApply, ({ playback }) => playback === 'stops'),
      ...fact('weakens', toApply, ({ effect }) => effect === 'weakens'),
      ...fact('takes over', toApply, takesOver),
      ...fact('strengthens', toApply, ({ effect }) => effect === 'strengthens'),
      ...(isFirst(plan) ? [['ledger', FIRST] as const] : []),
      ...overrideFacts(plan, isDirty),
    ],
    yes: isRisky || isDirty || plan.overrides ? plan.target : 'yes',
  };
}

const FIRST = 'no earlier apply is recorded; if there was one, answer no, and set the ledger back first';

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
  const byFlag = overrides.filter(({ check }) => check !== 'first-apply');
  const byWord = groupBy([...overridesByWord(byFlag), ...dirty], ([word]) => word);
  return [...byWord].map(([word, all]) => ['override', `${word} by --allow: ${all.flatMap(([, texts]) => texts).join(', ')}`]);
}
