/**
 * Truth tables of drm-policy's effects, written from drm-api-v3 sections 2.2 to 2.4 (and facts.md section 6 for `license_begin_seconds`).
 * One line a value before, one column a value after, in the order of the line headings: `=` neutral, `T` tightens, `L` loosens.
 */
import { describe, expect, test } from 'vitest';
import { diff } from '../../../src/engine/diff.ts';
import { drmPolicy } from '../../../src/kinds/drm-policy/index.ts';
import { settingsOf } from '../../../src/kinds/drm-policy/spec.ts';
import { overall, type Verdict } from '../../../src/model/change.ts';
import { equal, type Fields, isFields, type Json, pointer } from '../../../src/model/json.ts';
import { defaultPolicy, nested } from './policies.ts';

/** The verdicts on a change of settings, by the path of their field. */
function verdicts(before: Fields, after: Fields): ReadonlyMap<string, Verdict> {
  const [live, desired] = [{ id: 'x', fields: settingsOf(before) }, { fields: settingsOf(after) }];
  const fields = diff(live.fields, desired.fields);
  const found = drmPolicy.effects({ action: 'update', live, desired, fields });
  expect(found).toHaveLength(fields.length);
  return new Map(fields.map(({ path }, index) => [path, found[index] ?? { effect: 'neutral', reasons: [] }]));
}

function effectOf(before: Fields, after: Fields): string {
  const found = [...verdicts(before, after).values()];
  for (const { effect, reasons } of found) expect(effect).toBe(overall(reasons));
  return overall(found);
}

const SIGNS: { readonly [effect: string]: string } = { neutral: '=', tightens: 'T', loosens: 'L' };

/** Every value against every value of one setting, all others at their defaults or at `beside`. */
function table(path: string, values: readonly Json[], beside: Fields = {}): readonly string[] {
  const settings = values.map((value) => merged(nested(path, value), beside));
  return settings.map((before, row) => `${String(values[row])}: ${settings.map((after) => SIGNS[effectOf(before, after)]).join(' ')}`);
}

function merged(a: Fields, b: Fields): Fields {
  const of = (member: string): Json => {
    const [mine, other] = [a[member], b[member]];
    return isFields(mine) && isFields(other) ? merged(mine, other) : (mine ?? other ?? null);
  };
  return Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map((member) => [member, of(member)]));
}

const RESOLUTIONS = ['sd', 'hd', 'uhd1', 'uhd2'];

describe('FairPlay, per resolution (2.2)', () => {
  test.each(RESOLUTIONS)('%s', (resolution) => {
    expect(table(`fairplay.${resolution}.hdcp_enforcement`, [-1, 0, 1])).toEqual([
      '-1: = T T', //
      '0: L = T',
      '1: L L =',
    ]);
    expect(table(`fairplay.${resolution}.allow_airplay`, [true, false])).toEqual([
      'true: = T', //
      'false: L =',
    ]);
    expect(table(`fairplay.${resolution}.allow_av_adapter`, [true, false])).toEqual([
      'true: = T', //
      'false: L =',
    ]);
  });
});

describe('Widevine, per track (2.3)', () => {
  const spec = 'widevine.content_key_specs.0';
  const output = `${spec}.required_output_protection`;

  test('security_level', () => {
    expect(table(`${spec}.security_level`, [1, 2, 3, 4, 5])).toEqual([
      '1: = T T T T',
      '2: L = T T T',
      '3: L L = T T',
      '4: L L L = T',
      '5: L L L L =',
    ]);
  });

  test('hdcp', () => {
    const values = ['HDCP_NONE', 'HDCP_V1', 'HDCP_V2', 'HDCP_V2_1', 'HDCP_V2_2', 'HDCP_NO_DIGITAL_OUTPUT'];
    expect(table(`${output}.hdcp`, values)).toEqual([
      'HDCP_NONE: = T T T T T',
      'HDCP_V1: L = T T T T',
      'HDCP_V2: L L = T T T',
      'HDCP_V2_1: L L L = T T',
      'HDCP_V2_2: L L L L = T',
      'HDCP_NO_DIGITAL_OUTPUT: L L L L L =',
    ]);
  });

  test('disable_analog_output, cgms_flags, hdcp_srm_rule', () => {
    expect(table(`${output}.disable_analog_output`, [false, true])).toEqual([
      'false: = T', //
      'true: L =',
    ]);
    expect(table(`${output}.cgms_flags`, ['CGMS_NONE', 'COPY_FREE', 'COPY_ONCE', 'COPY_NEVER'])).toEqual([
      'CGMS_NONE: = T T T',
      'COPY_FREE: L = T T',
      'COPY_ONCE: L L = T',
      'COPY_NEVER: L L L =',
    ]);
    expect(table(`${output}.hdcp_srm_rule`, ['HDCP_SRM_RULE_NONE', 'CURRENT_SRM'])).toEqual([
      'HDCP_SRM_RULE_NONE: = T', //
      'CURRENT_SRM: L =',
    ]);
  });
});

