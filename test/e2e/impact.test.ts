/** What policies mean for devices: in plans, to guards, and as matrices. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { asImpact } from '../support/documents.ts';
import { createExampleProject, createTestProject, type TestProject } from '../support/harness.ts';
import { config } from './accounts.ts';

const POLICIES = 'config/common/drm-policies.yaml';
const PROTECTION = 'config/common/protection.yaml';
const ABOUT = ['--only', 'drm-policy/*', '--only', 'vmp-reject-statuses'];

/** The example as it is, then the pull request "UHD premium": HD in hardware and behind HDCP 2.2, and one VMP status rejected no longer. */
async function uhdPremium(): Promise<TestProject> {
  const project = await createExampleProject();
  expect((await project.run('apply', '--yes', '-t', 'staging', ...ABOUT)).code).toBe(0);
  const before = /(track_type: HD\n +security_level:) 1.*(\n +required_output_protection:\n +hdcp:) HDCP_V1\n/;
  expect(project.read(POLICIES)).toMatch(before);
  project.write(POLICIES, project.read(POLICIES).replace(before, '$1 3$2 HDCP_V2_2\n'));
  project.write(PROTECTION, project.read(PROTECTION).replace('  - PLATFORM_UNVERIFIED\n', ''));
  return project;
}

describe('the pull request "UHD premium"', () => {
  test('strengthens HD, weakens VMP, names devices that lose HD, and is blocked for VMP; --skip-blocked writes the rest', async () => {
    const project = await uhdPremium();
    const { document } = await project.plan('-t', 'production', ...ABOUT);
    expect(document.changes.map(({ address, effect, blocked }) => [address, effect, blocked?.check])).toEqual([
      ['drm-policy/premium', 'strengthens', undefined],
      ['vmp-reject-statuses', 'weakens', 'weakening'],
    ]);
    const summaries = document.impact?.summaries.map(({ outcome, resolutions, devices }) => [
      outcome,
      resolutions.join(),
      ...devices.map((each) => each.device),
    ]);
    expect(summaries?.filter(([outcome]) => outcome !== 'gained')).toEqual([
      ['lost', 'HD', 'desktop-browser-software'],
      ['lost', 'HD', 'laptop-hdmi-1-4'],
      ['lost', 'HD', 'android-phone-l3'],
      ['uncertain', 'HD', 'hotel-tv'],
    ]);
    expect(summaries?.filter(([outcome, , device]) => outcome === 'gained' && device !== 'desktop-browser-unverified')).toEqual([]);
    const gains = document.impact?.summaries
      .filter(({ outcome }) => outcome === 'gained')
      .map(({ changes, policies }) => [changes.join(), ...policies]);
    expect(gains).toEqual([
      ['vmp-reject-statuses', 'drm-policy/premium'],
      ['vmp-reject-statuses', 'drm-policy/basic-sd', 'drm-policy/hd', 'default policy'],
    ]);
    const { stdout } = await project.run('plan', '-t', 'production', ...ABOUT);
    expect(stdout).toMatch(/rejected\),\s+by weaker protection\n[^(]*\bblocked\n/);
    expect(stdout).toMatch(/would lose desktop browser \(software Widevine\)\s+HD would no longer play \(needs security_level 3, has 2\)/);
    expect(stdout).toMatch(/would lose Android phone \(Widevine L3\)\s+HD would no longer play \(needs security_level 3, has 1\)/);
    expect(document.impact?.matrices[0]?.policies).toEqual(['drm-policy/premium']);
    expect(document.impact?.matrices[0]?.devices.map(({ device }) => device)).toEqual([
      'desktop-browser-software',
      'desktop-browser-unverified',
      'laptop-hdmi-1-4',
      'android-phone-l3',
      'hotel-tv',
    ]);
    expect(document.impact?.matrices[0]?.devices[0]).toMatchObject({ before: { HD: 'plays' }, after: { HD: 'refused' }, noticed: ['HD'] });
    const applied = await project.apply('--yes', '--skip-blocked', '-t', 'production', ...ABOUT);
    expect(applied).toMatchObject({ code: 4, document: { summary: { updated: 1, skipped: 1 } } });
    expect(project.live('drm-policy')).toEqual(expect.arrayContaining([expect.objectContaining({ policy_name: 'premium' })]));
    expect(project.live('vmp-reject-statuses')).toContain('PLATFORM_UNVERIFIED');
    expect((await project.plan('-t', 'production', ...ABOUT)).document.changes.map(({ address }) => address)).toEqual([
      'vmp-reject-statuses',
    ]);
  });
});

