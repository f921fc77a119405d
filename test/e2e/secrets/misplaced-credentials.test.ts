/** A credential that a user put in the wrong place is not repeated to him, nor to the log of his CI. */
import { expect, test } from 'vitest';
import { FORMATS } from '../../../src/report/document.ts';
import { CREDENTIALS, expectNoLeak } from '../../support/canary.ts';
import { API_KEY, createTestProject, OWNER, type RunOptions } from '../../support/harness.ts';
import { DESIRED, withLeakCheck } from './leak-check.ts';

test.each<[string, NonNullable<RunOptions['env']>, readonly string[]]>([
  ['a key of two lines', { UPKEEP_API_KEY: `${API_KEY}\n${OWNER}` }, []],
  ['a key with a control character', { UPKEEP_API_KEY: `${API_KEY}\u0007` }, []],
  ['a key as a flag', {}, [`--api-key=${API_KEY}`]],
  ['a key behind a flag', {}, ['--api-key', API_KEY]],
  ['a key behind the command', {}, [API_KEY]],
])('the error for %s does not repeat it', async (_name, env, argv) => {
  const { runWith, expectNoLeak } = await withLeakCheck(await createTestProject(DESIRED));
  for (const format of FORMATS) expect((await runWith({ env }, 'plan', '--format', format, ...argv)).code).toBe(8);
  expectNoLeak();
});

test.each([`api_key: ${API_KEY}`, `api_key: { env: ${API_KEY} }`, `api_key: { value: ${API_KEY} }`, `api_key: [${API_KEY}]`])(
  'the error for a key in upkeep.yaml (%#) does not repeat it',
  async (line) => {
    const project = await createTestProject(DESIRED);
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/api_key: .*/, line));
    for (const format of FORMATS) {
      const { code, stdout, stderr } = await project.run('plan', '--format', format, '--log-level', 'trace');
      expect(code).toBe(8);
      expectNoLeak([{ where: format, text: stdout + stderr }], CREDENTIALS);
    }
  },
);
