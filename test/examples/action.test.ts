/** The composite action, run as it is: its outputs, and that its inputs are data. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manyPlaylists } from '../e2e/accounts.ts';
import { readSarif } from '../report/languages/sarif.ts';
import { action } from './actions.ts';
import { createRecipeProject, hostileYaml, type RecipeProject, SECRETS } from './recipe-project.ts';

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

/** Puts a project into the folder `acct` of main, and the files of a repository into that folder of the branch `change`. */
function pushEmbeddedRepository(at: RecipeProject, ran: string): void {
  at.push('refs/heads/main', { 'README.md': 'The account is in acct.\n' });
  at.push('refs/heads/main', {
    'acct/upkeep.yaml': at.upkeepYaml().replace('- config', '- sources'),
    'acct/sources/account.yaml': JSON.stringify({ playlists: manyPlaylists(1) }),
  });
  at.push('refs/heads/change', {
    'acct/HEAD': 'ref: refs/heads/main\n',
    'acct/config': `[core]
\trepositoryformatversion = 0
\tbare = true
\tsshCommand = sh run.sh
[remote "origin"]
\turl = ssh://x/y
`,
    'acct/objects/keep': '',
    'acct/refs/keep': '',
    'acct/run.sh': `echo "key: $UPKEEP_API_KEY" >'${ran}'\n`,
  });
}

test('the action starts no program of a branch that makes the folder of the project a repository, and says which files to remove', async () => {
  const at = await createRecipeProject();
  const ran = join(at.folder('stranger'), 'ran');
  pushEmbeddedRepository(at, ran);
  const inputs = { command: 'plan', project: 'acct', 'trust-from': 'main' };
  const ended = await action(at, SECRETS, inputs, 'change');
  expect(existsSync(ran)).toBe(false);
  expect(ended).toMatchObject({ code: 1, outputs: { 'exit-code': '1', changes: '0' } });
  expect(ended.stderr).toMatch(/git would take \S+\/acct for a repository[\s\S]*remove these files/);

  // Without the settings git starts the program there.
  const cwd = join(ended.workspace, 'acct');
  spawnSync('git', ['-c', 'safe.bareRepository=all', 'fetch', 'origin'], { cwd, env: { ...at.env, ...SECRETS }, stdio: 'ignore' });
  expect(readFileSync(ran, 'utf8')).toBe(`key: ${SECRETS.UPKEEP_API_KEY}\n`);
});

test('the action plans a project in a folder of the checkout with the upkeep.yaml of a branch', async () => {
  const at = await createRecipeProject();
  at.push('refs/heads/main', { 'README.md': 'The account is in acct.\n' });
  at.push('refs/heads/main', {
    'acct/upkeep.yaml': at.upkeepYaml(),
    'acct/config/account.yaml': JSON.stringify({ playlists: manyPlaylists(1) }),
  });
  at.push('refs/heads/change', { 'acct/config/account.yaml': JSON.stringify({ playlists: manyPlaylists(2) }) });
  const inputs = { command: 'plan', project: 'acct', 'trust-from': 'main' };
  const planned = await action(at, SECRETS, inputs, 'change');
  expect(planned, planned.stderr).toMatchObject({ code: 0, outputs: { 'exit-code': '2', changes: '2' } });
});

test('the action asks for a checkout in the workspace itself where it fetches, and enters no other folder to find one', async () => {
  const at = await createRecipeProject();
  at.push('refs/heads/main', { 'config/account.yaml': 'vmp_reject_statuses: []\n' });
  const moved = (workspace: string) => {
    const elsewhere = join(at.folder('elsewhere'), 'repository');
    renameSync(workspace, elsewhere);
    mkdirSync(workspace);
    renameSync(elsewhere, join(workspace, 'repository'));
  };
  const inputs = { command: 'plan', project: 'repository', 'trust-from': 'main' };
  const ended = await action(at, SECRETS, inputs, 'main', moved);
  expect(ended).toMatchObject({ code: 8, stderr: expect.stringContaining('without `path`') });
  expect(await action(at, SECRETS, { ...inputs, 'trust-from': '' }, 'main', moved)).toMatchObject({ code: 0 });
});

