import type { Target } from '../../engine/configuration.ts';
import { type Exit, failureOf, interrupted, stopOf, strongest } from '../exit.ts';
import type { Io } from '../io.ts';
import type { ReportOptions, TargetOptions } from '../options.ts';
import { createReports, type Reports } from '../output.ts';
import { chosenTargets, openSession, type Session } from '../session.ts';

/** Runs a command that reports, and gives the exit code. Whatever stops it is reported in place of its documents. */
export async function reporting(io: Io, options: ReportOptions, work: (reports: Reports) => Promise<readonly Exit[]>): Promise<Exit> {
  const reports = createReports(io, options);
  const exits = await orFailure(null, reports, () => work(reports));
  return strongest([...exits, ...(await reports.finish())]);
}

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

async function orFailure(target: string | null, reports: Reports, work: () => Promise<readonly Exit[]>): Promise<readonly Exit[]> {
  try {
    return await work();
  } catch (error) {
    const stop = stopOf(error);
    reports.add({ type: 'failure', failure: failureOf(target, stop) });
    return [stop.exit];
  }
}
