import { fieldPaths } from '../../app/explain-field.ts';
import { CliError } from '../../app/run/exit-codes.ts';
import { desiredStateOf, type OpenProject, openProject } from '../../app/run/project.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import { matchesGlob } from '../../core/model/glob.ts';
import { FORMATS } from '../../report/document.ts';
import { type Candidate, type CompletionContext, completionContext, flagValueIn, matchingCandidates } from '../completion/candidates.ts';
import type { CommandUnknownOpts } from '../flags.ts';

/**
 * Runs `complete -- WORDS` for the scripts of `completion`: prints the candidates for the last word, one a line. It reads files only, and
 * reports no errors.
 */
export async function completeCommand(io: AppContext, words: readonly string[], program: CommandUnknownOpts): Promise<ExitCode> {
  const context = completionContext(program, words);
  const candidates = context.what === 'candidates' ? context.candidates : valueCandidates(io, words, context);
  for (const { word, description: about } of candidates) io.stdout.write(about === undefined ? `${word}\n` : `${word}\t${about}\n`);
  return EXIT_CODES.done;
}

/** Returns the candidates for the value of a flag or an argument. */
function valueCandidates(
  io: AppContext,
  words: readonly string[],
  { name, prefix, partial }: Extract<CompletionContext, { what: 'value' }>,
): readonly Candidate[] {
  const values = VALUES[name]?.(() => projectOf(io, words), words, partial) ?? [];
  const matching = matchingCandidates(
    values.map((word) => ({ word: prefix + word })),
    prefix + partial,
  );
  return matching.what === 'candidates' ? matching.candidates : [];
}

/** Returns the possible values; `session` opens the project, or returns null if it cannot be used. */
type Values = (session: () => OpenProject | null, words: readonly string[], partial: string) => readonly string[];

/** The values of flags and arguments that have no fixed choices; for all others the shell completes file names. */
const VALUES: { readonly [name: string]: Values } = {
  '--format': () => FORMATS,
  '--out': () => FORMATS.map((format) => `${format}=`),
  '--target': (session) => session()?.project.targets.map(({ name }) => name) ?? [],
  '--only': (session, words) => addressesOf(session(), words),
  addresses: (session, words) => addressesOf(session(), words),
  address: (session, words) => addressesOf(session(), words).filter((address) => address.startsWith('drm-policy/')),
  'address-or-entry': (session, words) => addressesOf(session(), words),
  'address-or-field': (session, words, partial) => [...addressesOf(session(), words), ...nextKeys(partial)],
};

/** Opens the project that the words name; null if it cannot be used, since completion reports no errors. */
function projectOf(io: AppContext, words: readonly string[]): OpenProject | null {
  try {
    return openProject(io, { project: flagValueIn(words, ['--project']) });
  } catch (error) {
    if (error instanceof CliError) return null;
    throw error;
  }
}

/** Returns the declared addresses of the target that the words name, or of all targets. */
function addressesOf(session: OpenProject | null, words: readonly string[]): readonly string[] {
  if (!session) return [];
  const glob = flagValueIn(words, ['--target', '-t']) ?? '*';
  const targets = session.project.targets.filter(({ name }) => matchesGlob(glob, name));
  return [...new Set(targets.flatMap((target) => desiredStateOf(session, target).resources.map(({ address }) => address)))].sort();
}

/** Returns the fields that complete a path up to its next dot, as folders are completed. */
function nextKeys(partial: string): readonly string[] {
  return fieldPaths().filter((path) => path.startsWith(partial) && !path.slice(partial.length).includes('.'));
}
