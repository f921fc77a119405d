import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { BOT, EVE, GITLAB_TOKEN, HEAD, startGitlab } from '../../integrations/code-hosts/gitlab-double.ts';
import { change, field, plan } from '../../report/documents.ts';
import { expectNoLeak } from '../../support/canary.ts';
import { projectIn, type RunOptions, temporaryFolder } from '../../support/harness.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const CHANGED = plan([change('playlist/evening-block', { fields: [field('/repeat', 0, -1)] })]);
const MARKER = `<!-- upkeep plan project=. target=production commit=${HEAD} -->\n`;

async function setUp() {
  const gitlab = await startGitlab();
  closing.push(gitlab.close);
  const folder = temporaryFolder();
  const project = projectIn(folder, gitlab.env);
  const comment = async (document: unknown, flags: readonly string[] = [], how: RunOptions = {}) => {
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(document));
    const ran = await project.runWith(how, 'comment', '--plan', 'plan.json', ...flags);
    const sent = gitlab.requests.map(({ path, query, body }) => ({ where: path, text: `${path} ${query} ${JSON.stringify(body)}` }));
    expectNoLeak([{ where: 'output', text: ran.stdout + ran.stderr }, ...sent], [{ name: 'token', value: GITLAB_TOKEN }]);
    return ran;
  };
  return { gitlab, comment };
}

test('a comment on GitLab is added once, updated in place, and its text is folded when it is outdated', async () => {
  const { gitlab, comment } = await setUp();
  expect(await comment(CHANGED)).toMatchObject({ code: 0, stdout: 'production: comment added\n' });
  expect(gitlab.notes.map(({ body }) => body)).toEqual([expect.stringContaining(`${MARKER}> [!TIP]\n> **Ready to apply: `)]);
  expect(gitlab.notes[0]?.body).toContain('by [this run](https://gitlab.example/acme/streaming/-/pipelines/1).');
  expect(await comment(CHANGED, ['--repository', 'acme/streaming'])).toMatchObject({ stdout: 'production: comment is up to date\n' });
  gitlab.head = 'cafecafecafecafecafecafecafecafecafecafe';
  const ran = await comment({ ...CHANGED, target: 'staging' }, [], { env: { CI_COMMIT_SHA: gitlab.head } });
  expect(ran.stdout).toBe('staging: comment added\nproduction: comment marked as outdated\n');
  expect(gitlab.notes[0]?.body).toContain('**Outdated:**');
  expect((await comment(CHANGED)).stderr).toContain('has moved on');
});

test('notes of other users, of the system, and with the marker further down stay unchanged', async () => {
  const { gitlab, comment } = await setUp();
  const foreign = [gitlab.addNote(EVE, `${MARKER}forged`), gitlab.addNote(BOT, `quoted:\n${MARKER}`)];
  for (let count = 0; count < 120; count += 1) gitlab.addNote(EVE, `${count}`);
  const own = gitlab.addNote(BOT, `${MARKER}old`);
  await comment(CHANGED);
  expect(foreign.map(({ body }) => body)).toEqual([`${MARKER}forged`, `quoted:\n${MARKER}`]);
  expect(own.body).toContain('## Plan for production');
});

test('data of a plan cannot become a quick action of GitLab', async () => {
  const { gitlab, comment } = await setUp();
  const hostile = '/close\n/assign @eve\n\n/merge';
  await comment({ ...plan([change('playlist/x', { name: hostile, fields: [field('/desc', hostile, `${hostile} `)] })]), target: hostile });
  expect(gitlab.notes).toHaveLength(1);
  expect(gitlab.commands).toEqual([]);
});

test('CI_JOB_TOKEN is not accepted, and a refused token is reported', async () => {
  const { gitlab, comment } = await setUp();
  const without = await comment(CHANGED, [], { env: { GITLAB_TOKEN: undefined, CI_JOB_TOKEN: 'job' } });
  expect(without).toMatchObject({ code: 8, stderr: expect.stringContaining('CI_JOB_TOKEN of a job may not write comments') });
  const wrong = await comment(CHANGED, [], { env: { GITLAB_TOKEN: 'glpat-wrong' } });
  expect(wrong).toMatchObject({ code: 7, stderr: expect.stringContaining('HTTP 401 Unauthorized: "401 Unauthorized"') });
  gitlab.respondOnce(/^POST/, { status: 400, body: { message: { body: ['is too long'] } } });
  expect(await comment(CHANGED)).toMatchObject({ code: 1, stderr: expect.stringContaining('is too long') });
  expect(await comment(CHANGED, ['--check'])).toMatchObject({
    code: 8,
    stderr: expect.stringContaining('--check and --summary are for GitHub'),
  });
  expect(gitlab.notes).toEqual([]);
});

test('the merge request of a fork is commented for the commit of its own branch', async () => {
  const { gitlab, comment } = await setUp();
  const env = { CI_COMMIT_SHA: 'b'.repeat(40), CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD };
  gitlab.respondOnce(/^POST/, { status: 403, body: { message: '403 Forbidden' } });
  const fork = { CI_MERGE_REQUEST_PROJECT_ID: '42', CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '43' };
  expect(await comment(CHANGED, [], { env: { ...env, ...fork } })).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('comes from a fork'),
  });
  expect(await comment(CHANGED, [], { env })).toMatchObject({ code: 0 });
});
