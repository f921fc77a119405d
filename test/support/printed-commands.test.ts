import { expect, test } from 'vitest';
import { shellText } from '../../src/core/model/command-line.ts';
import { commandsIn, requireTaken, wordsOf } from './printed-commands.ts';

test('commands are found between marks of code, after a colon and on lines of their own', () => {
  const text =
    "see `upkeep history`, or `x`.\nto apply this plan: upkeep apply --target 'a b' --yes\n    upkeep plan\nthis upkeep plan says";
  expect(commandsIn(text)).toEqual(['upkeep history', "upkeep apply --target 'a b' --yes", 'upkeep plan']);
});

test('commands are found in the texts of JSON, one document or one a line, as they read once it is parsed', () => {
  const command = "upkeep apply --only 'playlist/*'";
  const document = { note: `have a new plan reviewed: ${command}`, next: [{ command, say: 'apply it' }] };
  expect(commandsIn(JSON.stringify(document, null, 2))).toEqual([command, command]);
  expect(commandsIn(`${JSON.stringify(document)}\n${JSON.stringify([command])}\n`)).toEqual([command, command, command]);
});

test('words are read as they were written for a shell', () => {
  const words = ['upkeep', 'apply', '--only', "it's/*", 'a b'];
  expect(wordsOf(shellText(words))).toEqual(words);
});

test('a command that the command line does not take is refused', () => {
  expect(() => requireTaken('upkeep apply --target live --nonsense')).toThrow('not taken');
  expect(() => requireTaken('upkeep apply --allow nonsense')).toThrow();
  requireTaken("upkeep apply --target live --only 'playlist/*' --allow weakening --expect sha256:1");
});
