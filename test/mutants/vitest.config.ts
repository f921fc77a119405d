import { defineConfig } from 'vitest/config';
import type { Reporter, Vitest } from 'vitest/node';

const room = process.env.UPKEEP_ROOM ?? 'service';

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

/** What kills the mutants of a room (`UPKEEP_ROOM`, a folder below src/): the tests that mirror it, with one seed, so that a figure can be had again. */
export default defineConfig({
  test: {
    include: [`test/${room}/*.test.ts`],
    setupFiles: ['test/mutants/seed.ts'],
    reporters: [unloadable()],
    testTimeout: 30_000,
    isolate: false,
  },
});
