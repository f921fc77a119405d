/** The reports of a run: what is written to stdout and to the files of `--out`, in which format. */

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { acceptedFindings, listedFindings } from '../../core/config/findings.ts';
import { findProjectFile } from '../../core/config/project-folder.ts';
import { EXIT_CODES, type ExitCode, highestPrecedence } from '../../core/model/exit-codes.ts';
import type { Finding } from '../../core/model/finding.ts';
import type { ErrorReport } from '../../core/model/plan.ts';
import { type Document, type Options, type ReportOrigin, render } from '../../report/index.ts';
import { diagramOf } from '../../report/kind-views.ts';
import { withoutExcerpt } from '../../report/machine/json.ts';
import { type Event, eventLine, eventsOf } from '../../report/machine/ndjson.ts';
import { renderTargetTable, type TargetResult } from '../../report/text/target-table.ts';
import { codeHostPages } from './code-host-pages.ts';
import { CliError, codeOf, failureOf, toCliError } from './exit-codes.ts';
import { reportError } from './messages.ts';
import type { RenderOptions, ReportOptions } from './options.ts';
import { previousReport, refuseReportPath, saveReport } from './out-file.ts';
import type { AppContext } from './runtime.ts';
import type { Secrets } from './secrets.ts';
import { VERSION } from './version.ts';

/**
 * The reports of one run. Text is written document by document, so that results appear at once, and ndjson event by event; the other
 * formats are written at the end, from all documents.
 */
export interface Reports {
  /** Adds a document to the reports. A failure is also written to stderr as text, whatever the format. */
  add(document: Document, options?: RenderOptions): void;
  /** Writes events at once if the format of stdout is a stream; the document that contains them later does not repeat them there. */
  emit(events: readonly Event[]): void;
  /** Writes a document as text without adding it to the reports: to stdout if text is its format, else to stderr. */
  show(document: Document, options?: RenderOptions): void;
  /** Writes the table of how several targets ended, if text is the format of stdout. */
  showTargets(results: readonly TargetResult[]): void;
  /** Protects configuration files from being overwritten by a report. `files` are absolute paths without links; the set may still grow. */
  protectFiles(files: ReadonlySet<string>): void;
  /** Writes the pending documents and the files of `--out`. Returns the exit codes of failed writes. */
  finish(): Promise<readonly ExitCode[]>;
}

/** Creates the reports of a run. Secrets in the documents are redacted in every format. */
export function createReports(io: AppContext, options: ReportOptions & { readonly project?: string | undefined }): Reports {
  if (io.collect) return collectingReports(io.secrets, io.collect);
  const origin = reportOrigin(io, options.project);
  const documents: Document[] = [];
  const documentOptions: RenderOptions[] = [];
  const asText = options.format === 'text';
  let isFirst = true;
  const protectedSets: ReadonlySet<string>[] = [];
  const writeText = (stream: 'stdout' | 'stderr', document: Document, own: RenderOptions): void => {
    const text = render([io.secrets.redactIn(document)], 'text', rendererOptions(io, options, own, stream, origin));
    io[stream].write((isFirst ? '' : '\n') + text);
    isFirst = false;
  };
  const stream = options.format === 'ndjson' ? createNdjsonStream(io) : null;
  return {
    emit(events) {
      stream?.emit(events);
    },
    show(document, own = {}) {
      writeText(asText ? 'stdout' : 'stderr', withListedFindings(document), own);
    },
    add(whole, own = {}) {
      const document = withListedFindings(whole);
      documents.push(document);
      documentOptions.push(own);
      if (document.type === 'failure') writeText('stderr', document, own);
      else if (asText) writeText('stdout', document, own);
      stream?.complete(document);
    },
    showTargets(results) {
      const text = asText ? renderTargetTable(results, rendererOptions(io, options, {}, 'stdout', origin)) : '';
      if (text !== '') io.stdout.write(`\n${text}`);
    },
    protectFiles(files) {
      protectedSets.push(files);
    },
    async finish() {
      // All documents are written already: skip the redaction pass.
      if ((asText || stream) && options.out.length === 0) return [];
      const protectedFiles = new Set(protectedSets.flatMap((files) => [...files]));
      const merged = rendererOptions(io, options, mergeOptions(documentOptions), null, origin);
      const redacted = io.secrets.redactIn(documents);
      if (!asText && !stream) io.stdout.write(render(redacted, options.format, merged));
      const exits: ExitCode[] = [];
      for (const { format, file } of options.out) {
        const previous = format === 'prometheus' ? previousReport(io.cwd, file) : null;
        exits.push(...(await save(io, file, render(redacted, format, { ...merged, previousReport: previous }), protectedFiles)));
      }
      return exits;
    },
  };
}

