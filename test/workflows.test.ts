/** What runs with this repository's permissions: actions pinned by commit, the fewest permissions, an end in time; and what a release holds. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../src/core/model/json.ts';
import { temporaryFolder } from './support/harness.ts';

const folder = new URL('../.github/workflows/', import.meta.url);

/** Every value under a key, wherever it stands. */
function valuesOf(node: unknown, key: string): readonly unknown[] {
  if (Array.isArray(node)) return node.flatMap((item) => valuesOf(item, key));
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(value, key)]);
}

function jobsOf(workflow: unknown): readonly (readonly [string, { readonly [member: string]: unknown }])[] {
  const jobs = isObject(workflow) && isObject(workflow.jobs) ? workflow.jobs : {};
  return Object.entries(jobs).flatMap(([name, job]) => (isObject(job) ? [[name, job] as const] : []));
}

const files = readdirSync(folder);

test('there are workflows to check', () => {
  expect(files).toEqual(expect.arrayContaining(['ci.yml', 'release.yml']));
});

describe.each(files)('the workflow %s', (file) => {
  const text = readFileSync(new URL(file, folder), 'utf8');
  const workflow: unknown = parse(text);

  test('pins every action by its commit and says which version that is', () => {
    const used = valuesOf(workflow, 'uses').map(String);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used.filter((each) => !each.startsWith('./'))) {
      expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/);
      expect(text).toMatch(new RegExp(`${action} # v\\d+\\.\\d+\\.\\d+\\n`));
    }
  });

  test('may read the repository at most, and a job that may more says what for', () => {
    const allowed = isObject(workflow) ? workflow.permissions : undefined;
    expect([{}, { contents: 'read' }]).toContainEqual(allowed);
    for (const [, { permissions }] of jobsOf(workflow)) {
      for (const [what, how] of Object.entries(isObject(permissions) ? permissions : {})) {
        if (how !== 'read') expect(text).toMatch(new RegExp(`^ +${what}: ${String(how)} # \\w+`, 'm'));
      }
    }
  });

  test('ends in time, and leaves no token in the checkout', () => {
    for (const [name, job] of jobsOf(workflow)) expect(job, name).toMatchObject({ 'timeout-minutes': expect.any(Number) });
    const checkouts = valuesOf(workflow, 'steps')
      .flat()
      .filter((step) => isObject(step) && String(step.uses).startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const step of checkouts) expect(step).toMatchObject({ with: { 'persist-credentials': false } });
  });

  test('puts no text that others choose into a shell script', () => {
    for (const script of valuesOf(workflow, 'run')) expect(String(script)).not.toMatch(/\$\{\{/);
  });
});

describe('the release', () => {
  const jobs = new Map(jobsOf(parse(readFileSync(new URL('release.yml', folder), 'utf8'))));
  const stepsOf = (job: string) => [jobs.get(job)?.steps].flat().filter(isObject);
  const script = (job: string, part: string) => String(stepsOf(job).find(({ run }) => String(run).includes(part))?.run);

  /** Runs a script of the workflow in a folder, as the runner does, with programs that print how they were called. */
  function runScript(text: string, at: string, programs: readonly string[]): string {
    mkdirSync(join(at, 'bin'), { recursive: true });
    for (const name of programs) writeFileSync(join(at, 'bin', name), `#!/bin/sh\necho ${name} "$@"\n`, { mode: 0o755 });
    const env = {
      GITHUB_ENV: join(at, 'env'),
      GITHUB_REF_NAME: 'v0.1.0',
      GITHUB_SHA: 'a'.repeat(40),
      PATH: `${join(at, 'bin')}:${process.env.PATH}`,
      GITHUB_SERVER_URL: 'https://git.example.com',
      GITHUB_REPOSITORY: 'Acme/upkeep',
    };
    return execFileSync('bash', ['--norc', '-e', '-c', text], { cwd: at, env, stdio: 'pipe' }).toString();
  }

  test('packs for the repository in which the workflow runs, so that its provenance can be checked', () => {
    const said = runScript(script('pack', 'npm run pack'), temporaryFolder(), ['npm']);
    expect(said).toBe('npm run pack -- --into release --repository git+https://git.example.com/Acme/upkeep.git\n');
  });

  test('publishes nothing whose checksum does not match', () => {
    const at = temporaryFolder();
    mkdirSync(join(at, 'release'));
    for (const name of ['upkeep-0.1.0.tgz', 'upkeep.cdx.json']) writeFileSync(join(at, 'release', name), name);
    execFileSync('sh', ['-c', 'sha256sum -- * > SHA256SUMS'], { cwd: join(at, 'release') });
    expect(runScript(script('publish', '--check'), at, [])).toContain('upkeep-0.1.0.tgz: OK');
    writeFileSync(join(at, 'release/upkeep-0.1.0.tgz'), 'something else');
    expect(() => runScript(script('publish', '--check'), at, [])).toThrow('did NOT match');
  });

  test('has an image that is built from the folder of the release with every argument that the Dockerfile takes, and run before it is pushed', () => {
    const at = temporaryFolder();
    const said = runScript(script('image', 'docker build'), at, ['docker']);
    expect(said).toMatch(/^docker build --pull --file Dockerfile --tag ghcr\.io\/acme\/upkeep:0\.1\.0 --build-arg .* release\n$/);
    expect(readFileSync(join(at, 'env'), 'utf8')).toBe('IMAGE=ghcr.io/acme/upkeep:0.1.0\n');
    const declared = [...readFileSync(new URL('../../Dockerfile', folder), 'utf8').matchAll(/^ARG (\w+)$/gm)].map(([, name = '']) => name);
    expect([...said.matchAll(/--build-arg (\w+)=\S+/g)].map(([, name]) => name)).toEqual(declared);
    const order = stepsOf('image').map(({ run }) => /sha256sum|docker \w+/.exec(String(run))?.[0]);
    expect(order.filter((each) => each !== undefined)).toEqual(['sha256sum', 'docker build', 'docker run', 'docker login']);
  });

  test('goes to npm only where the repository says that the name there is ours, with provenance and without running a script', () => {
    const step = stepsOf('publish').find(({ run }) => String(run).startsWith('npm publish'));
    expect(step).toMatchObject({ if: "vars.PUBLISH_TO_NPM == 'true'", run: expect.stringMatching(/ --provenance .*--ignore-scripts$/) });
  });
});
