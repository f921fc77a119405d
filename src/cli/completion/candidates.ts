/** Computes completion candidates for a command line from the command tree. */
import type { CommandUnknownOpts as Command } from '../flags.ts';

/** A completion candidate and its description. */
export interface Candidate {
  readonly word: string;
  readonly description?: string;
}

/** A flag of a command. */
type Flag = Command['options'][number];

/** The completion result: candidates, or the flag or argument whose value is completed. */
export type CompletionContext =
  | { readonly what: 'candidates'; readonly candidates: readonly Candidate[] }
  /** `name` is the flag's long form, or the argument's name; `prefix` stands before the value in the same word. */
  | { readonly what: 'value'; readonly name: string; readonly prefix: string; readonly partial: string };

/** Returns the completion context of the last word, which may be empty. */
export function completionContext(program: Command, typed: readonly string[]): CompletionContext {
  const words = joinEqualsWords(typed);
  const partial = words.at(-1) ?? '';
  const command = program.commands.find((each) => each.name() === words[0]);
  if (words.length <= 1) return matchingCandidates([...commandsOf(program), ...flagsOf(program)], partial);
  return command ? contextAfterCommand(command, words.slice(1), partial) : matchingCandidates([], partial);
}

/** Returns the completion context of the words after a command or subcommand. */
function contextAfterCommand(command: Command, words: readonly string[], partial: string): CompletionContext {
  const below = command.commands.find((each) => each.name() === words[0]);
  if (below && words.length > 1) return contextAfterCommand(below, words.slice(1), partial);
  const flag = flagNamed(command, words.at(-2) ?? '');
  if (flag?.required) return valueContext(flag, '', partial);
  if (!partial.startsWith('-')) return argumentOf(command, words, partial);
  const [name = '', value] = split(partial);
  const assigned = value === undefined ? undefined : flagNamed(command, name);
  return assigned?.required ? valueContext(assigned, `${name}=`, value ?? '') : matchingCandidates(flagsOf(command), partial);
}

/** Returns the value of a flag among the words (`--flag value` or `--flag=value`); undefined if it has none. */
export function flagValueIn(typed: readonly string[], names: readonly string[]): string | undefined {
  const words = joinEqualsWords(typed).slice(0, -1);
  const found = words.flatMap((word, index) => {
    const [name = '', value] = split(word);
    return names.includes(name) ? [value ?? words[index + 1]] : [];
  });
  return found.at(-1);
}

/** Returns the candidates that begin with the typed prefix. */
export function matchingCandidates(candidates: readonly Candidate[], partial: string): CompletionContext {
  return { what: 'candidates', candidates: candidates.filter(({ word }) => word.startsWith(partial)) };
}

/** Drops words that are only `=`: bash splits `--flag=value` into three words. */
function joinEqualsWords(words: readonly string[]): readonly string[] {
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

function valueContext(flag: Flag, prefix: string, partial: string): CompletionContext {
  if (!flag.argChoices) return { what: 'value', name: flag.long ?? '', prefix, partial };
  return matchingCandidates(
    flag.argChoices.map((choice) => ({ word: prefix + choice })),
    prefix + partial,
  );
}

/** Returns the completion context of the next positional argument; flags and their values are not counted. */
function argumentOf(command: Command, words: readonly string[], partial: string): CompletionContext {
  const isValue = (index: number) => flagNamed(command, words[index - 1] ?? '')?.required === true;
  const before = words.slice(0, -1).filter((word, index) => !word.startsWith('-') && !isValue(index));
  const rest = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[before.length] ?? (rest?.variadic ? rest : undefined);
  if (!argument) return matchingCandidates(before.length === 0 ? commandsOf(command) : [], partial);
  if (!argument.argChoices) return { what: 'value', name: argument.name(), prefix: '', partial };
  return matchingCandidates(
    argument.argChoices.map((word) => ({ word })),
    partial,
  );
}
