/** `drift --issue`: the issues of all targets of a run. */
import type { Document, Site } from '../../report/index.ts';
import { EXIT, type Exit, Stop } from '../exit.ts';
import type { Io } from '../io.ts';
import { complain, remark } from '../output.ts';
import { type Drifting, keepIssue, LABEL } from './drift-issue.ts';
import { withHost } from './open.ts';
import { runPage, type Where } from './where.ts';

/** Where the issues are, and what they are about. */
export interface Issues {
  readonly where: Where;
  readonly folder: string;
  readonly project: string;
  readonly site: Site;
}

/**
 * Brings the issues up to date with what was reported. The report is out by then: what goes wrong here is said on stderr, stops no other
 * target, and counts for the exit code.
 */
export async function keepIssues(io: Io, { where, ...about }: Issues, documents: readonly Document[]): Promise<readonly Exit[]> {
  try {
    return await withHost(io, where, async (host) => {
      const drifting = { ...about, host, issues: await host.issues(LABEL), page: runPage(io, where.host), now: io.now };
      const exits: Exit[] = [];
      for (const document of documents) exits.push(...(await keepOne(io, drifting, document)));
      return exits;
    });
  } catch (error) {
    return failed(io, 'the issues', error);
  }
}

async function keepOne(io: Io, drifting: Drifting, document: Document): Promise<readonly Exit[]> {
  if (document.type === 'failure' && document.failure.target !== null)
    remark(io, `${document.failure.target}: its issue is left as it is, because its drift could not be told`);
  if (document.type !== 'drift') return [];
  const { target } = document.plan;
  try {
    remark(io, `${target}: ${await keepIssue(drifting, io.secrets.hiddenIn(document.plan))}`);
    return [];
  } catch (error) {
    return failed(io, `the issue of ${target}`, error);
  }
}

function failed(io: Io, what: string, error: unknown): readonly Exit[] {
  if (!(error instanceof Stop)) throw error;
  complain(io, `${what} could not be brought up to date: ${error.message}`, error.hint);
  return [error.exit === EXIT.interrupted || error.exit === EXIT.credentials ? error.exit : EXIT.error];
}
