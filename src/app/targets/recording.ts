/** Records the exchanges of a command with the service in a new file (design section 14). */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { kinds } from '../../core/kinds/index.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import { KIND_WORDS } from '../../recording/kind-words.ts';
import { createRecorder, type Recorder } from '../../recording/recorder.ts';
import { createVocabulary } from '../../recording/vocabulary.ts';
import { CliError, codeOf } from '../run/exit-codes.ts';
import { info, reportError } from '../run/messages.ts';
import type { TargetOptions } from '../run/options.ts';
import { whyNotWritable } from '../run/out-file.ts';
import type { AppContext } from '../run/runtime.ts';
import { ensureDotUpkeep } from '../run/upkeep-folder.ts';
import { VERSION } from '../run/version.ts';

/**
 * Runs the work of a command and records its exchanges, also those of work that fails. Returns the exit codes, which a recording that cannot
 * be written adds to. @throws CliError before any request where the file cannot be written
 */
export async function withRecording(
  io: AppContext,
  { record: file, out }: Pick<TargetOptions, 'out'> & { readonly record: string },
  work: (io: AppContext) => Promise<readonly ExitCode[]>,
): Promise<readonly ExitCode[]> {
  const path = resolve(io.cwd, file);
  // A report is written last, and would replace the recording.
  const isReport = out.some((report) => resolve(io.cwd, report.file) === path);
  const reason = isReport ? 'a report of --out goes there' : whyNotRecordable(io.cwd, path);
  if (reason !== null)
    throw new CliError(EXIT_CODES.invalid, 'output', `--record cannot write to ${file}: ${reason}`, 'choose another file');
  const recorder = createRecorder({
    upkeep: VERSION,
    command: io.argv[0] ?? '',
    vocabulary: createVocabulary(
      kinds.map(({ schema }) => schema),
      KIND_WORDS,
    ),
    now: io.now,
    elapsed: io.elapsed,
    redact: (text) => io.secrets.redact(text),
  });
  const exits: ExitCode[] = [];
  try {
    exits.push(...(await work({ ...io, observe: recorder.observe })));
  } finally {
    exits.push(...(await save(io, recorder, file, path)));
  }
  return exits;
}

/** Returns why a recording cannot be written to a path, a clause; null if it can. Nothing is ever replaced. */
function whyNotRecordable(cwd: string, path: string): string | null {
  return whyNotWritable(cwd, path, new Set()) ?? (existsSync(path) ? 'it exists, and a recording replaces nothing' : null);
}

/** Writes the recording for this user alone, unless a secret is left in it. Returns the exit codes of a failure, which it reports. */
async function save(io: AppContext, recorder: Recorder, file: string, path: string): Promise<readonly ExitCode[]> {
  if (recorder.count === 0) {
    info(io, `nothing was recorded in ${file}: the service was not asked`);
    return [];
  }
  const finished = recorder.finish();
  if ('left' in finished) {
    reportError(
      io,
      `the recording ${file} was not written, because it would hold ${finished.left}`,
      'this is a bug in upkeep: please report it with the command that you ran',
    );
    return [EXIT_CODES.error];
  }
  try {
    if (!existsSync(dirname(path))) ensureDotUpkeep(dirname(dirname(path)));
    await writeNew(path, finished.text);
  } catch (error) {
    reportError(io, `the recording ${file} cannot be written (${codeOf(error)})`, 'choose another file for --record');
    return [EXIT_CODES.error];
  }
  info(io, `recorded ${recorder.count} ${recorder.count === 1 ? 'exchange' : 'exchanges'} in ${file}: read it before you share it`);
  return [];
}

/** Writes a new file completely, or none. Follows no link. */
async function writeNew(path: string, text: string): Promise<void> {
  await writeFile(path, '', { flag: 'wx', mode: 0o600 });
  try {
    await writeFile(path, text, { flag: 'r+', flush: true });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
