/** What origins are measured against: another base than the commit last applied, and a base that cannot be used (design section 6). */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type GitStage, gitStage, playlistId } from '../../support/git-project.ts';
import { beams, config, declare, manyPlaylists } from '../accounts.ts';
import { originsByAddress } from './origins.ts';

/** Two playlists that were applied. */
async function appliedStage(target = ''): Promise<GitStage> {
  const set = await gitStage(config({ playlists: manyPlaylists(2) }), { target });
  expect((await set.apply('--yes')).code).toBe(0);
  set.writes();
  return set;
}

describe('--base', () => {
  test('gives origins without a ledger', async () => {
    const set = await gitStage(config({ playlists: manyPlaylists(2) }));
    set.write('upkeep.yaml', set.read('upkeep.yaml').replace('ledger: git', 'ledger: none'));
    const base = set.commit();
    expect((await set.apply('--yes')).code).toBe(0);
    set.editPlaylist(playlistId(set, 'p1'), { active: 0 });
    declare(set, { playlists: { ...manyPlaylists(1), p2: { repeat: 3, playlist: beams(2, 1002) } } });
    set.commit();
    expect(originsByAddress((await set.plan()).document.changes)).toMatchObject({ 'playlist/p1': ['unknown', '/active unknown'] });
    for (const ref of [base, base.slice(0, 10), 'HEAD~1'])
      expect(originsByAddress((await set.plan('--base', ref)).document.changes)).toEqual({
        'playlist/p1': ['drift', '/active drift'],
        'playlist/p2': ['change', '/repeat change'],
      });
    expect(await set.refused('plan', '--base', 'nowhere')).toMatchObject({ code: 1, document: { error: { code: 'git-unknown-commit' } } });
    expect(set.refs()).toEqual({});
  });

  test('replaces the last applied commit, even for changes that were left out then', async () => {
    const set = await appliedStage();
    declare(set, { playlists: manyPlaylists(2, { repeat: 2 }) });
    const second = set.commit();
    expect((await set.apply('--yes', '--only', 'playlist/p1')).code).toBe(0);
    expect(originsByAddress((await set.plan('--base', second)).document.changes)).toEqual({ 'playlist/p2': ['drift', '/repeat drift'] });
  });
});

test('that is invalid for this version makes origins unknown, with a warning, and stops nothing', async () => {
  const set = await appliedStage();
  set.write('config/account.yaml', 'playlists: [');
  const broken = set.commit();
  declare(set, { playlists: manyPlaylists(2, { repeat: 2 }) });
  set.commit();
  const { code, document, stderr } = await set.plan('--base', broken);
  expect([code, document.changes.map(({ origin }) => origin)]).toEqual([0, ['unknown', 'unknown']]);
  expect(stderr).toContain(`warning: the configuration last applied (${broken.slice(0, 12)}) cannot be used: config/account.yaml:1`);
});

test('whose commit is missing makes origins unknown, with a warning, and drift compares with the current configuration', async () => {
  const set = await appliedStage();
  const gone = set.entries()[0]?.config.commit ?? '';
  declare(set, { playlists: manyPlaylists(2, { repeat: 2 }) });
  set.git('update-ref', '-d', 'HEAD');
  set.commit();
  rmSync(join(set.remote, 'objects', gone.slice(0, 2), gone.slice(2)));
  const clone = set.clone('--depth=1');
  const { code, document, stderr } = await clone.plan();
  expect([code, document.changes.map(({ origin }) => origin)]).toEqual([0, ['unknown', 'unknown']]);
  expect(stderr).toContain(`warning: the configuration last applied cannot be read: commit ${gone} is not here, and could not be fetched`);
  expect((await clone.drift()).document.summary.update).toBe(2);
});
