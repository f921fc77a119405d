const report = process.env.UPKEEP_MUTATION_REPORT ?? '.stryker-tmp/report.json';

/** The mutants of one folder of src/ against its tests; `run.mjs` names the files. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  tempDirName: '.stryker-tmp/sandbox',
  ignorePatterns: ['dist', 'coverage'],
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: report },
  allowEmpty: true,
  concurrency: 1,
  timeoutMS: 10_000,
  timeoutFactor: 1.5,
  disableTypeChecks: false,
  warnings: { slow: false },
};
