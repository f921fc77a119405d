/** What the truth tables of drm-policy do not cover: the field and the text of each risk, and undocumented values. */
import { describe, expect, test } from 'vitest';
import { canonicalFieldsOf } from '../../../../src/core/kinds/drm-policy/declare.ts';
import { drmPolicy } from '../../../../src/core/kinds/drm-policy/index.ts';
import { canonical } from '../../../../src/core/kinds/drm-policy/model.ts';
import { combineEffects, type RiskAssessment } from '../../../../src/core/model/change.ts';
import { equal, type JsonObject } from '../../../../src/core/model/json.ts';
import { diffFields } from '../../../../src/core/plan/diff-fields.ts';
import { defaultPolicy } from './policies.ts';

/** Returns the risk of a change of settings, by the path of each field. */
function assessFields(before: JsonObject, after: JsonObject): ReadonlyMap<string, RiskAssessment> {
  const [live, desired] = [{ id: 'x', fields: canonicalFieldsOf(before) }, { fields: canonicalFieldsOf(after) }];
  const fields = diffFields(live.fields, desired.fields);
  const found = drmPolicy.assessRisk({ action: 'update', before: live, after: desired, fields });
  expect(found).toHaveLength(fields.length);
  return new Map(fields.map(({ path }, index) => [path, found[index] ?? { effect: 'neutral', reasons: [] }]));
}

function effectOf(before: JsonObject, after: JsonObject): string {
  const found = [...assessFields(before, after).values()];
  for (const { effect, reasons } of found) expect(effect).toBe(combineEffects(reasons));
  return combineEffects(found);
}

test('a limit that is removed together with its switch has a reason of its own in addition to that of the switch', () => {
  const leased = { fairplay: { persistence: true, lease_duration_seconds: 60 } };
  const found = assessFields(leased, {});
  expect(found.get('/fairplay/persistence')?.effect).toBe('strengthens');
  expect(found.get('/fairplay/lease_duration_seconds')?.effect).toBe('weakens');
  expect(assessFields({}, leased).get('/fairplay/lease_duration_seconds')?.effect).toBe('strengthens');
});

test('a limit that stays declared but no longer counts is assessed at its switch', () => {
  const limited = (name: string, persistence: boolean) => ({ fairplay: { lease: true, persistence, [`${name}_duration_seconds`]: 60 } });
  const reasons = (name: string) => assessFields(limited(name, true), limited(name, false)).get('/fairplay/persistence')?.reasons;
  expect(reasons('lease')?.map(({ effect }) => effect)).toEqual(['strengthens', 'weakens']);
  expect(reasons('playback')).toEqual([
    { effect: 'strengthens', text: 'offline playback will no longer be allowed' },
    { effect: 'weakens', text: 'playback from its first start: no limit instead of 60 s (`playback_duration_seconds`)' },
  ]);
});

test.each([
  ['widevine', { policy_overrides: { can_play: false, can_persist: true, license_duration_seconds: 60 } }],
  ['playready', { can_play: false, can_persist: true, license_duration_seconds: 60, hd: { security_level: 3000 } }],
])('where the policy forbids playback before or after the change, only can_play of %s counts', (system, stopped) => {
  const fieldsOf = (found: ReadonlyMap<string, RiskAssessment>) =>
    [...found.values()].flatMap(({ reasons }) => reasons.map(({ text }) => text));
  expect(fieldsOf(assessFields({}, { [system]: stopped }))).toEqual(['playback will no longer be allowed']);
  expect(fieldsOf(assessFields({ [system]: stopped }, {}))).toEqual(['playback will be allowed']);
  expect(fieldsOf(assessFields({ [system]: stopped }, { [system]: stopped, fairplay: { rental: true } }))).toEqual([
    'offline rental will be allowed',
  ]);
});

