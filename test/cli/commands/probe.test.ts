/** `probe` as a user runs it: what it prints, writes, asks and refuses, and what doctor and the emulator make of its result. */
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { probedService } from '../../../src/emulator/probed-quirks.ts';
import { CREDENTIALS, createSearcher } from '../../support/canary.ts';
import { asDiagnosis, asFailure, asProbe } from '../../support/documents.ts';
import { createGitProject } from '../../support/git-project.ts';
import { createTestProject, type TestProject } from '../../support/harness.ts';
import { readLocalFileOf, writeLocalFileOf } from '../../support/local-files.ts';

const VMP = { 'config/a.yaml': 'vmp_reject_statuses: []\n' };
const ASSET = 'a'.repeat(32);
const THEIRS = 'b'.repeat(32);
const CONTENT = 'Evening block of the account';
const SEED = {
  playlist: [{ id: 'c'.repeat(32), desc: CONTENT, playlist: [{ beam: { id: THEIRS } }] }],
  'drm-policy': [{ policy_name: CONTENT }],
};

const probeOf = (project: TestProject) => asProbe(JSON.parse(project.read('probe-live.json')));

/** Requests that write: a lookup of v2 is a read. */
const writesOf = (project: TestProject) =>
  project.emulator.requests().filter(({ method, path }) => method !== 'GET' && !path.startsWith('/api2/'));

describe('probe without flags', () => {
  test('prints its requests first, only reads, and writes the result beside upkeep.yaml', async () => {
    const project = await createTestProject(VMP, { seed: SEED });
    const { code, stdout, stderr } = await project.run('probe');
    expect([code, writesOf(project)]).toEqual([0, []]);
    expect(stderr).toMatch(
      /^note: probe of live, step read: \d+ requests to http:\/\/127.0.0.1:\d+, and one more [^\n]+\n {2}GET \/api\/v4\/linear-playlist/,
    );
    const [, announced] = /: (\d+) requests to /.exec(stderr) ?? [];
    const listed = stderr.split('\n').filter((line) => line.startsWith('  '));
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.length + listed.filter((line) => line.endsWith(', twice)')).length).toBe(Number(announced));
    expect(stdout).toMatch(/^ {2}ok +How does v4 answer an unknown ID\? +HTTP 404$/m);
    expect(stdout).toContain('Nothing was written.');
    expect(probeOf(project)).toMatchObject({ target: 'live', steps: ['read'], settings: [], leftBehind: [] });
    expect((await project.run('show', 'probe-live.json')).stdout).toBe(stdout);
  });

  test('shows no secret and nothing of the account in any format or in its file', async () => {
    const project = await createTestProject(VMP, { seed: SEED });
    const find = createSearcher([...CREDENTIALS, { name: 'description', value: CONTENT }, { name: 'asset', value: THEIRS }]);
    const formats = ['text', 'markdown', 'html', 'json', 'ndjson', 'sarif', 'junit', 'github', 'gitlab', 'prometheus'];
    for (const format of formats) {
      const { code, stdout, stderr } = await project.run('probe', '--write', '--yes', '--asset', ASSET, '--format', format);
      expect([format, code, ...find(`${stdout}${stderr}`)]).toEqual([format, 0]);
    }
    expect(find(project.read('probe-live.json'))).toEqual([]);
  });

  test('exits with 7 where the credentials are refused, and with 10 where nothing answers', async () => {
    const project = await createTestProject(VMP);
    const refused = await project.runWith({ env: { UPKEEP_API_KEY: 'another key of the same length' } }, 'probe', '--format', 'json');
    expect(refused.code).toBe(7);
    expect(asProbe(JSON.parse(refused.stdout)).answers.find(({ id }) => id === 'signature-accepted')?.state).toBe('contradicted');
    // A service that accepts nothing is not written to.
    const write = ['probe', '--write', '--yes', '--format', 'json'];
    const none = await project.runWith({ env: { UPKEEP_API_KEY: 'another key of the same length' } }, ...write);
    expect([none.code, writesOf(project)]).toEqual([7, []]);
    await project.emulator.close();
    expect((await project.run('probe')).code).toBe(10);
  });

  test('names the settings to write where the service needs them', async () => {
    const project = await createTestProject(VMP, { seed: SEED, faults: [{ path: '/api2/*', status: 403, body: {} }] });
    const { code, stdout } = await project.run('probe');
    expect(code).toBe(0);
    expect(stdout).toContain('Write into the target live of upkeep.yaml:\nservice:\n  reference_api: v4\n');
  });
});

