import type { Plan } from '../model/plan.ts';
import { CliError, EXIT_CODES, type ExitCode, highestPrecedence, interrupted } from './exit-codes.ts';
import { listed } from './output.ts';

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

/** Refuses an apply when a safety check blocks any change, unless `--skip-blocked` is given. @throws CliError */
export function refuseBlocked(plan: Plan, skipBlocked: true | undefined): void {
  const { changes } = plan;
  const blocked = changes.flatMap((change) => (change.blocked ? [{ address: change.address, ...change.blocked }] : []));
  if (blocked.length === 0 || skipBlocked) return;
  const reasons = blocked.map(({ address, check, reason }) => `${address} by safety check \`${check}\`: ${reason}`);
  const overrides = [...new Set(blocked.map(({ override }) => override))];
  throw new CliError(
    EXIT_CODES.blocked,
    'blocked',
    `nothing was written, because changes are blocked (${blocked.length} of ${changes.length}): ${listed(reasons)}`,
    `${listed(overrides)}; or apply the rest with --skip-blocked`,
    [],
    plan,
  );
}
