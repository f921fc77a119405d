/** What the first lines of a plan say of a policy of which one side is not known, or that is blocked for another reason than its effects. */
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { createTestProject, OWNER, type TestProject } from '../support/harness.ts';
import { config } from './accounts.ts';

/** A project that declares the policy `p`, whose account holds another form of it. */
async function projectWith(live: JsonObject, declared: Json, target = ''): Promise<TestProject> {
  const project = await createTestProject(config({ drm_policies: { p: declared } }), {
    seed: { 'drm-policy': [{ _id: 'live', policy_name: 'p' }] },
    target,
  });
  const document = { _id: 'live', policy_name: 'p', ...live };
  project.emulator.edit({ owner: OWNER, emulation: 'drm-policy', collection: 'policies', id: 'live', document });
  return project;
}

/** The text of a plan, in one line. */
async function planText(project: TestProject): Promise<string> {
  return (await project.run('plan')).stdout.replace(/\s+/g, ' ');
}

describe('an element of a track type that no document names', () => {
  const five = ['SD', 'HD', 'UHD1', 'UHD2', 'AUDIO'].map((track_type) => ({ track_type, security_level: 1 }));
  const odd = { track_type: 'UHD3', security_level: 5, required_output_protection: { hdcp: 'HDCP_V2_2' } };
  const live = { widevine: { content_key_specs: [...five, odd] } };

  test.each<[what: string, more: JsonObject, playback: string]>([
    ['alone', {}, 'unknown'],
    ['beside another edit', { fairplay: { key_duration_seconds: 300 } }, 'reduces'],
  ])('is not taken away unless somebody overrides it: %s', async (_what, more, playback) => {
    const project = await projectWith(live, { widevine: { content_key_specs: five }, ...more });
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ effect: 'weakens', playback, blocked: { check: 'weakening' } }]);
    const text = await planText(project);
    expect(text).toMatch(/^Blocked: DRM policy p would weaken protection/);
    expect(text).toContain('the API documents do not say what track type "UHD3" is');
    expect(text).not.toContain('no built-in class of devices depends');
    expect((await project.refused('apply', '--yes')).code).toBe(4);
    const [policy] = [project.live('drm-policy')].flat().filter(isJsonObject);
    expect(policy?.widevine).toMatchObject({ content_key_specs: [{}, {}, {}, {}, {}, odd] });
  });
});

test('a device that plays for certain afterwards does not "no longer play", and the change is not said to be worse for it', async () => {
  const text = await planText(await projectWith({ fairplay: { hd: { hdcp_enforcement: 1 } } }, {}, 'weakening: allow'));
  expect(text).not.toMatch(/(?:may|might) no longer play/);
  expect(text).toMatch(/plays? HD for certain, which was not known before/);
});

test('a device that may never have played is not said to play nothing any more without that', async () => {
  const element = (hdcp: string) => ({
    widevine: { content_key_specs: [{ track_type: 'ALL', required_output_protection: { hdcp } }] },
  });
  const text = await planText(await projectWith(element('hdcp_v1'), element('HDCP_V1')));
  expect(text).toMatch(/, which may have played, would play nothing any more/);
  expect(text).not.toMatch(/(?<!which may have played, would )play nothing any more/);
});

test('a change that is blocked for another reason than its effects gives the reason first, then the edit, then the flag', async () => {
  const project = await projectWith({ x_internal: { shard: 7 } }, { fairplay: { hd: { hdcp_enforcement: 1 } } });
  const text = await planText(project);
  const places = [
    'Blocked: DRM policy p: the update may reset /x_internal = {"shard":7}, which upkeep does not know',
    'DRM policy p: ',
    'If they may be reset, write `service: { resettable_members: ["/x_internal"] }`',
    '--allow unknown-fields --expect',
  ].map((part) => text.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(text.slice(text.indexOf('DRM policy p: ', 60))).toMatch(/would (?:reduce playback|no longer play|play)/);
});
