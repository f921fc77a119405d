import { visible } from '../report/escape.ts';
import { type Document, type Options, render, type Site } from '../report/index.ts';
import type { Event } from '../report/machine/ndjson.ts';
import { cut } from '../report/text/layout.ts';
import { CliError, codeOf, EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { createNdjsonStream } from './ndjson-stream.ts';
import type { RenderOptions, ReportOptions } from './options.ts';
import { formerReport, saveReport } from './report-file.ts';
import { reportOriginOf } from './report-origin.ts';
import type { CliContext } from './runtime.ts';

/**
 * The reports of one run. Text goes out document by document, so that what was done is said at once, and ndjson event by event; the other
 * formats need them all.
 */
export interface Reports {
  /** Takes a document into the reports. A failure is said on stderr in words, whatever the format. */
  add(document: Document, look?: RenderOptions): void;
  /** Says what happens as it happens, where the format of stdout is a stream; the document that says it later does not repeat it there. */
  emit(events: readonly Event[]): void;
  /** Shows a document as text without taking it into the reports: on stdout where text is its format, else on stderr. */
  show(document: Document, look?: RenderOptions): void;
  /** Keeps files of the configuration from being overwritten by a report: absolute paths behind all links, which may become more. */
  protectFiles(files: ReadonlySet<string>): void;
  /** Writes what waited, and the files of `--out`; gives what that means for the exit code. */
  finish(): Promise<readonly ExitCode[]>;
}

/** Opens the reports of a run. Whatever their documents repeat of the secrets is hidden, in every format alike. */
export function createReports(io: CliContext, options: ReportOptions & { readonly project?: string | undefined }): Reports {
  const site = reportOriginOf(io, options.project);
  const documents: Document[] = [];
  const looks: RenderOptions[] = [];
  const asText = options.format === 'text';
  let shown = false;
  const configuration: ReadonlySet<string>[] = [];
  const write = (stream: 'stdout' | 'stderr', document: Document, look: RenderOptions): void => {
    io[stream].write((shown ? '\n' : '') + render([io.secrets.hiddenIn(document)], 'text', lookOf(io, options, look, stream, site)));
    shown = true;
  };
  const stream = options.format === 'ndjson' ? createNdjsonStream(io) : null;
  return {
    emit(events) {
      stream?.tell(events);
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
      // What was shown document by document is not read through once more for nothing.
      if ((asText || stream) && options.out.length === 0) return [];
      const spared = new Set(configuration.flatMap((files) => [...files]));
      const look = lookOf(io, options, united(looks), null, site);
      const discreet = io.secrets.hiddenIn(documents);
      if (!asText && !stream) io.stdout.write(render(discreet, options.format, look));
      const saved: (readonly ExitCode[])[] = [];
      for (const { format, file } of options.out) {
        const earlier = format === 'prometheus' ? formerReport(io.cwd, file) : null;
        saved.push(await save(io, file, render(discreet, format, { ...look, earlier }), spared));
      }
      return saved.flat();
    },
  };
}

/** How text is to look on a stream; null is a file. */
function lookOf(
  io: CliContext,
  options: Pick<ReportOptions, 'color'>,
  look: RenderOptions,
  stream: 'stdout' | 'stderr' | null,
  site: Site,
): Options {
  const terminal = stream !== null && io.terminal[stream];
  const colour = stream !== null && isColoured(io, options.color, terminal);
  const { requests = false, why = false, unmanaged = null } = look;
  const width = terminal ? io.terminal.columns : 100;
  return { colour, width, requests, why, unmanaged: io.secrets.hiddenIn(unmanaged), site, earlier: null };
}

/** Whether what is printed is coloured: `--no-color` has the last word, then NO_COLOR, then FORCE_COLOR, then the terminal. */
function isColoured({ env }: CliContext, color: boolean, terminal: boolean): boolean {
  if (!color || (env.NO_COLOR ?? '') !== '') return false;
  const forced = env.FORCE_COLOR ?? '';
  return forced === '' ? terminal && env.TERM !== 'dumb' : !['0', 'false'].includes(forced);
}

function united(looks: readonly RenderOptions[]): RenderOptions {
  const unmanaged = looks.flatMap((look) => (look.unmanaged ? [look.unmanaged] : []));
  const some = (flag: 'requests' | 'why') => looks.some((look) => look[flag]);
  return { requests: some('requests'), why: some('why'), unmanaged: unmanaged.length > 0 ? unmanaged.flat() : null };
}

/** A report that cannot be written is an error of its own: it hides neither what the run did nor the other reports. */
async function save(io: CliContext, file: string, text: string, spared: ReadonlySet<string>): Promise<readonly ExitCode[]> {
  try {
    await saveReport(io.cwd, file, text, spared);
    return [];
  } catch (error) {
    if (error instanceof CliError) reportError(io, error.message, error.hint);
    else reportError(io, `the report ${file} cannot be written (${codeOf(error)})`, 'choose another file for --out; its folder must exist');
    return [EXIT_CODES.error];
  }
}

/** Says a fault on stderr in a line or two. */
export function reportError(io: CliContext, summary: string, hint: string): void {
  say(io, 'error', summary, hint);
}

/** Says a doubt on stderr in a line or two. */
export function warn(io: CliContext, summary: string, hint: string): void {
  say(io, 'warning', summary, hint);
}

/** Says something worth knowing on stderr. */
export function info(io: CliContext, summary: string): void {
  say(io, 'note', summary, '');
}

function say(io: CliContext, what: 'error' | 'warning' | 'note', summary: string, hint: string): void {
  const shown = (text: string): string => cut(visible(text), LONGEST_SENTENCE);
  io.stderr.write(`${what}: ${shown(summary)}\n${hint === '' ? '' : `  hint: ${shown(hint)}\n`}`);
}

/** Characters of a sentence that are shown: what others wrote may be endless. */
const LONGEST_SENTENCE = 4_000;

/** Clauses of one sentence that are told. */
const MOST_CLAUSES = 5;

/** Of many clauses the first, so that the sentence can be read. */
export function listed(clauses: readonly string[]): string {
  const more = clauses.length - MOST_CLAUSES;
  return [...clauses.slice(0, MOST_CLAUSES), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
