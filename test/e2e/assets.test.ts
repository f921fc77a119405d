/** Assets as they are: what the service and a table of rights say of them, and what is reported about them at which time. */
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/core/model/plan.ts';
import { asPlan } from '../support/documents.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { asset } from './accounts.ts';

const NOW = Date.parse('2096-11-01T00:00:00Z');

const SOURCE = `templates:
  right:
    params:
      id: string
      ends: { type: string, default: "" }
      length: { type: number, default: 60 }
    asset: { id: "\${id}", duration: "\${length}", available: { until: "\${ends}" } }
assets_from:
  - { file: rights.csv, template: right, key: "\${title}" }
playlists:
  evening: { playlist: [{ beam: pilot }, { beam: final }] }
smart_starts:
  vod: { assets: [final] }
`;

const RIGHTS = `title,id,ends,length
pilot,${asset(1)},2096-11-08T00:00:00Z,1320.5
final,${asset(2)},,
unused,${asset(3)},2020-01-01T00:00:00Z,
`;

const FILES = { 'config/all.yaml': SOURCE, 'config/rights.csv': RIGHTS };

const LIBRARY = {
  playlist: {
    playlists: [],
    assets: [
      {
        id: asset(1),
        desc: 'Pilot',
        state: 'ok',
        duration: 1321,
        created: NOW - 3_600_000,
        autoexpire: 48,
        require_studio_drm: 1,
        break_offsets: [300],
      },
      { id: asset(2), desc: 'Final', state: 'slicing', duration: 'unknown', autoexpire: null, break_offsets: 'none' },
      { id: asset(3), state: 'failed' },
    ],
  },
};

/** Runs plan or drift at a time, by default that of these tests. */
async function planAt(project: TestProject, command: 'plan' | 'drift', now = NOW): Promise<Plan> {
  const { stdout } = await project.runWith({ now: () => now }, command, '--format', 'json');
  return asPlan(JSON.parse(stdout));
}