describe('Widevine, the license (2.3)', () => {
  const overrides = 'widevine.policy_overrides';

  test('switches', () => {
    expect(table(`${overrides}.can_play`, [true, false])).toEqual([
      'true: = T', //
      'false: L =',
    ]);
    expect(table(`${overrides}.can_persist`, [true, false])).toEqual([
      'true: = T', //
      'false: L =',
    ]);
  });

  test('durations: no table says what 0 means', () => {
    const zeroIsOpen = [
      '0: = L L', //
      '60: L = L',
      '120: L T =',
    ];
    expect(table(`${overrides}.license_duration_seconds`, [0, 60, 120])).toEqual(zeroIsOpen);
    expect(table(`${overrides}.playback_duration_seconds`, [0, 60, 120])).toEqual(zeroIsOpen);
    const offline = { widevine: { policy_overrides: { can_persist: true } } };
    expect(table(`${overrides}.rental_duration_seconds`, [0, 60, 120], offline)).toEqual(zeroIsOpen);
    // "Offline scenarios only", and offline playback is not allowed.
    expect(table(`${overrides}.rental_duration_seconds`, [0, 60, 120])).toEqual([
      '0: = = =', //
      '60: = = =',
      '120: = = =',
    ]);
  });

  test.each<[string, readonly Json[]]>([
    ['always_include_client_id', [false, true]],
    ['can_renew', [false, true]],
    ['renew_with_usage', [false, true]],
    ['renewal_delay_seconds', [0, 60]],
    ['renewal_recovery_duration_seconds', [0, 60]],
    ['renewal_retry_interval_seconds', [0, 60]],
    ['renewal_server_url', ['', 'https://renew.example.com']],
  ])('%s is reserved, and neutral', (name, values) => {
    expect(table(`${overrides}.${name}`, values).map((line) => line.slice(line.lastIndexOf(': ') + 2))).toEqual(['= =', '= =']);
  });
});

describe('PlayReady, per resolution (2.4)', () => {
  test.each(RESOLUTIONS)('%s', (resolution) => {
    const all = (name: string, values: readonly Json[], beside?: Fields) => table(`playready.${resolution}.${name}`, values, beside);
    const digital = ['100: = T T T T', '250: L = T T T', '270: L L = T T', '300: L L L = T', '301: L L L L ='];
    const switchable = (level: number) => nested(`playready.${resolution}.digital_video_protection_level`, level);
    expect(all('analog_video_protection_level', [100, 150, 200, 201])).toEqual([
      '100: = T T T', //
      '150: L = T T',
      '200: L L = T',
      '201: L L L =',
    ]);
    expect(all('compressed_digital_audio_protection_level', [100, 301])).toEqual([
      '100: = T', //
      '301: L =',
    ]);
    expect(all('digital_video_protection_level', [100, 250, 270, 300, 301])).toEqual(digital);
    expect(
      all('digital_video_protection_level', [100, 250, 270, 300, 301], nested(`playready.${resolution}.require_hdcp_type_1`, true)),
    ).toEqual(digital);
    expect(all('play_enabler', [true, false])).toEqual([
      'true: = T', //
      'false: L =',
    ]);
    // "When digital_video_protection_level is 250 or higher"; at 301 nothing passes that could need HDCP.
    for (const [level, expected] of [
      [100, ['false: = =', 'true: = =']],
      [250, ['false: = T', 'true: L =']],
      [270, ['false: = T', 'true: L =']],
      [300, ['false: = T', 'true: L =']],
      [301, ['false: = =', 'true: = =']],
    ] as const)
      expect(all('require_hdcp_type_1', [false, true], switchable(level)), `at ${level}`).toEqual(expected);
    expect(all('security_level', [150, 2000, 3000])).toEqual([
      '150: = T T', //
      '2000: L = T',
      '3000: L L =',
    ]);
    expect(all('uncompressed_digital_audio_protection_level', [100, 250, 300, 301])).toEqual([
      '100: = T T T',
      '250: L = T T',
      '300: L L = T',
      '301: L L L =',
    ]);
  });
});

