/** What the sources have to say so that a policy is declared as it is live. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setIn } from '../../../src/drift/accept/document-edits.ts';
import { settingsOf } from '../../../src/kinds/drm-policy/declare.ts';
import { drmPolicy } from '../../../src/kinds/drm-policy/index.ts';
import type { ConfigEdit, LiveObject, Sections } from '../../../src/kinds/kind.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/model/json.ts';
import { live } from '../answers.ts';
import { desired, isValid, problemsOf, settingsArbitrary } from './policies.ts';

function policy(settings: JsonObject, label = 'any'): LiveObject {
  return live({ policy_name: label, ...settingsOf(settings) }, { id: '1', label });
}

function restated(written: JsonObject, object: LiveObject, sections: Sections = { drm_policies: { any: written } }) {
  return drmPolicy.configEdits?.(desired('any', written), object, sections);
}

/** A setting of the policy by its path with dots, and its value. */
type Told = readonly [path: string, value: unknown];

function statementsOf(written: JsonObject, settings: JsonObject): readonly ConfigEdit[] {
  const statements = restated(written, policy(settings));
  if (statements && !('reason' in statements)) return statements;
  throw new Error(`expected edits, not: ${statements?.reason}`);
}

/** The settings that are stated, in turn. */
function told(written: JsonObject, settings: JsonObject): readonly Told[] {
  return statementsOf(written, settings).map(({ path, value }) => {
    expect(path.slice(0, 2)).toEqual(['drm_policies', 'any']);
    return [path.slice(2).join('.'), value];
  });
}

describe('what no declaration can say', () => {
  const odd = { playready: { hd: { security_level: 9000 } } };

  test('is a name that is another key, whatever else there is', () => {
    const reason = 'it is named "q\\"" now, and the name is its key here: rename the key, with `moved`';
    expect([restated({}, policy({}, 'q"')), restated({}, policy(odd, 'q"'))]).toEqual([{ reason }, { reason }]);
  });

  test('is a value that the documents do not list', () => {
    expect(restated({}, policy(odd))).toEqual({ reason: 'it holds what the documents do not list: /playready/hd/security_level = 9000' });
  });
});

describe('settings', () => {
  test.each<[string, JsonObject, JsonObject, readonly Told[]]>([
    ['that agree are not told', { fairplay: { lease: false }, playready: {} }, {}, []],
    [
      'are told one by one, where they stand',
      { fairplay: { lease: true } },
      { fairplay: { lease: true, rental: true } },
      [['fairplay.rental', true]],
    ],
    ['are told at their default too', { playready: { can_play: false } }, {}, [['playready.can_play', true]]],
    [
      'are told at every level',
      { fairplay: { hd: { allow_airplay: false } }, playready: { license_begin_seconds: 5 } },
      { fairplay: { hd: { hdcp_enforcement: 1 } }, playready: { license_begin_seconds: 6, sd: { play_enabler: true } } },
      [
        ['fairplay.hd.allow_airplay', true],
        ['fairplay.hd.hdcp_enforcement', 1],
        ['playready.license_begin_seconds', 6],
        ['playready.sd.play_enabler', true],
      ],
    ],
  ])('%s', (_name, written, settings, statements) => {
    expect(told(written, settings).toSorted()).toStrictEqual(statements);
  });

  test.each<[string, JsonObject | null, JsonObject, readonly Told[]]>([
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
  ])('overrides %s', (_name, written, settings, statements) => {
    const found = told(written ? { widevine: { policy_overrides: written } } : {}, { widevine: { policy_overrides: settings } });
    expect(found).toStrictEqual(statements.map(([name, value]) => [`widevine.policy_overrides.${name}`, value]));
  });

  test('elsewhere need no can_play', () => {
    expect(told({}, { fairplay: { persistence: true } })).toEqual([['fairplay.persistence', true]]);
  });
});

/** An element in words: `HD`, `HD 3`, `HD 3 V2`, `HD V2 analog` without and `HD V2 open` with analog outputs; `-` writes no track type. */
function element(words: string): JsonObject {
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
  return words === '' ? {} : { widevine: { content_key_specs: words.split(', ').map(element) } };
}

