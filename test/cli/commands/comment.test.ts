import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/core/model/finding.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { GITHUB_TOKEN, type GithubDouble, type GithubOptions, HEAD, startGithub } from '../../integrations/code-hosts/github-double.ts';
import { ACTIONS, ADA } from '../../integrations/code-hosts/github-store.ts';
import { change, failure, field, finding as foundWithLine, plan, waiting } from '../../report/documents.ts';
import { expectNoLeak } from '../../support/canary.ts';
import { projectIn, type RunOptions, temporaryFolder } from '../../support/harness.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const TOKEN = { name: 'token', value: GITHUB_TOKEN };
const CHANGED = plan([change('playlist/evening-block', { fields: [field('/repeat', 0, -1)] })]);
const NOTHING = plan([]);

/** A finding as documents hold it: without the line of the file. */
function finding(more: Partial<Finding> = {}): Finding {
  const { excerpt: _excerpt, ...rest } = foundWithLine(more);
  return rest;
}

/** Creates a folder for saved plans, and starts GitHub. */
async function setUp(options: GithubOptions = {}) {
  const github = await startGithub(options);
  closing.push(github.close);
  const folder = temporaryFolder();
  const project = projectIn(folder, github.env);
  const save = (document: unknown, file = 'plan.json') => writeFileSync(join(folder, file), JSON.stringify(document));
  const comment = async (document: unknown, flags: readonly string[] = [], how: RunOptions = {}) => {
    save(document);
    const ran = await project.runWith(how, 'comment', '--plan', 'plan.json', ...flags);
    expectNoLeak([{ where: 'output', text: ran.stdout + ran.stderr }, ...bodiesOf(github)], [TOKEN]);
    return ran;
  };
  return { github, folder, project, save, comment };
}

function bodiesOf({ requests: asked }: GithubDouble) {
  return asked.map(({ path, query, body }) => ({ where: path, text: `${path} ${query} ${JSON.stringify(body)}` }));
}

const marker = (target: string, commit = HEAD, project = '.', more = '') =>
  `<!-- upkeep plan project=${project} target=${target} commit=${commit}${more} -->\n`;

