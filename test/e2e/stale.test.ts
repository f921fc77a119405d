/**
 * Look before writing (design section 4, rule 3): what was read over thirty seconds ago is read again, and what has changed meanwhile is
 * not overwritten.
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { AccountEdit } from '../../src/emulator/edits.ts';
import { asOutcome } from '../support/documents.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { asset, beams, config, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

/** A target whose playlists may be deleted, although viewers can play them: the user confirms by typing the name of the target. */
const DELETING = 'ownership: exclusive\nplayback_loss: allow';

/** Applies at a terminal where the user answers after so many seconds, while the account is edited by hand. */
async function applyAfter(
  project: TestProject,
  seconds: number,
  edits: readonly AccountEdit[],
  confirmation = 'yes',
  flags: readonly string[] = [],
) {
  const began = Date.now();
  let passed = 0;
  async function* answer(): AsyncIterable<string> {
    passed = seconds * 1000;
    for (const edit of edits) project.emulator.edit(edit);
    yield `${confirmation}\n`;
  }
  const person = { now: () => began + passed, terminal: true, stdin: answer() };
  const { code } = await project.runWith(person, 'apply', ...flags, '--out', 'json=outcome.json');
  return { code, document: asOutcome(JSON.parse(project.read('outcome.json'))) };
}

function playlistEdit(id: string, change: { readonly merge: JsonObject } | { readonly document: JsonObject | null }): AccountEdit {
  return { emulation: 'playlist', collection: 'playlists', id, ...change };
}

const SECTIONS = { playlists: manyPlaylists(2, { repeat: 3 }) };

function updateProject(target = ''): Promise<TestProject> {
  return createTestProject(config(SECTIONS), { seed: { playlist: manyLive(2) }, target });
}

