/** Exports a target: the live account as YAML. */

import { loadDesiredState } from '../config/load-desired-state.ts';
import type { Target } from '../config/project.ts';
import { memoryFiles } from '../config/project-folder.ts';
import { type ConfigReader, type ExportedFile, exportAccount } from '../export/export-account.ts';
import { exportAssetCatalogue } from '../export/export-asset-catalogue.ts';
import { kinds } from '../kinds/index.ts';
import { ApiError, type LiveResource } from '../kinds/kind.ts';
import { readKind } from '../plan/refresh.ts';
import { reportReadErrors, withApiClient } from './api-connection.ts';
import { credentialsOf } from './credentials.ts';
import { EXIT_CODES, type ExitCode, highestPrecedence } from './exit-codes.ts';
import { warn } from './messages.ts';
import type { NoiseOptions } from './options.ts';
import type { OpenProject } from './project.ts';
import type { AppContext } from './runtime.ts';

/** Options of an export. */
export interface ExportTargetOptions extends NoiseOptions {
  /** Whether a catalog of the assets is exported, too. */
  readonly assets?: true | undefined;
}

/**
 * Reads the account and passes its files to `write`; after a failed read nothing is written. Returns the exit code. @throws CliError, and
 * what `write` throws
 */
export async function exportTarget(
  session: OpenProject,
  target: Target,
  io: AppContext,
  options: ExportTargetOptions,
  write: (files: readonly ExportedFile[]) => void,
): Promise<ExitCode> {
  const credentials = await credentialsOf(target, session, io);
  return withApiClient(target, credentials, io, options, async ({ client, status }) => {
    const reads = await Promise.all(kinds.map(async (kind) => ({ kind, ...(await readKind<LiveResource>(kind, client, io.now)) })));
    status.clear();
    const errors = reads.flatMap(({ error }) => error ?? []);
    if (errors.length > 0) return highestPrecedence(reportReadErrors(io, errors));
    const load = exportReader(session, target);
    const accountFiles = exportAccount(reads, load, io.now());
    try {
      const catalogueFiles = options.assets
        ? await exportAssetCatalogue(accountFiles, kinds, load, client, target.service.referenceApi)
        : [];
      status.clear();
      const files = [...accountFiles, ...catalogueFiles];
      write(files);
      warnAboutSecrets(io, files);
      return EXIT_CODES.done;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return highestPrecedence(reportReadErrors(io, [error]));
    }
  });
}

/** Returns a reader that loads exported files as if they were the only sources of the target. */
export function exportReader(session: OpenProject, target: Target): ConfigReader {
  return (files) => {
    const sources = files.map((file) => file.name);
    // Every refused entry is left out, so all findings are needed.
    const all = Number.POSITIVE_INFINITY;
    return loadDesiredState(
      memoryFiles(files),
      session.project,
      { ...target, sources: sources.map((path) => ({ path, defaults: {} })), vars: new Map() },
      kinds,
      undefined,
      all,
    );
  };
}

/** Warns if an exported text contains a credential: an export shows the account as it is, without redaction. */
function warnAboutSecrets(io: AppContext, files: readonly ExportedFile[]): void {
  const leaking = files.filter(({ text }) => io.secrets.redact(text) !== text).map(({ name }) => name);
  if (leaking.length > 0) {
    warn(io, `a text of the account repeats its owner or its API key: ${leaking.join(', ')}`, 'look at it before you commit it');
  }
}