describe('a comment on GitHub', () => {
  test('a comment is added once and then updated in place', async () => {
    const { github, comment } = await setUp();
    expect(await comment(CHANGED)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^production: comment added https:\/\/github\.example\/\S+\n$/),
    });
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0]?.body).toMatch(
      /^<!-- upkeep plan project=\. target=production commit=feedface\w+ -->\n> \[!\w+\]\n> \*\*.*\*\*\n\n## Plan for production at commit `1a2b3c4d5e6f`\n/,
    );
    expect(github.comments[0]?.body).toContain('by [this run](https://github.example/acme/streaming/actions/runs/4711).');
    github.newRequests();
    expect((await comment(CHANGED)).stdout).toContain('production: comment is up to date');
    expect(github.newRequests().filter((each) => !each.startsWith('GET') && !each.endsWith('/graphql'))).toEqual([]);
    github.head = 'cafecafecafecafecafecafecafecafecafecafe';
    expect((await comment(NOTHING)).stdout).toContain('production: comment updated');
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0]?.body).toContain('**No changes. The account matches the repository. 10 unchanged.**');
  });

  test('a plan without changes, warnings and failed reads gets no comment', async () => {
    const { github, comment } = await setUp();
    expect(await comment(NOTHING)).toMatchObject({ code: 0, stdout: 'production: no changes, and no comment\n' });
    expect(github.comments).toEqual([]);
    await comment(plan([], { findings: [finding({ severity: 'warning' })] }));
    await comment({ ...plan([], { readStatus: { playlist: 'incomplete' } }), target: 'staging' });
    await comment(failure([], null));
    expect(github.comments.map(({ body }) => body.slice(0, body.indexOf('\n') + 1))).toEqual([
      marker('production'),
      marker('staging'),
      marker(''),
    ]);
  });

  test('each target of one file or of several files gets a comment', async () => {
    const { github, project, save } = await setUp();
    save([CHANGED, { ...CHANGED, target: 'staging' }], 'two.json');
    save({ ...CHANGED, target: 'third' }, 'one.json');
    await project.run('comment', '--plan', 'two.json', '--plan', 'one.json');
    expect(github.comments.map(({ body }) => body.split('\n')[0])).toEqual(
      ['production', 'staging', 'third'].map((target) => marker(target).trimEnd()),
    );
    const ran = await project.run('comment', '--plan', 'two.json', '--plan', 'two.json');
    expect(ran).toMatchObject({ code: 8, stderr: expect.stringContaining('there are two plans for production') });
  });

  test('a comment of another user is never updated, whatever its text is', async () => {
    const { github, comment } = await setUp();
    const foreign = github.addComment(ADA, `${marker('production')}forged`);
    const within = github.addComment(ACTIONS, `A bot quotes:\n${marker('production')}`);
    const other = github.addComment(ACTIONS, `${marker('production', HEAD, 'services%2Fradio')}of another project`);
    const before = [foreign.body, within.body, other.body];
    await comment(CHANGED);
    expect([foreign.body, within.body, other.body]).toEqual(before);
    expect(github.comments).toHaveLength(4);
  });

  test('data of a plan cannot forge the marker of another target', async () => {
    const { github, comment } = await setUp();
    const forged = marker('staging').trim();
    const hostile = `x\n${forged}\n@everyone <script>`;
    await comment({
      ...plan([change('playlist/x', { name: hostile, fields: [field('/desc', hostile, forged)] })]),
      target: `production -->\n${forged}`,
    });
    await comment({ ...CHANGED, target: 'staging' });
    expect(github.comments).toHaveLength(2);
    expect(github.comments[0]?.body.split('\n').filter((line) => line.startsWith('<!--'))).toHaveLength(1);
    expect(github.comments[0]?.body).toMatch(/^<!-- upkeep plan project=\. target=production%20--%3E%0A/);
  });

  test('a comment on a target that is no longer planned is minimized, and shown again when the target is', async () => {
    const { github, comment } = await setUp();
    await comment({ ...CHANGED, target: 'staging' });
    await comment(CHANGED);
    expect(github.comments.map(({ minimized }) => minimized)).toEqual([false, false]);
    github.head = 'cafecafecafecafecafecafecafecafecafecafe';
    const ran = await comment(CHANGED);
    expect(ran.stdout).toContain('staging: comment marked as outdated');
    expect(github.comments[0]?.body).toMatch(
      /^<!-- upkeep plan project=\. target=staging commit=feed\w+ outdated -->\n\*\*Outdated:\*\* .* at commit `cafecafecafe` by now\.\n\n<details>/,
    );
    expect(github.comments[0]?.body).toContain('## Plan for staging');
    expect(github.comments.map(({ minimized }) => minimized)).toEqual([true, false]);
    github.newRequests();
    await comment(CHANGED);
    expect(github.newRequests().some((each) => each.startsWith('PATCH'))).toBe(false);
    await comment({ ...CHANGED, target: 'staging' }, ['--partial']);
    expect(github.comments[0]?.body).toMatch(
      /^<!-- upkeep plan project=\. target=staging commit=cafe\w+ -->\n> \[!\w+\]\n> \*\*.*\*\*\n\n## Plan for staging/,
    );
    expect(github.comments.map(({ minimized }) => minimized)).toEqual([false, false]);
  });

  test('a comment on a run that stopped before its targets is minimized by the next run that comes to a target, even for the same commit', async () => {
    const { github, comment } = await setUp();
    await comment(failure([], null));
    expect((await comment(CHANGED)).stdout).toContain('(no target): comment marked as outdated');
    expect(github.comments.map(({ minimized }) => minimized)).toEqual([true, false]);
  });

  test('--partial leaves comments on other targets unchanged', async () => {
    const { github, comment } = await setUp();
    await comment({ ...CHANGED, target: 'staging' });
    github.head = 'cafecafecafecafecafecafecafecafecafecafe';
    await comment(CHANGED, ['--partial']);
    expect(github.comments[0]?.body.startsWith(marker('staging'))).toBe(true);
  });

  test('the younger of two comments on one target stays', async () => {
    const { github, comment } = await setUp();
    github.addComment(ACTIONS, `${marker('production')}one`);
    github.addComment(ACTIONS, `${marker('production')}two`);
    await comment(CHANGED);
    expect(github.comments.map(({ body }) => body.includes('## Plan'))).toEqual([false, true]);
    expect(github.comments[0]?.body).toContain(`${marker('production', HEAD, '.', ' outdated')}**Outdated:**`);
  });

  test('a comment is found behind more than a page of other comments', async () => {
    const { github, comment } = await setUp();
    for (let count = 0; count < 240; count += 1) github.addComment(ADA, `${count}`);
    const own = github.addComment(ACTIONS, `${marker('production')}old`);
    await comment(CHANGED);
    expect(own.body).toContain('## Plan for production');
    expect(github.comments).toHaveLength(241);
  });

  test.each([
    ['a person, by GraphQL', { tokenUser: ADA }, ADA],
    ['a person, by REST', { tokenUser: ADA, graphql: false }, ADA],
    ['an app of which REST says nothing', { graphql: false }, ACTIONS],
  ])('a comment is found as that of %s', async (_who, options, user) => {
    const { github, comment } = await setUp(options);
    const foreign = github.addComment({ id: 9, login: 'eve', type: 'User' }, `${marker('production')}forged`);
    const own = github.addComment(user, `${marker('production')}old`);
    expect((await comment(CHANGED)).code).toBe(0);
    expect(own.body).toContain('## Plan for production');
    expect(foreign.body).toContain('forged');
    expect(github.comments).toHaveLength(2);
  });

  test('a comment fits the size limit, with risky changes first and a note about what is omitted', async () => {
    const { github, comment } = await setUp();
    const held = { check: 'deletes', reason: 'too many', lift: { allow: 'deletes' } } as const;
    const many = Array.from({ length: 4_000 }, (_, index) =>
      change(`playlist/p${index}`, { fields: [field('/desc', 'ü'.repeat(40), `${index}`)] }),
    );
    expect((await comment(plan([...many, change('playlist/blocked', { action: 'delete', blocked: held })]))).code).toBe(0);
    const body = github.comments[0]?.body ?? '';
    expect([...body].length).toBeLessThanOrEqual(65_536);
    expect([...body].length).toBeGreaterThan(64_000);
    expect(body.indexOf('playlist/blocked')).toBeLessThan(body.indexOf('playlist/p0'));
    expect(body).toMatch(/\*\*Left out, because no more than \d+ characters fit here: \d+ of 4000 under "Other changes"/);
    expect(body).toContain('Fingerprint:');
  });

  test('a run for an older commit leaves the comments unchanged', async () => {
    const { github, folder, comment } = await setUp();
    writeFileSync(
      join(folder, 'event.json'),
      JSON.stringify({ pull_request: { number: 7, head: { sha: 'a'.repeat(40), repo: { id: 1 } }, base: { repo: { id: 1 } } } }),
    );
    const ran = await comment(CHANGED, [], { env: { GITHUB_EVENT_PATH: join(folder, 'event.json'), GITHUB_REF: undefined } });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('has moved on to commit feedfacefeed') });
    expect(github.comments).toEqual([]);
  });
});

