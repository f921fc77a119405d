import { expect, test } from 'vitest';
import { DIMENSIONS } from '../../../src/device-impact/settings-strength.ts';
import { TRACKS } from '../../../src/kinds/drm-policy/model.ts';
import { RESOLUTIONS } from '../../../src/model/impact.ts';
import { pointer } from '../../../src/model/json.ts';
import { tablesOf } from '../truth-tables.ts';

test('every demand has its table for every track type and every resolution', () => {
  const tabled = tablesOf('drm-policy').flatMap(({ fields }) => fields);
  const resolutions = RESOLUTIONS.map((resolution) => resolution.toLowerCase());
  const parts = [
    { places: TRACKS.map((track) => ['widevine', 'content_key_specs', track]), dimensions: DIMENSIONS.widevine },
    { places: resolutions.map((resolution) => ['fairplay', resolution]), dimensions: DIMENSIONS.fairplay },
    { places: resolutions.map((resolution) => ['playready', resolution]), dimensions: DIMENSIONS.playready },
  ];
  const demanded = parts.flatMap(({ places, dimensions }) =>
    places.flatMap((place) => dimensions.map(({ path }) => pointer([...place, ...path]))),
  );
  expect(demanded.length).toBeGreaterThan(0);
  expect(demanded.filter((field) => !tabled.includes(field))).toEqual([]);
});
