/** What upkeep starts shows no credential in arguments or environment. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { searcher } from '../../support/canary.ts';
import { API_KEY, OWNER, stage, temporaryFolder } from '../../support/harness.ts';
import { DESIRED, guard, guardLedger } from './guard.ts';
import { witness } from './leak-finder.ts';

test('git, and a hook of a remote on this machine, see no credential in arguments or environment', async () => {
  const { set, runWith, expectNoLeak } = await guardLedger();
  const folder = temporaryFolder();
  const [bin, file] = [join(folder, 'bin'), join(folder, 'seen')];
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), witness(file, `PATH='${process.env.PATH}' exec git "$@"`), { mode: 0o755 });
  set.hook('pre-receive', witness(file, 'echo hook >>$0.ran').split('\n').slice(1).join('\n'));
  const env = { PATH: `${bin}:${process.env.PATH}`, KEPT: 'what is no credential' };
  for (const argv of [
    ['apply', '--yes'],
    ['plan', '--ref', 'HEAD'],
  ]) {
    expect((await runWith({ env }, ...argv)).code).toBe(0);
  }
  expect(existsSync(join(set.remote, 'hooks/pre-receive.ran'))).toBe(true);
  const seen = readFileSync(file, 'utf8');
  expect(seen).toContain('KEPT=what is no credential');
  expect(seen).toContain('--force-with-lease');
  expect(seen).not.toContain('UPKEEP_');
  expectNoLeak([{ where: 'what programs were started with', text: seen }]);
});

test('a credential command sees its own needs, but not the credentials of other sources', async () => {
  const { set, runWith, expectNoLeak } = await guard(await stage(DESIRED));
  const file = join(temporaryFolder(), 'seen');
  writeFileSync(join(set.folder, 'key'), witness(file, `echo "$KEY_OF_THE_VAULT"`), { mode: 0o755 });
  set.write('upkeep.yaml', set.read('upkeep.yaml').replace(/api_key: .*/, 'api_key: { command: [./key] }'));
  const other = set
    .read('upkeep.yaml')
    .split('targets:\n')[1]
    ?.replace('live:', 'other:')
    .replace(/api_key: .*/, 'api_key: { env: OTHER_KEY }');
  set.write('upkeep.yaml', set.read('upkeep.yaml') + other);
  const otherKey = 'AnotherKey/Of+Another=Target5Hq8ZtWmXc3vRb';
  const env = { UPKEEP_API_KEY: undefined, OTHER_KEY: otherKey, KEY_OF_THE_VAULT: API_KEY };
  expect((await runWith({ env }, 'plan', '-t', 'live', '--log-level', 'trace')).code).toBe(0);
  const seen = readFileSync(file, 'utf8');
  expect(seen).toContain('KEY_OF_THE_VAULT=');
  expectNoLeak();
  expect(
    searcher([
      { name: 'owner', value: OWNER },
      { name: 'other key', value: otherKey },
    ])(seen),
  ).toEqual([]);
});