describe('probe --write', () => {
  test('is refused without a terminal and without --yes, before any request', async () => {
    const project = await createTestProject(VMP);
    const { code, stderr } = await project.run('probe', '--write');
    expect([code, project.emulator.requests()]).toEqual([4, []]);
    expect(stderr).toContain('confirm with --yes');
  });

  test('asks on a terminal, and writes where the answer is yes', async () => {
    const project = await createTestProject(VMP);
    expect((await project.runWith({ terminal: true, stdin: 'no\n' }, 'probe', '--write')).code).toBe(4);
    expect(writesOf(project)).toEqual([]);
    expect((await project.runWith({ terminal: true, stdin: 'yes\n' }, 'probe', '--write')).code).toBe(0);
    expect(writesOf(project).length).toBeGreaterThan(5);
  });

  test('leaves the account as it was, and no journal', async () => {
    const project = await createTestProject(VMP, { seed: SEED });
    const before = [
      project.live('playlist'),
      project.live('drm-policy'),
      project.live('static-key'),
      project.live('key-rotation-schedule'),
    ];
    const { code } = await project.run('probe', '--write', '--yes', '--asset', ASSET);
    expect([code, probeOf(project).steps]).toEqual([0, ['read', 'write']]);
    const after = [project.live('playlist'), project.live('drm-policy'), project.live('static-key'), project.live('key-rotation-schedule')];
    expect(after).toEqual(before);
    expect(readLocalFileOf(project.folder, 'probe.jsonl')).toBeNull();
  });

  test('is refused for a target that is only observed, and --asset without it is', async () => {
    const project = await createTestProject(VMP, { target: 'ownership: observe' });
    const observed = await project.run('probe', '--write', '--yes', '--format', 'json');
    expect([observed.code, asFailure(JSON.parse(observed.stdout)).error.code]).toEqual([4, 'observe']);
    expect((await project.run('probe', '--asset', ASSET)).code).toBe(8);
    expect(project.emulator.requests()).toEqual([]);
  });

  test('exits with 1 where an assumption is contradicted, and says what upkeep must not be used for', async () => {
    const project = await createTestProject(VMP, { seed: SEED, quirks: { patchMerges: true } });
    const { code, stdout } = await project.run('probe', '--write', '--yes', '--asset', ASSET);
    expect(code).toBe(1);
    expect(stdout).toMatch(/error +Does a PATCH of `playlist` replace the list\? +merges/);
    expect(stdout).toContain('do not use upkeep for changing the entries of existing playlists');
  });

  test('removes what an earlier probe left, which a probe that only reads names', async () => {
    const project = await createTestProject(VMP, { seed: SEED });
    const name = 'd'.repeat(32);
    project.emulator.edit({ emulation: 'drm-policy', collection: 'policies', id: 'left', document: { _id: 'left', policy_name: name } });
    writeLocalFileOf(project.folder, 'probe.jsonl', `\n{"kind":"policy","name":"${name}"}\n\n{"kind":"pol`);
    expect((await project.run('probe')).stderr).toContain('an earlier probe may have left 1 of its objects');
    expect(writesOf(project)).toEqual([]);
    expect((await project.run('probe', '--write', '--yes')).code).toBe(0);
    expect(project.live('drm-policy')).toMatchObject([{ policy_name: CONTENT }]);
    expect(readLocalFileOf(project.folder, 'probe.jsonl')).toBeNull();
  });

  test('holds the lock of the ledger, and is refused while another run holds it', async () => {
    const project = await createGitProject(VMP);
    const lock = project.git('rev-parse', 'HEAD').trim();
    project.git('push', '-q', 'origin', `${lock}:refs/upkeep/locks/live`);
    expect((await project.run('probe', '--write', '--yes')).code).toBe(9);
    expect(writesOf(project)).toEqual([]);
    expect((await project.run('probe')).code).toBe(0);
    project.git('push', '-q', 'origin', ':refs/upkeep/locks/live');
    expect((await project.run('probe', '--write', '--yes')).code).toBe(0);
    expect(Object.keys(project.refs()).filter((ref) => ref.includes('locks'))).toEqual([]);
  });
});

