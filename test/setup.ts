/**
 * Runs before each test file: removes what its tests register with `test/support/cleanup.ts`, and shows how the command lines of a failed
 * test ended. Test files may share modules, so helpers register no hooks of their own.
 */
import { afterAll, afterEach } from 'vitest';
import { cleanUpFile, cleanUpTest } from './support/cleanup.ts';
import { takeCommandLines } from './support/command-lines.ts';

afterEach(cleanUpTest);
afterEach(({ task }) => {
  const lines = takeCommandLines();
  if (task.result?.state === 'fail' && lines !== '') process.stderr.write(`\n${task.name}: the last command lines\n${lines}\n`);
});
afterAll(cleanUpFile);
