/** The scope procedure on the wire (drm-api-v3 section 3): exactly the needed calls, in the documented order. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { config } from './accounts.ts';

const STATUS = '/api/v3/drm/use-static-encryption-key/update';
const SLICERS = '/api/v3/drm/static-key-slicer-ids/update';

const ALL: JsonObject = { scope: 'all' };
const NONE: JsonObject = { scope: 'none' };
const AB: JsonObject = { scope: 'specific', slicer_ids: ['b', 'a'] };
const C: JsonObject = { scope: 'specific', slicer_ids: ['c'] };

const liveAll: JsonObject = { use_static_encryption_key: true };
const leftover: JsonObject = { use_static_encryption_key: true, static_key_slicer_ids: ['a', 'b'] };
const liveAB: JsonObject = { use_static_encryption_key: false, static_key_slicer_ids: ['a', 'b'] };
const liveNone: JsonObject = { use_static_encryption_key: false };
const emptied: JsonObject = { use_static_encryption_key: false, static_key_slicer_ids: [] };

type Call = readonly [path: string, item: JsonObject];

function status(value: boolean): Call {
  return [STATUS, { use_static_encryption_key: value }];
}

function slicers(...ids: readonly string[]): Call {
  return [SLICERS, { static_key_slicer_ids: ids }];
}

function sent(project: TestProject): readonly Call[] {
  const posts = project.emulator.requests().filter(({ method }) => method !== 'GET');
  project.emulator.clearRequests();
  return posts.map(({ path, body }): Call => [path, Object.assign({}, body)]);
}

function keyProject(live: JsonObject, desired: JsonObject, target = ''): Promise<TestProject> {
  return createTestProject(config({ static_key: desired }), { seed: { 'static-key': live }, target });
}

const TRANSITIONS: readonly (readonly [name: string, live: JsonObject, desired: JsonObject, calls: readonly Call[]])[] = [
  ['all to all', liveAll, ALL, []],
  ['all, with a list left over, to all', leftover, ALL, []],
  ['all to specific', liveAll, AB, [slicers('a', 'b'), status(false)]],
  ['all, with the same list left over, to specific', leftover, AB, [status(false)]],
  ['all, with another list left over, to specific', leftover, C, [slicers('c'), status(false)]],
  ['all to none', liveAll, NONE, [status(false)]],
  ['all, with a list left over, to none', leftover, NONE, [status(false), slicers()]],
  ['specific to all', liveAB, ALL, [status(true)]],
  ['specific to the same in another order', liveAB, AB, []],
  ['specific to other slicers', liveAB, C, [slicers('c')]],
  ['specific to none', liveAB, NONE, [slicers()]],
  ['none to all', liveNone, ALL, [status(true)]],
  ['none to specific', liveNone, AB, [slicers('a', 'b')]],
  ['none to none', liveNone, NONE, []],
  ['none with an empty list to none', emptied, NONE, []],
];

describe.each(TRANSITIONS)('the static key from %s', (_name, live, desired, calls) => {
  test('sends exactly the needed requests, and then nothing more', async () => {
    const project = await keyProject(live, desired, 'weakening: allow');
    const planned = await project.plan();
    expect(planned.document.requests.map(({ path, body }) => [path, body])).toEqual(calls);
    expect(sent(project)).toEqual([]);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
    expect(sent(project)).toEqual(calls);
    expect((await project.plan()).document.changes).toEqual([]);
    await project.apply('--yes');
    expect(sent(project)).toEqual([]);
  });
});

test.each([
  ['all to specific', leftover, C, 'strengthens'],
  ['all to none', leftover, NONE, 'strengthens'],
  ['specific to none', liveAB, NONE, 'strengthens'],
  ['specific to fewer', liveAB, { scope: 'specific', slicer_ids: ['a'] }, 'strengthens'],
  ['specific to more', liveAB, { scope: 'specific', slicer_ids: ['a', 'b', 'c'] }, 'weakens'],
  ['specific to others', liveAB, C, 'weakens'],
  ['specific to all', liveAB, ALL, 'weakens'],
  ['none to specific', liveNone, AB, 'weakens'],
  ['none to all', liveNone, ALL, 'weakens'],
])(
  'the static key from %s has its effect on protection, and safety check `weakening` blocks it if it weakens',
  async (_name, live, desired, effect) => {
    const project = await keyProject(live, desired);
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([
      {
        address: 'static-key',
        effect,
        phase: effect === 'strengthens' ? 'strengthen' : 'weaken',
        blocked: effect === 'weakens' ? { check: 'weakening' } : null,
      },
    ]);
    const applied = await project.run('apply', '--yes');
    expect(applied.code).toBe(effect === 'weakens' ? 4 : 0);
    expect(sent(project).length > 0).toBe(effect === 'strengthens');
  },
);

test('the second request for the static key is not sent where the first one failed', async () => {
  const project = await keyProject(liveAll, AB);
  project.emulator.setFaults([{ path: SLICERS, error: { code: 1, msg: 'no such slicer' } }]);
  const applied = await project.apply('--yes');
  expect(applied).toMatchObject({ code: 5, document: { verified: false, summary: { failed: 1 } } });
  expect(applied.document.outcomes[0]?.error).toContain('no such slicer');
  expect(sent(project)).toEqual([slicers('a', 'b')]);
  expect(project.live('static-key')).toEqual({ use_static_encryption_key: true, static_key_slicer_ids: null });
  project.emulator.setFaults([]);
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
  expect(sent(project)).toEqual([slicers('a', 'b'), status(false)]);
});

test('a first request for the static key that was written is not repeated when the second failed', async () => {
  const project = await keyProject(liveAll, AB);
  project.emulator.setFaults([{ path: STATUS, status: 500, body: 'oops' }]);
  expect((await project.apply('--yes')).code).toBe(5);
  expect(sent(project)).toEqual([slicers('a', 'b'), status(false)]);
  project.emulator.setFaults([]);
  expect((await project.apply('--yes')).code).toBe(0);
  expect(sent(project)).toEqual([status(false)]);
});
