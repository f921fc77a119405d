/** Playback under a policy: the tables of drm-api-v3 sections 2.2 to 2.4, each value for each kind of device that it may affect. */
import { describe, expect, test } from 'vitest';
import { type Device, HDCP_VERSIONS } from '../../../src/core/device-impact/device.ts';
import { evaluateDevice, evaluateDevices } from '../../../src/core/device-impact/evaluate.ts';
import { canonical } from '../../../src/core/kinds/drm-policy/model.ts';
import { RESOLUTIONS } from '../../../src/core/model/impact.ts';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import { fairplay, playback, playready, policyForAllTracks, policyUnderTest, restrictingRules, widevine } from './fixtures.ts';

/** One letter for each playback level, so that a table fits on a screen. */
const LETTERS: { readonly [playback: string]: string } = { plays: 'P', restricted: 'L', refused: 'R', unknown: '?' };
const letters = (levels: readonly string[]) => levels.map((level) => LETTERS[level]).join(' ');

describe('playback with FairPlay (drm-api-v3 section 2.2)', () => {
  const hd = (rules: { readonly [name: string]: Json }) => policyUnderTest({ fairplay: { hd: rules } });

  // HDCP of the path:       none 1.x 2.0 2.1 2.2
  test.each([
    ['digital', -1, 'P P P P P'],
    ['digital', 0, 'R P P P P'],
    ['digital', 1, 'R R R R P'],
    ['repeater', -1, 'P P P P P'],
    ['repeater', 0, 'R P P P P'],
    ['repeater', 1, 'R R R R P'],
    ['av_adapter', -1, 'P P P P P'],
    ['av_adapter', 0, 'R P P P P'],
    ['av_adapter', 1, 'R R R R P'],
    ['internal', -1, 'P P P P P'],
    ['internal', 0, 'P P P P P'],
    ['internal', 1, 'P P P P P'],
    ['airplay', -1, 'P P P P P'],
    ['airplay', 0, '? ? ? ? ?'],
    ['airplay', 1, '? ? ? ? ?'],
    ['analog', -1, 'P P P P P'],
    ['analog', 0, '? ? ? ? ?'],
    ['analog', 1, '? ? ? ? ?'],
  ] as const)('over the output %s with hdcp_enforcement %d is, from no HDCP to 2.2, %s', (output, hdcp_enforcement, expected) => {
    const levels = HDCP_VERSIONS.map((hdcp) => playback(hd({ hdcp_enforcement }), fairplay({ outputs: [output], hdcp })));
    expect(letters(levels)).toBe(expected);
  });

  test('is refused over AirPlay or the AV adapter if the setting for that output forbids it', () => {
    for (const [setting, closed] of [
      ['allow_airplay', 'airplay'],
      ['allow_av_adapter', 'av_adapter'],
    ] as const)
      for (const output of ['internal', 'digital', 'airplay', 'av_adapter'] as const)
        expect(playback(hd({ [setting]: false }), fairplay({ outputs: [output] })), `${setting}, ${output}`).toBe(
          output === closed ? 'refused' : 'plays',
        );
  });

  test('follows the settings of each resolution separately', () => {
    const policy = policyUnderTest({ fairplay: { hd: { hdcp_enforcement: 1 }, uhd2: { hdcp_enforcement: 0 } } });
    const levels = RESOLUTIONS.map((resolution) => playback(policy, fairplay({ hdcp: '1.x' }), resolution));
    expect(levels).toEqual(['plays', 'refused', 'plays', 'plays']);
  });

  test('has the lease as a condition, and is unknown if the lease has no duration', () => {
    expect(playback(policyUnderTest({ fairplay: { lease: true } }), fairplay())).toBe('unknown');
    const leased = policyUnderTest({ fairplay: { lease: true, persistence: true, lease_duration_seconds: 600, key_duration_seconds: 60 } });
    expect(evaluateDevice(leased, fairplay()).HD).toMatchObject({
      playback: 'plays',
      rules: [{ text: expect.stringContaining('600 s') }, {}],
    });
  });

  test('is restricted without persistence on a device that is used offline', () => {
    const phone = fairplay({ outputs: ['internal'], offline: true });
    expect(restrictingRules(policyUnderTest(), phone)).toMatchObject([
      { outcome: 'refused', text: 'not allowed', output: 'offline', field: '/fairplay/persistence' },
    ]);
    expect(playback(policyUnderTest(), phone)).toBe('restricted');
    expect(restrictingRules(policyUnderTest({ fairplay: { rental: true } }), phone)).toMatchObject([
      { outcome: 'restricted', text: 'only as a rental', output: 'offline', field: '/fairplay/rental' },
    ]);
    expect(restrictingRules(policyUnderTest({ fairplay: { persistence: true } }), phone)).toEqual([]);
  });
});

