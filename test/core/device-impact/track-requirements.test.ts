import { describe, expect, test } from 'vitest';
import { DIMENSIONS, meaningOf, strengthOf } from '../../../src/core/device-impact/settings-strength.ts';
import { requirementsOn, SYSTEM_TRACKS } from '../../../src/core/device-impact/track-requirements.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { tables } from '../kinds/drm-policy/policies.ts';
import { policyUnderTest } from './fixtures.ts';

/** Returns the security levels of the elements that apply to each track: SD, HD, UHD1, UHD2 and AUDIO. */
function levelsPerTrack(...specs: readonly JsonObject[]): string {
  const { policy } = policyUnderTest({ widevine: { content_key_specs: specs } });
  return SYSTEM_TRACKS.widevine
    .map((track) => requirementsOn('widevine', policy, track).map(({ demands }) => demands.security_level))
    .map((levels) => levels.join('/'))
    .join(' ');
}

const spec = (track_type: string, security_level: number) => ({
  track_type,
  security_level,
  required_output_protection: { hdcp: 'HDCP_NONE' },
});

describe('the requirements of Widevine', () => {
  // The levels for SD, HD, UHD1, UHD2 and AUDIO.
  test.each([
    ['1 1 1 1 1', [spec('ALL', 1)]],
    ['3 3 3 3 1', [spec('ALL_VIDEO', 3), spec('AUDIO', 1)]],
    ['1 2 3 4 5', [spec('SD', 1), spec('HD', 2), spec('UHD1', 3), spec('UHD2', 4), spec('AUDIO', 5)]],
    ['1 1/3 1 1 1', [spec('ALL', 1), spec('HD', 3)]],
    ['1 1 1 1 1', [spec('ALL', 1), spec('HD', 1)]],
    ['1/2 1/2/3 1/2 1/2 1', [spec('ALL', 1), spec('ALL_VIDEO', 2), spec('HD', 3)]],
  ])('have the levels %s per track for the elements %j', (expected, specs) => {
    expect(levelsPerTrack(...specs)).toBe(expected);
  });

  test('contain both elements that name the same track, and are empty if no element covers the track', () => {
    const { policy } = policyUnderTest();
    const of = (content_key_specs: JsonObject) => requirementsOn('widevine', { ...policy, widevine: { content_key_specs } }, 'HD');
    expect(of({ HD: { security_level: 1 }, 'HD (2)': { security_level: 2 } })).toHaveLength(2);
    expect(of({ SD: { security_level: 1 } })).toEqual([]);
  });
});

// Whether it applies at level 100, 250, 270, 300, 301.
test.each([
  [false, [false, false, false, false, true]],
  [true, [false, true, true, true, true]],
])('require_hdcp_type_1 %s applies from level 250 on, and is implied by level 301', (require_hdcp_type_1, expected) => {
  const at = (digital_video_protection_level: number) =>
    requirementsOn(
      'playready',
      policyUnderTest({ playready: { hd: { require_hdcp_type_1, digital_video_protection_level } } }).policy,
      'HD',
    );
  expect([100, 250, 270, 300, 301].map((level) => at(level)[0]?.demands.require_hdcp_type_1)).toEqual(expected);
});

describe('the values of each setting in order of strength', () => {
  const all = Object.values(DIMENSIONS).flat();

  test.each(tables.filter(([name]) => !name.endsWith('track_type')))(
    'contain all values of %s in the order in which the API documents list them',
    (name, allowed) => {
      const [system, member] = [name.split('.')[0], name.split('.').at(-1)];
      const dimension = all.find((each) => each.name === member && each.section === sectionOf(system));
      expect(dimension?.values.map(([value]) => value)).toEqual(allowed);
    },
  );

  test('rank a value that the API documents do not list below all others', () => {
    for (const dimension of all) {
      expect(strengthOf(dimension, 'HDCP_V3')).toBe(-1);
      expect(meaningOf(dimension, 'HDCP_V3')).toBe('not in the API documents');
      expect(dimension.values.map(([value]) => strengthOf(dimension, value))).toEqual([...dimension.values.keys()]);
    }
  });

  function sectionOf(system: string | undefined): string {
    return `drm-api-v3 ${{ fairplay: '2.2', widevine: '2.3', playready: '2.4' }[system ?? '']}`;
  }
});
