import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asFailure, asTargets, asValidation } from '../../support/documents.ts';
import { createExampleProject, createTestProject, projectFile, runMain, temporaryFolder } from '../../support/harness.ts';

const VMP = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n' };

function parseJson(text: string): unknown {
  return JSON.parse(text);
}

describe('validate', () => {
  test('validate checks all targets in the order of upkeep.yaml if none is named', async () => {
    const project = await createExampleProject();
    const all = await project.run('validate', '--format', 'json');
    const list = parseJson(all.stdout);
    expect(all.code).toBe(0);
    expect(Array.isArray(list) ? list.map((each) => asValidation(each).target) : []).toEqual(['staging', 'production']);
    const one = asValidation(parseJson((await project.run('validate', '-t', 'production', '--format', 'json')).stdout));
    expect(one).toMatchObject({ target: 'production', valid: true });
    expect(one.resources).toEqual({ 'drm-policy': 3, 'key-rotation-schedule': 1, playlist: 24, 'static-key': 1, 'vmp-reject-statuses': 1 });
  });

  test('validate exits with 8 and reports the place of an error, without a request', async () => {
    const project = await createTestProject({ 'config/a.yaml': 'vmp_reject_statusses: []\n' });
    const { code, stdout } = await project.run('validate', '--format', 'json');
    expect(code).toBe(8);
    expect(asValidation(parseJson(stdout))).toMatchObject({ valid: false, findings: [{ file: 'config/a.yaml', line: 1, column: 1 }] });
    expect((await project.run('validate')).stdout).toContain('config/a.yaml:1:1');
    expect(project.emulator.requests()).toEqual([]);
  });

  test('an invalid upkeep.yaml is one document and a message on stderr', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'upkeep.yaml'), 'version: 1\n');
    for (const command of ['validate', 'plan', 'apply', 'drift', 'targets']) {
      const { code, stdout, stderr } = await runMain(folder, {}, [command, '--format', 'json']);
      expect(code).toBe(8);
      expect(asFailure(parseJson(stdout))).toMatchObject({ target: null, error: { code: 'invalid-configuration' } });
      expect(stderr).toContain('upkeep.yaml:1:1');
    }
  });
});

describe('targets', () => {
  test('targets lists all targets, or the named ones, without credentials', async () => {
    const project = await createExampleProject();
    const list = asTargets(parseJson((await project.run('targets', '--format', 'json')).stdout));
    expect(list.targets.map((target) => target.name)).toEqual(['staging', 'production']);
    expect(asTargets(parseJson((await project.run('targets', '-t', 'st*', '--format', 'json')).stdout)).targets).toHaveLength(1);
    expect((await project.run('targets', '-t', 'x')).code).toBe(8);
  });

  test('targets prints a matrix for GitHub in one line, with at most 256 jobs', async () => {
    const project = await createExampleProject();
    expect(await project.run('targets', '--format', 'github-matrix')).toMatchObject({
      code: 0,
      stdout: '{"target":["staging","production"]}\n',
    });
    const many = Array.from({ length: 257 }, (_, index) =>
      projectFile('http://127.0.0.1:9').split('targets:\n')[1]?.replace('live', `t${index}`),
    );
    project.write('upkeep.yaml', `version: 1\ntargets:\n${many.join('')}`);
    expect(await project.run('targets', '--format', 'github-matrix')).toEqual({
      code: 8,
      stdout: '\n',
      stderr: expect.stringContaining('a matrix has at most 256 jobs, and these are 257 targets'),
    });
    expect((await project.run('targets', '-t', 't1*', '--out', 'github-matrix=matrix.json')).code).toBe(0);
    expect(JSON.parse(project.read('matrix.json')).target).toHaveLength(111);
  });

  test('targets lists the targets of a shard', async () => {
    const project = await createExampleProject();
    const parts = ['1/2', '2/2'].map(
      async (shard) => asTargets(parseJson((await project.run('targets', '--shard', shard, '--format', 'json')).stdout)).targets,
    );
    const names = (await Promise.all(parts)).flat().map(({ name }) => name);
    expect(names.sort()).toEqual(['production', 'staging']);
  });
});

describe('plan', () => {
  test.each([
    ['nothing to do', [], '[]', 0],
    ['changes', ['--detailed-exitcode'], '[PLATFORM_TAMPERED]', 2],
    ['changes without the flag', [], '[PLATFORM_TAMPERED]', 0],
    ['nothing to do with the flag', ['--detailed-exitcode'], '[]', 0],
  ])('plan --detailed-exitcode has the exit code of the plan: %s', async (_name, flags, value, exit) => {
    const project = await createTestProject({ 'config/a.yaml': `vmp_reject_statuses: ${value}\n` });
    expect((await project.run('plan', ...flags)).code).toBe(exit);
  });

  test('plan exits with 4 for blocked changes only with --detailed-exitcode', async () => {
    const project = await createTestProject(VMP, { target: 'ownership: observe' });
    expect((await project.run('plan')).code).toBe(0);
    expect((await project.run('plan', '--detailed-exitcode')).code).toBe(4);
  });

  test.each([
    [[], 2],
    [['--allow', 'deletes=1'], 2],
    [['--allow', 'deletes=2'], 0],
    [['--allow', 'updates', '--allow', 'deletes'], 0],
  ])('plan with %j has %d blocked deletes', async (flags, blocked) => {
    const entries = [{ beam: { id: '1'.repeat(32) } }, { ad: { dur: 30 } }];
    const seed = { playlist: ['a', 'b'].map((id) => ({ id: id.repeat(32), desc: id, playlist: entries })) };
    const project = await createTestProject(
      { 'config/a.yaml': 'playlists: {}\n' },
      { seed, target: 'ownership: exclusive\nplayback_loss: allow' },
    );
    expect((await project.plan(...flags)).document.summary).toMatchObject({ delete: 2, blocked });
  });

  test('--undeclared and --requests add sections to the text of a plan', async () => {
    const seed = { playlist: [{ id: '0'.repeat(32), desc: 'Stray', playlist: [{ beam: { id: '1'.repeat(32) } }, { ad: { dur: 30 } }] }] };
    const project = await createTestProject({ 'config/a.yaml': 'playlists: {}\nvmp_reject_statuses: [PLATFORM_TAMPERED]\n' }, { seed });
    expect((await project.run('plan')).stdout).not.toContain('Stray');
    const { stdout } = await project.run('plan', '--undeclared', '--requests');
    expect(stdout).toContain('"Stray"');
    expect(stdout).toContain('POST /api/v3/drm/vmp-reject-statuses/update');
  });

  test('a missing credential exits with 8 and names its source, without a request', async () => {
    const project = await createTestProject(VMP);
    const { code, stderr } = await project.runWith({ env: { UPKEEP_API_KEY: undefined } }, 'plan');
    expect(code).toBe(8);
    expect(stderr).toContain('the environment variable UPKEEP_API_KEY is not set');
    expect(project.emulator.requests()).toEqual([]);
  });
});

