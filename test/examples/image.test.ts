/**
 * The Dockerfile: read by a parser and a linter from npm and by rules of our own, and its steps run in a scratch root.
 *
 * The scratch root takes the place of a builder. What it leaves out: the two base images and Debian's packages, whose programs are copied from
 * this machine (`apt-get` only records how it was called); layers; and what the runtime of a container adds.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { VERSION } from '../../src/app/run/version.ts';
import { isObject } from '../../src/core/model/json.ts';
import { manyPlaylists } from '../e2e/accounts.ts';
import { temporaryFolder } from '../support/harness.ts';
import { createRecipeProject, SECRETS } from './recipe-project.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const dockerfile = readFileSync(join(top, 'Dockerfile'), 'utf8');

/** An instruction of a Dockerfile, on one line. */
interface Step {
  readonly keyword: string;
  readonly text: string;
}

function stepsOf(text: string): readonly Step[] {
  const instructions = DockerfileParser.parse(text).getInstructions();
  return instructions.map((each) => ({ keyword: each.getKeyword(), text: (each.getArgumentsContent() ?? '').replace(/ {2,}/g, ' ') }));
}

/** The rules of this image; each returns the steps that break it. */
const RULES: { readonly [rule: string]: (steps: readonly Step[]) => readonly Step[] } = {
  'a base image has a tag, and it is not the newest of all': (steps) =>
    steps.filter(({ keyword, text }) => keyword === 'FROM' && !/^[a-z/]+:(?!latest\b)[\w.-]+/.test(text)),
  'packages are installed without recommended ones and unattended, from a list that is fresh and removed in the same step': (steps) =>
    steps.filter(
      ({ text }) =>
        text.includes('apt-get') &&
        !/^apt-get update && apt-get install --yes --no-install-recommends [a-z0-9 -]+ && rm -rf \/var\/lib\/apt\/lists\/\*( |$)/.test(
          text,
        ),
    ),
  'nothing is downloaded but packages, and nothing gets other rights': (steps) =>
    steps.filter(({ text }) => /https?:|\b(curl|wget|sudo|git clone|npm|chmod)\b/.test(text)),
  'no variable is left in the environment of the image, where a secret could stand': (steps) =>
    steps.filter(({ keyword }) => keyword === 'ENV'),
  'the program runs as user 10001, by number, and as nobody else': (steps) => {
    const users = steps.filter(({ keyword }) => keyword === 'USER');
    return users.length === 1 && users[0]?.text === '10001:10001' ? [] : [{ keyword: 'USER', text: users.map(({ text }) => text).join() }];
  },
  'folders of the image are absolute, and the program is started without a shell': (steps) =>
    steps.filter(
      ({ keyword, text }) =>
        (keyword === 'WORKDIR' && !text.startsWith('/')) || (['ENTRYPOINT', 'CMD'].includes(keyword) && !text.startsWith('["')),
    ),
};

