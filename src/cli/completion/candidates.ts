/** What could stand at the end of a command line, by the command tree itself. */
import type { CommandUnknownOpts as Command } from '../flags.ts';

/** A word that fits, and what it is. */
export interface Candidate {
  readonly word: string;
  readonly about?: string;
}

/** A flag and a positional argument, as far as they are read here. */
type Flag = Command['options'][number];

/** What is being completed: a command, a flag, or the value of a flag or an argument. */
export type CompletionContext =
  | { readonly what: 'candidates'; readonly candidates: readonly Candidate[] }
  /** `name` is the flag's long form, or the argument's name; `prefix` stands before the value in the same word. */
  | { readonly what: 'value'; readonly name: string; readonly prefix: string; readonly partial: string };

/** What the last of the words, which may be empty, is to be. */
export function completionContextOf(program: Command, typed: readonly string[]): CompletionContext {
  const words = withoutBreaks(typed);
  const partial = words.at(-1) ?? '';
  const command = program.commands.find((each) => each.name() === words[0]);
  if (words.length <= 1) return candidateLines([...commandsOf(program), ...flagsOf(program)], partial);
  return command ? wantedBehind(command, words.slice(1), partial) : candidateLines([], partial);
}

/** The same behind the name of a command, or of one below it. */
function wantedBehind(command: Command, words: readonly string[], partial: string): CompletionContext {
  const below = command.commands.find((each) => each.name() === words[0]);
  if (below && words.length > 1) return wantedBehind(below, words.slice(1), partial);
  const flag = flagNamed(command, words.at(-2) ?? '');
  if (flag?.required) return valueWanted(flag, '', partial);
  if (!partial.startsWith('-')) return argumentOf(command, words, partial);
  const [name = '', value] = split(partial);
  const assigned = value === undefined ? undefined : flagNamed(command, name);
  return assigned?.required ? valueWanted(assigned, `${name}=`, value ?? '') : candidateLines(flagsOf(command), partial);
}

/** The value that a flag has among the words, in either form; undefined where it has none. */
export function valueAmong(typed: readonly string[], names: readonly string[]): string | undefined {
  const words = withoutBreaks(typed).slice(0, -1);
  const found = words.flatMap((word, index) => {
    const [name = '', value] = split(word);
    return names.includes(name) ? [value ?? words[index + 1]] : [];
  });
  return found.at(-1);
}

/** Words of which the last begins like the one that is typed. */
export function candidateLines(candidates: readonly Candidate[], partial: string): CompletionContext {
  return { what: 'candidates', candidates: candidates.filter(({ word }) => word.startsWith(partial)) };
}

/** Bash gives `--flag=value` as three words. */
function withoutBreaks(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    if (word === '=') return index === words.length - 1 ? [''] : [];
    return [word];
  });
}

function split(word: string): readonly [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 || !word.startsWith('--') ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function flagNamed(command: Command, name: string): Flag | undefined {
  return command.options.find((flag) => flag.long === name || flag.short === name);
}

function commandsOf(program: Command): readonly Candidate[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .map((each) => ({ word: each.name(), about: each.description() }));
}

function flagsOf(command: Command): readonly Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((flag) => ({ word: flag.long ?? flag.flags, about: flag.description }));
}

function valueWanted(flag: Flag, prefix: string, partial: string): CompletionContext {
  if (!flag.argChoices) return { what: 'value', name: flag.long ?? '', prefix, partial };
  return candidateLines(
    flag.argChoices.map((choice) => ({ word: prefix + choice })),
    prefix + partial,
  );
}

/** The positional argument that comes next: words that are neither flags nor their values count. */
function argumentOf(command: Command, words: readonly string[], partial: string): CompletionContext {
  const isValue = (index: number) => flagNamed(command, words[index - 1] ?? '')?.required === true;
  const before = words.slice(0, -1).filter((word, index) => !word.startsWith('-') && !isValue(index));
  const rest = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[before.length] ?? (rest?.variadic ? rest : undefined);
  if (!argument) return candidateLines(before.length === 0 ? commandsOf(command) : [], partial);
  if (!argument.argChoices) return { what: 'value', name: argument.name(), prefix: '', partial };
  return candidateLines(
    argument.argChoices.map((word) => ({ word })),
    partial,
  );
}
