/** The commands that reports, notes and hints print: each can be pasted as it stands, so that the command line takes it. */
import { CommanderError, commandLine } from '../../src/cli/command-line.ts';
import { COMMANDS } from '../../src/cli/commands.ts';

/** Between marks of code, after a colon, or on a line of its own, where what it does may follow in another column. */
const PRINTED = new RegExp(
  `(?:\`|: |^ +)(upkeep (?:${Object.keys(COMMANDS).join('|')})(?:(?! {2}| \\|)[^\`\\n])*)(?:\`| {2}| \\||$)`,
  'gm',
);

/** Returns the commands that a run prints as text, whose quotes HTML writes as entities, or in a text of a document that it prints as JSON. */
export function commandsIn(printed: string): readonly string[] {
  const documents = documentsIn(printed);
  const texts =
    documents === null ? [printed.replaceAll('&#39;', "'")] : textsIn(documents).map((text) => text.replace(/^upkeep /, ': $&'));
  return texts.flatMap((text) => [...text.matchAll(PRINTED)].flatMap(([, command]) => command ?? []));
}

/** Returns the JSON documents of a run, one or one a line; null where it prints something else. */
function documentsIn(printed: string): readonly unknown[] | null {
  const lines = printed.trim().split('\n');
  return parsed([printed]) ?? parsed(lines);
}

function parsed(texts: readonly string[]): readonly unknown[] | null {
  try {
    return texts.map((text): unknown => JSON.parse(text));
  } catch {
    return null;
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns the words of a command as a shell reads them that was written for one: plain words, and words in single quotes. */
export function wordsOf(command: string): readonly string[] {
  const words = command.match(/(?:'[^']*'|\\'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|\\(')/g, (_all, quoted: string | undefined) => quoted ?? "'"));
}

const taken = new Set<string>();

/** Throws where the command line does not take a printed command. It is not run. */
export function requireTaken(command: string): void {
  if (taken.has(command)) return;
  const [, ...argv] = wordsOf(command);
  let isChosen = false;
  const program = commandLine('0.0.0', () => {
    isChosen = true;
  });
  for (const each of [program, ...program.commands]) {
    each.exitOverride((error) => {
      throw error;
    });
    each.configureOutput({ writeOut: () => undefined, writeErr: () => undefined, outputError: () => undefined });
  }
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    if (!isHelp) throw new Error(`a printed command is not taken: ${command}`, { cause: error });
    isChosen = true;
  }
  if (!isChosen) throw new Error(`a printed command does nothing: ${command}`);
  taken.add(command);
}
