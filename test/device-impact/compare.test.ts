import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { impact, isAffected } from '../../src/device-impact/compare.ts';
import type { Device } from '../../src/device-impact/device.ts';
import { CATALOGUE } from '../../src/device-impact/devices/index.ts';
import { evaluateDevice, type PolicyUnderTest } from '../../src/device-impact/evaluate.ts';
import type { DeviceImpact } from '../../src/model/impact.ts';
import { fairplay, forAll, playready, protection, widevine } from './fixtures.ts';

function lists(before: PolicyUnderTest, after: PolicyUnderTest, device: Device): Partial<DeviceImpact> {
  const [found] = impact('drm-policy/any', before, after, [device]);
  const { lost, gained, restricted, unrestricted, uncertain } = found ?? {};
  return Object.fromEntries(Object.entries({ lost, gained, restricted, unrestricted, uncertain }).filter(([, each]) => each?.length !== 0));
}

/** Both ways: what one change takes, its opposite gives. */
function bothWays(before: PolicyUnderTest, after: PolicyUnderTest, device: Device): readonly Partial<DeviceImpact>[] {
  return [lists(before, after, device), lists(after, before, device)];
}

describe('the lists of an impact', () => {
  const sd = { track_type: 'SD', security_level: 1 };
  const rest = ['HD', 'UHD1', 'UHD2', 'AUDIO'].map((track_type) => ({ track_type, security_level: 1 }));
  const hard = { ...sd, security_level: 3, required_output_protection: { hdcp: 'HDCP_NONE' } };
  const specs = (...content_key_specs: readonly (typeof sd)[]) => protection({ widevine: { content_key_specs } });

  test('lost and gained', () => {
    expect(bothWays(specs(sd, ...rest), specs(hard, ...rest), widevine({ security_level: 1 }))).toEqual([
      { lost: ['SD'] },
      { gained: ['SD'] },
    ]);
  });

  test('restricted and unrestricted', () => {
    const all = ['SD', 'HD', 'UHD1', 'UHD2'];
    expect(bothWays(protection({ playready: { can_persist: true } }), protection(), playready({ offline: true }))).toEqual([
      { restricted: all },
      { unrestricted: all },
    ]);
    const closed = forAll({ required_output_protection: { disable_analog_output: true } });
    expect(bothWays(forAll({}), closed, widevine({ outputs: ['digital', 'analog'] }))).toEqual([
      { restricted: all },
      { unrestricted: all },
    ]);
  });

  test('restricted once more, although it was restricted before', () => {
    const audio = (levels: { readonly [name: string]: number }) => protection({ playready: { hd: levels } });
    const one = audio({ compressed_digital_audio_protection_level: 301 });
    const two = audio({ compressed_digital_audio_protection_level: 301, uncompressed_digital_audio_protection_level: 301 });
    expect(bothWays(one, two, playready())).toEqual([{ restricted: ['HD'] }, { unrestricted: ['HD'] }]);
  });

  test('a closed output is closed, whatever else would speak of it', () => {
    const hd = (rules: { readonly [name: string]: number | boolean }) => protection({ playready: { hd: rules } });
    const type1 = hd({ digital_video_protection_level: 300, require_hdcp_type_1: true });
    const device = playready({ outputs: ['internal', 'digital'], hdcp: '1.x' });
    expect(bothWays(type1, hd({ digital_video_protection_level: 301 }), device)).toEqual([{}, {}]);
  });

  test('that several elements for a track no longer say the same is no limit where it plays by each of them', () => {
    const copies = (cgms_flags: string, element: string) => ({ track_type: element, required_output_protection: { cgms_flags } });
    const marked = (flags: string) => protection({ widevine: { content_key_specs: [copies(flags, 'ALL'), copies('COPY_NEVER', 'HD')] } });
    expect(bothWays(marked('COPY_NEVER'), marked('CGMS_NONE'), widevine({ outputs: ['digital', 'analog'] }))).toEqual([{}, {}]);
  });

  test('uncertain, and sure again', () => {
    const enforced = protection({ fairplay: { sd: { hdcp_enforcement: 0 } } });
    expect(bothWays(protection(), enforced, fairplay({ outputs: ['airplay'] }))).toEqual([{ uncertain: ['SD'] }, { unrestricted: ['SD'] }]);
  });

  test('the VMP set alone', () => {
    const device = widevine({ vmp_status: 'PLATFORM_UNVERIFIED' });
    const [lost, gained] = bothWays(protection(), protection({}, ['PLATFORM_UNVERIFIED']), device);
    expect([lost?.lost, gained?.gained]).toEqual([
      ['SD', 'HD', 'UHD1', 'UHD2'],
      ['SD', 'HD', 'UHD1', 'UHD2'],
    ]);
  });
});

