/** Updates the drift issues of all targets of a run (`drift --issue`). */

import { LedgerError } from '../core/ledger/errors.ts';
import { readLocalFile, writeLocalFile } from '../core/ledger/local-files.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import type { RepositoryAccess } from '../integrations/code-hosts/code-host.ts';
import { runPage, withCodeHost } from '../integrations/code-hosts/detect.ts';
import { DRIFT_LABEL, type DriftIssueContext, type DriftStore, updateDriftIssue } from '../integrations/code-hosts/drift-issue.ts';
import { CodeHostError } from '../integrations/code-hosts/errors.ts';
import type { Document, Options } from '../report/index.ts';
import { proxyFor } from './account/proxy.ts';
import { CliError, isSystemError, toCliError } from './run/exit-codes.ts';
import { info, reportError } from './run/messages.ts';
import type { AppContext } from './run/runtime.ts';

/** The repository of the issues, and the project that they are about. */
export interface DriftIssuesOptions {
  readonly access: RepositoryAccess;
  /** The local folder of each target, by its name. */
  readonly localFolders: ReadonlyMap<string, string>;
  /** Distinguishes the projects of a repository. */
  readonly project: string;
  readonly render: Options;
}

/**
 * Updates the issues after the report is written. An error is reported on stderr and does not stop the other targets. Returns the exit
 * codes.
 */
export async function updateDriftIssues(
  io: AppContext,
  { access, localFolders, project, render }: DriftIssuesOptions,
  documents: readonly Document[],
): Promise<readonly ExitCode[]> {
  try {
    return await withCodeHost({ ...io, proxyFor: (url) => proxyFor(url, io) }, access, async (host) => {
      const issues = await host.issues(DRIFT_LABEL);
      const context = { host, issues, store: localStore(localFolders), project, render, page: runPage(io.env, access.host), now: io.now };
      const exits: ExitCode[] = [];
      for (const document of documents) exits.push(...(await updateIssue(io, context, document)));
      return exits;
    });
  } catch (error) {
    return reportFailedUpdate(io, 'the issues', error);
  }
}

async function updateIssue(io: AppContext, context: DriftIssueContext, document: Document): Promise<readonly ExitCode[]> {
  if (document.type === 'failure' && document.failure.target !== null)
    info(io, `${document.failure.target}: its issue is left unchanged, because its drift could not be determined`);
  if (document.type !== 'drift') return [];
  const { target } = document.plan;
  try {
    info(io, `${target}: ${await updateDriftIssue(context, io.secrets.redactIn(document.plan))}`);
    return [];
  } catch (error) {
    return reportFailedUpdate(io, `the issue of ${target}`, error);
  }
}

function reportFailedUpdate(io: AppContext, what: string, error: unknown): readonly ExitCode[] {
  if (!(error instanceof CliError || error instanceof CodeHostError || error instanceof LedgerError)) throw error;
  const { exit, message, hint } = toCliError(error);
  reportError(io, `${what} could not be brought up to date: ${message}`, hint);
  return [exit === EXIT_CODES.interrupted || exit === EXIT_CODES.credentials ? exit : EXIT_CODES.error];
}

/** Name of the file that holds since when addresses drift, in the local folder of the target, and its maximum size in bytes. */
const DRIFT_FILE = 'drift.json';
const MAX_BYTES = 64 * 1024 * 1024;

/** Stores since when addresses drift, beside the issues. A failed write is no error: the issue says it, too. */
function localStore(localFolders: ReadonlyMap<string, string>): DriftStore {
  return {
    load(target) {
      const folder = localFolders.get(target);
      return folder === undefined ? null : readLocalFile(folder, DRIFT_FILE, MAX_BYTES);
    },
    save(target, known) {
      const folder = localFolders.get(target);
      if (folder === undefined) return;
      try {
        writeLocalFile(folder, DRIFT_FILE, known);
      } catch (error) {
        if (!isSystemError(error)) throw error;
      }
    },
  };
}
