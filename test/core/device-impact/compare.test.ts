import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { compareDevices, isAffected } from '../../../src/core/device-impact/compare.ts';
import type { Device } from '../../../src/core/device-impact/device.ts';
import { DEVICE_CATALOG } from '../../../src/core/device-impact/device-catalog.ts';
import { evaluateDevice, type PolicyUnderTest } from '../../../src/core/device-impact/evaluate.ts';
import type { DeviceImpact } from '../../../src/core/model/impact.ts';
import { fairplay, playready, policyForAllTracks, policyUnderTest, widevine } from './fixtures.ts';

function lists(before: PolicyUnderTest, after: PolicyUnderTest, device: Device): Partial<DeviceImpact> {
  const [deviceImpact] = compareDevices('drm-policy/any', before, after, [device]);
  const { lost, gained, restricted, unrestricted, uncertain, changed } = deviceImpact ?? {};
  return Object.fromEntries(
    Object.entries({ lost, gained, restricted, unrestricted, uncertain, changed }).filter(([, each]) => each?.length !== 0),
  );
}

/** Returns the lists of a change and of the opposite change. */
function listsBothWays(before: PolicyUnderTest, after: PolicyUnderTest, device: Device): readonly Partial<DeviceImpact>[] {
  return [lists(before, after, device), lists(after, before, device)];
}