describe('PlayReady, the license (2.4)', () => {
  test('switches', () => {
    for (const name of ['can_play', 'can_persist'])
      expect(table(`playready.${name}`, [true, false])).toEqual([
        'true: = T', //
        'false: L =',
      ]);
    // False = a session started before expiry continues.
    expect(table('playready.realtime_expiration', [true, false])).toEqual([
      'true: = L', //
      'false: T =',
    ]);
  });

  test('durations', () => {
    // No table says what 0 means.
    expect(table('playready.license_duration_seconds', [0, 60, 120])).toEqual([
      '0: = L L', //
      '60: L = L',
      '120: L T =',
    ]);
    // Unspecified (the default, 0) = unlimited.
    expect(table('playready.playback_duration_seconds', [0, 60, 120])).toEqual([
      '0: = T T', //
      '60: L = L',
      '120: L T =',
    ]);
    // 0 = valid from any time before (facts.md section 6).
    expect(table('playready.license_begin_seconds', [0, 60, 120])).toEqual([
      '0: = T T', //
      '60: L = L',
      '120: L T =',
    ]);
  });
});

describe('FairPlay, the license (2.2)', () => {
  const zeroIsOpen = [
    '0: = L L', //
    '60: L = L',
    '120: L T =',
  ];
  const zeroIsUnlimited = [
    '0: = T T', //
    '60: L = L',
    '120: L T =',
  ];
  const neutral = [
    '0: = = =', //
    '60: = = =',
    '120: = = =',
  ];
  const offline = { fairplay: { persistence: true } };

  test('switches', () => {
    for (const name of ['persistence', 'rental'])
      expect(table(`fairplay.${name}`, [true, false])).toEqual([
        'true: = T', //
        'false: L =',
      ]);
  });

  test('a lease may be renewed, and binds: each way does both', () => {
    expect(table('fairplay.lease', [true, false])).toEqual([
      'true: = L', //
      'false: L =',
    ]);
    const [on, off] = [verdicts({}, { fairplay: { lease: true } }), verdicts({ fairplay: { lease: true } }, {})].map((found) =>
      found.get('/fairplay/lease')?.reasons.map(({ effect }) => effect),
    );
    expect([on, off]).toEqual([
      ['loosens', 'tightens'],
      ['tightens', 'loosens'],
    ]);
  });

  test('durations that always count', () => {
    expect(table('fairplay.key_duration_seconds', [0, 60, 120])).toEqual(zeroIsOpen);
    // Unspecified (the default, 0) = the key does not expire.
    expect(table('fairplay.rental_duration_seconds', [0, 60, 120])).toEqual(zeroIsUnlimited);
  });

  test('durations that count with persistence only', () => {
    expect(table('fairplay.lease_duration_seconds', [0, 60, 120], offline)).toEqual(zeroIsOpen);
    expect(table('fairplay.persistence_duration_seconds', [0, 60, 120], offline)).toEqual(zeroIsOpen);
    // 0 or unspecified = the license does not expire.
    expect(table('fairplay.playback_duration_seconds', [0, 60, 120], offline)).toEqual(zeroIsUnlimited);
    for (const name of ['lease', 'persistence', 'playback'])
      expect(table(`fairplay.${name}_duration_seconds`, [0, 60, 120]), name).toEqual(neutral);
  });

  test('without persistence a lease duration limits no longer', () => {
    const leased = { fairplay: { persistence: true, lease_duration_seconds: 60 } };
    const found = verdicts(leased, {});
    expect(found.get('/fairplay/persistence')?.effect).toBe('tightens');
    expect(found.get('/fairplay/lease_duration_seconds')?.effect).toBe('loosens');
    expect(verdicts({}, leased).get('/fairplay/lease_duration_seconds')?.effect).toBe('tightens');
    // The duration stays as it is, so that the switch alone speaks for both.
    const idle = { fairplay: { lease_duration_seconds: 60 } };
    expect(
      verdicts(leased, idle)
        .get('/fairplay/persistence')
        ?.reasons.map(({ effect }) => effect),
    ).toEqual(['tightens', 'loosens']);
  });
});