describe('playback with Widevine (drm-api-v3 section 2.3)', () => {
  const output = (required_output_protection: { readonly [name: string]: Json }) => policyForAllTracks({ required_output_protection });

  // Level of the device:  1 2 3 4 5
  test.each([
    [1, 'P P P P P'],
    [2, 'R P P P P'],
    [3, 'R R P P P'],
    [4, 'R R R P P'],
    [5, 'R R R R P'],
  ])('with security_level %d is, from device level 1 to 5, %s', (security_level, expected) => {
    const policy = policyForAllTracks({ security_level, required_output_protection: { hdcp: 'HDCP_NONE' } });
    const levels = [1, 2, 3, 4, 5].map((present) => playback(policy, widevine({ security_level: present, vmp_status: 'OK' })));
    expect(letters(levels)).toBe(expected);
  });

  // HDCP of the path:                    none 1.x 2.0 2.1 2.2
  test.each([
    ['digital', 'HDCP_NONE', 'P P P P P'],
    ['digital', 'HDCP_V1', 'R P P P P'],
    ['digital', 'HDCP_V2', 'R R P P P'],
    ['digital', 'HDCP_V2_1', 'R R R P P'],
    ['digital', 'HDCP_V2_2', 'R R R R P'],
    ['digital', 'HDCP_NO_DIGITAL_OUTPUT', 'R R R R R'],
    ['repeater', 'HDCP_NONE', 'P P P P P'],
    ['repeater', 'HDCP_V1', '? P P P P'],
    ['repeater', 'HDCP_V2', '? ? P P P'],
    ['repeater', 'HDCP_V2_1', '? ? ? P P'],
    ['repeater', 'HDCP_V2_2', '? ? ? ? P'],
    ['repeater', 'HDCP_NO_DIGITAL_OUTPUT', 'R R R R R'],
    ['analog', 'HDCP_NONE', 'P P P P P'],
    ['analog', 'HDCP_V1', '? P P P P'],
    ['analog', 'HDCP_V2_2', '? ? ? ? P'],
    ['analog', 'HDCP_NO_DIGITAL_OUTPUT', '? ? ? ? ?'],
    ['internal', 'HDCP_V2_2', 'P P P P P'],
    ['internal', 'HDCP_NO_DIGITAL_OUTPUT', 'P P P P P'],
  ] as const)('over the output %s with %s is, from no HDCP to 2.2, %s', (way, hdcp, expected) => {
    const levels = HDCP_VERSIONS.map((present) => playback(output({ hdcp }), widevine({ outputs: [way], hdcp: present })));
    expect(letters(levels)).toBe(expected);
  });

  test('is refused over an analog output if analog output is disabled, and restricted if another output remains', () => {
    const policy = output({ disable_analog_output: true });
    expect(playback(policy, widevine({ outputs: ['analog'] }))).toBe('refused');
    expect(playback(policy, widevine({ outputs: ['digital'] }))).toBe('plays');
    expect(playback(policy, widevine({ outputs: ['digital', 'analog'] }))).toBe('restricted');
  });

  // Analog output that can carry CGMS-A, one that cannot, a desktop browser, a digital output.
  test.each([
    ['CGMS_NONE', 'P P P P'],
    ['COPY_FREE', 'P ? ? P'],
    ['COPY_ONCE', 'P ? ? P'],
    ['COPY_NEVER', 'P ? ? P'],
  ])('with cgms_flags %s is %s', (cgms_flags, expected) => {
    const devices = [
      widevine({ outputs: ['analog'] }),
      widevine({ outputs: ['analog'], cgms_a: false }),
      widevine({ desktop_browser: true }),
      widevine(),
    ];
    expect(letters(devices.map((device) => playback(output({ cgms_flags }), device)))).toBe(expected);
  });

  // List of revoked devices: current, outdated, unknown.
  test.each([
    ['HDCP_SRM_RULE_NONE', 'P P P'],
    ['CURRENT_SRM', 'P R ?'],
  ])('with hdcp_srm_rule %s is, for a current, an outdated and an unknown list, %s', (hdcp_srm_rule, expected) => {
    const levels = (['current', 'outdated', 'unknown'] as const).map((srm) => playback(output({ hdcp_srm_rule }), widevine({ srm })));
    expect(letters(levels)).toBe(expected);
  });

  test('follows policy_overrides on all tracks', () => {
    const policy = (policy_overrides: { readonly [name: string]: Json }) => policyUnderTest({ widevine: { policy_overrides } });
    expect(restrictingRules(policy({ can_play: false }), widevine())).toMatchObject([
      { outcome: 'refused', field: '/widevine/policy_overrides/can_play', section: 'drm-api-v3 2.3' },
    ]);
    expect(restrictingRules(policy({ can_play: true }), widevine({ offline: true }))).toMatchObject([
      { outcome: 'refused', text: 'not allowed', output: 'offline' },
    ]);
    expect(playback(policy({ can_play: true, license_duration_seconds: 0 }), widevine())).toBe('unknown');
    expect(evaluateDevice(policy({ can_play: true, license_duration_seconds: 60 }), widevine()).HD.rules).toMatchObject([
      { outcome: 'plays', text: 'playback stops 60 s after the license is issued' },
    ]);
  });

  test('is refused by can_play alone, without rules of other settings', () => {
    const overrides = { can_play: false, license_duration_seconds: 60, can_persist: false };
    const content_key_specs = [{ track_type: 'ALL', security_level: 5, required_output_protection: { hdcp: 'HDCP_V2_2' } }];
    const stopped = policyUnderTest({ widevine: { policy_overrides: overrides, content_key_specs } });
    expect(evaluateDevice(stopped, widevine({ offline: true })).HD).toEqual({
      playback: 'refused',
      rules: [
        {
          outcome: 'refused',
          text: 'playback is not allowed',
          field: '/widevine/policy_overrides/can_play',
          section: 'drm-api-v3 2.3',
        },
      ],
    });
  });

  test('is unknown if the key for the audio track is refused', () => {
    const specs = [
      { track_type: 'ALL_VIDEO', security_level: 1 },
      { track_type: 'AUDIO', security_level: 3, required_output_protection: { hdcp: 'HDCP_NONE' } },
    ];
    const policy = policyUnderTest({ widevine: { content_key_specs: specs } });
    expect(playback(policy, widevine({ security_level: 3 }))).toBe('plays');
    expect(restrictingRules(policy, widevine({ security_level: 1 }))).toMatchObject([
      {
        outcome: 'unknown',
        text: 'sound: needs security_level 3, has 1',
        field: '/widevine/content_key_specs/AUDIO/security_level',
      },
    ]);
    expect(playback(policy, widevine({ security_level: 1 }))).toBe('unknown');
  });

  test('is certain only as far as several elements for one track have the same outcome', () => {
    const specs = [
      { track_type: 'ALL', security_level: 1 },
      { track_type: 'HD', security_level: 3, required_output_protection: { hdcp: 'HDCP_V1' } },
    ];
    const policy = policyUnderTest({ widevine: { content_key_specs: specs } });
    const at = (security_level: number) => RESOLUTIONS.map((resolution) => playback(policy, widevine({ security_level }), resolution));
    expect(at(5)).toEqual(['plays', 'plays', 'plays', 'plays']);
    expect(at(1)).toEqual(['plays', 'unknown', 'plays', 'plays']);
    expect(restrictingRules(policy, widevine({ security_level: 1 })).map((rule) => rule.field)).toEqual([
      '/widevine/content_key_specs',
      '/widevine/content_key_specs/HD/security_level',
    ]);
  });

  test('is unknown on a track that no element covers', () => {
    const { fields } = canonical({ widevine: { content_key_specs: [{ track_type: 'SD' }] } });
    expect(playback({ policy: fields, vmp: [] }, widevine(), 'HD')).toBe('unknown');
    expect(restrictingRules({ policy: fields, vmp: [] }, widevine(), 'SD')).toMatchObject([
      { text: expect.stringContaining('AUDIO tracks') },
    ]);
  });

  test('is unknown on every track beside an element of a track type that the API documents do not list, unless all playback is forbidden', () => {
    for (const track_type of ['UHD3', 'hd', '', 'HD (2)']) {
      const content_key_specs = [{ track_type: 'ALL' }, { track_type, security_level: 5 }];
      const { fields } = canonical({ widevine: { content_key_specs } });
      expect(RESOLUTIONS.map((resolution) => playback({ policy: fields, vmp: [] }, widevine(), resolution))).toEqual(
        RESOLUTIONS.map(() => 'unknown'),
      );
      expect(restrictingRules({ policy: fields, vmp: [] }, widevine())[0]).toMatchObject({
        field: `/widevine/content_key_specs/${JSON.stringify(track_type)}`,
        text: `the API documents do not say what track type ${JSON.stringify(track_type)} is`,
      });
      expect(playback({ policy: fields, vmp: [] }, fairplay())).toBe('plays');
      const stopped = canonical({ widevine: { content_key_specs, policy_overrides: { can_play: false } } });
      expect(playback({ policy: stopped.fields, vmp: [] }, widevine())).toBe('refused');
    }
  });

  test('is unknown with a value that the API documents do not list', () => {
    const specs = [{ track_type: 'ALL', required_output_protection: { hdcp: 'HDCP_V3' } }];
    const { fields } = canonical({ widevine: { content_key_specs: specs } });
    expect(playback({ policy: fields, vmp: [] }, widevine())).toBe('unknown');
  });

  test.each<[string, JsonObject, Device, string]>([
    ['widevine', { widevine: 5 }, widevine(), '/widevine/policy_overrides'],
    ['can_play', { widevine: { policy_overrides: { can_play: 'yes' } } }, widevine(), '/widevine/policy_overrides/can_play'],
    [
      'license_duration_seconds',
      { widevine: { policy_overrides: { license_duration_seconds: 'long' } } },
      widevine(),
      '/widevine/policy_overrides/license_duration_seconds',
    ],
    [
      'security_level',
      { widevine: { content_key_specs: [{ security_level: 'high' }] } },
      widevine(),
      '/widevine/content_key_specs/ALL/security_level',
    ],
    ['content_key_specs', { widevine: { content_key_specs: { HD: {} } } }, widevine(), '/widevine/content_key_specs'],
    ['key_duration_seconds', { fairplay: { key_duration_seconds: {} } }, fairplay(), '/fairplay/key_duration_seconds'],
    ['hd', { playready: { hd: [] } }, playready(), '/playready/hd/security_level'],
  ])('is unknown where `%s` has another type than documented', (_name, settings, device, field) => {
    const underTest = { policy: canonical(settings).fields, vmp: [] };
    expect(playback(underTest, device, 'HD')).toBe('unknown');
    expect(evaluateDevice(underTest, device).HD.rules.map((rule) => rule.field)).toContain(field);
  });
});

