import { expect, test } from 'vitest';
import { drmPolicy } from '../../../../src/core/kinds/drm-policy/index.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { declareServices, formatFindings } from '../fixtures.ts';

const findingsOf = (policies: JsonObject) => formatFindings(drmPolicy.declare({ drm_policies: policies }, declareServices).findings);
const specs = (...content_key_specs: JsonObject[]): JsonObject => ({ widevine: { content_key_specs } });

test('findings about the names of policies have a summary and a hint in plain words', () => {
  expect(findingsOf({ 'two\nlines': {} })).toMatchInlineSnapshot(`
    "warning control-character at drm_policies/two
    lines
      the policy name holds control characters
      write the name in one line, without tabs and other control characters"
  `);
});

test('findings about FairPlay have a summary and a hint in plain words', () => {
  const fairplay = {
    playback_duration_seconds: 1,
    persistence_duration_seconds: 1,
    lease_duration_seconds: 1,
  };
  expect(findingsOf({ a: { fairplay } })).toMatchInlineSnapshot(`
    "error duration-without-persistence at drm_policies/a/fairplay/lease_duration_seconds
      lease_duration_seconds needs persistence: true
      write persistence: true beside it, or leave it out
    error duration-without-persistence at drm_policies/a/fairplay/playback_duration_seconds
      playback_duration_seconds needs persistence: true
      write persistence: true beside it, or leave it out
    warning lease-duration-without-lease at drm_policies/a/fairplay/lease_duration_seconds
      lease_duration_seconds needs lease: true
      write lease: true beside it, or leave it out
    warning duration-without-switch at drm_policies/a/fairplay/persistence_duration_seconds
      persistence_duration_seconds needs persistence: true
      write persistence: true beside it, or leave it out"
  `);
});

test('findings about Widevine have a summary and a hint in plain words', () => {
  const policies: JsonObject = {
    few: specs({ track_type: 'ALL_VIDEO' }),
    fewer: specs({ track_type: 'HD' }),
    many: specs({ track_type: 'ALL' }, { track_type: 'ALL_VIDEO' }, { track_type: 'HD' }, { track_type: 'HD' }),
    level: specs({ security_level: 3 }),
    open: specs({ security_level: 4, required_output_protection: { hdcp: 'HDCP_NONE', cgms_flags: 'COPY_ONCE' } }),
    overrides: { widevine: { policy_overrides: {} } },
    offline: {
      widevine: {
        policy_overrides: { can_play: true, license_duration_seconds: 1, rental_duration_seconds: 1 },
      },
    },
    reserved: { widevine: { policy_overrides: { can_play: true, license_duration_seconds: 1, can_renew: true } } },
  };
  expect(findingsOf(policies)).toMatchInlineSnapshot(`
    "error tracks-not-covered at drm_policies/few/widevine/content_key_specs
      content_key_specs must cover all tracks, and AUDIO is missing
      cover them by ALL; or ALL_VIDEO and AUDIO; or SD, HD, UHD1, UHD2 and AUDIO
    error tracks-not-covered at drm_policies/fewer/widevine/content_key_specs
      content_key_specs must cover all tracks, and SD, UHD1, UHD2, AUDIO are missing
      cover them by ALL; or ALL_VIDEO and AUDIO; or SD, HD, UHD1, UHD2 and AUDIO
    error track-twice at drm_policies/many/widevine/content_key_specs/3/track_type
      track type HD is named twice: in elements 3 and 4
      Keep one element for each track type.
    warning tracks-overlap at drm_policies/many/widevine/content_key_specs/0/track_type
      track type ALL overlaps ALL_VIDEO, HD, and the API documents do not say which of them counts
      name every track by one element only
    warning tracks-overlap at drm_policies/many/widevine/content_key_specs/1/track_type
      track type ALL_VIDEO overlaps HD, and the API documents do not say which of them counts
      name every track by one element only
    error level-without-hdcp at drm_policies/level/widevine/content_key_specs/0/security_level
      security_level 3 needs hdcp to be written in required_output_protection
      write it in the same element, for example hdcp: HDCP_V2_2
    warning level-with-hdcp-none at drm_policies/open/widevine/content_key_specs/0/required_output_protection/hdcp
      security_level 4 protects inside the device, and HDCP_NONE leaves its outputs open
      write the HDCP version that the content needs, for example HDCP_V2_2
    warning cgms-on-desktop at drm_policies/open/widevine/content_key_specs/0/required_output_protection/cgms_flags
      cgms_flags must not be set for desktop browsers
      leave it out, unless no desktop browser plays content under this policy
    error overrides-without-can-play at drm_policies/overrides/widevine/policy_overrides
      policy_overrides needs can_play
      write can_play: true to allow playback, or can_play: false to forbid it
    warning offline-duration-without-can-persist at drm_policies/offline/widevine/policy_overrides/rental_duration_seconds
      rental_duration_seconds works offline only, and can_persist is not true
      write can_persist: true beside it, or leave it out
    warning reserved-field at drm_policies/reserved/widevine/policy_overrides/can_renew
      can_renew is reserved by the service for later use
      leave it out"
  `);
});

test('findings about PlayReady have a summary and a hint in plain words', () => {
  const hd = { require_hdcp_type_1: true, analog_video_protection_level: 100, security_level: 150, play_enabler: true };
  expect(findingsOf({ a: { playready: { hd } } })).toMatchInlineSnapshot(`
    "warning hdcp-type-1-without-effect at drm_policies/a/playready/hd/require_hdcp_type_1
      require_hdcp_type_1 has no effect below digital_video_protection_level 250
      write digital_video_protection_level: 250 or higher beside it
    warning testing-only at drm_policies/a/playready/hd/analog_video_protection_level
      analog_video_protection_level: 100 is meant for testing only
      write 150 or 200 or 201
    warning testing-only at drm_policies/a/playready/hd/security_level
      security_level: 150 is meant for testing only
      write 2000 or 3000
    warning testing-only at drm_policies/a/playready/hd/play_enabler
      play_enabler: true is meant for testing only
      write false"
  `);
});
