/**
 * Lost responses: a create is never repeated before a read shows that it had no effect, a lost delete is resolved by reading, and other
 * writes
 * may be repeated (design section 4, rule 4).
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { asset, beams, config, manyLive, manyPlaylists, numbered, PLAYLISTS } from './accounts.ts';

const BULK = '/api/v4/smart-start';
const POLICY = '/api/v3/drm/policies/create-or-update';

/** The ways in which a response is lost after the write took effect; `passing` ones may succeed when retried. */
const LOST: readonly (readonly [name: string, rule: FaultRule, passing: boolean])[] = [
  ['the connection breaks', { reset: 'after' }, true],
  ['a gateway answers 502', { afterWrite: true, status: 502, body: 'Bad Gateway' }, true],
  ['the service answers 500', { afterWrite: true, status: 500, body: {} }, true],
  ['a proxy answers HTML', { afterWrite: true, html: true }, false],
  ['the answer has no body', { empty: true }, false],
  ['the answer is cut', { truncateBody: true }, false],
  ['the answer says nothing', { afterWrite: true, status: 200, body: {} }, false],
  ['a proxy asks twice, and the replay is answered with 400', { afterWrite: true, status: 400, body: { title: 'replayed' } }, true],
  ['a gateway asks to wait', { afterWrite: true, status: 429, headers: { 'retry-after': '0' }, body: {} }, true],
  ['a gateway is closed for a time', { afterWrite: true, status: 503, headers: { 'retry-after': '0' }, body: {} }, true],
  ['a gateway has waited too long for the request', { afterWrite: true, status: 408, body: {} }, true],
];

function lostProject(sections: JsonObject, seed: JsonObject = {}, target = ''): Promise<TestProject> {
  return createTestProject(config(sections), { seed, target: `${target}\nplayback_loss: allow` });
}

const smartStarts = { smart_starts: { vod: { desc: 'On demand', assets: numbered(3).map(asset) } } };

describe.each(LOST)('a lost response: %s', (_name, rule, passing) => {
  test.each([
    ['a playlist', { playlists: manyPlaylists(1) }, PLAYLISTS],
    ['a playlist among many', { playlists: manyPlaylists(8) }, PLAYLISTS],
    ['a playlist without a description of its own', { playlists: { p: { playlist: beams(1, 2) } } }, PLAYLISTS],
    ['smart starts', smartStarts, BULK],
    ['a playlist of one asset', { playlists: { p: { playlist: beams(1) } } }, BULK],
    ['a policy', { drm_policies: { premium: { fairplay: { hd: { hdcp_enforcement: 1 } } } } }, POLICY],
  ])('%s is created exactly once, and apply exits 0', async (_what, sections, path) => {
    const project = await lostProject(sections);
    const { document } = await project.plan();
    project.emulator.setFaults([{ method: 'POST', path, times: 1, ...rule }]);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true, summary: { failed: 0, skipped: 0 } } });
    expect(project.writes()).toHaveLength(document.cost.writes);
    expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [], summary: { undeclared: 0 } } });
  });

  test('a delete is resolved by reading', async () => {
    const project = await lostProject({ playlists: {} }, { playlist: manyLive(1) }, 'ownership: exclusive');
    project.emulator.setFaults([{ method: 'DELETE', path: `${PLAYLISTS}/*`, times: 1, ...rule }]);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true, summary: { deleted: 1 } } });
    expect(project.writes()).toEqual([`DELETE ${PLAYLISTS}/live1`]);
  });

  test('an update is retried where a retry may help, and is written in any case', async () => {
    const patient = 'http: { requests_per_second: 0, give_up_seconds: 20 }';
    const project = await lostProject({ playlists: manyPlaylists(1, { repeat: 2 }) }, { playlist: manyLive(1) }, patient);
    project.emulator.setFaults([{ method: 'PATCH', path: `${PLAYLISTS}/*`, times: 1, ...rule }]);
    const { code, document } = await project.apply('--yes');
    expect([code, document.verified, project.writes().length]).toEqual(passing ? [0, true, 2] : [5, false, 1]);
    expect(project.playlists()).toMatchObject([{ id: 'live1', repeat: 2 }]);
    expect((await project.plan('--detailed-exitcode')).code).toBe(0);
  });
});

