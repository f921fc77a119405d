/** Fields that are left to others (design section 3), in whole command lines, for each way in which a kind is written. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { AccountEdit } from '../../src/emulator/edits.ts';
import { asOutcome, fingerprintOf } from '../support/documents.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { asset, beams, config, declare, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

const ID = '1'.repeat(32);
const SAVE = '/api/v3/drm/policies/create-or-update';

/** An entry of `ignore_changes`. */
function ignoring(address: string, ...fields: readonly string[]) {
  return { ignore_changes: [{ address, fields, until: '9999-12-31', why: 'editors switch channels' }] };
}

/** Method, path and body of the writes. */
function sent(project: TestProject): readonly unknown[] {
  const writes = project.emulator.requests().filter(({ method }) => method !== 'GET');
  return writes.map(({ method, path, body }) => [`${method} ${path}`, body]);
}

/** Applies at a terminal; before the user confirms, the account is edited by hand. The name of the target confirms what weakens. */
async function applyAfterEdits(project: TestProject, edits: readonly AccountEdit[], confirmation = 'live') {
  async function* answer(): AsyncIterable<string> {
    for (const edit of edits) project.emulator.edit(edit);
    yield `${confirmation}\n`;
  }
  const { code } = await project.runWith({ terminal: true, stdin: answer() }, 'apply', '--out', 'json=outcome.json');
  return { code, outcome: asOutcome(JSON.parse(project.read('outcome.json'))) };
}

describe('an ignored field of a playlist', () => {
  const playlists = manyPlaylists(1, { active: 1, repeat: 3 });

  test('is left out of the PATCH, stays as it is, and the plan afterwards is empty', async () => {
    const seed = { playlist: manyLive(1, { active: 0, repeat: 1 }) };
    const project = await createTestProject(config({ playlists, ...ignoring('playlist/*', '/active') }), { seed });
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([
      {
        fields: [{ path: '/repeat' }],
        ignored: [{ path: '/active', live: 0, until: '9999-12-31', why: 'editors switch channels' }],
      },
    ]);
    expect((await project.run('plan')).stdout).toContain('/active (live value): ignored (until 9999-12-31, editors switch channels)');
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
    expect(sent(project)).toEqual([[`PATCH ${PLAYLISTS}/live1`, { repeat: 3 }]]);
    expect(project.playlists()).toMatchObject([{ active: 0, repeat: 3 }]);
    expect(await project.plan('--detailed-exitcode')).toMatchObject({
      code: 0,
      document: { changes: [], ignored: [{ address: 'playlist/p1', path: '/active', live: 0 }] },
    });
  });

  test('is named by a plan without changes, in every format for people', async () => {
    const seed = { playlist: manyLive(1, { active: 0, repeat: 3 }) };
    const project = await createTestProject(config({ playlists, ...ignoring('playlist/*', '/active') }), { seed });
    expect((await project.run('explain', 'playlist/p1')).stdout).toContain('/active (live value): ignored (until 9999-12-31');
    expect(await project.json('explain', 'playlist/p1')).toMatchObject({ ignored: [{ path: '/active', live: 0 }] });
    for (const format of ['text', 'markdown', 'html']) {
      const { stdout } = await project.run('plan', '--format', format);
      expect(stdout).toContain('Left to others');
      expect(stdout.replaceAll('`', '')).toContain('/active (live value): ignored (until 9999-12-31, editors switch channels)');
    }
  });

  test('is sent with its declared value by a create', async () => {
    const project = await createTestProject(config({ playlists, ...ignoring('playlist/*', '/active', '/playlist') }));
    expect(await project.apply('--yes')).toMatchObject({ code: 0 });
    expect(project.playlists()).toMatchObject([{ active: 1, repeat: 3, playlist: beams(1, 1001) }]);
  });

  /** Plans, switches a field of the playlist by hand, and applies the saved plan. */
  async function applySaved(field: 'active' | 'ad_slate_fill') {
    const seed = { playlist: manyLive(1, { [field]: 0, repeat: 1 }) };
    const project = await createTestProject(config({ playlists, ...ignoring('playlist/*', `/${field}`) }), { seed });
    const { document } = await project.plan('--out', 'json=plan.json');
    project.editPlaylist('live1', { [field]: 1 });
    return { project, ran: await project.run('apply', '--plan', 'plan.json', '--expect', fingerprintOf(document)) };
  }

  test('does not make a saved plan stale when others change it', async () => {
    const { project, ran } = await applySaved('ad_slate_fill');
    expect(ran).toMatchObject({ code: 0 });
    expect(project.playlists()).toMatchObject([{ ad_slate_fill: 1, repeat: 3 }]);
  });

  test('makes a saved plan stale where what is written would now do something else to viewers', async () => {
    const { project, ran } = await applySaved('active');
    expect(ran).toMatchObject({ code: 6, stderr: expect.stringContaining('the effect on playback is shown as neutral, and is gains') });
    expect(sent(project)).toEqual([]);
  });

  test('silences neither a delete nor `removed`', async () => {
    const seed = { playlist: manyLive(2, { active: 0 }) };
    const target = 'ownership: exclusive\nplayback_loss: allow';
    const project = await createTestProject(config({ playlists: manyPlaylists(1), ...ignoring('*', '/active') }), { seed, target });
    expect((await project.plan()).document.changes.map(({ action, name }) => [action, name])).toEqual([['delete', 'p2']]);
    declare(project, { playlists: manyPlaylists(1), removed: ['playlist/~live2'], ...ignoring('*', '/active') });
    expect((await project.plan()).document.changes).toEqual([]);
  });

  test('of a smart start may be its description, by which it is not recognized', async () => {
    const seed = { playlist: [{ id: asset(1), desc: 'by hand', playlist: beams(1), repeat: 1 }] };
    const sections = { smart_starts: { vod: { assets: [asset(1)], repeat: 2 } }, ...ignoring('smart-start/*', '/desc') };
    const project = await createTestProject(config(sections), { seed });
    expect(await project.apply('--yes')).toMatchObject({ code: 0 });
    expect(sent(project)).toEqual([[`PATCH ${PLAYLISTS}/${asset(1)}`, { repeat: 2 }]]);
    expect(project.playlists()).toMatchObject([{ desc: 'by hand', repeat: 2 }]);
  });
});