describe('elements of content_key_specs', () => {
  const at = (value: unknown): Told => ['widevine.content_key_specs', value];

  test.each([
    ['that agree are not told', 'AUDIO, ALL_VIDEO 2', 'ALL_VIDEO 2, AUDIO 1 NONE', null],
    ['keep what is written in them', 'ALL 1 V1 analog', 'ALL 2 V1 analog', 'ALL 2 V1 analog'],
    [
      'keep their order, and those that do not differ',
      'AUDIO 1, HD NONE, SD, UHD1, UHD2',
      'SD, HD 2, UHD1, UHD2, AUDIO',
      'AUDIO 1, HD 2 NONE, SD, UHD1, UHD2',
    ],
    ['that are gone are left out', 'ALL, HD 2, AUDIO', 'ALL, AUDIO', 'ALL, AUDIO'],
    [
      'that are new come last, in the order of the table, without defaults',
      'AUDIO 2, ALL_VIDEO',
      'UHD2 1, UHD1, HD 2 NONE, SD V1, AUDIO 2',
      'AUDIO 2, SD V1, HD 2, UHD1, UHD2',
    ],
    ['are all new where none is written', '', 'AUDIO, ALL_VIDEO 3', 'ALL_VIDEO 3 NONE, AUDIO'],
    ['without a track type are of ALL', '- 2', 'ALL 1', '- 1'],
    ['are told at their default where they were not', 'ALL 3 V2 analog', 'ALL', 'ALL 1 NONE open'],
    ['name hdcp from level 3 on, also at its default', 'ALL 2', 'ALL 3', 'ALL 3 NONE'],
    ['name hdcp beside what else is written', 'ALL 2 analog', 'ALL 5 analog', 'ALL 5 NONE analog'],
    ['name hdcp once', 'ALL 3 V2', 'ALL 4 V1', 'ALL 4 V1'],
    ['keep an hdcp that is the same', 'ALL 3 V2', 'ALL 4 V2', 'ALL 4 V2'],
    ['need no hdcp at level 2', 'ALL', 'ALL 2', 'ALL 2'],
    ['get what they say of outputs', 'ALL 2', 'ALL 2 V1 analog', 'ALL 2 V1 analog'],
  ])('%s: %s', (_name, written, there, expected) => {
    expect(told(specs(written), specs(there))).toStrictEqual(expected === null ? [] : [at(expected.split(', ').map(element))]);
  });

  test('are told beside the overrides', () => {
    const overrides = { can_play: true, license_duration_seconds: 60 };
    expect(told({ widevine: { policy_overrides: overrides } }, { widevine: { content_key_specs: [element('ALL 2')] } })).toEqual([
      at([element('ALL 2')]),
      ['widevine.policy_overrides.license_duration_seconds', 86_400],
    ]);
  });

  test.each<Sections>([{}, { drm_policies: null }, { drm_policies: {} }, { drm_policies: { any: null } }])(
    'are all new under %j',
    (sections) => {
      expect(restated(specs('ALL 2 V1'), policy(specs('ALL 2')), sections)).toStrictEqual([
        { path: ['drm_policies', 'any', 'widevine', 'content_key_specs'], value: [element('ALL 2')] },
      ]);
    },
  );
});

test('sources that are valid stay so, and declare what is live', () => {
  const faults = (settings: JsonObject) => problemsOf(settings).filter(({ severity }) => severity === 'error');
  fc.assert(
    fc.property(settingsArbitrary, settingsArbitrary, (written, settings) => {
      fc.pre(faults(written).length === 0);
      const sections = { drm_policies: { any: written } };
      const after = statementsOf(written, settings).reduce<Json>((value, each) => setIn(value, each.path, each.value), sections);
      const policies = isJsonObject(after) && isJsonObject(after.drm_policies) ? after.drm_policies : {};
      const said = isJsonObject(policies.any) ? policies.any : {};
      expect([faults(said), isValid(said)]).toEqual([[], true]);
      expect(desired('any', said).fields).toEqual(policy(settings).fields);
    }),
  );
});
