/** What a plan does to playback by viewers: in every report, in guards and safety checks, and in the order of an apply (design section 11). */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { liftOf } from '../support/lifts.ts';
import { beams, config, declare, manyLive, manyPlaylists, numbered } from './accounts.ts';

const WIDEVINE: JsonObject = { content_key_specs: [{ track_type: 'ALL' }] };
const POLICIES = Object.fromEntries(numbered(12).map((n) => [`policy-${n}`, { widevine: WIDEVINE }]));
const LIVE_POLICIES = numbered(12).map((n): JsonObject => ({ _id: `d${n}`, policy_name: `policy-${n}`, widevine: WIDEVINE }));

/** The first `off` of 40 playlists, switched off. */
function withoutFirst(off: number): { readonly [key: string]: Json } {
  return { ...manyPlaylists(40), ...manyPlaylists(off, { active: 0 }) };
}

/** An account of 40 playlists on air and 12 policies; the repository switches the first `off` off, and rejects these VMP statuses. */
function accountOnAir(off: number, rejected: readonly string[], options: { readonly target?: string; readonly rules?: string } = {}) {
  const sections = {
    playlists: withoutFirst(off),
    drm_policies: POLICIES,
    vmp_reject_statuses: ['PLATFORM_SECURE_STORAGE_SOFTWARE_VERIFIED', ...rejected],
  };
  const seed = {
    playlist: manyLive(40),
    'drm-policy': LIVE_POLICIES,
    'vmp-reject-statuses': ['PLATFORM_SECURE_STORAGE_SOFTWARE_VERIFIED'],
  };
  return createTestProject(config(sections), { seed, ...options });
}

const outage = (target = '', rules = '') => accountOnAir(37, ['PLATFORM_HARDWARE_VERIFIED'], { target, rules });
const MANY_UPDATES = 'limits: { update: { percent: 100 } }';

const DEVICES = 'desktop browser (hardware Widevine) plays nothing any more under 12 policies and the default policy';
const WOULD_PLAY = DEVICES.replace('plays', 'would play');
const RISKS = `38 changes stop playback: 37 playlists go off air; ${DEVICES}.`;
const SOME = 'p1, p10, p11, p12 and 33 more';
const OFF_AIR = `37 of 40 active playlists go off air, over the limit of 5: ${SOME}`;
const UPDATES = `37 of 40 live playlist objects updated, over the limit of 50 %: ${SOME}`;

/** Names of playlists as Markdown shows them. */
function inCode(text: string): string {
  return text.replaceAll(/p\d+/g, '`$&`');
}

/** The words of a report, whatever lines they are broken over. */
function plain(report: string): string {
  return report.replaceAll(/\s+/g, ' ');
}

async function blockedAddresses(project: TestProject, ...flags: readonly string[]): Promise<readonly string[]> {
  const { document } = await project.plan(...flags);
  return document.changes.flatMap(({ address, blocked }) => (blocked?.check === 'playback-loss' ? [address] : []));
}

