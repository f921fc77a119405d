/** What tests leave behind: helpers register its removal here, and `test/setup.ts` runs it after each test and after each test file. */

type Cleanup = () => Promise<void> | void;

const afterTest = new Set<Cleanup>();
const afterFile = new Set<Cleanup>();

/** Where cleanups of a test are registered: with those of the file while something is made that its tests share. */
let registered = afterTest;

/** Registers a cleanup that runs after the test, the last one first. Returns a function that runs it earlier. */
export function cleanUpAfterTest(cleanup: Cleanup): () => Promise<void> {
  const cleanups = registered.add(cleanup);
  return async () => {
    if (cleanups.delete(cleanup)) await cleanup();
  };
}

/** Makes something that the tests of a file share: what would be cleaned up after the test is cleaned up after the file. */
export async function sharedByFile<Made>(make: () => Promise<Made>): Promise<Made> {
  registered = afterFile;
  try {
    return await make();
  } finally {
    registered = afterTest;
  }
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
