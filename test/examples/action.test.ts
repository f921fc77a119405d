/** The composite action, run as it is: its outputs, and that its inputs are data. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manyPlaylists } from '../e2e/accounts.ts';
import { readSarif } from '../report/languages/sarif.ts';
import { action } from './actions.ts';
import { createRecipeProject, hostileYaml, SECRETS } from './recipe-project.ts';

test('the action returns the exit code, the counts, the fingerprint and the file of plan and apply', async () => {
  const at = await createRecipeProject();
  at.push('refs/heads/main', { 'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(2) }) });
  const planned = await action(at, SECRETS, { command: 'plan', target: 'production' });
  expect(planned).toMatchObject({
    code: 0,
    summary: expect.stringContaining('2 to create'),
    outputs: { 'exit-code': '2', changes: '2', blocked: '0', failed: '0', file: 'plan.json' },
  });
  expect(planned.outputs.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);

  const applied = await action(at, SECRETS, { command: 'apply', plan: join(planned.workspace, 'plan.json') });
  expect(applied).toMatchObject({
    code: 0,
    outputs: { 'exit-code': '0', changes: '2', failed: '0', fingerprint: planned.outputs.fingerprint, file: 'upkeep-outcome.json' },
  });
  expect(await at.playlists()).toHaveLength(2);

  const stale = await action(at, SECRETS, { command: 'apply', plan: join(planned.workspace, 'plan.json') });
  expect(stale).toMatchObject({ code: 6, outputs: { 'exit-code': '6', changes: '0', fingerprint: '' } });
});

test('the action takes upkeep.yaml from a branch, writes the reports that are asked for, and uses no file of the checkout but the project', async () => {
  const at = await createRecipeProject();
  at.push('refs/heads/main', { 'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(1) }) });
  const started = join(at.folder('stranger'), 'started');
  const action_yml = 'runs: { using: composite, steps: [{ shell: bash, run: exit 1 }] }\n';
  at.push('refs/heads/change', {
    'config/account.yaml': JSON.stringify({ playlists: manyPlaylists(2) }),
    'upkeep.yaml': hostileYaml(at, 'http://127.0.0.1:9', started),
    '.github/actions/upkeep/action.yml': action_yml,
  });
  const inputs = { command: 'plan', 'trust-from': 'main', html: 'plan.html', sarif: 'plan.sarif' };
  const planned = await action(at, SECRETS, inputs, 'change');
  expect(planned, planned.stderr).toMatchObject({ code: 0, outputs: { 'exit-code': '2', changes: '2' } });
  expect(planned.summary).toContain('differs from `refs/remotes/origin/main` in more than');
  expect(existsSync(started)).toBe(false);
  expect(readFileSync(join(planned.workspace, 'plan.html'), 'utf8')).toContain('<html');
  readSarif(readFileSync(join(planned.workspace, 'plan.sarif'), 'utf8'));
});

test('the action treats inputs as data: none of them becomes a command or a flag', async () => {
  const at = await createRecipeProject();
  at.push('refs/heads/main', { 'config/account.yaml': 'vmp_reject_statuses: []\n' });
  const hostile = [
    [{ command: 'plan; touch pwned' }, 'command is one of'],
    [{ command: 'plan', target: '$(touch pwned)`touch pwned`"; touch pwned' }, 'matches no target'],
    [{ command: 'plan', allow: 'deletes --out json=pwned $(touch pwned)\n* --yes' }, 'it is one of deletes'],
    [{ command: 'plan', project: '-h; touch pwned' }, 'no upkeep.yaml'],
  ] as const;
  for (const [inputs, telling] of hostile) {
    const ended = await action(at, SECRETS, inputs);
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([8, expect.stringContaining(telling)]);
    expect(readdirSync(ended.workspace)).not.toContain('pwned');
  }
  for (const branch of ['main:refs/heads/other', '--upload-pack=touch pwned', '$(touch pwned)', 'nowhere']) {
    const ended = await action(at, SECRETS, { command: 'plan', 'trust-from': branch });
    expect([ended.code, ended.stderr]).toEqual([128, expect.stringContaining('fatal')]);
    expect(readdirSync(ended.workspace)).not.toContain('pwned');
  }
});

test('the action installs the tarball that its inputs name, and nothing where the tarball is another or only half is named', async () => {
  const at = await createRecipeProject();
  at.push('refs/heads/main', { 'config/account.yaml': 'vmp_reject_statuses: []\n' });
  const { tarball, sha256 } = at.release;
  const plan = (inputs: { readonly [input: string]: string }) => action(at, SECRETS, { command: 'plan', ...inputs });
  expect(await plan({ tarball, sha256 })).toMatchObject({ code: 0, outputs: { 'exit-code': '0' } });

  for (const [inputs, code, telling] of [
    [{ tarball, sha256: '0'.repeat(64) }, 1, 'did NOT match'],
    [{ tarball, sha256: `${sha256}; touch pwned` }, 1, 'no properly formatted'],
    [{ tarball: `${tarball}"; touch pwned`, sha256 }, 3, 'curl'],
    [{ tarball: '--output=pwned', sha256 }, 3, 'curl'],
    [{ tarball }, 8, 'give both'],
    [{ sha256 }, 8, 'give both'],
  ] as const) {
    const ended = await plan(inputs);
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expect.stringContaining(telling)]);
    expect(ended.outputs['exit-code']).toBe('');
    expect(readdirSync(ended.workspace)).not.toContain('pwned');
  }
  rmSync(join(String(at.env.PATH).split(':')[0] ?? '', 'upkeep'));
  expect(await plan({})).toMatchObject({ code: 8, stderr: expect.stringContaining('name the release of upkeep to install') });
});