function found({ findings }: Plan): readonly string[] {
  return findings.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`);
}

describe('a table of rights', () => {
  test('gives windows and durations to the assets of playlists without any request, located at its cells', async () => {
    const project = await createTestProject(FILES, { seed: LIBRARY, now: () => NOW });
    const plan = await planAt(project, 'plan');
    expect(found(plan)).toEqual(['asset-expires config/rights.csv:2:40']);
    expect(plan.findings[0]).toMatchObject({ severity: 'warning', address: 'playlist/evening' });
    expect(plan.assets).toEqual({
      [asset(1)]: { name: 'pilot', durationSeconds: 1320.5, availableUntil: '2096-11-08T00:00:00Z', expires: '2096-11-08T00:00:00Z' },
      [asset(2)]: { name: 'final', durationSeconds: 60 },
    });
    expect(plan.firstExpiry).toEqual({ asset: asset(1), at: '2096-11-08T00:00:00Z' });
    expect(project.emulator.requests().filter(({ path }) => path.includes('asset'))).toEqual([]);
  });

  test('is reported where a cell is no instant, and validate reports nothing that depends on the time', async () => {
    const project = await createTestProject(FILES, { seed: LIBRARY, now: () => NOW });
    expect((await project.run('validate')).stdout).not.toContain('asset-');
    project.write('config/rights.csv', RIGHTS.replace('2096-11-08T00:00:00Z', '2096-02-30T00:00:00Z'));
    const { code, document } = await project.refused('plan');
    expect(code).toBe(8);
    expect(document.findings).toMatchObject([{ code: 'invalid-value', file: 'config/rights.csv', line: 2, column: 40 }]);
    project.write('config/rights.csv', RIGHTS);
    project.write(
      'config/more.yaml',
      `assets: { x: { id: ${asset(9)}, available: { from: "2097-01-02T00:00:00Z", until: "2097-01-01T00:00:00Z" } } }`,
    );
    const reversed = await project.refused('plan');
    expect(reversed.document.findings).toMatchObject([
      { code: 'invalid-value', file: 'config/more.yaml', line: 1, summary: 'the window ends before it begins' },
    ]);
  });
});

describe('the look-up of assets', () => {
  test('reports in plan and in drift what threatens a playlist, and ignores answers of another form', async () => {
    const project = await createTestProject(FILES, { target: 'check: { assets: true }', seed: LIBRARY, now: () => NOW });
    const plan = await planAt(project, 'plan');
    expect(found(plan)).toEqual([
      'breaks-ignored config/all.yaml:11:12',
      'asset-studio-drm-mismatch config/all.yaml:11:33',
      'asset-not-ready config/all.yaml:11:50',
      'asset-expires config/rights.csv:2:40',
    ]);
    expect(plan.assets?.[asset(1)]).toEqual({
      name: 'pilot',
      durationSeconds: 1321,
      state: 'ok',
      created: '2096-10-31T23:00:00Z',
      retentionHours: 48,
      requiresStudioDrm: true,
      breakOffsets: [300],
      availableUntil: '2096-11-08T00:00:00Z',
      expires: '2096-11-08T00:00:00Z',
    });
    expect(plan.assets?.[asset(2)]).toEqual({ name: 'final', durationSeconds: 60, state: 'slicing' });
    const drift = await planAt(project, 'drift');
    expect(found(drift)).toEqual(found(plan));
    expect(drift.firstExpiry).toEqual(plan.firstExpiry);
  });

  test('counts the retention from the creation where the target says so', async () => {
    const target = 'check: { assets: true }\nservice: { retention_from: created, asset_ready_states: [OK, slicing] }';
    const project = await createTestProject(FILES, { target, seed: LIBRARY, now: () => NOW });
    const plan = await planAt(project, 'plan');
    expect(plan.firstExpiry).toEqual({ asset: asset(1), at: '2096-11-02T23:00:00Z' });
    expect(plan.findings.map(({ code, summary }) => [code, summary.includes('retained until 2096-11-02T23:00:00Z')])).toContainEqual([
      'asset-expires',
      true,
    ]);
    expect(found(plan).filter((text) => text.startsWith('asset-not-ready'))).toEqual([]);
  });

  test('never stops drift, and stops plan where `rules` makes a finding an error', async () => {
    const rules =
      'rules: { asset-not-ready: error, asset-expires: { level: "off" }, breaks-ignored: "off", asset-studio-drm-mismatch: "off" }';
    const project = await createTestProject(FILES, { target: 'check: { assets: true }', seed: LIBRARY, rules });
    expect(await project.refused('plan')).toMatchObject({
      code: 8,
      document: { findings: [{ code: 'asset-not-ready', severity: 'error' }] },
    });
    const drift = await project.drift();
    expect(drift.code).toBe(3);
    expect(drift.document.findings).toMatchObject([{ code: 'asset-not-ready', severity: 'error' }]);
    const gauges = (await project.run('drift', '--format', 'prometheus')).stdout;
    expect(gauges).toContain(
      `upkeep_asset_expires_timestamp_seconds{command="drift",target="live"} ${Date.parse('2096-11-08T00:00:00Z') / 1000}`,
    );
  });
});

describe('`within` in `rules`', () => {
  test('says how long before its end an asset is reported', async () => {
    const project = await createTestProject(FILES, {
      seed: LIBRARY,
      now: () => NOW,
      rules: 'rules: { asset-expires: { level: warning, within: 36h } }',
    });
    expect(found(await planAt(project, 'plan'))).toEqual([]);
    expect(found(await planAt(project, 'plan', Date.parse('2096-11-06T12:00:00Z')))).toEqual(['asset-expires config/rights.csv:2:40']);
    expect(found(await planAt(project, 'plan', Date.parse('2096-11-08T00:00:00Z')))).toEqual([
      'asset-outside-window config/rights.csv:2:40',
    ]);
    expect(found(await planAt(project, 'plan', Date.parse('2099-01-01T00:00:00Z')))).toEqual([
      'asset-outside-window config/rights.csv:2:40',
    ]);
  });

  test('is a warning where a finding is about no event, and an error in another form', async () => {
    const project = await createTestProject(FILES, { rules: 'rules: { mixed-codec: { level: warning, within: 2d } }' });
    const { document } = await project.plan();
    expect(document.findings).toMatchObject([
      { code: 'unused-rule', file: 'upkeep.yaml', line: 2, summary: '`mixed-codec` is about no event, so that `within` has no effect' },
    ]);
    for (const rule of ['{ level: warning, within: 2w }', '{ within: 2d }', '{ level: loud }', 'loud']) {
      project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/rules: .*/, `rules: { asset-expires: ${rule} }`));
      expect(await project.refused('plan')).toMatchObject({ code: 8, document: { findings: [{ file: 'upkeep.yaml', line: 2 }] } });
    }
  });
});
