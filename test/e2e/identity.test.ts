/** Identity without a state server (design section 3): which live object belongs to which address, and what may be deleted. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { liftOf } from '../support/lifts.ts';
import { asset, beams, config, PLAYLISTS } from './accounts.ts';

function playlistProject(live: readonly JsonObject[], sections: JsonObject, target = ''): Promise<TestProject> {
  return createTestProject(config(sections), { seed: { playlist: live }, target });
}

const evening = { desc: 'Evening block', playlist: beams(1, 2) };

describe('a playlist whose list is not exactly one asset (`beam`)', () => {
  test('matches the one live playlist with an equal description', async () => {
    const project = await playlistProject([{ id: 'live', ...evening }], { playlists: { evening: { ...evening, repeat: -1 } } });
    await project.run('apply', '--yes');
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/live`]);
  });

  test('is blocked where two live playlists share its description, and nothing is written or deleted', async () => {
    const live = [
      { id: 'one', ...evening },
      { id: 'two', ...evening },
    ];
    const project = await playlistProject(live, { playlists: { evening } }, 'ownership: exclusive');
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ address: 'playlist/evening', blocked: { check: 'identity' } }]);
    expect(document.changes[0]?.blocked?.reason).toContain('one, two');
    expect(liftOf(document.changes[0]?.blocked)).toContain('adopt');
    expect(document.requests).toEqual([]);
    expect((await project.refused('apply', '--yes', '--allow', 'deletes')).document.error.exit).toBe(4);
    expect((await project.run('apply', '--yes', '--skip-blocked', '--allow', 'deletes')).code).toBe(4);
    expect(project.writes()).toEqual([]);
  });

  test('matches by `adopt` before any other rule, where descriptions are ambiguous', async () => {
    const live = [
      { id: 'one', ...evening },
      { id: 'two', ...evening },
    ];
    const project = await playlistProject(live, {
      playlists: { evening: { ...evening, repeat: 3 } },
      adopt: { 'playlist/evening': 'two' },
    });
    expect((await project.plan()).document.changes).toMatchObject([{ address: 'playlist/evening', action: 'update', adopts: 'two' }]);
    expect((await project.run('apply', '--yes')).code).toBe(0);
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/two`]);
  });

  test('is created again if its description is edited before it is bound, and a warning shows the `adopt` line that binds it', async () => {
    const project = await playlistProject([{ id: 'live', ...evening }], { playlists: { evening: { ...evening, desc: 'Evening hours' } } });
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ action: 'create' }]);
    expect(document.findings).toMatchObject([
      { code: 'looks-like-rename', hint: expect.stringContaining('adopt: { "playlist/evening": "live" }') },
    ]);
    project.write('config/b.yaml', 'adopt: { "playlist/evening": "live" }');
    const bound = await project.plan();
    expect(bound.document).toMatchObject({ changes: [{ action: 'update', fields: [{ path: '/desc' }] }], findings: [] });
  });

  test('is created, with a warning, where `adopt` names a missing object', async () => {
    const project = await playlistProject([], { playlists: { evening }, adopt: { 'playlist/evening': 'gone' } });
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ action: 'create' }]);
    expect(document.findings).toMatchObject([{ code: 'adopt-target-missing', severity: 'warning', address: 'playlist/evening' }]);
  });

  test('never matches an asset-ID playlist or an empty description', async () => {
    const live = [
      { id: asset(9), desc: 'Evening block', playlist: beams(9) },
      { id: 'nameless', desc: '', playlist: beams(1, 2) },
    ];
    const project = await playlistProject(live, { playlists: { evening } });
    expect((await project.plan()).document.summary).toMatchObject({ create: 1, update: 0, undeclared: 2 });
  });
});

describe('a playlist with a list of exactly one beam', () => {
  const single = { desc: 'Ident', playlist: beams(5) };

  test('is created through the bulk operation, with the ID of its asset', async () => {
    const project = await playlistProject([], { playlists: { ident: single } });
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
    expect(project.writes()).toEqual(['POST /api/v4/smart-start']);
    expect(project.playlists()).toMatchObject([{ id: asset(5), desc: 'Ident' }]);
  });

  test('matches the playlist with the ID of its asset, whatever its description', async () => {
    const live = [
      { id: asset(5), desc: 'Old name', playlist: beams(5) },
      { id: 'other', ...single },
    ];
    const project = await playlistProject(live, { playlists: { ident: single } });
    await project.run('apply', '--yes');
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/${asset(5)}`]);
  });

  test('falls back to the description where no playlist has the ID of the asset', async () => {
    const project = await playlistProject([{ id: 'random', ...single }], { playlists: { ident: single } });
    expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0 });
  });
});

describe('an asset-ID playlist', () => {
  const live = { id: asset(5), desc: 'Ident', playlist: beams(5) };

  test('cannot get another list: a new playlist is created instead, with a warning that the ID changes', async () => {
    const sections = { playlists: { ident: { desc: 'Ident', playlist: beams(5, 6) } }, adopt: { 'playlist/ident': asset(5) } };
    const project = await playlistProject([live], sections);
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ address: 'playlist/ident', action: 'create' }]);
    expect(document.findings).toMatchObject([{ severity: 'warning', code: 'id-changes' }]);
    await project.run('apply', '--yes');
    expect(project.writes()).toEqual([`POST ${PLAYLISTS}`]);
    expect(project.playlists()).toContainEqual(expect.objectContaining({ id: asset(5), playlist: beams(5) }));
  });

  test('is the only match of a smart start', async () => {
    const other = { id: 'other', desc: 'x', playlist: beams(6) };
    const project = await playlistProject([live, other], { smart_starts: { vod: { desc: 'Ident', assets: [asset(5), asset(6)] } } });
    expect((await project.plan()).document.changes).toMatchObject([{ address: `smart-start/vod/${asset(6)}`, action: 'create' }]);
    expect((await project.run('apply', '--yes')).code).toBe(0);
    expect(project.writes()).toEqual(['POST /api/v4/smart-start']);
  });
});

describe('a policy', () => {
  const live = { _id: 'old-id', policy_name: 'old', fairplay: { lease: true } };

  test('that is adopted under another name is renamed in place', async () => {
    const project = await createTestProject(
      config({ drm_policies: { fresh: { fairplay: { lease: true } } }, adopt: { 'drm-policy/fresh': 'old-id' } }),
      {
        seed: { 'drm-policy': [live] },
        target: 'weakening: allow',
      },
    );
    expect((await project.plan()).document.changes).toMatchObject([
      { address: 'drm-policy/fresh', action: 'update', fields: [{ path: '/policy_name', before: 'old', after: 'fresh' }] },
    ]);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
    expect(project.live('drm-policy')).toMatchObject([{ _id: 'old-id', policy_name: 'fresh' }]);
  });

  test('is not renamed to the name of another policy', async () => {
    const otherPolicy = { _id: 'keeper', policy_name: 'fresh' };
    const project = await createTestProject(config({ drm_policies: { fresh: {} }, adopt: { 'drm-policy/fresh': 'old-id' } }), {
      seed: { 'drm-policy': [live, otherPolicy] },
      target: 'weakening: allow',
    });
    expect((await project.plan()).document.changes).toMatchObject([{ address: 'drm-policy/fresh', blocked: { check: 'identity' } }]);
    expect((await project.run('apply', '--yes')).code).toBe(4);
    expect(project.writes()).toEqual([]);
  });
});

describe('ownership and sections decide what is deleted:', () => {
  const live = [
    { id: 'stray', desc: 'Stray', playlist: beams(7, 8) },
    { id: asset(9), playlist: beams(9) },
    { id: 'mine', ...evening },
  ];
  const both: JsonObject = { playlists: { evening }, smart_starts: {} };

  test('nothing in `shared` without a ledger, where undeclared objects are reported', async () => {
    const project = await playlistProject(live, both);
    const planned = await project.plan('--detailed-exitcode');
    expect(planned).toMatchObject({ code: 0, document: { changes: [], summary: { undeclared: 2, unchanged: 1 } } });
    const text = await project.run('plan', '--undeclared');
    expect(text.stdout).toContain('playlist/~stray');
    expect(text.stdout).toContain(`playlist/~${asset(9)}`);
  });

  test('undeclared objects in `exclusive`', async () => {
    const project = await playlistProject(live, both, 'ownership: exclusive\nweakening: allow');
    const { document } = await project.plan();
    expect(document.changes.map(({ address, action }) => [address, action])).toEqual([
      [`playlist/~${asset(9)}`, 'delete'],
      ['playlist/~stray', 'delete'],
    ]);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true, summary: { deleted: 2 } } });
    expect(project.playlists()).toMatchObject([{ id: 'mine' }]);
  });

  test.each([
    ['smart_starts', { smart_starts: {} }, [asset(9)]],
    ['playlists', { playlists: { evening } }, ['stray']],
    ['neither', { static_key: { scope: 'none' } }, []],
  ])('undeclared objects in `exclusive` only where their section is present: %s', async (_name, sections, ids) => {
    const project = await playlistProject(live, sections, 'ownership: exclusive\nweakening: allow');
    const { document } = await project.plan();
    expect(document.changes.map(({ address }) => address)).toEqual(ids.map((id) => `playlist/~${id}`));
  });

  test('nothing in `observe`, where every change is blocked', async () => {
    const project = await playlistProject(live.slice(0, 2), both, 'ownership: observe');
    expect((await project.plan('--detailed-exitcode')).code).toBe(4);
    const refused = await project.refused('apply', '--yes', '--allow', 'weakening');
    expect(refused.document.error).toMatchObject({ exit: 4, code: 'blocked' });
    expect((await project.run('apply', '--yes', '--skip-blocked')).code).toBe(4);
    expect(project.writes()).toEqual([]);
  });

  test('nothing of an absent section, which is not read either', async () => {
    const project = await playlistProject(live, { vmp_reject_statuses: [] }, 'ownership: exclusive');
    const { document } = await project.plan();
    expect(document.readStatus).toMatchObject({ playlist: 'unmanaged', 'vmp-reject-statuses': 'complete' });
    expect(project.emulator.requests().map(({ path }) => path)).toEqual(['/api/v3/drm/vmp-reject-statuses']);
  });

  test('an entry that an overlay sets to `null`, but nothing if it sets the whole section to `null`', async () => {
    const project = await playlistProject(live, both, 'ownership: exclusive\nweakening: allow');
    project.write('config/over.yaml', 'playlists: { evening: null }\n');
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace('[config]', '[config/account.yaml, config/over.yaml]'));
    expect((await project.plan()).document.changes.map(({ address }) => address)).toContain('playlist/~mine');
    project.write('config/over.yaml', 'playlists: null\n');
    expect((await project.plan()).document.changes.map(({ address }) => address)).toEqual([`playlist/~${asset(9)}`]);
  });

  test('nothing under a section without a value, which is a finding', async () => {
    const project = await playlistProject(live, {}, 'ownership: exclusive');
    project.write('config/account.yaml', 'playlists:\nvmp_reject_statuses: []\n');
    expect((await project.refused('plan')).document).toMatchObject({ error: { exit: 8 }, findings: [{ line: 1, severity: 'error' }] });
    expect(project.emulator.requests()).toEqual([]);
  });
});