describe('a check on GitHub', () => {
  test('a check has an annotation for each finding, fifty a request', async () => {
    const { github, comment } = await setUp();
    const findings = Array.from({ length: 120 }, (_, index) =>
      finding({ severity: 'warning', line: index + 1, summary: `warning ${index}` }),
    );
    const ran = await comment(plan([], { findings }), ['--check']);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('production: check added https://github.example/') });
    expect(github.checks).toEqual([
      expect.objectContaining({
        name: 'upkeep: production',
        head_sha: HEAD,
        conclusion: 'success',
        annotations: expect.objectContaining({ length: 120 }),
      }),
    ]);
    expect(github.checks[0]?.annotations[0]).toEqual({
      path: findings[0]?.file,
      start_line: 1,
      end_line: 1,
      start_column: findings[0]?.column,
      end_column: findings[0]?.column,
      annotation_level: 'warning',
      title: `upkeep: ${findings[0]?.code}`,
      message: expect.stringContaining('warning 0'),
    });
  });

  test('a check has the first line of the plan as its title, and a note on what stops playback', async () => {
    const { github, comment } = await setUp();
    const risks = '1 change stops playback: 1 playlist goes off air.';
    const playbackReasons = [{ playback: 'stops', text: 'it goes off air', offAir: true }] as const;
    await comment(plan([change('playlist/a', { playback: 'stops', playbackReasons })], { risks }), ['--check']);
    expect(github.comments[0]?.body).toContain(
      '\n> **Viewers lose playback, and nothing blocks it: 1 change stops playback.**\n>\n> - 1 playlist goes off air: playlist a\n',
    );
    expect(github.comments[0]?.body).toContain('| stops playback<br>stops playback: it goes off air |');
    expect(github.checks).toMatchObject([
      {
        output: { title: 'Viewers lose playback, and nothing blocks it: 1 change stops playback' },
        annotations: [{ message: 'production: playlist/a stops playback: it goes off air.' }],
      },
    ]);
  });

  test('a check tells how many annotations are left out', async () => {
    const { github, comment } = await setUp();
    const findings = Array.from({ length: 520 }, (_, index) => finding({ severity: 'warning', line: index + 1 }));
    await comment(plan([], { findings }), ['--check']);
    expect(github.checks[0]?.annotations).toHaveLength(500);
    expect(github.checks[0]?.annotations.at(-1)).toMatchObject({ message: '21 more are left out here; the plan has them all.' });
  });

  test('a plan that blocks only what it forgets is no quiet one: it gets a comment, and its check requires action', async () => {
    const protectedBlock = { check: 'protect', reason: 'it is protected', lift: { edit: 'edit `protect`' } } as const;
    const { github, comment } = await setUp();
    await comment(plan([change('playlist/a', { action: 'forget', blocked: protectedBlock })]), ['--check']);
    expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('playlist a')]);
    expect(github.checks).toMatchObject([{ conclusion: 'action_required' }]);
  });

  const held = { check: 'deletes', reason: 'too many', lift: { allow: 'deletes' } } as const;
  test.each<[string, Plan | object, string]>([
    ['a plan that apply would carry out', CHANGED, 'success'],
    ['a plan with a blocked change', plan([change('playlist/x', { action: 'delete', blocked: held })]), 'action_required'],
    [
      'a plan that a window holds back',
      plan([change('playlist/x')], { decision: waiting({ rule: 'window', reason: 'closed' }) }),
      'neutral',
    ],
    [
      'a plan that is ready once it is merged',
      plan([change('playlist/x')], { decision: waiting({ rule: 'not-on-branch', reason: 'not on main' }) }),
      'success',
    ],
    ['a plan after an incomplete read', plan([], { readStatus: { playlist: 'incomplete' } }), 'failure'],
    ['what stopped the plan', failure([finding()]), 'failure'],
  ])('the check of a commit has the conclusion of its plan: %s', async (_what, document, conclusion) => {
    const { github, comment } = await setUp();
    await comment(document, ['--check']);
    expect(github.checks).toEqual([expect.objectContaining({ conclusion })]);
  });
});

