/** What upkeep starts shows no credential in arguments or environment. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSearcher } from '../../support/canary.ts';
import { API_KEY, createTestProject, OWNER, temporaryFolder } from '../../support/harness.ts';
import { DESIRED, withLeakCheck, withLedgerLeakCheck } from './leak-check.ts';
import { recordingScript } from './process-recorder.ts';

test('git, and a hook of a remote on this machine, see no credential in arguments or environment', async () => {
  const { project, runWith, expectNoLeak } = await withLedgerLeakCheck();
  const folder = temporaryFolder();
  const [bin, file] = [join(folder, 'bin'), join(folder, 'seen')];
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), recordingScript(file, `PATH='${process.env.PATH}' exec git "$@"`), { mode: 0o755 });
  project.hook('pre-receive', recordingScript(file, 'echo hook >>$0.ran').split('\n').slice(1).join('\n'));
  const env = { PATH: `${bin}:${process.env.PATH}`, KEPT: 'what is no credential' };
  for (const argv of [
    ['apply', '--yes'],
    ['plan', '--ref', 'HEAD'],
  ]) {
    expect((await runWith({ env }, ...argv)).code).toBe(0);
  }
  expect(existsSync(join(project.remote, 'hooks/pre-receive.ran'))).toBe(true);
  const recorded = readFileSync(file, 'utf8');
  expect(recorded).toContain('KEPT=what is no credential');
  expect(recorded).toContain('--force-with-lease');
  expect(recorded).not.toContain('UPKEEP_');
  expectNoLeak([{ where: 'what programs were started with', text: recorded }]);
});

test('a credential command sees its own variables, but not the credentials of other sources', async () => {
  const { project, runWith, expectNoLeak } = await withLeakCheck(await createTestProject(DESIRED));
  const file = join(temporaryFolder(), 'seen');
  writeFileSync(join(project.folder, 'key'), recordingScript(file, `echo "$KEY_OF_THE_VAULT"`), { mode: 0o755 });
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/api_key: .*/, 'api_key: { command: [./key] }'));
  const other = project
    .read('upkeep.yaml')
    .split('targets:\n')[1]
    ?.replace('live:', 'other:')
    .replace(/api_key: .*/, 'api_key: { env: OTHER_KEY }');
  project.write('upkeep.yaml', project.read('upkeep.yaml') + other);
  const otherKey = 'AnotherKey/Of+Another=Target5Hq8ZtWmXc3vRb';
  const env = { UPKEEP_API_KEY: undefined, OTHER_KEY: otherKey, KEY_OF_THE_VAULT: API_KEY };
  expect((await runWith({ env }, 'plan', '-t', 'live', '--log-level', 'trace')).code).toBe(0);
  const recorded = readFileSync(file, 'utf8');
  expect(recorded).toContain('KEY_OF_THE_VAULT=');
  expectNoLeak();
  expect(
    createSearcher([
      { name: 'owner', value: OWNER },
      { name: 'other key', value: otherKey },
    ])(recorded),
  ).toEqual([]);
});