describe('playback with PlayReady (drm-api-v3 section 2.4)', () => {
  const hd = (rules: { readonly [name: string]: Json }) => policyUnderTest({ playready: { hd: rules } });

  // Level of the device:    150 2000 3000
  test.each([
    [150, 'P P P'],
    [2000, 'R P P'],
    [3000, 'R R P'],
  ])('with security_level %d is, on devices of level 150, 2000 and 3000, %s', (security_level, expected) => {
    const levels = [150, 2000, 3000].map((present) => playback(hd({ security_level }), playready({ security_level: present })));
    expect(letters(levels)).toBe(expected);
  });

  // HDCP of the path:           none 1.x 2.0 2.1 2.2
  test.each([
    [100, false, 'P P P P P'],
    [250, false, 'P P P P P'],
    [270, false, 'L P P P P'],
    [300, false, 'R P P P P'],
    [301, false, 'R R R R R'],
    [100, true, 'P P P P P'],
    [250, true, '? ? ? ? P'],
    [270, true, '? ? ? ? P'],
    [300, true, 'R R R R P'],
    [301, true, 'R R R R R'],
  ])('with digital_video_protection_level %d and require_hdcp_type_1 %s is, from no HDCP to 2.2, %s', (level, type1, expected) => {
    const policy = hd({ digital_video_protection_level: level, require_hdcp_type_1: type1 });
    for (const output of ['digital', 'repeater'] as const) {
      const levels = HDCP_VERSIONS.map((hdcp) => playback(policy, playready({ outputs: [output], hdcp })));
      expect(letters(levels), output).toBe(expected);
    }
    expect(playback(policy, playready({ outputs: ['internal'], hdcp: 'none' }))).toBe('plays');
  });

  // Analog output that can carry CGMS-A, one that cannot, a digital output.
  test.each([
    [100, 'P P P'],
    [150, 'P P P'],
    [200, 'P R P'],
    [201, 'R R P'],
  ])('with analog_video_protection_level %d is %s', (level, expected) => {
    const devices = [playready({ outputs: ['analog'] }), playready({ outputs: ['analog'], cgms_a: false }), playready()];
    expect(letters(devices.map((device) => playback(hd({ analog_video_protection_level: level }), device)))).toBe(expected);
  });

  // Digital output without HDCP, with it, the internal display.
  test.each([
    ['compressed', 100, 'P P P'],
    ['compressed', 301, 'L L P'],
    ['uncompressed', 100, 'P P P'],
    ['uncompressed', 250, 'L P P'],
    ['uncompressed', 300, 'L P P'],
    ['uncompressed', 301, 'L L P'],
  ])('with %s_digital_audio_protection_level %d is %s', (form, level, expected) => {
    const devices = [playready({ hdcp: 'none' }), playready({ hdcp: '1.x' }), playready({ outputs: ['internal'] })];
    const policy = hd({ [`${form}_digital_audio_protection_level`]: level });
    expect(letters(devices.map((device) => playback(policy, device)))).toBe(expected);
  });

  test('is refused on a virtual machine without the play enabler', () => {
    expect(playback(hd({ play_enabler: true }), playready({ virtual_machine: true }))).toBe('plays');
    expect(playback(hd({ play_enabler: false }), playready({ virtual_machine: true }))).toBe('refused');
    expect(playback(hd({ play_enabler: false }), playready())).toBe('plays');
  });

  test('names the resolution limit of level 270 with its field and section', () => {
    expect(restrictingRules(hd({ digital_video_protection_level: 270 }), playready({ hdcp: 'none' }))).toEqual([
      {
        outcome: 'restricted',
        text: 'without HDCP an effective resolution of at most 520,000 pixels per frame',
        field: '/playready/hd/digital_video_protection_level',
        section: 'drm-api-v3 2.4',
        output: 'digital',
      },
    ]);
  });

  test('follows the license settings', () => {
    const policy = (playready: { readonly [name: string]: Json }) => policyUnderTest({ playready });
    const stopped = policy({ can_play: false, can_persist: false, hd: { security_level: 3000, digital_video_protection_level: 301 } });
    expect(evaluateDevice(stopped, playready({ offline: true })).HD).toMatchObject({
      playback: 'refused',
      rules: [{ text: 'playback is not allowed' }],
    });
    expect(playback(policy({}), playready({ offline: true }))).toBe('restricted');
    expect(playback(policy({ can_persist: true }), playready({ offline: true }))).toBe('plays');
    expect(playback(policy({ license_duration_seconds: 0 }), playready())).toBe('unknown');
    const text = (realtime_expiration: boolean) => evaluateDevice(policy({ realtime_expiration }), playready()).HD.rules[0]?.text;
    expect([text(true), text(false)]).toEqual([
      'playback stops 86400 s after the license is created',
      'no session begins later than 86400 s after the license is created',
    ]);
  });
});

