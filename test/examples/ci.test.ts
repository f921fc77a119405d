/** The recipes for CI: what their files promise, and their own shell steps run over a few targets. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../../src/core/model/json.ts';
import { config, manyPlaylists } from '../e2e/accounts.ts';
import { accountsOf, firstTenants, type Tenant, writeTargets } from '../e2e/multi-target/accounts.ts';
import { createTestProject, type TestProject, temporaryFolder } from '../support/harness.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));
const recipes = new URL('../../examples/ci/', import.meta.url);

function recipe(file: string): unknown {
  return parse(readFileSync(new URL(file, recipes), 'utf8'));
}

/** Returns the value at a path of a recipe. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((rest, key) => {
    if (Array.isArray(rest)) return rest[Number(key)];
    return isObject(rest) ? rest[key] : undefined;
  }, value);
}

/** The script of a job's step by its name. */
function script(file: string, job: string, name: string): string {
  const steps = at(recipe(file), 'jobs', job, 'steps');
  const step = Array.isArray(steps) ? steps.find((each) => at(each, 'name') === name) : undefined;
  return String(at(step, 'run'));
}

/** Sets up two targets, of which the second was edited by hand, with credentials in files, and `upkeep` as a program. */
async function projectWithDrift(
  place: (tenant: Tenant) => string,
): Promise<{ readonly project: TestProject; readonly tenants: readonly Tenant[] }> {
  const tenants = firstTenants(2);
  const project = await createTestProject(config({ playlists: manyPlaylists(1) }), accountsOf(tenants, 1));
  writeTargets(project, tenants);
  const text = project.read('upkeep.yaml').replace(/\{ env: (OWNER|KEY)_TENANT_(\d+) \}/g, (_all, what: string, n: string) => {
    const tenant = tenants[Number(n) - 1];
    return `{ file: ${tenant ? place(tenant) : ''}${what === 'OWNER' ? 'owner' : 'api_key'} }`;
  });
  project.write('upkeep.yaml', text);
  mkdirSync(join(project.folder, 'bin'));
  writeFileSync(join(project.folder, 'bin/upkeep'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, { mode: 0o755 });
  return { project, tenants };
}

/** Runs a script as the CI system does, and gives its exit code. */
function runIn(project: Pick<TestProject, 'folder'>, shell: readonly [string, ...string[]], text: string, env: NodeJS.ProcessEnv) {
  const [program, ...flags] = shell;
  const PATH = `${join(project.folder, 'bin')}:${process.env.PATH}`;
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(program, [...flags, text], { cwd: project.folder, env: { PATH, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const BASH = ['bash', '--noprofile', '--norc', '-e', '-c'] as const;

describe.each(readdirSync(new URL('github/', recipes)))('the GitHub recipe %s', (file) => {
  const text = readFileSync(new URL(`github/${file}`, recipes), 'utf8');
  const jobs = Object.values(Object(at(parse(text), 'jobs')));

  test('pins its actions, has read permissions unless it gives a reason, has a timeout, and puts no untrusted text into a shell', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(at(parse(text), 'permissions'));
    for (const job of jobs) {
      expect(job).toMatchObject({ 'timeout-minutes': expect.any(Number), steps: expect.any(Array) });
      for (const [what, how] of Object.entries(Object(job).permissions ?? {})) {
        if (how !== 'read') expect(text).toMatch(new RegExp(`^ +${what}: ${how} # \\w+`, 'm'));
      }
      for (const step of Object(job).steps) {
        const pinned = step.uses !== undefined && step.uses !== './.github/actions/upkeep';
        if (pinned) expect(text).toMatch(new RegExp(`${step.uses} # v\\d+\\.\\d+\\.\\d+\\n`));
        if (pinned) expect(step.uses).toMatch(/@[0-9a-f]{40}$/);
        if (step.run) expect(step.run).not.toContain('${{');
      }
    }
  });
});

test.each(['github/with-aws.yml', 'github/with-vault.yml', 'gitlab/with-aws.yml', 'gitlab/with-vault.yml'])(
  'names no secret of the account, and exchanges a token in every job that has an environment and in no other: %s',
  (file) => {
    const text = readFileSync(new URL(file, recipes), 'utf8');
    expect(text).not.toMatch(/\$\{\{ *secrets\.|AWS_SECRET_ACCESS_KEY|VAULT_TOKEN:/);
    const jobs = Object.values(Object(file.startsWith('github/') ? at(parse(text), 'jobs') : parse(text, { merge: true })));
    const withEnvironment = jobs.filter((job) => at(job, 'environment') !== undefined);
    expect(withEnvironment.length).toBeGreaterThan(3);
    for (const job of jobs) {
      const has = at(job, 'permissions', 'id-token') === 'write' || at(job, 'id_tokens') !== undefined;
      expect(has).toBe(withEnvironment.includes(job));
    }
  },
);

test.each(readdirSync(new URL('gitlab/', recipes)))(
  'what a job of GitLab runs is named by the recipe itself, and not by a variable that a pipeline can override: %s',
  (file) => {
    const all = Object(parse(readFileSync(new URL(`gitlab/${file}`, recipes), 'utf8'), { merge: true }));
    const isForTwo = file === 'two-environments.yml';
    expect(Object.keys(all.variables)).toEqual([...(isForTwo ? ['UPKEEP_TARGET', 'UPKEEP_REF'] : []), 'UPKEEP_ALLOW']);
    const jobs = Object.values(all).filter((job) => at(job, 'script') !== undefined);
    expect(jobs).toHaveLength(isForTwo ? 8 : 7);
    for (const job of jobs) {
      expect(at(job, 'image') ?? all.default.image).toMatch(/^[\w./:@-]+$/);
      expect(JSON.stringify(at(job, 'variables') ?? {})).not.toMatch(/TARBALL|SHA256/);
      const [install] = [at(job, 'before_script') ?? all.default.before_script].flat().filter((line) => line.includes('npm install'));
      expect(install).toMatch(/^UPKEEP_TARBALL='[^'$]+'\nUPKEEP_SHA256='[^'$]+'\n: "\$\{UPKEEP_TARBALL:\?/);
    }
  },
);

test.each([
  ...readdirSync(new URL('gitlab/', recipes)).map((file) => [`gitlab/${file}`, 'sh', '-ec'] as const),
  ...readdirSync(new URL('github/', recipes))
    .filter((file) => script(`github/${file}`, 'review', 'Plan') !== 'undefined')
    .map((file) => [`github/${file}`, 'bash', '-ec'] as const),
])('overrides of addresses reach the plan as they are, whatever files are there: %s', async (file, shell, flags) => {
  const folder = temporaryFolder();
  const seen = join(folder, 'arguments');
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'weakening=drm-policy'));
  writeFileSync(join(folder, 'weakening=drm-policy/planted'), '');
  const stub = `#!/bin/sh\nprintf '%s\\n' "$@" >'${seen}'\necho '{}' >plan.json\nexit 2\n`;
  writeFileSync(join(folder, 'bin/upkeep'), stub, { mode: 0o755 });
  const allow = 'weakening=drm-policy/* deletes=2';
  const env = { UPKEEP_ALLOW: allow, ALLOW: allow, GITHUB_OUTPUT: join(folder, 'out'), GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  const gitlab = [at(recipe(file), 'review', 'script')].flat().find((each) => String(each).includes('UPKEEP_ALLOW'));
  const text = gitlab === undefined ? script(file, 'review', 'Plan') : String(gitlab);
  const { code, stderr } = await runIn({ folder }, [shell, flags], text, env);
  expect(code, stderr).toBe(0);
  const given = readFileSync(seen, 'utf8').replaceAll('--allow=', '--allow\n').split('\n');
  expect(given.filter((_, index) => given[index - 1] === '--allow')).toEqual(['weakening=drm-policy/*', 'deletes=2']);
});

/** The text of a recipe after its introduction, without the lines by which its jobs get the credentials. */
function withoutCredentials(file: string): string {
  const lines = [
    /^(?:#.*\n)+/g,
    // GitHub: a permission, a step, and variables.
    /^ {6}id-token: .*\n/gm,
    /^ {6}- (?:uses: aws-actions|id: vault).*\n(?: {8}.*\n)+/gm,
    /^ {10}UPKEEP_(?:OWNER|API_KEY|SECRET): .*\n/gm,
    // GitLab: an image, tokens, a variable, and lines of the script.
    /^ {2}image: .*\n/gm,
    /^ {2}id_tokens:\n(?: {4}.*\n)+/gm,
    /^ {2}variables:\n {4}UPKEEP_SECRET: .*\n/gm,
    /^ {4}- .*(?:AWS_WEB_IDENTITY_TOKEN_FILE|VAULT_TOKEN).*\n/gm,
  ];
  return lines.reduce((text, each) => text.replace(each, ''), readFileSync(new URL(file, recipes), 'utf8'));
}

test.each([
  ['github/with-aws.yml', 'github/upkeep.yml'],
  ['github/with-vault.yml', 'github/upkeep.yml'],
  ['gitlab/with-aws.yml', 'gitlab/gitlab-ci.yml'],
  ['gitlab/with-vault.yml', 'gitlab/gitlab-ci.yml'],
])('the recipe %s differs from %s only in how its jobs get the credentials', (file, other) => {
  expect(withoutCredentials(other).length).toBeGreaterThan(5000);
  expect(withoutCredentials(file)).toBe(withoutCredentials(other));
});

describe('what is shipped', () => {
  const shipped = [
    ...readdirSync(new URL('github/', recipes)).map((file) => `examples/ci/github/${file}`),
    ...readdirSync(new URL('gitlab/', recipes)).map((file) => `examples/ci/gitlab/${file}`),
    '.github/actions/upkeep/action.yml',
  ];

  test.each(shipped)('installs no package by a public name, and nothing before its checksum is compared: %s', (file) => {
    const text = readFileSync(new URL(`../../${file}`, recipes), 'utf8');
    expect(text).not.toMatch(/\bnpx\b|\bnpm (ci|i|exec|x)\b|(?<!\/actions\/)upkeep@/);
    const installs = text.split('\n').filter((line) => line.includes('npm install'));
    for (const line of installs) expect(line.trim()).toBe('npm install --global --ignore-scripts --engine-strict "$release/upkeep.tgz"');
    const downloads = text.match(
      /curl [^\n]*\n +echo "\$(UPKEEP_)?SHA256 {2}\$release\/upkeep\.tgz" \| sha256sum --check --strict\n +npm install /g,
    );
    expect(downloads ?? []).toHaveLength(installs.length);
  });

  test.each(readdirSync(new URL('github/', recipes)))('all jobs of the GitHub recipe %s install upkeep by the same lines', (file) => {
    const jobs = Object.keys(Object(at(recipe(`github/${file}`), 'jobs')));
    const scripts = jobs.map((job) => script(`github/${file}`, job, 'Install upkeep')).filter((each) => each !== 'undefined');
    expect(new Set(scripts).size).toBe(file === 'with-action.yml' ? 0 : 1);
  });

  test.each(shipped.filter((file) => file.includes('/github/')))('every job that runs upkeep installs it first: %s', (file) => {
    const isAction = (step: unknown) => at(step, 'uses') === './.github/actions/upkeep';
    const jobs = Object.values(Object(at(parse(readFileSync(new URL(`../../${file}`, recipes), 'utf8')), 'jobs'))).map((job) => {
      const steps: readonly unknown[] = Object(job).steps;
      const first = steps.findIndex((step) => isAction(step) || /\bupkeep [a-z]+ /.test(String(at(step, 'run'))));
      // The action installs upkeep and runs it in one step.
      const installed = steps.findIndex((step) => isAction(step) || at(step, 'name') === 'Install upkeep');
      return { first, installed };
    });
    const running = jobs.filter(({ first }) => first > -1);
    expect(running).not.toEqual([]);
    expect(running.filter(({ first, installed }) => installed === -1 || installed > first)).toEqual([]);
  });
});

test('the GitHub apply recipe makes a matrix of the list of targets, and each job applies one target', async () => {
  const { project, tenants } = await projectWithDrift(({ name }) => `.credentials/${name}/`);
  for (const { name, owner, apiKey } of tenants) {
    project.write(`.credentials/${name}/owner`, owner);
    project.write(`.credentials/${name}/api_key`, apiKey);
  }
  project.write('output', '');
  const listed = await runIn(project, BASH, script('github/sharded-apply.yml', 'targets', 'List the targets'), { GITHUB_OUTPUT: 'output' });
  expect(listed.code, listed.stderr).toBe(0);
  const matrix: unknown = JSON.parse(project.read('output').replace(/^matrix=/, ''));
  expect(matrix).toEqual({ target: tenants.map(({ name }) => name) });
  const env = { TARGET: 'tenant-002', GITHUB_STEP_SUMMARY: 'summary' };
  expect(await runIn(project, BASH, script('github/sharded-apply.yml', 'apply', 'Apply'), env)).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('error:'),
  });
  expect(project.read('summary')).toContain('1 updated');
});

test('the GitHub drift recipe gives each shard its credentials in files, and fails where accounts were edited by hand', async () => {
  const { project, tenants } = await projectWithDrift(({ name }) => `.credentials/${name}/`);
  const CREDENTIALS = JSON.stringify(Object.fromEntries(tenants.map(({ name, owner, apiKey }) => [name, { owner, api_key: apiKey }])));
  const file = 'github/sharded-drift.yml';
  expect(await runIn(project, BASH, script(file, 'drift', 'Put the credentials into files'), { CREDENTIALS })).toMatchObject({
    code: 0,
    stderr: '',
  });
  const shards = at(recipe(file), 'jobs', 'drift', 'strategy', 'matrix', 'shard');
  expect(shards).toEqual([1, 2, 3, 4]);
  const codes: number[] = [];
  for (const SHARD of ['1', '2', '4']) {
    const { code } = await runIn(project, BASH, script(file, 'drift', 'Look for drift'), { SHARD, GITHUB_STEP_SUMMARY: 'summary' });
    codes.push(code);
  }
  // By their hashes tenant-001 is in the fourth shard, tenant-002 in the first.
  expect(codes).toEqual([3, 0, 0]);
  expect(project.read('summary')).toContain('tenant-002');
});

describe('the Kubernetes drift recipe', () => {
  const job = at(recipe('kubernetes/sharded-drift.yaml'), 'spec', 'jobTemplate', 'spec');
  const pod = at(job, 'template', 'spec');
  const container = at(pod, 'containers', 0);

  test('is an Indexed Job with as many shards as pods, one writable volume, and secrets as files', () => {
    expect(job).toMatchObject({ completionMode: 'Indexed', completions: 4 });
    expect(at(container, 'env')).toContainEqual({ name: 'SHARDS', value: '4' });
    expect(pod).toMatchObject({ automountServiceAccountToken: false, restartPolicy: 'Never', securityContext: { runAsNonRoot: true } });
    for (const each of [at(pod, 'initContainers', 0), container]) {
      expect(at(each, 'securityContext')).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(at(each, 'env')).not.toContainEqual(expect.objectContaining({ valueFrom: expect.anything() }));
    }
    expect(at(container, 'volumeMounts')).toContainEqual({ name: 'credentials', mountPath: '/run/upkeep', readOnly: true });
  });

  test('assigns each pod a shard by its index, counted from 0', async () => {
    const { project, tenants } = await projectWithDrift(({ name }) => `run/${name}.`);
    for (const { name, owner, apiKey } of tenants) {
      project.write(`run/${name}.owner`, owner);
      project.write(`run/${name}.api_key`, apiKey);
    }
    const [shell, flag] = [at(container, 'command', 0), at(container, 'command', 1)].map(String);
    const drift = (index: number) =>
      runIn(project, [shell ?? '', flag ?? ''], String(at(container, 'args', 0)), { JOB_COMPLETION_INDEX: String(index), SHARDS: '4' });
    expect(await drift(0)).toMatchObject({ code: 3, stdout: expect.stringContaining('tenant-002') });
    expect(await drift(1)).toMatchObject({ code: 0, stderr: expect.stringContaining('shard 2/4 has none') });
    expect(await drift(3)).toMatchObject({ code: 0, stdout: expect.stringContaining('tenant-001') });
  });
});
