/** The GitHub recipe for two environments, run step by step: from a pull request over staging to production. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../../src/core/model/json.ts';
import { manyPlaylists } from '../e2e/accounts.ts';
import { type GithubDouble, startGithub } from '../integrations/code-hosts/github-double.ts';
import { type GithubEvent, type Settings, workflow } from './actions.ts';
import { evaluate, substitute } from './expressions.ts';
import { createTwoEnvironments, PRODUCTION_SECRETS, STAGING_SECRETS, type TwoEnvironments } from './recipe-project.ts';

const RECIPE = 'examples/ci/github/two-environments.yml';
const MAIN = 'refs/heads/main';
const HOURLY: GithubEvent = { name: 'schedule', ref: MAIN, sha: '', event: { schedule: '37 * * * *' } };
const NIGHTLY: GithubEvent = { name: 'schedule', ref: MAIN, sha: '', event: { schedule: '17 3 * * *' } };
const FREEZE = { deny: [{ why: 'incident 4711' }] };

interface GithubProject extends TwoEnvironments {
  readonly github: GithubDouble;
  readonly settings: Settings;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Creates a project of which both accounts have what `main` declares. */
async function setUp(): Promise<GithubProject> {
  const [project, github] = [await createTwoEnvironments(), await startGithub()];
  closing.push(github.close);
  const { GITHUB_TOKEN: _token, GITHUB_ACTIONS: _actions, GITHUB_REF: _ref, GITHUB_REPOSITORY: _repository, ...env } = github.env;
  const secrets = { plan: { ...STAGING_SECRETS, ...PRODUCTION_SECRETS }, staging: STAGING_SECRETS, production: PRODUCTION_SECRETS };
  const at = { ...project, github, settings: { secrets, env } };
  expect(results(await merging(at, account(1)).run())).toEqual({ staging: 'success' });
  expect(await at.repeats()).toEqual({ staging: [1, 1], production: [] });
  expect(results(await run(at, HOURLY))).toEqual({ review: 'success', production: 'success' });
  expect(await at.repeats()).toEqual({ staging: [1, 1], production: [1, 1] });
  return at;
}

const account = (repeat: number, more = {}) => ({
  'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(2, { repeat, ...more }) }),
});

const run = (at: GithubProject, event: GithubEvent) => workflow(at, RECIPE, event, at.settings).run();

function merging(at: GithubProject, files: { readonly [name: string]: string }) {
  return workflow(at, RECIPE, { name: 'push', ref: MAIN, sha: at.push(MAIN, files) }, at.settings);
}

const byHand = (inputs: { readonly target: string; readonly ref: string; readonly allow: string }): GithubEvent => ({
  name: 'workflow_dispatch',
  ref: MAIN,
  sha: '',
  inputs,
});

const results = (jobs: { readonly [job: string]: { readonly result: string } }) =>
  Object.fromEntries(Object.entries(jobs).flatMap(([name, { result }]) => (result === 'skipped' ? [] : [[name, result]])));

test('the GitHub recipe for two environments plans both on a pull request, and applies to staging on a merge, to production by the hour', async () => {
  const at = await setUp();
  const ref = 'refs/pull/7/merge';
  const sha = at.push(ref, account(5));
  at.github.head = sha;
  const side = { sha, repo: { full_name: 'acme/streaming', id: 1 } };
  const event = { pull_request: { number: 7, head: side, base: side } };
  const requested = await run(at, { name: 'pull_request', ref, sha, event });
  expect(results(requested), requested.plan?.log).toEqual({ validate: 'success', plan: 'success', comment: 'success' });
  const [staging, production] = at.github.comments.map(({ body }) => body);
  expect([staging, production]).toEqual([expect.stringContaining('2 to update'), expect.stringContaining('2 to update')]);
  expect([staging, production].map((body) => body?.includes('Staging has not carried'))).toEqual([false, true]);
  expect(await at.repeats()).toEqual({ staging: [1, 1], production: [1, 1] });

  // Staging has the first of two merges: production gets that one, and nothing the hour after.
  expect(results(await merging(at, account(2)).run())).toEqual({ staging: 'success' });
  at.push(MAIN, account(3));
  const hour = await run(at, HOURLY);
  expect(results(hour), hour.production?.log).toEqual({ review: 'success', production: 'success' });
  expect(await at.repeats()).toEqual({ staging: [2, 2], production: [2, 2] });
  expect(results(await run(at, HOURLY))).toEqual({ review: 'success' });

  const night = await run(at, NIGHTLY);
  expect(results(night), `${night.drift?.log}${night.drift?.summary}`).toEqual({ drift: 'success' });
  await at.edit('p2', { repeat: 9 });
  expect(await run(at, NIGHTLY)).toMatchObject({ drift: { code: 3, summary: expect.stringContaining('playlist/p2') } });
  expect(at.github.issues).toMatchObject([{ state: 'open', body: expect.stringContaining('production') }]);
});

test('what is promoted while production waits for its reviewer is not applied by the approval of the earlier plan', async () => {
  const at = await setUp();
  await merging(at, account(2)).run();
  const approved = workflow(at, RECIPE, HOURLY, at.settings);
  expect(results(await approved.run('review'))).toEqual({ review: 'success' });
  await merging(at, account(3)).run();
  const { production } = await approved.run('production');
  expect(production?.result, production?.log).toBe('success');
  expect(await at.repeats()).toEqual({ staging: [3, 3], production: [2, 2] });
});