describe('comparing playback on a device before and after a change', () => {
  const sd = { track_type: 'SD', security_level: 1 };
  const rest = ['HD', 'UHD1', 'UHD2', 'AUDIO'].map((track_type) => ({ track_type, security_level: 1 }));
  const hard = { ...sd, security_level: 3, required_output_protection: { hdcp: 'HDCP_NONE' } };
  const specs = (...content_key_specs: readonly (typeof sd)[]) => policyUnderTest({ widevine: { content_key_specs } });

  test('lists a resolution as lost if it is refused afterwards, and as gained after the opposite change', () => {
    expect(listsBothWays(specs(sd, ...rest), specs(hard, ...rest), widevine({ security_level: 1 }))).toEqual([
      { lost: ['SD'] },
      { gained: ['SD'] },
    ]);
  });

  test('lists resolutions as restricted if they play with a new restriction, and as unrestricted after the opposite change', () => {
    const all = ['SD', 'HD', 'UHD1', 'UHD2'];
    expect(listsBothWays(policyUnderTest({ playready: { can_persist: true } }), policyUnderTest(), playready({ offline: true }))).toEqual([
      { restricted: all },
      { unrestricted: all },
    ]);
    const closed = policyForAllTracks({ required_output_protection: { disable_analog_output: true } });
    expect(listsBothWays(policyForAllTracks({}), closed, widevine({ outputs: ['digital', 'analog'] }))).toEqual([
      { restricted: all },
      { unrestricted: all },
    ]);
  });

  test('lists a resolution as restricted if it gets a second restriction', () => {
    const audio = (levels: { readonly [name: string]: number }) => policyUnderTest({ playready: { hd: levels } });
    const one = audio({ compressed_digital_audio_protection_level: 301 });
    const two = audio({ compressed_digital_audio_protection_level: 301, uncompressed_digital_audio_protection_level: 301 });
    expect(listsBothWays(one, two, playready())).toEqual([{ restricted: ['HD'] }, { unrestricted: ['HD'] }]);
  });

  test('lists nothing if an output is refused on both sides by different settings', () => {
    const hd = (rules: { readonly [name: string]: number | boolean }) => policyUnderTest({ playready: { hd: rules } });
    const type1 = hd({ digital_video_protection_level: 300, require_hdcp_type_1: true });
    const device = playready({ outputs: ['internal', 'digital'], hdcp: '1.x' });
    expect(listsBothWays(type1, hd({ digital_video_protection_level: 301 }), device)).toEqual([{}, {}]);
  });

  test('lists other conditions if elements for the same track begin to differ and the device plays under each of them', () => {
    const copies = (cgms_flags: string, element: string) => ({ track_type: element, required_output_protection: { cgms_flags } });
    const marked = (flags: string) =>
      policyUnderTest({ widevine: { content_key_specs: [copies(flags, 'ALL'), copies('COPY_NEVER', 'HD')] } });
    const all = { changed: ['SD', 'HD', 'UHD1', 'UHD2'] };
    expect(listsBothWays(marked('COPY_NEVER'), marked('CGMS_NONE'), widevine({ outputs: ['digital', 'analog'] }))).toEqual([all, all]);
  });

  describe('lists all resolutions where a limit in time gets shorter, and the other way round where it gets longer', () => {
    const lasting = (seconds: number) => ({ persistence: true, lease: true, lease_duration_seconds: seconds });
    test.each([
      ['a Widevine license', { widevine: { policy_overrides: { can_play: true, license_duration_seconds: 60 } } }, {}, widevine()],
      ['a PlayReady license', { playready: { license_duration_seconds: 60 } }, {}, playready()],
      ['the validity of the FairPlay key', { fairplay: { key_duration_seconds: 300 } }, {}, fairplay()],
      ['a FairPlay lease', { fairplay: lasting(60) }, { fairplay: lasting(600) }, fairplay()],
      ['the time to begin a FairPlay rental', { fairplay: { rental_duration_seconds: 60 } }, {}, fairplay()],
      [
        'offline playback with FairPlay',
        { fairplay: { persistence: true, persistence_duration_seconds: 1 } },
        { fairplay: { persistence: true, persistence_duration_seconds: 172800 } },
        fairplay({ offline: true }),
      ],
      [
        'the time to begin offline playback with Widevine',
        { widevine: { policy_overrides: { can_play: true, can_persist: true, rental_duration_seconds: 1 } } },
        { widevine: { policy_overrides: { can_play: true, can_persist: true } } },
        widevine({ offline: true }),
      ],
      ['the tolerance for slow clocks of PlayReady', { playready: { license_begin_seconds: 60 } }, {}, playready()],
    ])('of %s', (_what, short, long, device) => {
      const all = ['SD', 'HD', 'UHD1', 'UHD2'];
      expect(listsBothWays(policyUnderTest(long), policyUnderTest(short), device)).toEqual([{ restricted: all }, { unrestricted: all }]);
      const unknown: PolicyUnderTest['vmp'] = null;
      expect(listsBothWays(policyUnderTest(long, unknown), policyUnderTest(short, unknown), device)).toEqual([
        { restricted: all },
        { unrestricted: all },
      ]);
    });
  });

  test('lists what a lease takes on every device, and what offline playback gives on those that are used offline', () => {
    const all = ['SD', 'HD', 'UHD1', 'UHD2'];
    const minute = policyUnderTest({ fairplay: { persistence: true, lease: true, lease_duration_seconds: 60, key_duration_seconds: 30 } });
    expect(lists(policyUnderTest(), minute, fairplay())).toEqual({ restricted: all });
    expect(lists(policyUnderTest(), minute, fairplay({ offline: true }))).toEqual({ restricted: all, unrestricted: all });
  });

  test('lists offline rental, and the end of sessions with their license, as other conditions or limits', () => {
    const all = ['SD', 'HD', 'UHD1', 'UHD2'];
    const rental = policyUnderTest({ fairplay: { rental: true } });
    expect(lists(policyUnderTest(), rental, fairplay({ offline: true }))).toEqual({ unrestricted: all });
    const lasting = policyUnderTest({ playready: { realtime_expiration: false } });
    expect(listsBothWays(lasting, policyUnderTest(), playready())).toEqual([{ changed: all }, { changed: all }]);
  });

  test('does not list the limits of offline playback as gone where offline playback itself goes', () => {
    const offline = policyUnderTest({ fairplay: { persistence: true, persistence_duration_seconds: 60 } });
    const all = ['SD', 'HD', 'UHD1', 'UHD2'];
    expect(lists(offline, policyUnderTest(), fairplay({ offline: true }))).toEqual({ restricted: all });
  });

  test('does not list the limits of offline playback as new where only rentals were allowed offline', () => {
    const all = ['SD', 'HD', 'UHD1', 'UHD2'];
    const rental = policyUnderTest({ fairplay: { rental: true } });
    const offline = policyUnderTest({ fairplay: { rental: true, persistence: true, persistence_duration_seconds: 60 } });
    expect(listsBothWays(rental, offline, fairplay({ offline: true }))).toEqual([{ unrestricted: all }, { restricted: all }]);
  });

  test('lists a resolution as uncertain if its playback becomes unknown, and after the opposite change, too', () => {
    const enforced = policyUnderTest({ fairplay: { sd: { hdcp_enforcement: 0 } } });
    expect(listsBothWays(policyUnderTest(), enforced, fairplay({ outputs: ['airplay'] }))).toEqual([
      { uncertain: ['SD'] },
      { uncertain: ['SD'] },
    ]);
  });

  describe('lists all resolutions as uncertain where the time for which they play is known on one side only', () => {
    const all = ['SD', 'HD', 'UHD1', 'UHD2'];
    const license = (license_duration_seconds: number) => ({ can_play: true, license_duration_seconds });
    const leased = { persistence: true, lease: true };
    test.each([
      [
        'a Widevine license of 0',
        { widevine: { policy_overrides: license(0) } },
        { widevine: { policy_overrides: license(60) } },
        widevine(),
      ],
      [
        'a PlayReady license of 0',
        { playready: { license_duration_seconds: 0 } },
        { playready: { license_duration_seconds: 60 } },
        playready(),
      ],
      ['a FairPlay lease of 0', { fairplay: leased }, { fairplay: { ...leased, lease_duration_seconds: 600 } }, fairplay()],
      ['a FairPlay lease without persistence', { fairplay: { lease: true } }, {}, fairplay()],
      ['a key that is valid below 0 s', { fairplay: { key_duration_seconds: -1 } }, {}, fairplay()],
    ])('as with %s', (_what, unknown, known, device) => {
      expect(listsBothWays(policyUnderTest(unknown), policyUnderTest(known), device)).toEqual([{ uncertain: all }, { uncertain: all }]);
    });
  });

  test('lists no resolution as unrestricted where a limit goes together with what was unknown', () => {
    const limited = policyUnderTest({ fairplay: { sd: { hdcp_enforcement: 0 }, key_duration_seconds: 60 } });
    expect(lists(limited, policyUnderTest(), fairplay({ outputs: ['airplay'] }))).toEqual({
      unrestricted: ['HD', 'UHD1', 'UHD2'],
      uncertain: ['SD'],
    });
  });

  test('lists all resolutions as lost if the VMP status of the device is rejected, and as gained after the opposite change', () => {
    const device = widevine({ vmp_status: 'PLATFORM_UNVERIFIED' });
    const [lost, gained] = listsBothWays(policyUnderTest(), policyUnderTest({}, ['PLATFORM_UNVERIFIED']), device);
    expect([lost?.lost, gained?.gained]).toEqual([
      ['SD', 'HD', 'UHD1', 'UHD2'],
      ['SD', 'HD', 'UHD1', 'UHD2'],
    ]);
  });
});

