/** `drift --issue`: the issues of all targets of a run. */

import { CliError, EXIT_CODES, type ExitCode } from '../app/exit-codes.ts';
import { info, reportError } from '../app/output.ts';
import type { CliContext } from '../app/runtime.ts';
import type { Document, ReportOrigin } from '../report/index.ts';
import { type DetectedHost, runPage } from './detect.ts';
import { type Drifting, keepIssue, LABEL } from './drift-issue.ts';
import { withHost } from './open.ts';

/** Where the issues are, and what they are about. */
export interface Issues {
  readonly where: DetectedHost;
  readonly folder: string;
  readonly project: string;
  readonly site: ReportOrigin;
}

/**
 * Brings the issues up to date with what was reported. The report is out by then: what goes wrong here is said on stderr, stops no other
 * target, and counts for the exit code.
 */
export async function keepIssues(
  io: CliContext,
  { where: detected, ...about }: Issues,
  documents: readonly Document[],
): Promise<readonly ExitCode[]> {
  try {
    return await withHost(io, detected, async (host) => {
      const drifting = { ...about, host, issues: await host.issues(LABEL), page: runPage(io, detected.host), now: io.now };
      const exits: ExitCode[] = [];
      for (const document of documents) exits.push(...(await keepOne(io, drifting, document)));
      return exits;
    });
  } catch (error) {
    return failed(io, 'the issues', error);
  }
}

async function keepOne(io: CliContext, drifting: Drifting, document: Document): Promise<readonly ExitCode[]> {
  if (document.type === 'failure' && document.failure.target !== null)
    info(io, `${document.failure.target}: its issue is left unchanged, because its drift could not be determined`);
  if (document.type !== 'drift') return [];
  const { target } = document.plan;
  try {
    info(io, `${target}: ${await keepIssue(drifting, io.secrets.hiddenIn(document.plan))}`);
    return [];
  } catch (error) {
    return failed(io, `the issue of ${target}`, error);
  }
}

function failed(io: CliContext, what: string, error: unknown): readonly ExitCode[] {
  if (!(error instanceof CliError)) throw error;
  reportError(io, `${what} could not be brought up to date: ${error.message}`, error.hint);
  return [error.exit === EXIT_CODES.interrupted || error.exit === EXIT_CODES.credentials ? error.exit : EXIT_CODES.error];
}
