import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import schema from '../../../schemas/configuration.schema.json' with { type: 'json' };
import { compareDevices } from '../../../src/core/device-impact/compare.ts';
import { customDevice } from '../../../src/core/device-impact/device.ts';
import { DEVICE_CATALOG } from '../../../src/core/device-impact/device-catalog.ts';
import type { PolicyUnderTest } from '../../../src/core/device-impact/evaluate.ts';
import { policyForAllTracks, policyUnderTest } from './fixtures.ts';

const accepts = new Ajv({ allErrors: true, strict: false }).compile({ $ref: '#/definitions/device', definitions: schema.definitions });

test('the device catalog contains each of these classes once', () => {
  expect(DEVICE_CATALOG.map((device) => `${device.id}: ${device.name}`)).toEqual([
    'desktop-browser-software: desktop browser (software Widevine)',
    'desktop-browser-hardware: desktop browser (hardware Widevine)',
    'desktop-browser-unverified: desktop browser (VMP unverified)',
    'desktop-browser-tampered: desktop browser (VMP tampered)',
    'laptop-hdmi-1-4: laptop on an HDMI 1.4 monitor',
    'android-phone-l1: Android phone (Widevine L1)',
    'android-phone-l3: Android phone (Widevine L3)',
    'android-tv: Android TV',
    'chromecast: Chromecast-like',
    'stick-without-hdcp: stick on a screen without HDCP',
    'tv-box-outdated-srm: TV box with an outdated SRM',
    'tv-box-analog: TV box on an analog output',
    'smart-tv: smart TV (PlayReady 3000)',
    'edge-2000: Windows Edge (PlayReady 2000)',
    'edge-3000: Windows Edge (PlayReady 3000)',
    'windows-without-hdcp: PC on a monitor without HDCP',
    'virtual-machine: virtual machine (PlayReady 2000)',
    'xbox: Xbox-like',
    'iphone: iPhone',
    'iphone-mirrored: iPhone mirrored through the AV adapter',
    'iphone-airplay: iPhone over AirPlay',
    'mac-hdmi-1-4: Mac with an HDMI 1.4 monitor',
    'mac-without-hdcp: Mac with a monitor without HDCP',
    'mac-hdcp-2-2: Mac with an HDCP 2.2 monitor',
    'set-top-box-analog: set-top box with analog output',
    'hdcp-repeater: player behind an HDCP 2.0 repeater',
  ]);
});

test.each(DEVICE_CATALOG.map((device) => [device.id, device] as const))(
  'the catalog device %s can be declared by a user in the same form',
  (id, { id: _id, ...device }) => {
    expect(accepts(device), JSON.stringify(accepts.errors)).toBe(true);
    expect(customDevice(id, device)).toEqual({ id, ...device });
  },
);

describe('a hardening takes playback from these classes of the catalog', () => {
  /** Returns the classes that play nothing any more, by their system in the order of the catalog. */
  const losing = (after: PolicyUnderTest, before: PolicyUnderTest = policyUnderTest()) =>
    compareDevices('drm-policy/any', before, after, DEVICE_CATALOG)
      .filter(({ lost }) => lost.length === 4)
      .map(({ device }) => device);
  const output = (required_output_protection: { readonly [name: string]: string | boolean }) =>
    policyForAllTracks({ required_output_protection });
  const everywhere = (rules: { readonly [name: string]: number | boolean }) => ({ sd: rules, hd: rules, uhd1: rules, uhd2: rules });

  test.each([
    ['any HDCP for Widevine', output({ hdcp: 'HDCP_V1' }), ['stick-without-hdcp']],
    ['HDCP 2.2 for Widevine', output({ hdcp: 'HDCP_V2_2' }), ['laptop-hdmi-1-4', 'stick-without-hdcp']],
    ['a current list of revoked devices', output({ hdcp_srm_rule: 'CURRENT_SRM' }), ['tv-box-outdated-srm']],
    ['no analog output with Widevine', output({ disable_analog_output: true }), ['tv-box-analog']],
    ['the VMP status PLATFORM_UNVERIFIED rejected', policyUnderTest({}, ['PLATFORM_UNVERIFIED']), ['desktop-browser-unverified']],
    ['the VMP status PLATFORM_TAMPERED rejected', policyUnderTest({}, ['PLATFORM_TAMPERED']), ['desktop-browser-tampered']],
    ['HDCP for PlayReady', policyUnderTest({ playready: everywhere({ digital_video_protection_level: 300 }) }), ['windows-without-hdcp']],
    ['any HDCP for FairPlay', policyUnderTest({ fairplay: everywhere({ hdcp_enforcement: 0 }) }), ['mac-without-hdcp']],
    ['level 2 for Widevine, which desktop browsers have', policyForAllTracks({ security_level: 2 }), ['android-phone-l3']],
  ])('%s takes playback from the expected classes', (_hardening, after, classes) => {
    expect(losing(after)).toEqual(classes);
  });

  test('the play enabler taken away', () => {
    const enabled = policyUnderTest({ playready: everywhere({ play_enabler: true }) });
    expect(losing(policyUnderTest(), enabled)).toEqual(['virtual-machine']);
  });

  test('smaller pictures and no uncompressed sound without HDCP, as limits', () => {
    for (const rules of [{ digital_video_protection_level: 270 }, { uncompressed_digital_audio_protection_level: 300 }]) {
      const after = policyUnderTest({ playready: everywhere(rules) });
      const restricted = compareDevices('drm-policy/any', policyUnderTest(), after, DEVICE_CATALOG).filter(
        (each) => each.restricted.length === 4,
      );
      expect(restricted.map(({ device }) => device)).toEqual(['windows-without-hdcp']);
    }
  });
});
