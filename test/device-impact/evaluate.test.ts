/** What devices do under a policy: the tables of drm-api-v3 sections 2.2 to 2.4, every value against every kind of device that could tell. */
import { describe, expect, test } from 'vitest';
import { HDCP_VERSIONS } from '../../src/device-impact/device.ts';
import { evaluateDevice, evaluateDevices } from '../../src/device-impact/evaluate.ts';
import { canonical } from '../../src/kinds/drm-policy/model.ts';
import { RESOLUTIONS } from '../../src/model/impact.ts';
import type { Json } from '../../src/model/json.ts';
import { causes, fairplay, forAll, playback, playready, protection, widevine } from './fixtures.ts';

/** One letter a playback, so that a table fits a screen. */
const LETTERS: { readonly [playback: string]: string } = { plays: 'P', restricted: 'L', refused: 'R', unknown: '?' };
const letters = (answers: readonly string[]) => answers.map((answer) => LETTERS[answer]).join(' ');

describe('FairPlay (2.2)', () => {
  const hd = (rules: { readonly [name: string]: Json }) => protection({ fairplay: { hd: rules } });

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
  ] as const)('over %s, hdcp_enforcement %d: %s', (output, hdcp_enforcement, expected) => {
    const answers = HDCP_VERSIONS.map((hdcp) => playback(hd({ hdcp_enforcement }), fairplay({ outputs: [output], hdcp })));
    expect(letters(answers)).toBe(expected);
  });

  test('AirPlay and the AV adapter are closed one by one', () => {
    for (const [setting, closed] of [
      ['allow_airplay', 'airplay'],
      ['allow_av_adapter', 'av_adapter'],
    ] as const)
      for (const output of ['internal', 'digital', 'airplay', 'av_adapter'] as const)
        expect(playback(hd({ [setting]: false }), fairplay({ outputs: [output] })), `${setting}, ${output}`).toBe(
          output === closed ? 'refused' : 'plays',
        );
  });

  test('each resolution has its own rules', () => {
    const given = protection({ fairplay: { hd: { hdcp_enforcement: 1 }, uhd2: { hdcp_enforcement: 0 } } });
    const answers = RESOLUTIONS.map((resolution) => playback(given, fairplay({ hdcp: '1.x' }), resolution));
    expect(answers).toEqual(['plays', 'refused', 'plays', 'plays']);
  });

  test('the lease is a condition, and open without a duration', () => {
    expect(playback(protection({ fairplay: { lease: true } }), fairplay())).toBe('unknown');
    const leased = protection({ fairplay: { lease: true, persistence: true, lease_duration_seconds: 600, key_duration_seconds: 60 } });
    expect(evaluateDevice(leased, fairplay()).HD).toMatchObject({
      playback: 'plays',
      rules: [{ text: expect.stringContaining('600 s') }, {}],
    });
  });

  test('who plays offline is limited without persistence', () => {
    const phone = fairplay({ outputs: ['internal'], offline: true });
    expect(causes(protection(), phone)).toMatchObject([
      { outcome: 'restricted', text: 'no offline playback', field: '/fairplay/persistence' },
    ]);
    expect(causes(protection({ fairplay: { rental: true } }), phone)).toMatchObject([{ text: 'offline playback only as a rental' }]);
    expect(causes(protection({ fairplay: { persistence: true } }), phone)).toEqual([]);
  });
});