describe('a request that is lost before the write', () => {
  test.each([
    ['a playlist', { playlists: manyPlaylists(1) }, PLAYLISTS],
    ['smart starts', smartStarts, BULK],
    ['a policy', { drm_policies: { premium: {} } }, POLICY],
  ])('creating %s is followed by a lookup, and then sent again', async (_what, sections, path) => {
    const project = await lostProject(sections);
    project.emulator.setFaults([{ method: 'POST', path, times: 1, reset: 'before' }]);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
    expect(project.writes()).toEqual([`POST ${path}`, `POST ${path}`]);
    expect((await project.plan('--detailed-exitcode')).code).toBe(0);
  });

  test('of a delete fails it, and the next run deletes the object', async () => {
    const project = await lostProject({ playlists: {} }, { playlist: manyLive(1) }, 'ownership: exclusive');
    project.emulator.setFaults([{ method: 'DELETE', times: 1, reset: 'before' }]);
    expect(await project.apply('--yes')).toMatchObject({ code: 5, document: { verified: false, summary: { failed: 1 } } });
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { deleted: 1 } } });
  });
});

test('a create that outlasts the timeout is waited for, and not sent again', async () => {
  const impatient = 'http: { requests_per_second: 0, timeout_seconds: 1, give_up_seconds: 20 }';
  const project = await lostProject({ playlists: manyPlaylists(1) }, {}, impatient);
  project.emulator.setFaults([{ method: 'POST', path: PLAYLISTS, times: 1, delayMs: 1500 }]);
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true, summary: { created: 1 } } });
  expect(project.writes()).toEqual([`POST ${PLAYLISTS}`]);
  expect(project.playlists()).toHaveLength(1);
});

test('a permanent rejection is tried twice, and fails', async () => {
  const project = await lostProject({ playlists: manyPlaylists(1), ...smartStarts });
  project.emulator.setFaults([{ method: 'POST', status: 400, body: { title: 'repeat is wrong' } }]);
  const { code, document } = await project.apply('--yes');
  expect([code, document.summary.created, document.summary.failed]).toEqual([5, 0, 4]);
  for (const { error } of document.outcomes) expect(error).toContain('repeat is wrong');
  expect([...project.writes()].sort()).toEqual([PLAYLISTS, PLAYLISTS, BULK, BULK].map((path) => `POST ${path}`));
});

test('two playlists after one create are always reported', async () => {
  const project = await lostProject({ playlists: manyPlaylists(1) });
  const [key] = Object.keys(manyPlaylists(1));
  const document = { id: 'twin', desc: key ?? '', active: 1, playlist: beams(1, 2) };
  const edit = { emulation: 'playlist', collection: 'playlists', id: 'twin', document };
  project.emulator.setFaults([{ method: 'POST', path: PLAYLISTS, times: 1, edit }]);
  const applied = await project.apply('--yes');
  expect(applied).toMatchObject({ code: 5, document: { verified: false, summary: { failed: 1 } } });
  expect(applied.document.outcomes[0]?.error).toMatch(/two objects.*twin/);
});

test('a create is not sent again where neither its response nor a lookup is available', async () => {
  const project = await lostProject({ playlists: manyPlaylists(1) });
  project.emulator.setFaults([
    { method: 'POST', path: PLAYLISTS, reset: 'after' },
    { method: 'GET', path: PLAYLISTS, nth: [3, 4, 5], reset: 'before' },
  ]);
  const applied = await project.apply('--yes');
  expect(applied).toMatchObject({ code: 5, document: { verified: false, summary: { failed: 1 } } });
  expect(applied.document.outcomes[0]?.error).toContain('not known whether it was created');
  expect(project.writes()).toEqual([`POST ${PLAYLISTS}`]);
  project.emulator.setFaults([]);
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { outcomes: [] } });
  expect(project.playlists()).toHaveLength(1);
});

