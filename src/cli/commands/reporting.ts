import { type Exit, failureOf, stopOf, strongest } from '../exit.ts';
import { relayedReports } from '../fleet/relay.ts';
import type { Io } from '../io.ts';
import type { ReportOptions } from '../options.ts';
import { createReports, type Reports } from '../output.ts';
import { refusePlace } from '../save.ts';

/** Runs a command that reports, and gives the exit code. Whatever stops it is reported in place of its documents. */
export async function reporting(io: Io, options: ReportOptions, work: (reports: Reports) => Promise<readonly Exit[]>): Promise<Exit> {
  const reports = io.fleet ? relayedReports(io.fleet, io.secrets) : ownReports(io, options);
  const exits = await orFailure(null, reports, () => work(reports));
  return strongest([...exits, ...(await reports.finish())]);
}

function ownReports(io: Io, options: ReportOptions): Reports {
  for (const { file } of options.out) refusePlace(io.cwd, file);
  return createReports(io, options);
}

/** Does a part of a run, or reports what stopped it as the failure of that target. */
export async function orFailure(target: string | null, reports: Reports, work: () => Promise<readonly Exit[]>): Promise<readonly Exit[]> {
  try {
    return await work();
  } catch (error) {
    const stop = stopOf(error);
    reports.add({ type: 'failure', failure: failureOf(target, stop) });
    return [stop.exit];
  }
}
