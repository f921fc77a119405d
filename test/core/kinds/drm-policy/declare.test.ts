import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drmPolicy } from '../../../../src/core/kinds/drm-policy/index.ts';
import { isObject, type Json } from '../../../../src/core/model/json.ts';
import { anyText, assertProperty } from '../../../support/property.ts';
import { declareServices, onlyItem } from '../fixtures.ts';
import { defaultPolicy, isValid, nested, settingsArbitrary, tables, withEverySetting } from './policies.ts';

function declare(drm_policies: { readonly [name: string]: Json }) {
  return drmPolicy.declare({ drm_policies }, declareServices).resources;
}

describe('declaring a policy', () => {
  test('without settings gives the documented default policy', () => {
    expect(onlyItem(declare({ premium: {} }))).toEqual({
      address: 'drm-policy/premium',
      displayName: 'premium',
      remoteName: 'premium',
      fields: { policy_name: 'premium', ...defaultPolicy },
      declaredFields: {},
      matchKeys: [{ remoteName: 'premium' }],
      mayMatchByBinding: true,
      path: ['drm_policies', 'premium'],
    });
    expect(drmPolicy.defaults()).toEqual(defaultPolicy);
  });

  test('gives no resource where the section is absent', () => {
    expect(drmPolicy.declare({}, declareServices)).toEqual({ resources: [], findings: [] });
  });

  test.each(['\u0000', 'tab\tbed', 'two\nlines', '\u001b[31mred', '\u007f', '\u0085'])('warns where its name is %j', (name) => {
    expect(onlyItem(drmPolicy.declare({ drm_policies: { [name]: {} } }, declareServices).findings)).toMatchObject({
      severity: 'warning',
      code: 'control-character',
      path: ['drm_policies', name],
      hint: expect.stringContaining('name'),
    });
  });

  test.each(['a b', 'a/b', '$', 'Ünïcode 🎬', '\u202e', '%', '*'])('accepts the name %j', (name) => {
    expect(drmPolicy.declare({ drm_policies: { [name]: {} } }, declareServices).findings).toEqual([]);
  });

  test('gives fields with its track types as keys, in any order', () => {
    const list = [{ track_type: 'AUDIO' }, { track_type: 'ALL_VIDEO', security_level: 2 }];
    const [one, other] = [list, list.toReversed()].map((content_key_specs) =>
      onlyItem(declare({ p: { widevine: { content_key_specs } } })),
    );
    expect(one?.fields).toMatchObject({
      widevine: { content_key_specs: { AUDIO: { security_level: 1 }, ALL_VIDEO: { security_level: 2 } } },
    });
    expect(one).toEqual(other);
  });

  test('sends the written settings, with tracks in the order of the API document', () => {
    const policy_overrides = { can_play: false, can_persist: true };
    const widevine = { content_key_specs: [{ track_type: 'AUDIO' }, { security_level: 2 }], policy_overrides };
    expect(onlyItem(declare({ p: { fairplay: { lease: false }, widevine } })).declaredFields).toEqual({
      fairplay: { lease: false },
      widevine: {
        content_key_specs: [{ security_level: 2 }, { track_type: 'AUDIO' }],
        policy_overrides,
      },
    });
  });

  test('does not add a missing `can_play` to other overrides, and reports it as an error', () => {
    const policy_overrides = { can_persist: true };
    const { resources, findings } = drmPolicy.declare({ drm_policies: { p: { widevine: { policy_overrides } } } }, declareServices);
    expect(onlyItem(resources).declaredFields).toEqual({ widevine: { policy_overrides } });
    expect(findings.map(({ severity, code }) => [severity, code])).toContainEqual(['error', 'overrides-without-can-play']);
  });

  test('that names a track twice gives fields that differ from those of every valid policy', () => {
    const content_key_specs = [{ track_type: 'ALL' }, { track_type: 'ALL', security_level: 2 }, { track_type: 'ALL' }];
    const { fields } = onlyItem(declare({ p: { widevine: { content_key_specs } } }));
    const keys =
      isObject(fields.widevine) && isObject(fields.widevine.content_key_specs) ? Object.keys(fields.widevine.content_key_specs) : [];
    expect(keys).toEqual(['ALL', 'ALL (2)', 'ALL (3)']);
  });

  test('gives the same fields whether or not it writes out its defaults, and in any order of its settings', () => {
    assertProperty(
      fc.property(settingsArbitrary, (settings) => {
        expect(isValid(settings)).toBe(true);
        const { fields } = onlyItem(declare({ p: settings }));
        expect(isValid(withEverySetting(fields))).toBe(true);
        expect(onlyItem(declare({ p: withEverySetting(fields) })).fields).toEqual(fields);
        const shuffled: Json = JSON.parse(JSON.stringify(settings, reversedMembers));
        expect(onlyItem(declare({ p: shuffled })).fields).toEqual(fields);
      }),
    );
  });
});