describe('an ignored field of a policy', () => {
  const declared = {
    fairplay: { persistence: true, rental: true },
    playready: { license_duration_seconds: 50_000, hd: { security_level: 3000 } },
  };
  const live = {
    _id: ID,
    policy_name: 'premium',
    fairplay: { persistence: true },
    playready: { license_duration_seconds: 60, hd: { security_level: 3000 } },
    widevine: { policy_overrides: { can_play: true, can_renew: true } },
  };
  const policyProject = (ignored: readonly string[], policy: JsonObject = declared, document: JsonObject = live) =>
    createTestProject(config({ drm_policies: { premium: policy }, ...ignoring('drm-policy/*', ...ignored) }), {
      seed: { 'drm-policy': [document] },
      target: 'weakening: allow',
    });
  const edit = (merge: JsonObject): AccountEdit => ({ emulation: 'drm-policy', collection: 'policies', id: ID, merge });

  test('is sent with its live value, in the form of a declaration, and its request shows a placeholder', async () => {
    const project = await policyProject(['/playready/license_duration_seconds', '/widevine/policy_overrides/can_renew']);
    const { document } = await project.plan();
    expect(document.changes[0]?.fields.map(({ path }) => path)).toEqual(['/fairplay/rental']);
    expect(document.requests).toMatchObject([
      {
        path: SAVE,
        body: {
          fairplay: { persistence: true, rental: true },
          playready: { license_duration_seconds: '(live value)', hd: { security_level: 3000 } },
          widevine: { policy_overrides: { can_play: true, can_renew: '(live value)' } },
        },
      },
    ]);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
    expect(sent(project)).toEqual([
      [
        `POST ${SAVE}`,
        {
          _id: ID,
          policy_name: 'premium',
          fairplay: { persistence: true, rental: true },
          playready: { license_duration_seconds: 60, hd: { security_level: 3000 } },
          widevine: { policy_overrides: { can_play: true, can_renew: true } },
        },
      ],
    ]);
    expect((await project.plan()).document.changes).toEqual([]);
  });

  test('is sent with the value of a read immediately before the write, which does not make the change stale', async () => {
    const project = await policyProject(['/playready/license_duration_seconds', '/widevine']);
    const edits = [edit({ playready: { license_duration_seconds: 70, hd: { security_level: 3000 } }, widevine: {} })];
    expect(await applyAfterEdits(project, edits)).toMatchObject({ code: 0, outcome: { verified: true } });
    expect(sent(project)).toMatchObject([[`POST ${SAVE}`, { playready: { license_duration_seconds: 70 } }]]);
  });

  test('does not keep an edit of another field from making the change stale, even right after the plan', async () => {
    const project = await policyProject(['/playready/license_duration_seconds', '/widevine']);
    const { code, outcome } = await applyAfterEdits(project, [edit({ fairplay: { persistence: false } })]);
    expect([code, outcome.outcomes[0]?.error]).toEqual([5, 'stale: it changed since the plan was made; plan again']);
    expect(sent(project)).toEqual([]);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['the whole list', ['/widevine/content_key_specs'], ['HD 1', 'SD 1']],
    ['one element', ['/widevine/content_key_specs/HD'], ['SD 2', 'HD 1']],
    ['one setting of an element', ['/widevine/content_key_specs/SD/security_level'], ['SD 1', 'HD 2']],
  ])('may be in content key specs: %s', async (_what, ignored, expected) => {
    const specs = (level: number) => ['SD', 'HD', 'UHD1', 'UHD2', 'AUDIO'].map((track_type) => ({ track_type, security_level: level }));
    const document = { ...live, fairplay: {}, playready: {}, widevine: { content_key_specs: specs(1).toReversed() } };
    const project = await policyProject(
      ignored,
      { fairplay: { rental: true, persistence: true }, widevine: { content_key_specs: specs(2) } },
      document,
    );
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
    const [stored] = [project.live('drm-policy')].flat();
    const shown = JSON.stringify(stored);
    for (const each of expected) {
      const [track, level] = each.split(' ');
      expect(shown).toMatch(
        new RegExp(`"track_type":"${track}","security_level":${level}|"security_level":${level},"track_type":"${track}"`),
      );
    }
    expect((await project.plan()).document.changes).toEqual([]);
  });

  test('blocks the update where the whole could not be declared', async () => {
    // A lease duration needs persistence: one is declared, the other is left to others.
    const document = { ...live, fairplay: { persistence: false }, playready: {}, widevine: {} };
    const policy = { fairplay: { persistence: true, lease: true, lease_duration_seconds: 600 } };
    const project = await policyProject(['/fairplay/persistence'], policy, document);
    const { document: plan } = await project.plan();
    expect(plan.changes[0]?.blocked).toMatchObject({ check: 'ignored-value', reason: expect.stringContaining('could not be declared') });
    expect(plan.requests).toEqual([]);
    expect(await project.refused('apply', '--yes', '--allow', 'weakening')).toMatchObject({ code: 4 });
    expect(sent(project)).toEqual([]);
  });

  test('blocks the update where it became undeclarable after the plan', async () => {
    const policy = { fairplay: { persistence: true, lease: true, lease_duration_seconds: 600 } };
    const document = { ...live, fairplay: { persistence: true }, playready: {}, widevine: {} };
    const project = await policyProject(['/fairplay/persistence'], policy, document);
    const { code, outcome } = await applyAfterEdits(project, [edit({ fairplay: { persistence: false } })]);
    expect([code, outcome.outcomes[0]?.error]).toEqual([5, expect.stringMatching(/^stale: with the ignored fields as they are now, it /)]);
    expect(sent(project)).toEqual([]);
  });
});