test('every setting of the documents has a table here, or is reserved', () => {
  const settings = new Set(diff({}, settingsOf({})).flatMap(({ path, after }) => leaves(path, after)));
  const tested = [
    ...RESOLUTIONS.flatMap((resolution) => [
      ...['hdcp_enforcement', 'allow_airplay', 'allow_av_adapter'].map((name) => `/fairplay/${resolution}/${name}`),
      ...[
        'analog_video_protection_level',
        'compressed_digital_audio_protection_level',
        'digital_video_protection_level',
        'play_enabler',
        'require_hdcp_type_1',
        'security_level',
        'uncompressed_digital_audio_protection_level',
      ].map((name) => `/playready/${resolution}/${name}`),
    ]),
    ...['key', 'lease', 'persistence', 'playback', 'rental'].map((name) => `/fairplay/${name}_duration_seconds`),
    ...['lease', 'persistence', 'rental'].map((name) => `/fairplay/${name}`),
    ...['cgms_flags', 'disable_analog_output', 'hdcp', 'hdcp_srm_rule'].map(
      (name) => `/widevine/content_key_specs/ALL/required_output_protection/${name}`,
    ),
    '/widevine/content_key_specs/ALL/security_level',
    ...['license', 'playback', 'rental'].map((name) => `/widevine/policy_overrides/${name}_duration_seconds`),
    ...['can_persist', 'can_play'].map((name) => `/widevine/policy_overrides/${name}`),
    ...['license_begin', 'license_duration', 'playback_duration'].map((name) => `/playready/${name}_seconds`),
    ...['can_persist', 'can_play', 'realtime_expiration'].map((name) => `/playready/${name}`),
  ];
  const reserved = [
    'always_include_client_id',
    'can_renew',
    'renew_with_usage',
    'renewal_delay_seconds',
    'renewal_recovery_duration_seconds',
  ];
  const others = [...reserved, 'renewal_retry_interval_seconds', 'renewal_server_url'].map((name) => `/widevine/policy_overrides/${name}`);
  expect([...settings].sort()).toEqual([...tested, ...others].sort());
});

function leaves(path: string, value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([member, inner]) => leaves(`${path}${pointer([member])}`, inner));
}

