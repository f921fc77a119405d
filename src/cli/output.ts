import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { visible } from '../report/escape.ts';
import { type Document, type Options, render } from '../report/index.ts';
import { EXIT, Stop } from './exit.ts';
import type { Io } from './io.ts';
import type { ReportOptions } from './options.ts';

/** What a command may add to how its reports look. */
export type Look = Partial<Pick<Options, 'requests' | 'unmanaged'>>;

/** Writes the documents to stdout in the chosen format, and to the files of `--out`. A failure in text goes to stderr, where it is also said in words for other formats. */
export async function emit(io: Io, options: ReportOptions, documents: readonly Document[], look: Look = {}): Promise<void> {
  const failures = documents.filter((document) => document.type === 'failure');
  if (failures.length > 0) io.stderr.write(render(failures, 'text', lookOf(io, options, look, io.terminal.stderr)));
  const shown = options.format === 'text' ? documents.filter((document) => document.type !== 'failure') : documents;
  if (shown.length > 0) io.stdout.write(render(shown, options.format, lookOf(io, options, look, io.terminal.stdout)));
  for (const { format, file } of options.out) await save(io, file, render(documents, format, lookOf(io, options, look, false)));
}

/** How text is to look on one stream. */
export function lookOf(io: Io, options: Pick<ReportOptions, 'color'>, look: Look, terminal: boolean): Options {
  const colour = terminal && options.color && (io.env.NO_COLOR ?? '') === '';
  return { colour, width: terminal ? io.terminal.columns : 100, requests: look.requests ?? false, unmanaged: look.unmanaged ?? null };
}

/** Says a fault on stderr in a line or two. */
export function complain(io: Io, summary: string, hint: string): void {
  io.stderr.write(`error: ${visible(summary)}\n${hint === '' ? '' : `  ${visible(hint)}\n`}`);
}

/** Says something worth knowing on stderr. */
export function remark(io: Io, text: string): void {
  io.stderr.write(`note: ${visible(text)}\n`);
}

async function save(io: Io, file: string, text: string): Promise<void> {
  try {
    await writeFile(resolve(io.cwd, file), text);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
    throw new Stop(EXIT.error, 'output', `cannot write ${file} (${why})`, 'choose another file for --out');
  }
}