test('the GitHub recipe for two environments asks nobody in a freeze and is no failure by the hour, but one for who asks by hand', async () => {
  const at = await setUp();
  await merging(at, { ...account(2), 'upkeep.yaml': at.yaml(FREEZE) }).run();
  const { review, production } = await run(at, HOURLY);
  expect([review?.result, production?.result], review?.log).toEqual(['success', 'skipped']);
  expect(review?.summary).toContain('Waits: its window is closed: incident 4711.');
  const promoted = { target: 'production', ref: 'promoted', allow: '' };
  expect(await run(at, byHand(promoted))).toMatchObject({ review: { result: 'failure', code: 4 }, production: { result: 'skipped' } });
  expect(await at.repeats()).toEqual({ staging: [2, 2], production: [1, 1] });

  // A change that is blocked is a failure in a freeze, too.
  await merging(at, account(3, { skip_drm: 1 })).run();
  expect(results(await run(at, byHand({ target: 'staging', ref: '', allow: 'weakening' })))).toEqual({ staging: 'success' });
  expect(await run(at, HOURLY)).toMatchObject({ review: { result: 'failure', code: 4 }, production: { result: 'skipped' } });
});

test('the GitHub recipe for two environments applies the newest commit by hand in an emergency, with what that overrides', async () => {
  const at = await setUp();
  at.push(MAIN, { ...account(4), 'upkeep.yaml': at.yaml(FREEZE) });
  const emergency = { target: 'production', ref: 'HEAD', allow: 'promotion' };
  expect(results(await run(at, byHand(emergency)))).toEqual({ review: 'failure' });
  const jobs = await run(at, byHand({ ...emergency, allow: 'promotion window' }));
  expect(results(jobs), `${jobs.review?.log}${jobs.production?.log}`).toEqual({ review: 'success', production: 'success' });
  expect(await at.repeats()).toEqual({ staging: [1, 1], production: [4, 4] });
});

test('a run of the GitHub recipe for two environments by hand goes back to the entry that `undo` names, which waits for no stage', async () => {
  const at = await setUp();
  expect(results(await merging(at, account(2)).run())).toEqual({ staging: 'success' });
  expect(results(await run(at, HOURLY))).toEqual({ review: 'success', production: 'success' });
  const folder = at.folder('ledger');
  at.git(folder, 'clone', '-q', at.remote, '.');
  at.git(folder, 'fetch', '-q', 'origin', 'refs/upkeep/production');
  const ref = at.git(folder, 'rev-parse', 'FETCH_HEAD^').trim();
  const jobs = await run(at, byHand({ target: 'production', ref, allow: 'rollback' }));
  expect(results(jobs), `${jobs.review?.log}${jobs.production?.log}`).toEqual({ review: 'success', production: 'success' });
  expect(await at.repeats()).toEqual({ staging: [2, 2], production: [1, 1] });
});

test('a window that closes after the approval stops the apply with 4', async () => {
  const at = await setUp();
  await merging(at, account(2)).run();
  const approved = workflow(at, RECIPE, HOURLY, at.settings);
  await approved.run('review');
  at.push(MAIN, { 'upkeep.yaml': at.yaml(FREEZE) });
  const { production } = await approved.run('production');
  expect([production?.result, production?.code], production?.log).toEqual(['failure', 4]);
  expect(await at.repeats()).toEqual({ staging: [2, 2], production: [1, 1] });
});

test('a blocked change fails the merge of the GitHub recipe for two environments, and a run by hand overrides it', async () => {
  const at = await setUp();
  expect(await merging(at, account(1, { skip_drm: 1 })).run()).toMatchObject({ staging: { result: 'failure', code: 4 } });
  expect(results(await run(at, byHand({ target: 'staging', ref: 'promoted', allow: 'weakening' })))).toEqual({ staging: 'success' });
});

test('a run of the GitHub recipe for two environments that waits for approval holds back no run of another kind', () => {
  const { concurrency, jobs } = Object(parse(readFileSync(RECIPE, 'utf8')));
  for (const job of Object.values(Object(jobs))) expect(isObject(job) && job.concurrency).toBeUndefined();
  const groups = [
    { event_name: 'pull_request', ref: 'refs/pull/7/merge' },
    { event_name: 'pull_request', ref: 'refs/pull/8/merge' },
    { event_name: 'merge_group', ref: 'refs/heads/gh-readonly-queue/main/pr-7-0123456' },
    { event_name: 'push', ref: MAIN },
    { event_name: 'schedule', ref: MAIN, event: HOURLY.event },
    { event_name: 'schedule', ref: MAIN, event: NIGHTLY.event },
    { event_name: 'workflow_dispatch', ref: MAIN, target: 'staging' },
    { event_name: 'workflow_dispatch', ref: MAIN, target: 'production' },
  ].map(({ event = { schedule: '' }, target = '', ...github }) => {
    const names = { github: { ...github, event }, inputs: { target } };
    const cancels = evaluate(String(concurrency['cancel-in-progress']).replace(/^\$\{\{(.*)\}\}$/, '$1'), names);
    return { group: substitute(concurrency.group, names), isCanceled: cancels, isRequest: github.event_name === 'pull_request' };
  });
  expect(new Set(groups.map(({ group }) => group)).size).toBe(groups.length);
  for (const { isCanceled, isRequest } of groups) expect(isCanceled).toBe(isRequest);
});
