import { describe, expect, test } from 'vitest';
import { type Device, isExpected } from '../../../src/core/device-impact/device.ts';
import { type BeforeAfterPolicies, impactsOf, type PolicyBeforeAfter } from '../../../src/core/device-impact/plan-impact.ts';
import { devicePlaybackReasons } from '../../../src/core/device-impact/playback.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { desired } from '../kinds/drm-policy/policies.ts';
import { fairplay, playready, widevine } from './fixtures.ts';

const fields = (settings: JsonObject = {}): JsonObject => desired('any', settings).fields;
const weak = widevine({ id: 'weak', name: 'weak', security_level: 1, vmp_status: 'PLATFORM_SOFTWARE_VERIFIED' });
const strong = widevine({ id: 'strong', name: 'strong', vmp_status: 'PLATFORM_HARDWARE_VERIFIED' });

function atLevel(security_level: number): JsonObject {
  const required_output_protection = { hdcp: 'HDCP_NONE' };
  return fields({ widevine: { content_key_specs: [{ track_type: 'ALL', security_level, required_output_protection }] } });
}

function policy(address: string, before: JsonObject | null, after: JsonObject | null): PolicyBeforeAfter {
  return { address, isDeclared: after !== null, isWritten: before !== after, before, after };
}

/** Returns the reasons as lines: address of the change, playback, text. */
function reasonLines(policies: readonly PolicyBeforeAfter[], devices: readonly Device[], vmp: readonly [string[], string[]] = [[], []]) {
  const [before, after] = vmp;
  const isWritten = before.join() !== after.join();
  const account: BeforeAfterPolicies = { policies, vmp: { address: 'vmp', isWritten, before, after }, defaults: fields() };
  const reasons = [...devicePlaybackReasons(account, impactsOf(account, devices), devices)];
  return reasons.flatMap(([change, all]) =>
    all.map(({ playback, text, expected = true }) => `${change}: ${playback}: ${text}${expected ? '' : ' (not expected)'}`),
  );
}

