import { describe, expect, test } from 'vitest';
import { drmPolicy } from '../../../../src/core/kinds/drm-policy/index.ts';
import type { JsonObject, Path } from '../../../../src/core/model/json.ts';
import { declareServices, onlyItem } from '../fixtures.ts';
import { findingsOf, isValid, nested } from './policies.ts';

function found(settings: JsonObject): readonly (readonly [string, string, string])[] {
  expect(isValid(settings)).toBe(true);
  return findingsOf(settings).map(({ severity = 'error', code, path }) => [severity, code, path.join('.')]);
}

const specs = (...content_key_specs: JsonObject[]) => ({ widevine: { content_key_specs } });
const overrides = (settings: JsonObject) => ({
  widevine: { policy_overrides: { can_play: true, license_duration_seconds: 60, ...settings } },
});
const track = (track_type: string) => ({ track_type });
const LIST = 'widevine.content_key_specs';

describe('validating the tracks of content_key_specs', () => {
  test.each([[[{}]], [[track('ALL')]], [[track('AUDIO'), track('ALL_VIDEO')]], [['UHD1', 'SD', 'AUDIO', 'HD', 'UHD2'].map(track)]])(
    'accepts %j as covering everything',
    (list) => {
      expect(found(specs(...list))).toEqual([]);
    },
  );

  test.each([
    [['HD'], 'SD, UHD1, UHD2, AUDIO are missing'],
    [['ALL_VIDEO'], 'AUDIO is missing'],
    [['SD', 'HD', 'UHD1', 'AUDIO'], 'UHD2 is missing'],
  ])('warns that %j leave something out', (names, missing) => {
    const finding = onlyItem(findingsOf(specs(...names.map(track))));
    expect(finding).toMatchObject({ severity: 'error', code: 'tracks-not-covered', summary: expect.stringContaining(missing) });
    expect(finding.path.join('.')).toBe(LIST);
  });

  test('reports a track that is named twice at the later element, and the message names the earlier one', () => {
    const settings = specs(track('ALL_VIDEO'), track('AUDIO'), track('ALL_VIDEO'));
    expect(found(settings)).toEqual([['error', 'track-twice', `${LIST}.2.track_type`]]);
    expect(findingsOf(settings)[0]?.summary).toContain('elements 1 and 3');
    expect(found(specs({}, track('ALL')))).toEqual([['error', 'track-twice', `${LIST}.1.track_type`]]);
  });

  test.each([
    [['ALL', 'HD'], [`${LIST}.0.track_type`]],
    [['AUDIO', 'ALL'], [`${LIST}.1.track_type`]],
    [['ALL_VIDEO', 'AUDIO', 'UHD1'], [`${LIST}.0.track_type`]],
    [
      ['ALL', 'ALL_VIDEO', 'HD'],
      [`${LIST}.0.track_type`, `${LIST}.1.track_type`],
    ],
  ])('warns that %j overlap', (names, places) => {
    expect(found(specs(...names.map(track)))).toEqual(places.map((place) => ['warning', 'tracks-overlap', place]));
  });
});

describe('validating the security level', () => {
  test.each([3, 4, 5])('%i requires hdcp in the same element', (security_level) => {
    const expectedFinding = [['error', 'level-without-hdcp', `${LIST}.0.security_level`]];
    expect(found(specs({ security_level }))).toEqual(expectedFinding);
    expect(found(specs({ security_level, required_output_protection: { disable_analog_output: true } }))).toEqual(expectedFinding);
    expect(found(specs({ security_level, required_output_protection: { hdcp: 'HDCP_V2_2' } }))).toEqual([]);
    expect(found(specs({ security_level, required_output_protection: { hdcp: 'HDCP_NONE' } }))).toEqual([
      ['warning', 'level-with-hdcp-none', `${LIST}.0.required_output_protection.hdcp`],
    ]);
  });

  test.each([1, 2])('%i requires no hdcp', (security_level) => {
    expect(found(specs({ security_level }))).toEqual([]);
    expect(found(specs({ security_level, required_output_protection: { hdcp: 'HDCP_NONE' } }))).toEqual([]);
  });

  test('does not count hdcp in another element', () => {
    const [video, audio] = [{ track_type: 'ALL_VIDEO', security_level: 3 }, track('AUDIO')];
    const settings = specs(video, { ...audio, required_output_protection: { hdcp: 'HDCP_V2' } });
    expect(found(settings)).toEqual([['error', 'level-without-hdcp', `${LIST}.0.security_level`]]);
  });
});

test.each(['CGMS_NONE', 'COPY_FREE', 'COPY_ONCE', 'COPY_NEVER'])(
  'validation warns of cgms_flags %s, because a policy for desktop browsers must not have it, and not where it is left out',
  (cgms_flags) => {
    expect(found(specs({ required_output_protection: { cgms_flags } }))).toEqual([
      ['warning', 'cgms-on-desktop', `${LIST}.0.required_output_protection.cgms_flags`],
    ]);
    expect(found(specs({ required_output_protection: { hdcp: 'HDCP_V2' } }))).toEqual([]);
  },
);

