/** What no configuration can declare is never deleted or emptied (design section 3, what may be deleted; design section 4, rule 5). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { createGitProject } from '../support/git-project.ts';
import { createTestProject, OWNER, type TestProject } from '../support/harness.ts';
import { asset, beams, config, declare, PLAYLISTS } from './accounts.ts';

/** Playlists and policies that no configuration can declare, each with a part of the reason. */
const NOT_DECLARABLE: readonly (readonly [kind: 'playlist' | 'drm-policy', live: JsonObject, reason: string])[] = [
  ['playlist', { id: 'odd', desc: 'ads only', playlist: [{ ad: { dur: 5 } }] }, 'no asset'],
  ['playlist', { id: 'odd', desc: 'slash', playlist: [{ beam: { id: 'a/b' } }, { beam: { id: asset(2) } }] }, 'ID'],
  ['playlist', { id: 'odd', desc: 'negative', beam_break_duration: -1, playlist: beams(1, 2) }, 'beam_break_duration'],
  ['playlist', { id: 'odd', desc: 'no time', playlist: [...beams(1, 2), { ad: { dur: 0 } }] }, 'less than a second'],
  ['drm-policy', { _id: 'odd', policy_name: 'leased', fairplay: { lease_duration_seconds: 60, persistence: false } }, 'persistence'],
  ['drm-policy', { _id: 'odd', policy_name: 'beyond', fairplay: { sd: { hdcp_enforcement: 7 } } }, 'hdcp_enforcement'],
  ['drm-policy', { _id: 'odd', policy_name: 'constructor' }, 'constructor'],
];

const SECTION = { playlist: 'playlists', 'drm-policy': 'drm_policies' };

/** An exclusive project of one kind that declares nothing, with objects that the account holds as a control server edits them. */
async function exclusiveProject(kind: 'playlist' | 'drm-policy', live: JsonObject): Promise<TestProject> {
  const project = await createTestProject(config({ [SECTION[kind]]: {} }), {
    target: 'ownership: exclusive\nweakening: allow\nplayback_loss: allow',
  });
  const collection = kind === 'playlist' ? 'playlists' : 'policies';
  const id = String(live.id ?? live._id);
  project.emulator.edit({ owner: OWNER, emulation: kind, collection, id, document: live });
  return project;
}

describe.each(NOT_DECLARABLE)('in an exclusive account, a %s that no configuration can declare (%j)', (kind, live, reason) => {
  const address = `${kind}/~odd`;

  test('is never deleted: the plan lists it with the reason, and export writes it as a comment', async () => {
    const project = await exclusiveProject(kind, live);
    for (const flags of [[], ['--allow', 'deletes'], ['--only', `${kind}/*`, '--allow', 'deletes'], ['--only', address]]) {
      const { document } = await project.plan(...flags);
      expect(document).toMatchObject({ changes: [], summary: { undeclared: 1 } });
      expect(document.findings).toMatchObject([{ code: 'cannot-be-declared', address, summary: expect.stringContaining(reason) }]);
      expect((await project.run('apply', '--yes', ...flags)).code).toBe(0);
    }
    expect(project.writes()).toEqual([]);
    expect((await project.run('export', '--dir', 'exported')).code).toBe(0);
    expect(project.read(`exported/${SECTION[kind]}.yaml`)).toMatch(new RegExp(`^# ${address} .*is left out: `, 'm'));
  });

  test('is deleted where its address is given in full, with `--allow deletes`', async () => {
    const project = await exclusiveProject(kind, live);
    expect(await project.apply('--yes', '--only', address, '--allow', 'deletes')).toMatchObject({
      code: 0,
      document: { summary: { deleted: 1 } },
    });
    expect(project.live(kind)).toEqual([]);
  });
});

test('exclusive ownership deletes nothing after an export of an account that cannot be declared whole', async () => {
  const seed = {
    playlist: [
      { id: 'plain', desc: 'plain', playlist: beams(1, 2) },
      { id: 'ads', desc: 'ads only', playlist: [{ ad: { dur: 5 } }] },
    ],
    'drm-policy': [
      { _id: 'odd', policy_name: 'leased', fairplay: { lease_duration_seconds: 60, persistence: false } },
      { _id: 'even', policy_name: 'even' },
    ],
  };
  const project = await createTestProject({}, { seed, target: 'ownership: exclusive' });
  expect((await project.run('export', '--dir', 'config')).code).toBe(0);
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { outcomes: [] } });
  expect(project.writes()).toEqual([]);
});

test('an object that no configuration can declare any more is deleted where the ledger binds it', async () => {
  const project = await createGitProject(config({ playlists: { a: { playlist: beams(1, 2) } } }), { target: 'playback_loss: allow' });
  await project.apply('--yes');
  project.editPlaylist(String(project.playlists()[0]?.id), { beam_break_duration: -1 });
  declare(project, { playlists: {} });
  project.commit();
  expect(await project.apply('--yes', '--allow', 'deletes')).toMatchObject({ code: 0, document: { summary: { deleted: 1 } } });
});

describe('a member of a playlist entry that no document names', () => {
  const entries = [
    { beam: { id: asset(1), start: 10 } },
    { ad: { dur: 30, kind: 'mid' } },
    { beam: { id: asset(2) }, label: { text: 'x' } },
  ];
  const written = [{ beam: asset(1) }, { ad: 30 }, { beam: asset(2) }];

  async function projectWith(declared: JsonObject): Promise<TestProject> {
    const project = await createTestProject(config({ playlists: { p: declared } }), {
      seed: { playlist: [{ id: 'live', desc: 'p', playlist: [{ beam: { id: asset(1) } }] }] },
    });
    project.editPlaylist('live', { playlist: entries });
    return project;
  }

  test('blocks an update of the list, which would drop it', async () => {
    const project = await projectWith({ playlist: [...written, { beam: asset(3) }] });
    const { document } = await project.plan();
    const reason = document.changes[0]?.blocked?.reason;
    expect(document.changes[0]?.blocked?.check).toBe('unknown-fields');
    for (const path of ['/playlist/0/beam/start = 10', '/playlist/1/ad/kind = "mid"', '/playlist/2/label = {"text":"x"}'])
      expect(reason).toContain(path);
    expect((await project.refused('apply', '--yes')).code).toBe(4);
    expect(project.playlists()).toMatchObject([{ playlist: entries }]);
    expect((await project.apply('--yes', '--allow', 'unknown-fields')).code).toBe(0);
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/live`]);
  });

  test('stays through an update of other fields, which is not blocked', async () => {
    const project = await projectWith({ playlist: written, repeat: 3 });
    expect((await project.apply('--yes')).code).toBe(0);
    expect(project.playlists()).toMatchObject([{ repeat: 3, playlist: entries }]);
  });

  test('is no difference', async () => {
    expect(await (await projectWith({ playlist: written })).plan('--detailed-exitcode')).toMatchObject({
      code: 0,
      document: { changes: [] },
    });
  });
});

test('a dictionary beside the three DRM systems blocks an update of the policy, which would reset it', async () => {
  const project = await createTestProject(config({ drm_policies: { premium: { fairplay: { hd: { hdcp_enforcement: 1 } } } } }), {
    seed: { 'drm-policy': [{ _id: 'live', policy_name: 'premium' }] },
  });
  project.emulator.edit({
    emulation: 'drm-policy',
    collection: 'policies',
    id: 'live',
    owner: OWNER,
    merge: { clearkey: { a: 1 } },
  });
  expect((await project.plan()).document.changes).toMatchObject([
    { blocked: { check: 'unknown-fields', reason: expect.stringContaining('/clearkey = {"a":1}') } },
  ]);
});
