import configurationSchema from '../../../schemas/configuration.schema.json' with { type: 'json' };
import { CliError, EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { desiredStateOf, type OpenProject, openProject } from '../../app/project.ts';
import type { CliContext } from '../../app/runtime.ts';
import { sourceSchema } from '../../config/validate.ts';
import { fieldsOf } from '../../explain/field-docs.ts';
import { kinds } from '../../kinds/index.ts';
import { matchesGlob } from '../../model/glob.ts';
import { FORMATS } from '../../report/document.ts';
import { type Candidate, type CompletionContext, candidateLines, completionContextOf, valueAmong } from '../completion/candidates.ts';
import type { CommandUnknownOpts } from '../flags.ts';

/** `complete -- WORDS`, for the scripts of `completion`: prints what the last word could be, one a line. Reads files only, and says nothing of what is wrong. */
export async function complete(io: CliContext, words: readonly string[], program: CommandUnknownOpts): Promise<ExitCode> {
  const wanted = completionContextOf(program, words);
  const found = wanted.what === 'candidates' ? wanted.candidates : valuesFor(io, words, wanted);
  for (const { word, about } of found) io.stdout.write(about === undefined ? `${word}\n` : `${word}\t${about}\n`);
  return EXIT_CODES.done;
}

function valuesFor(
  io: CliContext,
  words: readonly string[],
  { name, prefix, partial }: Extract<CompletionContext, { what: 'value' }>,
): readonly Candidate[] {
  const all = VALUES[name]?.(() => sessionOf(io, words), words, partial) ?? [];
  const fitting = candidateLines(
    all.map((word) => ({ word: prefix + word })),
    prefix + partial,
  );
  return fitting.what === 'candidates' ? fitting.candidates : [];
}

type Values = (session: () => OpenProject | null, words: readonly string[], partial: string) => readonly string[];

/** What stands for flags and arguments whose values are no fixed list; for all others the shell offers files. */
const VALUES: { readonly [name: string]: Values } = {
  '--format': () => FORMATS,
  '--out': () => FORMATS.map((format) => `${format}=`),
  '--target': (session) => session()?.project.targets.map(({ name }) => name) ?? [],
  '--only': (session, words) => addressesOf(session(), words),
  addresses: (session, words) => addressesOf(session(), words),
  address: (session, words) => addressesOf(session(), words).filter((address) => address.startsWith('drm-policy/')),
  'address-or-field': (session, words, partial) => [...addressesOf(session(), words), ...nextKeys(partial)],
};

/** The project that the words mean; a configuration that cannot be used offers nothing, and whoever presses Tab is not to read of it. */
function sessionOf(io: CliContext, words: readonly string[]): OpenProject | null {
  try {
    return openProject(io, { project: valueAmong(words, ['--project']) });
  } catch (error) {
    if (error instanceof CliError) return null;
    throw error;
  }
}

/** Declared addresses of the target that the words name, or of all. */
function addressesOf(session: OpenProject | null, words: readonly string[]): readonly string[] {
  if (!session) return [];
  const glob = valueAmong(words, ['--target', '-t']) ?? '*';
  const targets = session.project.targets.filter(({ name }) => matchesGlob(glob, name));
  return [...new Set(targets.flatMap((target) => desiredStateOf(session, target).resources.map(({ address }) => address)))].sort();
}

/** Fields as far as the next dot, as folders are completed. */
function nextKeys(partial: string): readonly string[] {
  const files = [
    { file: 'upkeep.yaml', schema: configurationSchema } as const,
    { file: 'source file', schema: sourceSchema(kinds) } as const,
  ];
  const paths = files.flatMap((file) => [...fieldsOf(file).keys()]);
  return paths.filter((path) => path.startsWith(partial) && !path.slice(partial.length).includes('.'));
}
