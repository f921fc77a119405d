/** What runs with this repository's permissions: actions pinned by commit, the fewest permissions, an end in time; and what a release holds. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { isObject } from '../src/core/model/json.ts';
import { temporaryFolder } from './support/harness.ts';

const folder = new URL('../.github/workflows/', import.meta.url);

/** The oldest version of Node that package.json promises. */
const minimum = packageJson.engines.node.replace('>=', '');

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
  expect(files).toEqual(expect.arrayContaining(['ci.yml', 'prove.yml', 'release.yml']));
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

/** The jobs of a workflow file, with their steps and scripts. */
function readJobs(file: string) {
  const jobs = new Map(jobsOf(parse(readFileSync(new URL(file, folder), 'utf8'))));
  const stepsOf = (job: string) => [jobs.get(job)?.steps].flat().filter(isObject);
  const scriptsOf = (job: string) => stepsOf(job).flatMap(({ run }) => (typeof run === 'string' ? [run.trim()] : []));
  const script = (job: string, part: string) => String(scriptsOf(job).find((each) => each.includes(part)));
  return { jobs, stepsOf, scriptsOf, script };
}

/** Runs a script of a workflow in a folder, as the runner does, with programs that print how they were called. */
function runScript(text: string, at: string, programs: readonly string[]): string {
  mkdirSync(join(at, 'bin'), { recursive: true });
  for (const name of programs) writeFileSync(join(at, 'bin', name), `#!/bin/sh\necho ${name} "$@"\n`, { mode: 0o755 });
  const env = {
    GITHUB_ENV: join(at, 'env'),
    GITHUB_STEP_SUMMARY: join(at, 'summary'),
    GITHUB_REF_NAME: 'v0.1.0',
    GITHUB_SHA: 'a'.repeat(40),
    PATH: `${join(at, 'bin')}:${process.env.PATH}`,
    GITHUB_SERVER_URL: 'https://git.example.com',
    GITHUB_REPOSITORY: 'Acme/upkeep',
  };
  return execFileSync('bash', ['--norc', '-e', '-c', text], { cwd: at, env, stdio: 'pipe' }).toString();
}

describe('what .ci/run checks', () => {
  const whole = readFileSync(new URL('../../.ci/run', folder), 'utf8');
  const steps = [...whole.matchAll(/^(?:for version in (.+); do )?step "?([\w$-]+)"? (.+)$/gm)].map(
    ([, versions = '', name = '', call = '']) => {
      const [program = ''] = call.split(' ');
      const [, body = ''] = new RegExp(`^${program}\\(\\) \\{\n([\\s\\S]*?)^\\}`, 'm').exec(whole) ?? [];
      const [command = ''] = (body === '' ? call : body.trim()).split(/ (?:-- )?--reporter| \|\| /);
      return { name, versions: versions.replace('"$minimum"', minimum).split(' '), command, isOnNode: program === 'on_node', body };
    },
  );
  const [, listed = ''] = /^PACKAGES=\(\n([^)]*)\)/m.exec(whole) ?? [];
  /** A runner has these already; its browser is no package of Ubuntu. */
  const onRunners = ['git', 'ca-certificates', 'chromium'];
  const packages = listed.split(/\s+/).filter((name) => name !== '' && !onRunners.includes(name));

  const jobs = { 'ci.yml': 'test', 'release.yml': 'pack', 'prove.yml': 'prove' };

  test('is read here as steps, versions of Node and packages', () => {
    expect(steps.map(({ name }) => name)).toEqual(expect.arrayContaining(['install', 'tests', 'machine', 'demo', 'node-$version']));
    expect(steps.flatMap(({ versions }) => versions)).toContain(minimum);
    expect(packages.length).toBeGreaterThan(10);
  });

  test.each(['ci.yml', 'release.yml'] as const)('is in %s step by step', (file) => {
    const scripts = readJobs(file).scriptsOf(jobs[file]);
    for (const { name, command } of steps.filter(({ name, isOnNode }) => name !== 'debian' && !isOnNode))
      expect(scripts, name).toContain(command);
  });

  test.each(Object.entries(jobs))('needs the same packages in %s', (file, job) => {
    const [, names = ''] = /--no-install-recommends([^&|;]*)$/.exec(readJobs(file).script(job, 'apt-get install')) ?? [];
    expect(
      names
        .split(/[\s\\]+/)
        .filter((name) => name !== '')
        .sort(),
    ).toEqual([...packages].sort());
  });

  test('runs in ci.yml with each version of Node, and the tests of the installed package with the oldest that package.json promises', () => {
    const { jobs: all, stepsOf, scriptsOf } = readJobs('ci.yml');
    const versions = [...valuesOf(all.get('test')?.strategy, 'node').flat(), ...valuesOf(stepsOf('oldest'), 'node-version')].map(String);
    const onNode = steps.filter(({ isOnNode }) => isOnNode);
    expect(versions).toEqual(expect.arrayContaining(onNode.flatMap((step) => step.versions)));
    expect(versions).toContain(minimum);
    const [, suites = ''] = /suites=\((.+)\)/.exec(onNode.map(({ body }) => body).join('')) ?? [];
    expect(suites).toContain('test/package.test.ts');
    expect(scriptsOf('oldest')).toEqual(['npm ci', `npx vitest run ${suites}`]);
  });
});

