/** The edits of the configuration that make it declare a live policy. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setIn } from '../../../../src/core/drift/accept/document-edits.ts';
import { canonicalFieldsOf } from '../../../../src/core/kinds/drm-policy/declare.ts';
import { drmPolicy } from '../../../../src/core/kinds/drm-policy/index.ts';
import type { ConfigEdit, LiveObject, Sections } from '../../../../src/core/kinds/kind.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../src/core/model/json.ts';
import { assertProperty } from '../../../support/property.ts';
import { live } from '../fixtures.ts';
import { desired, findingsOf, isValid, settingsArbitrary } from './policies.ts';

function policy(settings: JsonObject, label = 'any'): LiveObject {
  return live({ policy_name: label, ...canonicalFieldsOf(settings) }, { id: '1', remoteName: label });
}

function configEditsOf(written: JsonObject, object: LiveObject, sections: Sections = { drm_policies: { any: written } }) {
  return drmPolicy.configEdits?.(desired('any', written), object, sections);
}

/** A setting of the policy by its path with dots, and its value. */
type EditedSetting = readonly [path: string, value: unknown];

function expectEdits(written: JsonObject, settings: JsonObject): readonly ConfigEdit[] {
  const edits = configEditsOf(written, policy(settings));
  if (edits && !('reason' in edits)) return edits;
  throw new Error(`expected edits, not: ${edits?.reason}`);
}

/** The settings that are stated, in turn. */
function editedSettings(written: JsonObject, settings: JsonObject): readonly EditedSetting[] {
  return expectEdits(written, settings).map(({ path, value }) => {
    expect(path.slice(0, 2)).toEqual(['drm_policies', 'any']);
    return [path.slice(2).join('.'), value];
  });
}

describe('a live policy that cannot be declared', () => {
  const undocumented = { playready: { hd: { security_level: 9000 } } };

  test('gives the reason that its name belongs to another key, before any other reason', () => {
    const reason = 'it is named "q\\"" now, and the name is its key here: rename the key, with `moved`';
    expect([configEditsOf({}, policy({}, 'q"')), configEditsOf({}, policy(undocumented, 'q"'))]).toEqual([{ reason }, { reason }]);
  });

  test('gives the reason that a value is not documented', () => {
    expect(configEditsOf({}, policy(undocumented))).toEqual({
      reason: 'it holds what the API documents do not list: /playready/hd/security_level = 9000',
    });
  });
});

describe('the edits of settings', () => {
  test.each<[string, JsonObject, JsonObject, readonly EditedSetting[]]>([
    ['are none where the values are equal', { fairplay: { lease: false }, playready: {} }, {}, []],
    [
      'write one setting each, at its place',
      { fairplay: { lease: true } },
      { fairplay: { lease: true, rental: true } },
      [['fairplay.rental', true]],
    ],
    ['write default values too', { playready: { can_play: false } }, {}, [['playready.can_play', true]]],
    [
      'exist at every level',
      { fairplay: { hd: { allow_airplay: false } }, playready: { license_begin_seconds: 5 } },
      { fairplay: { hd: { hdcp_enforcement: 1 } }, playready: { license_begin_seconds: 6, sd: { play_enabler: true } } },
      [
        ['fairplay.hd.allow_airplay', true],
        ['fairplay.hd.hdcp_enforcement', 1],
        ['playready.license_begin_seconds', 6],
        ['playready.sd.play_enabler', true],
      ],
    ],
  ])('%s', (_name, written, settings, edits) => {
    expect(editedSettings(written, settings).toSorted()).toStrictEqual(edits);
  });

  test.each<[string, JsonObject | null, JsonObject, readonly EditedSetting[]]>([
    [
      'first come with can_play',
      null,
      { can_persist: true },
      [
        ['can_play', true],
        ['can_persist', true],
      ],
    ],
    ['name can_play once, where it is what differs', null, { can_play: false }, [['can_play', false]]],
    [
      'name can_play among them',
      null,
      { can_play: false, can_persist: true },
      [
        ['can_play', false],
        ['can_persist', true],
      ],
    ],
    ['are told alone, where can_play is written', { can_play: true }, { can_persist: true }, [['can_persist', true]]],
    ['keep a can_play that is no', { can_play: false }, { can_play: false, can_persist: true }, [['can_persist', true]]],
    ['that agree need no can_play', null, { can_play: true }, []],
  ])('cover overrides %s', (_name, written, settings, edits) => {
    const found = editedSettings(written ? { widevine: { policy_overrides: written } } : {}, { widevine: { policy_overrides: settings } });
    expect(found).toStrictEqual(edits.map(([name, value]) => [`widevine.policy_overrides.${name}`, value]));
  });

  test('outside the overrides need no can_play', () => {
    expect(editedSettings({}, { fairplay: { persistence: true } })).toEqual([['fairplay.persistence', true]]);
  });
});

