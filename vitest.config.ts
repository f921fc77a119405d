import { defineConfig } from 'vitest/config';

/** Tests that replace modules, timers or built-in functions: each file has its modules to itself. */
const ISOLATED = [
  'test/app/credential-timeout.test.ts',
  'test/app/durable-files.test.ts',
  'test/app/multi-target.test.ts',
  'test/app/target-lock.test.ts',
  'test/cli/status-line.test.ts',
  'test/config/precompiled-validators.test.ts',
  'test/config/schema-errors.test.ts',
  'test/emulator/journal.test.ts',
  'test/property/planted-bugs.test.ts',
];

/** Tests of this machine: processes, a browser, a terminal, other programs, the package. */
const MACHINE = [
  'test/{package,repository,workflows,mutants}.test.ts',
  'test/bench/**',
  'test/editor/**',
  'test/examples/**',
  'test/e2e/{built,foreign-client,proxy,shells,signals,terminal,full-disk}.test.ts',
  'test/e2e/screen/**',
  'test/emulator/load.test.ts',
  'test/hostile/**',
  'test/ledger/processes.test.ts',
  'test/report/browser/**',
  'test/report/consumers.test.ts',
  'test/cli/program.test.ts',
];

/** Whole command lines on the emulator. */
const COMMAND_LINE = ['test/e2e/**', 'test/cli/**', 'test/property/**', 'test/kinds/contract.test.ts', 'test/app/**'];

const files = (globs: readonly string[]): string[] => globs.map((glob) => (glob.endsWith('/**') ? `${glob}/*.test.ts` : glob));

/** A project of test files that share their modules in each worker, unless `isolate` is true. */
function project(name: string, include: readonly string[], exclude: readonly string[], isolate: boolean) {
  const test = {
    name,
    include: files(include),
    exclude: files(exclude),
    isolate,
    pool: 'forks' as const,
    setupFiles: ['test/setup.ts'],
    testTimeout: 30_000,
  };
  return { test };
}

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/**'], [...ISOLATED, ...MACHINE, ...COMMAND_LINE], false),
      project('command-line', COMMAND_LINE, [...ISOLATED, ...MACHINE], false),
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