describe('what takes too long for every change', () => {
  test('the heavy proofs run every week, with fresh seeds', () => {
    const text = readFileSync(new URL('prove.yml', folder), 'utf8');
    expect(parse(text)).toMatchObject({ on: { schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* \d$/) }] } });
    expect(readJobs('prove.yml').scriptsOf('prove')).toContain('npm run prove');
    expect(text).not.toContain('UPKEEP_');
  });

  test('the mutants of what a pull request changes are reported in the summary of the run, and fail no pull request', () => {
    const { jobs, stepsOf, script } = readJobs('ci.yml');
    expect(jobs.get('mutants')).toMatchObject({ if: "github.event_name == 'pull_request'" });
    const [checkout] = stepsOf('mutants');
    expect(checkout).toMatchObject({ with: { 'fetch-depth': 2 } });
    const tried = stepsOf('mutants').find(({ run }) => String(run).startsWith('npm run mutants'));
    expect(tried).toMatchObject({ 'continue-on-error': true, shell: 'bash' });

    const at = temporaryFolder();
    expect(runScript(script('mutants', 'npm run mutants'), at, ['npm'])).toBe('npm run mutants -- --since HEAD^1\n');
    const report = ['src/core/a.ts: 1 of 2 faults were noticed (50.0 %)', '  src/core/a.ts:1:2  LogicalOperand of `a && b`: a'];
    writeFileSync(join(at, 'mutants.txt'), ['> node test/mutants/run.mjs', ...report, ''].join('\n'));
    runScript(script('mutants', 'GITHUB_STEP_SUMMARY'), at, []);
    expect(readFileSync(join(at, 'summary'), 'utf8')).toBe(['```', ...report, '```', ''].join('\n'));
  });

  test('a summary is written as well where no mutant was tried', () => {
    const at = temporaryFolder();
    writeFileSync(join(at, 'mutants.txt'), '');
    runScript(readJobs('ci.yml').script('mutants', 'GITHUB_STEP_SUMMARY'), at, []);
    expect(readFileSync(join(at, 'summary'), 'utf8')).toBe('```\n```\n');
  });

  test('CONTRIBUTING names each workflow', () => {
    const contributing = readFileSync(new URL('../CONTRIBUTING.md', folder), 'utf8');
    expect(files.filter((file) => !contributing.includes(`\`${file}\``))).toEqual([]);
  });
});

describe('the release', () => {
  const { stepsOf, script } = readJobs('release.yml');

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