describe('isAffected', () => {
  const affected = (before: PolicyUnderTest, after: PolicyUnderTest, device: Device) =>
    compareDevices('p', before, after, [device]).some(isAffected);

  test('is true if only a condition of playback changes', () => {
    expect(affected(policyUnderTest(), policyUnderTest({ playready: { license_duration_seconds: 60 } }), playready())).toBe(true);
  });

  test('is false if the same settings are written in another form', () => {
    const specs = ['ALL_VIDEO', 'AUDIO'].map((track_type) => ({ track_type, security_level: 1 }));
    const rewritten = policyUnderTest({ widevine: { content_key_specs: specs } });
    for (const device of DEVICE_CATALOG) expect(affected(policyUnderTest(), rewritten, device)).toBe(false);
  });
});

describe('the example project', () => {
  const { drm_policies: policies } = parse(
    readFileSync(new URL('../../../examples/streaming-account/config/common/drm-policies.yaml', import.meta.url), 'utf8'),
  );
  const vmp = ['PLATFORM_UNVERIFIED', 'PLATFORM_TAMPERED'];

  test('loses HD on software devices if the premium policy requires security level 3 and HDCP 2.2 for it', () => {
    const { premium } = policies;
    const specs: readonly { readonly track_type: string }[] = premium.widevine.content_key_specs;
    const withHd = (security_level: number, hdcp: string): PolicyUnderTest => {
      const hd = { track_type: 'HD', security_level, required_output_protection: { hdcp } };
      const content_key_specs = specs.map((spec) => (spec.track_type === 'HD' ? hd : spec));
      return policyUnderTest({ ...premium, widevine: { ...premium.widevine, content_key_specs } }, vmp);
    };
    const impacts = compareDevices('drm-policy/premium', withHd(1, 'HDCP_NONE'), withHd(3, 'HDCP_V2_2'), DEVICE_CATALOG);
    const losing = impacts.filter(({ lost }) => lost.length > 0);
    expect(losing.map(({ device, lost }) => [device, lost])).toEqual([
      ['desktop-browser-software', ['HD']],
      ['laptop-hdmi-1-4', ['HD']],
      ['android-phone-l3', ['HD']],
      ['stick-without-hdcp', ['HD']],
    ]);
    expect(losing[0]?.name).toBe('desktop browser (software Widevine)');
    expect(losing[0]?.after.HD.rules).toContainEqual({
      outcome: 'refused',
      text: 'needs security_level 3, has 2',
      field: '/widevine/content_key_specs/HD/security_level',
      section: 'drm-api-v3 2.3',
    });
    expect(impacts.filter(({ uncertain }) => uncertain.length > 0).map(({ device, uncertain }) => [device, uncertain])).toEqual([
      ['tv-box-analog', ['HD']],
    ]);
    expect(
      impacts.flatMap(({ gained, restricted, unrestricted, changed }) => [...gained, ...restricted, ...unrestricted, ...changed]),
    ).toEqual([]);
  });

  test('plays under the premium policy as expected on each device of the catalog', () => {
    const rows = DEVICE_CATALOG.map((device) => [device.id, evaluateDevice(policyUnderTest(policies.premium, vmp), device)] as const);
    const summary = rows.map(
      ([id, row]) =>
        `${id} ${Object.values(row)
          .map(({ playback }) => ({ plays: 'p', restricted: 's', unknown: 'u', refused: 'r' })[playback])
          .join('')}`,
    );
    expect(summary).toEqual([
      'desktop-browser-software pprr',
      'desktop-browser-hardware pppp',
      'desktop-browser-unverified rrrr',
      'desktop-browser-tampered rrrr',
      'laptop-hdmi-1-4 pprr',
      'android-phone-l1 pppp',
      'android-phone-l3 pprr',
      'android-tv pppp',
      'chromecast pppp',
      'stick-without-hdcp prrr',
      'tv-box-outdated-srm pprr',
      'tv-box-analog purr',
      'smart-tv pppp',
      'edge-2000 pprr',
      'edge-3000 pppp',
      'windows-without-hdcp prrr',
      'virtual-machine rrrr',
      'xbox pppp',
      'iphone pppp',
      'iphone-mirrored pprr',
      'iphone-airplay purr',
      'mac-hdmi-1-4 pprr',
      'mac-without-hdcp prrr',
      'mac-hdcp-2-2 pppp',
      'set-top-box-analog psrr',
      'hdcp-repeater pprr',
    ]);
  });
});
