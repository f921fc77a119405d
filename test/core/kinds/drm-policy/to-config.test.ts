import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drmPolicy } from '../../../../src/core/kinds/drm-policy/index.ts';
import type { LiveObject } from '../../../../src/core/kinds/kind.ts';
import { isJsonObject, isList, type Json, type JsonObject } from '../../../../src/core/model/json.ts';
import { assertProperty } from '../../../support/property.ts';
import { declareServices, live, onlyItem } from '../fixtures.ts';
import { defaultPolicy, isValid, outputProtection, settingsArbitrary } from './policies.ts';

function declared(name: string, settings: Json) {
  return drmPolicy.declare({ drm_policies: { [name]: settings } }, declareServices);
}

function policy(id: string, label: string, settings: JsonObject = {}): LiveObject {
  return live(onlyItem(declared(label, settings).resources).fields, { id, remoteName: label });
}

/** The settings under which a policy is exported. */
function exported(settings: JsonObject): Json {
  return onlyItem(drmPolicy.toConfig([policy('1', 'p', settings)]).entries).value;
}

describe('the export of one policy', () => {
  test('declares the same policy again', () => {
    assertProperty(
      fc.property(settingsArbitrary, (settings) => {
        const value = exported(settings);
        const { resources, findings } = declared('p', value);
        expect(onlyItem(resources).fields).toEqual(policy('1', 'p', settings).fields);
        expect(isValid(value)).toBe(true);
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(exported(onlyItem(resources).declaredFields)).toEqual(value);
      }),
    );
  });

  test('holds no value that could be left out, but for the track type, which names an element', () => {
    /** The values that are the given one without one leaf or empty list. */
    const withoutOne = (value: Json): readonly Json[] => {
      if (isList(value)) return value.flatMap((item, index) => withoutOne(item).map((less) => value.with(index, less)));
      return Object.entries(isJsonObject(value) ? value : {}).flatMap(([member, inner]) => {
        const { [member]: _left, ...rest } = Object(value);
        if (member === 'track_type') return [];
        return isList(inner) || isJsonObject(inner)
          ? [...(Object.keys(inner).length === 0 ? [rest] : []), ...withoutOne(inner).map((less) => ({ ...Object(value), [member]: less }))]
          : [rest];
      });
    };
    assertProperty(
      fc.property(settingsArbitrary, (settings) => {
        const value = exported(settings);
        const whole = onlyItem(declared('p', value).resources).fields;
        for (const less of withoutOne(value)) {
          if (!isValid(less)) continue;
          const { resources, findings } = declared('p', less);
          const isRefused = findings.some(({ severity }) => severity === 'error');
          if (!isRefused) expect(onlyItem(resources).fields, JSON.stringify(less)).not.toEqual(whole);
        }
      }),
    );
  });

  test('leaves out the defaults', () => {
    expect(exported({})).toEqual({});
    expect(exported({ fairplay: { lease: false, hd: { allow_airplay: false, allow_av_adapter: true } } })).toEqual({
      fairplay: { hd: { allow_airplay: false } },
    });
    expect(exported({ widevine: { content_key_specs: [{ track_type: 'ALL' }], policy_overrides: { can_play: true } } })).toEqual({});
  });

  test('contains the can_play and the hdcp that the schema requires', () => {
    expect(exported({ widevine: { policy_overrides: { can_persist: true } } })).toEqual({
      widevine: { policy_overrides: { can_play: true, can_persist: true } },
    });
    expect(exported({ widevine: { content_key_specs: [{ security_level: 3 }] } })).toEqual({
      widevine: { content_key_specs: [{ track_type: 'ALL', security_level: 3, required_output_protection: { hdcp: 'HDCP_NONE' } }] },
    });
    expect(
      exported({ widevine: { content_key_specs: [{ security_level: 3, required_output_protection: { disable_analog_output: true } }] } }),
    ).toMatchObject({
      widevine: { content_key_specs: [{ required_output_protection: { hdcp: 'HDCP_NONE', disable_analog_output: true } }] },
    });
  });

  test('lists every track, in the order of the table', () => {
    const content_key_specs = [{ track_type: 'AUDIO' }, { track_type: 'ALL_VIDEO', security_level: 2 }];
    expect(exported({ widevine: { content_key_specs } })).toEqual({
      widevine: { content_key_specs: [{ track_type: 'ALL_VIDEO', security_level: 2 }, { track_type: 'AUDIO' }] },
    });
  });
});

