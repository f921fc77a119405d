/** `--only` filters changes after the full plan of the kinds that it touches; other kinds are not read (design section 5). */
import { describe, expect, test } from 'vitest';
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
  expect(Object.values(document.readStatus).filter((state) => state === 'complete')).toHaveLength(paths.length);
  project.emulator.clearRequests();
  expect((await project.apply('--yes', ...flags)).document.outcomes.map(({ address }) => address)).toEqual(addresses);
  expect(project.writes()).toHaveLength(addresses.length);
});

test('kinds outside --only are not reported as complete, and do not fail the run', async () => {
  const project = await createTestProject(config(sections), { seed: { playlist: manyLive(3) } });
  project.emulator.setFaults([{ path: '/api/v3/*', status: 500, body: 'oops' }]);
  const { code, document } = await project.plan('--only', 'playlist/p1');
  expect(code).toBe(0);
  expect(document.readStatus).toEqual({
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

describe('--only that matches nothing declared or live', () => {
  const account = { seed: { playlist: manyLive(3, { desc: 'by hand' }) } };

  test.each([['plan'], ['drift'], ['apply', '--yes']])('ends %s with 8, nothing written, and a suggestion', async (...argv) => {
    const project = await createTestProject(config(sections), account);
    const refused = await project.refused(...argv, '--only', 'vmp-reject-status', '--only', 'playlist/*');
    expect(refused).toMatchObject({ code: 8, document: { error: { code: 'only-unmatched' } } });
    expect(refused.document.error.summary).toBe('--only vmp-reject-status matches nothing that is declared or live');
    expect(refused.document.error.hint).toBe('did you mean vmp-reject-statuses?');
    expect((await project.refused(...argv, '--only', 'playlists/*')).document.error.hint).toBe('did you mean playlist/*?');
    expect(project.writes()).toEqual([]);
  });

  test('says what an address looks like where none is similar', async () => {
    const project = await createTestProject(config(sections), account);
    for (const glob of ['nothing', 'drm-policy/no-such-*']) {
      const { code, document } = await project.refused('plan', '--only', glob);
      expect([code, document.error.hint]).toEqual([8, 'it takes addresses, for example playlist/evening-block or drm-policy/*']);
    }
  });

  test('counts undeclared objects as live, and concludes nothing from an incomplete read', async () => {
    const project = await createTestProject(config(sections), account);
    expect((await project.plan('--only', 'playlist/~live1')).code).toBe(0);
    expect((await project.refused('plan', '--only', 'playlist/~live9')).code).toBe(8);
    project.emulator.setFaults([{ path: PLAYLISTS, status: 500, body: 'oops' }]);
    expect((await project.plan('--only', 'playlist/~live9')).code).toBe(10);
  });

  test('is a warning on several targets, of which another may have the address', async () => {
    const project = await createTestProject(config(sections), account);
    const file = project.read('upkeep.yaml');
    project.write('upkeep.yaml', `${file}\n  other:${file.split('\n  live:')[1] ?? ''}`);
    const { code, stderr } = await project.run('plan', '-t', '*', '--only', 'playlist/p9');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('warning: live: --only playlist/p9 matches nothing that is declared or live');
  });
});
