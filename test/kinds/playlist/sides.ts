import fc from 'fast-check';
import type { JsonObject } from '../../../src/model/json.ts';
import { defaults, entries, id, settings } from './fixtures.ts';

/** What a service may hold beside the documented values. */
const odd = fc.record({ skip_drm: fc.constantFrom(0, 1, 2), studio_drm_required: fc.constantFrom(0, 1, 7) }, { requiredKeys: [] });

/** The catalogue wants every second asset under studio DRM. */
const context = { studio_drm: Object.fromEntries([0, 2, 4, 6, 8, 10, 12, 14].map((even) => [id(even), true])) };

/** Playlists with every default, over few assets. */
export const sides = fc
  .tuple(settings, odd, entries)
  .map(([usual, more, playlist]) => ({ fields: { ...defaults, ...usual, ...more, playlist }, context }));

/** A playlist as the API shows it, over a catalogue that wants two assets under studio DRM. */
export function sideOf({ id: own, ...fields }: JsonObject) {
  return { id: own, fields: { ...defaults, ...fields }, context: { studio_drm: { 'marked-a': true, 'marked-b': true } } };
}