describe('an ignored field of a setting', () => {
  test('is the whole of the VMP statuses: nothing of them is written', async () => {
    const seed = { 'vmp-reject-statuses': ['PLATFORM_TAMPERED'] };
    const sections = { vmp_reject_statuses: ['PLATFORM_UNVERIFIED'], ...ignoring('vmp-reject-statuses', '/vmp_reject_statuses') };
    const project = await createTestProject(config(sections), { seed });
    expect(await project.plan()).toMatchObject({ document: { changes: [], summary: { unchanged: 1 } } });
  });

  test.each<[string, JsonObject, JsonObject, string, readonly unknown[] | 'blocked']>([
    [
      'slicers, where the scope becomes specific',
      { use_static_encryption_key: true, static_key_slicer_ids: ['live'] },
      { scope: 'specific', slicer_ids: ['declared'] },
      '/slicer_ids',
      [['POST /api/v3/drm/use-static-encryption-key/update', { use_static_encryption_key: false }]],
    ],
    [
      'the scope, where the slicers change',
      { static_key_slicer_ids: ['live'] },
      { scope: 'specific', slicer_ids: ['declared'] },
      '/scope',
      [['POST /api/v3/drm/static-key-slicer-ids/update', { static_key_slicer_ids: ['declared'] }]],
    ],
    ['slicers, where the scope would need none', { static_key_slicer_ids: ['live'] }, { scope: 'none' }, '/slicer_ids', 'blocked'],
    ['slicers, where the scope would need some', {}, { scope: 'specific', slicer_ids: ['declared'] }, '/slicer_ids', 'blocked'],
    ['the scope, where only another one has slicers', {}, { scope: 'specific', slicer_ids: ['declared'] }, '/scope', 'blocked'],
  ])('of the static key: %s', async (_what, live, desired, path, expected) => {
    const sections = { static_key: desired, ...ignoring('static-key', path) };
    const project = await createTestProject(config(sections), { seed: { 'static-key': live }, target: 'weakening: allow' });
    const { document } = await project.plan();
    if (expected === 'blocked') {
      expect(document.changes[0]?.blocked).toMatchObject({ check: 'ignored-value' });
      return;
    }
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
    expect(sent(project)).toEqual(expected);
    expect((await project.plan()).document.changes).toEqual([]);
  });

  test('of the rotation schedule is sent with its live value', async () => {
    const live = { enabled: true, frequency: 1, unit: 'd', hour: 5 };
    const desired = { enabled: true, frequency: 2, unit: 'd', hour: 20 };
    const sections = { key_rotation_schedule: desired, ...ignoring('key-rotation-schedule', '/hour') };
    const project = await createTestProject(config(sections), { seed: { 'key-rotation-schedule': live }, target: 'weakening: allow' });
    const { document } = await project.plan();
    expect(document.changes[0]).toMatchObject({ fields: [{ path: '/frequency' }], ignored: [{ path: '/hour', live: 5 }] });
    expect(document.requests[0]?.body).toEqual({ ...desired, hour: '(live value)' });
    const hourBefore: AccountEdit = { emulation: 'key-rotation-schedule', collection: 'schedule', id: 'current', merge: { hour: 6 } };
    expect(await applyAfterEdits(project, [hourBefore])).toMatchObject({ code: 0, outcome: { verified: true } });
    expect(sent(project)).toMatchObject([[expect.stringContaining('create-or-update'), { ...desired, hour: 6 }]]);
    expect((await project.plan()).document.changes).toEqual([]);
  });
});

