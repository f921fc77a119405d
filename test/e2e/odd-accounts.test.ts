/** Accounts that are valid and unusual: each object can be exported and managed, or it alone cannot. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { createTestProject, projectFile, type TestProject } from '../support/harness.ts';
import { asset, beams, config, manyPlaylists } from './accounts.ts';

/** Exports the account to `exported`, makes that folder the source of the target, and expects that its plan is empty, also as sole owner. */
async function exportAndPlan(seed: JsonObject, rules = ''): Promise<TestProject> {
  const project = await createTestProject({}, { seed, rules });
  expect(await project.run('export', '--dir', 'exported')).toMatchObject({ code: 0 });
  for (const ownership of ['shared', 'exclusive']) {
    const target = `ownership: ${ownership}`;
    project.write('upkeep.yaml', projectFile(project.emulator.url, target, rules).replace('[config]', '[exported]'));
    const { code, document } = await project.plan('--detailed-exitcode');
    expect([ownership, code, document.changes, document.summary.undeclared]).toEqual([ownership, 0, [], 0]);
  }
  return project;
}

test.each([
  ['an ad break without a length', { ad: {} }],
  ['an ad break of half a second', { ad: { dur: 0.5 } }],
  ['an entry of a type that no document names', { slate: { id: 'x' } }],
])('%s in one playlist leaves every other one to be planned and written, and its own update is blocked', async (_name, odd) => {
  const live = [{ id: 'odd', desc: 'p1', playlist: [...beams(1), odd] }];
  const project = await createTestProject(config({ playlists: manyPlaylists(2) }), { seed: { playlist: live } });
  const { document } = await project.plan();
  expect(document.readStatus.playlist).toBe('complete');
  expect(document.changes.map(({ action, address, blocked }) => [action, address, blocked?.check])).toEqual([
    ['update', 'playlist/p1', 'unknown-fields'],
    ['create', 'playlist/p2', undefined],
  ]);
  expect(document.changes[0]?.blocked?.reason).toContain(`/playlist/1 = ${JSON.stringify(odd)}`);
  expect((await project.run('apply', '--yes', '--skip-blocked')).code).toBe(4);
  expect(project.writes()).toEqual(['POST /api/v4/linear-playlist']);
});

test.each<[string, JsonObject, string]>([
  ['a number for a dictionary', { fairplay: 5 }, '/fairplay = 5'],
  ['a text for a number', { playready: { hd: { security_level: 'high' } } }, '/playready/hd/security_level = "high"'],
  ['an object for a list', { widevine: { content_key_specs: { HD: {} } } }, '/widevine/content_key_specs = {"HD":{}}'],
])('%s in one policy leaves every other one to be planned and written, and its own update is blocked', async (_name, odd, shown) => {
  const project = await createTestProject(config({ drm_policies: { p1: {}, p2: { fairplay: { hd: { hdcp_enforcement: 1 } } } } }), {
    seed: { 'drm-policy': [{ _id: 'other', policy_name: 'p2' }] },
  });
  const configs = [
    { _id: 'odd', policy_name: 'p1', ...odd },
    { _id: 'other', policy_name: 'p2' },
  ];
  project.emulator.setFaults([{ method: 'GET', path: '/api/v3/drm/policies', body: { error: 0, configs }, times: 2 }]);
  const { document } = await project.plan();
  expect(document.readStatus['drm-policy']).toBe('complete');
  expect(document.changes.map(({ action, address, blocked }) => [action, address, blocked?.check])).toEqual([
    ['update', 'drm-policy/p2', undefined],
    ['update', 'drm-policy/p1', 'unknown-fields'],
  ]);
  expect(document.changes[1]?.blocked?.reason).toContain(shown);
  expect(await project.run('export', '--dir', 'exported')).toMatchObject({ code: 0 });
  const [, comment, ...rest] = project.read('exported/drm_policies.yaml').split('\n');
  expect(comment).toBe(`# drm-policy/~odd "p1" is left out: it holds values of another type than documented: ${shown}`);
  expect(rest.join('\n')).toBe('drm_policies:\n  p2: {}\n');
});

test('a policy with a value of another type is not deleted as sole owner, and the others are', async () => {
  const project = await createTestProject(config({ drm_policies: { keep: {} } }), { target: 'ownership: exclusive' });
  const configs = ['keep', 'odd', 'extra'].map((name) => ({ _id: name, policy_name: name, fairplay: name === 'odd' ? [] : {} }));
  project.emulator.setFaults([{ method: 'GET', path: '/api/v3/drm/policies', body: { error: 0, configs } }]);
  const { document } = await project.plan();
  expect(document.changes.map(({ action, address }) => [action, address])).toEqual([['delete', 'drm-policy/~extra']]);
  expect(document.findings.map(({ summary }) => summary).join()).toContain('another type than documented: /fairplay = []');
});

