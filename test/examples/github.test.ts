/** The GitHub recipe, run step by step: from the pull request over the merge to the drift check after a hand edit. */
import { afterEach, expect, test } from 'vitest';
import { type GithubDouble, startGithub } from '../code-hosts/github-double.ts';
import { manyPlaylists } from '../e2e/accounts.ts';
import { type GithubEvent, type Settings, workflow } from './actions.ts';
import { createRecipeProject, type RecipeProject, SECRETS } from './recipe-project.ts';

const RECIPE = 'examples/ci/github/upkeep.yml';

/** A repository with its settings, and the API of its host. */
interface GithubProject extends RecipeProject {
  readonly github: GithubDouble;
  readonly settings: Settings;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function setUp(): Promise<GithubProject> {
  const [project, github] = [await createRecipeProject(), await startGithub()];
  closing.push(github.close);
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
function merging(at: GithubProject, files: ReturnType<typeof account>) {
  const ref = 'refs/heads/main';
  return workflow(at, RECIPE, { name: 'push', ref, sha: at.push(ref, files) }, at.settings);
}

/** Returns the run on pull request 7 with these files. */
function pullRequest(at: GithubProject, files: ReturnType<typeof account>, from: 'here' | 'a fork') {
  const ref = 'refs/pull/7/merge';
  const sha = at.push(ref, files);
  at.github.head = sha;
  const side = (name: string, id: number) => ({ sha, repo: { full_name: name, id } });
  const head = from === 'here' ? side('acme/streaming', 1) : side('stranger/streaming', 2);
  const event = { pull_request: { number: 7, head, base: side('acme/streaming', 1) } };
  const githubEvent: GithubEvent = { name: 'pull_request', ref, sha, event };
  return workflow(at, RECIPE, githubEvent, at.settings);
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
  const loosened = { 'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(3, { repeat: 1, skip_drm: 1 }) }) };
  expect(await merging(at, loosened).run()).toMatchObject({ review: { result: 'failure', code: 4 }, apply: { result: 'skipped' } });

  const byHand = (allow: string) =>
    workflow(at, RECIPE, { name: 'workflow_dispatch', ref: 'refs/heads/main', sha: '', inputs: { allow } }, at.settings);
  expect(results(await byHand('updates').run())).toEqual({ review: 'failure' });
  const overriding = byHand('updates loosening');
  const reviewed = await overriding.run('review');
  expect(reviewed.review?.summary).toContain('Overridden safety checks: loosening (3 changes)');
  expect(reviewed.review?.outputs.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
  const { apply } = await overriding.run('apply');
  expect(apply, apply?.log).toMatchObject({ result: 'success', summary: expect.stringContaining('Overridden safety checks: loosening') });
  expect((await at.playlists()).map(({ skip_drm }) => skip_drm)).toEqual([1, 1, 1]);
  expect(results(await byHand('').run())).toEqual({ drift: 'success' });
});

test('the GitHub recipe comments on a plan that could not read the account', async () => {
  const at = await setUp();
  const { UPKEEP_OWNER } = SECRETS;
  const settings = { ...at.settings, secrets: { 'production-plan': { UPKEEP_OWNER, UPKEEP_API_KEY: 'an-old-key-of-this-account' } } };
  const jobs = await pullRequest({ ...at, settings }, account(2), 'here').run();
  expect(results(jobs)).toEqual({ validate: 'success', plan: 'failure', comment: 'success' });
  expect(jobs.plan?.code).toBe(7);
  expect(at.github.comments).toMatchObject([{ on: 7, body: expect.stringMatching(/Credentials refused .* Nothing was planned\./) }]);
});

test('the GitHub recipe validates a fork without a secret, and neither plans nor comments on it', async () => {
  const at = await setUp();
  const jobs = await pullRequest(at, account(2), 'a fork').run();
  expect(results(jobs)).toEqual({ validate: 'success' });
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

test('a job of the GitHub recipe that is run again for an old commit takes nothing back, in its clone of depth 1', async () => {
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
