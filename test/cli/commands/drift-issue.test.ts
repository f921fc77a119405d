import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { config, manyPlaylists } from '../../e2e/accounts.ts';
import { accountsOf, firstTenants, writeTargets } from '../../e2e/multi-target/accounts.ts';
import { GITHUB_TOKEN, startGithub } from '../../integrations/code-hosts/github-double.ts';
import { ACTIONS, ADA } from '../../integrations/code-hosts/github-store.ts';
import { GITLAB_TOKEN, startGitlab } from '../../integrations/code-hosts/gitlab-double.ts';
import { CREDENTIALS, expectNoLeak, textsIn } from '../../support/canary.ts';
import { asPlan, documentsOf } from '../../support/documents.ts';
import { createGitProject, playlistId } from '../../support/git-project.ts';
import { createTestProject, type RunOptions, type TestProject } from '../../support/harness.ts';
import { localFile, readLocalFileOf } from '../../support/local-files.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const MONDAY = Date.parse('2026-03-02T06:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function openGithub(options: Parameters<typeof startGithub>[0] = {}) {
  const github = await startGithub(options);
  closing.push(github.close);
  return github;
}

/** Two playlists that were applied on Monday, without a ledger unless asked. */
async function appliedProject(ledger: boolean) {
  const files = config({ playlists: manyPlaylists(2) });
  const clock = { at: MONDAY };
  const now = () => clock.at;
  const project: TestProject = ledger ? await createGitProject(files, { now }) : await createTestProject(files, { now });
  expect((await project.runWith({ now }, 'apply', '--yes')).code).toBe(0);
  const edit = (name: string, repeat: number) => project.editPlaylist(playlistId(project, name), { repeat });
  const github = await openGithub();
  const drift = async (at: number, flags: readonly string[] = [], how: RunOptions = {}) => {
    clock.at = at;
    const ran = await project.runWith(
      { ...how, env: { ...github.env, GITHUB_REF: 'refs/heads/main', ...how.env }, now },
      'drift',
      '--issue',
      ...flags,
    );
    const sent = github.requests.map(({ path, body }) => ({ where: path, text: JSON.stringify(body) }));
    const said = [{ where: 'output', text: ran.stdout + ran.stderr }, ...sent];
    expectNoLeak(said, [...CREDENTIALS, { name: 'token', value: GITHUB_TOKEN }]);
    return ran;
  };
  return { project, edit, github, drift, body: () => github.issues[0]?.body ?? '' };
}

