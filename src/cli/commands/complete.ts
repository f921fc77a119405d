import configurationSchema from '../../../schemas/configuration.schema.json' with { type: 'json' };
import { sourceSchema } from '../../engine/desired/validate.ts';
import { fieldsOf } from '../../engine/fields.ts';
import { matchesGlob } from '../../engine/globs.ts';
import { kinds } from '../../kinds/kinds.ts';
import { formats } from '../../report/formats.ts';
import { type Candidate, listed, valueAmong, type Wanted, wantedBy } from '../completing/candidates.ts';
import { EXIT, type Exit, Stop } from '../exit.ts';
import type { CommandUnknownOpts } from '../flags.ts';
import type { Io } from '../io.ts';
import { declarationOf, openSession, type Session } from '../session.ts';

/** `complete -- WORDS`, for the scripts of `completion`: prints what the last word could be, one a line. Reads files only, and says nothing of what is wrong. */
export async function complete(io: Io, words: readonly string[], program: CommandUnknownOpts): Promise<Exit> {
  const wanted = wantedBy(program, words);
  const found = wanted.what === 'candidates' ? wanted.candidates : valuesFor(io, words, wanted);
  for (const { word, about } of found) io.stdout.write(about === undefined ? `${word}\n` : `${word}\t${about}\n`);
  return EXIT.done;
}

function valuesFor(io: Io, words: readonly string[], { name, prefix, partial }: Extract<Wanted, { what: 'value' }>): readonly Candidate[] {
  const all = VALUES[name]?.(() => sessionOf(io, words), words, partial) ?? [];
  const fitting = listed(
    all.map((word) => ({ word: prefix + word })),
    prefix + partial,
  );
  return fitting.what === 'candidates' ? fitting.candidates : [];
}

type Values = (session: () => Session | null, words: readonly string[], partial: string) => readonly string[];

/** What stands for flags and arguments whose values are no fixed list; for all others the shell offers files. */
const VALUES: { readonly [name: string]: Values } = {
  '--format': () => formats,
  '--out': () => formats.map((format) => `${format}=`),
  '--target': (session) => session()?.project.targets.map(({ name }) => name) ?? [],
  '--only': (session, words) => addressesOf(session(), words),
  addresses: (session, words) => addressesOf(session(), words),
  address: (session, words) => addressesOf(session(), words).filter((address) => address.startsWith('drm-policy/')),
  'address-or-field': (session, words, partial) => [...addressesOf(session(), words), ...nextKeys(partial)],
};

/** The project that the words mean; a configuration that cannot be used offers nothing, and whoever presses Tab is not to read of it. */
function sessionOf(io: Io, words: readonly string[]): Session | null {
  try {
    return openSession(io, { project: valueAmong(words, ['--project']) });
  } catch (error) {
    if (error instanceof Stop) return null;
    throw error;
  }
}

/** Declared addresses of the target that the words name, or of all. */
function addressesOf(session: Session | null, words: readonly string[]): readonly string[] {
  if (!session) return [];
  const glob = valueAmong(words, ['--target', '-t']) ?? '*';
  const targets = session.project.targets.filter(({ name }) => matchesGlob(glob, name));
  return [...new Set(targets.flatMap((target) => declarationOf(session, target).resources.map(({ address }) => address)))].sort();
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
