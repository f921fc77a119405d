/** `export --format html`: the live account on one page, also where it was not read completely or cannot be declared. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { createTestProject } from '../support/harness.ts';
import { asset, beams } from './accounts.ts';

const ACCOUNT: JsonObject = {
  playlist: {
    playlists: [
      {
        id: 'main1',
        desc: 'Main <channel>',
        repeat: -1,
        studio_drm_required: 1,
        playlist: [...beams(1), { ad: { dur: 90 } }, ...beams(2)],
      },
      { id: 'off1', desc: 'Archive', active: 0, skip_drm: 1, playlist: beams(3, 1) },
      { id: 'odd1', desc: 'Odd', playlist: [...beams(2), { ad: { dur: 30.5 } }] },
    ],
    assets: [
      { id: asset(1), desc: 'Pilot', duration: 3600 },
      { id: asset(2), desc: 'Finale', duration: 1800, state: 'processing' },
      { id: asset(3), desc: 'Trailer' },
    ],
  },
  'drm-policy': [
    { policy_name: 'premium', playready: { hd: { security_level: 3000 } } },
    { policy_name: 'plain' },
    { policy_name: 'plain 2' },
  ],
  'vmp-reject-statuses': ['PLATFORM_TAMPERED'],
  'static-key': { static_key_slicer_ids: ['sao-live-001'], live_slicers: ['sao-live-001'] },
};

const NO_SOURCES = { 'config/all.yaml': '{}\n' };

describe('the account at a glance', () => {
  test('shows playlists with lengths and marks, policies as a matrix, and the settings of the account', async () => {
    const project = await createTestProject(NO_SOURCES, { seed: ACCOUNT });
    const { code, stdout, stderr } = await project.run('export', '--format', 'html', '--assets');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('<h3>Main &lt;channel&gt;</h3>');
    expect(stdout).toContain('3 entries, 1:31:30');
    expect(stdout).toContain('ads 0:01:30 planned, 1.0 min per hour (1.6 %)');
    expect(stdout).toContain('repeats for ever');
    expect(stdout).toContain('DRM required');
    expect(stdout).toContain('plays without a signature');
    expect(stdout).toContain('not ready: processing');
    expect(stdout).toContain('cannot be declared: entry 2 of its list is neither an asset nor an ad break of whole seconds');
    expect(stdout).toMatch(/plain and 1 equal.*hd\.<wbr>security_level/s);
    expect(stdout).toContain('1 live slicer uses the static key.');
    expect(stdout).toContain('PLATFORM_TAMPERED rejected');
    expect(project.writes()).toEqual([]);
  });

  test('asks the service about assets only with --assets or `check.assets`, and otherwise says that lengths are unknown', async () => {
    const project = await createTestProject(NO_SOURCES, { seed: ACCOUNT });
    expect((await project.run('export', '--format', 'html')).stdout).toContain('3 entries, length unknown');
    expect(project.emulator.requests().filter(({ path }) => path.includes('asset'))).toEqual([]);
    const checking = await createTestProject(NO_SOURCES, { seed: ACCOUNT, target: 'check: { assets: true }' });
    expect((await checking.run('export', '--format', 'html')).stdout).toContain('3 entries, 1:31:30');
  });

  test('takes names, durations and ends of assets from the configuration', async () => {
    const files = {
      'config/all.yaml': `assets:
  pilot: { id: ${asset(1)}, duration: 600, available: { until: "2027-01-31T00:00:00Z" } }
playlists: { other: { playlist: [{ beam: pilot }, { ad: 30 }, { beam: ${asset(9)} }] } }
`,
    };
    const project = await createTestProject(files, { seed: ACCOUNT });
    const page = async (at: string) => (await project.run('export', '--format', 'html', '--at', at)).stdout;
    expect(await page('2027-01-30T00:00:00Z')).toContain('pilot ends 2027-01-31');
    const after = await page('2027-01-31');
    expect(after).toContain('1 asset cannot be played at 2027-01-31');
    expect(after).not.toContain('pilot ends');
  });

  test('says which kind could not be read, shows the others, and exits with 10', async () => {
    const project = await createTestProject(NO_SOURCES, { seed: ACCOUNT, faults: [{ path: '*/drm/policies*', status: 500 }] });
    const { code, stdout, stderr } = await project.run('export', '--format', 'html');
    expect(code).toBe(10);
    expect(stderr).toContain('error: ');
    expect(stdout).toContain('<strong>Not read: drm-policy.</strong>');
    expect(stdout).not.toContain('id="drm-policy"');
    expect(stdout).toContain('<h3>Archive</h3>');
  });

  test('says that a look-up of assets failed, and exits with 0', async () => {
    const project = await createTestProject(NO_SOURCES, { seed: ACCOUNT, faults: [{ path: '/api2/asset/get', status: 500 }] });
    const { code, stdout } = await project.run('export', '--format', 'html', '--assets');
    expect(code).toBe(0);
    expect(stdout).toContain('The service did not tell about 3 of 3 assets');
  });

  test('is written beside the YAML with --out html=FILE', async () => {
    const project = await createTestProject(NO_SOURCES, { seed: { 'vmp-reject-statuses': ['PLATFORM_TAMPERED'] } });
    const { code, stdout } = await project.run('export', '--out', 'html=account.html');
    expect([code, stdout]).toEqual([0, expect.stringContaining('vmp_reject_statuses:')]);
    expect(project.read('account.html')).toContain('The account has no playlist.');
  });

  test.each(['--templates', '--group-by=file'])('refuses %s without a folder', async (flag) => {
    const project = await createTestProject(NO_SOURCES);
    const { code, stderr } = await project.run('export', '--format', 'html', flag);
    expect(code).toBe(8);
    expect(stderr).toContain('needs --dir');
  });
});
