/**
 * The ways to install of docs/install.md, run as they stand there. Left out: `git clone` and `npm ci`, which need a network (the copy of the
 * checkout has its packages), and `docker` (test/examples/image.test.ts runs the steps of the Dockerfile).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { VERSION } from '../../src/app/run/version.ts';
import { copyCheckout } from '../support/checkout.ts';
import { temporaryFolder } from '../support/harness.ts';
import { releaseOf, runProgram } from './recipe-project.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(top, 'docs/install.md'), 'utf8');

/** Returns the scripts of a section, in order. */
function scriptsOf(section: string): readonly string[] {
  const text = page.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? '';
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, script = '']) => script);
}

/** An environment in which npm installs into a folder of its own, whose programs are on the path. */
function environment(): { readonly prefix: string; readonly env: { readonly [name: string]: string | undefined } } {
  const prefix = join(temporaryFolder(), 'prefix');
  for (const folder of ['bin', 'lib', 'home']) mkdirSync(join(prefix, folder), { recursive: true });
  return { prefix, env: { PATH: `${join(prefix, 'bin')}:${process.env.PATH}`, HOME: join(prefix, 'home'), npm_config_prefix: prefix } };
}

test('a release is installed as docs/install.md says, with the real npm, and not where its checksum is another', async () => {
  const folder = temporaryFolder();
  execFileSync(process.execPath, [join(top, 'src/build/pack.mjs'), '--into', folder], { stdio: 'pipe' });
  const { tarball, sha256 } = await releaseOf(readFileSync(join(folder, `upkeep-${VERSION}.tgz`)));
  const [variables = '', install = ''] = scriptsOf('From a release');
  const named = (value: string) => variables.replace('TARBALL=...', `TARBALL='${tarball}'`).replace('SHA256=...', `SHA256='${value}'`);
  const { prefix, env } = environment();
  const wrong = await runProgram(temporaryFolder(), env, 'sh', '-ec', named('0'.repeat(64)) + install);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('did NOT match')]);
  const installed = await runProgram(temporaryFolder(), env, 'sh', '-ec', named(sha256) + install);
  expect([installed.code, installed.stdout]).toEqual([0, expect.stringMatching(new RegExp(`\\n${VERSION.replaceAll('.', '\\.')}\n$`))]);
  expect(installed.stderr).not.toMatch(/EBADENGINE|install-scripts/);
  expect((await runProgram(prefix, env, join(prefix, 'bin/upkeep'), '--version')).stdout).toBe(`${VERSION}\n`);
});

test('a checkout is installed as docs/install.md says, once its packages are there', async () => {
  const checkout = join(temporaryFolder(), 'upkeep');
  copyCheckout(checkout);
  const [script = ''] = scriptsOf('From a checkout');
  expect(script).toMatch(/^git clone <this repository> upkeep && cd upkeep\nnpm ci .*\nnpm link .*\n$/);
  const { env } = environment();
  // What `npm ci` does after it has downloaded the packages.
  expect(await runProgram(checkout, env, 'npm', 'run', 'prepare')).toMatchObject({ code: 0 });
  const linked = await runProgram(checkout, env, 'sh', '-ec', script.split('\n').slice(2).join('\n'));
  expect([linked.code, linked.stderr]).toEqual([0, expect.not.stringContaining('ERR!')]);
  expect((await runProgram(temporaryFolder(), env, 'upkeep', '--version')).stdout).toBe(`${VERSION}\n`);
});

test('the command for the container image builds the Dockerfile with a folder that holds the release', () => {
  const scripts = scriptsOf('Container image').join('');
  expect(scripts).toContain(`docker build --file Dockerfile --build-arg VERSION=${VERSION} --tag upkeep release\n`);
  expect(readFileSync(join(top, 'Dockerfile'), 'utf8')).toMatch(/^ADD upkeep-\*\.tgz /m);
});