describe('playback with rejected VMP statuses (drm-api-v3 section 2.6)', () => {
  // Status of the device: SOFTWARE, HARDWARE, unknown.
  test.each([
    ['no status', 'P P P', []],
    ['SOFTWARE', 'R P ?', ['SOFTWARE']],
    ['HARDWARE and SOFTWARE', 'R R ?', ['HARDWARE', 'SOFTWARE']],
    ['an unknown set', '? ? ?', null],
  ])('with %s rejected is, for SOFTWARE, HARDWARE and an unknown status, %s', (_name, expected, vmp) => {
    const levels = ['SOFTWARE', 'HARDWARE', null].map((vmp_status) => playback(policyUnderTest({}, vmp), widevine({ vmp_status })));
    expect(letters(levels)).toBe(expected);
    expect(playback(policyUnderTest({}, vmp), fairplay())).toBe('plays');
    expect(playback(policyUnderTest({}, vmp), playready())).toBe('plays');
  });
});

test('refuses playback regardless of rules with an unknown outcome, and lists every rule', () => {
  const policy = policyForAllTracks({ security_level: 3, required_output_protection: { hdcp: 'HDCP_V1' } }, null);
  const device = widevine({ security_level: 1, hdcp: 'none' });
  expect(playback(policy, device)).toBe('refused');
  expect(restrictingRules(policy, device).map((rule) => rule.outcome)).toEqual(['unknown', 'refused', 'refused', 'unknown', 'unknown']);
});

test('returns a matrix with one row per device', () => {
  const rows = evaluateDevices(policyUnderTest(), [fairplay({ id: 'a', name: 'A' }), playready({ id: 'b' })]);
  expect(rows.map(({ device, name, system }) => [device, name, system])).toEqual([
    ['a', 'A', 'fairplay'],
    ['b', 'd', 'playready'],
  ]);
});
