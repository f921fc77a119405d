/**
 * The GitLab recipe, run by gitlab-ci-local: it checks the file against GitLab's own schema, and runs the jobs in shells, each in a copy of
 * the checkout, with artifacts between them. It needs rsync, which `.ci/run` installs.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { listening } from '../core/api-client/servers.ts';
import { manyPlaylists } from '../e2e/accounts.ts';
import { startGitlab } from '../integrations/code-hosts/gitlab-double.ts';
import { readJunit } from '../report/languages/junit.ts';
import { readSarif } from '../report/languages/sarif.ts';
import {
  createRecipeProject,
  createTwoEnvironments,
  type Environment,
  hostileYaml,
  PRODUCTION_SECRETS,
  type RecipeProject,
  releaseOf,
  runProgram,
  SECRETS,
  STAGING_SECRETS,
  withRelease,
} from './recipe-project.ts';
import { AWS, AWS_ROLES, credentialsIn, ID_TOKEN, VAULT } from './secret-stores.ts';

const RUNNER = createRequire(import.meta.url).resolve('gitlab-ci-local/src/index.js');

const hasRsync = spawnSync('rsync', ['--version']).status === 0;
if (!hasRsync) process.stderr.write('The GitLab recipe was not run, because rsync is not here: apt-get install rsync\n');

test('CI has rsync', () => {
  expect(hasRsync || (process.env.CI ?? '') === '', 'apt-get install rsync').toBe(true);
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A pipeline on a ref: its jobs run in a checkout of it. */
function pipeline(at: RecipeProject, ref: string, source: string, variables: Environment) {
  const cwd = at.checkout(ref);
  const all = { ...SECRETS, ...variables, CI_PIPELINE_SOURCE: source, CI_MERGE_REQUEST_PROJECT_ID: '42' };
  const settings = Object.entries(all).flatMap(([name, value]) => ['--variable', `${name}=${value}`]);
  const flags = [
    '--home',
    at.env.HOME ?? '',
    '--no-evaluate-rule-changes',
    '--force-shell-executor',
    '--shell-isolation',
    '--no-artifacts-to-source',
    '--no-json-schema-validation',
  ];
  const run = (...words: readonly string[]) => runProgram(cwd, at.env, process.execPath, RUNNER, ...flags, ...settings, ...words);
  const placesOf = (job: string, file: string) => ['artifacts', 'builds'].map((folder) => join(cwd, '.gitlab-ci-local', folder, job, file));
  return {
    run,
    /** Whether a job has left a file, as an artifact or in its folder. */
    has: (job: string, file: string) => placesOf(job, file).some((place) => existsSync(place)),
    /** The jobs that the rules call for, each with when it starts. */
    async jobs(): Promise<readonly string[]> {
      const { stdout } = await run('--list-csv');
      return stdout.split('\n').flatMap((line) => /^(?!name;)(\w+);[^;]*;\w+;(\w+)/.exec(line)?.slice(1, 3).join(' ') ?? []);
    },
    /**
     * A file that a job hands on (`paths`), or has left in its folder for GitLab to read (`reports`, which the runner here does not keep).
     */
    artifact(job: string, file: string): string {
      const places = placesOf(job, file);
      return readFileSync(places.find((place) => existsSync(place)) ?? '', 'utf8');
    },
  };
}

type Files = { readonly [name: string]: string };