describe('text with control characters', () => {
  const odd = ['two\nlines', 'tab\tbed', 'red\u001b[31m', 'nul\u0000', 'next\u0085line'];

  test('in descriptions and names can be exported, and the plan is empty', async () => {
    const playlist = odd.flatMap((desc, n) => [
      { id: `list${n}`, desc, playlist: beams(1, 2) },
      { id: asset(n), desc, playlist: beams(n) },
    ]);
    const policies = odd.map((policy_name) => ({ policy_name, fairplay: { lease: true } }));
    const project = await exportAndPlan({ playlist, 'drm-policy': policies, 'vmp-reject-statuses': odd });
    const text = ['playlists', 'smart_starts', 'drm_policies'].map((name) => project.read(`exported/${name}.yaml`)).join('');
    expect(text).not.toMatch(/is left out|(?!\n)\p{Cc}/u);
  });

  test('in the configuration is a warning with its place, and is written as it is', async () => {
    const sections = {
      playlists: { p1: { desc: 'red\u001b[31m', playlist: beams(1, 2) } },
      smart_starts: { vod: { desc: 'nul\u0000', assets: [asset(3)] } },
      drm_policies: { 'bell\u0007': {} },
    };
    const project = await createTestProject(config(sections));
    const { code, document } = await project.plan();
    expect(code).toBe(0);
    expect(document.findings.map(({ severity, code: finding, line, hint }) => [severity, finding, line, typeof hint])).toEqual([
      ['warning', 'control-character', 4, 'string'],
      ['warning', 'control-character', 21, 'string'],
      ['warning', 'control-character', 28, 'string'],
    ]);
    expect((await project.run('apply', '--yes')).code).toBe(0);
    expect((await project.plan()).document.changes).toEqual([]);
    for (const format of ['text', 'markdown', 'html', 'github', 'gitlab', 'json'])
      expect((await project.run('plan', '--format', format)).stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

describe('playlists with one description', () => {
  const twins = ['one', 'two'].map((id, n) => ({ id, desc: 'Twin', playlist: beams(n, 2) }));
  const declared = { 'twin-1': { desc: 'Twin', playlist: beams(0, 2) }, 'twin-2': { desc: 'Twin', playlist: beams(1, 2) } };
  const adopt = { 'playlist/twin-1': 'one', 'playlist/twin-2': 'two' };

  test('are all exported with their IDs, and the plan is empty', async () => {
    const project = await exportAndPlan({ playlist: twins });
    expect(project.read('exported/adopt.yaml')).toMatch(
      /playlist\/Twin-[0-9a-f]{8}: (one|two)\n {2}playlist\/Twin-[0-9a-f]{8}: (?!\1)(one|two)\n/,
    );
  });

  test('are updated each by its ID', async () => {
    const changed = { ...declared, 'twin-2': { desc: 'Twin', repeat: 1, playlist: beams(1, 2) } };
    const project = await createTestProject(config({ playlists: changed, adopt }), { seed: { playlist: twins } });
    expect((await project.run('apply', '--yes')).code).toBe(0);
    expect(project.writes()).toEqual(['PATCH /api/v4/linear-playlist/two']);
    expect((await project.plan()).document.changes).toEqual([]);
  });

  test.each([[{}], [{ 'playlist/twin-1': 'one' }]])('are refused where `adopt` does not name each of them: %j', async (some) => {
    const project = await createTestProject(config({ playlists: declared, adopt: some }), { seed: { playlist: twins } });
    const { code, document } = await project.refused('plan');
    expect([code, document.findings.map((finding) => [finding.code, finding.address])]).toEqual([
      8,
      [['duplicate-desc', 'playlist/twin-2']],
    ]);
  });

  test('are not created where both live ones are gone, since nothing could tell them apart', async () => {
    const project = await createTestProject(config({ playlists: declared, adopt }));
    const { document } = await project.plan();
    expect(document.changes.map(({ action, blocked }) => [action, blocked?.check])).toEqual([
      ['create', 'identity'],
      ['create', 'identity'],
    ]);
    expect(document.changes[0]?.blocked?.reason).toBe('playlist/twin-1, playlist/twin-2 would be created with the same name Twin');
  });
});

describe('a playlist of one asset beside the smart start of that asset', () => {
  const pair = [
    { id: asset(1), desc: '', playlist: beams(1) },
    { id: 'loop', desc: 'Loop', repeat: -1, playlist: beams(1) },
  ];
  const declared = { playlists: { loop: { desc: 'Loop', repeat: -1, playlist: beams(1) } }, smart_starts: { vod: { assets: [asset(1)] } } };

  test('is exported with its ID, and the plan is empty', async () => {
    const project = await exportAndPlan({ playlist: [...pair, { id: 'again', desc: 'Again', playlist: beams(1) }] });
    expect(project.read('exported/adopt.yaml')).toContain('playlist/Loop: loop');
    expect(project.read('exported/adopt.yaml')).toContain('playlist/Again: again');
  });

  test('is refused without `adopt`, and where `adopt` names the smart start', async () => {
    for (const adopt of [{}, { 'playlist/loop': asset(1) }]) {
      const project = await createTestProject(config({ ...declared, adopt }), { seed: { playlist: pair } });
      const { document } = await project.refused('plan');
      expect(document.findings.map(({ code }) => code)).toEqual(['asset-claimed-twice']);
    }
  });

  test.each([
    ['the playlist is gone', [pair[0]]],
    ['both are gone', []],
  ])('is not created where %s, because the create would make the smart start', async (_name, live) => {
    const adopt = { 'playlist/loop': 'loop' };
    const project = await createTestProject(config({ ...declared, adopt }), { seed: { playlist: live.flatMap((each) => each ?? []) } });
    const { document } = await project.plan();
    expect(document.changes.map(({ action, blocked }) => [action, blocked?.check])).toEqual([
      ['create', 'identity'],
      ['create', 'identity'],
    ]);
    expect((await project.run('apply', '--yes')).code).toBe(4);
    expect(project.writes()).toEqual([]);
  });
});

test('a policy for content without UHD can be exported and managed where `rules` lower `tracks-not-covered`', async () => {
  const tracks = ['SD', 'HD', 'AUDIO'].map((track_type) => ({ track_type, required_output_protection: { hdcp: 'HDCP_V2' } }));
  const seed = { 'drm-policy': [{ policy_name: 'sd', widevine: { content_key_specs: tracks } }] };
  const project = await exportAndPlan(seed, 'rules: { tracks-not-covered: warning }');
  expect(project.read('exported/drm_policies.yaml')).toContain('track_type: AUDIO');
});

test('the update of a policy whose list hides `license_begin_seconds` says what it will become', async () => {
  const project = await createTestProject(config({ drm_policies: { hd: { playready: { can_persist: true } } } }), {
    seed: { 'drm-policy': [{ _id: 'one', policy_name: 'hd' }] },
    target: 'weakening: allow',
  });
  const playready = { can_play: true };
  const list = { method: 'GET', path: '/api/v3/drm/policies' } as const;
  project.emulator.setFaults([{ ...list, body: { error: 0, configs: [{ _id: 'one', policy_name: 'hd', playready }] } }]);
  const codes = async () => (await project.plan()).document.findings.map(({ code, summary }) => `${code}: ${summary}`);
  expect(await codes()).toEqual([
    'hidden-license-begin: the service does not show `license_begin_seconds`, and whatever it is now, an update makes it 3600: drm-policy/hd',
  ]);
  project.emulator.setFaults([
    { ...list, body: { error: 0, configs: [{ _id: 'one', policy_name: 'hd', playready: { ...playready, license_begin_seconds: 3600 } }] } },
  ]);
  expect(await codes()).toEqual([]);
});

test.each([
  ['reads only', undefined],
  ['reads and answers to writes', { method: 'POST', path: '/api/v3/drm/policies/create-or-update' }],
])('`license_begin_seconds` that %s do not show is written without a false error', async (_name, post) => {
  const playready = { license_begin_seconds: 600 };
  const project = await createTestProject(config({ drm_policies: { hd: { playready } } }), {
    seed: { 'drm-policy': [{ _id: 'one', policy_name: 'hd' }] },
    target: 'weakening: allow',
  });
  const body = { error: 0, configs: [{ _id: 'one', policy_name: 'hd', playready: { can_play: true } }] };
  const read = { method: 'GET', path: '/api/v3/drm/*', body };
  project.emulator.setFaults(post ? [read, { ...post, body, afterWrite: true }] : [read]);
  const { code, document } = await project.apply('--yes');
  expect([code, document.verified, document.summary.updated]).toEqual([0, true, 1]);
  expect(project.live('drm-policy')).toMatchObject([{ playready }]);
});