describe('an outage: 37 of 40 playlists switched off, and one more VMP status rejected', () => {
  test('is said in the risks of the plan, in words and in JSON', async () => {
    const project = await outage();
    expect(plain((await project.run('plan')).stdout)).toMatch(
      new RegExp(
        `^Blocked: 38 changes would stop playback\\. - ${OFF_AIR} - ${UPDATES} - ${WOULD_PLAY.replace(/[()]/g, '\\$&')} While anything is blocked`,
      ),
    );
    expect((await project.run('plan', '--format', 'markdown')).stdout).toContain(
      `> **Blocked: 38 changes would stop playback.**\n>\n> - ${inCode(OFF_AIR)}\n> - ${inCode(UPDATES)}\n> - ${WOULD_PLAY}\n>\n`,
    );
    const page = (await project.run('plan', '--format', 'html')).stdout;
    expect(page).toContain(
      `<p class="headline">Blocked: 38 changes would stop playback</p>\n<div class="effects">\n<ul>\n<li>${OFF_AIR}</li>\n<li>${UPDATES}</li>\n<li>${WOULD_PLAY}</li>\n</ul>`,
    );
    expect((await project.plan()).document.risks).toBe(RISKS);
    expect((await project.run('plan', '--format', 'sarif')).stdout).toContain(`live: ${RISKS}`);
    expect((await project.run('plan', '--format', 'github')).stdout.split('\n')[0]).toBe(`::notice title=upkeep%3A risks::live: ${RISKS}`);
  });

  test('stands at each change, beside its effect on protection, the worse first', async () => {
    const project = await outage();
    const { document } = await project.plan();
    const about = Object.fromEntries(document.changes.map(({ address, effect, playback }) => [address, `${effect} ${playback}`]));
    expect(about['vmp-reject-statuses']).toBe('strengthens stops');
    expect(about['playlist/p1']).toBe('neutral stops');
    const text = plain((await project.run('plan')).stdout);
    expect(text).toContain('~ vmp-reject-statuses stops playback, strengthens protection');
    expect(text).toContain(
      'viewers lose playback: desktop browser (hardware Widevine) plays nothing any more under 12 policies and the default policy',
    );
    expect(text).toContain('stops playback: devices with VMP status PLATFORM_HARDWARE_VERIFIED get no licenses');
    expect(text).toContain('stop playback: they go off air');
    const markdown = (await project.run('plan', '--format', 'markdown')).stdout;
    expect(markdown).toContain('| `vmp-reject-statuses` | stops playback<br>strengthens protection');
    const sarif = (await project.run('plan', '--format', 'sarif')).stdout;
    expect(sarif).toContain('live: playlist/p1, which stops playback, is blocked by safety check');
    expect((await project.run('plan', '--format', 'junit')).stdout).toContain('"stops playback, strengthens protection; blocked by');
    const gauges = (await project.run('plan', '--format', 'prometheus')).stdout;
    expect(gauges).toContain('upkeep_playback{command="plan",target="live",playback="stops"} 38\n');
    const explained = plain((await project.run('explain', 'playlist/p1')).stdout);
    expect(explained).toContain('stops playback: it goes off air');
  });

  test('is blocked, and nothing is written', async () => {
    const project = await outage(MANY_UPDATES);
    const { code, document } = await project.plan('--detailed-exitcode');
    expect(code).toBe(4);
    expect(document.summary.blocked).toBe(38);
    expect(await blockedAddresses(project)).toHaveLength(38);
    const blocked = Object.fromEntries(document.changes.map((change) => [change.address, change.blocked]));
    expect(blocked['playlist/p1']).toMatchObject({
      check: 'playback-loss',
      reason: 'viewers lose playback: 37 of 40 active playlists go off air, over the limit of 5',
      lift: { allow: 'playback-loss' },
    });
    expect(blocked['vmp-reject-statuses']?.reason).toBe(
      'viewers lose playback: desktop browser (hardware Widevine) plays nothing any more under 12 policies and the default policy',
    );
    expect((await project.run('apply', '--yes')).code).toBe(4);
    expect(project.writes()).toEqual([]);
  });

  test('is blocked by `playback-loss` before any other check that a flag overrides', async () => {
    const { changes } = (await (await outage()).plan()).document;
    expect(new Set(changes.map(({ blocked }) => blocked?.check))).toEqual(new Set(['playback-loss']));
    expect(liftOf(changes.find(({ address }) => address === 'playlist/p1')?.blocked)).toBe('--allow playback-loss; --allow updates');
  });

  test('is applied with --allow playback-loss', async () => {
    const project = await outage(MANY_UPDATES);
    expect(await project.apply('--yes', '--allow', 'playback-loss')).toMatchObject({ code: 0, document: { verified: true } });
    expect((await project.plan()).document).toMatchObject({ risks: 'No change: the account matches the repository.', changes: [] });
  });

  test('is seen by guards as `change.playback` and `change.playbackReasons`', async () => {
    const guard =
      'guards: [{ id: on-air, deny: \'change.playback == "stops" && "it goes off air" in change.playbackReasons\', message: Keep it on air. }]';
    const { document } = await (await outage(`${MANY_UPDATES}\nplayback_loss: allow`, guard)).plan();
    const denied = document.changes.filter(({ blocked }) => blocked?.check === 'guard').map(({ kind }) => kind);
    expect([denied.length, ...new Set(denied)]).toEqual([37, 'playlist']);
  });

  test('is named in the report of the drift, where somebody made it by hand', async () => {
    const project = await createTestProject(config({ playlists: manyPlaylists(10) }), { seed: { playlist: manyLive(10, { active: 0 }) } });
    const { document } = await project.drift();
    expect(document.risks).toBe('10 changes stop playback: 10 playlists go off air.');
    expect((await project.run('drift')).stdout).toContain('Drift: 10 differences stop playback.\n  - 10 playlists go off air: ');
    expect(document.findings).toEqual([]);
    expect((await project.run('drift', '--format', 'junit')).stdout).toContain('which stops playback');
  });
});

