/** What the documentation names exists: the commands and flags of the lines to type, and the files of the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wholeCommandLine } from '../../src/cli/command-line.ts';

const top = new URL('../../', import.meta.url);
const pages = ['README.md', '.github/CONTRIBUTING.md', ...readdirSync(new URL('docs/', top)).map((name) => `docs/${name}`)];
const read = (page: string): string => readFileSync(new URL(page, top), 'utf8');

const { commands } = wholeCommandLine('0.0.0');

/** The calls of upkeep in the inline code and in the shell blocks of a page. */
function callsIn(page: string): readonly string[] {
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) =>
    script.replace(/\\\n/g, ' ').replace(/\$\([^)]*\)/g, '...'),
  );
  const lines = blocks.flatMap((script) => script.split(/\n|&&|\|\||[|;]/)).map((line) => line.replace(/ #.*/, '').trim());
  const inline = [...page.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...lines, ...inline].filter((line) => /^upkeep [a-z]/.test(line));
}

/** Returns what a call names that the command line does not have: its command, or flags of it. */
function unknownIn(call: string): readonly string[] {
  const [, name = '', second = '', ...rest] = call.split(/\s+/);
  const command = commands.find((each) => each.name() === name);
  if (command === undefined) return [name];
  const sub = command.commands.find((each) => each.name() === second);
  const known = new Set([command, ...(sub ? [sub] : [])].flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])));
  const flags = [second, ...rest].map((word) => word.replace(/=.*/, '')).filter((word) => /^--?[a-z]/.test(word));
  return flags.filter((flag) => flag !== '--help' && !known.has(flag));
}

/** Returns the paths of the repository that the inline code of a page names and that do not exist. */
function missingFiles(page: string): readonly string[] {
  const named = [...page.matchAll(/`((?:\.ci|\.github|docs|examples|schemas|src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  return named.filter((path) => !existsSync(new URL(path, top)));
}

describe.each(pages)('%s', (page) => {
  test('calls commands that exist, each with flags that it has', () => {
    expect(callsIn(read(page)).flatMap((call) => unknownIn(call).map((name) => `${name} in: ${call}`))).toEqual([]);
  });

  test('names files that exist', () => {
    expect(missingFiles(read(page))).toEqual([]);
  });
});

test('more than a hundred calls of upkeep are checked', () => {
  expect(pages.flatMap((page) => callsIn(read(page))).length).toBeGreaterThan(100);
});

describe('a page would not be true', () => {
  test.each([
    ['with a command that does not exist', '```sh\nnpm ci && upkeep reconcile\n```', ['reconcile']],
    ['with a flag of another command', '```sh\nupkeep validate \\\n  --allow deletes\n```', ['--allow']],
    ['with an unknown flag in a sentence', 'Run `upkeep drift accept kids --everything`.', ['--everything']],
  ])('%s', (_name, page, unknown) => {
    expect(callsIn(page).flatMap(unknownIn)).toEqual(unknown);
  });

  test('with a file that is gone', () => {
    expect(missingFiles('See `src/core/teletext.ts` and `src/core/model/`.')).toEqual(['src/core/teletext.ts']);
  });
});
