/** Whatever a code host answers, a run ends with a code and a sentence, and shows neither the token nor a fault of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { config, manyPlaylists } from '../e2e/accounts.ts';
import { change, plan } from '../report/documents.ts';
import { expectNoLeak } from '../support/canary.ts';
import { projectIn, stage, temporaryFolder } from '../support/harness.ts';
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
  ['whose the token is', /^POST \/graphql/],
  ['the comments', /^GET .*comments/],
  ['a comment that was added', /^POST .*comments/],
  ['a check that was added', /^POST .*check-runs/],
])('%s', async (_what, request) => {
  const github = await startGithub();
  closing.push(github.close);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan([change('playlist/x')])));
  for (const [index, body] of BODIES.entries()) {
    github.instead(request, { status: STATUSES[index % STATUSES.length] ?? 200, body });
    expectHarmless(await projectIn(folder, github.env).run('comment', '--plan', 'plan.json', '--check'));
    github.comments.splice(0);
  }
});

test.each([
  ['the issues', /^GET .*issues$/],
  ['an issue that was opened', /^POST .*issues$/],
])('%s', async (_what, request) => {
  const github = await startGithub();
  closing.push(github.close);
  const set = await stage(config({ playlists: manyPlaylists(1) }));
  for (const body of BODIES) {
    github.instead(request, { status: 200, body });
    expectHarmless(await set.runWith({ env: github.env }, 'drift', '--issue'));
    github.issues.splice(0);
  }
});
