/** Exports a target: the live account as YAML. */

import { loadDesiredState } from '../core/config/load-desired-state.ts';
import type { Target } from '../core/config/project.ts';
import { memoryFiles } from '../core/config/project-folder.ts';
import { type AccountExport, type ConfigReader, type ExportResult, exportAccount } from '../core/export/export-account.ts';
import { exportAssetCatalog } from '../core/export/export-asset-catalog.ts';
import type { ExportedFile, FileLayout } from '../core/export/source-files.ts';
import { kinds } from '../core/kinds/index.ts';
import type { ApiError, ApiService, DesiredResource, LiveResource } from '../core/kinds/kind.ts';
import type { NotExported } from '../core/model/account-export.ts';
import { EXIT_CODES, type ExitCode, highestPrecedence } from '../core/model/exit-codes.ts';
import type { Finding } from '../core/model/finding.ts';
import type { AskedDate } from '../core/model/run-of-show.ts';
import { readKind } from '../core/plan/refresh.ts';
import { reportReadErrors, withApiClient } from './account/api-connection.ts';
import type { TargetRun } from './account/target-run.ts';
import { accountOverview, assetsOfAccount } from './account-overview.ts';
import { loadLedgerState } from './history/load-state.ts';
import { CliError, interrupted } from './run/exit-codes.ts';
import { warn } from './run/messages.ts';
import type { NoiseOptions, ReportOptions, TargetOptions } from './run/options.ts';
import { desiredStateOf, hasError, type OpenProject, oneTarget } from './run/project.ts';
import type { AppContext } from './run/runtime.ts';
import { sourceModel } from './run/source-model.ts';
import { forEachTarget } from './targets/for-each-target.ts';

/** Options of an export. */
export interface ExportTargetOptions extends NoiseOptions, Pick<FileLayout, 'groupBy'> {
  /** Whether a catalog of the assets is exported, too. */
  readonly assets?: true | undefined;
  /** Whether playlists that follow a pattern become a template and a table. */
  readonly templates?: true | undefined;
  /** The date for which the account at a glance says what is gone; undefined = now. */
  readonly at?: AskedDate | undefined;
}

/** Where exported files go. */
export interface ExportWriter {
  /** The folder; null is stdout. */
  readonly folder: string | null;
  /** Writes the files. @throws CliError */
  write(files: readonly ExportedFile[]): void;
  /** Returns a finding about an exported file with the place in the file as it is written. */
  locate(finding: Finding): Finding;
}

/** Whether a report of the export is in HTML, which shows the account at a glance. */
function wantsPage({ format, out }: Pick<ReportOptions, 'format' | 'out'>): boolean {
  return [format, ...out.map((each) => each.format)].includes('html');
}

/**
 * Reads the account, writes its files, and reports what they declare and what they leave out. After a failed read nothing is written.
 * Without a writer it only shows the account, also one that was not read completely. @throws CliError
 */
async function exportTarget(
  { session, target, io, reports, credentials }: TargetRun,
  options: ExportTargetOptions & Pick<ReportOptions, 'format' | 'out'>,
  writer: ExportWriter | null,
): Promise<readonly ExitCode[]> {
  const read = await credentials();
  io.telemetry?.enter('read');
  return withApiClient(target, read, io, options, async ({ client, status }) => {
    const readAt = io.now();
    const reads = await Promise.all(kinds.map(async (kind) => ({ kind, ...(await readKind<LiveResource>(kind, client, io.now)) })));
    status.clear();
    const errors = reads.flatMap(({ error }) => error ?? []);
    if (errors.length > 0 && writer) throw readFailure(io, errors);
    const page = async (leftOut: readonly NotExported[]) => {
      const { resources, problem } = declaredResources(session, target);
      const isAsked = options.assets === true || target.check.assets === true;
      const assets = await assetsOfAccount(reads, resources, target, isAsked ? client : null);
      const known = { ...assets, unread: [...assets.unread, ...problem] };
      status.clear();
      return accountOverview(target, reads, leftOut, known, { readAt, at: options.at ?? null });
    };
    if (!writer) {
      const complete = reads.filter(({ error }) => error === null);
      const { leftOut } = exportAccount(complete, exportReader(session, target), io.now());
      const accountExport = { schemaVersion: 1, target: target.name, folder: null, files: [], written: {}, leftOut, findings: [] } as const;
      reports.add({ type: 'export', accountExport, account: await page(leftOut) });
      return errors.length > 0 ? reportReadErrors(io, errors) : [EXIT_CODES.done];
    }
    const { files, written, leftOut, warnings, failedLookups } = await exportReads(reads, session, target, client, io, options);
    status.clear();
    writer.write(files);
    warnAboutSecrets(io, files);
    const names = files.map(({ name }) => name);
    const accountExport = {
      schemaVersion: 1,
      target: target.name,
      folder: writer.folder,
      files: names,
      written,
      leftOut,
      findings: warnings.map((finding) => writer.locate(finding)),
    } as const;
    reports.add({ type: 'export', accountExport, ...(wantsPage(options) ? { account: await page(leftOut) } : {}) });
    return reportFailedLookups(io, failedLookups);
  });
}