/** Live HD plays everywhere; it is to need hardware and HDCP 2.2. */
const before = { content_key_specs: [spec('ALL', 1, 'HDCP_NONE')] };
const after = { content_key_specs: [spec('ALL_VIDEO', 3, 'HDCP_V2_2'), spec('AUDIO', 1, 'HDCP_NONE')] };

function spec(track_type: string, security_level: number, hdcp: string): JsonObject {
  return { track_type, security_level, required_output_protection: { hdcp } };
}

async function premium(top = '', sections: JsonObject = {}): Promise<TestProject> {
  const seed = { 'drm-policy': [{ _id: '1', policy_name: 'premium', widevine: before }], 'vmp-reject-statuses': ['PLATFORM_TAMPERED'] };
  const files = config({ drm_policies: { premium: { widevine: after } }, vmp_reject_statuses: ['PLATFORM_TAMPERED'], ...sections });
  return createTestProject(files, { seed, rules: top });
}

describe('the impact section of a plan', () => {
  test('shows what devices lose, with required and present protection; digest and fingerprint do not cover it', async () => {
    const project = await premium();
    const { document } = await project.plan();
    const software = document.impact?.summaries.find(({ devices }) => devices.some(({ device }) => device === 'desktop-browser-software'));
    expect(software).toMatchObject({ outcome: 'lost', policies: ['drm-policy/premium'], changes: ['drm-policy/premium'] });
    expect(software?.devices.map(({ device }) => device)).toEqual(['desktop-browser-software', 'desktop-browser-unverified']);
    expect(software?.rules).toMatchObject([{ text: 'needs security_level 3, has 2', section: 'drm-api-v3 2.3' }]);
    const text = (await project.run('plan')).stdout;
    expect(text).toMatch(
      /would lose desktop browser \(software Widevine\)\s+SD, HD, UHD1, UHD2 would no longer play \(needs security_level 3, has 2\)/,
    );
    project.write(
      'upkeep.yaml',
      project.read('upkeep.yaml').replace('version: 1', 'version: 1\ndevices: { extra: { system: fairplay, outputs: [internal] } }'),
    );
    expect((await project.plan()).document.fingerprint).toBe(document.fingerprint);
  });

  test('is absent where nothing affects devices, and names the settings on which no class of them depends', async () => {
    const key = { static_key: { scope: 'all' } };
    const other = await createTestProject(config(key), {
      seed: { 'static-key': { use_static_encryption_key: false, static_key_slicer_ids: [] } },
    });
    expect((await other.plan()).document.impact).toBeUndefined();
    const overrides = { can_play: true, renewal_delay_seconds: 5 };
    const project = await premium('', { drm_policies: { premium: { widevine: { ...before, policy_overrides: overrides } } } });
    expect((await project.plan()).document.impact?.summaries).toEqual([]);
    expect((await project.run('plan')).stdout.replace(/\s+/g, ' ')).toContain(
      'Under drm-policy/premium: no built-in class of devices depends on this setting: /widevine/policy_overrides/renewal_delay_seconds 0 -> 5.',
    );
  });

  test('names the classes whose licenses get shorter', async () => {
    const project = await premium('', { drm_policies: { premium: { widevine: before, fairplay: { rental_duration_seconds: 60 } } } });
    const { impact } = (await project.plan()).document;
    expect(impact?.summaries).toMatchObject([{ outcome: 'restricted', rules: [{ seconds: 60 }] }]);
    expect(impact?.summaries[0]?.devices.every(({ system }) => system === 'fairplay')).toBe(true);
  });

  test('says of a new policy that no content uses it yet', async () => {
    const project = await premium('', { drm_policies: { premium: { widevine: before }, fresh: { playready: { can_play: false } } } });
    const { impact } = (await project.plan()).document;
    expect(impact?.summaries).toEqual([]);
    expect(impact?.notes).toContain('New: drm-policy/fresh. What names a policy before it exists is not known, so no device is compared.');
    const found = asImpact(await project.json('impact', 'drm-policy/fresh', '--device', 'xbox'));
    expect(found.matrices[0]?.devices).toMatchObject([{ device: 'xbox', before: null, after: { HD: { playback: 'refused' } } }]);
  });

  test('covers a change of the VMP statuses for the remaining policies and for content without a policy', async () => {
    const linux = 'devices: { linux: { system: widevine, security_level: 5, outputs: [internal], vmp_status: PLATFORM_UNVERIFIED } }';
    const project = await premium(linux, { drm_policies: { premium: { widevine: before } }, vmp_reject_statuses: ['PLATFORM_UNVERIFIED'] });
    const { document } = await project.plan();
    const lost = document.impact?.summaries.filter(({ outcome }) => outcome === 'lost');
    expect(lost).toMatchObject([
      {
        devices: [{ device: 'desktop-browser-unverified' }, { device: 'linux' }],
        policies: ['drm-policy/premium', 'default policy'],
        changes: ['vmp-reject-statuses'],
      },
    ]);
  });

  test('names policies by address, in whatever order the service lists them', async () => {
    const impacts = await Promise.all(
      (['insertion', 'reversed'] as const).map(async (listOrder) => {
        const seed = { 'drm-policy': ['b', 'a'].map((id): JsonObject => ({ _id: id, policy_name: `policy ${id}` })) };
        const files = config({ drm_policies: {}, vmp_reject_statuses: ['PLATFORM_UNVERIFIED'] });
        const { document } = await (await createTestProject(files, { seed, quirks: { listOrder } })).plan();
        return [document.changes, document.impact, document.risks] as const;
      }),
    );
    expect(impacts[1]).toEqual(impacts[0]);
    expect(impacts[0]?.[0][0]?.playbackReasons?.[0]?.text).toContain('under drm-policy/~a, drm-policy/~b and the default policy');
  });

  test('says that the impact is unknown where the VMP statuses are not managed', async () => {
    const project = await premium();
    project.write('config/account.yaml', JSON.stringify({ drm_policies: { premium: { widevine: after } } }));
    const { impact } = (await project.plan()).document;
    expect(impact?.notes[0]).toMatch(/The rejected VMP statuses are not known/);
    expect(impact?.summaries.find(({ outcome }) => outcome === 'lost')).toMatchObject({ uncertain: true });
  });
});

