import type { Plan } from '../../model/plan.ts';
import { EXIT, type Exit, interrupted, Stop, strongest } from '../exit.ts';
import { listed } from '../output.ts';

/** An incomplete read keeps `apply` from writing, unless the rest is to be done; an interrupt always does (design section 4, rule 9). @throws Stop */
export function refuseIncomplete(incomplete: readonly Exit[], skipHeld: true | undefined): void {
  if (incomplete.includes(EXIT.interrupted)) throw interrupted();
  if (incomplete.length === 0 || skipHeld) return;
  throw new Stop(
    strongest(incomplete),
    'incomplete-read',
    'not everything could be read, so nothing was written',
    'mend the reads; --skip-held applies the kinds that were read completely',
  );
}

/** Anything held keeps `apply` from writing, unless the rest is to be done. @throws Stop */
export function refuseHeld(plan: Plan, skipHeld: true | undefined): void {
  const { changes } = plan;
  const held = changes.flatMap((change) => (change.held ? [{ address: change.address, ...change.held }] : []));
  if (held.length === 0 || skipHeld) return;
  const reasons = held.map(({ address, brake, reason }) => `${address} by ${brake}: ${reason}`);
  const releases = [...new Set(held.map(({ release }) => release))];
  throw new Stop(
    EXIT.held,
    'held',
    `nothing was written, because changes are held (${held.length} of ${changes.length}): ${listed(reasons)}`,
    `${listed(releases)}; or apply the rest with --skip-held`,
    [],
    plan,
  );
}
