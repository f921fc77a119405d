import { driftOf } from '../../engine/drift.ts';
import { complainOfFaults, planTarget, withAccount } from '../account.ts';
import { EXIT, type Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import type { PlanningOptions } from '../options.ts';
import { validDeclarationOf } from '../session.ts';
import { overTargets } from './shared.ts';

/** `drift`: what moved on the live side; without a ledger measured against the desired state. */
export function drift(io: Io, options: PlanningOptions): Promise<Exit> {
  return overTargets(io, options, async (session, target, reports) => {
    const declaration = validDeclarationOf(session, target);
    return withAccount(session, target, io, options, async (account) => {
      const reconciled = await planTarget(session, target, declaration, account, io, options, NOTHING_ALLOWED);
      const incomplete = complainOfFaults(io, reconciled.faults);
      const report = driftOf(reconciled.plan);
      reports.add({ type: 'drift', plan: report });
      return [...incomplete, ...(report.changes.length > 0 ? [EXIT.drift] : [])];
    });
  });
}

const NOTHING_ALLOWED = { deletes: 0, brakes: new Set<never>() };