describe('an entry of `ignore_changes` whose last day is over', () => {
  const entry = (until: string) => ({ ignore_changes: [{ address: 'playlist/*', fields: ['/repeat'], until }] });
  const expiredProject = () =>
    createTestProject(config({ playlists: manyPlaylists(1, { repeat: 3 }), ...entry('2020-02-29') }), { seed: { playlist: manyLive(1) } });

  test('lets the plan show the change of the field, and blocks it', async () => {
    const project = await expiredProject();
    const { document } = await project.plan();
    expect(document.changes[0]).toMatchObject({
      fields: [{ path: '/repeat' }],
      blocked: {
        check: 'ignore-expired',
        reason: expect.stringMatching(
          /^`ignore_changes` left \/repeat until 2020-02-29 \(config\/account.yaml:\d+\) to others, which is over$/,
        ),
      },
    });
    expect((await project.drift()).code).toBe(3);
    expect(await project.refused('apply', '--yes')).toMatchObject({ code: 4 });
    expect(sent(project)).toEqual([]);
  });

  test('is decided by `drift accept`, too, which declares the live value', async () => {
    const project = await expiredProject();
    expect(await project.run('drift', 'accept', 'playlist/p1')).toMatchObject({ code: 0 });
    expect((await project.plan()).document.changes).toEqual([]);
    expect((await project.drift()).code).toBe(0);
  });

  test('is overridden by --allow ignore-expired, or renewed', async () => {
    const project = await expiredProject();
    expect(await project.apply('--yes', '--allow', 'ignore-expired')).toMatchObject({
      code: 0,
      document: { overrides: [{ check: 'ignore-expired', count: 1 }] },
    });
    expect(project.playlists()).toMatchObject([{ repeat: 3 }]);
    project.editPlaylist('live1', { repeat: 4 });
    declare(project, { playlists: manyPlaylists(1, { repeat: 3 }), ...entry('9999-12-31') });
    expect((await project.plan()).document.changes).toEqual([]);
  });
});

