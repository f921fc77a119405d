import { describe, expect, test } from 'vitest';
import { DIMENSIONS, meaningOf, strengthOf } from '../../src/device-impact/settings-strength.ts';
import { requirementsOn, TRACKS } from '../../src/device-impact/track-requirements.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { tables } from '../kinds/drm-policy/policies.ts';
import { protection } from './fixtures.ts';

/** Which element counts for each track, by its security level. */
function levels(...specs: readonly JsonObject[]): string {
  const { policy } = protection({ widevine: { content_key_specs: specs } });
  return TRACKS.widevine
    .map((track) => requirementsOn('widevine', policy, track).map(({ demands }) => demands.security_level))
    .map((found) => found.join('/'))
    .join(' ');
}

const spec = (track_type: string, security_level: number) => ({
  track_type,
  security_level,
  required_output_protection: { hdcp: 'HDCP_NONE' },
});

describe('the elements of Widevine', () => {
  // What SD, HD, UHD1, UHD2 and AUDIO see.
  test.each([
    ['1 1 1 1 1', [spec('ALL', 1)]],
    ['3 3 3 3 1', [spec('ALL_VIDEO', 3), spec('AUDIO', 1)]],
    ['1 2 3 4 5', [spec('SD', 1), spec('HD', 2), spec('UHD1', 3), spec('UHD2', 4), spec('AUDIO', 5)]],
    ['1 1/3 1 1 1', [spec('ALL', 1), spec('HD', 3)]],
    ['1 1 1 1 1', [spec('ALL', 1), spec('HD', 1)]],
    ['1/2 1/2/3 1/2 1/2 1', [spec('ALL', 1), spec('ALL_VIDEO', 2), spec('HD', 3)]],
  ])('are seen as %s', (expected, specs) => {
    expect(levels(...specs)).toBe(expected);
  });

  test('named twice, or not at all', () => {
    const { policy } = protection();
    const of = (content_key_specs: JsonObject) => requirementsOn('widevine', { ...policy, widevine: { content_key_specs } }, 'HD');
    expect(of({ HD: { security_level: 1 }, 'HD (2)': { security_level: 2 } })).toHaveLength(2);
    expect(of({ SD: { security_level: 1 } })).toEqual([]);
  });
});

// In force at 100, 250, 270, 300, 301.
test.each([
  [false, [false, false, false, false, true]],
  [true, [false, true, true, true, true]],
])('require_hdcp_type_1 %s counts from level 250 on, and 301 leaves nothing to it', (require_hdcp_type_1, expected) => {
  const at = (digital_video_protection_level: number) =>
    requirementsOn('playready', protection({ playready: { hd: { require_hdcp_type_1, digital_video_protection_level } } }).policy, 'HD');
  expect([100, 250, 270, 300, 301].map((level) => at(level)[0]?.demands.require_hdcp_type_1)).toEqual(expected);
});

describe('the orders of strength', () => {
  const all = Object.values(DIMENSIONS).flat();

  test.each(tables.filter(([name]) => !name.endsWith('track_type')))(
    'of %s hold all values that the documents list, as listed',
    (name, allowed) => {
      const [system, member] = [name.split('.')[0], name.split('.').at(-1)];
      const dimension = all.find((each) => each.name === member && each.section === sectionOf(system));
      expect(dimension?.values.map(([value]) => value)).toEqual(allowed);
    },
  );

  test('put a value that the documents do not list below all others', () => {
    for (const dimension of all) {
      expect(strengthOf(dimension, 'HDCP_V3')).toBe(-1);
      expect(meaningOf(dimension, 'HDCP_V3')).toBe('not in the documents');
      expect(dimension.values.map(([value]) => strengthOf(dimension, value))).toEqual([...dimension.values.keys()]);
    }
  });

  function sectionOf(system: string | undefined): string {
    return `drm-api-v3 ${{ fairplay: '2.2', widevine: '2.3', playready: '2.4' }[system ?? '']}`;
  }
});