/** Creates the reports of a run for a program, which takes the documents themselves. */
function collectingReports(secrets: Secrets, collect: (document: Document) => void): Reports {
  return {
    add: (document) => collect(secrets.redactIn(withoutExcerpts(withListedFindings(document)))),
    emit: () => undefined,
    show: () => undefined,
    showTargets: () => undefined,
    protectFiles: () => undefined,
    finish: async () => [],
  };
}

/**
 * Limits the findings of a document: of those with the same code in one file the first 100 are listed, and one more counts the others. Those
 * that rules accept are only counted.
 */
export function withListedFindings(document: Document): Document {
  return withFindings(document, (findings) => ({ findings: listedFindings(findings), ...acceptedFindings(findings) }));
}

/** Leaves out the excerpts of findings, which only text reports show, and which no schema of a document has. */
function withoutExcerpts(document: Document): Document {
  return withFindings(document, (findings) => ({ findings: findings.map(withoutExcerpt) }));
}

function withFindings(document: Document, change: (findings: readonly Finding[]) => Pick<ErrorReport, 'findings' | 'accepted'>): Document {
  const changed = <Report extends Pick<ErrorReport, 'findings' | 'accepted'>>(report: Report): Report => ({
    ...report,
    ...change(report.findings),
  });
  switch (document.type) {
    case 'plan':
    case 'drift':
      return { ...document, plan: changed(document.plan) };
    case 'validation':
      return { ...document, validation: changed(document.validation) };
    case 'export':
      return { ...document, accountExport: changed(document.accountExport) };
    case 'failure':
      return { ...document, failure: changed(document.failure), ...(document.plan ? { plan: changed(document.plan) } : {}) };
    case 'outcome':
      return { ...document, ...(document.plan ? { plan: changed(document.plan) } : {}) };
    default:
      return document;
  }
}

/** Width of text in a file, columns: that of a terminal of unknown width. A command to copy is never wrapped. */
const TEXT_WIDTH = 80;

/** Returns the options of a renderer without color, requests, rules and undeclared objects. */
export function plainOptions(origin: ReportOrigin): Options {
  const brief = { requests: false, full: false, afterPlan: false, why: false, undeclared: null };
  return { color: false, width: TEXT_WIDTH, ...brief, origin, diagramOf, previousReport: null };
}

/** Returns the options of the renderer for a stream; null is a file. */
function rendererOptions(
  io: AppContext,
  options: Pick<ReportOptions, 'color' | 'full'>,
  { requests = false, afterPlan = false, why = false, undeclared = null }: RenderOptions,
  stream: 'stdout' | 'stderr' | null,
  origin: ReportOrigin,
): Options {
  const isTerminal = stream !== null && io.terminal[stream];
  const color = stream !== null && isColored(io, options.color, isTerminal);
  const width = stream === null ? TEXT_WIDTH : io.terminal.columns;
  const full = options.full === true;
  return { ...plainOptions(origin), color, width, requests, full, afterPlan, why, undeclared: io.secrets.redactIn(undeclared) };
}

