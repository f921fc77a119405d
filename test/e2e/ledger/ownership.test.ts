/** Whose an object is: adopted, moved, deleted only where the ledger knows it, forgotten (design section 3, what may be deleted). */
import { describe, expect, test } from 'vitest';
import { createGitProject, playlistId } from '../../support/git-project.ts';
import { preparedOnce } from '../../support/prepared-project.ts';
import { asset, beams, config, declare, manyLive, manyPlaylists } from '../accounts.ts';

test('a first apply on an account that matches adopts each object, and writes nothing; then there is no change', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(2), drm_policies: { premium: {} } }), {
    seed: { playlist: manyLive(2), 'drm-policy': [{ policy_name: 'premium' }] },
  });
  const first = ['--allow', 'first-apply'] as const;
  const { document } = await project.plan('--detailed-exitcode', ...first);
  expect(document.summary).toMatchObject({ create: 0, update: 0, delete: 0, blocked: 0, unchanged: 3 });
  expect(document.changes.map(({ action, address }) => [action, address])).toEqual([
    ['adopt', 'drm-policy/premium'],
    ['adopt', 'playlist/p1'],
    ['adopt', 'playlist/p2'],
  ]);
  expect(await project.apply('--yes', ...first)).toMatchObject({
    code: 0,
    document: { verified: true, summary: { adopted: 3, created: 0 } },
  });
  expect(project.writes()).toEqual([]);
  expect(project.entries()).toMatchObject([{ bindings: { 'playlist/p1': { id: 'live1', origin: 'adopted' } } }]);

  expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [] } });
  expect(await project.apply()).toMatchObject({ code: 0, document: { outcomes: [] } });
  expect(project.entries()).toHaveLength(1);
});

/** Two managed playlists, and one that was made by hand. */
const appliedProject = preparedOnce(async (target: string = '') => {
  const byHand = { id: 'byhand', desc: 'by hand', playlist: beams(7, 8) };
  const project = await createGitProject(config({ playlists: manyPlaylists(2) }), { seed: { playlist: [byHand] }, target });
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { created: 2 } } });
  project.writes();
  return project;
});

describe('a playlist that is removed from YAML', () => {
  test('is deleted where the ledger has it; one made by hand stays undeclared', async () => {
    const project = await appliedProject();
    declare(project, { playlists: manyPlaylists(1) });
    project.commit();
    const gone = playlistId(project, 'p2');
    expect(await project.plan()).toMatchObject({ document: { changes: [{ address: 'playlist/p2', action: 'delete', origin: 'change' }] } });
    expect((await project.plan()).document.summary.undeclared).toBe(1);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { deleted: 1 } } });
    expect(project.writes()).toEqual([`DELETE /api/v4/linear-playlist/${gone}`]);
    expect(project.playlists().map(({ desc }) => desc)).toEqual(['by hand', 'p1']);
    expect(Object.keys(project.entries()[1]?.bindings ?? {})).toEqual(['playlist/p1']);
  });

  test('is not deleted where the ledger is lost', async () => {
    const project = await appliedProject();
    declare(project, { playlists: manyPlaylists(1) });
    project.commit();
    project.git('push', '-q', project.ledger, ':refs/upkeep/live');
    expect((await project.plan()).document).toMatchObject({
      changes: [{ action: 'adopt', address: 'playlist/p1' }],
      summary: { undeclared: 2 },
    });
    expect((await project.run('apply', '--yes')).code).toBe(4);
    expect((await project.apply('--yes', '--allow', 'first-apply')).code).toBe(0);
    expect([project.writes(), project.playlists().length]).toEqual([[], 3]);
  });

  test('stays and is counted where the whole section is removed', async () => {
    const project = await appliedProject();
    declare(project, { smart_starts: {} });
    project.commit();
    const { document } = await project.plan();
    expect(document.changes).toEqual([]);
    expect(document.findings).toMatchObject([
      { code: 'section-removed', severity: 'warning', summary: expect.stringContaining('2 of its objects') },
    ]);
    expect(await project.apply('--yes')).toMatchObject({ code: 0 });
    expect(project.writes()).toEqual([]);
    expect(Object.keys(project.entries().at(-1)?.bindings ?? {})).toEqual(['playlist/p1', 'playlist/p2']);
  });

  test('is forgotten where `removed` lists it, and stays so, even in exclusive', async () => {
    const project = await appliedProject();
    declare(project, { playlists: manyPlaylists(1), removed: ['playlist/p2'] });
    project.commit();
    const id = playlistId(project, 'p2');
    expect(await project.apply()).toMatchObject({ code: 0, document: { summary: { forgotten: 1 } } });
    expect(project.entries()[1]).toMatchObject({ forgotten: [id], bindings: { 'playlist/p1': {} } });

    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/ledger: .*/, '$&\n    ownership: exclusive'));
    declare(project, { playlists: manyPlaylists(1) });
    project.commit();
    expect((await project.plan()).document.changes).toMatchObject([{ action: 'delete', address: 'playlist/~byhand', origin: 'drift' }]);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { deleted: 1 } } });
    expect(project.playlists().map(({ desc }) => desc)).toEqual(['p1', 'p2']);
  });

  test('is reported as a possible rename where an equal one is created; `moved` then updates it in place through the binding', async () => {
    const project = await appliedProject();
    const renamed = { ...manyPlaylists(1), second: { playlist: beams(2, 1002) } };
    declare(project, { playlists: renamed });
    project.commit();
    const hinted = (await project.plan()).document;
    expect(hinted.changes.map(({ action }) => action).sort()).toEqual(['create', 'delete']);
    expect(hinted.findings).toMatchObject([
      { code: 'scheduled-entries' },
      { code: 'looks-like-rename', hint: expect.stringContaining('moved: [{ from: playlist/p2, to: playlist/second }]') },
    ]);

    declare(project, { playlists: renamed, moved: [{ from: 'playlist/p2', to: 'playlist/second' }] });
    project.commit();
    const id = playlistId(project, 'p2');
    expect((await project.plan()).document).toMatchObject({
      changes: [{ action: 'update', address: 'playlist/second', movedFrom: 'playlist/p2', fields: [{ path: '/desc' }] }],
      findings: [],
    });
    expect((await project.apply('--yes')).code).toBe(0);
    expect(project.writes()).toEqual([`PATCH /api/v4/linear-playlist/${id}`]);
    expect([playlistId(project, 'second'), project.playlists().length]).toEqual([id, 3]);
    expect(project.entries().at(-1)?.bindings).toMatchObject({ 'playlist/second': { id, origin: 'created' } });
    expect((await project.plan('--detailed-exitcode')).document.changes).toEqual([]);
  });
});