describe('the risk of content_key_specs', () => {
  const element = (track_type: string, security_level = 1) => ({
    track_type,
    security_level,
    required_output_protection: { hdcp: 'HDCP_NONE' },
  });
  const policy = (...content_key_specs: readonly JsonObject[]): JsonObject => ({ widevine: { content_key_specs } });
  const five = (level: number) => ['SD', 'HD', 'UHD1', 'UHD2', 'AUDIO'].map((track) => element(track, level));

  test('is assessed at the element that causes it, and the reason names the tracks', () => {
    const found = assessFields(policy(element('ALL')), policy(element('ALL_VIDEO', 3), element('AUDIO')));
    expect([...found].map(([path, { effect }]) => [path, effect])).toEqual([
      ['/widevine/content_key_specs/ALL', 'neutral'],
      ['/widevine/content_key_specs/ALL_VIDEO', 'strengthens'],
      ['/widevine/content_key_specs/AUDIO', 'neutral'],
    ]);
    expect(found.get('/widevine/content_key_specs/ALL_VIDEO')?.reasons).toEqual([
      {
        effect: 'strengthens',
        text: 'Widevine SD, HD, UHD1, UHD2: keys and cryptography in a hardware TEE instead of cryptography in software (`security_level`)',
      },
    ]);
  });

  test('includes what stricter elements required where a wider element replaces them', () => {
    const found = assessFields(policy(element('ALL'), element('HD', 3)), policy(element('ALL')));
    expect([...found].map(([path, { effect }]) => [path, effect])).toEqual([['/widevine/content_key_specs/HD', 'weakens']]);
  });

  test('says of elements that overlap that it is not known which of them counts', () => {
    const found = assessFields(policy(element('ALL')), policy(element('ALL'), element('HD', 3)));
    expect(found.get('/widevine/content_key_specs/HD')?.reasons[0]?.text).toContain(
      'several elements cover the track, and the API documents do not say which counts',
    );
  });

  test('is assessed at the element of a track that is covered only before or only after, in both directions', () => {
    const [full, lacking] = [policy(...five(1)), policy(...five(1).slice(1))];
    for (const [before, after] of [
      [full, lacking],
      [lacking, full],
    ] as const) {
      expect([...assessFields(before, after)].map(([path, { effect }]) => [path, effect])).toEqual([
        ['/widevine/content_key_specs/SD', 'weakens'],
      ]);
      expect(assessFields(before, after).get('/widevine/content_key_specs/SD')?.reasons[0]?.text).toContain('do not say what holds');
    }
  });
});

describe('the risk of a value that the API documents do not list', () => {
  test('is said of an element whose track type is not listed, at that element and once', () => {
    const live = canonical({ widevine: { content_key_specs: [{ track_type: 'ALL' }, { track_type: 'UHD3', security_level: 5 }] } });
    const desired = { fields: canonicalFieldsOf({ fairplay: { key_duration_seconds: 300 } }) };
    const fields = diffFields(live.fields, desired.fields);
    const before = { id: 'x', fields: live.fields };
    const found = drmPolicy.assessRisk({ action: 'update', before, after: desired, fields });
    expect(fields.map(({ path }, index) => [path, found[index]?.reasons])).toEqual([
      ['/fairplay/key_duration_seconds', [expect.objectContaining({ effect: 'strengthens' })]],
      ['/widevine/content_key_specs/"UHD3"', [{ effect: 'weakens', text: 'the API documents do not say what track type "UHD3" is' }]],
    ]);
    expect(drmPolicy.assessPlayback?.({ action: 'update', before, after: desired, fields }).map(({ text }) => text)).toContain(
      'the API documents do not say what track type "UHD3" is',
    );
  });

  test('is unknown, whatever the value on the other side is', () => {
    const level = (security_level: number) => ({ playready: { hd: { security_level } } });
    expect(effectOf(level(150), level(9000))).toBe('weakens');
    expect(effectOf(level(9000), level(3000))).toBe('weakens');
    expect(effectOf(level(9000), level(9001))).toBe('weakens');
  });

  test('counts as weakening for a duration below zero, as for 0', () => {
    const duration = (license_duration_seconds: number) => ({ playready: { license_duration_seconds } });
    expect(effectOf(duration(60), duration(-1))).toBe('weakens');
    expect(effectOf(duration(-1), duration(60))).toBe('weakens');
  });
});

