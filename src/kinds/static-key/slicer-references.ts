/** The slicers that the scope names: where each stands, and whether the service knows it (api-notes section 7). */
import { asStringArray } from '../../model/json-readers.ts';
import type { DesiredResource, Reference, ReferenceType } from '../kind.ts';
import { lookupsIn } from '../references.ts';

const DIRECTORY = {
  v2: { path: '/api2/slicer/status', requestField: 'slicer_ids', listField: 'slicers', id: ['slicer_id', 'id'] },
  v4: '/api/v4/ingest/cloud-slicers/live/slicers',
};

/** Live slicers by their IDs, which are case-sensitive. */
export const slicerReferences: ReferenceType = {
  name: 'slicers',
  noun: 'slicer',
  code: 'slicer-not-found',
  references: mentions,
  lookups: (ids, api) => lookupsIn(DIRECTORY, ids, api),
};

/** In the order in which they are written. */
function mentions({ path, context }: DesiredResource): readonly Reference[] {
  return (asStringArray(context?.written) ?? []).map((id, index) => ({ id, path: [...path, 'slicer_ids', index], ...beyondOf(id) }));
}

/** `{user id}:{slicer id}` is how another user's slicer is written (api-notes section 7); no document says that it can be looked up. */
function beyondOf(id: string): Pick<Reference, 'uncheckable'> {
  return /^[0-9a-f]{32}:/i.test(id)
    ? { uncheckable: 'it is written as a slicer of another user, of which this account cannot be asked' }
    : {};
}