describe('the drift issue of a target', () => {
  test('the issue is opened, updated with the age of each address, and closed', async () => {
    const { edit, github, drift, body } = await appliedProject(true);
    expect(await drift(MONDAY + HOUR)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('note: live: no drift, and no open issue'),
    });
    expect(github.issues).toEqual([]);

    edit('p1', 7);
    const first = await drift(MONDAY + DAY);
    expect(first).toMatchObject({ code: 3, stdout: expect.stringContaining('Drift: 0 appeared, 1 changed, 0 gone') });
    expect(first.stderr).toContain('note: live: issue opened https://github.example/acme/streaming/issues/');
    expect(github.issues).toEqual([
      expect.objectContaining({ title: 'upkeep: live has drifted', state: 'open', labels: ['upkeep-drift'] }),
    ]);
    expect(body()).toMatch(
      /^<!-- upkeep drift project=\. target=live commit= -->\n<!-- upkeep seen \[\["playlist\/p1","playlist","2026-03-03T06:00:00\.000Z"\]\] -->\n/,
    );
    expect(body()).toContain('| `playlist/p1` | by this run; since the last apply, `2026-03-02T06:00:00.000Z` | new |');
    expect(body()).toContain('The live account differs from what was applied last: somebody has changed it by hand.');
    expect(body()).toContain('## Drift for live');
    expect(body()).toContain('repeat: 0 -> 7');

    edit('p2', 5);
    expect((await drift(MONDAY + 4 * DAY)).stderr).toContain('live: issue updated https://');
    expect(body()).toContain('| `playlist/p1` | `2026-03-03T06:00:00.000Z` | 3 days |');
    expect(body()).toContain('| `playlist/p2` | by this run; since the last apply, `2026-03-02T06:00:00.000Z` | new |');
    expect(github.issues).toHaveLength(1);

    edit('p1', 0);
    edit('p2', 0);
    expect(await drift(MONDAY + 5 * DAY)).toMatchObject({ code: 0, stderr: expect.stringContaining('live: issue closed https://') });
    expect(github.issues).toEqual([expect.objectContaining({ state: 'closed', state_reason: 'completed' })]);
    expect(github.comments.map(({ on, body: said }) => [on, said])).toEqual([
      [github.issues[0]?.number, 'No drift: at `2026-03-07T06:00:00.000Z` the account of live was as expected.\n'],
    ]);

    edit('p1', 9);
    expect((await drift(MONDAY + 6 * DAY)).stderr).toContain('live: issue opened again https://');
    expect(github.issues).toEqual([expect.objectContaining({ state: 'open', state_reason: 'reopened' })]);
    expect(body()).toContain('| `playlist/p1` | by this run;');
    expect(github.comments.at(-1)?.body).toBe('The account has drifted again.');
  });

  test('the file on this machine replaces that of an issue that was deleted or edited', async () => {
    const { project, edit, github, drift, body } = await appliedProject(false);
    edit('p1', 7);
    await drift(MONDAY + DAY);
    expect(JSON.parse(readLocalFileOf(project.folder, 'drift.json') ?? '')).toEqual([
      ['playlist/p1', 'playlist', '2026-03-03T06:00:00.000Z'],
    ]);
    github.issues.splice(0);
    await drift(MONDAY + 2 * DAY);
    expect(body()).toContain('| `playlist/p1` | `2026-03-03T06:00:00.000Z` | 24 hours |');
    rmSync(localFile(project.folder, 'drift.json'));
    const [issue] = github.issues;
    if (issue) issue.body = issue.body.replace(/seen .*-->/, 'seen [["playlist/p1","playlist","2999-01-01T00:00:00.000Z"]] -->');
    await drift(MONDAY + 3 * DAY);
    expect(body()).toContain('The live account differs from what the repository says.');
    expect(body()).toContain('| `playlist/p1` | by this run | new |');
  });

  test('an incomplete read does not close the issue', async () => {
    const { project, edit, github, drift, body } = await appliedProject(false);
    edit('p1', 7);
    await drift(MONDAY + DAY);
    const before = body();
    project.emulator.setFaults([{ method: 'GET', path: '/api/v4/*', status: 500, body: {} }]);
    const ran = await drift(MONDAY + 2 * DAY);
    expect(ran).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('its issue is left as it is, because not everything could be read (playlist)'),
    });
    expect([github.issues[0]?.state, body()]).toEqual(['open', before]);
    const broken = await drift(MONDAY + 2 * DAY, [], { env: { UPKEEP_API_KEY: undefined } });
    expect(broken).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('live: its issue is left unchanged, because its drift could not be determined'),
    });
    expect(github.issues[0]?.state).toBe('open');
  });

  test('the issue keeps the drift of a kind that could not be read', async () => {
    const { project, edit, github, drift, body } = await appliedProject(false);
    edit('p1', 7);
    project.write('config/vmp.yaml', 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n');
    await drift(MONDAY + DAY);
    expect(body()).toContain('| `vmp-reject-statuses` | by this run | new |');
    project.emulator.setFaults([{ method: 'GET', path: '/api/v4/*', status: 500, body: {} }]);
    expect((await drift(MONDAY + 3 * DAY)).stderr).toContain('issue updated');
    expect(body()).toContain('| `vmp-reject-statuses` | `2026-03-03T06:00:00.000Z` | 2 days |');
    expect(body()).toContain('| `playlist/p1` (could not be read this time) | `2026-03-03T06:00:00.000Z` | 2 days |');
    project.emulator.setFaults([]);
    await drift(MONDAY + 4 * DAY);
    expect(body()).toContain('| `playlist/p1` | `2026-03-03T06:00:00.000Z` | 3 days |');
    expect(github.issues).toHaveLength(1);
  });

  test('issues of other users and pull requests stay unchanged', async () => {
    const { edit, github, drift } = await appliedProject(false);
    edit('p1', 7);
    const line = '<!-- upkeep drift project=. target=live commit= -->\n';
    github.addIssue(ADA, { labels: ['upkeep-drift'], body: line });
    github.addIssue(ACTIONS, { labels: ['upkeep-drift'], body: line, pull_request: {} });
    github.addIssue(ACTIONS, { labels: ['upkeep-drift'], body: line.replace('project=.', 'project=radio') });
    github.addIssue(ACTIONS, { labels: ['upkeep-drift'], body: line.replace('live', 'other') });
    await drift(MONDAY + DAY);
    expect(github.issues.map(({ body }) => body.includes('## Drift'))).toEqual([false, false, false, false, true]);
  });

  test('the older of two issues stays', async () => {
    const { edit, github, drift } = await appliedProject(false);
    edit('p1', 7);
    const body = '<!-- upkeep drift project=. target=live commit= -->\n';
    for (const state of ['closed', 'open', 'open']) github.addIssue(ACTIONS, { labels: ['upkeep-drift'], body, state });
    await drift(MONDAY + DAY);
    expect(github.issues.map(({ state }) => state)).toEqual(['closed', 'open', 'closed']);
    expect(github.issues[1]?.body).toContain('## Drift');
  });
});