describe('outputs that the branch brings', () => {
  const TEXT = '{"summary":{"update":9},"verdict":"Ready to apply"}';
  const REPORTS = { html: 'plan.html', sarif: 'plan.sarif' };

  /** A project whose branch `change` has every output, `plan.json` and `plan.sarif` as folders. */
  async function withPlantedOutputs(): Promise<RecipeProject> {
    const at = await createRecipeProject();
    at.push('refs/heads/main', { 'config/account.yaml': 'vmp_reject_statuses: []\n' });
    const names = ['plan.json/keep', 'plan.html', 'plan.sarif/keep', 'upkeep-outcome.json/keep', 'upkeep-drift.json'];
    at.push('refs/heads/change', Object.fromEntries(names.map((name) => [name, TEXT])));
    return at;
  }

  /** The files and folders at the top of a workspace that the branch has brought as outputs. */
  const planted = (workspace: string) =>
    readdirSync(workspace).filter((name) => [name, `${name}/keep`].some((file) => isPlanted(join(workspace, file))));
  const isPlanted = (file: string) => existsSync(file) && statSync(file).isFile() && readFileSync(file, 'utf8') === TEXT;

  test.each([
    ['the release is not the named one', { command: 'plan', sha256: '0'.repeat(64) }, 1, ['upkeep-outcome.json', 'upkeep-drift.json']],
    ['half of the release is named', { command: 'drift', sha256: '' }, 8, ['plan.json', 'upkeep-outcome.json']],
    ['the branch to trust is missing', { command: 'plan', 'trust-from': 'nowhere' }, 128, ['upkeep-outcome.json', 'upkeep-drift.json']],
    ['the command is unknown', { command: 'plan ' }, 8, ['upkeep-outcome.json', 'upkeep-drift.json']],
    ['upkeep refuses an argument', { command: 'drift', target: 'nobody' }, 8, ['plan.json', 'upkeep-outcome.json']],
    ['there is no plan to apply', { command: 'apply', plan: 'none.json' }, 8, ['plan.json', 'upkeep-drift.json']],
  ])('are gone from the outputs of the action where %s', async (_where, inputs, code, left) => {
    const at = await withPlantedOutputs();
    const ended = await action(at, SECRETS, { ...REPORTS, ...at.release, ...inputs }, 'change');
    expect([ended.code, ended.outputs.changes], ended.stderr).toEqual([code, expect.stringMatching(/^0?$/)]);
    expect(planted(ended.workspace)).toEqual([...left].sort());
  });

  test('do not keep the action from writing its own', async () => {
    const at = await withPlantedOutputs();
    const ended = await action(at, SECRETS, { command: 'plan', ...REPORTS }, 'change');
    expect(ended, ended.stderr).toMatchObject({ code: 0, outputs: { file: 'plan.json' } });
    expect(planted(ended.workspace)).toEqual(['upkeep-drift.json', 'upkeep-outcome.json']);
    for (const name of ['plan.json', 'plan.html', 'plan.sarif']) expect(statSync(join(ended.workspace, name)).isFile()).toBe(true);
  });

  test('are removed with the link that leads to them, and nothing outside of the workspace is', async () => {
    const at = await createRecipeProject();
    at.push('refs/heads/main', { 'config/account.yaml': 'vmp_reject_statuses: []\n' });
    const outside = at.folder('outside');
    mkdirSync(join(outside, 'deep'));
    const files = [join(outside, 'plan.json'), join(outside, 'deep/plan.html'), join(outside, 'own.sarif')];
    for (const file of files) writeFileSync(file, TEXT);
    const linked = (workspace: string) => {
      symlinkSync(outside, join(workspace, 'reports'));
      symlinkSync(join(outside, 'own.sarif'), join(workspace, 'plan.sarif'));
    };
    const inputs = { command: 'plan', plan: 'reports/plan.json', html: 'reports/deep/plan.html', sarif: 'plan.sarif' };
    const ended = await action(at, SECRETS, inputs, 'main', linked);
    expect([ended.code, ended.outputs.file], ended.stderr).toEqual([8, '']);
    expect(existsSync(join(ended.workspace, 'reports'))).toBe(false);
    expect(existsSync(join(ended.workspace, 'plan.sarif'))).toBe(false);
    for (const file of files) expect(readFileSync(file, 'utf8')).toBe(TEXT);
  });
});
