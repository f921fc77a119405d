/** Policies are whole documents: what an update leaves out is reset by the service (drm-api-v3 section 4.1, design section 4, rule 5). */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { config } from './accounts.ts';

const SAVE = '/api/v3/drm/policies/create-or-update';
const ID = '1'.repeat(32);

function policyProject(live: readonly JsonObject[], desired: JsonObject, target = 'weakening: allow'): Promise<TestProject> {
  return createTestProject(config({ drm_policies: desired }), { seed: { 'drm-policy': live }, target });
}

/** The `item` of every policy that was sent. */
function saved(project: TestProject): readonly unknown[] {
  return project.emulator
    .requests()
    .filter(({ path }) => path === SAVE)
    .map(({ body }) => body);
}

const DECLARED = {
  fairplay: { persistence: true, rental: true },
  playready: { license_duration_seconds: 50_000, hd: { security_level: 3000 } },
} as const satisfies JsonObject;

test('a declared setting of a policy changed live is the only field in the plan, and every declared setting is sent', async () => {
  const live = { ...DECLARED, _id: ID, policy_name: 'premium', playready: { ...DECLARED.playready, license_duration_seconds: 60 } };
  const project = await policyProject([live], { premium: DECLARED });
  const planned = await project.plan();
  expect(planned.document.changes).toMatchObject([{ address: 'drm-policy/premium', action: 'update', fields: [expect.anything()] }]);
  expect(planned.document.changes[0]?.fields).toMatchObject([{ path: '/playready/license_duration_seconds', before: 60, after: 50_000 }]);
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
  expect(saved(project)).toEqual([{ _id: ID, policy_name: 'premium', ...DECLARED }]);
  expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [] } });
});

test('a live setting of a policy that is neither declared nor default is shown as returning to its default', async () => {
  const live = { ...DECLARED, _id: ID, policy_name: 'premium', widevine: { policy_overrides: { can_play: false, can_renew: true } } };
  const project = await policyProject([live], { premium: DECLARED });
  const planned = await project.plan();
  expect(planned.document.changes[0]?.fields).toMatchObject([
    { path: '/widevine/policy_overrides/can_play', before: false, after: true },
    { path: '/widevine/policy_overrides/can_renew', before: true, after: false },
  ]);
  await project.apply('--yes');
  expect(saved(project)).toEqual([{ _id: ID, policy_name: 'premium', ...DECLARED }]);
  expect((await project.plan()).document.changes).toEqual([]);
});

test('undeclared defaults of a policy are not sent, and a create has a name but no ID', async () => {
  const project = await policyProject([], { 'basic tier': {}, premium: DECLARED });
  expect((await project.plan()).document.changes.map(({ address }) => address)).toEqual(['drm-policy/basic%20tier', 'drm-policy/premium']);
  expect((await project.apply('--yes')).code).toBe(0);
  expect(saved(project)).toHaveLength(2);
  expect(saved(project)).toEqual(expect.arrayContaining([{ policy_name: 'basic tier' }, { policy_name: 'premium', ...DECLARED }]));
});

test('`can_play` is sent with `policy_overrides`', async () => {
  const overrides = { can_play: true, license_duration_seconds: 600 };
  const project = await policyProject([], { premium: { widevine: { policy_overrides: overrides } } });
  expect((await project.apply('--yes')).code).toBe(0);
  expect(saved(project)).toEqual([{ policy_name: 'premium', widevine: { policy_overrides: overrides } }]);
});

describe('content key specs', () => {
  const sd = { track_type: 'SD' };
  const specs = [sd, { track_type: 'HD' }, { track_type: 'UHD1' }, { track_type: 'UHD2' }, { track_type: 'AUDIO' }];
  const desired = { premium: { widevine: { content_key_specs: specs } } };
  const livePolicy = (list: readonly Json[]): JsonObject => ({ _id: ID, policy_name: 'premium', widevine: { content_key_specs: list } });

  test('are compared by track type, in any order', async () => {
    const project = await policyProject([livePolicy(specs.toReversed())], desired);
    expect((await project.plan()).document.changes).toEqual([]);
  });

  test('are compared as written: ALL is not the sum of all tracks', async () => {
    const project = await policyProject([livePolicy([{ track_type: 'ALL' }])], desired);
    expect((await project.plan()).document.summary.update).toBe(1);
  });

  test('differ from every desired list where they name a track twice', async () => {
    const project = await policyProject([livePolicy([...specs, sd])], desired);
    expect((await project.plan()).document.summary.update).toBe(1);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
  });
});

describe('a policy member that no document names', () => {
  const live = { _id: ID, policy_name: 'premium', ...DECLARED };
  const GET = '/api/v3/drm/polic*';

  /** A service that was given a new setting after the documents were written. */
  async function newerProject(desired: JsonObject): Promise<TestProject> {
    const project = await policyProject([live], desired);
    const config = { ...live, fairplay: { ...live.fairplay, watermark: { mode: 'hidden' } } };
    project.emulator.setFaults([{ method: 'GET', path: GET, body: { error: 0, configs: [config] } }]);
    return project;
  }

  test('is no difference', async () => {
    const project = await newerProject({ premium: DECLARED });
    expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [] } });
  });

  test('blocks an update that would reset it, with path and value', async () => {
    const project = await newerProject({ premium: {} });
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([
      { blocked: { check: 'unknown-fields', lift: { edit: expect.stringContaining('resettable_members: '), allow: 'unknown-fields' } } },
    ]);
    expect(document.changes[0]?.blocked?.reason).toContain('/fairplay/watermark = {"mode":"hidden"}');
    expect((await project.refused('apply', '--yes')).document.error).toMatchObject({ exit: 4, code: 'blocked' });
    expect(saved(project)).toEqual([]);
  });

  test('is reset with --allow unknown-fields', async () => {
    const project = await newerProject({ premium: {} });
    expect((await project.plan('--allow', 'unknown-fields')).document.summary).toMatchObject({ update: 1, blocked: 0 });
    await project.run('apply', '--yes', '--allow', 'unknown-fields');
    expect(saved(project)).toEqual([{ _id: ID, policy_name: 'premium' }]);
  });
});
