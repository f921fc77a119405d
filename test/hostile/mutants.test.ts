/**
 * Hostile input in process: mutants of everything that upkeep reads, fed to it in child processes.
 * A mutant that fails is fed again by `UPKEEP_SEED=<seed> UPKEEP_PATH=<number> npx vitest run test/hostile/mutants.test.ts`.
 */
import { expect, test } from 'vitest';
import { record, rounds } from '../support/figures.ts';
import { atMost } from '../support/patience.ts';
import { replayPath, runNumbers, seed } from '../support/property.ts';
import { feedAll } from './workers.ts';

const MUTANTS = rounds(300, 100_000);

test(`${MUTANTS} mutants of upkeep's inputs cause no crash, hang, stack trace or write`, {
  timeout: atMost(MUTANTS * 2_000),
}, async () => {
  const numbers = runNumbers(MUTANTS);
  const tally = await feedAll(seed, numbers);
  const { deaths, hangs, violations } = tally;
  const proof = 'hostile input';
  record({ proof, name: 'mutants in process', value: tally.mutants, wanted: `at least ${MUTANTS}`, holds: tally.mutants >= MUTANTS });
  record({ proof, name: 'crashes', value: deaths.length, wanted: 'none', holds: deaths.length === 0 });
  record({ proof, name: 'hangs', value: hangs.length, wanted: 'none', holds: hangs.length === 0 });
  record({
    proof,
    name: 'stack traces, writes and other violations',
    value: violations.length,
    wanted: 'none',
    holds: violations.length === 0,
  });
  record({ proof, name: 'slowest mutant, ms', value: tally.slowestMs, wanted: 'below 60,000', holds: tally.slowestMs < 60_000 });
  record({ proof, name: 'memory of the worker, MiB', value: tally.memoryMib, wanted: 'below 1,024', holds: tally.memoryMib < 1_024 });
  expect({ deaths, hangs, violations }).toEqual({ deaths: [], hangs: [], violations: [] });
  expect(tally.mutants).toBe(numbers.length);
  expect(tally.memoryMib).toBeLessThan(1_024);
  if (replayPath === undefined) expect(Object.keys(tally.surfaces)).toHaveLength(12);
});
