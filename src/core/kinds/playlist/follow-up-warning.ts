/** Warns of live channels whose schedules were filled from a playlist (api-notes section 8, point 2). */
import { type AddressedChange, formatAddresses, type LiveWarning } from '../kind.ts';
import type { PlaylistFields } from './model.ts';

/** Returns one warning that scheduled entries stay as they are, if changes update or delete playlists. A description is no part of them. */
export function followUpWarnings(changes: readonly AddressedChange<PlaylistFields>[]): readonly LiveWarning[] {
  const changed = changes.filter(
    ({ before, after, fields }) => before !== null && (after === null || fields.some(({ path }) => path !== '/desc')),
  );
  const [first] = changed;
  if (!first) return [];
  const warning = {
    code: 'scheduled-entries',
    address: first.address,
    summary: `what live channels have already scheduled from ${formatAddresses(changed)} stays in their schedules, which this plan does not change`,
    hint: 'Where a channel should follow, fill its schedule from the playlist again.',
  };
  return [warning];
}
