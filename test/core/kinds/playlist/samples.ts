import fc from 'fast-check';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { defaults, entries, id, settings } from './fixtures.ts';

/** Undocumented values that a service may return. */
const undocumented = fc.record({ skip_drm: fc.constantFrom(0, 1, 2), studio_drm_required: fc.constantFrom(0, 1, 7) }, { requiredKeys: [] });

/** The `assets` section marks every second asset for studio DRM. */
const kindData = { studio_drm: Object.fromEntries([0, 2, 4, 6, 8, 10, 12, 14].map((even) => [id(even), true])) };

/** Playlists with every default, over few assets. */
export const samples = fc
  .tuple(settings, undocumented, entries)
  .map(([settingFields, extraFields, playlist]) => ({ fields: { ...defaults, ...settingFields, ...extraFields, playlist }, kindData }));

/** A playlist as the API shows it, with an `assets` section that marks two assets for studio DRM. */
export function sampleOf({ id: sampleId, ...fields }: JsonObject) {
  return { id: sampleId, fields: { ...defaults, ...fields }, kindData: { studio_drm: { 'marked-a': true, 'marked-b': true } } };
}