test('a changed desc is updated in place through the binding', async () => {
  const project = await appliedProject();
  const id = playlistId(project, 'p2');
  declare(project, { playlists: { ...manyPlaylists(1), p2: { desc: 'another name', playlist: beams(2, 1002) } } });
  project.commit();
  expect((await project.apply('--yes')).code).toBe(0);
  expect([project.writes(), playlistId(project, 'another name')]).toEqual([[`PATCH /api/v4/linear-playlist/${id}`], id]);
});

test('`adopt` binds a live object with another description, and updates it to the declared fields', async () => {
  const project = await appliedProject();
  declare(project, {
    playlists: { ...manyPlaylists(2), mine: { playlist: beams(7, 8) } },
    adopt: { 'playlist/mine': 'byhand' },
  });
  project.commit();
  expect((await project.plan()).document.changes).toMatchObject([{ action: 'update', address: 'playlist/mine', adopts: 'byhand' }]);
  expect((await project.apply('--yes')).code).toBe(0);
  expect([playlistId(project, 'mine'), project.entries().at(-1)?.bindings['playlist/mine']]).toEqual([
    'byhand',
    { id: 'byhand', origin: 'adopted' },
  ]);
});

test('an asset that changes its smart-start group is a move, without a write where the groups have equal settings', async () => {
  const one = { desc: 'films' };
  const [first, second, third] = [asset(1), asset(2), asset(3)];
  const project = await createGitProject(
    config({ smart_starts: { vod: { ...one, assets: [first, second] }, archive: { ...one, assets: [third] } } }),
  );
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { created: 3 } } });
  project.writes();
  declare(project, {
    smart_starts: { vod: { ...one, assets: [first] }, archive: { ...one, assets: [third, second] } },
    moved: [{ from: `smart-start/vod/${second}`, to: `smart-start/archive/${second}` }],
  });
  project.commit();
  expect((await project.plan()).document.changes).toMatchObject([
    { action: 'move', address: `smart-start/archive/${second}`, movedFrom: `smart-start/vod/${second}` },
  ]);
  expect(await project.apply()).toMatchObject({ code: 0, document: { summary: { moved: 1, deleted: 0 } } });
  expect(project.writes()).toEqual([]);
  expect(Object.keys(project.entries()[1]?.bindings ?? {})).toContain(`smart-start/archive/${second}`);
});

test('a policy renamed through `moved` keeps its _id, and a new one takes the old name with the next commit', async () => {
  const project = await createGitProject(config({ drm_policies: { premium: { fairplay: { lease: true } } } }), {
    target: 'weakening: allow',
  });
  expect((await project.apply('--yes')).code).toBe(0);
  const id = project.entries()[0]?.bindings['drm-policy/premium']?.id;
  const renamed = { 'premium-2025': { fairplay: { lease: true } } };
  const moved = [{ from: 'drm-policy/premium', to: 'drm-policy/premium-2025' }];
  const both = { ...renamed, premium: { fairplay: { persistence: true } } };
  declare(project, { drm_policies: both, moved });
  const refused = await project.run('plan');
  expect(refused).toMatchObject({
    code: 8,
    stderr: expect.stringMatching(/is still declared[\s\S]*The other one is in config\/account\.yaml:8/),
  });
  declare(project, { drm_policies: renamed, moved });
  project.commit();
  expect((await project.plan()).document.changes).toMatchObject([
    { action: 'update', address: 'drm-policy/premium-2025', movedFrom: 'drm-policy/premium' },
  ]);
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true, summary: { updated: 1 } } });
  declare(project, { drm_policies: both });
  project.commit();
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true, summary: { created: 1 } } });
  expect(project.live('drm-policy')).toMatchObject([{ _id: id, policy_name: 'premium-2025' }, { policy_name: 'premium' }]);
  expect([project.live('drm-policy')].flat()).toHaveLength(2);
  expect(project.entries()[1]?.bindings).toMatchObject({ 'drm-policy/premium-2025': { id } });
  expect((await project.plan('--detailed-exitcode')).document.changes).toEqual([]);
});
