import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import schema from '../../schemas/configuration.schema.json' with { type: 'json' };
import { declaredDevice } from '../../src/device-impact/custom-devices.ts';
import { CATALOGUE } from '../../src/device-impact/devices/index.ts';

const accepts = new Ajv({ allErrors: true, strict: false }).compile({ $ref: '#/definitions/device', definitions: schema.definitions });

test('the catalogue holds these classes, each once', () => {
  expect(CATALOGUE.map((device) => `${device.id}: ${device.name}`)).toEqual([
    'desktop-browser-software: desktop browser, software Widevine',
    'desktop-browser-hardware: desktop browser, hardware Widevine',
    'android-phone-l1: Android phone, Widevine L1',
    'android-phone-l3: Android phone, Widevine L3',
    'android-tv: Android TV',
    'chromecast: Chromecast-like',
    'smart-tv: smart TV, PlayReady 3000',
    'edge-2000: Windows Edge, PlayReady 2000',
    'edge-3000: Windows Edge, PlayReady 3000',
    'xbox: Xbox-like',
    'iphone: iPhone',
    'iphone-mirrored: iPhone, mirrored through the AV adapter',
    'iphone-airplay: iPhone, over AirPlay',
    'mac-hdmi-1-4: Mac with an HDMI 1.4 monitor',
    'mac-hdcp-2-2: Mac with an HDCP 2.2 monitor',
    'set-top-box-analog: set-top box with analog output',
    'hdcp-repeater: player behind an HDCP 2.0 repeater',
  ]);
});

test.each(CATALOGUE.map((device) => [device.id, device] as const))('%s could be declared by a user', (id, { id: _id, ...device }) => {
  expect(accepts(device), JSON.stringify(accepts.errors)).toBe(true);
  expect(declaredDevice(id, device)).toEqual({ id, ...device });
});

describe('a declared device', () => {
  test('takes the defaults that the schema names', () => {
    expect(declaredDevice('lobby', { system: 'widevine', security_level: 3, outputs: ['digital'] })).toEqual({
      id: 'lobby',
      name: 'lobby',
      system: 'widevine',
      security_level: 3,
      hdcp: 'none',
      outputs: ['digital'],
      vmp_status: null,
      cgms_a: false,
      srm: 'unknown',
      desktop_browser: false,
      offline: false,
    });
    expect(declaredDevice('vm', { system: 'playready', security_level: 2000, outputs: ['internal'] })).toMatchObject({
      virtual_machine: false,
      cgms_a: false,
    });
    expect(declaredDevice('tablet', { system: 'fairplay', outputs: ['airplay'] })).not.toHaveProperty('security_level');
  });

  test.each([
    ['no system', { outputs: ['internal'] }],
    ['an unknown system', { system: 'clearkey', outputs: ['internal'] }],
    ['no level', { system: 'widevine', outputs: ['internal'] }],
    ['an unknown output', { system: 'fairplay', outputs: ['hologram'] }],
    ['an unknown HDCP version', { system: 'fairplay', outputs: ['digital'], hdcp: '3.0' }],
    ['an unknown state of its list', { system: 'widevine', security_level: 1, outputs: ['digital'], srm: 'old' }],
  ])('with %s is refused by schema and reader', (_name, device) => {
    expect(accepts(device)).toBe(false);
    expect(() => declaredDevice('x', device)).toThrow(TypeError);
  });

  test.each([
    ["a level of another system's scale", { system: 'widevine', security_level: 2000, outputs: ['internal'] }],
    ['no output', { system: 'fairplay', outputs: [] }],
    ['an output twice', { system: 'fairplay', outputs: ['digital', 'digital'] }],
    ['AirPlay under PlayReady', { system: 'playready', security_level: 2000, outputs: ['airplay'] }],
    ['a level under FairPlay', { system: 'fairplay', security_level: 3, outputs: ['internal'] }],
    ['a member nobody knows', { system: 'fairplay', outputs: ['internal'], hdpc: '2.2' }],
  ])('with %s is refused by the schema', (_name, device) => {
    expect(accepts(device)).toBe(false);
  });
});