test('a playlist that existed before is never taken for the one that a create has made', async () => {
  const nameless = { desc: '', playlist: beams(1, 2) };
  const sections = { playlists: { fresh: nameless }, adopt: { 'playlist/fresh': 'gone' } };
  const project = await lostProject(sections, { playlist: [{ id: 'elder', ...nameless }] });
  project.emulator.setFaults([{ method: 'POST', path: PLAYLISTS, times: 1, reset: 'before' }]);
  await project.run('apply', '--yes');
  expect(project.writes().filter((write) => write === `POST ${PLAYLISTS}`)).toHaveLength(2);
  expect(project.playlists()).toHaveLength(2);
});

test('a delete of an object that is already gone is as desired, and not one of this run', async () => {
  const project = await lostProject({ playlists: {} }, { playlist: manyLive(1) }, 'ownership: exclusive');
  const edit = { emulation: 'playlist', collection: 'playlists', id: 'live1', document: null };
  project.emulator.setFaults([{ method: 'DELETE', edit }]);
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true, summary: { deleted: 0, unchanged: 1 } } });
});

describe('the bulk operation', () => {
  /** Somebody creates the playlist of asset 2 between our read and our write. */
  function meanwhile(members: JsonObject): FaultRule {
    const document = { id: asset(2), active: 1, playlist: beams(2), ...members };
    return { method: 'POST', path: BULK, times: 1, edit: { emulation: 'playlist', collection: 'playlists', id: asset(2), document } };
  }

  test('succeeds for an asset that was not created because it exists as desired', async () => {
    const project = await lostProject(smartStarts);
    project.emulator.setFaults([meanwhile({ desc: 'On demand' })]);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true, summary: { failed: 0 } } });
  });

  test('fails only the address of an asset that was not created because something else exists, as stale', async () => {
    const project = await lostProject(smartStarts);
    project.emulator.setFaults([meanwhile({ desc: 'Not ours' })]);
    const { code, document } = await project.apply('--yes');
    expect([code, document.summary.created, document.summary.failed]).toEqual([5, 2, 1]);
    const failed = document.outcomes.find(({ result }) => result === 'failed');
    expect(failed?.address).toBe(`smart-start/vod/${asset(2)}`);
    expect(failed?.error).toContain('stale');
    expect(project.playlists()).toContainEqual(expect.objectContaining({ id: asset(2), desc: 'Not ours' }));
  });

  test('fails only the address that has an error', async () => {
    const project = await lostProject({ smart_starts: { vod: { assets: [asset(1), 'studio:one', asset(3)] } } });
    const { code, document } = await project.apply('--yes');
    expect([code, document.summary.created, document.summary.failed]).toEqual([5, 2, 1]);
    expect(document.outcomes.find(({ result }) => result === 'failed')?.address).toBe('smart-start/vod/studio:one');
  });

  test('is sent in chunks of 100 per equal settings, or of another configured size', async () => {
    const groups = {
      one: { assets: numbered(150).map(asset) },
      two: { assets: [asset(1001)], desc: '' },
      three: { assets: [asset(2001)], repeat: -1 },
    };
    const project = await lostProject({ smart_starts: groups });
    expect((await project.apply('--yes')).code).toBe(0);
    const sizes = project.emulator.requests().flatMap(({ path, body }) => (path === BULK ? Object(body).assets.length : []));
    expect(sizes.sort()).toEqual([1, 100, 51].sort());
    const small = await lostProject({ smart_starts: groups }, {}, 'service: { smart_start_batch: 40 }');
    expect((await small.apply('--yes')).code).toBe(0);
    expect(small.writes()).toHaveLength(5);
  });
});