describe('the export of all policies', () => {
  const [a, b, c] = [policy('3', 'a'), policy('2', 'b', { fairplay: { lease: true } }), policy('1', 'c')];

  test('is sorted by name, whatever the order of the account', () => {
    const { entries, notDeclarable } = drmPolicy.toConfig([c, a, b]);
    expect(notDeclarable).toEqual([]);
    expect(entries.map(({ section, key, adopt }) => [section, key, adopt])).toEqual([
      ['drm_policies', 'a', {}],
      ['drm_policies', 'b', {}],
      ['drm_policies', 'c', {}],
    ]);
    expect(drmPolicy.toConfig([b, a, c])).toEqual(drmPolicy.toConfig([c, b, a]));
    expect(entries[1]).toMatchObject({ value: { fairplay: { lease: true } }, objects: [b] });
  });

  test('adopts the first of the policies that share a name, and gives a reason for the others', () => {
    const twins = ['9', '8', '7'].map((id) => policy(id, 'uhd premium'));
    const { entries, notDeclarable } = drmPolicy.toConfig([a, ...twins]);
    expect(entries.map(({ adopt, objects }) => [adopt, objects[0]?.id])).toEqual([
      [{}, '3'],
      [{ 'drm-policy/uhd%20premium': '7' }, '7'],
    ]);
    expect(notDeclarable.map(({ object, reason }) => [object.id, reason])).toEqual([
      ['8', expect.stringContaining('policy 7 has the same name')],
      ['9', expect.stringContaining('policy 7 has the same name')],
    ]);
  });

  test('adopts the next of the policies that share a name where the first cannot be declared', () => {
    const broken = live(
      { ...policy('1', 'a').fields, playready: { ...defaultPolicy.playready, license_begin_seconds: -1 } },
      { id: '1', remoteName: 'a' },
    );
    const { entries, notDeclarable } = drmPolicy.toConfig([a, broken]);
    expect(onlyItem(entries)).toMatchObject({ key: 'a', adopt: { 'drm-policy/a': '3' } });
    expect(onlyItem(notDeclarable)).toMatchObject({
      object: broken,
      reason: expect.stringContaining('/playready/license_begin_seconds = -1'),
    });
  });

  test.each([
    ['a level', { playready: { ...defaultPolicy.playready, hd: { security_level: 9000 } } }, '/playready/hd/security_level = 9000'],
    [
      'a text',
      { widevine: { content_key_specs: { ALL: { required_output_protection: { ...outputProtection, hdcp: 'HDCP_V9' } } } } },
      'HDCP_V9',
    ],
    ['a track named twice', { widevine: { content_key_specs: { ALL: {}, 'ALL (2)': {} } } }, '/widevine/content_key_specs/ALL (2)'],
    ['a track', { widevine: { content_key_specs: { UHD3: {} } } }, '/widevine/content_key_specs/UHD3'],
  ])('leaves out a policy with %s that the API documents do not list', (_name, fields, text) => {
    const { entries, notDeclarable } = drmPolicy.toConfig([
      live({ policy_name: 'p', ...defaultPolicy, ...fields }, { id: '1', remoteName: 'p' }),
    ]);
    expect(entries).toEqual([]);
    expect(onlyItem(notDeclarable).reason).toContain(text);
  });

  test('leaves out a policy whose name is half a character', () => {
    const { entries, notDeclarable } = drmPolicy.toConfig([
      live({ policy_name: 'a\ud800', ...defaultPolicy }, { id: '1', remoteName: 'a\ud800' }),
    ]);
    expect(entries).toEqual([]);
    expect(onlyItem(notDeclarable).reason).toBe('its name is not Unicode text');
  });

  test('leaves out a policy without a name', () => {
    const { notDeclarable } = drmPolicy.toConfig([live({ policy_name: '', ...defaultPolicy }, { id: '1' })]);
    expect(onlyItem(notDeclarable).reason).toBe('it has no name');
  });
});