describe('elements of content_key_specs', () => {
  const element = (track_type: string, security_level = 1) => ({
    track_type,
    security_level,
    required_output_protection: { hdcp: 'HDCP_NONE' },
  });
  const policy = (...content_key_specs: readonly Fields[]): Fields => ({ widevine: { content_key_specs } });
  const five = (level: number) => ['SD', 'HD', 'UHD1', 'UHD2', 'AUDIO'].map((track) => element(track, level));

  test.each([
    ['ALL', policy(element('ALL'))],
    ['ALL_VIDEO and AUDIO', policy(element('ALL_VIDEO'), element('AUDIO'))],
    ['one each', policy(...five(1))],
    ['ALL, and HD once more', policy(element('ALL'), element('HD'))],
    ['nothing written', {}],
  ])('another way to write the same is neutral: %s', (_name, rewritten) => {
    for (const other of [policy(element('ALL')), policy(...five(1))]) {
      expect(effectOf(rewritten, other)).toBe('neutral');
      expect(effectOf(other, rewritten)).toBe('neutral');
    }
  });

  test('the verdict stands at the element that makes it, and names the tracks', () => {
    const found = verdicts(policy(element('ALL')), policy(element('ALL_VIDEO', 3), element('AUDIO')));
    expect([...found].map(([path, { effect }]) => [path, effect])).toEqual([
      ['/widevine/content_key_specs/ALL', 'neutral'],
      ['/widevine/content_key_specs/ALL_VIDEO', 'tightens'],
      ['/widevine/content_key_specs/AUDIO', 'neutral'],
    ]);
    expect(found.get('/widevine/content_key_specs/ALL_VIDEO')?.reasons).toEqual([
      {
        effect: 'tightens',
        text: 'SD, HD, UHD1, UHD2: keys and cryptography in a hardware TEE instead of cryptography in software (`security_level`)',
      },
    ]);
  });

  test('what stricter elements asked for is missed where a wider one takes over', () => {
    const found = verdicts(policy(element('ALL'), element('HD', 3)), policy(element('ALL')));
    expect([...found].map(([path, { effect }]) => [path, effect])).toEqual([['/widevine/content_key_specs/HD', 'loosens']]);
  });

  test('of elements that overlap, each counts: documents do not say which does', () => {
    const before = policy(element('ALL'), element('HD', 3));
    expect(effectOf(before, policy(element('ALL'), element('HD', 4)))).toBe('tightens');
    expect(effectOf(before, policy(element('ALL'), element('HD', 2)))).toBe('loosens');
    expect(effectOf(before, policy(element('ALL', 2), element('HD', 3)))).toBe('tightens');
    expect(effectOf(before, policy(element('ALL', 3), element('HD', 1)))).toBe('loosens');
    expect(effectOf(policy(element('ALL')), before)).toBe('tightens');
    expect(verdicts(policy(element('ALL')), before).get('/widevine/content_key_specs/HD')?.reasons[0]?.text).toContain(
      'several elements cover the track, and the documents do not say which counts',
    );
  });

  test('whether a track is covered at all loosens, both ways', () => {
    const [full, lacking] = [policy(...five(1)), policy(...five(1).slice(1))];
    for (const [before, after] of [
      [full, lacking],
      [lacking, full],
    ] as const) {
      expect([...verdicts(before, after)].map(([path, { effect }]) => [path, effect])).toEqual([
        ['/widevine/content_key_specs/SD', 'loosens'],
      ]);
      expect(verdicts(before, after).get('/widevine/content_key_specs/SD')?.reasons[0]?.text).toContain('do not say what holds');
    }
  });
});

describe('a value that the documents do not list', () => {
  test('counts as weaker than all they do', () => {
    const level = (security_level: number) => ({ playready: { hd: { security_level } } });
    expect(effectOf(level(150), level(9000))).toBe('loosens');
    expect(effectOf(level(9000), level(150))).toBe('tightens');
    expect(effectOf(level(9000), level(9001))).toBe('loosens');
  });

  test('below zero, a duration is as open as 0', () => {
    const begin = (license_duration_seconds: number) => ({ playready: { license_duration_seconds } });
    expect(effectOf(begin(60), begin(-1))).toBe('loosens');
    expect(effectOf(begin(-1), begin(60))).toBe('loosens');
  });
});

