/**
 * `export` by example: sorted files without defaults, what needs `adopt`, and what is a comment with its reason. Any account:
 * test/property/export.test.ts.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { createTestProject, projectFile, type TestProject } from '../support/harness.ts';
import { asset, beams, manyLive } from './accounts.ts';

async function exported(seed: JsonObject): Promise<TestProject> {
  const project = await createTestProject({}, { seed });
  expect(await project.run('export', '--dir', 'exported')).toMatchObject({ code: 0, stdout: '' });
  return project;
}

async function expectEmptyPlan(project: TestProject): Promise<void> {
  project.write('upkeep.yaml', projectFile(project.emulator.url).replace('[config]', '[exported]'));
  expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [] } });
}

describe('the export of playlists', () => {
  test('is sorted, without defaults, and with a description only where it differs from the key', async () => {
    const live = [
      { id: 'z', desc: 'zebra', active: 1, repeat: 0, playlist: [...beams(1, 2), { ad: { dur: 30 } }] },
      { id: 'b', desc: 'Evening block', active: 0, repeat: -1, playlist: beams(3, 4) },
    ];
    const project = await exported({ playlist: live });
    expect(project.read('exported/playlists.yaml')).toBe(`# yaml-language-server: $schema=../node_modules/upkeep/schemas/source.schema.json
playlists:
  evening-block:
    desc: Evening block
    active: 0
    repeat: -1
    playlist:
      - beam:
          id: ${asset(3)}
      - beam:
          id: ${asset(4)}
  zebra:
    playlist:
      - beam:
          id: ${asset(1)}
      - beam:
          id: ${asset(2)}
      - ad:
          dur: 30
`);
    await expectEmptyPlan(project);
  });

  test('with an entry that cannot be read has a comment for that one, and declares the others', async () => {
    const odd = { id: 'odd', desc: 'odd', playlist: [...beams(1), { ad: { dur: 30.5 } }] };
    const project = await exported({ playlist: [odd, { id: 'b', desc: 'plain', playlist: beams(1, 2) }] });
    const text = project.read('exported/playlists.yaml');
    expect(text).toMatch(/^# playlist\/~odd "odd" is left out: entry 2 of its list is neither an asset nor an ad break of whole seconds$/m);
    expect(text).toMatch(/^ {2}plain:$/m);
    await expectEmptyPlan(project);
  });

  test('without a description adopts them', async () => {
    const project = await exported({ playlist: [{ id: 'nameless', desc: '', playlist: beams(1, 2) }] });
    expect(project.read('exported/adopt.yaml')).toContain(': nameless');
    await expectEmptyPlan(project);
  });

  test('with IDs of digits and a variable in the description reads back unchanged', async () => {
    const variable = `$${'{region}'}`;
    const digits = '12345678901234567890123456789012';
    const live = [
      { id: 'x', desc: `${variable} $${variable}`, playlist: [{ beam: { id: digits } }, ...beams(1)] },
      { id: digits, desc: '', playlist: [{ beam: { id: digits } }] },
    ];
    const project = await exported({ playlist: live });
    expect(project.read('exported/playlists.yaml')).toContain(`desc: $${variable} $$${variable}`);
    expect(project.read('exported/playlists.yaml')).toContain(`id: "${digits}"`);
    expect(project.read('exported/smart_starts.yaml')).toContain(`- "${digits}"`);
    await expectEmptyPlan(project);
  });

  test('with the ID of their asset has smart starts, in one group for equal settings', async () => {
    const live = [1, 2, 3].map((n) => ({ id: asset(n), desc: 'vod', repeat: n === 3 ? 1 : 0, playlist: beams(n) }));
    const project = await exported({ playlist: live });
    expect(project.read('exported/smart_starts.yaml').match(/smart-start-\d/g)).toEqual(['smart-start-1', 'smart-start-2']);
    await expectEmptyPlan(project);
  });

  test('escapes text that would break a line or a terminal', async () => {
    const project = await exported({ playlist: [{ id: 'x', desc: 'a\u202e\u2028# b', playlist: beams(1, 2) }] });
    expect(project.read('exported/playlists.yaml')).toContain('desc: "a\\u202e\\u2028# b"');
    await expectEmptyPlan(project);
  });
});

describe('the export of policies', () => {
  test('contains only settings that differ from the default and settings that a declaration requires', async () => {
    const widevine = { policy_overrides: { can_renew: true }, content_key_specs: [{ track_type: 'ALL', security_level: 5 }] };
    const project = await exported({ 'drm-policy': [{ policy_name: 'premium', widevine, playready: { hd: { security_level: 3000 } } }] });
    const text = project.read('exported/drm_policies.yaml');
    expect(text).toContain('can_play: true');
    expect(text).toContain('hdcp: HDCP_NONE');
    expect(text).not.toMatch(/fairplay|license_duration_seconds|digital_video/);
    await expectEmptyPlan(project);
  });

  test.each([
    ['a value outside the tables', { fairplay: { sd: { hdcp_enforcement: 7 } } }, /hdcp_enforcement = 7/],
    ['tracks that are not covered', { widevine: { content_key_specs: [{ track_type: 'HD' }] } }, /must cover all tracks/],
    ['a duration without its switch', { fairplay: { lease_duration_seconds: 60 } }, /needs persistence/],
    ['a track named twice', { widevine: { content_key_specs: [{ track_type: 'ALL' }, { track_type: 'ALL' }] } }, /ALL \(2\)/],
  ])('with %s has comments with the reason', async (_name, settings, reason) => {
    const project = await exported({ 'drm-policy': [{ policy_name: 'odd', ...settings }, { policy_name: 'plain' }] });
    const [, comment = '', ...rest] = project.read('exported/drm_policies.yaml').split('\n');
    expect(comment).toMatch(/^# drm-policy\/~\S+ "odd" is left out: /);
    expect(comment).toMatch(reason);
    expect(rest.join('\n')).toBe('drm_policies:\n  plain: {}\n');
    await expectEmptyPlan(project);
  });
});

test('a setting that cannot be declared is exported as unmanaged, with the reason', async () => {
  const project = await exported({ 'key-rotation-schedule': { enabled: true } });
  expect(project.read('exported/key_rotation_schedule.yaml')).toMatch(
    /\n# key-rotation-schedule is left out: the schedule needs [^\n]*\n$/,
  );
  await expectEmptyPlan(project);
});

test('an empty account is exported as managed and empty', async () => {
  const project = await exported({});
  expect(readdirSync(join(project.folder, 'exported')).sort()).toEqual([
    'drm_policies.yaml',
    'key_rotation_schedule.yaml',
    'playlists.yaml',
    'smart_starts.yaml',
    'static_key.yaml',
    'vmp_reject_statuses.yaml',
  ]);
  await expectEmptyPlan(project);
});

describe('the command `export`', () => {
  test('prints the files where no folder is named', async () => {
    const project = await createTestProject({}, { seed: { playlist: manyLive(1) } });
    const ran = await project.run('export');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('playlists:\n  p1:\n');
    project.write('config/all.yaml', ran.stdout);
    expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [] } });
  });

  test('does not overwrite files', async () => {
    const project = await createTestProject({ 'kept/notes.txt': 'mine' });
    const ran = await project.run('export', '--dir', 'kept');
    expect([ran.code, readdirSync(join(project.folder, 'kept'))]).toEqual([8, ['notes.txt']]);
  });

  test('writes no file where a kind could not be read', async () => {
    const project = await createTestProject({}, { seed: { playlist: manyLive(1) } });
    project.emulator.setFaults([{ path: '/api/v3/drm/policies', status: 500, body: 'oops' }]);
    expect((await project.run('export', '--dir', 'exported')).code).toBe(10);
    expect(readdirSync(join(project.folder, 'exported'))).toEqual([]);
  });
});
