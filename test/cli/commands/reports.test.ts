import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asFailure, asTargets, asValidation } from '../../support/documents.ts';
import { exampleStage, projectFile, runMain, stage, temporaryFolder } from '../../support/harness.ts';

const VMP = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n' };

function parseJson(text: string): unknown {
  return JSON.parse(text);
}

describe('validate', () => {
  test('validate checks all targets in the order of upkeep.yaml if none is named', async () => {
    const set = await exampleStage();
    const all = await set.run('validate', '--format', 'json');
    const list = parseJson(all.stdout);
    expect(all.code).toBe(0);
    expect(Array.isArray(list) ? list.map((each) => asValidation(each).target) : []).toEqual(['staging', 'production']);
    const one = asValidation(parseJson((await set.run('validate', '-t', 'production', '--format', 'json')).stdout));
    expect(one).toMatchObject({ target: 'production', valid: true });
    expect(one.resources).toEqual({ 'drm-policy': 3, 'key-rotation-schedule': 1, playlist: 24, 'static-key': 1, 'vmp-reject-statuses': 1 });
  });

  test('validate exits with 8 and reports the place of an error, without a request', async () => {
    const set = await stage({ 'config/a.yaml': 'vmp_reject_statusses: []\n' });
    const { code, stdout } = await set.run('validate', '--format', 'json');
    expect(code).toBe(8);
    expect(asValidation(parseJson(stdout))).toMatchObject({ valid: false, findings: [{ file: 'config/a.yaml', line: 1, column: 1 }] });
    expect((await set.run('validate')).stdout).toContain('config/a.yaml:1:1');
    expect(set.emulator.requests()).toEqual([]);
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
    const set = await exampleStage();
    const list = asTargets(parseJson((await set.run('targets', '--format', 'json')).stdout));
    expect(list.targets.map((target) => target.name)).toEqual(['staging', 'production']);
    expect(asTargets(parseJson((await set.run('targets', '-t', 'st*', '--format', 'json')).stdout)).targets).toHaveLength(1);
    expect((await set.run('targets', '-t', 'x')).code).toBe(8);
  });

  test('targets prints a matrix for GitHub in one line, with at most 256 jobs', async () => {
    const set = await exampleStage();
    expect(await set.run('targets', '--format', 'github-matrix')).toMatchObject({
      code: 0,
      stdout: '{"target":["staging","production"]}\n',
    });
    const many = Array.from({ length: 257 }, (_, index) =>
      projectFile('http://127.0.0.1:9').split('targets:\n')[1]?.replace('live', `t${index}`),
    );
    set.write('upkeep.yaml', `version: 1\ntargets:\n${many.join('')}`);
    expect(await set.run('targets', '--format', 'github-matrix')).toEqual({
      code: 8,
      stdout: '\n',
      stderr: expect.stringContaining('a matrix has at most 256 jobs, and these are 257 targets'),
    });
    expect((await set.run('targets', '-t', 't1*', '--out', 'github-matrix=matrix.json')).code).toBe(0);
    expect(JSON.parse(set.read('matrix.json')).target).toHaveLength(111);
  });

  test('targets lists the targets of a shard', async () => {
    const set = await exampleStage();
    const parts = ['1/2', '2/2'].map(
      async (shard) => asTargets(parseJson((await set.run('targets', '--shard', shard, '--format', 'json')).stdout)).targets,
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
    const set = await stage({ 'config/a.yaml': `vmp_reject_statuses: ${value}\n` });
    expect((await set.run('plan', ...flags)).code).toBe(exit);
  });

  test('plan exits with 4 for blocked changes only with --detailed-exitcode', async () => {
    const set = await stage(VMP, { target: 'ownership: observe' });
    expect((await set.run('plan')).code).toBe(0);
    expect((await set.run('plan', '--detailed-exitcode')).code).toBe(4);
  });

  test.each([
    [[], 2],
    [['--allow', 'deletes=1'], 2],
    [['--allow', 'deletes=2'], 0],
    [['--allow', 'updates', '--allow', 'deletes'], 0],
  ])('plan with %j has %d blocked deletes', async (flags, blocked) => {
    const entries = [{ beam: { id: '1'.repeat(32) } }, { ad: { dur: 30 } }];
    const seed = { playlist: ['a', 'b'].map((id) => ({ id: id.repeat(32), desc: id, playlist: entries })) };
    const set = await stage({ 'config/a.yaml': 'playlists: {}\n' }, { seed, target: 'ownership: exclusive' });
    expect((await set.plan(...flags)).document.summary).toMatchObject({ delete: 2, blocked });
  });

  test('--unmanaged and --requests add sections to the text of a plan', async () => {
    const seed = { playlist: [{ id: '0'.repeat(32), desc: 'Stray', playlist: [{ beam: { id: '1'.repeat(32) } }, { ad: { dur: 30 } }] }] };
    const set = await stage({ 'config/a.yaml': 'playlists: {}\nvmp_reject_statuses: [PLATFORM_TAMPERED]\n' }, { seed });
    expect((await set.run('plan')).stdout).not.toContain('Stray');
    const { stdout } = await set.run('plan', '--unmanaged', '--requests');
    expect(stdout).toContain('"Stray"');
    expect(stdout).toContain('POST /api/v3/drm/vmp-reject-statuses/update');
  });

  test('a missing credential exits with 8 and names its source, without a request', async () => {
    const set = await stage(VMP);
    const { code, stderr } = await set.runWith({ env: { UPKEEP_API_KEY: undefined } }, 'plan');
    expect(code).toBe(8);
    expect(stderr).toContain('the environment variable UPKEEP_API_KEY is not set');
    expect(set.emulator.requests()).toEqual([]);
  });
});

describe('show', () => {
  test('show renders a saved plan in another format, with requests on demand', async () => {
    const set = await stage(VMP);
    await set.run('plan', '--out', 'json=plan.json');
    expect((await set.run('show', 'plan.json')).stdout).toContain('Plan for live');
    expect((await set.run('show', 'plan.json', '--requests')).stdout).toContain('POST /api/v3/drm/vmp-reject-statuses/update');
    expect((await set.run('show', 'plan.json', '--format', 'markdown')).stdout).toMatch(/^#+ Plan/);
    const { code, stdout } = await set.run('show', 'upkeep.yaml', '--format', 'json');
    expect([code, asFailure(parseJson(stdout)).error.code]).toEqual([8, 'saved-document']);
  });
});

describe('export', () => {
  test('export writes into a new folder, names the files and never overwrites', async () => {
    const set = await stage(VMP, { seed: { 'vmp-reject-statuses': ['PLATFORM_UNVERIFIED'] } });
    const { code, stdout, stderr } = await set.run('export', '--dir', 'live/now');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('vmp_reject_statuses.yaml to live/now\n');
    expect(readdirSync(join(set.folder, 'live/now'))).toContain('vmp_reject_statuses.yaml');
    set.emulator.clearRequests();
    const again = await set.run('export', '--dir', 'live/now');
    expect(again).toMatchObject({ code: 8, stderr: 'error: live/now is not empty\n  hint: export into a new folder\n' });
    expect(set.emulator.requests()).toEqual([]);
  });

  test('export exits with 1 if the folder cannot be created', async () => {
    const set = await stage(VMP);
    const { code, stderr } = await set.run('export', '--dir', 'upkeep.yaml/sub');
    expect([code, stderr]).toEqual([1, 'error: cannot write to upkeep.yaml/sub (ENOTDIR)\n  hint: choose another folder for --dir\n']);
  });

  test('export of an account that cannot be read completely writes no file and no text', async () => {
    const set = await stage(VMP, { faults: [{ path: '/api/v3/drm/policies', status: 403 }] });
    mkdirSync(join(set.folder, 'empty'));
    const { code, stdout, stderr } = await set.run('export', '--dir', 'empty');
    expect([code, stdout]).toEqual([7, '']);
    expect(stderr).toContain('error: GET /api/v3/drm/policies: HTTP 403');
    expect(readdirSync(join(set.folder, 'empty'))).toEqual([]);
  });

  test('export refuses several targets', async () => {
    const set = await stage(VMP);
    set.write(
      'upkeep.yaml',
      projectFile(set.emulator.url) + (projectFile(set.emulator.url).split('targets:\n')[1]?.replace('live:', 'spare:') ?? ''),
    );
    const { code, stderr } = await set.run('export', '-t', '*');
    expect([code, stderr]).toEqual([8, 'error: export writes one account at a time\n  hint: name one target with --target\n']);
  });
});

test('drift exits with 3 and shows the live value as the new one', async () => {
  const set = await stage(VMP);
  expect((await set.run('apply', '--yes')).code).toBe(0);
  expect((await set.run('drift')).code).toBe(0);
  set.write('config/a.yaml', 'vmp_reject_statuses: []\n');
  expect((await set.run('drift')).code).toBe(3);
});