function reversedMembers(_member: string, value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).toReversed()) : value;
}

describe('the address of a policy', () => {
  test.each([
    ['premium-4K_v1.0', 'premium-4K_v1.0'],
    ['UHD premium', 'UHD%20premium'],
    ['a/b*c~d', 'a%2Fb%2Ac%7Ed'],
    ["it's (new)!", 'it%27s%20%28new%29%21'],
    ['100 %', '100%20%25'],
    ['prämie 🎬', 'pr%C3%A4mie%20%F0%9F%8E%AC'],
  ])('named %j is drm-policy/%s', (name, encoded) => {
    expect(onlyItem(declare({ [name]: {} })).address).toBe(`drm-policy/${encoded}`);
  });

  test('can be decoded, and has no special character of paths and globs', () => {
    assertProperty(
      fc.property(anyText({ minLength: 1 }), (name) => {
        const encoded = onlyItem(declare({ [name]: {} })).address.slice('drm-policy/'.length);
        expect(encoded).toMatch(/^[A-Za-z0-9._%-]+$/);
        expect(decodeURIComponent(encoded)).toBe(name);
      }),
    );
  });

  test('exists even for a name with a lone surrogate', () => {
    expect(onlyItem(declare({ 'a\ud800': {} })).address).toBe('drm-policy/a%EF%BF%BD');
  });
});

describe('the schema of a policy', () => {
  test.each(tables)('allows %s only the values of its table', (setting, allowed) => {
    for (const value of allowed) expect(isValid(nested(setting, value)), String(value)).toBe(true);
    for (const value of [7, 99, 'hd', 'HDCP_V3', String(allowed[0]).toLowerCase() === allowed[0] ? null : String(allowed[0]).toLowerCase()])
      expect(isValid(nested(setting, value)), String(value)).toBe(false);
  });

  test.each([
    'fairplay.key_duration_seconds',
    'fairplay.lease_duration_seconds',
    'fairplay.persistence_duration_seconds',
    'fairplay.playback_duration_seconds',
    'fairplay.rental_duration_seconds',
    'widevine.policy_overrides.license_duration_seconds',
    'widevine.policy_overrides.playback_duration_seconds',
    'widevine.policy_overrides.rental_duration_seconds',
    'playready.license_begin_seconds',
    'playready.license_duration_seconds',
    'playready.playback_duration_seconds',
  ])('allows %s whole seconds from 0', (setting) => {
    expect([0, 1, 86400].map((value) => isValid(nested(setting, value)))).toEqual([true, true, true]);
    expect([-1, 0.5, '60', true, null].map((value) => isValid(nested(setting, value)))).toEqual([false, false, false, false, false]);
  });

  test.each(['_id', 'policy_name', 'created', 'lastmod', 'lmsig', 'owner', 'fairplay.hdd', 'playready.hd.hdcp', 'widevine.policy'])(
    'rejects the unknown setting %s',
    (setting) => {
      expect(isValid(nested(setting, {}))).toBe(false);
    },
  );

  test('rejects an empty list of tracks, and accepts a policy without settings', () => {
    expect(isValid({ widevine: { content_key_specs: [] } })).toBe(false);
    expect(isValid({})).toBe(true);
  });

  test('describes every setting', () => {
    const parts: unknown[] = [drmPolicy.schema];
    for (const part of parts) {
      if (!isObject(part)) continue;
      for (const group of [part.properties, part.definitions]) {
        for (const [name, inner] of Object.entries(isObject(group) ? group : {})) {
          expect(inner, name).toMatchObject({ description: expect.stringMatching(/\S{3,}/) });
          parts.push(inner);
        }
      }
    }
    expect(parts.length).toBeGreaterThan(60);
  });
});