describe('the two policies that a change compares', () => {
  const fields = (settings: JsonObject) => ({ policy_name: 'p', ...canonicalFieldsOf(settings) });
  const strict = { fairplay: { hd: { hdcp_enforcement: 1 } }, widevine: { content_key_specs: [{ track_type: 'ALL', security_level: 3 }] } };

  function assess(action: 'create' | 'delete', settings: JsonObject) {
    const side = { id: 'x', fields: fields(settings) };
    const [live, desired] = action === 'create' ? [null, side] : [side, null];
    const differences = diffFields(canonicalFieldsOf({}), side.fields).flatMap(({ path, after }) =>
      after === null ? [] : [action === 'create' ? { path, before: null, after } : { path, before: after, after: null }],
    );
    return drmPolicy
      .assessRisk({ action, before: live, after: desired, fields: differences })
      .map(({ effect }, index) => [differences[index]?.path, effect]);
  }

  test('include the default policy for a create and for a delete', () => {
    expect(assess('create', strict)).toEqual([
      ['/fairplay/hd/hdcp_enforcement', 'strengthens'],
      ['/policy_name', 'neutral'],
      ['/widevine/content_key_specs/ALL/security_level', 'strengthens'],
    ]);
    expect(assess('delete', strict)).toEqual([
      ['/fairplay/hd/hdcp_enforcement', 'weakens'],
      ['/policy_name', 'neutral'],
      ['/widevine/content_key_specs/ALL/security_level', 'weakens'],
    ]);
  });

  test('include, for a new policy, all default elements, also those that the change does not list', () => {
    const specs = ['ALL_VIDEO', 'AUDIO'].map((track_type) => ({ track_type, security_level: 2 }));
    expect(assess('create', { widevine: { content_key_specs: specs } })).toEqual([
      ['/policy_name', 'neutral'],
      ['/widevine/content_key_specs/ALL_VIDEO', 'strengthens'],
      ['/widevine/content_key_specs/AUDIO', 'strengthens'],
    ]);
    expect(assess('create', { widevine: { content_key_specs: [{ track_type: 'ALL_VIDEO' }] } })).toEqual([
      ['/policy_name', 'neutral'],
      ['/widevine/content_key_specs/ALL_VIDEO', 'weakens'],
    ]);
  });

  test('have no risk where the new policy equals the default', () => {
    expect(equal(canonicalFieldsOf({}), defaultPolicy)).toBe(true);
    expect(assess('create', {})).toEqual([['/policy_name', 'neutral']]);
  });

  test('have no risk where no field differs', () => {
    expect(
      drmPolicy.assessRisk({ action: 'adopt', before: { id: 'x', fields: fields({}) }, after: { fields: fields({}) }, fields: [] }),
    ).toEqual([]);
  });
});

test('the reasons of a risk describe the difference, and say so where the API documents leave the effect open', () => {
  const texts = (before: JsonObject, after: JsonObject) =>
    [...assessFields(before, after).values()].flatMap(({ reasons }) => reasons.map(({ text }) => text));
  expect(texts({}, { playready: { hd: { digital_video_protection_level: 300 } } })).toEqual([
    'PlayReady HD: HDCP required instead of free on digital outputs (`digital_video_protection_level`)',
  ]);
  expect(texts({}, { playready: { can_persist: true } })).toEqual(['offline playback will be allowed']);
  expect(texts({}, { playready: { can_play: false } })).toEqual(['playback will no longer be allowed']);
  expect(texts({}, { playready: { realtime_expiration: false } })).toEqual(['sessions beyond the expiry of the license will be allowed']);
  expect(texts({}, { playready: { license_duration_seconds: 60 } })).toEqual([
    'playback from the creation of the license: 60 s instead of 86400 s (`license_duration_seconds`)',
  ]);
  expect(texts({}, { playready: { playback_duration_seconds: 60 } })).toEqual([
    'playback from its first start: 60 s instead of no limit (`playback_duration_seconds`)',
  ]);
  expect(texts({}, { playready: { license_duration_seconds: 0 } })).toEqual([
    'the API documents do not say what a `license_duration_seconds` of 0 means, so that 0 s instead of 86400 s may allow more',
  ]);
  expect(texts({ fairplay: { lease_duration_seconds: 60 } }, { fairplay: { lease_duration_seconds: 60, persistence: true } })).toEqual([
    'offline playback will be allowed',
    'playback from the moment a client gets the key: 60 s instead of no limit (`lease_duration_seconds`)',
  ]);
});