describe('a token that may not set labels', () => {
  const MISSING = 'without the label upkeep-drift, which the token may not set: give it write access to the repository';
  const marker = '<!-- upkeep drift project=. target=live commit= -->\n';

  test.each([
    ['of a person', ADA],
    ['of a workflow', ACTIONS],
  ])('%s opens one issue, which later runs find, update and close', async (_name, tokenUser) => {
    const { edit, drift } = await appliedProject(false);
    const github = await openGithub({ tokenUser, mayLabel: false });
    const run = (at: number) => drift(at, [], { env: github.env });
    edit('p1', 7);
    const first = await run(MONDAY + DAY);
    expect(first).toMatchObject({ code: 3, stderr: expect.stringMatching(/note: live: issue opened https:\/\/\S+, without the label/) });
    expect(first.stderr).toContain(MISSING);
    expect((await run(MONDAY + 4 * DAY)).stderr).toMatch(/note: live: issue updated https:\/\/\S+, without the label/);
    expect(github.issues).toEqual([expect.objectContaining({ state: 'open', labels: [] })]);
    expect(github.issues[0]?.body).toContain('| `playlist/p1` | `2026-03-03T06:00:00.000Z` | 3 days |');
    edit('p1', 0);
    expect((await run(MONDAY + 5 * DAY)).stderr).toContain('live: issue closed');
    expect(github.issues).toEqual([expect.objectContaining({ state: 'closed' })]);
  });

  test('edits no issue without the label of another user, and none of an app where the name of its own is unknown', async () => {
    for (const [options, other] of [
      [
        { tokenUser: ADA, mayLabel: false },
        { ...ADA, id: 2, login: 'eve' },
      ],
      [{ tokenUser: ACTIONS, mayLabel: false, graphql: false }, ACTIONS],
    ] as const) {
      const { edit, drift } = await appliedProject(false);
      const github = await openGithub(options);
      edit('p1', 7);
      github.addIssue(other, { body: marker });
      github.addIssue(options.tokenUser, { body: `Look:\n${marker}` });
      github.addIssue(options.tokenUser, { body: marker, pull_request: {} });
      expect((await drift(MONDAY + DAY, [], { env: github.env })).stderr).toContain('issue opened');
      expect(github.issues.map(({ body }) => body.includes('## Drift'))).toEqual([false, false, false, true]);
    }
  });

  test('looks for the issue on at most ten pages', async () => {
    const { edit, drift } = await appliedProject(false);
    const github = await openGithub({ tokenUser: ADA });
    edit('p1', 7);
    for (let count = 0; count < 1_200; count += 1) github.addIssue({ ...ADA, login: 'eve' }, { title: 'other' });
    expect((await drift(MONDAY + DAY, [], { env: github.env })).stderr).toContain('issue opened');
    const listed = github.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/issues'));
    expect(listed).toHaveLength(11);
    expect(listed.at(-1)?.query.get('sort')).toBe('updated');
  });

  test('of GitLab opens one issue, which the next run finds', async () => {
    const project = await createTestProject(config({ playlists: manyPlaylists(1) }));
    const gitlab = await startGitlab({ mayLabel: false });
    closing.push(gitlab.close);
    gitlab.issues.push({ iid: 1, author: { id: 3, username: 'eve' }, labels: [], title: '', description: marker, state: 'opened' });
    const drift = () => project.runWith({ env: gitlab.env }, 'drift', '--issue');
    expect((await drift()).stderr).toContain('(on GitLab the role Reporter)');
    expect((await drift()).stderr).toContain('live: issue updated, without the label');
    expect(gitlab.issues.map(({ description }) => description.includes('## Drift'))).toEqual([false, true]);
  });
});

