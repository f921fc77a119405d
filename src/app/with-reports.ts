import { type ExitCode, failureOf, highestPrecedence, toCliError } from './exit-codes.ts';
import type { ReportOptions } from './options.ts';
import { createReports, type Reports } from './output.ts';
import { refuseReportPath } from './report-file.ts';
import type { CliContext } from './runtime.ts';

/** Runs a command that writes reports and returns its exit code. An error that stops it is reported in place of its documents. */
export async function reporting(
  io: CliContext,
  options: ReportOptions,
  work: (reports: Reports) => Promise<readonly ExitCode[]>,
): Promise<ExitCode> {
  const reports = ownReports(io, options);
  const exits = await orFailure(null, reports, () => work(reports));
  return highestPrecedence([...exits, ...(await reports.finish())]);
}

function ownReports(io: CliContext, options: ReportOptions): Reports {
  for (const { file } of options.out) refuseReportPath(io.cwd, file);
  return createReports(io, options);
}

/** Runs part of a command; reports an error as the failure of that target and returns its exit code. */
export async function orFailure(
  target: string | null,
  reports: Pick<Reports, 'add'>,
  work: () => Promise<readonly ExitCode[]>,
): Promise<readonly ExitCode[]> {
  try {
    return await work();
  } catch (error) {
    return [reportFailure(target, reports, error)];
  }
}

/** Reports an error as the failure of a target, or of the whole run (null). Returns its exit code. */
export function reportFailure(target: string | null, reports: Pick<Reports, 'add'>, error: unknown): ExitCode {
  const stop = toCliError(error);
  reports.add({ type: 'failure', failure: failureOf(target, stop), ...(stop.plan ? { plan: stop.plan } : {}) });
  return stop.exit;
}
