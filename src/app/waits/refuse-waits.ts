/** Ends a run whose conditions are not met. */
import type { CheckOverride } from '../../core/model/change.ts';
import { compareStrings } from '../../core/model/finding.ts';
import { changesSent, type Plan } from '../../core/model/plan.ts';
import type { Condition, Wait } from '../../core/model/wait.ts';
import type { Overrides } from '../../core/safety/overrides.ts';
import { waitText } from '../../report/view/waits.ts';
import { CliError, EXIT_CODES } from '../run/exit-codes.ts';
import { joinClauses } from '../run/messages.ts';

/** Returns the waits that a run does not override. */
export function openWaits(waits: readonly Wait[], { conditions }: Pick<Overrides, 'conditions'>): readonly Wait[] {
  return waits.filter(({ condition }) => !conditions?.has(condition));
}

/** Refuses a run that waits for something it does not override. `plan` is null where none was made yet. @throws CliError */
export function refuseWaits(target: string, waits: readonly Wait[], overrides: Overrides, plan: Plan | null): void {
  const open = openWaits(waits, overrides);
  if (open.length === 0) return;
  const conditions = [...new Set(open.map(({ condition }) => condition))];
  const promoted = open.find((wait) => wait.promoted != null)?.promoted;
  const later = open.every(({ until }) => until !== null) ? 'run it again then' : 'run it again when that has changed';
  throw new CliError(
    EXIT_CODES.blocked,
    'waits',
    `nothing was written, because ${target} waits: ${joinClauses([...new Set(open.map(waitText))])}`,
    [
      later,
      ...(promoted == null ? [] : [`apply what is promoted with --ref promoted (${promoted.slice(0, 12)})`]),
      `or override with ${conditions.map((condition) => `--allow ${condition}`).join(' ')}`,
    ].join(', '),
    [],
    plan,
  );
}

/** Adds to a plan that is applied the conditions that were overridden and are not met. */
export function withOverriddenConditions(plan: Plan, waits: readonly Wait[]): Plan {
  const conditions = [...new Set<Condition>(waits.map(({ condition }) => condition))];
  if (conditions.length === 0) return plan;
  const count = changesSent(plan).length;
  const overrides: readonly CheckOverride[] = [...(plan.overrides ?? []), ...conditions.map((check) => ({ check, count }))];
  return { ...plan, overrides: overrides.toSorted((a, b) => compareStrings(a.check, b.check)) };
}