describe('Widevine (2.3)', () => {
  const output = (required_output_protection: { readonly [name: string]: Json }) => forAll({ required_output_protection });

  // Level of the device:  1 2 3 4 5
  test.each([
    [1, 'P P P P P'],
    [2, 'R P P P P'],
    [3, 'R R P P P'],
    [4, 'R R R P P'],
    [5, 'R R R R P'],
  ])('security_level %d: %s', (security_level, expected) => {
    const given = forAll({ security_level, required_output_protection: { hdcp: 'HDCP_NONE' } });
    const answers = [1, 2, 3, 4, 5].map((present) => playback(given, widevine({ security_level: present, vmp_status: 'OK' })));
    expect(letters(answers)).toBe(expected);
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
  ] as const)('over %s, %s: %s', (way, hdcp, expected) => {
    const answers = HDCP_VERSIONS.map((present) => playback(output({ hdcp }), widevine({ outputs: [way], hdcp: present })));
    expect(letters(answers)).toBe(expected);
  });

  test('analog outputs are closed, and what is left limits', () => {
    const given = output({ disable_analog_output: true });
    expect(playback(given, widevine({ outputs: ['analog'] }))).toBe('refused');
    expect(playback(given, widevine({ outputs: ['digital'] }))).toBe('plays');
    expect(playback(given, widevine({ outputs: ['digital', 'analog'] }))).toBe('restricted');
  });

  // Analog output that can carry CGMS-A, one that cannot, a desktop browser, a digital output.
  test.each([
    ['CGMS_NONE', 'P P P P'],
    ['COPY_FREE', 'P ? ? P'],
    ['COPY_ONCE', 'P ? ? P'],
    ['COPY_NEVER', 'P ? ? P'],
  ])('%s: %s', (cgms_flags, expected) => {
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
  ])('%s: %s', (hdcp_srm_rule, expected) => {
    const answers = (['current', 'outdated', 'unknown'] as const).map((srm) => playback(output({ hdcp_srm_rule }), widevine({ srm })));
    expect(letters(answers)).toBe(expected);
  });

  test('the overrides count for all tracks', () => {
    const given = (policy_overrides: { readonly [name: string]: Json }) => protection({ widevine: { policy_overrides } });
    expect(causes(given({ can_play: false }), widevine())).toMatchObject([
      { outcome: 'refused', field: '/widevine/policy_overrides/can_play', section: 'drm-api-v3 2.3' },
    ]);
    expect(causes(given({ can_play: true }), widevine({ offline: true }))).toMatchObject([
      { outcome: 'restricted', text: 'no offline playback' },
    ]);
    expect(playback(given({ can_play: true, license_duration_seconds: 0 }), widevine())).toBe('unknown');
    expect(evaluateDevice(given({ can_play: true, license_duration_seconds: 60 }), widevine()).HD.rules).toMatchObject([
      { outcome: 'plays', text: 'playback stops 60 s after the license is issued' },
    ]);
  });

  test('where nothing may play, no other setting is a rule', () => {
    const overrides = { can_play: false, license_duration_seconds: 60, can_persist: false };
    const content_key_specs = [{ track_type: 'ALL', security_level: 5, required_output_protection: { hdcp: 'HDCP_V2_2' } }];
    const stopped = protection({ widevine: { policy_overrides: overrides, content_key_specs } });
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

  test('a key for the sound that is refused makes the picture depend', () => {
    const specs = [
      { track_type: 'ALL_VIDEO', security_level: 1 },
      { track_type: 'AUDIO', security_level: 3, required_output_protection: { hdcp: 'HDCP_NONE' } },
    ];
    const given = protection({ widevine: { content_key_specs: specs } });
    expect(playback(given, widevine({ security_level: 3 }))).toBe('plays');
    expect(causes(given, widevine({ security_level: 1 }))).toMatchObject([
      { outcome: 'unknown', text: 'sound: security_level 3 asked, 1 present', field: '/widevine/content_key_specs/AUDIO/security_level' },
    ]);
    expect(playback(given, widevine({ security_level: 1 }))).toBe('unknown');
  });

  test('of several elements for one track, only what they agree on is certain', () => {
    const specs = [
      { track_type: 'ALL', security_level: 1 },
      { track_type: 'HD', security_level: 3, required_output_protection: { hdcp: 'HDCP_V1' } },
    ];
    const given = protection({ widevine: { content_key_specs: specs } });
    const at = (security_level: number) => RESOLUTIONS.map((resolution) => playback(given, widevine({ security_level }), resolution));
    expect(at(5)).toEqual(['plays', 'plays', 'plays', 'plays']);
    expect(at(1)).toEqual(['plays', 'unknown', 'plays', 'plays']);
    expect(causes(given, widevine({ security_level: 1 })).map((rule) => rule.field)).toEqual([
      '/widevine/content_key_specs',
      '/widevine/content_key_specs/HD/security_level',
    ]);
  });

  test('a track that no element covers is an open question', () => {
    const { fields } = canonical({ widevine: { content_key_specs: [{ track_type: 'SD' }] } }, Error);
    expect(playback({ policy: fields, vmp: [] }, widevine(), 'HD')).toBe('unknown');
    expect(causes({ policy: fields, vmp: [] }, widevine(), 'SD')).toMatchObject([{ text: expect.stringContaining('AUDIO tracks') }]);
  });

  test('a value that the documents do not list is an open question', () => {
    const specs = [{ track_type: 'ALL', required_output_protection: { hdcp: 'HDCP_V3' } }];
    const { fields } = canonical({ widevine: { content_key_specs: specs } }, Error);
    expect(playback({ policy: fields, vmp: [] }, widevine())).toBe('unknown');
  });
});

describe('PlayReady (2.4)', () => {
  const hd = (rules: { readonly [name: string]: Json }) => protection({ playready: { hd: rules } });

  // Level of the device:    150 2000 3000
  test.each([
    [150, 'P P P'],
    [2000, 'R P P'],
    [3000, 'R R P'],
  ])('security_level %d: %s', (security_level, expected) => {
    const answers = [150, 2000, 3000].map((present) => playback(hd({ security_level }), playready({ security_level: present })));
    expect(letters(answers)).toBe(expected);
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
  ])('digital_video_protection_level %d with require_hdcp_type_1 %s: %s', (level, type1, expected) => {
    const given = hd({ digital_video_protection_level: level, require_hdcp_type_1: type1 });
    for (const output of ['digital', 'repeater'] as const) {
      const answers = HDCP_VERSIONS.map((hdcp) => playback(given, playready({ outputs: [output], hdcp })));
      expect(letters(answers), output).toBe(expected);
    }
    expect(playback(given, playready({ outputs: ['internal'], hdcp: 'none' }))).toBe('plays');
  });

  // Analog output that can carry CGMS-A, one that cannot, a digital output.
  test.each([
    [100, 'P P P'],
    [150, 'P P P'],
    [200, 'P R P'],
    [201, 'R R P'],
  ])('analog_video_protection_level %d: %s', (level, expected) => {
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
  ])('%s_digital_audio_protection_level %d: %s', (form, level, expected) => {
    const devices = [playready({ hdcp: 'none' }), playready({ hdcp: '1.x' }), playready({ outputs: ['internal'] })];
    const given = hd({ [`${form}_digital_audio_protection_level`]: level });
    expect(letters(devices.map((device) => playback(given, device)))).toBe(expected);
  });

  test('a virtual machine plays with the play enabler only', () => {
    expect(playback(hd({ play_enabler: true }), playready({ virtual_machine: true }))).toBe('plays');
    expect(playback(hd({ play_enabler: false }), playready({ virtual_machine: true }))).toBe('refused');
    expect(playback(hd({ play_enabler: false }), playready())).toBe('plays');
  });

  test('the cap of level 270 is named, with its field and section', () => {
    expect(causes(hd({ digital_video_protection_level: 270 }), playready({ hdcp: 'none' }))).toEqual([
      {
        outcome: 'restricted',
        text: 'without HDCP an effective resolution of at most 520,000 pixels per frame',
        field: '/playready/hd/digital_video_protection_level',
        section: 'drm-api-v3 2.4',
        output: 'digital',
      },
    ]);
  });

  test('the license limits as its settings say', () => {
    const given = (playready: { readonly [name: string]: Json }) => protection({ playready });
    const stopped = given({ can_play: false, can_persist: false, hd: { security_level: 3000, digital_video_protection_level: 301 } });
    expect(evaluateDevice(stopped, playready({ offline: true })).HD).toMatchObject({
      playback: 'refused',
      rules: [{ text: 'playback is not allowed' }],
    });
    expect(playback(given({}), playready({ offline: true }))).toBe('restricted');
    expect(playback(given({ can_persist: true }), playready({ offline: true }))).toBe('plays');
    expect(playback(given({ license_duration_seconds: 0 }), playready())).toBe('unknown');
    const text = (realtime_expiration: boolean) => evaluateDevice(given({ realtime_expiration }), playready()).HD.rules[0]?.text;
    expect([text(true), text(false)]).toEqual([
      'playback stops 86400 s after the license is created',
      'no session begins later than 86400 s after the license is created',
    ]);
  });
});

describe('the VMP set (2.6)', () => {
  // Status of the device: SOFTWARE, HARDWARE, unknown.
  test.each([
    ['nothing', [], 'P P P'],
    ['SOFTWARE', ['SOFTWARE'], 'R P ?'],
    ['both', ['HARDWARE', 'SOFTWARE'], 'R R ?'],
    ['nobody knows what', null, '? ? ?'],
  ])('rejects %s: %3$s', (_name, vmp, expected) => {
    const answers = ['SOFTWARE', 'HARDWARE', null].map((vmp_status) => playback(protection({}, vmp), widevine({ vmp_status })));
    expect(letters(answers)).toBe(expected);
    expect(playback(protection({}, vmp), fairplay())).toBe('plays');
    expect(playback(protection({}, vmp), playready())).toBe('plays');
  });
});

test('a refusal is certain whatever else is open, and every rule is listed', () => {
  const given = forAll({ security_level: 3, required_output_protection: { hdcp: 'HDCP_V1' } }, null);
  const device = widevine({ security_level: 1, hdcp: 'none' });
  expect(playback(given, device)).toBe('refused');
  expect(causes(given, device).map((rule) => rule.outcome)).toEqual(['unknown', 'refused', 'refused', 'unknown', 'unknown']);
});

test('the matrix has a row a device', () => {
  const rows = evaluateDevices(protection(), [fairplay({ id: 'a', name: 'A' }), playready({ id: 'b' })]);
  expect(rows.map(({ device, name, system }) => [device, name, system])).toEqual([
    ['a', 'A', 'fairplay'],
    ['b', 'd', 'playready'],
  ]);
});
