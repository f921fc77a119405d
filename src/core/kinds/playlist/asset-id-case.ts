/** Finds asset IDs that differ from those of the account in nothing but their case (api-notes section 3). */
import { firstOf } from '../../model/collections.ts';
import type { AddressedChange, LiveResource, LiveWarning } from '../kind.ts';
import { looksLikeId } from './asset-catalog.ts';
import { assetIdsOf, isAssetIdPlaylist, type PlaylistFields, soleAsset } from './model.ts';

/** The code of these warnings. */
export const ASSET_ID_CASE = 'asset-id-case';

/** Maximum number of asset IDs that a warning names. */
const MAX_IDS = 4;

/**
 * Returns a warning for each update whose list names an asset of the live list in another case, and for each create of a smart start whose
 * asset has a playlist under its ID in another case. If the service ignores case, the update comes back with every plan.
 */
export function caseWarnings(
  changes: readonly AddressedChange<PlaylistFields>[],
  objects: readonly LiveResource<PlaylistFields>[],
): readonly LiveWarning[] {
  const smartStarts = idsByLowerCase(objects.filter(isAssetIdPlaylist).map(({ id }) => id));
  return changes.flatMap(({ address, before, after }): readonly LiveWarning[] => {
    if (after === null) return [];
    const sole = soleAsset(after.fields);
    const declared = before !== null ? assetIdsOf(after.fields.playlist) : sole === undefined ? [] : [sole];
    const live = before === null ? smartStarts : idsByLowerCase(assetIdsOf(before.fields.playlist));
    const pairs = [...new Set(declared)].flatMap((id): readonly string[] => {
      const same = looksLikeId(id) ? live.get(id.toLowerCase()) : undefined;
      return same === undefined || same.has(id) ? [] : [`${id} is ${[...same].join(' and ')}`];
    });
    if (pairs.length === 0) return [];
    const summary = `in the account, but for upper and lower case, ${firstOf(pairs, MAX_IDS).join(', ')}`;
    const hint = 'Write each ID as the account shows it. If the service ignores case, this change comes back with every plan.';
    return [{ code: ASSET_ID_CASE, address, summary, hint }];
  });
}

/** Returns the IDs of 32 hexadecimal digits, by their form in lower case. */
function idsByLowerCase(ids: readonly (string | null)[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byLowerCase = new Map<string, Set<string>>();
  for (const id of ids) {
    if (id === null || !looksLikeId(id)) continue;
    const same = byLowerCase.get(id.toLowerCase()) ?? new Set();
    byLowerCase.set(id.toLowerCase(), same.add(id));
  }
  return byLowerCase;
}