describe('an apply more than thirty seconds after the plan', () => {
  test('does not overwrite an object that changed: its change fails as stale, the other is applied', async () => {
    const project = await updateProject();
    const { code, document } = await applyAfter(project, 31, [playlistEdit('live1', { merge: { repeat: 8 } })]);
    expect(code).toBe(5);
    expect(document.outcomes).toMatchObject([
      { address: 'playlist/p1', result: 'failed', error: expect.stringContaining('stale') },
      { address: 'playlist/p2', result: 'updated' },
    ]);
    expect(project.playlists()).toMatchObject([{ repeat: 8 }, { repeat: 3 }]);
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/live2`]);
  });

  test('fails an update of a deleted object as stale', async () => {
    const project = await updateProject();
    const { code, document } = await applyAfter(project, 31, [playlistEdit('live1', { document: null })]);
    expect(code).toBe(5);
    expect(document.outcomes[0]).toMatchObject({ result: 'failed', error: 'stale: it is gone' });
  });

  test('fails a create of an object that exists by now as stale', async () => {
    const project = await createTestProject(config({ smart_starts: { vod: { assets: [asset(1)] } } }));
    const document = { id: asset(1), desc: 'by hand', active: 1, playlist: beams(1) };
    const ran = await applyAfter(project, 31, [playlistEdit(asset(1), { document })]);
    expect(ran.code).toBe(5);
    expect(ran.document.outcomes[0]?.error).toContain('already exists');
    expect(project.writes()).toEqual([]);
  });

  test('does not delete an object that changed', async () => {
    const project = await createTestProject(config({ playlists: {} }), { seed: { playlist: manyLive(1) }, target: DELETING });
    const { code } = await applyAfter(project, 31, [playlistEdit('live1', { merge: { desc: 'in use' } })], 'live');
    expect(code).toBe(5);
    expect(project.playlists()).toMatchObject([{ desc: 'in use' }]);
  });

  test('succeeds with a delete of an object that is already gone', async () => {
    const project = await createTestProject(config({ playlists: {} }), { seed: { playlist: manyLive(1) }, target: DELETING });
    expect((await applyAfter(project, 31, [playlistEdit('live1', { document: null })], 'live')).code).toBe(0);
    expect(project.writes()).toEqual([]);
  });

  test('reads the list again where that is cheaper than each object', async () => {
    const project = await createTestProject(config({ playlists: manyPlaylists(30, { repeat: 3 }) }), {
      seed: { playlist: manyLive(30) },
      target: 'limits: { update: { percent: 100 } }',
    });
    expect((await applyAfter(project, 31, [])).code).toBe(0);
    const reads = project.emulator.requests().filter(({ method }) => method === 'GET');
    expect(reads.map(({ path }) => path)).toEqual([PLAYLISTS, PLAYLISTS, PLAYLISTS]);
  });
});

describe('a member that upkeep does not know and that counts up, more than thirty seconds after the plan,', () => {
  const policy = (views: number, lease: boolean) => ({ _id: 'live', policy_name: 'p', fairplay: { lease, x_views: views } });
  const edit = (views: number): AccountEdit => ({
    emulation: 'drm-policy',
    collection: 'policies',
    id: 'live',
    document: policy(views, false),
  });
  const countingProject = async (target: string) => {
    const project = await createTestProject(config({ drm_policies: { p: { fairplay: { lease: true } } } }), {
      seed: { 'drm-policy': [{ _id: 'live', policy_name: 'p' }] },
      target,
    });
    project.emulator.edit(edit(1));
    return project;
  };

  test('does not make a change stale where `service.resettable_members` accepts that it is reset', async () => {
    const project = await countingProject('weakening: allow\nservice: { resettable_members: [/fairplay/x_views], settle_seconds: 0 }');
    const { code, document } = await applyAfter(project, 31, [edit(2)], 'live');
    expect(document.outcomes).toMatchObject([{ address: 'drm-policy/p', result: 'updated' }]);
    expect(code).toBe(0);
  });

  test('makes a change stale that only an override lets reset it', async () => {
    const project = await countingProject('weakening: allow');
    const { code } = await applyAfter(project, 31, [edit(2)], 'live', ['--allow', 'unknown-fields']);
    expect([code, project.writes()]).toEqual([5, []]);
  });

  test('does not make a change stale that leaves it as it is', async () => {
    const project = await createTestProject(config({ playlists: manyPlaylists(1, { repeat: 3 }) }), { seed: { playlist: manyLive(1) } });
    const entry = (views: number) => playlistEdit('live1', { merge: { playlist: [{ ...beams(1)[0], x_views: views }, ...beams(1001)] } });
    project.emulator.edit(entry(1));
    const before = await project.plan();
    expect(before.document.changes).toMatchObject([{ fields: [{ path: '/repeat' }], blocked: null }]);
    expect((await applyAfter(project, 31, [entry(2)])).code).toBe(0);
    expect(project.playlists()).toMatchObject([{ repeat: 3 }]);
  });

  test('does not keep an object that is deleted where the target accepts that it is reset', async () => {
    const project = await createTestProject(config({ playlists: {} }), {
      seed: { playlist: manyLive(1) },
      target: `${DELETING}\nservice: { resettable_members: ["/playlist/*/x_views"], settle_seconds: 0 }`,
    });
    const entry = (views: number) => playlistEdit('live1', { merge: { playlist: [{ ...beams(1)[0], x_views: views }] } });
    project.emulator.edit(entry(1));
    expect((await applyAfter(project, 31, [entry(2)], 'live')).code).toBe(0);
    expect(project.playlists()).toEqual([]);
  });
});

test('an apply within thirty seconds reads nothing twice', async () => {
  const project = await updateProject();
  expect((await applyAfter(project, 29, [])).code).toBe(0);
  const paths = project.emulator.requests().map(({ method, path }) => `${method} ${path}`);
  expect(paths.slice(0, 3)).toEqual([`GET ${PLAYLISTS}`, expect.stringContaining('PATCH'), expect.stringContaining('PATCH')]);
});

test('a failed read before the write fails the changes, and nothing is written', async () => {
  const project = await updateProject();
  project.emulator.setFaults([{ method: 'GET', path: `${PLAYLISTS}/*`, status: 500, body: 'oops' }]);
  const { code, document } = await applyAfter(project, 31, []);
  expect(code).toBe(5);
  expect(document.summary).toMatchObject({ failed: 2, updated: 0 });
  expect(project.writes()).toEqual([]);
});