describe('both sides of a change', () => {
  const fields = (settings: Fields) => ({ policy_name: 'p', ...settingsOf(settings) });
  const strict = { fairplay: { hd: { hdcp_enforcement: 1 } }, widevine: { content_key_specs: [{ track_type: 'ALL', security_level: 3 }] } };

  function judged(action: 'create' | 'delete', settings: Fields) {
    const side = { id: 'x', fields: fields(settings) };
    const [live, desired] = action === 'create' ? [null, side] : [side, null];
    const differences = diff(settingsOf({}), side.fields).flatMap(({ path, after }) =>
      after === null ? [] : [action === 'create' ? { path, before: null, after } : { path, before: after, after: null }],
    );
    return drmPolicy.effects({ action, live, desired, fields: differences }).map(({ effect }, index) => [differences[index]?.path, effect]);
  }

  test('a new policy is compared with the default policy, and a deleted one too', () => {
    expect(judged('create', strict)).toEqual([
      ['/fairplay/hd/hdcp_enforcement', 'tightens'],
      ['/policy_name', 'neutral'],
      ['/widevine/content_key_specs/ALL/security_level', 'tightens'],
    ]);
    expect(judged('delete', strict)).toEqual([
      ['/fairplay/hd/hdcp_enforcement', 'loosens'],
      ['/policy_name', 'neutral'],
      ['/widevine/content_key_specs/ALL/security_level', 'loosens'],
    ]);
  });

  test('what is listed of a new policy carries what is not: elements that replace the default one', () => {
    const specs = ['ALL_VIDEO', 'AUDIO'].map((track_type) => ({ track_type, security_level: 2 }));
    expect(judged('create', { widevine: { content_key_specs: specs } })).toEqual([
      ['/policy_name', 'neutral'],
      ['/widevine/content_key_specs/ALL_VIDEO', 'tightens'],
      ['/widevine/content_key_specs/AUDIO', 'tightens'],
    ]);
    expect(judged('create', { widevine: { content_key_specs: [{ track_type: 'ALL_VIDEO' }] } })).toEqual([
      ['/policy_name', 'neutral'],
      ['/widevine/content_key_specs/ALL_VIDEO', 'loosens'],
    ]);
  });

  test('a policy equal to the default changes nothing', () => {
    expect(equal(settingsOf({}), defaultPolicy)).toBe(true);
    expect(judged('create', {})).toEqual([['/policy_name', 'neutral']]);
  });

  test('nothing that differs, nothing to judge', () => {
    expect(
      drmPolicy.effects({ action: 'adopt', live: { id: 'x', fields: fields({}) }, desired: { fields: fields({}) }, fields: [] }),
    ).toEqual([]);
  });
});

test('reasons say what, and where nobody knows, that nobody knows', () => {
  const texts = (before: Fields, after: Fields) =>
    [...verdicts(before, after).values()].flatMap(({ reasons }) => reasons.map(({ text }) => text));
  expect(texts({}, { playready: { hd: { digital_video_protection_level: 300 } } })).toEqual([
    'HD: HDCP required instead of free on digital outputs (`digital_video_protection_level`)',
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
  expect(texts({}, { fairplay: { key_duration_seconds: 60 } })).toEqual([
    'the documents do not say what a `key_duration_seconds` of 0 means: 60 s instead of 0 s may be longer',
  ]);
  expect(texts({ fairplay: { lease_duration_seconds: 60 } }, { fairplay: { lease_duration_seconds: 60, persistence: true } })).toEqual([
    'offline playback will be allowed',
    'playback from the moment a client gets the key: 60 s instead of no limit (`lease_duration_seconds`)',
  ]);
});

test('creates come first, deletes last, and updates where their effect puts them', () => {
  for (const effect of ['tightens', 'neutral', 'loosens'] as const) {
    expect(drmPolicy.phase('create', effect)).toBe(1);
    expect(drmPolicy.phase('delete', effect)).toBe(5);
  }
  expect((['tightens', 'neutral', 'loosens'] as const).map((effect) => drmPolicy.phase('update', effect))).toEqual([1, 2, 4]);
});

test('UHD premium: HD at level 3 with HDCP 2.2 tightens HD and nothing else', () => {
  const element = (track_type: string, security_level: number, hdcp: string) => ({
    track_type,
    security_level,
    required_output_protection: { hdcp },
  });
  const rest = ['SD', 'UHD1', 'UHD2', 'AUDIO'].map((track) => element(track, 1, 'HDCP_NONE'));
  const withHd = (hd: Fields): Fields => ({ widevine: { content_key_specs: [hd, ...rest] } });
  const found = verdicts(withHd(element('HD', 1, 'HDCP_NONE')), withHd(element('HD', 3, 'HDCP_V2_2')));
  expect([...found].flatMap(([path, { effect, reasons }]) => reasons.map(({ text }) => [path, effect, text]))).toEqual([
    ['/widevine/content_key_specs/HD/required_output_protection/hdcp', 'tightens', 'HD: HDCP 2.2 or higher instead of no HDCP (`hdcp`)'],
    [
      '/widevine/content_key_specs/HD/security_level',
      'tightens',
      'HD: keys and cryptography in a hardware TEE instead of cryptography in software (`security_level`)',
    ],
  ]);
});