describe('errors of the drift issue', () => {
  test('an error of the issue hides neither the report nor a stronger exit code', async () => {
    const { edit, github, drift } = await appliedProject(false);
    edit('p1', 7);
    github.respondOnce(/^POST .*issues$/, { status: 500 });
    const failed = await drift(MONDAY + DAY, ['--format', 'json']);
    expect(asPlan(documentsOf('drift', failed.stdout)[0]).changes).toHaveLength(1);
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'error: the issue of live could not be brought up to date: POST /repos/acme/streaming/issues: HTTP 500',
      ),
    });
    github.respondOnce(/^GET .*issues$/, { status: 403, body: { message: 'Resource not accessible' } });
    expect(await drift(MONDAY + DAY)).toMatchObject({ code: 7, stdout: expect.stringContaining('Drift: 0 appeared, 1 changed') });
  });

  test('wrong flags for the issue are reported before the account is read', async () => {
    const { project, drift } = await appliedProject(false);
    project.emulator.clearRequests();
    expect(await drift(MONDAY, [], { env: { GITHUB_TOKEN: undefined } })).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('GITHUB_TOKEN is not set'),
    });
    expect(await drift(MONDAY, ['--only', 'playlist/*'])).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('--issue takes no --only'),
    });
    expect(await drift(MONDAY, ['--ref', 'HEAD'])).toMatchObject({ code: 8, stderr: expect.stringContaining('--issue takes no --ref') });
    expect(project.emulator.requests()).toEqual([]);
  });

  test('a symbolic link among the records is not followed', async () => {
    const { project, edit, drift } = await appliedProject(false);
    edit('p1', 7);
    mkdirSync(join(project.folder, 'elsewhere'));
    const folder = dirname(localFile(project.folder, 'drift.json'));
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    symlinkSync(join(project.folder, 'elsewhere'), folder);
    expect(await drift(MONDAY)).toMatchObject({ code: 1, stderr: expect.stringContaining('is a link, and is not followed') });
    expect(existsSync(join(project.folder, 'elsewhere/drift.json'))).toBe(false);
  });
});

test('each of several targets has its own issue, and the token is left nowhere', async () => {
  const tenants = firstTenants(3);
  const project = await createTestProject(config({ playlists: manyPlaylists(1) }), accountsOf(tenants, 1));
  const env = writeTargets(project, tenants);
  const github = await openGithub();
  const ran = await project.runWith(
    { env: { ...env, ...github.env } },
    'drift',
    '--issue',
    '-t',
    '*',
    '--id',
    'radio/eu',
    '--format',
    'json',
  );
  expect([ran.code, documentsOf('drift', ran.stdout).length]).toEqual([3, 3]);
  expect(github.issues.map(({ title }) => title)).toEqual([
    'upkeep: tenant-002 has drifted (radio/eu)',
    'upkeep: tenant-003 has drifted (radio/eu)',
  ]);
  expect(github.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/issues'))).toHaveLength(2);
  expectNoLeak([...textsIn(project.folder), { where: 'output', text: ran.stdout + ran.stderr }], [{ name: 'token', value: GITHUB_TOKEN }]);
});

test('an issue with thousands of drifted addresses fits the size limit, records the oldest, and names equal differences together', async () => {
  const many = config({ playlists: manyPlaylists(700) });
  const project = await createTestProject(many);
  const github = await openGithub();
  const ran = await project.runWith({ env: github.env }, 'drift', '--issue');
  expect(ran.code).toBe(3);
  const body = github.issues[0]?.body ?? '';
  expect([...body].length).toBeLessThanOrEqual(65_536);
  expect(body).toContain('And 600 more.');
  expect(body).toContain('| delete | 700 playlists |');
});

test('a drift issue on GitLab is opened, updated and closed', async () => {
  const project = await createTestProject(config({ playlists: manyPlaylists(1) }));
  const gitlab = await startGitlab();
  closing.push(gitlab.close);
  const drift = () => project.runWith({ env: gitlab.env }, 'drift', '--issue');
  expect(await drift()).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('live: issue opened https://gitlab.example/acme/streaming/-/issues/'),
  });
  expect(gitlab.issues).toEqual([
    expect.objectContaining({ title: 'upkeep: live has drifted', labels: ['upkeep-drift'], state: 'opened' }),
  ]);
  expect((await drift()).stderr).toContain('live: issue updated');
  expect((await project.runWith({}, 'apply', '--yes')).code).toBe(0);
  expect((await drift()).stderr).toContain('live: issue closed');
  expect(gitlab.issues).toEqual([expect.objectContaining({ state: 'closed' })]);
  expect(gitlab.notes.map(({ body }) => body)).toEqual([expect.stringContaining('No drift: at')]);
  project.editPlaylist(playlistId(project, 'p1'), { repeat: 3 });
  expect((await drift()).stderr).toContain('live: issue opened again');
  expect(gitlab.commands).toEqual([]);
  expectNoLeak(textsIn(project.folder), [{ name: 'token', value: GITLAB_TOKEN }]);
});