/** An element in words: `HD`, `HD 3`, `HD 3 V2`, `HD V2 analog` without and `HD V2 open` with analog outputs; `-` writes no track type. */
function trackElement(words: string): JsonObject {
  const [track = '', ...rest] = words.split(' ');
  const level = rest.find((word) => /^\d$/.test(word));
  const hdcp = rest.find((word) => /^(NONE|V\d)$/.test(word));
  const analog = rest.find((word) => word === 'analog' || word === 'open');
  const output = { ...(hdcp && { hdcp: `HDCP_${hdcp}` }), ...(analog && { disable_analog_output: analog === 'analog' }) };
  return {
    ...(track !== '-' && { track_type: track }),
    ...(level && { security_level: Number(level) }),
    ...(Object.keys(output).length > 0 && { required_output_protection: output }),
  };
}

/** A policy of such elements, apart by commas; none where there is no word. */
function specs(words: string): JsonObject {
  return words === '' ? {} : { widevine: { content_key_specs: words.split(', ').map(trackElement) } };
}

describe('the edits of content_key_specs', () => {
  const elementsEdit = (value: unknown): EditedSetting => ['widevine.content_key_specs', value];

  test.each([
    ['are none where the elements are equal', 'AUDIO, ALL_VIDEO 2', 'ALL_VIDEO 2, AUDIO 1 NONE', null],
    ['keep the settings of an element that are equal', 'ALL 1 V1 analog', 'ALL 2 V1 analog', 'ALL 2 V1 analog'],
    [
      'keep the order of the elements, and those that do not differ',
      'AUDIO 1, HD NONE, SD, UHD1, UHD2',
      'SD, HD 2, UHD1, UHD2, AUDIO',
      'AUDIO 1, HD 2 NONE, SD, UHD1, UHD2',
    ],
    ['leave out elements that are no longer live', 'ALL, HD 2, AUDIO', 'ALL, AUDIO', 'ALL, AUDIO'],
    [
      'add new elements last, in the order of the table, without defaults',
      'AUDIO 2, ALL_VIDEO',
      'UHD2 1, UHD1, HD 2 NONE, SD V1, AUDIO 2',
      'AUDIO 2, SD V1, HD 2, UHD1, UHD2',
    ],
    ['write every element where the configuration has none', '', 'AUDIO, ALL_VIDEO 3', 'ALL_VIDEO 3 NONE, AUDIO'],
    ['treat an element without a track type as ALL', '- 2', 'ALL 1', '- 1'],
    ['write defaults where the configuration has other values', 'ALL 3 V2 analog', 'ALL', 'ALL 1 NONE open'],
    ['write hdcp from level 3 on, even at its default', 'ALL 2', 'ALL 3', 'ALL 3 NONE'],
    ['write hdcp beside other outputs', 'ALL 2 analog', 'ALL 5 analog', 'ALL 5 NONE analog'],
    ['write hdcp once', 'ALL 3 V2', 'ALL 4 V1', 'ALL 4 V1'],
    ['keep an hdcp that is equal', 'ALL 3 V2', 'ALL 4 V2', 'ALL 4 V2'],
    ['write no hdcp at level 2', 'ALL', 'ALL 2', 'ALL 2'],
    ['add output protection to an element', 'ALL 2', 'ALL 2 V1 analog', 'ALL 2 V1 analog'],
  ])('%s: %s', (_name, written, live, expected) => {
    expect(editedSettings(specs(written), specs(live))).toStrictEqual(
      expected === null ? [] : [elementsEdit(expected.split(', ').map(trackElement))],
    );
  });

  test('come before those of the overrides', () => {
    const overrides = { can_play: true, license_duration_seconds: 60 };
    expect(
      editedSettings({ widevine: { policy_overrides: overrides } }, { widevine: { content_key_specs: [trackElement('ALL 2')] } }),
    ).toEqual([elementsEdit([trackElement('ALL 2')]), ['widevine.policy_overrides.license_duration_seconds', 86_400]]);
  });

  test.each<Sections>([{}, { drm_policies: null }, { drm_policies: {} }, { drm_policies: { any: null } }])(
    'write the whole list under %j',
    (sections) => {
      expect(configEditsOf(specs('ALL 2 V1'), policy(specs('ALL 2')), sections)).toStrictEqual([
        { path: ['drm_policies', 'any', 'widevine', 'content_key_specs'], value: [trackElement('ALL 2')] },
      ]);
    },
  );
});

test('the edits of a live policy keep valid sources valid, and the edited sources declare that policy', () => {
  const errorsOf = (settings: JsonObject) => findingsOf(settings).filter(({ severity }) => severity === 'error');
  assertProperty(
    fc.property(settingsArbitrary, settingsArbitrary, (written, settings) => {
      fc.pre(errorsOf(written).length === 0);
      const sections = { drm_policies: { any: written } };
      const after = expectEdits(written, settings).reduce<Json>((value, each) => setIn(value, each.path, each.value), sections);
      const policies = isJsonObject(after) && isJsonObject(after.drm_policies) ? after.drm_policies : {};
      const edited = isJsonObject(policies.any) ? policies.any : {};
      expect([errorsOf(edited), isValid(edited)]).toEqual([[], true]);
      expect(desired('any', edited).fields).toEqual(policy(settings).fields);
    }),
  );
});