describe('the summary of a step', () => {
  test('the summary of the step is written first, even if the token may only read', async () => {
    const { github, folder, comment } = await setUp({ readOnly: true });
    const fork = { pull_request: { number: 7, head: { sha: HEAD, repo: { id: 2 } }, base: { repo: { id: 1 } } } };
    writeFileSync(join(folder, 'event.json'), JSON.stringify(fork));
    writeFileSync(join(folder, 'summary.md'), 'before\n');
    const env = { GITHUB_STEP_SUMMARY: join(folder, 'summary.md'), GITHUB_EVENT_PATH: join(folder, 'event.json') };
    const ran = await comment(CHANGED, ['--summary'], { env });
    expect(ran.code).toBe(7);
    expect(ran.stderr).toContain(
      'POST /repos/acme/streaming/issues/7/comments: HTTP 403 Forbidden: "Resource not accessible by integration"',
    );
    expect(ran.stderr).toContain('hint: the pull request comes from a fork');
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toMatch(/^before\n> \[!\w+\]\n> \*\*.*\*\*\n\n## Plan for production/);
    expect(github.comments).toEqual([]);
  });

  test('--summary is refused outside a workflow step', async () => {
    const { comment } = await setUp();
    expect(await comment(CHANGED, ['--summary'])).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('GITHUB_STEP_SUMMARY is not set'),
    });
  });
});