test('creates of policies come first, deletes last, and the phase of an update follows from its effect', () => {
  for (const effect of ['strengthens', 'neutral', 'weakens'] as const) {
    expect(drmPolicy.phase('create', effect)).toBe('strengthen');
    expect(drmPolicy.phase('delete', effect)).toBe('delete-policies');
  }
  expect((['strengthens', 'neutral', 'weakens'] as const).map((effect) => drmPolicy.phase('update', effect))).toEqual([
    'strengthen',
    'update',
    'weaken',
  ]);
});

test('HD at level 3 with HDCP 2.2 strengthens HD and nothing else', () => {
  const element = (track_type: string, security_level: number, hdcp: string) => ({
    track_type,
    security_level,
    required_output_protection: { hdcp },
  });
  const rest = ['SD', 'UHD1', 'UHD2', 'AUDIO'].map((track) => element(track, 1, 'HDCP_NONE'));
  const withHd = (hd: JsonObject): JsonObject => ({ widevine: { content_key_specs: [hd, ...rest] } });
  const found = assessFields(withHd(element('HD', 1, 'HDCP_NONE')), withHd(element('HD', 3, 'HDCP_V2_2')));
  expect([...found].flatMap(([path, { effect, reasons }]) => reasons.map(({ text }) => [path, effect, text]))).toEqual([
    [
      '/widevine/content_key_specs/HD/required_output_protection/hdcp',
      'strengthens',
      'Widevine HD: HDCP 2.2 or later instead of no HDCP (`hdcp`)',
    ],
    [
      '/widevine/content_key_specs/HD/security_level',
      'strengthens',
      'Widevine HD: keys and cryptography in a hardware TEE instead of cryptography in software (`security_level`)',
    ],
  ]);
});

describe('a setting of another type than documented', () => {
  const { path, value } = { path: '/fairplay/lease', value: 'true' };
  const oddReason = { effect: 'weakens', text: 'the API documents do not say what `lease` "true" means' };
  const assess = (settings: JsonObject, after: JsonObject = {}) => {
    const [before, desired] = [canonical(settings).fields, canonicalFieldsOf(after)];
    const fields = diffFields(before, desired);
    return fields.map(
      ({ path }, index) =>
        [
          path,
          drmPolicy.assessRisk({ action: 'update', before: { id: 'x', fields: before }, after: { fields: desired }, fields })[index],
        ] as const,
    );
  };

  test('weakens where it changes, since its meaning is unknown', () => {
    expect(assess({ fairplay: { lease: value } })).toEqual([[path, { effect: 'weakens', reasons: [oddReason] }]]);
    expect(assess({ fairplay: { lease: value } }, { fairplay: { lease: true } })).toEqual([
      [path, { effect: 'weakens', reasons: [oddReason] }],
    ]);
  });

  test.each<[string, JsonObject, string]>([
    ['a whole dictionary', { playready: 5 }, '/playready'],
    ['a list of elements', { widevine: { content_key_specs: { HD: { security_level: 5 } } } }, '/widevine/content_key_specs'],
    ['a level', { playready: { hd: { security_level: 'high' } } }, '/playready/hd/security_level'],
    ['a duration', { playready: { license_duration_seconds: 'long' } }, '/playready/license_duration_seconds'],
    ['a switch', { playready: { can_play: 1 } }, '/playready/can_play'],
  ])('gives one reason, and the value is not compared: %s', (_name, settings, path) => {
    expect(assess(settings)).toMatchObject([
      [path, { effect: 'weakens', reasons: [{ text: expect.stringContaining('the API documents do not say') }] }],
    ]);
    expect(assess(settings)[0]?.[1]?.reasons).toHaveLength(1);
  });

  test('leaves the risk of other settings as it is', () => {
    const both = assess(
      { playready: { can_play: 'on' }, fairplay: { lease: 'on', persistence: true } },
      { playready: { can_play: false } },
    );
    expect(both.find(([path]) => path === '/fairplay/persistence')?.[1]).toEqual({
      effect: 'strengthens',
      reasons: [{ effect: 'strengthens', text: 'offline playback will no longer be allowed' }],
    });
    const beside = assess({ playready: { can_play: 'on', can_persist: true } });
    expect(beside.find(([path]) => path === '/playready/can_persist')?.[1]?.effect).toBe('strengthens');
  });
});
