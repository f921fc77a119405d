/** The slicers that the scope names: where each stands, and whether the service knows it (facts.md section 7). */
import { asTexts } from '../../model/read.ts';
import type { Desired, Mention, References } from '../kind.ts';
import { lookUpsIn } from '../references.ts';

const DIRECTORY = {
  v2: { path: '/api2/slicer/status', asks: 'slicer_ids', answers: 'slicers', id: ['slicer_id', 'id'] },
  v4: '/api/v4/ingest/cloud-slicers/live/slicers',
};

/** Live slicers by their IDs, which are case-sensitive. */
export const slicers: References = {
  name: 'slicers',
  noun: 'slicer',
  code: 'slicer-not-found',
  mentions,
  lookUps: (ids, api) => lookUpsIn(DIRECTORY, ids, api),
};

/** In the order in which they are written. */
function mentions({ path, context }: Desired): readonly Mention[] {
  return (asTexts(context?.written) ?? []).map((id, index) => ({ id, path: [...path, 'slicer_ids', index], ...beyondOf(id) }));
}

/** `{user id}:{slicer id}` is how another user's slicer is written (facts.md section 7); no document says that it can be looked up. */
function beyondOf(id: string): Pick<Mention, 'beyond'> {
  return /^[0-9a-f]{32}:/i.test(id) ? { beyond: 'it is written as a slicer of another user, of which this account cannot be asked' } : {};
}
