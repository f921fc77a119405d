import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import schema from '../../../schemas/configuration.schema.json' with { type: 'json' };
import { customDevice } from '../../../src/core/device-impact/device.ts';

const accepts = new Ajv({ allErrors: true, strict: false }).compile({ $ref: '#/definitions/device', definitions: schema.definitions });

describe('a device that a user declares', () => {
  test('gets the defaults that the schema documents', () => {
    expect(customDevice('lobby', { system: 'widevine', security_level: 3, outputs: ['digital'] })).toEqual({
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
    expect(customDevice('vm', { system: 'playready', security_level: 2000, outputs: ['internal'] })).toMatchObject({
      virtual_machine: false,
      cgms_a: false,
    });
    expect(customDevice('tablet', { system: 'fairplay', outputs: ['airplay'] })).not.toHaveProperty('security_level');
  });

  test.each([
    ['no system', { outputs: ['internal'] }],
    ['an unknown system', { system: 'clearkey', outputs: ['internal'] }],
    ['no security level', { system: 'widevine', outputs: ['internal'] }],
    ['an unknown output', { system: 'fairplay', outputs: ['hologram'] }],
    ['an unknown HDCP version', { system: 'fairplay', outputs: ['digital'], hdcp: '3.0' }],
    ['an unknown state of its SRM', { system: 'widevine', security_level: 1, outputs: ['digital'], srm: 'old' }],
  ])('with %s is rejected by the schema and by customDevice', (_name, device) => {
    expect(accepts(device)).toBe(false);
    expect(() => customDevice('x', device)).toThrow(TypeError);
  });

  test.each([
    ["a level of another system's scale", { system: 'widevine', security_level: 2000, outputs: ['internal'] }],
    ['no output', { system: 'fairplay', outputs: [] }],
    ['an output twice', { system: 'fairplay', outputs: ['digital', 'digital'] }],
    ['AirPlay under PlayReady', { system: 'playready', security_level: 2000, outputs: ['airplay'] }],
    ['a level under FairPlay', { system: 'fairplay', security_level: 3, outputs: ['internal'] }],
    ['an unknown member', { system: 'fairplay', outputs: ['internal'], hdpc: '2.2' }],
  ])('with %s is rejected by the schema', (_name, device) => {
    expect(accepts(device)).toBe(false);
  });
});
