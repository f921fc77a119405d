import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { COMMAND_LINE, GIT, ISOLATED, MACHINE, SEPARATE_LEDGER, SLOW, UNIT } from './test/projects.mjs';
import { atMost } from './test/support/patience.ts';

const globs = (paths: readonly string[]): string[] => paths.map((path) => (path.endsWith('/') ? `${path}**/*.test.ts` : path));

/** A project of test files that share their modules in each worker, unless `isolate` is true. */
function project(
  name: string,
  include: readonly string[],
  exclude: readonly string[],
  isolate: boolean,
  env: { [name: string]: string } = {},
) {
  const test = {
    name,
    include: globs(include),
    exclude: globs(exclude),
    isolate,
    env,
    pool: 'forks' as const,
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    expect: { requireAssertions: true },
    testTimeout: atMost(120_000),
    hookTimeout: atMost(60_000),
  };
  return { test };
}

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    // Nothing of what passes.
    reporters: ['minimal'],
    // Transformed modules stay on disk, so that a worker and a run need not transform them again.
    experimental: { fsModuleCache: true },
    projects: [
      project('unit', UNIT, [], false),
      project('slow', SLOW, [], false),
      project('git', GIT, [...ISOLATED, ...MACHINE], false),
      project('command-line', COMMAND_LINE, [...ISOLATED, ...MACHINE, ...GIT], false),
      project('separate-ledger', SEPARATE_LEDGER, MACHINE, false, { UPKEEP_TEST_LEDGER: 'separate' }),
      project('isolated', ISOLATED, [], true),
      project('machine', MACHINE, [], true),
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 95 },
    },
  },
});