describe('show', () => {
  test('refuses a document that would print a command of somebody else as the one to go on with', async () => {
    const project = await createTestProject(VMP);
    const { document } = await project.plan();
    const [step] = document.decision?.next ?? [];
    if (document.decision === undefined || step?.command === undefined) throw new Error('the plan prints no command');
    const foreign = [
      ['curl', 'https://example.com/x'],
      ['upkeep'],
      ['upkeep', 'unlock', '--target', 'live'],
      [...step.command, '--yes'],
      [...step.command, '--skip-blocked', 'x'],
      ['upkeep', 'apply', '--target', 'live'],
    ];
    for (const command of foreign) {
      project.write('plan.json', JSON.stringify({ ...document, decision: { ...document.decision, next: [{ ...step, command }] } }));
      const { code, stdout, stderr } = await project.run('show', 'plan.json');
      expect([code, stdout]).toEqual([8, '']);
      expect(stderr).toMatch(/a command to go on with that upkeep\s+does not print|no report of this version/);
    }
  });

  test('show renders a saved plan in another format, with requests on demand', async () => {
    const project = await createTestProject(VMP);
    await project.run('plan', '--out', 'json=plan.json');
    expect((await project.run('show', 'plan.json')).stdout).toContain('Plan for live');
    expect((await project.run('show', 'plan.json', '--requests')).stdout).toContain('POST /api/v3/drm/vmp-reject-statuses/update');
    expect((await project.run('show', 'plan.json', '--format', 'markdown')).stdout).toMatch(
      /^> \[!\w+\]\n> \*\*.*1 change stops playback[^\n]*\n(?:>.*\n)*\n#+ Plan/,
    );
    const { code, stdout } = await project.run('show', 'upkeep.yaml', '--format', 'json');
    expect([code, asFailure(parseJson(stdout)).error.code]).toEqual([8, 'saved-document']);
  });
});

describe('export', () => {
  test('export writes into a new folder, says how many objects, and never overwrites', async () => {
    const project = await createTestProject(VMP, { seed: { 'vmp-reject-statuses': ['PLATFORM_UNVERIFIED'] } });
    const { code, stdout, stderr } = await project.run('export', '--dir', 'live/now');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/Written: 3 objects .* in 6 files in\s+live\/now\. Left out: 0\.\n/s);
    expect(readdirSync(join(project.folder, 'live/now'))).toContain('vmp_reject_statuses.yaml');
    project.emulator.clearRequests();
    const again = await project.run('export', '--dir', 'live/now');
    expect(again).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('error: live/now is not empty\nhint: export into a new folder\n'),
    });
    expect(project.emulator.requests()).toEqual([]);
  });

  test('export exits with 1 if the folder cannot be created', async () => {
    const project = await createTestProject(VMP);
    const { code, stderr } = await project.run('export', '--dir', 'upkeep.yaml/sub');
    expect(code).toBe(1);
    expect(stderr).toContain('error: cannot write to upkeep.yaml/sub (ENOTDIR)\nhint: choose another folder for --dir\n');
  });

  test('export of an account that cannot be read completely writes no file and no text', async () => {
    const project = await createTestProject(VMP, { faults: [{ path: '/api/v3/drm/policies', status: 403 }] });
    mkdirSync(join(project.folder, 'empty'));
    const { code, stdout, stderr } = await project.run('export', '--dir', 'empty');
    expect([code, stdout]).toEqual([7, '']);
    expect(stderr).toContain('error: GET /api/v3/drm/policies: HTTP 403');
    expect(readdirSync(join(project.folder, 'empty'))).toEqual([]);
  });

  test('export refuses several targets', async () => {
    const project = await createTestProject(VMP);
    project.write(
      'upkeep.yaml',
      projectFile(project.emulator.url) + (projectFile(project.emulator.url).split('targets:\n')[1]?.replace('live:', 'spare:') ?? ''),
    );
    const { code, stderr } = await project.run('export', '-t', '*');
    expect(code).toBe(8);
    expect(stderr).toContain('error: export writes one account at a time\nhint: name one target with --target\n');
  });
});

test('drift exits with 3 and shows the live value as the new one', async () => {
  const project = await createTestProject(VMP);
  expect((await project.run('apply', '--yes')).code).toBe(0);
  expect((await project.run('drift')).code).toBe(0);
  project.write('config/a.yaml', 'vmp_reject_statuses: []\n');
  expect((await project.run('drift')).code).toBe(3);
});
