/** The slicers (components that ingest live streams) that the scope names: their references and their lookup (api-notes section 7). */
import { asStringArray } from '../../model/json-readers.ts';
import type { DesiredResource, Reference, ReferenceType } from '../kind.ts';
import { lookupsIn } from '../references.ts';

/** Where slicers are looked up. */
export const SLICER_ENDPOINT = {
  v2: { path: '/api2/slicer/status', requestField: 'slicer_ids', listField: 'slicers', idFields: ['slicer_id', 'id'] },
  v4: '/api/v4/ingest/cloud-slicers/live/slicers',
};

/** References to slicers by their IDs, which are case-sensitive. */
export const slicerReferences: ReferenceType = {
  name: 'slicers',
  noun: 'slicer',
  code: 'slicer-not-found',
  referencesIn: listReferences,
  lookups: (ids, api) => lookupsIn(SLICER_ENDPOINT, ids, api),
};

function listReferences({ path, kindData }: DesiredResource): readonly Reference[] {
  return (asStringArray(kindData?.slicers_as_written) ?? []).map((id, index) => ({
    id,
    path: [...path, 'slicer_ids', index],
    ...uncheckableReason(id),
  }));
}

/** `{user id}:{slicer id}` names a slicer of another user (api-notes section 7); no API document says that it can be looked up. */
function uncheckableReason(id: string): Pick<Reference, 'whyUncheckable'> {
  return /^[0-9a-f]{32}:/i.test(id) ? { whyUncheckable: 'it names a slicer of another user, which this account cannot look up' } : {};
}
