import type { Plan } from '../model/plan.ts';
import { CliError, EXIT_CODES, type ExitCode, highestPrecedence, interrupted } from './exit-codes.ts';
import { listed } from './output.ts';

/** An incomplete read keeps `apply` from writing, unless the rest is to be done; an interrupt always does (design section 4, rule 9). @throws Stop */
export function refuseIncomplete(incomplete: readonly ExitCode[], skipBlocked: true | undefined): void {
  if (incomplete.includes(EXIT_CODES.interrupted)) throw interrupted();
  if (incomplete.length === 0 || skipBlocked) return;
  throw new CliError(
    highestPrecedence(incomplete),
    'incomplete-read',
    'not everything could be read, so nothing was written',
    'mend the reads; --skip-blocked applies the kinds that were read completely',
  );
}

/** Anything held keeps `apply` from writing, unless the rest is to be done. @throws Stop */
export function refuseBlocked(plan: Plan, skipBlocked: true | undefined): void {
  const { changes } = plan;
  const held = changes.flatMap((change) => (change.blocked ? [{ address: change.address, ...change.blocked }] : []));
  if (held.length === 0 || skipBlocked) return;
  const reasons = held.map(({ address, check, reason }) => `${address} by ${check}: ${reason}`);
  const releases = [...new Set(held.map(({ override }) => override))];
  throw new CliError(
    EXIT_CODES.blocked,
    'blocked',
    `nothing was written, because changes are held (${held.length} of ${changes.length}): ${listed(reasons)}`,
    `${listed(releases)}; or apply the rest with --skip-blocked`,
    [],
    plan,
  );
}
