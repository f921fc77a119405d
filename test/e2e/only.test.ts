/** `--only` filters changes after the full plan of the kinds that it touches; other kinds are not read (design section 5). */
import { expect, test } from 'vitest';
import { createTestProject } from '../support/harness.ts';
import { config, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

const sections = { playlists: manyPlaylists(3, { repeat: 1 }), static_key: { scope: 'none' }, vmp_reject_statuses: ['PLATFORM_TAMPERED'] };

test.each([
  [['playlist/p2'], ['playlist/p2'], [PLAYLISTS]],
  [['playlist/p*'], ['playlist/p1', 'playlist/p2', 'playlist/p3'], [PLAYLISTS]],
  [['*/p3', 'playlist/p1'], ['playlist/p1', 'playlist/p3'], [PLAYLISTS]],
  [['vmp-*'], ['vmp-reject-statuses'], ['/api/v3/drm/vmp-reject-statuses']],
  [
    ['playlist/p2', 'vmp-reject-statuses'],
    ['vmp-reject-statuses', 'playlist/p2'],
    [PLAYLISTS, '/api/v3/drm/vmp-reject-statuses'],
  ],
  [['drm-policy/*'], [], []],
  [['nothing'], [], []],
])('--only %j limits reads, changes and writes to the matching addresses', async (globs, addresses, paths) => {
  const project = await createTestProject(config(sections), { seed: { playlist: manyLive(3) } });
  const flags = globs.flatMap((glob) => ['--only', glob]);
  const { code, document } = await project.plan(...flags);
  expect([code, document.changes.map(({ address }) => address)]).toEqual([0, addresses]);
  expect(
    project.emulator
      .requests()
      .map(({ path }) => path)
      .sort(),
  ).toEqual([...paths].sort());
  expect(Object.values(document.observed).filter((state) => state === 'complete')).toHaveLength(paths.length);
  project.emulator.clearRequests();
  expect((await project.apply('--yes', ...flags)).document.outcomes.map(({ address }) => address)).toEqual(addresses);
  expect(project.writes()).toHaveLength(addresses.length);
});

test('kinds outside --only are not reported as complete, and do not fail the run', async () => {
  const project = await createTestProject(config(sections), { seed: { playlist: manyLive(3) } });
  project.emulator.setFaults([{ path: '/api/v3/*', status: 500, body: 'oops' }]);
  const { code, document } = await project.plan('--only', 'playlist/p1');
  expect(code).toBe(0);
  expect(document.observed).toEqual({
    'drm-policy': 'unmanaged',
    'key-rotation-schedule': 'unmanaged',
    playlist: 'complete',
    'static-key': 'skipped',
    'vmp-reject-statuses': 'skipped',
  });
  expect(document.summary).toMatchObject({ update: 1, unchanged: 0 });
});

test('with --only, one selected delete is blocked if the full plan has too many', async () => {
  const project = await createTestProject(config({ playlists: manyPlaylists(30) }), {
    seed: { playlist: manyLive(40) },
    target: 'ownership: exclusive\nplayback_loss: allow',
  });
  const { document } = await project.plan('--only', 'playlist/~live31');
  expect(document.changes).toMatchObject([{ address: 'playlist/~live31', blocked: { check: 'deletes' } }]);
});

test('drift --only reads only the named kinds', async () => {
  const project = await createTestProject(config(sections), { seed: { playlist: manyLive(3, { repeat: 1 }) } });
  expect((await project.drift('--only', 'playlist/*')).code).toBe(0);
  expect((await project.drift()).code).toBe(3);
});
