import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertAsyncProperty, assertProperty, replayLine, seed } from './property.ts';

const isSmall = (number: number): boolean => number < 1000;

test('a failed property names the counterexample, and the command that repeats it', async () => {
  const command =
    /Counterexample: \[1000\][\s\S]*Repeat with: (?:UPKEEP_PROVE=1 )?UPKEEP_SEED=7 UPKEEP_PATH=[\d:]+ npx vitest run test\/support\/property\.test\.ts -t '/;
  expect(() => assertProperty(fc.property(fc.nat(), isSmall), { seed: 7 })).toThrow(command);
  await expect(
    assertAsyncProperty(
      fc.asyncProperty(fc.nat(), async (number) => isSmall(number)),
      { seed: 7 },
    ),
  ).rejects.toThrow(command);
});

test("the command that repeats a test (its title isn't a pattern [*]) is one that a shell can read", () => {
  const title = /-t (.*)$/.exec(replayLine(seed))?.[1];
  expect(execFileSync('/bin/sh', ['-c', `printf %s ${title}`]).toString()).toBe(
    "the command that repeats a test \\(its title isn't a pattern \\[\\*\\]\\) is one that a shell can read",
  );
});