/** Decides whether output is colored. Precedence: `--no-color`, NO_COLOR, FORCE_COLOR, the terminal. */
function isColored({ env }: AppContext, color: boolean, isTerminal: boolean): boolean {
  if (!color || (env.NO_COLOR ?? '') !== '') return false;
  const forced = env.FORCE_COLOR ?? '';
  return forced === '' ? isTerminal && env.TERM !== 'dumb' : !['0', 'false'].includes(forced);
}

/** Merges the render options of all documents for a format that is written from all of them. */
function mergeOptions(all: readonly RenderOptions[]): RenderOptions {
  const undeclared = all.flatMap((each) => (each.undeclared ? [each.undeclared] : []));
  const some = (flag: 'requests' | 'why') => all.some((each) => each[flag]);
  return { requests: some('requests'), why: some('why'), undeclared: undeclared.length > 0 ? undeclared.flat() : null };
}

/** Writes one report file. A failure is reported as an error of its own and does not stop the other reports. Returns its exit code. */
async function save(io: AppContext, file: string, text: string, protectedFiles: ReadonlySet<string>): Promise<readonly ExitCode[]> {
  try {
    await saveReport(io.cwd, file, text, protectedFiles);
    return [];
  } catch (error) {
    if (error instanceof CliError) reportError(io, error.message, error.hint);
    else reportError(io, `the report ${file} cannot be written (${codeOf(error)})`, 'choose another file for --out; its folder must exist');
    return [EXIT_CODES.error];
  }
}

/** Events on stdout, one a line. */
interface NdjsonStream {
  /** Writes events as they happen. */
  emit(events: readonly Event[]): void;
  /** Writes the events of a document that were not emitted before. */
  complete(document: Document): void;
}

function createNdjsonStream({ stdout, secrets }: Pick<AppContext, 'stdout' | 'secrets'>): NdjsonStream {
  const emitted = new Set<string>();
  const linesOf = (events: readonly Event[]) => secrets.redactIn(events).map((event) => `${eventLine(event)}\n`);
  return {
    emit(events) {
      for (const line of linesOf(events)) {
        stdout.write(line);
        emitted.add(line);
      }
    },
    complete(document) {
      for (const line of linesOf(eventsOf(document))) if (!emitted.delete(line)) stdout.write(line);
    },
  };
}

/** Runs a command that writes reports and returns its exit code. An error that stops it is reported in place of its documents. */
export async function withReports(
  io: AppContext,
  options: ReportOptions,
  work: (reports: Reports) => Promise<readonly ExitCode[]>,
): Promise<ExitCode> {
  for (const { file } of options.out) refuseReportPath(io.cwd, file);
  const reports = createReports(io, options);
  const exits = await orFailure(null, reports, () => work(reports));
  return highestPrecedence([...exits, ...(await reports.finish())]);
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
  const cliError = toCliError(error);
  reports.add({ type: 'failure', failure: failureOf(target, cliError), ...(cliError.plan ? { plan: cliError.plan } : {}) });
  return cliError.exit;
}

/**
 * Returns the origin of a run's reports. In the formats of CI systems `file` is relative to the root of the git work tree
 * (design section 5, JSON); outside git it is relative to the folder of upkeep.yaml.
 */
export function reportOrigin(
  { cwd, argv: [command = ''], env }: Pick<AppContext, 'cwd' | 'argv' | 'env'>,
  project: string | undefined,
): ReportOrigin {
  const pages = codeHostPages(env);
  const run = { command, version: VERSION, ...(pages ? { pages } : {}) };
  const found = findProjectFile(cwd, project === undefined ? undefined : resolve(cwd, project));
  if (found === null) return { ...run, folder: '', project: 'upkeep.yaml' };
  const folder = realpathSync(dirname(found));
  const path = relative(workTreeRoot(folder) ?? folder, folder);
  return { ...run, folder: path === '' ? '' : `${path.split(sep).join('/')}/`, project: basename(found) };
}

/** Returns the root of the work tree that contains a folder: `.git` is a folder there, or a file in linked work trees. */
function workTreeRoot(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : workTreeRoot(parent);
}
