/** A whole run on the example account: the first hour of a platform team, and the nightly job after it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createUnrestrictedExample, projectFile } from '../support/harness.ts';

test('a whole run: validate, plan, apply the saved plan, no change, a hand edit, drift, repair, no drift, export', async () => {
  const project = await createUnrestrictedExample();
  const live = ['-t', 'production'];

  const valid = await project.run('validate', ...live, '--format', 'json');
  expect(valid.code).toBe(0);
  expect(JSON.parse(valid.stdout)).toMatchObject({ valid: true, findings: [], resources: { playlist: 24, 'drm-policy': 3 } });
  expect(project.emulator.requests()).toEqual([]);

  const planned = await project.plan(...live, '--allow', 'weakening', '--detailed-exitcode', '--out', 'json=plan.json');
  expect(planned.code).toBe(2);
  expect(planned.document.summary).toMatchObject({ create: 27, update: 3, delete: 0, blocked: 0, unchanged: 0, undeclared: 0 });
  expect(project.writes()).toEqual([]);

  const applied = await project.apply(...live, '--allow', 'weakening', '--plan', 'plan.json', '--quiet');
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  expect(applied.document).toMatchObject({ verified: true, fingerprint: planned.document.fingerprint, summary: { failed: 0, skipped: 0 } });
  expect(applied.document.outcomes.map(({ address }) => address)).toEqual(planned.document.changes.map(({ address }) => address));
  expect(project.writes()).toHaveLength(planned.document.cost.writes);

  expect(await project.plan(...live, '--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [], requests: [] } });
  expect(await project.apply(...live)).toMatchObject({ code: 0, document: { outcomes: [], verified: true } });
  expect(project.writes()).toEqual([]);

  const playlist = project.playlists().find(({ desc }) => desc === 'Harbour TV');
  const id = String(playlist?.id);
  project.editPlaylist(id, { skip_drm: 1, repeat: 7 });
  const drifted = await project.drift(...live);
  expect(drifted.code).toBe(3);
  expect(drifted.document.changes).toHaveLength(1);
  expect(drifted.document.changes[0]).toMatchObject({ action: 'update', effect: 'weakens' });
  expect(drifted.document.changes[0]?.fields).toMatchObject([
    { path: '/repeat', after: 7 },
    { path: '/skip_drm', before: 0, after: 1, effect: 'weakens' },
  ]);

  const repaired = await project.apply(...live, '--yes');
  expect(repaired).toMatchObject({ code: 0, document: { verified: true, summary: { updated: 1 } } });
  expect(project.writes()).toEqual([`PATCH /api/v4/linear-playlist/${id}`]);
  expect(project.playlists()).toContainEqual(playlist);
  expect((await project.drift(...live)).code).toBe(0);

  expect(await project.run('export', ...live, '--dir', 'exported')).toMatchObject({ code: 0, stdout: '' });
  const files = readdirSync(join(project.folder, 'exported'));
  expect(files).toEqual(expect.arrayContaining(['drm_policies.yaml', 'playlists.yaml', 'smart_starts.yaml', 'static_key.yaml']));
  project.write('upkeep.yaml', projectFile(project.emulator.url).replace('[config]', '[exported]'));
  expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [], summary: { undeclared: 0 } } });
  expect(readFileSync(join(project.folder, 'exported', 'static_key.yaml'), 'utf8')).toContain('scope: specific');
});
