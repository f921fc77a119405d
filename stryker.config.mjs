const folder = process.env.UPKEEP_MUTATED_FOLDER ?? 'api-client';
const name = folder.replaceAll('/', '-');

/** One folder of src/ (for example `kinds/playlist`) against its tests; `npm run mutants` goes through all folders. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  mutate: [`src/${folder}/*.ts`],
  incremental: true,
  incrementalFile: `.stryker-tmp/${name}.json`,
  tempDirName: '.stryker-tmp/sandbox',
  ignorePatterns: ['dist', 'coverage', '.ci', '.github'],
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: `.stryker-tmp/reports/${name}.json` },
  clearTextReporter: { allowColor: false, reportTests: false },
  concurrency: 1,
  timeoutMS: 10_000,
  timeoutFactor: 1.5,
  disableTypeChecks: false,
  warnings: { slow: false },
};