describe('the Dockerfile', () => {
  test('has nothing to which its linter objects', () => {
    expect(validate(dockerfile)).toEqual([]);
    expect(validate('FROM debian:trixie-slim\nRUM true\n')).toMatchObject([{ message: 'Unknown instruction: RUM' }]);
  });

  test.each(Object.entries(RULES))('%s', (_rule, broken) => {
    expect(broken(stepsOf(dockerfile))).toEqual([]);
  });

  test.each([
    ['a base image', 'FROM debian:trixie-slim', 'FROM debian'],
    ['a base image', 'FROM debian:trixie-slim', 'FROM debian:latest'],
    ['packages', '--no-install-recommends ', ''],
    ['packages', 'apt-get update ', 'true '],
    ['packages', '&& rm -rf /var/lib/apt/lists/*', ''],
    ['nothing is downloaded', 'ADD upkeep-*.tgz', 'ADD https://files.example.com/upkeep.tgz'],
    ['nothing is downloaded', 'RUN ln -s', 'RUN npm install --global upkeep && ln -s'],
    ['no variable', 'WORKDIR', 'ENV UPKEEP_API_KEY=secret\nWORKDIR'],
    ['the program runs', 'USER 10001:10001', 'USER upkeep'],
    ['the program runs', 'USER 10001:10001\n', ''],
    ['the program runs', 'ENTRYPOINT', 'USER root\nENTRYPOINT'],
    ['folders', 'ENTRYPOINT ["upkeep"]', 'ENTRYPOINT upkeep'],
  ])('is read by a rule (%s) that notices a change of %j to %j', (rule, part, other) => {
    expect(dockerfile).toContain(part);
    const [, broken] = Object.entries(RULES).find(([name]) => name.startsWith(rule)) ?? [];
    expect(broken?.(stepsOf(dockerfile.replace(part, other)))).not.toEqual([]);
  });

  test.runIf(spawnSync('shellcheck', ['--version']).status === 0)('has no script in which shellcheck finds anything', () => {
    for (const { text } of stepsOf(dockerfile).filter(({ keyword }) => keyword === 'RUN')) {
      const { stdout } = spawnSync('shellcheck', ['--norc', '--shell', 'sh', '--format', 'gcc', '-'], { input: text });
      expect(stdout.toString()).toBe('');
    }
  });

  test('labels the image with what it is, its license, and the version, commit and repository that the build gives', () => {
    const steps = stepsOf(dockerfile);
    const labels = steps
      .filter(({ keyword }) => keyword === 'LABEL')
      .flatMap(({ text }) => [...text.matchAll(/org\.opencontainers\.image\.(\w+)="([^"]+)"/g)]);
    const values = Object.fromEntries(labels.map(([, name = '', value]) => [name, value]));
    expect(Object.keys(values).sort()).toEqual(['description', 'licenses', 'revision', 'source', 'title', 'version']);
    for (const name of ['version', 'revision', 'source']) {
      expect(values[name]).toBe(`$${name.toUpperCase()}`);
      expect(steps).toContainEqual({ keyword: 'ARG', text: name.toUpperCase() });
    }
  });
});

/** The programs that come with the base images and with each of Debian's packages, as this machine has them. */
const DEBIAN = ['sh', 'env', 'id', 'ln', 'ls', 'rm', 'mkdir', 'cat', 'groupadd', 'useradd'];
const PACKAGES: { readonly [name: string]: readonly string[] } = {
  'ca-certificates': ['/etc/ssl/certs/ca-certificates.crt'],
  git: ['git', 'git-upload-pack', 'git-receive-pack', '/usr/lib/git-core/git'],
  libatomic1: [],
  'openssh-client': ['ssh'],
};

const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stderr.write('The steps of the Dockerfile were not run, because a scratch root needs the user root\n');

/** Copies a program of this machine and the libraries that it loads into a root, under the same names. */
function copyProgram(root: string, program: string, name = program): void {
  const [path = program, ...libraries] = program.startsWith('/')
    ? [program, ...librariesOf(program)]
    : execFileSync('which', [program])
        .toString()
        .trim()
        .split('\n')
        .flatMap((found) => [found, ...librariesOf(found)]);
  const copies = [[path, name.startsWith('/') ? name : path] as const, ...libraries.map((library) => [library, library] as const)];
  for (const [from, to] of copies) {
    mkdirSync(join(root, dirname(to)), { recursive: true });
    cpSync(realpathSync(from), join(root, to));
  }
}

function librariesOf(path: string): readonly string[] {
  const { stdout } = spawnSync('ldd', [path]);
  return [...stdout.toString().matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library);
}

/** Runs a command in a root as root, or as the user of the image. */
function inRoot(root: string, user: string, command: readonly string[], cwd = '/', more: { readonly [name: string]: string } = {}) {
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/home/upkeep', ...more };
  const args = [`--userspec=${user}`, root, 'env', '-C', cwd, ...command];
  const { status, stdout, stderr } = spawnSync('chroot', args, { env });
  return { code: status, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** Does what a builder would do with this Dockerfile. Returns the folder of the root. */
function buildInScratchRoot(context: string): string {
  const root = join(temporaryFolder(), 'root');
  for (const name of ['etc', 'tmp', 'home', 'dev', 'proc', 'var/lib/apt/lists', 'usr/bin'])
    mkdirSync(join(root, name), { recursive: true });
  for (const [link, to] of [
    ['bin', 'usr/bin'],
    ['sbin', 'usr/sbin'],
    ['lib', 'usr/lib'],
    ['lib64', 'usr/lib64'],
  ] as const) {
    mkdirSync(join(root, to), { recursive: true });
    execFileSync('ln', ['-s', to, join(root, link)]);
  }
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n');
  for (const [device, minor] of [
    ['null', '3'],
    ['urandom', '9'],
  ] as const)
    execFileSync('mknod', ['-m', '666', join(root, 'dev', device), 'c', '1', minor]);
  for (const program of DEBIAN) copyProgram(root, program);
  writeFileSync(join(root, 'usr/bin/apt-get'), '#!/bin/sh\necho "$@" >>/var/apt-get\n', { mode: 0o755 });
  for (const { keyword, text } of stepsOf(dockerfile)) {
    const [from = '', to = ''] = text.split(' ');
    if (keyword === 'RUN') expect(inRoot(root, '0:0', ['sh', '-ec', text])).toMatchObject({ code: 0 });
    if (keyword === 'COPY') copyProgram(root, process.execPath, from);
    if (keyword === 'ADD') {
      mkdirSync(join(root, to), { recursive: true });
      const [start = '', end = ''] = from.split('*');
      for (const archive of readdirSync(context).filter((name) => name.startsWith(start) && name.endsWith(end)))
        execFileSync('tar', ['-xzf', join(context, archive), '-C', join(root, to)]);
    }
  }
  const installed = /^install --yes --no-install-recommends (.+)$/m.exec(readFileSync(join(root, 'var/apt-get'), 'utf8'))?.[1] ?? '';
  expect(installed.split(' ')).toEqual(Object.keys(PACKAGES));
  for (const program of Object.values(PACKAGES).flat()) copyProgram(root, program);
  return root;
}

/** Builds the image from the tarball of this checkout. */
function buildImage(): string {
  const context = temporaryFolder();
  execFileSync(process.execPath, [join(top, 'src/build/pack.mjs'), '--into', context], { stdio: 'pipe' });
  return buildInScratchRoot(context);
}

test.runIf(isRoot)('the image, as far as a scratch root goes, runs upkeep and git as user 10001 and has no npm', () => {
  const root = buildImage();
  const run = (...command: string[]) => inRoot(root, '10001:10001', command, '/home/upkeep');

  expect(run('upkeep', '--version')).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  expect(run('id', '-u').stdout).toBe('10001\n');
  expect(readFileSync(join(root, 'etc/passwd'), 'utf8')).toMatch(/^upkeep:[^:]:10001:10001::\/home\/upkeep:\/usr\/sbin\/nologin$/m);
  expect(run('ssh', '-V')).toMatchObject({ code: 0 });
  expect(run('git', 'init', '--quiet', 'account')).toMatchObject({ code: 0 });
  expect(run('upkeep', 'init', 'account', '--base-url', 'https://services.example.com', '--ci', 'none')).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(run('upkeep', 'validate', '--project', 'account')).toMatchObject({ code: 0, stdout: expect.stringContaining('Valid.') });
  for (const path of ['/opt/upkeep', '/usr/local/bin']) expect(run('sh', '-c', `echo x >${path}/new`).code).not.toBe(0);
  for (const program of ['npm', 'npx', 'corepack']) expect(run('sh', '-c', `command -v ${program}`).code).not.toBe(0);
});

/** Runs the containers of a manifest in the image, one after another, as the user whom the pod names. Gives the last that ran. */
function runPod(root: string, file: string, values: { readonly [variable: string]: string }) {
  const pod = at(parse(readFileSync(join(top, 'examples/ci/kubernetes', file), 'utf8'), { merge: true }), 'spec', 'template', 'spec');
  const user = [at(pod, 'securityContext', 'runAsUser'), at(pod, 'securityContext', 'runAsGroup')].join(':');
  let ended: ReturnType<typeof inRoot> = { code: null, stdout: '', stderr: '' };
  for (const { command, args, env, workingDir } of [at(pod, 'initContainers'), at(pod, 'containers')].flat().filter(isObject)) {
    const variables = [env]
      .flat()
      .filter(isObject)
      .map(({ name, value }) => [String(name), values[String(name)] ?? String(value)]);
    const words = [command, args].flat().map(String);
    ended = inRoot(root, user, words, String(workingDir ?? '/'), Object.fromEntries(variables));
    if (ended.code !== 0) return ended;
  }
  return ended;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((rest, key) => (isObject(rest) ? rest[key] : undefined), value);
}

test.runIf(isRoot)('the Kubernetes Job applies a reviewed plan in the image, as its user 10001', async () => {
  const project = await createRecipeProject({ owner: { file: '/run/upkeep/owner' }, api_key: { file: '/run/upkeep/api_key' } });
  const COMMIT = project.push('refs/heads/main', { 'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(2, { repeat: 1 }) }) });
  const root = buildImage();
  for (const folder of ['run/upkeep', 'checkout', 'srv']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'run/upkeep/owner'), SECRETS.UPKEEP_OWNER);
  writeFileSync(join(root, 'run/upkeep/api_key'), SECRETS.UPKEEP_API_KEY);
  cpSync(project.remote.replace('file://', ''), join(root, 'srv/remote.git'), { recursive: true });
  execFileSync('chown', ['-R', '10001:10001', ...['run/upkeep', 'checkout', 'srv'].map((folder) => join(root, folder))]);
  const values = { REPOSITORY: 'file:///srv/remote.git', COMMIT, FINGERPRINT: `sha256:${'0'.repeat(64)}` };
  const refused = runPod(root, 'apply.yaml', values);
  expect([refused.code, await project.playlists()], refused.stderr).toEqual([6, []]);

  const planned = inRoot(root, '10001:10001', ['upkeep', 'plan', '--format', 'json'], '/checkout/account', { HOME: '/checkout' });
  const FINGERPRINT = String(at(JSON.parse(planned.stdout), 'fingerprint'));
  execFileSync('rm', ['-r', join(root, 'checkout/account')]);
  const applied = runPod(root, 'apply.yaml', { ...values, FINGERPRINT });
  expect([applied.code, applied.stdout], applied.stderr).toEqual([0, expect.stringContaining('2 created')]);
  expect(await project.playlists()).toHaveLength(2);
  expect(inRoot(root, '10001:10001', ['git', '-C', '/srv/remote.git', 'for-each-ref', '--format=%(refname)', 'refs/upkeep']).stdout).toBe(
    'refs/upkeep/production\n',
  );
});