describe('guards', () => {
  const guard = `guards:
  - id: phones
    deny: impact.exists(d, d.device == "iphone" && d.lost.size() > 0)
    message: Not from phones.`;
  const mirrored = 'devices: { iphone: { system: fairplay, outputs: [av_adapter], hdcp: "1.x" } }';
  const fairplay = { hd: { allow_av_adapter: false } };

  test('can read what a change takes from a device, and block the policy change only', async () => {
    const sections = { drm_policies: { premium: { widevine: before, fairplay }, other: { widevine: after } }, vmp_reject_statuses: [] };
    const project = await premium(`${guard}\n${mirrored}`, sections);
    const { document } = await project.plan('--allow', 'weakening');
    expect(document.changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([
      ['drm-policy/other', undefined],
      ['drm-policy/premium', 'guard'],
      ['vmp-reject-statuses', undefined],
    ]);
  });
});

describe('the command `impact`', () => {
  test('shows the difference, the state before or the state after for the selected devices', async () => {
    const project = await premium();
    const show = async (...flags: string[]) => asImpact(await project.json('impact', '--device', 'desktop-browser-*ware', ...flags));
    const found = await show();
    expect(found).toMatchObject({ of: 'difference', unchanged: [], matrices: [{ policies: ['drm-policy/premium'] }] });
    expect(found.matrices[0]?.devices).toMatchObject([
      { device: 'desktop-browser-software', before: { HD: { playback: 'plays' } }, after: { HD: { playback: 'refused' } } },
      { device: 'desktop-browser-hardware', before: { HD: { playback: 'plays' } }, after: { HD: { playback: 'plays' } } },
    ]);
    expect((await show('--of', 'live')).matrices[0]?.devices[0]).toMatchObject({ before: { HD: { playback: 'plays' } }, after: null });
    expect((await show('--of', 'desired')).matrices[0]?.devices[0]).toMatchObject({ before: null, after: { HD: { playback: 'refused' } } });
    expect(project.writes()).toEqual([]);
  });

  test('says that nothing differs, and then shows the desired state', async () => {
    const project = await premium('', { drm_policies: { premium: { widevine: before }, copy: { widevine: before } } });
    await project.apply('--yes');
    const report = asImpact(await project.json('impact'));
    expect(report).toMatchObject({ of: 'desired', unchanged: ['drm-policy/copy', 'drm-policy/premium'] });
    expect(report.matrices.map(({ policies }) => policies)).toEqual([['drm-policy/copy', 'drm-policy/premium']]);
    expect((await project.run('impact')).stdout).toContain('No device class in this report sees a difference between live and desired.');
  });

  test('gives every rule with its field and section, and names what no matrix can show', async () => {
    const project = await premium();
    const { stdout } = await project.run('impact', 'drm-policy/premium', '--why');
    expect(stdout).toMatch(
      /\+ SD, HD, UHD1, UHD2 refused: needs security_level 3, has 1 \(\/widevine\/content_key_specs\/ALL_VIDEO\/security_level, drm-api-v3 2\.3\)/,
    );
    for (const words of [/only to content that has no policy of its own/, /affect no device/])
      expect(stdout.replace(/\n/g, ' ')).toMatch(words);
    expect(stdout).not.toMatch(/sessions/);
    project.write('saved.json', JSON.stringify(await project.json('impact')));
    expect((await project.run('show', 'saved.json', '--why')).stdout).toContain('needs security_level 3');
    expect((await project.run('impact', '--format', 'markdown')).stdout).toMatch(/plays>refused/);
  });

  test.each([
    [10, false],
    [11, true],
  ])('names up to ten of %d policies where the address matches none', async (count, isCut) => {
    const policies = Array.from({ length: count }, (_, index) => ({ policy_name: `p${index}` }));
    const project = await createTestProject(config({ drm_policies: {} }), { seed: { 'drm-policy': policies } });
    const { hint } = (await project.refused('impact', 'drm-policy/nope')).document.error;
    expect(hint).toMatch(/^policies are drm-policy/);
    expect([hint.split(', ').filter((each: string) => each !== '...').length, hint.endsWith('...')]).toEqual([10, isCut]);
  });

  test('refuses unknown policies and devices, and reports what could not be read', async () => {
    const project = await premium();
    expect(await project.refused('impact', 'drm-policy/nope')).toMatchObject({ code: 8, document: { error: { code: 'unknown-address' } } });
    expect(await project.refused('impact', '--device', 'nope')).toMatchObject({ code: 8, document: { error: { code: 'unknown-device' } } });
    expect((await project.run('impact', '--of', 'nope')).code).toBe(8);
    project.emulator.setFaults([{ method: 'GET', path: '/api/v3/drm/policies', status: 500 }]);
    expect((await project.run('impact', 'drm-policy/premium')).code).toBe(10);
    project.emulator.setFaults([{ method: 'GET', path: '/api/v3/drm/*', status: 401 }]);
    expect((await project.run('impact')).code).toBe(7);
  });
});

describe('custom devices', () => {
  test('have findings at their location where they are invalid', async () => {
    const wrong = `devices:
  Bad_Key: { system: fairplay, outputs: [internal] }
  tv: { system: widevine, outputs: [internal] }
  box: { system: playready, security_level: 2500, outputs: [hdmi] }
  pad: { system: fairplay, outputs: [internal], securty: 1 }
  mac: { system: quicktime, outputs: [internal] }`;
    const project = await premium(wrong);
    const { document } = await project.refused('validate');
    expect(document.findings.map(({ line, column, code, summary }) => `${line}:${column} ${code} ${summary}`)).toEqual([
      '3:3 invalid-key `Bad_Key` cannot be a key here',
      '4:7 missing-key `tv` needs the key `security_level`',
      '5:45 invalid-value `security_level` must be one of 150, 2000, 3000; it is 2500',
      '5:61 invalid-value `outputs[0]` must be one of internal, digital, repeater, analog; it is "hdmi"',
      '6:49 unknown-key unknown key `securty` in `pad`',
      '7:18 invalid-value `system` must be one of fairplay, widevine, playready; it is "quicktime"',
    ]);
    expect(document.error.exit).toBe(8);
  });

  test('come after the built-in ones, and can replace them', async () => {
    const own = `devices:
  tv: { system: playready, security_level: 150, outputs: [digital], virtual_machine: true }
  stick: { system: widevine, security_level: 5, outputs: [digital], name: A stick }
  iphone: { system: fairplay, outputs: [airplay], name: Our iPhone }`;
    const project = await premium(own);
    const { matrices } = asImpact(await project.json('impact'));
    const names = matrices[0]?.devices.map(({ device, name }) => [device, name]);
    expect(names?.slice(-2)).toEqual([
      ['tv', 'tv'],
      ['stick', 'A stick'],
    ]);
    expect(names?.filter(([device]) => device === 'iphone')).toEqual([['iphone', 'Our iPhone']]);
  });
});
