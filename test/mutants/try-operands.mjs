// Tries the mutants of one file that leave out an operand, in one run of vitest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import { operandMutants } from './operands.mjs';

/** Returns the mutants of a source file that tests noticed, by their number, and those that none noticed. */
export async function tryOperands(file) {
  const { mutants, text } = operandMutants(file, readFileSync(file, 'utf8'));
  if (mutants.length === 0) return { killed: 0, survivors: [] };
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-mutants-'));
  const reachedFile = join(folder, 'reached');
  const plugin = { name: 'mutants', enforce: 'pre', load: (id) => (id === resolve(file) ? text : undefined) };
  const options = {
    config: 'test/mutants/vitest.config.ts',
    watch: false,
    setupFiles: ['test/setup.ts', 'test/mutants/setup.ts'],
    bail: 1,
  };
  const vitest = await createVitest('test', options, { plugins: [plugin] });
  const fails = async (specifications) => {
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    return unhandledErrors.length > 0 || testModules.some((module) => !module.ok());
  };
  try {
    vitest.provide('mutant', { number: null, reached: reachedFile });
    const all = await vitest.globTestSpecifications();
    if (await fails(all)) throw new Error(`the tests of ${file} fail without a mutant`);
    const reached = readFileSync(reachedFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const survivors = [];
    for (const [number, mutant] of mutants.entries()) {
      const tests = new Set(reached.filter(([, numbers]) => numbers.includes(number)).map(([test]) => test));
      vitest.provide('mutant', { number });
      if (tests.size === 0 || !(await fails(all.filter(({ moduleId }) => tests.has(moduleId))))) survivors.push(mutant);
    }
    return { killed: mutants.length - survivors.length, survivors };
  } finally {
    await vitest.close();
    rmSync(folder, { recursive: true });
  }
}
