/** What tests leave behind: helpers register its removal here, and `test/setup.ts` runs it after each test and after each test file. */

type Cleanup = () => Promise<void> | void;

const afterTest = new Set<Cleanup>();
const afterFile = new Set<Cleanup>();

/** Registers a cleanup that runs after the test, the last one first. Returns a function that runs it earlier. */
export function cleanUpAfterTest(cleanup: Cleanup): () => Promise<void> {
  afterTest.add(cleanup);
  return async () => {
    if (afterTest.delete(cleanup)) await cleanup();
  };
}

/** Registers a cleanup that runs after the test file. */
export function cleanUpAfterFile(cleanup: Cleanup): void {
  afterFile.add(cleanup);
}

/** Runs the cleanups of the test that ended. @throws AggregateError of those that failed */
export const cleanUpTest = (): Promise<void> => runAll(afterTest);

/** Runs the cleanups of the test file that ended. @throws AggregateError of those that failed */
export const cleanUpFile = (): Promise<void> => runAll(afterFile);

async function runAll(cleanups: Set<Cleanup>): Promise<void> {
  const all = [...cleanups].reverse();
  cleanups.clear();
  const errors: unknown[] = [];
  for (const cleanup of all) {
    try {
      await cleanup();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'));
}