/** Returns the resources of the configuration, which name assets and their durations; none of one with errors, which is said. */
function declaredResources(
  session: OpenProject,
  target: Target,
): { readonly resources: readonly DesiredResource[]; readonly problem: readonly string[] } {
  const { resources, findings } = desiredStateOf(session, target);
  if (!hasError(findings)) return { resources, problem: [] };
  return {
    resources: [],
    problem: ['The configuration has errors, so what it says of assets is not known here; `upkeep validate` lists them.'],
  };
}

/** Exports what was read, with a catalog where one is wanted, whose names the playlists then use. @throws CliError */
async function exportReads(
  reads: readonly ExportResult[],
  session: OpenProject,
  target: Target,
  service: ApiService,
  io: AppContext,
  { assets, groupBy, templates }: ExportTargetOptions,
): Promise<AccountExport & { readonly failedLookups: readonly ApiError[] }> {
  const load = exportReader(session, target);
  const ledgerState = await loadLedgerState(session, target, io);
  const layout = { groupBy, templates, variables: target.vars.keys(), ledgerState, hide: io.secrets.redact };
  if (!assets) return { ...exportAccount(reads, load, io.now(), layout), failedLookups: [] };
  const { files } = exportAccount(reads, load, io.now());
  const catalog = await exportAssetCatalog(files, kinds, load, service, target.service.referenceApi);
  if (io.signal.aborted) throw interrupted();
  const loadWithCatalog: ConfigReader = (own) => load([...own, ...catalog.files]);
  const account = exportAccount(reads, loadWithCatalog, io.now(), { ...layout, catalogNames: catalog.names });
  return { ...account, files: [...account.files, ...catalog.files], failedLookups: catalog.errors };
}

/** Reports the look-ups that failed: what was read is written all the same. Returns the exit codes. */
function reportFailedLookups(io: AppContext, errors: readonly ApiError[]): readonly ExitCode[] {
  if (errors.length === 0) return [EXIT_CODES.done];
  warn(io, 'not all assets could be looked up, so the files name those by their IDs; all else was read and is written', '');
  return reportReadErrors(io, errors);
}

function readFailure(io: AppContext, errors: readonly ApiError[]): CliError {
  const exit = highestPrecedence(reportReadErrors(io, errors));
  if (exit === EXIT_CODES.interrupted) return interrupted();
  return new CliError(exit, 'unread', 'the account could not be read completely, so nothing was exported', errors[0]?.advice ?? '');
}

/** Returns a reader that loads exported files as if they were the only sources of the target. */
export function exportReader(session: OpenProject, target: Target): ConfigReader {
  return (files) => {
    const sources = files.filter(({ name }) => name.endsWith('.yaml')).map(({ name }) => ({ path: name, defaults: {} }));
    // Every refused entry is left out, so all findings are needed.
    const all = Number.POSITIVE_INFINITY;
    return loadDesiredState(memoryFiles(files), session.project, { ...target, sources }, sourceModel, undefined, all);
  };
}

/** Warns if an exported text contains a credential: an export declares the account as it is, without redaction. */
function warnAboutSecrets(io: AppContext, files: readonly ExportedFile[]): void {
  const leaking = files.filter(({ text }) => io.secrets.redact(text) !== text).map(({ name }) => name);
  if (leaking.length > 0) {
    warn(io, `a text of the account repeats its owner or its API key: ${leaking.join(', ')}`, 'look at it before you commit it');
  }
}

/**
 * Exports the one chosen target. `writerTo` creates the writer, for the folder of upkeep.yaml, before any request is sent; null = no file.
 */
export function exportOneTarget(
  io: AppContext,
  options: TargetOptions & ExportTargetOptions,
  writerTo: (projectFolder: string) => ExportWriter | null,
): Promise<ExitCode> {
  return forEachTarget(
    io,
    options,
    { prepare: async ({ session }) => writerTo(session.folder), work: (run, writer) => exportTarget(run, options, writer) },
    (session) => [oneTarget(session, options.target, 'export writes one account at a time')],
  );
}
