/** The GitHub recipe, run step by step: from the pull request over the merge to the drift check after a hand edit. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Release } from '../../src/cli/init/release.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { listening } from '../core/api-client/servers.ts';
import { manyPlaylists } from '../e2e/accounts.ts';
import { type GithubDouble, startGithub } from '../integrations/code-hosts/github-double.ts';
import { readSarif } from '../report/languages/sarif.ts';
import { type GithubEvent, type Settings, workflow } from './actions.ts';
import { createRecipeProject, type Environment, hostileYaml, type RecipeProject, SECRETS, TARBALL } from './recipe-project.ts';
import { AWS, AWS_ROLES, credentialsIn, vaultSecrets } from './secret-stores.ts';

const RECIPE = 'examples/ci/github/upkeep.yml';

type Files = { readonly [name: string]: string };

/** A repository with its settings, and the API of its host. */
interface GithubProject extends RecipeProject {
  readonly github: GithubDouble;
  readonly settings: Settings;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Creates a project whose upkeep.yaml is on `main`, and which declares nothing yet. */
async function setUp(credentials?: JsonObject): Promise<GithubProject> {
  const [project, github] = [await createRecipeProject(credentials), await startGithub()];
  closing.push(github.close);
  project.push('refs/heads/main', { 'config/account.yaml': '# nothing yet\n' });
  // The token is what the workflow hands on, and nothing that the runner has.
  const { GITHUB_TOKEN: _token, GITHUB_ACTIONS: _actions, GITHUB_REF: _ref, GITHUB_REPOSITORY: _repository, ...env } = github.env;
  return { ...project, github, settings: { secrets: { 'production-plan': SECRETS, production: SECRETS }, env } };
}

function account(repeat: number, more: { readonly p1?: number } = {}): { readonly 'config/account.yaml': string } {
  const playlists = manyPlaylists(3, { repeat });
  const own = more.p1 === undefined ? {} : manyPlaylists(1, { repeat: more.p1 });
  return { 'config/account.yaml': JSON.stringify({ playlists: { ...playlists, ...own } }) };
}

/** The run after a merge of this. */
function merging(at: GithubProject, files: Files, recipe = RECIPE) {
  const ref = 'refs/heads/main';
  return workflow(at, recipe, { name: 'push', ref, sha: at.push(ref, files) }, at.settings);
}

/** Returns the run on pull request 7 with these files. */
function pullRequest(at: GithubProject, files: Files, from: 'here' | 'a fork', recipe = RECIPE) {
  const ref = 'refs/pull/7/merge';
  const sha = at.push(ref, files);
  at.github.head = sha;
  const side = (name: string, id: number) => ({ sha, repo: { full_name: name, id } });
  const head = from === 'here' ? side('acme/streaming', 1) : side('stranger/streaming', 2);
  const event = { pull_request: { number: 7, head, base: side('acme/streaming', 1) } };
  const githubEvent: GithubEvent = { name: 'pull_request', ref, sha, event };
  return workflow(at, recipe, githubEvent, at.settings);
}

async function nightlyDrift(at: GithubProject) {
  const { drift } = await workflow(at, RECIPE, { name: 'schedule', ref: 'refs/heads/main', sha: '' }, at.settings).run();
  return drift;
}

const repeats = async (at: RecipeProject) => (await at.playlists()).map(({ repeat }) => repeat);
const results = (jobs: { readonly [job: string]: { readonly result: string } }) =>
  Object.fromEntries(Object.entries(jobs).flatMap(([name, { result }]) => (result === 'skipped' ? [] : [[name, result]])));

test('the GitHub recipe works from the pull request over the merge to the drift check after a hand edit', async () => {
  const at = await setUp();
  expect(results(await merging(at, account(1)).run())).toEqual({ review: 'success', apply: 'success' });
  expect(await repeats(at)).toEqual([1, 1, 1]);
  expect(at.git('/', 'ls-remote', at.remote, 'refs/upkeep/*')).toMatch(/^[0-9a-f]{40}\trefs\/upkeep\/production$/);

  const requested = await pullRequest(at, account(2), 'here').run();
  expect(results(requested), requested.comment?.log).toEqual({ validate: 'success', plan: 'success', comment: 'success' });
  expect(at.github.comments).toMatchObject([{ on: 7, body: expect.stringContaining('3 to update') }]);
  expect(at.github.checks).toHaveLength(1);
  expect(await repeats(at)).toEqual([1, 1, 1]);

  // What has moved since it was approved is not written, until it is reviewed again.
  const merged = merging(at, account(2, { p1: 3 }));
  expect(results(await merged.run('review'))).toEqual({ review: 'success' });
  await at.edit('p1', { repeat: 7 });
  expect(await merged.run('apply')).toMatchObject({ apply: { result: 'failure', code: 6 } });
  expect(await repeats(at)).toEqual([7, 1, 1]);
  const jobs = await merged.run('review', 'apply');
  expect(results(jobs)).toEqual({ review: 'success', apply: 'success' });
  expect(jobs.review?.summary).toContain('3 to update');
  expect(jobs.apply?.summary).toContain('3 updated');
  expect(await repeats(at)).toEqual([3, 2, 2]);

  expect(await nightlyDrift(at)).toMatchObject({ result: 'success' });
  expect(at.github.issues).toEqual([]);
  await at.edit('p2', { repeat: 9 });
  expect(await nightlyDrift(at)).toMatchObject({ result: 'failure', code: 3, summary: expect.stringContaining('playlist/p2') });
  expect(at.github.issues).toMatchObject([{ state: 'open', body: expect.stringContaining('playlist/p2') }]);

  // The hand edit was accepted: nothing is written, but it is recorded, so that it is no longer drift.
  const over = await merging(at, {
    'config/account.yaml': account(2, { p1: 3 })['config/account.yaml'].replace(/("p2":\{"repeat":)2/, '$19'),
  }).run();
  expect(results(over)).toEqual({ review: 'success', apply: 'success' });
  expect(await nightlyDrift(at)).toMatchObject({ result: 'success' });
  expect(at.github.issues).toMatchObject([{ state: 'closed' }]);
});

test('the GitHub recipe overrides a safety check by a run by hand that names it, which waits for the same approval', async () => {
  const at = await setUp();
  await merging(at, account(1)).run();
  const weakened = { 'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(3, { repeat: 1, skip_drm: 1 }) }) };
  expect(await merging(at, weakened).run()).toMatchObject({ review: { result: 'failure', code: 4 }, apply: { result: 'skipped' } });

  const byHand = (allow: string) =>
    workflow(at, RECIPE, { name: 'workflow_dispatch', ref: 'refs/heads/main', sha: '', inputs: { allow } }, at.settings);
  expect(results(await byHand('updates').run())).toEqual({ review: 'failure' });
  const overriding = byHand('updates weakening');
  const reviewed = await overriding.run('review');
  expect(reviewed.review?.summary).toContain('Overridden safety checks: weakening (3 changes)');
  expect(reviewed.review?.outputs.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
  const { apply } = await overriding.run('apply');
  expect(apply, apply?.log).toMatchObject({ result: 'success', summary: expect.stringContaining('Overridden safety checks: weakening') });
  expect((await at.playlists()).map(({ skip_drm }) => skip_drm)).toEqual([1, 1, 1]);
  expect(results(await byHand('').run())).toEqual({ drift: 'success' });
});

const OLD_KEY = { ...SECRETS, UPKEEP_API_KEY: 'an-old-key-of-this-account' };
const COMMENT_ONLY = { 'config/account.yaml': '# nothing to plan\n# at all\n' };

test.each<[string, Files, Partial<Settings>, number, RegExp]>([
  [
    'whose sources are invalid',
    { 'config/account.yaml': 'playlists: { p1: { repeat: often } }\n' },
    {},
    8,
    /config\/account\.yaml[\s\S]*repeat/,
  ],
  ['whose upkeep.yaml cannot be read', { 'upkeep.yaml': 'version: [1\n' }, {}, 8, /upkeep\.yaml/],
  [
    'without its credentials',
    COMMENT_ONLY,
    { secrets: { 'production-plan': { UPKEEP_OWNER: '', UPKEEP_API_KEY: '' } } },
    8,
    /UPKEEP_OWNER` is empty/,
  ],
  [
    'with a key that the service refuses',
    account(2),
    { secrets: { 'production-plan': OLD_KEY } },
    7,
    /Credentials refused .* Nothing was planned\./,
  ],
])('the GitHub recipe comments on a plan %s', async (_what, files, settings, code, telling) => {
  const at = await setUp();
  const { plan, comment } = await pullRequest({ ...at, settings: { ...at.settings, ...settings } }, files, 'here').run();
  expect([plan?.code, comment?.result], plan?.log).toEqual([code, 'success']);
  expect(at.github.comments).toMatchObject([{ on: 7, body: expect.stringMatching(telling) }]);
  expect(at.github.comments[0]?.body).toMatch(/hint:|Check the owner/);
});

test('the GitHub recipe comments on a plan that could not reach the service', async () => {
  const at = await setUp();
  at.push('refs/heads/main', { 'upkeep.yaml': at.upkeepYaml().replace(/base_url: .*/, 'base_url: http://127.0.0.1:9') });
  const { plan, comment } = await pullRequest(at, account(2), 'here').run();
  expect([plan?.code, comment?.result], plan?.log).toEqual([10, 'success']);
  expect(at.github.comments).toMatchObject([
    { body: expect.stringMatching(/Nothing was planned[\s\S]*Run again when the service answers/) },
  ]);
});

test('the GitHub recipe comments on a job that ended before it planned', async () => {
  const at = await setUp();
  const { comment } = await pullRequest({ ...at, settings: { ...at.settings, refused: ['plan'] } }, account(2), 'here').run();
  expect(comment).toMatchObject({ result: 'failure', code: 8 });
  expect(at.github.comments).toMatchObject([{ on: 7, body: expect.stringContaining('there is no plan: `plan.json` was not written') }]);
});

test('the GitHub recipe plans the first pull request once its upkeep.yaml is merged, and says so', async () => {
  const at = await setUp();
  at.git(at.remote.replace('file://', ''), 'update-ref', 'refs/heads/main', emptyCommit(at));
  const { plan } = await pullRequest(at, account(2), 'here').run();
  expect(plan).toMatchObject({ result: 'failure', code: 8 });
  expect(at.github.comments).toMatchObject([{ body: expect.stringMatching(/upkeep\.yaml[\s\S]*refs\/remotes\/origin\/main[\s\S]*merge/) }]);
});

/** Adds a commit without files to the remote, and gives it. */
function emptyCommit(at: RecipeProject): string {
  const bare = at.remote.replace('file://', '');
  const tree = at.git(bare, 'hash-object', '-t', 'tree', '-w', '/dev/null');
  return at.git(bare, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit-tree', '-m', 'begin', tree);
}

test('a pull request that changes upkeep.yaml neither gets the key, nor starts a program, nor chooses the ledger or the checks', async () => {
  const at = await setUp();
  await merging(at, account(1)).run();
  const requests: string[] = [];
  const stranger = await listening((request, response) => {
    requests.push(String(request.url));
    response.end();
  });
  const started = join(at.folder('stranger'), 'started');
  const weakened = { 'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(3, { repeat: 1, skip_drm: 1 }) }) };
  const jobs = await pullRequest(at, { ...weakened, 'upkeep.yaml': hostileYaml(at, stranger, started) }, 'here').run();
  expect(results(jobs), jobs.plan?.log).toEqual({ validate: 'success', plan: 'success', comment: 'success' });
  expect([requests, existsSync(started)]).toEqual([[], false]);
  const [comment] = at.github.comments;
  expect(comment?.body).toContain('differs from `refs/remotes/origin/main` in more than');
  // The checks are those of main, and so is the ledger: without it, nothing would say who has changed what.
  expect(comment?.body).toMatch(/blocked/i);
  expect(comment?.body).toMatch(/Origin|from the repository/);
});

test('the GitHub recipe links the comment to the report in HTML, which holds no secret', async () => {
  const at = await setUp();
  await pullRequest(at, account(2), 'here').run();
  const link = '[The report with pictures](https://github.example/acme/streaming/actions/runs/4711/artifacts/plan.html).';
  expect(at.github.comments).toMatchObject([{ body: expect.stringContaining(link) }]);
  const { plan } = await pullRequest(at, { 'config/account.yaml': 'playlists: { p1: { repeat: often } }\n' }, 'here').run();
  expect(plan?.artifacts['plan.html/plan.html']).toContain('<html');
  for (const text of Object.values(plan?.artifacts ?? {})) for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
});

test('files of a pull request with the names of the reports are neither uploaded nor in the way', async () => {
  const at = await setUp();
  const forged = { 'plan.json/plan.json': '{}', 'plan.html': 'forged', 'plan.sarif': '{}' };
  const { plan, comment } = await pullRequest(at, { ...account(2), ...forged }, 'here').run();
  expect([plan?.result, comment?.result], plan?.log).toEqual(['success', 'success']);
  expect(plan?.artifacts['plan.html/plan.html']).toContain('<html');
  expect(at.github.comments).toMatchObject([{ body: expect.stringContaining('3 to create') }]);
});

test('the GitHub recipe answers a merge queue with the checks `validate` and `plan`, and comments on nothing', async () => {
  const at = await setUp();
  const ref = 'refs/heads/gh-readonly-queue/main/pr-7-0123456';
  const queued = (files: Files) => {
    const sha = at.push(ref, files);
    const merge_group = { head_sha: sha, head_ref: ref, base_ref: 'refs/heads/main', base_sha: sha };
    return workflow(at, RECIPE, { name: 'merge_group', ref, sha, event: { action: 'checks_requested', merge_group } }, at.settings).run();
  };
  expect(results(await queued(account(2)))).toEqual({ validate: 'success', plan: 'success' });
  const wrong = await queued({ 'config/account.yaml': 'playlists: { p1: { repeat: often } }\n' });
  expect(results(wrong)).toEqual({ validate: 'failure', plan: 'failure' });
  expect(at.github.requests).toEqual([]);
  expect(await repeats(at)).toEqual([]);
});

test('the GitHub recipe uploads findings and blocked changes to code scanning where a variable of the repository asks for it', async () => {
  const at = await setUp();
  const uploads: JsonObject[] = [];
  const actions = {
    'github/codeql-action/upload-sarif': ({ sarif_file, category }: Environment, { workspace }: { readonly workspace: string }) => {
      const sarif = readSarif(readFileSync(join(workspace, String(sarif_file)), 'utf8'));
      uploads.push({ category: String(category), results: sarif.results.map(({ ruleId }) => String(ruleId)) });
      return {};
    },
  };
  const scanned = { ...at, settings: { ...at.settings, actions, variables: { UPKEEP_CODE_SCANNING: 'true' } } };
  expect(results(await merging(scanned, account(1)).run())).toEqual({ review: 'success', apply: 'success', 'code-scanning': 'success' });
  const weakened = { 'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(3, { repeat: 1, skip_drm: 1 }) }) };
  expect(results(await pullRequest(scanned, weakened, 'here').run())).toMatchObject({ plan: 'success', 'code-scanning': 'success' });
  expect(uploads).toMatchObject([
    { category: 'upkeep', results: [] },
    { results: expect.arrayContaining([expect.stringContaining('weakening')]) },
  ]);
  expect(results(await pullRequest(scanned, account(1), 'a fork').run())).toEqual({ validate: 'success', diff: 'success' });
  expect(
    (await workflow(scanned, RECIPE, { name: 'schedule', ref: 'refs/heads/main', sha: '' }, scanned.settings).run())['code-scanning'],
  ).toMatchObject({ result: 'skipped' });
});

test('the GitHub recipe installs a tarball from the cache if its SHA-256 is right, but not to apply, and downloads it again if it is not', async () => {
  const at = await setUp();
  const cached = (bytes: string, release: Partial<Release>) => {
    const cache = { [`upkeep-${at.release.sha256}`]: { 'upkeep.tgz': bytes } };
    return { ...at, release: { ...at.release, ...release }, settings: { ...at.settings, cache } };
  };
  const gone = { tarball: 'http://127.0.0.1:9/upkeep.tgz' };
  expect(await merging(cached(TARBALL, gone), account(1)).run()).toMatchObject({
    review: { result: 'success' },
    apply: { result: 'failure', steps: ['Install upkeep'] },
  });
  expect(results(await merging(cached('a poisoned tarball', {}), account(2)).run())).toEqual({ review: 'success', apply: 'success' });
  const { validate } = await pullRequest(cached('a poisoned tarball', gone), account(3), 'a fork').run();
  expect(validate).toMatchObject({ result: 'failure', steps: ['Install upkeep'] });
});

test('the GitHub recipe validates a fork and compares it with main without a secret, and neither plans nor comments on it', async () => {
  const at = await setUp();
  at.push('refs/heads/main', account(1));
  const withoutSecrets = { ...at, settings: { ...at.settings, secrets: {} } };
  const jobs = await pullRequest(withoutSecrets, account(2), 'a fork').run();
  expect(results(jobs), jobs.diff?.log).toEqual({ validate: 'success', diff: 'success' });
  expect(jobs.diff?.summary).toMatch(/Compared with commit[\s\S]*3 to update/);
  expect(Object.keys(jobs.diff?.artifacts ?? {}).sort()).toEqual(['diff/diff.html', 'diff/diff.json']);
  const wrong = await pullRequest(at, { 'config/account.yaml': 'playlists: { p1: { repeat: often, playlist: [] } }\n' }, 'a fork').run();
  expect(wrong.validate).toMatchObject({ result: 'failure', code: 8, log: expect.stringContaining('::error file=config/account.yaml') });
  expect(at.github.requests).toEqual([]);
});

test('the GitHub recipe asks for no approval of blocked changes, and passes the outputs of the action to the next step', async () => {
  const at = await setUp();
  await merging(at, account(1)).run();
  const jobs = await merging(at, { 'config/account.yaml': '{"playlists":{}}' }).run();
  expect(jobs).toMatchObject({ review: { result: 'failure', summary: expect.stringMatching(/blocked/i) }, apply: { result: 'skipped' } });
  expect(await repeats(at)).toEqual([1, 1, 1]);
  await at.edit('p3', { repeat: 4 });
  const githubEvent = { name: 'schedule', ref: 'refs/heads/main', sha: '' } as const;
  const { drift } = await workflow(at, 'examples/ci/github/with-action.yml', githubEvent, at.settings).run();
  expect(drift).toMatchObject({ result: 'failure', code: 3, summary: expect.stringContaining('playlist/p3') });
  expect(drift?.log).toContain('::error::1 resources were changed by hand');
});

test('a job of the GitHub recipe that is run again for an old commit rolls nothing back, in its clone of depth 1', async () => {
  const at = await setUp();
  const old = merging(at, account(1));
  expect(results(await old.run())).toEqual({ review: 'success', apply: 'success' });
  const oldCommit = at.git('/', 'ls-remote', at.remote, 'refs/heads/main').slice(0, 40);
  expect(results(await merging(at, account(1, { p1: 3 })).run())).toEqual({ review: 'success', apply: 'success' });
  expect(await repeats(at)).toEqual([3, 1, 1]);

  // The checkout of that job is the old commit.
  at.git(at.remote.replace('file://', ''), 'update-ref', 'refs/heads/main', oldCommit);
  const again = await old.run();
  expect(again.review).toMatchObject({ result: 'success', summary: expect.stringContaining('Behind the commit last applied') });
  expect(again.apply).toMatchObject({ result: 'failure', code: 4, log: expect.stringContaining('rollback') });
  expect(await repeats(at)).toEqual([3, 1, 1]);
});

test.each([
  ['an address', { tarball: '' }, 'UPKEEP_TARBALL: is not set'],
  ['a checksum', { sha256: '' }, 'UPKEEP_SHA256: is not set'],
  ['the checksum of this tarball', { sha256: '0'.repeat(64) }, 'did NOT match'],
])('the GitHub recipe installs and runs nothing without %s', async (_what, wrong, telling) => {
  const at = await setUp();
  const { validate } = await pullRequest({ ...at, release: { ...at.release, ...wrong } }, account(1), 'a fork').run();
  expect(validate).toMatchObject({ result: 'failure', steps: ['Install upkeep'], log: expect.stringContaining(telling) });
});

/** Runs a recipe without a secret of the account from a merge over a pull request to the night. */
async function runWithoutSecrets(at: GithubProject, recipe: string): Promise<void> {
  expect(results(await merging(at, account(1), recipe).run())).toEqual({ review: 'success', apply: 'success' });
  const jobs = await pullRequest(at, account(2), 'here', recipe).run();
  expect(results(jobs), jobs.plan?.log).toEqual({ validate: 'success', plan: 'success', comment: 'success' });
  expect(await repeats(at)).toEqual([1, 1, 1]);
  const { drift } = await workflow(at, recipe, { name: 'schedule', ref: 'refs/heads/main', sha: '' }, at.settings).run();
  expect(drift).toMatchObject({ result: 'success' });
}

test('the GitHub recipe for AWS exchanges the token of each job for a role: plans have one that cannot read the secrets of applies', async () => {
  const recipe = 'examples/ci/github/with-aws.yml';
  const at = await setUp(credentialsIn(readFileSync(recipe, 'utf8')));
  at.addProgram('aws', AWS);
  const actions = {
    'aws-actions/configure-aws-credentials': ({ 'role-to-assume': role, 'aws-region': region }: Environment) => ({
      env: { AWS_ACCESS_KEY_ID: 'ASIA', AWS_SESSION_TOKEN: `session-of-${role}`, AWS_REGION: region },
    }),
  };
  const variables = (role: string) => ({ UPKEEP_AWS_ROLE: role, UPKEEP_AWS_REGION: 'eu-central-1' });
  const roles = { 'production-plan': variables(AWS_ROLES.plan), production: variables(AWS_ROLES.apply) };
  const settings = { ...at.settings, secrets: {}, actions, environmentVariables: roles };
  await runWithoutSecrets({ ...at, settings }, recipe);

  const onlyPlan = { ...settings, environmentVariables: { ...roles, production: variables(AWS_ROLES.plan) } };
  const jobs = await merging({ ...at, settings: onlyPlan }, account(3), recipe).run();
  expect(jobs).toMatchObject({ review: { result: 'success' }, apply: { result: 'failure', code: 8 } });
});

test('the GitHub recipe for Vault exchanges the token of each job for the pair of secrets of its environment', async () => {
  const recipe = 'examples/ci/github/with-vault.yml';
  const at = await setUp();
  const actions = {
    'hashicorp/vault-action': (inputs: Environment, { environment }: { readonly environment: string }) => ({
      outputs: vaultSecrets(inputs, environment),
    }),
  };
  const variables = { UPKEEP_VAULT_URL: 'https://vault.example' };
  await runWithoutSecrets({ ...at, settings: { ...at.settings, secrets: {}, actions, variables } }, recipe);
});