describe('a run of comment that is refused', () => {
  test.each<[string, { readonly [name: string]: string | undefined }, readonly string[], string]>([
    ['without a host', { GITHUB_ACTIONS: undefined }, [], 'the code host is unknown'],
    ['without a token', { GITHUB_TOKEN: undefined }, [], 'GITHUB_TOKEN is not set'],
    ['with a token that would split a header', { GITHUB_TOKEN: 'a\nb' }, [], 'GITHUB_TOKEN holds no token'],
    ['without a repository', { GITHUB_REPOSITORY: undefined }, [], 'the repository is unknown'],
    ['with a repository that leads elsewhere', {}, ['--repository', '../..'], 'is not named as the host names it'],
    ['without a pull request', { GITHUB_REF: 'refs/heads/main' }, [], 'the pull request is unknown'],
    ['without TLS', { GITHUB_API_URL: 'http://github.example' }, [], 'GITHUB_API_URL is not the https address of an API'],
    ['with a password in the address', { GITHUB_API_URL: 'https://a:b@github.example' }, [], 'GITHUB_API_URL is not the https address'],
    ['with an empty id', {}, ['--id', ''], "--id does not take ''"],
  ])('comment refuses a run %s, without a request', async (_why, env, flags, words) => {
    const { github, comment } = await setUp();
    expect(await comment(CHANGED, flags, { env })).toMatchObject({ code: 8, stdout: '', stderr: expect.stringContaining(words) });
    expect(github.requests).toEqual([]);
  });

  test('a plan file that was never written is commented on as a failure, and the command fails', async () => {
    const { github, project, save } = await setUp();
    expect(await project.run('comment', '--plan', 'gone.json', '--check')).toMatchObject({
      code: 8,
      stdout: expect.stringContaining('(no target): comment added'),
      stderr: expect.stringContaining('there is no plan: gone.json was not written'),
    });
    expect(github.comments[0]?.body).toContain('**error: there is no plan: `gone.json` was not written**');
    expect(github.comments[0]?.body).toContain('by [this run](https://github.example/acme/streaming/actions/runs/4711).');
    expect(github.checks).toMatchObject([{ conclusion: 'failure', output: { title: 'Failed: no-plan' } }]);
    save(CHANGED);
    expect((await project.run('comment', '--plan', 'plan.json')).stdout).toContain('(no target): comment marked as outdated');
  });

  test('--report-url links the comment, the check and the summary to the report, under a fixed text', async () => {
    const { github, project, comment } = await setUp();
    project.write('summary.md', '');
    const url = 'https://github.example/acme/streaming/actions/runs/4711/artifacts/12';
    await comment(CHANGED, ['--report-url', url, '--check', '--summary'], {
      env: { GITHUB_STEP_SUMMARY: join(project.folder, 'summary.md') },
    });
    const link = `[The report with pictures](${url}).`;
    expect(github.comments[0]?.body).toContain(`by [this run](https://github.example/acme/streaming/actions/runs/4711). ${link}\n`);
    expect(github.checks).toMatchObject([{ output: { summary: expect.stringContaining(link) } }]);
    expect(project.read('summary.md')).toContain(link);
  });

  test.each([
    ['without TLS', 'http://github.example/plan.html'],
    ['that is a script', 'javascript:alert(1)'],
    ['that ends the link', 'https://x.example/) [click](https://y.example/'],
    ['with a line break', 'https://x.example/\n# Approved'],
    ['with a user and a password', `https://user:${GITHUB_TOKEN}@x.example/plan.html`],
    ['with a query', 'https://x.example/plan.html?signature=secret'],
    ['that is too long', `https://x.example/${'a'.repeat(2000)}`],
    ['that is empty', ''],
  ])('--report-url refuses an address %s, does not repeat it, and posts nothing', async (_what, url) => {
    const { github, comment } = await setUp();
    const { code, stdout, stderr } = await comment(CHANGED, ['--report-url', url]);
    expect([code, stderr]).toEqual([8, expect.stringContaining('--report-url is not the https address of a page')]);
    if (url !== '') expect(stdout + stderr).not.toContain(url.slice(0, 60));
    expect(github.requests).toEqual([]);
  });

  test('comment refuses a run without a plan, or with another document', async () => {
    const { project, comment } = await setUp();
    expect(await project.run('comment')).toMatchObject({ code: 8, stderr: expect.stringContaining('--plan names no file') });
    expect(await comment([])).toMatchObject({ code: 8 });
    expect(await comment({ schemaVersion: 1, target: 'x', valid: true, findings: [], resources: {} })).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('it holds no plan'),
    });
  });
});

