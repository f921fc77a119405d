import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification, type Vitest } from 'vitest/node';
import { testsOf } from './scope.mjs';

const folder = process.env.UPKEEP_MUTATED_FOLDER ?? 'api-client';

/** Reports test files that a mutant keeps from loading: without a failed test in them, stryker would take the mutant for a survivor. */
function unloadable(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit(running) {
      vitest = running;
    },
    onTestModuleEnd(module) {
      for (const error of module.errors()) vitest?.state.catchError(error, 'Unloadable');
    },
  };
}

/** The first failure ends the trial of a mutant: what failed last goes first, then what takes the least time. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = ({ project, moduleId }: TestSpecification) => {
      const last = this.ctx.cache.getFileTestResults(`${project.name}:${relative(this.ctx.config.root, moduleId)}`);
      return last?.failed ? -1 : (last?.duration ?? 0);
    };
    return files.toSorted((a, b) => cost(a) - cost(b));
  }
}

/**
 * What kills the mutants of a folder of src/ (`UPKEEP_MUTATED_FOLDER`): its tests, with the fixed seed and fewer examples, since a survivor
 * costs all tests that reach it. A test that a mutant keeps waiting fails soon: no test takes a second without one.
 */
export default defineConfig({
  test: {
    include: testsOf(folder),
    env: { UPKEEP_RUNS: '30' },
    setupFiles: ['test/setup.ts'],
    expect: { requireAssertions: true },
    reporters: [unloadable()],
    sequence: { sequencer: QuickestFirst },
    testTimeout: 10_000,
    isolate: false,
  },
});
