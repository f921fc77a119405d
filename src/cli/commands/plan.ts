import type { Allowed } from '../../engine/guard.ts';
import type { Plan } from '../../model/plan.ts';
import { complainOfFaults, planTarget, withAccount } from '../account.ts';
import { EXIT, type Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import type { GlobalOptions } from '../options.ts';
import { validDeclarationOf } from '../session.ts';
import { overTargets } from './shared.ts';

/** Flags of `plan`. */
export interface PlanOptions extends GlobalOptions {
  readonly allow: Allowed;
  readonly detailedExitcode?: true | undefined;
  readonly requests?: true | undefined;
  readonly unmanaged?: true | undefined;
}

/** `plan`: what apply would do. Writes nothing. */
export function plan(io: Io, options: PlanOptions): Promise<Exit> {
  return overTargets(io, options, async (session, target) => {
    const declaration = validDeclarationOf(session, target);
    return withAccount(session, target, io, options, async (account) => {
      const reconciled = await planTarget(session, target, declaration, account, io, options, options.allow);
      account.status.clear();
      const exits = [...complainOfFaults(io, reconciled.faults), options.detailedExitcode ? detailed(reconciled.plan) : EXIT.done];
      const unmanaged = options.unmanaged ? reconciled.unmanaged.map((each) => ({ ...each, target: target.name })) : null;
      return { document: { type: 'plan', plan: reconciled.plan }, exits, look: { requests: options.requests === true, unmanaged } };
    });
  });
}

function detailed({ summary }: Plan): Exit {
  if (summary.held > 0) return EXIT.held;
  return summary.create + summary.update + summary.delete > 0 ? EXIT.changes : EXIT.done;
}
