import type { Allowed } from '../../engine/guard.ts';
import type { Plan } from '../../model/plan.ts';
import { complainOfFaults, planTarget, withAccount } from '../account.ts';
import { EXIT, type Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import type { PlanningOptions } from '../options.ts';
import { validDeclarationOf } from '../session.ts';
import { overTargets } from './shared.ts';

/** Flags of `plan`. */
export interface PlanOptions extends PlanningOptions {
  readonly allow: Allowed;
  readonly detailedExitcode?: true | undefined;
  readonly requests?: true | undefined;
  readonly unmanaged?: true | undefined;
}

/** `plan`: what apply would do. Writes nothing. */
export function plan(io: Io, options: PlanOptions): Promise<Exit> {
  return overTargets(io, options, async (session, target, reports) => {
    const declaration = validDeclarationOf(session, target);
    return withAccount(session, target, io, options, async (account) => {
      const reconciled = await planTarget(session, target, declaration, account, io, options, options.allow);
      const incomplete = complainOfFaults(io, reconciled.faults);
      const unmanaged = options.unmanaged ? reconciled.unmanaged.map((each) => ({ ...each, target: target.name })) : null;
      reports.add({ type: 'plan', plan: reconciled.plan }, { requests: options.requests === true, unmanaged });
      return [...incomplete, ...(options.detailedExitcode ? [detailed(reconciled.plan)] : [])];
    });
  });
}

function detailed({ summary }: Plan): Exit {
  if (summary.held > 0) return EXIT.held;
  return summary.create + summary.update + summary.delete > 0 ? EXIT.changes : EXIT.done;
}
