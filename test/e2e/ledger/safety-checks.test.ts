/**
 * The safety checks that need state: suspicious reads, the limit on deletes, `protect`, and sources that are missing (design section
 * 4, rules 1 and 9).
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type GitStage, gitStage, playlistId } from '../../support/git-project.ts';
import { API_KEY, OWNER } from '../../support/harness.ts';
import { config, declare, manyPlaylists } from '../accounts.ts';

async function appliedStage(count: number, target = ''): Promise<GitStage> {
  const set = await gitStage(config({ playlists: manyPlaylists(count), drm_policies: { premium: {} } }), { target });
  expect((await set.apply('--yes')).code).toBe(0);
  set.writes();
  return set;
}

describe('a suspicious read, which lacks over half of the applied objects,', () => {
  test('blocks every change of that kind, and --allow suspicious-read overrides it', async () => {
    const set = await appliedStage(4);
    for (const desc of ['p1', 'p2', 'p3']) set.editPlaylist(playlistId(set, desc), null);
    const { document } = await set.plan();
    expect(document.changes.map(({ blocked }) => blocked?.check)).toEqual(['suspicious-read', 'suspicious-read', 'suspicious-read']);
    expect(document.changes[0]?.blocked).toMatchObject({
      reason: 'the read is suspicious: 3 of 4 objects that were applied are gone',
      override: '--allow suspicious-read',
    });
    expect(await set.refused('apply', '--yes')).toMatchObject({ code: 4, document: { error: { code: 'blocked' } } });
    expect(set.writes()).toEqual([]);

    // A change that is left out keeps its binding, so the read stays suspicious.
    expect((await set.apply('--yes', '--skip-blocked')).code).toBe(4);
    expect(Object.keys(set.entries().at(-1)?.bindings ?? {})).toHaveLength(5);
    expect((await set.apply('--yes', '--allow', 'suspicious-read')).code).toBe(0);
    expect(set.playlists()).toHaveLength(4);
    expect((await set.plan('--detailed-exitcode')).code).toBe(0);
  });

  test('is not assumed at exactly half, nor where the only object is missing', async () => {
    const set = await appliedStage(4);
    for (const desc of ['p1', 'p2']) set.editPlaylist(playlistId(set, desc), null);
    expect((await set.plan()).document.summary).toMatchObject({ create: 2, blocked: 0 });
    expect((await set.apply('--yes')).code).toBe(0);
  });
});

test('an account that reports another owner than last time is blocked', async () => {
  const other = 'fedcba9876543210fedcba9876543210';
  const accounts = [OWNER, other].map((owner) => ({ owner, apiKey: API_KEY }));
  const sections = { playlists: manyPlaylists(1), static_key: { scope: 'none' } };
  const set = await gitStage(config(sections), { accounts });
  expect((await set.apply('--yes')).code).toBe(0);
  set.writes();
  const { code, stderr } = await set.runWith({ env: { UPKEEP_OWNER: other } }, 'apply', '--yes');
  expect([code, set.writes()]).toEqual([4, []]);
  expect(stderr.replace(/\s+/g, ' ')).toContain('the account answers with another owner than at the last apply');
  expect(stderr).not.toContain(other);
  expect(set.entries()).toHaveLength(1);
  const moved = ['apply', '--yes', '--allow', 'suspicious-read'] as const;
  expect((await set.runWith({ env: { UPKEEP_OWNER: other } }, ...moved)).code).toBe(0);
  expect(set.entries()[1]?.owner).not.toBe(set.entries()[0]?.owner);
});

test('--allow deletes=N allows at most N deletes', async () => {
  const set = await appliedStage(8, 'limits: { delete: { count: 1 } }');
  declare(set, { playlists: manyPlaylists(5), drm_policies: { premium: {} } });
  set.commit();
  expect((await set.plan()).document.changes.map(({ blocked }) => blocked?.override)).toEqual(Array(3).fill('--allow deletes=3'));
  expect(await set.run('apply', '--yes', '--allow', 'deletes=2')).toMatchObject({ code: 4 });
  expect(set.writes()).toEqual([]);
  expect(await set.apply('--yes', '--allow', 'deletes=3')).toMatchObject({ code: 0, document: { summary: { deleted: 3 } } });
});

test('`protect` blocks a delete and a `removed`, by the address that was applied', async () => {
  const set = await appliedStage(3, 'protect: ["playlist/p2", "playlist/p3"]');
  declare(set, { playlists: manyPlaylists(1), drm_policies: { premium: {} }, removed: ['playlist/p3'] });
  set.commit();
  expect((await set.plan()).document.changes.map(({ address, action, blocked }) => [address, action, blocked?.check])).toEqual([
    ['playlist/p2', 'delete', 'protect'],
    ['playlist/p3', 'forget', 'protect'],
  ]);
  expect((await set.run('apply', '--yes')).code).toBe(4);
  expect([set.playlists().length, set.entries().length]).toEqual([3, 1]);
});

test('a source folder that is missing or empty is an error, and does not delete everything', async () => {
  const set = await appliedStage(2);
  rmSync(join(set.folder, 'config/account.yaml'));
  set.write('config/notes.txt', 'moved elsewhere');
  set.commit();
  expect(await set.refused('apply', '--yes')).toMatchObject({ code: 8, document: { findings: [{ code: 'empty-source' }] } });
  rmSync(join(set.folder, 'config'), { recursive: true });
  set.commit();
  expect(await set.refused('apply', '--yes')).toMatchObject({ code: 8, document: { findings: [{ code: 'empty-source' }] } });
  expect([set.writes(), set.playlists().length]).toEqual([[], 2]);
});

test('observe writes, binds and forgets nothing, and drift still reports', async () => {
  const set = await appliedStage(2);
  set.write('upkeep.yaml', set.read('upkeep.yaml').replace('ledger: git', 'ledger: git\n    ownership: observe'));
  declare(set, { playlists: manyPlaylists(1), drm_policies: { premium: {} }, removed: ['playlist/p2'] });
  set.commit();
  set.editPlaylist(playlistId(set, 'p1'), { repeat: 4 });
  expect((await set.plan()).document.changes).toMatchObject([{ address: 'playlist/p1', blocked: { check: 'observe' } }]);
  expect((await set.run('apply', '--yes', '--skip-blocked')).code).toBe(4);
  expect([set.writes(), Object.keys(set.entries().at(-1)?.bindings ?? {})]).toEqual([
    [],
    ['drm-policy/premium', 'playlist/p1', 'playlist/p2'],
  ]);
  expect((await set.drift()).document.changes).toMatchObject([{ address: 'playlist/p1', blocked: null }]);
});

test('exclusive deletes undeclared objects, as drift', async () => {
  const set = await appliedStage(2, 'ownership: exclusive');
  set.emulator.edit({ emulation: 'playlist', collection: 'playlists', id: 'x', document: { id: 'x', desc: 'by hand', playlist: [] } });
  expect((await set.plan()).document.changes).toMatchObject([{ address: 'playlist/~x', action: 'delete', origin: 'drift' }]);
  expect((await set.drift()).document.changes).toMatchObject([{ address: 'playlist/~x', action: 'create' }]);
  expect((await set.apply('--yes')).code).toBe(0);
  expect(set.playlists().map(({ desc }) => desc)).toEqual(['p1', 'p2']);
});
