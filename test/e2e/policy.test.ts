/** Policies are whole documents: what an update leaves out is reset by the service (drm-api-v3 section 4.1, design section 4, rule 5). */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { type Stage, stage } from '../support/harness.ts';
import { config } from './accounts.ts';

const SAVE = '/api/v3/drm/policies/create-or-update';
const ID = '1'.repeat(32);

function policyStage(live: readonly JsonObject[], desired: JsonObject, target = 'loosening: allow'): Promise<Stage> {
  return stage(config({ drm_policies: desired }), { seed: { 'drm-policy': live }, target });
}

/** The `item` of every policy that was sent. */
function saved(set: Stage): readonly unknown[] {
  return set.emulator
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
  const set = await policyStage([live], { premium: DECLARED });
  const planned = await set.plan();
  expect(planned.document.changes).toMatchObject([{ address: 'drm-policy/premium', action: 'update', fields: [expect.anything()] }]);
  expect(planned.document.changes[0]?.fields).toMatchObject([{ path: '/playready/license_duration_seconds', before: 60, after: 50_000 }]);
  expect(await set.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
  expect(saved(set)).toEqual([{ _id: ID, policy_name: 'premium', ...DECLARED }]);
  expect(await set.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [] } });
});

test('a live setting of a policy that is neither declared nor default is shown as returning to its default', async () => {
  const live = { ...DECLARED, _id: ID, policy_name: 'premium', widevine: { policy_overrides: { can_play: false, can_renew: true } } };
  const set = await policyStage([live], { premium: DECLARED });
  const planned = await set.plan();
  expect(planned.document.changes[0]?.fields).toMatchObject([
    { path: '/widevine/policy_overrides/can_play', before: false, after: true },
    { path: '/widevine/policy_overrides/can_renew', before: true, after: false },
  ]);
  await set.apply('--yes');
  expect(saved(set)).toEqual([{ _id: ID, policy_name: 'premium', ...DECLARED }]);
  expect((await set.plan()).document.changes).toEqual([]);
});

test('undeclared defaults of a policy are not sent, and a create has a name but no ID', async () => {
  const set = await policyStage([], { 'basic tier': {}, premium: DECLARED });
  expect((await set.plan()).document.changes.map(({ address }) => address)).toEqual(['drm-policy/basic%20tier', 'drm-policy/premium']);
  expect((await set.apply('--yes')).code).toBe(0);
  expect(saved(set)).toHaveLength(2);
  expect(saved(set)).toEqual(expect.arrayContaining([{ policy_name: 'basic tier' }, { policy_name: 'premium', ...DECLARED }]));
});

test('`can_play` is sent with `policy_overrides`', async () => {
  const overrides = { can_play: true, license_duration_seconds: 600 };
  const set = await policyStage([], { premium: { widevine: { policy_overrides: overrides } } });
  expect((await set.apply('--yes')).code).toBe(0);
  expect(saved(set)).toEqual([{ policy_name: 'premium', widevine: { policy_overrides: overrides } }]);
});

describe('content key specs', () => {
  const sd = { track_type: 'SD' };
  const specs = [sd, { track_type: 'HD' }, { track_type: 'UHD1' }, { track_type: 'UHD2' }, { track_type: 'AUDIO' }];
  const desired = { premium: { widevine: { content_key_specs: specs } } };
  const livePolicy = (list: readonly Json[]): JsonObject => ({ _id: ID, policy_name: 'premium', widevine: { content_key_specs: list } });

  test('are compared by track type, in any order', async () => {
    const set = await policyStage([livePolicy(specs.toReversed())], desired);
    expect((await set.plan()).document.changes).toEqual([]);
  });

  test('are compared as written: ALL is not the sum of all tracks', async () => {
    const set = await policyStage([livePolicy([{ track_type: 'ALL' }])], desired);
    expect((await set.plan()).document.summary.update).toBe(1);
  });

  test('differ from every desired list where they name a track twice', async () => {
    const set = await policyStage([livePolicy([...specs, sd])], desired);
    expect((await set.plan()).document.summary.update).toBe(1);
    expect(await set.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
  });
});

describe('a policy member that no document names', () => {
  const live = { _id: ID, policy_name: 'premium', ...DECLARED };
  const GET = '/api/v3/drm/polic*';

  /** A service that was given a new setting after the documents were written. */
  async function newerStage(desired: JsonObject): Promise<Stage> {
    const set = await policyStage([live], desired);
    const config = { ...live, fairplay: { ...live.fairplay, watermark: { mode: 'hidden' } } };
    set.emulator.setFaults([{ method: 'GET', path: GET, body: { error: 0, configs: [config] } }]);
    return set;
  }

  test('is no difference', async () => {
    const set = await newerStage({ premium: DECLARED });
    expect(await set.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [] } });
  });

  test('blocks an update that would reset it, with path and value', async () => {
    const set = await newerStage({ premium: {} });
    const { document } = await set.plan();
    expect(document.changes).toMatchObject([{ blocked: { check: 'unknown-fields', override: '--allow unknown-fields' } }]);
    expect(document.changes[0]?.blocked?.reason).toContain('/fairplay/watermark = {"mode":"hidden"}');
    expect((await set.refused('apply', '--yes')).document.error).toMatchObject({ exit: 4, code: 'blocked' });
    expect(saved(set)).toEqual([]);
  });

  test('is reset with --allow unknown-fields', async () => {
    const set = await newerStage({ premium: {} });
    expect((await set.plan('--allow', 'unknown-fields')).document.summary).toMatchObject({ update: 1, blocked: 0 });
    await set.run('apply', '--yes', '--allow', 'unknown-fields');
    expect(saved(set)).toEqual([{ _id: ID, policy_name: 'premium' }]);
  });
});