describe('the reasons that devices give for the playback of a change', () => {
  test('say that it stops where a class that played something plays nothing any more', () => {
    expect(reasonLines([policy('p', atLevel(1), atLevel(3))], [weak, strong])).toEqual(['p: stops: weak plays nothing any more']);
  });

  test('name all classes with the same loss in one reason', () => {
    const weaker = { ...weak, id: 'weaker', name: 'weaker' };
    expect(reasonLines([policy('p', atLevel(1), atLevel(3))], [weak, weaker])).toEqual(['p: stops: weak; weaker play nothing any more']);
  });

  test('say that it reduces where a class loses some tracks, and that it gains the other way round', () => {
    const strict = fields({ playready: { uhd1: { security_level: 3000 }, uhd2: { security_level: 3000 } } });
    const device = playready({ name: 'box', security_level: 2000 });
    expect(reasonLines([policy('p', fields(), strict)], [device])).toEqual(['p: reduces: UHD1, UHD2 no longer play on box']);
    expect(reasonLines([policy('p', strict, fields())], [device])).toEqual(['p: gains: UHD1, UHD2 become playable on box']);
  });

  test('say that it reduces where a class plays on with a new limit, and that it gains the other way round', () => {
    const limited = fields({ playready: { sd: { compressed_digital_audio_protection_level: 301 } } });
    const device = playready({ name: 'box', security_level: 3000 });
    expect(reasonLines([policy('p', fields(), limited)], [device])).toEqual(['p: reduces: SD plays with a new limit on box']);
    expect(reasonLines([policy('p', limited, fields())], [device])).toEqual(['p: gains: SD plays with fewer limits on box']);
  });

  test('say that it is unknown where the API documents leave open whether a class still plays', () => {
    const open = fields({ fairplay: { sd: { hdcp_enforcement: 1 } } });
    expect(reasonLines([policy('p', fields(), open)], [fairplay({ name: 'cast', outputs: ['airplay'] })])).toEqual([
      'p: unknown: it is not known whether SD still plays on cast',
    ]);
    expect(reasonLines([policy('p', open, fields())], [fairplay({ name: 'cast', outputs: ['airplay'] })])).toEqual([
      'p: unknown: SD plays on cast, and it is not known whether it did before',
    ]);
  });

  test('say that it is unknown where a class that played nothing may play', () => {
    const closed = fields({ fairplay: { sd: { allow_airplay: false }, hd: { allow_airplay: false } } });
    const open = fields({ fairplay: { sd: { hdcp_enforcement: 1 }, hd: { hdcp_enforcement: 1 } } });
    expect(reasonLines([policy('p', closed, open)], [fairplay({ name: 'cast', outputs: ['airplay'] })])).toEqual([
      'p: unknown: it is not known whether SD, HD become playable on cast',
    ]);
  });

  test.each([
    [
      'license_duration_seconds of Widevine',
      { widevine: { policy_overrides: { can_play: true, license_duration_seconds: 0 } } },
      widevine({ name: 'box' }),
    ],
    ['lease_duration_seconds of FairPlay', { fairplay: { persistence: true, lease: true } }, fairplay({ name: 'box' })],
  ])('never say that a class gains where a %s of 0 gets a limit', (_name, settings, device) => {
    const limited = { widevine: {}, fairplay: { persistence: true, lease: true, lease_duration_seconds: 600 } };
    expect(reasonLines([policy('p', fields(settings), fields(limited))], [device])).toEqual([
      'p: unknown: SD, HD, UHD1, UHD2 play on box, and it is not known whether they did before',
    ]);
  });

  test('belong to the change of the VMP statuses where that causes them, with the policies under which they hold', () => {
    const [same, other] = [atLevel(1), atLevel(2)];
    const policies = [
      policy('same', same, same),
      policy('other', other, other),
      policy('changed', same, fields({ fairplay: { rental: true } })),
    ];
    expect(reasonLines(policies, [weak, strong], [[], ['PLATFORM_SOFTWARE_VERIFIED']])).toEqual([
      'vmp: stops: weak plays nothing any more under changed, same and the default policy',
    ]);
  });

  test('are none of a policy that is created or deleted', () => {
    expect(reasonLines([policy('new', null, atLevel(3)), policy('old', atLevel(3), null)], [weak])).toEqual([]);
  });

  test('are apart for classes that are expected to play and for those that are not', () => {
    const odd = { ...weak, id: 'odd', name: 'odd', expected: false };
    expect(reasonLines([policy('p', atLevel(1), atLevel(3))], [weak, odd])).toEqual([
      'p: stops: weak plays nothing any more',
      'p: stops: odd plays nothing any more (not expected)',
    ]);
  });
});

describe('a class of devices is expected to play', () => {
  test.each([
    ['an Apple device', fairplay(), true],
    ['a verified browser', widevine({ vmp_status: 'PLATFORM_HARDWARE_VERIFIED' }), true],
    ['a device that reports no verification', widevine({ vmp_status: 'PLATFORM_NO_VERIFICATION' }), true],
    ['a device of which no status is known', widevine({ vmp_status: null, srm: 'unknown' }), true],
    ['an unverified browser', widevine({ vmp_status: 'PLATFORM_UNVERIFIED' }), false],
    ['a tampered browser', widevine({ vmp_status: 'PLATFORM_TAMPERED' }), false],
    ['a device with an outdated SRM', widevine({ srm: 'outdated' }), false],
    ['a PlayReady device', playready(), true],
    ['a virtual machine', playready({ virtual_machine: true }), false],
  ])('by default: %s, %s', (_what, device, expected) => {
    expect(isExpected(device)).toBe(expected);
    expect(isExpected({ ...device, expected: !expected })).toBe(!expected);
  });
});