describe('validating Widevine overrides', () => {
  test('requires can_play; without a duration of the license its default limits playback', () => {
    expect(found({ widevine: { policy_overrides: {} } })).toEqual([['error', 'overrides-without-can-play', 'widevine.policy_overrides']]);
    expect(found({ widevine: { policy_overrides: { can_play: true } } })).toEqual([]);
    expect(found(overrides({ can_play: false }))).toEqual([]);
    expect(found({ widevine: {} })).toEqual([]);
  });

  test.each([
    ['always_include_client_id', false],
    ['can_renew', true],
    ['renew_with_usage', true],
    ['renewal_delay_seconds', 5],
    ['renewal_recovery_duration_seconds', 0],
    ['renewal_retry_interval_seconds', 5],
    ['renewal_server_url', 'https://renew.example.com'],
  ])('warns that %s is reserved', (field, value) => {
    expect(found(overrides({ [field]: value }))).toEqual([['warning', 'reserved-field', `widevine.policy_overrides.${field}`]]);
  });
});

describe('validating durations that depend on a switch', () => {
  test.each([
    ['error', 'duration-without-persistence', 'fairplay', 'playback_duration_seconds', 'persistence'],
    ['warning', 'duration-without-switch', 'fairplay', 'persistence_duration_seconds', 'persistence'],
  ])('%s %s: %s.%s needs %s', (severity, code, system, field, flag) => {
    const finding = [[severity, code, `${system}.${field}`]];
    expect(found({ [system]: { [field]: 1 } })).toEqual(finding);
    expect(found({ [system]: { [field]: 1, [flag]: false } })).toEqual(finding);
    expect(found({ [system]: { [field]: 1, [flag]: true } })).toEqual([]);
    expect(found({ [system]: { [field]: 0 } })).toEqual([]);
  });

  test('requires can_persist for the Widevine rental_duration_seconds, which is for offline playback only', () => {
    const field = 'rental_duration_seconds';
    expect(found(overrides({ [field]: 1 }))).toEqual([
      ['warning', 'offline-duration-without-can-persist', `widevine.policy_overrides.${field}`],
    ]);
    expect(found(overrides({ [field]: 1, can_persist: true }))).toEqual([]);
    expect(found(overrides({ [field]: 0 }))).toEqual([]);
  });

  test('requires no switch for durations that the API documents tie to none', () => {
    expect(found({ fairplay: { rental_duration_seconds: 1 } })).toEqual([]);
    expect(found(overrides({ playback_duration_seconds: 1 }))).toEqual([]);
    expect(found({ playready: { playback_duration_seconds: 1 } })).toEqual([]);
  });

  test('requires persistence for a lease duration, and warns where lease is off', () => {
    const at = 'fairplay.lease_duration_seconds';
    const lease = { lease_duration_seconds: 1 };
    expect(found({ fairplay: lease })).toEqual([
      ['error', 'duration-without-persistence', at],
      ['warning', 'lease-duration-without-lease', at],
    ]);
    expect(found({ fairplay: { ...lease, persistence: true } })).toEqual([['warning', 'lease-duration-without-lease', at]]);
    expect(found({ fairplay: { ...lease, lease: true } })).toEqual([['error', 'duration-without-persistence', at]]);
    expect(found({ fairplay: { ...lease, persistence: true, lease: true } })).toEqual([]);
  });
});

describe.each(['sd', 'hd', 'uhd1', 'uhd2'])('validating playready %s', (resolution) => {
  test.each([
    [{ require_hdcp_type_1: true }, true],
    [{ require_hdcp_type_1: true, digital_video_protection_level: 100 }, true],
    [{ require_hdcp_type_1: true, digital_video_protection_level: 250 }, false],
    [{ require_hdcp_type_1: true, digital_video_protection_level: 301 }, false],
    [{ require_hdcp_type_1: false }, false],
    [{ digital_video_protection_level: 100 }, false],
  ])('warns that %j has no effect on HDCP type 1: %s', (rules, isInVain) => {
    const at = `playready.${resolution}.require_hdcp_type_1`;
    expect(found({ playready: { [resolution]: rules } })).toEqual(isInVain ? [['warning', 'hdcp-type-1-without-effect', at]] : []);
  });

  test.each([
    ['analog_video_protection_level', 100, 'write 150 or 200 or 201'],
    ['compressed_digital_audio_protection_level', 100, 'write 301'],
    ['uncompressed_digital_audio_protection_level', 100, 'write 250 or 300 or 301'],
    ['security_level', 150, 'write 2000 or 3000'],
    ['play_enabler', true, 'write false'],
  ])('%s: warns that %j is for testing only', (field, value, hint) => {
    const finding = onlyItem(findingsOf(nested(`playready.${resolution}.${field}`, value)));
    const path: Path = ['playready', resolution, field];
    expect(finding).toMatchObject({ severity: 'warning', code: 'testing-only', path, hint });
    expect(finding.summary).toContain(`${field}: ${value}`);
  });

  test('accepts other values without a warning', () => {
    const rules = { analog_video_protection_level: 150, security_level: 2000, play_enabler: false, digital_video_protection_level: 100 };
    expect(found({ playready: { [resolution]: rules } })).toEqual([]);
  });
});

test('findings about policies carry the address and the whole path', () => {
  const { findings } = drmPolicy.declare(
    { drm_policies: { 'UHD premium': { widevine: { policy_overrides: { license_duration_seconds: 1 } } } } },
    declareServices,
  );
  expect(onlyItem(findings)).toMatchObject({
    address: 'drm-policy/UHD%20premium',
    path: ['drm_policies', 'UHD premium', 'widevine', 'policy_overrides'],
    hint: expect.stringContaining('can_play: true'),
  });
});
