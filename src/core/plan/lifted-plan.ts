/** The plan of which nothing is blocked any more, with the overrides that it lacks. */
import type { LiftedPlan } from '../decide/facts.ts';
import { type BlockingCheck, blockingChecks, type Change, type SafetyCheck } from '../model/change.ts';
import type { CheckOverride } from '../model/decision.ts';
import { applySafetyChecks, overriddenChecks, type SafetyInput } from '../safety/checks.ts';
import { withOverride } from '../safety/overrides.ts';
import type { PlannedChange } from '../state/planned-change.ts';

/** The checks that `--allow` overrides, but whose lift is another one: a rebase, a newer date, or the ledger that was lost. */
const OTHER_LIFT: ReadonlySet<SafetyCheck> = new Set(['rollback', 'ignore-expired', 'first-apply']);

/** What a plan is built from. */
interface PlanParts {
  /** All changes that safety checks and limits count. */
  readonly scheduled: readonly PlannedChange[];
  /** The changes of the plan document. */
  readonly planned: readonly PlannedChange[];
  readonly safety: SafetyInput;
  /** Builds the document of these changes with these overrides. */
  readonly documentOf: (changes: readonly PlannedChange[], overrides: readonly CheckOverride[]) => LiftedPlan['plan'];
}

/** Returns a plan with the overrides that it lacks; null where nothing is blocked, and where overrides are not what lifts it. */
export function liftedPlan({ scheduled, planned, safety, documentOf }: PlanParts): LiftedPlan | null {
  const blocks = planned.flatMap(({ change: { blocked } }): readonly BlockingCheck[] => (blocked ? blockingChecks(blocked) : []));
  const asked = [...new Set(blocks.flatMap(({ lift }) => lift.allow ?? []))];
  // What is overridden for all changes needs no addresses.
  const allow = asked.filter((each) => !asked.some((other) => each.startsWith(`${other}=`)));
  if (allow.length === 0 || blocks.some(({ lift, check }) => lift.allow === undefined || OTHER_LIFT.has(check))) return null;
  const overrides = allow.reduce((before, written) => withOverride(before, written) ?? before, safety.overrides);
  const unblocked = { ...safety, overrides };
  const checked = applySafetyChecks(scheduled, unblocked);
  const addresses = new Set(planned.map(({ change }) => change.address));
  const isPlanned = ({ address }: Change) => addresses.has(address);
  const changes = checked.filter(({ change }) => isPlanned(change));
  if (changes.some(({ change }) => change.blocked !== null)) return null;
  return { allow, overrides, plan: documentOf(changes, overriddenChecks(checked, unblocked, isPlanned)) };
}