describe('a code host that fails', () => {
  test.each<[string, RegExp, Parameters<GithubDouble['respondOnce']>[1], number, readonly string[]]>([
    [
      'a wrong token',
      /^GET .*pulls/,
      { status: 401, body: { message: 'Bad credentials' } },
      7,
      ['HTTP 401 Unauthorized: "Bad credentials"', 'hint: the token is wrong'],
    ],
    [
      'a missing repository',
      /^GET .*pulls/,
      { status: 404, body: { message: 'Not Found' } },
      1,
      ['HTTP 404', 'check repository and number'],
    ],
    [
      'a redirect',
      /^GET .*pulls/,
      { status: 301, headers: { location: 'https://elsewhere.example/' } },
      1,
      ['HTTP 301', 'redirects are never followed'],
    ],
    ['a page that is no JSON', /^GET .*pulls/, { status: 200, body: '<html>', malformed: true }, 1, ['the body is HTML or XML']],
    ['an answer without its member', /^GET .*pulls/, { status: 200, body: {}, malformed: true }, 1, ['it has no head.sha']],
    ['a response that is no list', /^GET .*comments/, { status: 200, body: {}, malformed: true }, 1, ['it is no list']],
    [
      'a next page elsewhere',
      /^GET .*comments/,
      { status: 200, body: [], headers: { link: '<https://elsewhere.example/2>; rel="next"' } },
      1,
      ['its next page lies elsewhere'],
    ],
    [
      'a refusal that repeats the token',
      /^POST .*comments/,
      { status: 422, body: { message: `no ${GITHUB_TOKEN}` } },
      1,
      ['HTTP 422', '[hidden]'],
    ],
    [
      'a rate limit that lasts more than a minute',
      /^POST .*comments/,
      { status: 403, body: { message: 'secondary rate limit' }, headers: { 'retry-after': '61' } },
      1,
      ['rate limit of the host ends in 61 s'],
    ],
  ])('a failed request is reported with a hint and the exit code: %s', async (_what, request, reply, code, words) => {
    const { github, comment } = await setUp();
    github.respondOnce(request, reply);
    const ran = await comment(CHANGED);
    expect(ran.code).toBe(code);
    for (const word of words) expect(ran.stderr).toContain(word);
    expect(github.comments).toEqual([]);
  });

  test.each([
    ['a limit by Retry-After', { status: 429, body: { message: 'rate limit' }, headers: { 'retry-after': '0' } }],
    [
      'a limit by its time',
      { status: 403, body: { message: 'rate limit' }, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000' } },
    ],
  ])('%s is waited for', async (_what, reply) => {
    const { github, comment } = await setUp();
    github.respondOnce(/^POST .*comments/, reply);
    expect((await comment(CHANGED)).code).toBe(0);
    expect(github.comments).toHaveLength(1);
  });

  test('a read is retried after a gateway error, and a new comment is not sent twice', async () => {
    const { github, comment } = await setUp();
    github.respondOnce(/^GET .*pulls/, { status: 502 });
    github.respondOnce(/^POST .*comments/, { status: 502 });
    expect(await comment(CHANGED)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('POST /repos/acme/streaming/issues/7/comments: HTTP 502'),
    });
    expect(github.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/comments'))).toHaveLength(1);
  });

  test('a code host that cannot be reached is an error', async () => {
    const { github, comment } = await setUp();
    await github.close();
    expect(await comment(CHANGED)).toMatchObject({ code: 1, stderr: expect.stringContaining('no connection to http://127.0.0.1') });
  });

  test('an interrupted comment sends no request', async () => {
    const { github, comment } = await setUp();
    expect((await comment(CHANGED, [], { signal: AbortSignal.abort() })).code).toBe(130);
    expect(github.requests).toEqual([]);
  });
});