describe('drift of an ignored field', () => {
  const playlists = manyPlaylists(2, { active: 1, repeat: 3 });
  const driftProject = (target = '') =>
    createTestProject(config({ playlists, ...ignoring('playlist/*', '/active', '/repeat') }), {
      seed: { playlist: manyLive(2, { active: 1, repeat: 3 }) },
      target,
    });

  test('is none where the edit weakens nothing and stops nothing', async () => {
    const project = await driftProject();
    project.editPlaylist('live1', { repeat: 7 });
    expect(await project.drift()).toMatchObject({ code: 0, document: { changes: [], ignored: [{ path: '/repeat', live: 7 }] } });
  });

  test('is reported where the edit stops playback, without other ignored fields, and no plan rolls it back', async () => {
    const project = await driftProject();
    project.editPlaylist('live1', { repeat: 7, active: 0 });
    const { code, document } = await project.drift();
    expect(code).toBe(3);
    expect(document.changes).toMatchObject([
      {
        address: 'playlist/p1',
        playback: 'stops',
        fields: [{ path: '/active', before: 1, after: 0 }],
        ignored: [{ path: '/repeat', live: 7 }],
      },
    ]);
    expect((await project.plan()).document.changes).toEqual([]);
  });

  test('is none where the target allows risky edits of the address', async () => {
    const project = await driftProject('ignore_changes: { risky_edits: [playlist/p1] }');
    project.editPlaylist('live1', { active: 0 });
    expect((await project.drift()).code).toBe(0);
    project.editPlaylist('live2', { active: 0 });
    expect((await project.drift()).document.changes.map(({ address }) => address)).toEqual(['playlist/p2']);
  });

  test('is reported where the edit of a policy weakens protection', async () => {
    const policy = (level: number) => ({ playready: { hd: { security_level: level } }, fairplay: { rental: true, persistence: true } });
    const project = await createTestProject(
      config({ drm_policies: { premium: policy(3000) }, ...ignoring('drm-policy/*', '/playready', '/fairplay/rental') }),
      { seed: { 'drm-policy': [{ _id: ID, policy_name: 'premium', ...policy(150), fairplay: { persistence: true } }] } },
    );
    const { code, document } = await project.drift();
    expect(code).toBe(3);
    expect(document.changes).toMatchObject([
      { effect: 'weakens', fields: [{ path: '/playready/hd/security_level', before: 3000, after: 150 }] },
    ]);
  });

  test('that is reported can be accepted: the live value is declared', async () => {
    const project = await driftProject('weakening: allow');
    project.editPlaylist('live1', { repeat: 7, active: 0 });
    expect(await project.run('drift', 'accept', 'playlist/p1')).toMatchObject({ code: 0 });
    expect(JSON.parse(JSON.stringify(await project.json('explain', 'playlist/p1')))).toMatchObject({
      values: expect.arrayContaining([
        expect.objectContaining({ path: '/active', value: 0 }),
        expect.objectContaining({ path: '/repeat', value: 3 }),
      ]),
    });
    expect((await project.drift()).code).toBe(0);
  });

  test('that is not reported is not accepted', async () => {
    const project = await driftProject();
    project.editPlaylist('live1', { repeat: 7 });
    const before = project.read('config/account.yaml');
    expect(await project.run('drift', 'accept', 'playlist/p1')).toMatchObject({ code: 0 });
    expect(project.read('config/account.yaml')).toBe(before);
  });
});

test('a guard sees the ignored fields of a change', async () => {
  const rules = 'guards:\n  - { id: no-ignoring, deny: \'"/active" in change.ignored\', message: Ask the rights team. }';
  const project = await createTestProject(config({ playlists: manyPlaylists(2, { repeat: 3 }), ...ignoring('playlist/p1', '/active') }), {
    seed: { playlist: manyLive(2) },
    rules,
  });
  const { document } = await project.plan();
  expect(document.changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([
    ['playlist/p1', 'guard'],
    ['playlist/p2', undefined],
  ]);
});

test('an export has the live values of ignored fields, and with the same entries a plan from it is empty', async () => {
  const project = await createTestProject(config({ playlists: manyPlaylists(1), ...ignoring('playlist/*', '/active') }), {
    seed: { playlist: manyLive(1, { active: 0 }) },
  });
  expect(await project.run('export', '--dir', 'exported')).toMatchObject({ code: 0 });
  const text = project.read('exported/playlists.yaml');
  expect(text).toContain('active: 0');
  expect(text).not.toContain('ignore_changes');
  project.write('config/account.yaml', `${text}ignore_changes: [{ address: playlist/*, fields: [/active] }]\n`);
  expect((await project.plan()).document).toMatchObject({ changes: [], findings: [] });
});
