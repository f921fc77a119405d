import { kinds } from '../kinds/index.ts';
import type { Change } from '../model/change.ts';
import type { Diagram } from '../model/diagram.ts';
import { visible } from '../report/escape.ts';
import { type Document, type Options, type ReportOrigin, render } from '../report/index.ts';
import type { Event } from '../report/machine/ndjson.ts';
import { cut } from '../report/text/layout.ts';
import { CliError, codeOf, EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { createNdjsonStream } from './ndjson-stream.ts';
import type { RenderOptions, ReportOptions } from './options.ts';
import { formerReport, saveReport } from './report-file.ts';
import { reportOriginOf } from './report-origin.ts';
import type { CliContext } from './runtime.ts';

/**
 * The reports of one run. Text is written document by document, so that results appear at once, and ndjson event by event; the other
 * formats are written at the end, from all documents.
 */
export interface Reports {
  /** Adds a document to the reports. A failure is also written to stderr as text, whatever the format. */
  add(document: Document, look?: RenderOptions): void;
  /** Writes events at once if the format of stdout is a stream; the document that contains them later does not repeat them there. */
  emit(events: readonly Event[]): void;
  /** Writes a document as text without adding it to the reports: to stdout if text is its format, else to stderr. */
  show(document: Document, look?: RenderOptions): void;
  /** Protects configuration files from being overwritten by a report. `files` are absolute paths without links; the set may still grow. */
  protectFiles(files: ReadonlySet<string>): void;
  /** Writes the pending documents and the files of `--out`. Returns the exit codes of failed writes. */
  finish(): Promise<readonly ExitCode[]>;
}

/** Creates the reports of a run. Secrets in the documents are redacted in every format. */
export function createReports(io: CliContext, options: ReportOptions & { readonly project?: string | undefined }): Reports {
  const origin = reportOriginOf(io, options.project);
  const documents: Document[] = [];
  const looks: RenderOptions[] = [];
  const asText = options.format === 'text';
  let shown = false;
  const configuration: ReadonlySet<string>[] = [];
  const write = (stream: 'stdout' | 'stderr', document: Document, look: RenderOptions): void => {
    io[stream].write((shown ? '\n' : '') + render([io.secrets.hiddenIn(document)], 'text', lookOf(io, options, look, stream, origin)));
    shown = true;
  };
  const stream = options.format === 'ndjson' ? createNdjsonStream(io) : null;
  return {
    emit(events) {
      stream?.emit(events);
    },
    show(document, look = {}) {
      write(asText ? 'stdout' : 'stderr', document, look);
    },
    add(document, look = {}) {
      documents.push(document);
      looks.push(look);
      if (document.type === 'failure') write('stderr', document, look);
      else if (asText) write('stdout', document, look);
      stream?.complete(document);
    },
    protectFiles(files) {
      configuration.push(files);
    },
    async finish() {
      // All documents are written already: skip the redaction pass.
      if ((asText || stream) && options.out.length === 0) return [];
      const protectedFiles = new Set(configuration.flatMap((files) => [...files]));
      const look = lookOf(io, options, mergeOptions(looks), null, origin);
      const redacted = io.secrets.hiddenIn(documents);
      if (!asText && !stream) io.stdout.write(render(redacted, options.format, look));
      const saved: (readonly ExitCode[])[] = [];
      for (const { format, file } of options.out) {
        const previousReport = format === 'prometheus' ? formerReport(io.cwd, file) : null;
        saved.push(await save(io, file, render(redacted, format, { ...look, previousReport }), protectedFiles));
      }
      return saved.flat();
    },
  };
}

/** Returns the render options for a stream; null is a file. */
function lookOf(
  io: CliContext,
  options: Pick<ReportOptions, 'color'>,
  look: RenderOptions,
  stream: 'stdout' | 'stderr' | null,
  origin: ReportOrigin,
): Options {
  const terminal = stream !== null && io.terminal[stream];
  const color = stream !== null && isColored(io, options.color, terminal);
  const { requests = false, why = false, unmanaged = null } = look;
  const width = terminal ? io.terminal.columns : 100;
  return { color, width, requests, why, unmanaged: io.secrets.hiddenIn(unmanaged), origin, diagramOf, previousReport: null };
}

/** Returns the diagram of a change, as its kind describes it; null if the kind is unknown, as in a file, or has no diagram. */
export function diagramOf(change: Change): Diagram | null {
  return kinds.find(({ name }) => name === change.kind)?.diagram?.(change) ?? null;
}

/** Decides whether output is colored. Precedence: `--no-color`, NO_COLOR, FORCE_COLOR, the terminal. */
function isColored({ env }: CliContext, color: boolean, terminal: boolean): boolean {
  if (!color || (env.NO_COLOR ?? '') !== '') return false;
  const forced = env.FORCE_COLOR ?? '';
  return forced === '' ? terminal && env.TERM !== 'dumb' : !['0', 'false'].includes(forced);
}

function mergeOptions(looks: readonly RenderOptions[]): RenderOptions {
  const unmanaged = looks.flatMap((look) => (look.unmanaged ? [look.unmanaged] : []));
  const some = (flag: 'requests' | 'why') => looks.some((look) => look[flag]);
  return { requests: some('requests'), why: some('why'), unmanaged: unmanaged.length > 0 ? unmanaged.flat() : null };
}

/** Writes one report file. A failure is reported as an error of its own and does not stop the other reports. Returns its exit code. */
async function save(io: CliContext, file: string, text: string, protectedFiles: ReadonlySet<string>): Promise<readonly ExitCode[]> {
  try {
    await saveReport(io.cwd, file, text, protectedFiles);
    return [];
  } catch (error) {
    if (error instanceof CliError) reportError(io, error.message, error.hint);
    else reportError(io, `the report ${file} cannot be written (${codeOf(error)})`, 'choose another file for --out; its folder must exist');
    return [EXIT_CODES.error];
  }
}

/** Writes an error and its hint to stderr. */
export function reportError(io: CliContext, summary: string, hint: string): void {
  writeMessage(io, 'error', summary, hint);
}

/** Writes a warning and its hint to stderr. */
export function warn(io: CliContext, summary: string, hint: string): void {
  writeMessage(io, 'warning', summary, hint);
}

/** Writes a note to stderr. */
export function info(io: CliContext, summary: string): void {
  writeMessage(io, 'note', summary, '');
}

function writeMessage(io: CliContext, what: 'error' | 'warning' | 'note', summary: string, hint: string): void {
  const toLine = (text: string): string => cut(visible(text), LONGEST_SENTENCE);
  io.stderr.write(`${what}: ${toLine(summary)}\n${hint === '' ? '' : `  hint: ${toLine(hint)}\n`}`);
}

/** Maximum length of a message, characters: foreign text may be arbitrarily long. */
const LONGEST_SENTENCE = 4_000;

/** Clauses of one sentence that are shown. */
const MOST_CLAUSES = 5;

/** Joins the first clauses of a list, and the number of the remaining ones. */
export function listed(clauses: readonly string[]): string {
  const more = clauses.length - MOST_CLAUSES;
  return [...clauses.slice(0, MOST_CLAUSES), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