describe('the safety check `playback-loss`', () => {
  test.each([
    ['by number', 6, 'limits: { off_air: { percent: 100 } }', true],
    ['not up to the number', 5, 'limits: { off_air: { percent: 100 } }', false],
    ['by percentage', 5, '', true],
    ['not up to the percentage', 4, '', false],
    ['all of them, whatever the limits are', 40, 'limits: { update: { percent: 100 }, off_air: { count: 1000, percent: 100 } }', true],
    ['not where the target allows it', 6, 'playback_loss: allow', false],
    ['all of it, also within the limits, where it is strict', 1, 'playback_loss: strict', true],
  ])('blocks what goes off air %s', async (_how, off, target, isBlocked) => {
    const project = await accountOnAir(off, [], { target });
    expect(await blockedAddresses(project)).toHaveLength(isBlocked ? off : 0);
  });

  test('counts deletes and replacements of playlists on air, and not what is off air already', async () => {
    const seed = { playlist: [...manyLive(12), { id: 'off', desc: 'off', active: 0, playlist: beams(900, 901) }] };
    const target = 'ownership: exclusive\nlimits: { delete: { count: 9, percent: 100 } }';
    const project = await createTestProject(config({ playlists: manyPlaylists(11) }), { seed, target });
    expect(await blockedAddresses(project)).toEqual([]);
    declare(project, { playlists: manyPlaylists(10) });
    expect(await blockedAddresses(project)).toEqual(['playlist/~live11', 'playlist/~live12']);
  });

  test.each(['block', 'strict'])(
    'does not block hardening against devices that are not expected to play where it is `%s`',
    async (mode) => {
      const project = await accountOnAir(0, ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'], { target: `playback_loss: ${mode}` });
      const { document } = await project.plan();
      expect(document.changes).toMatchObject([{ address: 'vmp-reject-statuses', playback: 'stops', effect: 'strengthens', blocked: null }]);
    },
  );

  test.each([
    ['switched off', 'null', []],
    ['not expected to play', '{ expected: false }', []],
    ['expected to play', '{ expected: true }', ['vmp-reject-statuses']],
  ])('leaves out a class of devices that is not there: %s', async (_how, edit, expected) => {
    const rules = `devices: { desktop-browser-hardware: ${edit} }`;
    const project = await accountOnAir(0, ['PLATFORM_HARDWARE_VERIFIED'], { rules });
    expect(await blockedAddresses(project)).toEqual(expected);
  });

  test('blocks what reduces playback, or may affect it, only where the target is strict', async () => {
    const seed = {
      playlist: [{ id: 'a', desc: 'loop', repeat: -1, playlist: beams(1, 2) }],
      'drm-policy': [{ _id: '1', policy_name: 'gone' }],
    };
    const sections = { playlists: { loop: { playlist: beams(1, 2) } }, drm_policies: {} };
    const plan = async (target: string) => {
      const exclusive = `ownership: exclusive\n${target}`;
      return (await (await createTestProject(config(sections), { seed, target: exclusive })).plan('--allow', 'deletes')).document;
    };
    expect((await plan('')).changes.map(({ playback, blocked }) => [playback, blocked])).toEqual([
      ['reduces', null],
      ['unknown', null],
    ]);
    expect((await plan('playback_loss: strict')).changes.map(({ blocked }) => blocked?.reason)).toEqual([
      'it reduces playback: it repeats 0 times instead of for ever',
      'it may affect playback: it is deleted: playback URLs may name this policy, and upkeep does not see them',
    ]);
  });

  test('lets `protect` block what stops a protected address, whatever --allow contains', async () => {
    const project = await accountOnAir(1, [], { target: 'protect: [playlist/p1]\nplayback_loss: allow' });
    const { document } = await project.plan('--allow', 'playback-loss');
    expect(document.changes).toMatchObject([
      { address: 'playlist/p1', blocked: { check: 'protect', reason: expect.stringContaining('changed so that playback stops') } },
    ]);
  });
});

describe('the order of an apply', () => {
  test('puts what stops playback last in its phase, after other kinds too', async () => {
    const seed = { playlist: manyLive(3), 'vmp-reject-statuses': [] };
    const sections = { vmp_reject_statuses: ['PLATFORM_TAMPERED'], playlists: { ...manyPlaylists(3, { studio_drm_required: 1 }) } };
    const project = await createTestProject(config(sections), { seed, target: MANY_UPDATES });
    const { document } = await project.plan();
    expect(document.changes.map(({ phase, wave, address }) => `${phase}.${wave} ${address}`)).toEqual([
      'strengthen.0 playlist/p1',
      'strengthen.0 playlist/p2',
      'strengthen.0 playlist/p3',
      'strengthen.1 vmp-reject-statuses',
    ]);
    await project.apply('--yes');
    expect(project.writes().at(-1)).toContain('/vmp');
  });

  test('still skips what weakens where what stops playback is blocked', async () => {
    const seed = { playlist: manyLive(2), 'vmp-reject-statuses': [] };
    const sections = {
      vmp_reject_statuses: ['PLATFORM_HARDWARE_VERIFIED'],
      playlists: { ...manyPlaylists(2), ...manyPlaylists(1, { skip_drm: 1 }) },
    };
    const project = await createTestProject(config(sections), { seed, target: 'weakening: allow' });
    const { document } = await project.apply('--yes', '--skip-blocked');
    expect(document.outcomes.map(({ address, result }) => `${address} ${result}`).sort()).toEqual([
      'playlist/p1 skipped',
      'vmp-reject-statuses skipped',
    ]);
    expect(project.writes()).toEqual([]);
  });
});

describe('a warning of what depends on changed objects elsewhere', () => {
  const warnings = async (project: TestProject, ...flags: readonly string[]) =>
    (await project.plan(...flags)).document.findings.map(({ code, summary, address }) => `${code} ${address}: ${summary}`);

  test('comes once for all policies that a plan deletes or renames', async () => {
    const seed = { 'drm-policy': LIVE_POLICIES };
    const project = await createTestProject(
      config({
        drm_policies: { ...POLICIES, 'policy-1': { widevine: { content_key_specs: [{ track_type: 'ALL', security_level: 1 }] } } },
      }),
      { seed, target: 'ownership: exclusive\nlimits: { delete: { count: 9, percent: 100 } }' },
    );
    expect(await warnings(project)).toEqual([]);
    const kept = Object.fromEntries(Object.entries(POLICIES).slice(1, 6));
    declare(project, { drm_policies: { ...kept, renamed: { widevine: WIDEVINE } }, adopt: { 'drm-policy/renamed': 'd1' } });
    const summary = 'playback URLs name policies, and a plan that deletes or renames one breaks them: ';
    expect(await warnings(project)).toEqual([
      `policy-name-in-urls drm-policy/renamed: ${summary}drm-policy/renamed, drm-policy/~d10, drm-policy/~d11, drm-policy/~d12, and 3 more`,
    ]);
    expect(await warnings(project, '--only', 'drm-policy/~d7')).toEqual([`policy-name-in-urls drm-policy/~d7: ${summary}drm-policy/~d7`]);
    expect((await project.drift()).document.findings).toEqual([]);
  });

  test('comes once for all playlists that a plan changes, but not for descriptions and new ones', async () => {
    const sections = (more: JsonObject): JsonObject => ({ playlists: { p1: { desc: 'p1', playlist: beams(1, 1001) }, ...more } });
    const seed = { playlist: manyLive(2) };
    const p2 = (desc: string, ...more: readonly number[]) => ({ p2: { desc, playlist: beams(2, 1002, ...more) } });
    const adopt = { adopt: { 'playlist/p2': 'live2' } };
    const project = await createTestProject(config({ ...sections({ ...p2('other'), new: { playlist: beams(5, 6) } }), ...adopt }), {
      seed,
    });
    expect(await warnings(project)).toEqual([]);
    declare(project, { ...sections({ ...p2('p2', 7), p1: { playlist: beams(1, 8) } }) });
    expect(await warnings(project)).toEqual([
      'scheduled-entries playlist/p1: what live channels have already scheduled from playlist/p1, playlist/p2 stays in their schedules, which this plan does not change',
    ]);
  });

  test('is silent where `rules` say so', async () => {
    const project = await createTestProject(config({ playlists: { p1: { playlist: beams(8, 9) } } }), {
      seed: { playlist: manyLive(1) },
      rules: 'rules: { scheduled-entries: off }',
    });
    expect(await warnings(project)).toEqual([]);
  });
});
