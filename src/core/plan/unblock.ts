/** How a blocked plan is applied: the missing overrides, and the command that makes the changes of this plan and no others. */
import { type BlockingCheck, blockingChecks, type Change, type SafetyCheck } from '../model/change.ts';
import { applyCommand } from '../model/command-line.ts';
import type { Unblock } from '../model/plan.ts';
import { applySafetyChecks, overriddenChecks, type SafetyInput } from '../safety/checks.ts';
import { withOverride, writtenOverrides } from '../safety/overrides.ts';
import { isBehind, type PlannedChange } from '../state/planned-change.ts';
import type { PlanInput } from './input.ts';
import { type PlanContext, planFingerprint } from './plan-document.ts';

/** The checks that `--allow` overrides, but whose remedy is another one: a merge or a rebase, or a newer date. */
const OTHER_REMEDY: ReadonlySet<SafetyCheck> = new Set(['rollback', 'ignore-expired']);

/** What a plan is unblocked with, besides its input. */
interface UnblockInput {
  /** All changes that safety checks and limits count. */
  readonly scheduled: readonly PlannedChange[];
  /** The changes of the plan document, with their digests. */
  readonly planned: readonly PlannedChange[];
  readonly safety: SafetyInput;
  readonly context: PlanContext;
  readonly unread: Parameters<typeof planFingerprint>[2];
}

/** Returns how to apply a plan of which something is blocked; undefined where nothing is, or where overrides are not the remedy. */
export function unblockOf(input: PlanInput, { scheduled, planned, safety, context, unread }: UnblockInput): Unblock | undefined {
  const blocks = planned.flatMap(({ change: { blocked } }): readonly BlockingCheck[] => (blocked ? blockingChecks(blocked) : []));
  const asked = [...new Set(blocks.flatMap(({ allow }) => allow ?? []))];
  // What is overridden for all changes needs no addresses.
  const missing = asked.filter((each) => !asked.some((other) => each.startsWith(`${other}=`)));
  if (missing.length === 0 || blocks.some(({ allow, check }) => allow === undefined || OTHER_REMEDY.has(check))) return undefined;
  const overrides = missing.reduce((before, written) => withOverride(before, written) ?? before, input.overrides);
  const unblocked = { ...safety, overrides };
  const checked = applySafetyChecks(scheduled, unblocked);
  const addresses = new Set(planned.map(({ change }) => change.address));
  const isPlanned = ({ address }: Change) => addresses.has(address);
  if (checked.some(({ change }) => change.blocked !== null && isPlanned(change))) return undefined;
  const { commandScope } = input;
  if (commandScope === null) return { allow: missing };
  const digests = planned.filter((each) => !isBehind(each)).map(({ change }) => change.digest);
  const expect = planFingerprint(context, digests, { ...unread, overrides: overriddenChecks(checked, unblocked, isPlanned) });
  const command = applyCommand(commandScope, { target: context.target, allow: writtenOverrides(overrides), expect });
  return { allow: missing, command };
}
