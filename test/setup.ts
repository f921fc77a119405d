/**
 * Runs before each test file: removes what its tests register with `test/support/cleanup.ts`. Test files may share modules, so helpers
 * register no hooks of their own.
 */
import { afterAll, afterEach } from 'vitest';
import { cleanUpFile, cleanUpTest } from './support/cleanup.ts';

afterEach(cleanUpTest);
afterAll(cleanUpFile);