function files(at: RecipeProject, repeat: number, recipe = 'gitlab-ci.yml'): Files {
  const text = withRelease(readFileSync(`examples/ci/gitlab/${recipe}`, 'utf8'), at.release);
  return { '.gitlab-ci.yml': text, 'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(2, { repeat }) }) };
}

const repeats = async (at: RecipeProject) => (await at.playlists()).map(({ repeat }) => repeat);

test.runIf(hasRsync)('the GitLab recipe works from the merge request over the merge to the drift check after a hand edit', async () => {
  const at = await createRecipeProject();
  const host = await startGitlab();
  closing.push(host.close);
  const env = { ...host.env, GITLAB_CI: 'true' };

  at.push('refs/heads/main', files(at, 1));
  const merged = pipeline(at, 'main', 'push', env);
  expect(await merged.run('--json-schema-validation', '--preview')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('json schema validated'),
  });
  expect(await merged.jobs()).toEqual(['review on_success', 'apply manual']);
  const applied = await merged.run('review', 'apply');
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  expect(await repeats(at)).toEqual([1, 1]);
  expect(JSON.parse(merged.artifact('apply', 'outcome.json'))).toMatchObject({ summary: { created: 2 }, verified: true });

  host.head = at.push('refs/heads/change', files(at, 2));
  const request = { ...env, CI_COMMIT_SHA: host.head, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42' };
  const requested = pipeline(at, 'change', 'merge_request_event', request);
  expect(await requested.jobs()).toEqual(['validate on_success', 'plan on_success', 'comment always']);
  const planned = await requested.run('validate', 'plan', 'comment');
  expect(planned.code, planned.stdout + planned.stderr).toBe(0);
  expect(host.notes).toMatchObject([{ body: expect.stringContaining('2 to update') }]);
  expect(host.notes[0]?.body).toMatch(/\[The report with pictures\]\(https:\/\/\S+\/artifacts\/file\/plan\.html\)/);
  const page = requested.artifact('plan', 'plan.html');
  expect(page).toContain('<html');
  for (const secret of Object.values(SECRETS)) expect(page).not.toContain(secret);
  expect(JSON.parse(requested.artifact('validate', 'gl-code-quality-report.json'))).toEqual([]);
  expect(readJunit(requested.artifact('plan', 'plan.xml')).children).not.toEqual([]);
  expect(readSarif(requested.artifact('plan', 'plan.sarif')).invocations).toMatchObject([{ executionSuccessful: true }]);
  await requested.run('plan', 'comment', '--variable', 'UPKEEP_API_KEY=an-old-key-of-this-account');
  expect(host.notes).toMatchObject([{ body: expect.stringMatching(/Credentials refused .* Nothing was planned\./) }]);
  const fork = pipeline(at, 'change', 'merge_request_event', { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '99' });
  expect(await fork.jobs()).toEqual(['validate on_success', 'diff on_success']);
  const [base = ''] = at.git('/', 'ls-remote', at.remote, 'refs/heads/main').split('\t');
  const from = { CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_MERGE_REQUEST_PROJECT_URL: at.remote.replace(/\.git$/, '') };
  const compared = await fork.run('diff', ...Object.entries(from).flatMap(([name, value]) => ['--variable', `${name}=${value}`]));
  expect(compared.code, compared.stdout + compared.stderr).toBe(0);
  expect(JSON.parse(fork.artifact('diff', 'diff.json'))).toMatchObject({ base: { commit: base }, summary: { update: 2 } });

  const weakened = { 'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(2, { repeat: 1, skip_drm: 1 }) }) };
  at.push('refs/heads/main', weakened);
  const blocked = await pipeline(at, 'main', 'push', env).run('review');
  expect([blocked.code, blocked.stderr]).toEqual([1, expect.stringMatching(/^review finished in .* FAIL 4 $/m)]);
  const overriding = pipeline(at, 'main', 'web', { ...env, UPKEEP_ALLOW: 'weakening updates' });
  expect(await overriding.jobs()).toEqual(['review on_success', 'apply manual']);
  const overridden = await overriding.run('review', 'apply');
  expect(overridden.code, overridden.stdout + overridden.stderr).toBe(0);
  expect(overridden.stdout).toContain('Overridden safety checks: weakening (2 changes)');
  expect(JSON.parse(overriding.artifact('apply', 'outcome.json'))).toMatchObject({ overrides: [{ check: 'weakening', count: 2 }] });

  const nightly = pipeline(at, 'main', 'schedule', env);
  expect(await nightly.jobs()).toEqual(['drift on_success']);
  await at.edit('p2', { repeat: 9 });
  const nightlyDrift = await nightly.run('drift');
  expect([nightlyDrift.code, nightlyDrift.stderr]).toEqual([1, expect.stringMatching(/^drift finished in .* FAIL 3 $/m)]);
  expect(nightly.artifact('drift', 'drift.xml')).toContain('playlist/p2');
  expect(host.issues).toMatchObject([{ state: 'opened' }]);
});

test.runIf(hasRsync)(
  'a merge request on GitLab that changes upkeep.yaml neither gets the key, nor starts a program, nor chooses the ledger',
  async () => {
    const at = await createRecipeProject();
    const host = await startGitlab();
    closing.push(host.close);
    const env = { ...host.env, GITLAB_CI: 'true', CI_JOB_URL: 'https://gitlab.example/acme/streaming/-/jobs/4' };
    at.push('refs/heads/main', files(at, 1));
    const requests: string[] = [];
    const stranger = await listening((request, response) => {
      requests.push(String(request.url));
      response.end();
    });
    const started = join(at.folder('stranger'), 'started');
    host.head = at.push('refs/heads/change', { ...files(at, 2), 'upkeep.yaml': hostileYaml(at, stranger, started) });
    const request = { ...env, CI_COMMIT_SHA: host.head, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42' };
    const ran = await pipeline(at, 'change', 'merge_request_event', request).run('plan', 'comment');
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    expect([requests, existsSync(started)]).toEqual([[], false]);
    expect(host.notes).toMatchObject([{ body: expect.stringContaining('differs from `refs/remotes/origin/main` in more than') }]);
    expect(host.notes[0]?.body).toContain('2 to create');
  },
);

test.runIf(hasRsync)(
  'the GitLab recipe installs the release that it names itself, whatever release a pipeline variable names',
  async () => {
    const at = await createRecipeProject();
    at.push('refs/heads/main', files(at, 1));
    const other = await releaseOf('the bytes of another release');
    const variables = { GITLAB_CI: 'true', UPKEEP_TARBALL: other.tarball, UPKEEP_SHA256: other.sha256 };
    const started = await pipeline(at, 'main', 'web', { ...variables, UPKEEP_ALLOW: 'updates' }).run('review', 'apply');
    expect(started.code, started.stdout + started.stderr).toBe(0);
    expect(await repeats(at)).toEqual([1, 1]);
  },
);

test.runIf(hasRsync)('the GitLab recipe installs nothing where nobody has filled it in, whatever a pipeline variable names', async () => {
  const at = await createRecipeProject();
  const empty = { ...at, release: { tarball: '', sha256: '' } };
  at.push('refs/heads/main', files(empty, 1));
  const variables = { GITLAB_CI: 'true', UPKEEP_TARBALL: at.release.tarball, UPKEEP_SHA256: at.release.sha256 };
  const started = await pipeline(at, 'main', 'push', variables).run('review');
  expect([started.code, started.stdout + started.stderr]).toEqual([1, expect.stringContaining('UPKEEP_TARBALL: is not set')]);
});

test.runIf(hasRsync)(
  'reports that a merge request brings are gone from a job of the GitLab recipe that could not install upkeep',
  async () => {
    const at = await createRecipeProject();
    const gone = { ...at, release: { tarball: 'http://127.0.0.1:9/upkeep.tgz', sha256: '0'.repeat(64) } };
    const planted = Object.fromEntries(
      ['plan.html', 'plan.json', 'validation.xml', 'outcome.json', 'drift.xml'].map((name) => [name, 'planted']),
    );
    at.push('refs/heads/main', files(gone, 1));
    at.push('refs/heads/change', { ...files(gone, 2), ...planted });
    const request = { GITLAB_CI: 'true', CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42' };
    for (const [source, job, reports] of [
      ['merge_request_event', 'validate', ['validation.xml']],
      ['merge_request_event', 'plan', ['plan.html', 'plan.json']],
      ['schedule', 'drift', ['drift.xml']],
    ] as const) {
      const ended = pipeline(at, 'change', source, request);
      expect((await ended.run(job)).code).toBe(1);
      for (const name of Object.keys(planted)) expect([name, ended.has(job, name)]).toEqual([name, !reports.some((each) => each === name)]);
    }
  },
);

test.runIf(hasRsync).each<[string, Files, readonly string[], Environment, RegExp]>([
  [
    'whose sources are invalid',
    { 'config/account.yaml': 'playlists: { p1: { repeat: often } }\n' },
    ['plan', 'comment'],
    {},
    /config\/account\.yaml[\s\S]*repeat/,
  ],
  ['without its credentials', {}, ['plan', 'comment'], { UPKEEP_API_KEY: '' }, /UPKEEP_API_KEY` is empty/],
  ['that ended before it planned', {}, ['comment'], {}, /there is no plan: `plan\.json` was not written/],
])('the GitLab recipe comments on a plan %s', async (_what, changed, jobs, variables, telling) => {
  const at = await createRecipeProject();
  const host = await startGitlab();
  closing.push(host.close);
  at.push('refs/heads/main', files(at, 1));
  host.head = at.push('refs/heads/change', { ...files(at, 2), ...changed });
  const env = { ...host.env, GITLAB_CI: 'true', CI_COMMIT_SHA: host.head, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42' };
  await pipeline(at, 'change', 'merge_request_event', { ...env, ...variables }).run(...jobs);
  expect(host.notes).toMatchObject([{ body: expect.stringMatching(telling) }]);
});

test.runIf(hasRsync)('the GitLab recipe for two environments takes a merge over staging to production, and waits in a freeze', async () => {
  const recipe = 'two-environments.yml';
  const at = await createTwoEnvironments();
  const host = await startGitlab();
  closing.push(host.close);
  const env = { ...host.env, ...STAGING_SECRETS, ...PRODUCTION_SECRETS, GITLAB_CI: 'true' };
  const byHand = (target: string, ref: string, allow: string) =>
    pipeline(at, 'main', 'web', { ...env, UPKEEP_TARGET: target, UPKEEP_REF: ref, UPKEEP_ALLOW: allow });
  const ended = async (started: ReturnType<typeof pipeline>, ...jobs: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await started.run(...jobs);
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  };

  at.push('refs/heads/main', files(at, 1, recipe));
  const merged = pipeline(at, 'main', 'push', env);
  const preview = await merged.run('--json-schema-validation', '--preview');
  expect(preview).toMatchObject({ code: 0, stderr: expect.stringContaining('json schema validated') });
  expect(await merged.jobs()).toEqual(['staging on_success']);
  await ended(merged, 'staging');
  const hour = pipeline(at, 'main', 'schedule', env);
  expect(await hour.jobs()).toEqual(['review on_success', 'production on_success']);
  await ended(hour, 'review', 'production');
  expect(await at.repeats()).toEqual({ staging: [1, 1], production: [1, 1] });
  expect(await ended(pipeline(at, 'main', 'schedule', env), 'review', 'production')).toContain('There is nothing to apply now');

  host.head = at.push('refs/heads/change', files(at, 5, recipe));
  const request = { ...env, CI_COMMIT_SHA: host.head, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42' };
  await ended(pipeline(at, 'change', 'merge_request_event', request), 'validate', 'plan', 'comment');
  expect(host.notes.map(({ body }) => [body.includes('2 to update'), body.includes('Staging has not carried')])).toEqual([
    [true, false],
    [true, true],
  ]);

  at.push('refs/heads/main', { ...files(at, 2, recipe), 'upkeep.yaml': at.yaml({ deny: [{ why: 'incident 4711' }] }) });
  await ended(pipeline(at, 'main', 'push', env), 'staging');
  expect(await ended(pipeline(at, 'main', 'schedule', env), 'review', 'production')).toContain('incident 4711');
  expect(await at.repeats()).toEqual({ staging: [2, 2], production: [1, 1] });
  const asked = await byHand('production', 'promoted', '').run('review');
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringMatching(/^review finished in .* FAIL 4 $/m)]);

  at.push('refs/heads/main', files(at, 3, recipe));
  const emergency = byHand('production', 'HEAD', 'promotion window');
  expect(await emergency.jobs()).toEqual(['review on_success', 'production manual']);
  expect(await ended(emergency, 'review', 'production')).toContain('because the run overrides it');
  expect(await at.repeats()).toEqual({ staging: [2, 2], production: [3, 3] });
  const again = byHand('staging', 'promoted', '');
  expect(await again.jobs()).toEqual(['staging on_success']);

  const nightly = pipeline(at, 'main', 'schedule', { ...env, UPKEEP_DRIFT: 'true' });
  expect(await nightly.jobs()).toEqual(['drift on_success']);
  await ended(nightly, 'drift');
});

test.runIf(hasRsync).each<['aws' | 'vault', Environment]>([
  ['aws', { AWS_REGION: 'eu-central-1' }],
  ['vault', { VAULT_ADDR: 'https://vault.example' }],
])('the GitLab recipe for %s exchanges the ID token of each job for the credentials of its environment', async (store, common) => {
  const recipe = `with-${store}.yml`;
  const at = await createRecipeProject(credentialsIn(readFileSync(`examples/ci/gitlab/${recipe}`, 'utf8')));
  at.addProgram('aws', AWS);
  at.addProgram('vault', VAULT);
  const host = await startGitlab();
  closing.push(host.close);
  // A variable of GitLab can have another value in each environment.
  const roleOf = (environment: keyof typeof AWS_ROLES) => ['--variable', `AWS_ROLE_ARN=${AWS_ROLES[environment]}`];
  const noSecrets = { UPKEEP_OWNER: '', UPKEEP_API_KEY: '' };
  const env = { ...host.env, GITLAB_CI: 'true', ...noSecrets, ...common, UPKEEP_ID_TOKEN: ID_TOKEN };
  at.push('refs/heads/main', files(at, 1, recipe));
  const merged = pipeline(at, 'main', 'push', env);
  const reviewed = await merged.run('review', ...roleOf('plan'));
  expect(reviewed.code, reviewed.stdout + reviewed.stderr).toBe(0);
  if (store === 'aws') expect((await merged.run('apply', ...roleOf('plan'))).code).toBe(1);
  const applied = await merged.run('apply', ...roleOf('apply'));
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  expect(await repeats(at)).toEqual([1, 1]);
  host.head = at.push('refs/heads/change', files(at, 2, recipe));
  const request = { ...env, CI_COMMIT_SHA: host.head, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42' };
  const planned = await pipeline(at, 'change', 'merge_request_event', request).run('plan', 'comment', ...roleOf('plan'));
  expect(planned.code, planned.stdout + planned.stderr).toBe(0);
  expect(host.notes).toMatchObject([{ body: expect.stringContaining('2 to update') }]);
});
