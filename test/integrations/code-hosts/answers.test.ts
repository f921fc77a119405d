/** Whatever a code host responds, a run ends with an exit code and a message, shows no token, and reports no bug in upkeep. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { config, manyPlaylists } from '../../e2e/accounts.ts';
import { change, plan } from '../../report/documents.ts';
import { expectNoLeak } from '../../support/canary.ts';
import { createTestProject, projectIn, temporaryFolder } from '../../support/harness.ts';
import { GITHUB_TOKEN, startGithub } from './github-double.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`;
const BODIES: readonly unknown[] = [
  '',
  'null',
  '7',
  '"text"',
  '[]',
  '{}',
  '[null, 7, "x", [], {}]',
  '{"id":"x","number":{},"head":[],"html_url":7,"labels":"x"}',
  '[{"user":{"login":"github-actions[bot]","type":"Bot"},"id":"x","body":7}]',
  '{"id":1,"number":1e999,"html_url":"\\u001b[2J::error::x"}',
  '{"head":{"sha":"`](x)\\n# owned"}}',
  deep,
  '\u0000',
  `{"message":"${GITHUB_TOKEN}","errors":["${GITHUB_TOKEN}"]}`,
];
/** Mostly successes, since it is those that are read. */
const STATUSES = [200, 200, 201, 200, 404];
const CODES = [0, 1, 3, 7];

function expectHarmless(ran: { readonly code: number; readonly stdout: string; readonly stderr: string }): void {
  expect(CODES).toContain(ran.code);
  expect(ran.stderr).not.toContain('unexpected');
  expect(ran.stdout + ran.stderr).not.toMatch(/\u001b|^::/m);
  expectNoLeak([{ where: 'output', text: ran.stdout + ran.stderr }], [{ name: 'token', value: GITHUB_TOKEN }]);
}

test.each([
  ['the pull request', /^GET .*pulls/],
  ['the user of the token', /^POST \/graphql/],
  ['the comments', /^GET .*comments/],
  ['a comment that was added', /^POST .*comments/],
  ['a check that was added', /^POST .*check-runs/],
])('an invalid response of GitHub to a request of comment ends with an exit code and a message: %s', async (_what, request) => {
  const github = await startGithub();
  closing.push(github.close);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan([change('playlist/x')])));
  for (const [index, body] of BODIES.entries()) {
    github.respondOnce(request, { status: STATUSES[index % STATUSES.length] ?? 200, body, malformed: true });
    expectHarmless(await projectIn(folder, github.env).run('comment', '--plan', 'plan.json', '--check'));
    github.comments.splice(0);
  }
});

test.each([
  ['the issues', /^GET .*issues$/],
  ['an issue that was opened', /^POST .*issues$/],
])('an invalid response of GitHub to a request of drift --issue ends with an exit code and a message: %s', async (_what, request) => {
  const github = await startGithub();
  closing.push(github.close);
  const project = await createTestProject(config({ playlists: manyPlaylists(1) }));
  for (const body of BODIES) {
    github.respondOnce(request, { status: 200, body, malformed: true });
    expectHarmless(await project.runWith({ env: github.env }, 'drift', '--issue'));
    github.issues.splice(0);
  }
});
