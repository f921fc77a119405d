import { driftOf } from '../../engine/drift.ts';
import { complainOfFaults, planTarget, withAccount } from '../account.ts';
import { EXIT, type Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import type { GlobalOptions } from '../options.ts';
import { validDeclarationOf } from '../session.ts';
import { overTargets } from './shared.ts';

/** `drift`: what moved on the live side; without a ledger measured against the desired state. */
export function drift(io: Io, options: GlobalOptions): Promise<Exit> {
  return overTargets(io, options, async (session, target) => {
    const declaration = validDeclarationOf(session, target);
    return withAccount(session, target, io, options, async (account) => {
      const reconciled = await planTarget(session, target, declaration, account, io, options, NOTHING_ALLOWED);
      account.status.clear();
      const report = driftOf(reconciled.plan);
      const exits = [...complainOfFaults(io, reconciled.faults), report.changes.length > 0 ? EXIT.drift : EXIT.done];
      return { document: { type: 'drift', plan: report }, exits };
    });
  });
}

const NOTHING_ALLOWED = { deletes: 0, brakes: new Set<never>() };
