/** What origins are measured against: another base than the commit last applied, and a base that cannot be used (design section 6). */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitProject, playlistId } from '../../support/git-project.ts';
import { preparedOnce } from '../../support/prepared-project.ts';
import { beams, config, declare, manyPlaylists } from '../accounts.ts';
import { originsByAddress } from './origins.ts';

/** Two playlists that were applied. */
const appliedProject = preparedOnce(async (target: string = '') => {
  const project = await createGitProject(config({ playlists: manyPlaylists(2) }), { target });
  expect((await project.apply('--yes')).code).toBe(0);
  project.writes();
  return project;
});

describe('--base', () => {
  test('gives origins without a ledger', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/ledger: .*/, 'ledger: none'));
    const base = project.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    project.editPlaylist(playlistId(project, 'p1'), { active: 0 });
    declare(project, { playlists: { ...manyPlaylists(1), p2: { repeat: 3, playlist: beams(2, 1002) } } });
    project.commit();
    expect(originsByAddress((await project.plan()).document.changes)).toMatchObject({ 'playlist/p1': ['unknown', '/active unknown'] });
    for (const ref of [base, base.slice(0, 10), 'HEAD~1'])
      expect(originsByAddress((await project.plan('--base', ref)).document.changes)).toEqual({
        'playlist/p1': ['drift', '/active drift'],
        'playlist/p2': ['change', '/repeat change'],
      });
    expect(await project.refused('plan', '--base', 'nowhere')).toMatchObject({
      code: 1,
      document: { error: { code: 'git-unknown-commit' } },
    });
    expect(project.refs()).toEqual({});
  });

  test('replaces the last applied commit, even for changes that were left out then', async () => {
    const project = await appliedProject();
    declare(project, { playlists: manyPlaylists(2, { repeat: 2 }) });
    const second = project.commit();
    expect((await project.apply('--yes', '--only', 'playlist/p1')).code).toBe(0);
    expect(originsByAddress((await project.plan('--base', second)).document.changes)).toEqual({
      'playlist/p2': ['drift', '/repeat drift'],
    });
  });
});

test('that is invalid for this version makes origins unknown, with a warning, and stops nothing', async () => {
  const project = await appliedProject();
  project.write('config/account.yaml', 'playlists: [');
  const broken = project.commit();
  declare(project, { playlists: manyPlaylists(2, { repeat: 2 }) });
  project.commit();
  const { code, document, stderr } = await project.plan('--base', broken);
  expect([code, document.changes.map(({ origin }) => origin)]).toEqual([0, ['unknown', 'unknown']]);
  expect(stderr).toContain(`warning: the configuration last applied (${broken.slice(0, 12)}) cannot be used: config/account.yaml:1`);
});

test('whose commit is missing makes origins unknown, with a warning, and drift compares with the current configuration', async () => {
  const project = await appliedProject();
  const gone = project.entries()[0]?.config.commit ?? '';
  declare(project, { playlists: manyPlaylists(2, { repeat: 2 }) });
  project.git('update-ref', '-d', 'HEAD');
  project.commit();
  rmSync(join(project.remote, 'objects', gone.slice(0, 2), gone.slice(2)));
  const clone = project.clone('--depth=1');
  const { code, document, stderr } = await clone.plan();
  expect([code, document.changes.map(({ origin }) => origin)]).toEqual([0, ['unknown', 'unknown']]);
  expect(stderr).toContain(`warning: the configuration last applied cannot be read: commit ${gone} is not here, and could not be fetched`);
  expect((await clone.drift()).document.summary.update).toBe(2);
});