describe('the result of a probe', () => {
  test('is named by doctor as missing, current, contradicted, old or unreadable, and never stops it', async () => {
    const project = await createTestProject(VMP, { seed: SEED, quirks: { patchMerges: true } });
    const doctor = async (now = Date.now) => {
      const { code, stdout } = await project.runWith({ now }, 'doctor', '--format', 'json');
      const check = asDiagnosis(JSON.parse(stdout)).checks.find((each) => each.check === 'probe');
      return [code, check?.state, check?.summary];
    };
    expect(await doctor()).toEqual([0, 'skipped', expect.stringContaining('there is no probe-live.json')]);
    await project.run('probe');
    expect(await doctor()).toEqual([0, 'ok', expect.stringContaining('by read')]);
    const text = project.read('probe-live.json');
    project.write('probe-live.json', text.replace(/"at": "\d{4}/, '"at": "2020'));
    expect(await doctor()).toEqual([0, 'warning', expect.stringMatching(/is \d+ days old/)]);
    await project.run('probe', '--write', '--yes', '--asset', ASSET);
    expect(await doctor()).toEqual([0, 'warning', expect.stringContaining('1 of the assumptions are contradicted')]);
    project.write('probe-live.json', '{}');
    expect(await doctor()).toEqual([0, 'warning', expect.stringContaining('cannot be read')]);
  });

  test('makes the emulator behave as the service did, where it was found out', async () => {
    const quirks = {
      patchMerges: true,
      createdStatus: 200,
      storedNames: 'trimmed',
      unsetSchedule: 'absent',
      numericStrings: true,
    } as const;
    const project = await createTestProject(VMP, { seed: SEED, quirks, refuseReused: false });
    await project.run('probe', '--write', '--yes', '--asset', ASSET);
    const service = probedService(probeOf(project));
    expect(service).toMatchObject({ quirks, refuseReused: false });
    const again = await createTestProject(VMP, { seed: SEED, ...service });
    await again.run('probe', '--write', '--yes', '--asset', ASSET);
    // The details are figures of one run, such as the difference of the clocks.
    const answersOf = (each: TestProject) =>
      probeOf(each)
        .answers.filter(({ state }) => state !== 'measured')
        .map(({ detail: _detail, ...answer }) => answer);
    expect(answersOf(again)).toEqual(answersOf(project));
  });

  test('is neither read nor written through a link', async () => {
    const project = await createTestProject(VMP);
    project.write('elsewhere.json', 'theirs');
    symlinkSync('elsewhere.json', join(project.folder, 'probe-live.json'));
    expect((await project.run('probe')).code).toBe(8);
    expect([project.emulator.requests(), project.read('elsewhere.json')]).toEqual([[], 'theirs']);
    expect((await project.run('doctor')).stdout).toContain('probe-live.json cannot be read');
  });

  test('is not written where the probe was refused', async () => {
    const project = await createTestProject(VMP);
    await project.run('probe', '--write');
    expect(existsSync(join(project.folder, 'probe-live.json'))).toBe(false);
  });
});
