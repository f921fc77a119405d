/** Members of the service that an update may reset for good (design section 4, rule 5). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { createTestProject, OWNER, type TestProject } from '../support/harness.ts';
import { liftOf } from '../support/lifts.ts';
import { asset, beams, config } from './accounts.ts';

const POLICY = { _id: 'live', policy_name: 'premium', x_internal: { tier: 2 }, fairplay: { key_duration_seconds: 60, x_hint: 'a' } };
const DECLARED = { drm_policies: { premium: { fairplay: { key_duration_seconds: 30 } } } };

/** A project whose account holds a policy with two members that no document names. */
async function projectWith(resettable: readonly string[], policy: JsonObject = POLICY): Promise<TestProject> {
  const project = await createTestProject(config(DECLARED), {
    seed: { 'drm-policy': [{ _id: 'live', policy_name: 'premium' }] },
    target: `service: { resettable_members: ${JSON.stringify(resettable)} }`,
  });
  project.emulator.edit({ owner: OWNER, emulation: 'drm-policy', collection: 'policies', id: 'live', document: policy });
  return project;
}

describe('a member of a policy that `service.resettable_members` names', () => {
  test('does not block an update, and the plan shows its live value beside each such update', async () => {
    const project = await projectWith(['/x_internal', '/fairplay/x_hint']);
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ action: 'update', blocked: null }]);
    const resets = document.findings.filter(({ code }) => code === 'member-reset');
    expect(resets).toMatchObject([
      {
        address: 'drm-policy/premium',
        severity: 'warning',
        summary: 'the update may reset members that upkeep does not know: /x_internal = {"tier":2}, /fairplay/x_hint = "a"',
      },
    ]);
    expect((await project.run('plan')).stdout.replace(/\s+/g, ' ')).toContain('/x_internal = {"tier":2}');
    expect((await project.apply('--yes')).code).toBe(0);
    expect((await project.plan()).document).toMatchObject({ changes: [], findings: [] });
  });

  test('leaves a member that is not named blocked, and the remedy names the key', async () => {
    const project = await projectWith(['/x_internal']);
    const blocked = (await project.plan()).document.changes[0]?.blocked;
    expect(blocked?.check).toBe('unknown-fields');
    expect(blocked?.reason).toContain('/fairplay/x_hint = "a"');
    expect(blocked?.reason).not.toContain('x_internal');
    expect(liftOf(blocked)).toContain('`service: { resettable_members: ["/fairplay/x_hint"] }`');
    expect((await project.refused('apply', '--yes')).code).toBe(4);
    expect(project.writes()).toEqual([]);
  });

  test('is no finding while the policy is not updated, nor in a drift report', async () => {
    const project = await projectWith(['/x_internal'], { ...POLICY, fairplay: { key_duration_seconds: 30 } });
    expect((await project.plan()).document).toMatchObject({ changes: [], findings: [] });
    const edited = await projectWith(['/x_internal', '/fairplay/x_hint']);
    expect((await edited.drift()).document.findings.filter(({ code }) => code === 'member-reset')).toEqual([]);
  });
});

test('members of playlist entries and of the rotation schedule can be named, `*` being any entry', async () => {
  const daily = { enabled: true, frequency: 1, unit: 'd', hour: 4 };
  const project = await createTestProject(
    config({ playlists: { p: { playlist: beams(1, 2, 3) } }, key_rotation_schedule: { ...daily, hour: 5 } }),
    {
      seed: { playlist: [{ id: 'live', desc: 'p', playlist: beams(1, 2) }], 'key-rotation-schedule': { ...daily, zone: 'UTC' } },
      target: 'service: { resettable_members: ["/playlist/*/beam/start", "/zone"] }',
    },
  );
  project.editPlaylist('live', { playlist: [{ beam: { id: asset(1), start: 10 } }, { beam: { id: asset(2), start: 20 } }] });
  const { document } = await project.plan();
  expect(document.changes.map(({ address, blocked }) => [address, blocked])).toEqual([
    ['key-rotation-schedule', null],
    ['playlist/p', null],
  ]);
  expect(document.findings.flatMap(({ code, summary }) => (code === 'member-reset' ? [summary.replace(/^.*: /, '')] : []))).toEqual([
    '/playlist/0/beam/start = 10, /playlist/1/beam/start = 20',
    '/zone = "UTC"',
  ]);
});

test('an entry of `service.resettable_members` that is no JSON Pointer is an error', async () => {
  const project = await createTestProject(config({}), { target: 'service: { resettable_members: [x_internal] }' });
  const { code, stderr } = await project.run('validate');
  expect(code).toBe(8);
  expect(stderr).toContain('resettable_members');
});

describe('a probe', () => {
  test('finds such members, prints the setting with those that are named already, and writes nothing into upkeep.yaml', async () => {
    const project = await projectWith(['/other']);
    const before = project.read('upkeep.yaml');
    const { stdout } = await project.run('probe');
    expect(stdout).toContain('resettable_members: ["/other","/fairplay/x_hint","/x_internal"]');
    expect(project.read('upkeep.yaml')).toBe(before);
    const report = JSON.parse(project.read('probe-live.json'));
    expect(report.settings).toEqual([{ path: 'service.resettable_members', value: '["/other","/fairplay/x_hint","/x_internal"]' }]);
  });

  test('asks for no setting where all of them are named, and does not print names that may be data', async () => {
    const named = await projectWith(['/x_internal', '/fairplay/x_hint']);
    expect(JSON.parse((await named.run('probe', '--format', 'json')).stdout).settings).toEqual([]);
    const odd = await projectWith([], { ...POLICY, x_internal: { a: 1 }, fairplay: { 'Viewer 17': 1 } });
    const { stdout } = await odd.run('probe', '--format', 'json');
    expect(JSON.parse(stdout).settings).toEqual([{ path: 'service.resettable_members', value: '["/x_internal"]' }]);
    expect(stdout).toContain('1 that may be data');
    expect(stdout).not.toContain('Viewer 17');
  });
});
