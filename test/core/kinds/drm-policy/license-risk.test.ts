/** The reasons for every switch and duration of a license, and the settings that each is reported at. */
import { describe, expect, test } from 'vitest';
import { canonicalFieldsOf } from '../../../../src/core/kinds/drm-policy/declare.ts';
import { assessLicense } from '../../../../src/core/kinds/drm-policy/license-risk.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';

/** A part of a policy with switches and durations, as the beginning of JSON Pointers. */
type Part = 'fairplay' | 'widevine/policy_overrides' | 'playready';

function policy(part: Part, settings: JsonObject): JsonObject {
  return canonicalFieldsOf(part === 'widevine/policy_overrides' ? { widevine: { policy_overrides: settings } } : { [part]: settings });
}

/** Formats the risk of a change within a part: effect, text, and the settings that it is reported at. */
function formatRisk(part: Part, before: JsonObject, after: JsonObject): readonly string[] {
  return assessLicense(policy(part, before), policy(part, after)).map(({ reason: { effect, text }, settings: at }) => {
    expect(at.map((pointer) => pointer.slice(0, part.length + 2))).toEqual(at.map(() => `/${part}/`));
    return `${effect} ${text} @ ${at.map((pointer) => pointer.slice(part.length + 2)).join(' ')}`;
  });
}

test.each<[Part, string, boolean, string]>([
  ['fairplay', 'persistence', true, 'offline playback'],
  ['fairplay', 'rental', true, 'offline rental'],
  ['widevine/policy_overrides', 'can_play', true, 'playback'],
  ['widevine/policy_overrides', 'can_persist', true, 'offline playback'],
  ['playready', 'can_play', true, 'playback'],
  ['playready', 'can_persist', true, 'offline playback'],
  ['playready', 'realtime_expiration', false, 'sessions beyond the expiry of the license'],
])('%s/%s: the value %s allows %s, and the other value does not', (part, name, allows, what) => {
  const [on, off] = [{ [name]: allows }, { [name]: !allows }];
  expect(formatRisk(part, off, on)).toEqual([`weakens ${what} will be allowed @ ${name}`]);
  expect(formatRisk(part, on, off)).toEqual([`strengthens ${what} will no longer be allowed @ ${name}`]);
  expect([...formatRisk(part, on, on), ...formatRisk(part, off, off)]).toEqual([]);
});

test('the time of a FairPlay lease of 0 is unknown, whatever replaces it', () => {
  const leased = { persistence: true, lease: true };
  expect(formatRisk('fairplay', leased, { ...leased, lease_duration_seconds: 600 })).toEqual([
    'weakens the API documents do not say how long a lease is valid without `lease_duration_seconds`, so that 600 s instead of an unknown time may allow more @ lease_duration_seconds persistence',
  ]);
});

test('switching a FairPlay lease on weakens renewal and strengthens playback without a valid lease', () => {
  expect(formatRisk('fairplay', {}, { lease: true })).toEqual([
    'weakens renewal of a lease will be allowed @ lease',
    'strengthens playback without a valid lease will no longer be allowed @ lease',
  ]);
  expect(formatRisk('fairplay', { lease: true }, {})).toEqual([
    'strengthens renewal of a lease will no longer be allowed @ lease',
    'weakens playback without a valid lease will be allowed @ lease',
  ]);
});

describe('the risk of a changed duration', () => {
  const PERSISTENT = { persistence: true };

  const durations: readonly [Part, string, JsonObject, string, 'no limit' | 'undocumented'][] = [
    ['fairplay', 'key_duration_seconds', {}, 'validity of the content key', 'no limit'],
    ['fairplay', 'lease_duration_seconds', PERSISTENT, 'playback from the moment a client gets the key', 'no limit'],
    ['fairplay', 'persistence_duration_seconds', PERSISTENT, 'offline playback', 'undocumented'],
    ['fairplay', 'playback_duration_seconds', PERSISTENT, 'playback from its first start', 'no limit'],
    ['fairplay', 'rental_duration_seconds', {}, 'time to begin playback', 'no limit'],
    ['widevine/policy_overrides', 'license_duration_seconds', {}, 'playback from the issue of the license', 'undocumented'],
    ['widevine/policy_overrides', 'playback_duration_seconds', {}, 'playback from its first start', 'no limit'],
    ['widevine/policy_overrides', 'rental_duration_seconds', { can_persist: true }, 'time to begin playback', 'no limit'],
    ['playready', 'license_duration_seconds', {}, 'playback from the creation of the license', 'undocumented'],
    ['playready', 'playback_duration_seconds', {}, 'playback from its first start', 'no limit'],
    ['playready', 'license_begin_seconds', {}, 'validity before the request', 'no limit'],
  ];

  test.each(durations)('in %s/%s with the settings %j depends on the direction, the default and 0', (part, name, needs, what, zero) => {
    const change = (before: number, after: number) => formatRisk(part, { ...needs, [name]: before }, { ...needs, [name]: after });
    const at = [name, ...Object.keys(needs)].join(' ');
    const expectedRisk = (effect: string, words: string) => [`${effect} ${what}: ${words} (\`${name}\`) @ ${at}`];
    const open = (seconds: number, words: string) => [
      `weakens the API documents do not say what a \`${name}\` of ${seconds} means, so that ${words} may allow more @ ${at}`,
    ];
    expect(change(60, 60)).toEqual([]);
    expect(change(60, 61)).toEqual(expectedRisk('weakens', '61 s instead of 60 s'));
    expect(change(61, 60)).toEqual(expectedRisk('strengthens', '60 s instead of 61 s'));
    expect(change(1, 0)).toEqual(
      zero === 'undocumented' ? open(0, '0 s instead of 1 s') : expectedRisk('weakens', 'no limit instead of 1 s'),
    );
    expect(change(0, 1)).toEqual(
      zero === 'undocumented' ? open(0, '1 s instead of 0 s') : expectedRisk('strengthens', '1 s instead of no limit'),
    );
    expect(change(-1, 1)).toEqual(open(-1, '1 s instead of -1 s'));
    expect(change(0, -1)).toEqual(zero === 'undocumented' ? open(0, '-1 s instead of 0 s') : open(-1, '-1 s instead of no limit'));
  });

  test.each(durations.filter(([, , needs]) => Object.keys(needs).length > 0))('in %s/%s is none without %j', (part, name) => {
    expect(formatRisk(part, { [name]: 60 }, { [name]: 120 })).toEqual([]);
  });
});