describe('a device is touched', () => {
  const touched = (before: PolicyUnderTest, after: PolicyUnderTest, device: Device) =>
    isAffected({ before: evaluateDevice(before, device), after: evaluateDevice(after, device) });

  test('by a condition that changes, too', () => {
    expect(touched(protection(), protection({ playready: { license_duration_seconds: 60 } }), playready())).toBe(true);
  });

  test('not by another way to write the same', () => {
    const specs = ['ALL_VIDEO', 'AUDIO'].map((track_type) => ({ track_type, security_level: 1 }));
    const rewritten = protection({ widevine: { content_key_specs: specs } });
    for (const device of CATALOGUE) expect(touched(protection(), rewritten, device)).toBe(false);
  });
});

describe('the example', () => {
  const { drm_policies: policies } = parse(
    readFileSync(new URL('../../examples/streaming-account/config/common/drm-policies.yaml', import.meta.url), 'utf8'),
  );
  const vmp = ['PLATFORM_UNVERIFIED', 'PLATFORM_TAMPERED'];

  test('UHD premium: raising HD to level 3 and HDCP 2.2 takes it from these devices', () => {
    const { premium } = policies;
    const specs: readonly { readonly track_type: string }[] = premium.widevine.content_key_specs;
    const withHd = (security_level: number, hdcp: string): PolicyUnderTest => {
      const hd = { track_type: 'HD', security_level, required_output_protection: { hdcp } };
      const content_key_specs = specs.map((spec) => (spec.track_type === 'HD' ? hd : spec));
      return protection({ ...premium, widevine: { ...premium.widevine, content_key_specs } }, vmp);
    };
    const found = impact('drm-policy/premium', withHd(1, 'HDCP_NONE'), withHd(3, 'HDCP_V2_2'), CATALOGUE);
    const losing = found.filter(({ lost }) => lost.length > 0);
    expect(losing.map(({ device, lost }) => [device, lost])).toEqual([
      ['desktop-browser-software', ['HD']],
      ['android-phone-l3', ['HD']],
    ]);
    expect(losing[0]?.name).toBe('desktop browser, software Widevine');
    expect(losing[0]?.after.HD.rules).toContainEqual({
      outcome: 'refused',
      text: 'security_level 3 asked, 1 present',
      field: '/widevine/content_key_specs/HD/security_level',
      section: 'drm-api-v3 2.3',
    });
    expect(
      found.flatMap(({ gained, restricted, unrestricted, uncertain }) => [...gained, ...restricted, ...unrestricted, ...uncertain]),
    ).toEqual([]);
  });

  test('premium: who plays what', () => {
    const rows = CATALOGUE.map((device) => [device.id, evaluateDevice(protection(policies.premium, vmp), device)] as const);
    const shown = rows.map(
      ([id, row]) =>
        `${id} ${Object.values(row)
          .map(({ playback }) => ({ plays: 'p', restricted: 's', unknown: 'u', refused: 'r' })[playback])
          .join('')}`,
    );
    expect(shown).toEqual([
      'desktop-browser-software pprr',
      'desktop-browser-hardware pppp',
      'android-phone-l1 pppp',
      'android-phone-l3 pprr',
      'android-tv pppp',
      'chromecast pppp',
      'smart-tv pppp',
      'edge-2000 pprr',
      'edge-3000 pppp',
      'xbox pppp',
      'iphone pppp',
      'iphone-mirrored pprr',
      'iphone-airplay purr',
      'mac-hdmi-1-4 pprr',
      'mac-hdcp-2-2 pppp',
      'set-top-box-analog psrr',
      'hdcp-repeater pprr',
    ]);
  });
});
