import { expect, test } from 'vitest';
import { DIMENSIONS } from '../../../../src/core/device-impact/settings-strength.ts';
import { TRACKS } from '../../../../src/core/kinds/drm-policy/model.ts';
import { RESOLUTIONS } from '../../../../src/core/model/impact.ts';
import { pointer } from '../../../../src/core/model/json.ts';
import { tablesOf } from '../truth-tables.ts';

test('every robustness setting has a truth table for every track type and every resolution', () => {
  const covered = tablesOf('drm-policy').flatMap(({ fields }) => fields);
  const resolutions = RESOLUTIONS.map((resolution) => resolution.toLowerCase());
  const parts = [
    { places: TRACKS.map((track) => ['widevine', 'content_key_specs', track]), dimensions: DIMENSIONS.widevine },
    { places: resolutions.map((resolution) => ['fairplay', resolution]), dimensions: DIMENSIONS.fairplay },
    { places: resolutions.map((resolution) => ['playready', resolution]), dimensions: DIMENSIONS.playready },
  ];
  const required = parts.flatMap(({ places, dimensions }) =>
    places.flatMap((place) => dimensions.map(({ path }) => pointer([...place, ...path]))),
  );
  expect(required.length).toBeGreaterThan(0);
  expect(required.filter((field) => !covered.includes(field))).toEqual([]);
});