describe('the risk of a duration that counts only before or only after the change', () => {
  const switched = 'weakens offline playback will be allowed @ persistence';
  const unswitched = 'strengthens offline playback will no longer be allowed @ persistence';
  const off = (settings: JsonObject): JsonObject => ({ ...settings, persistence: false });
  const on = (settings: JsonObject): JsonObject => ({ ...settings, persistence: true });

  test.each([{ persistence_duration_seconds: 60 }, { playback_duration_seconds: 60 }, { lease_duration_seconds: 0 }])(
    'is reported at its switch: %j',
    (settings) => {
      expect(formatRisk('fairplay', off(settings), on(settings))).toEqual([switched]);
      expect(formatRisk('fairplay', on(settings), off(settings))).toEqual([unswitched]);
    },
  );

  test('is reported at its switch with Widevine too', () => {
    const rental = (can_persist: boolean) => ({ can_persist, rental_duration_seconds: 60 });
    const part = 'widevine/policy_overrides';
    expect(formatRisk(part, rental(false), rental(true))).toEqual(['weakens offline playback will be allowed @ can_persist']);
    expect(formatRisk(part, rental(true), rental(false))).toEqual(['strengthens offline playback will no longer be allowed @ can_persist']);
  });

  test.each([
    ['lease_duration_seconds', 'playback from the moment a client gets the key', {}],
    ['playback_duration_seconds', 'playback from its first start', { lease: true }],
  ])('has a reason of its own in addition to that of the switch where %s also limits other playback', (name, what, lease) => {
    const limit = (seconds: number) => ({ ...lease, [name]: seconds });
    const at = `${name} persistence`;
    expect(formatRisk('fairplay', off(limit(60)), on(limit(60)))).toEqual([
      switched,
      `strengthens ${what}: 60 s instead of no limit (\`${name}\`) @ ${at}`,
    ]);
    expect(formatRisk('fairplay', on(limit(60)), off(limit(90)))).toEqual([
      unswitched,
      `weakens ${what}: no limit instead of 60 s (\`${name}\`) @ ${at}`,
    ]);
  });

  test.each([{ lease_duration_seconds: 0 }, { lease: true, playback_duration_seconds: 0 }])('is none without a limit: %j', (settings) => {
    expect(formatRisk('fairplay', off(settings), on(settings))).toEqual([switched]);
    expect(formatRisk('fairplay', on(settings), off(settings))).toEqual([unswitched]);
  });

  test('counts as weakening where the API documents do not say what the value means', () => {
    const settings = { lease_duration_seconds: -1 };
    const open = (change: string) =>
      `weakens the API documents do not say what a \`lease_duration_seconds\` of -1 means, so that ${change} may allow more @ lease_duration_seconds persistence`;
    expect(formatRisk('fairplay', off(settings), on(settings))).toEqual([switched, open('-1 s instead of no limit')]);
    expect(formatRisk('fairplay', on(settings), off(settings))).toEqual([unswitched, open('no limit instead of -1 s')]);
  });

  test('is reported at its switch where the lease is on only before or only after', () => {
    const [leased, unleased] = [{ lease: true, playback_duration_seconds: 60 }, { playback_duration_seconds: 60 }];
    const ofPlayback = (before: JsonObject, after: JsonObject) =>
      formatRisk('fairplay', before, after).filter((text) => text.includes('playback_duration_seconds'));
    expect([...ofPlayback(off(leased), on(unleased)), ...ofPlayback(on(unleased), off(leased))]).toEqual([]);
    expect(ofPlayback(off(unleased), on(leased))).toHaveLength(1);
    expect(ofPlayback(on(leased), off(unleased))).toHaveLength(1);
  });
});

test('the risks of switches come before those of durations, system by system', () => {
  const strict = canonicalFieldsOf({
    fairplay: { rental_duration_seconds: 60 },
    widevine: { policy_overrides: { can_play: false, license_duration_seconds: 60 } },
    playready: { can_play: false, license_duration_seconds: 60 },
  });
  expect(assessLicense(canonicalFieldsOf({}), strict).map(({ settings: at }) => at)).toEqual([
    ['/widevine/policy_overrides/can_play'],
    ['/playready/can_play'],
    ['/fairplay/rental_duration_seconds'],
    ['/widevine/policy_overrides/license_duration_seconds'],
    ['/playready/license_duration_seconds'],
  ]);
});
