const room = process.env.UPKEEP_ROOM ?? 'api-client';

/** One room of src/ (`UPKEEP_ROOM`, for example `kinds/playlist`) against the tests that mirror it; `npm run mutants` goes through all rooms. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  mutate: [`src/${room}/*.ts`],
  incremental: true,
  incrementalFile: `.stryker-tmp/${room.replaceAll('/', '-')}.json`,
  tempDirName: '.stryker-tmp/sandbox',
  ignorePatterns: ['dist', 'coverage', '.ci', '.github'],
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: `.stryker-tmp/reports/${room.replaceAll('/', '-')}.json` },
  clearTextReporter: { allowColor: false, reportTests: false },
  concurrency: 1,
  timeoutMS: 20_000,
  timeoutFactor: 2,
  disableTypeChecks: false,
  warnings: { slow: false },
};
