import { type Exit, failureOf, stopOf, strongest } from '../exit.ts';
import type { Io } from '../io.ts';
import type { ReportOptions } from '../options.ts';
import { createReports, type Reports } from '../output.ts';
import { refusePlace } from '../save.ts';

/** Runs a command that reports, and gives the exit code. Whatever stops it is reported in place of its documents. */
export async function reporting(io: Io, options: ReportOptions, work: (reports: Reports) => Promise<readonly Exit[]>): Promise<Exit> {
  const reports = ownReports(io, options);
  const exits = await orFailure(null, reports, () => work(reports));
  return strongest([...exits, ...(await reports.finish())]);
}

function ownReports(io: Io, options: ReportOptions): Reports {
  for (const { file } of options.out) refusePlace(io.cwd, file);
  return createReports(io, options);
}

/** Does a part of a run, or reports what stopped it as the failure of that target. */
export async function orFailure(
  target: string | null,
  reports: Pick<Reports, 'add'>,
  work: () => Promise<readonly Exit[]>,
): Promise<readonly Exit[]> {
  try {
    return await work();
  } catch (error) {
    return [reportFailure(target, reports, error)];
  }
}

/** Reports an error as the failure of a target, or of the whole run (null). Returns the exit code that follows. */
export function reportFailure(target: string | null, reports: Pick<Reports, 'add'>, error: unknown): Exit {
  const stop = stopOf(error);
  reports.add({ type: 'failure', failure: failureOf(target, stop), ...(stop.plan ? { plan: stop.plan } : {}) });
  return stop.exit;
}
