import type { Target } from '../../engine/configuration.ts';
import { type Exit, interrupted } from '../exit.ts';
import type { Io } from '../io.ts';
import type { TargetOptions } from '../options.ts';
import type { Reports } from '../output.ts';
import { chosenTargets, openSession, type Session } from '../session.ts';
import { orFailure, reporting } from './reporting.ts';

/** Runs a command over the chosen targets in the order of upkeep.yaml. One failing target does not stop the others; an interrupt does. */
export function overTargets(
  io: Io,
  options: TargetOptions,
  work: (session: Session, target: Target, reports: Reports) => Promise<readonly Exit[]>,
  choose: (session: Session) => readonly Target[] = (session) => chosenTargets(session, options.target),
): Promise<Exit> {
  return reporting(io, options, async (reports) => {
    const session = openSession(io, options);
    const exits: Exit[] = [];
    for (const target of choose(session)) {
      const own = await orFailure(target.name, reports, async () => {
        if (io.signal.aborted) throw interrupted();
        return work(session, target, reports);
      });
      exits.push(...own);
    }
    return exits;
  });
}
