/**
 * Assets that a declaration names by the user's own ID (`external_id`). Until such a reference is resolved, it stands in place of the asset
 * ID, with a mark that no asset ID begins with (design section 3, assets).
 */
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { ExternalIdResolver, ExternalReferences, Reference, ResolveExternalId } from '../kind.ts';
import { externalLookupsIn } from '../references.ts';
import { ASSET_ENDPOINT, listReferences } from './asset-references.ts';
import { assetIdsOf, type DesiredPlaylist, type Entry, externalIdOf, type OddEntry } from './model.ts';

/** References of playlists to assets by external IDs. */
export const externalReferences: ExternalReferences = {
  referencesIn: listExternalReferences,
  lookups: (externalIds, api) => externalLookupsIn(ASSET_ENDPOINT, externalIds, api),
  resolver: createResolver,
};

function listExternalReferences(playlist: DesiredPlaylist): readonly Reference[] {
  if (!assetIdsOf(playlist.fields.playlist).some((id) => externalIdOf(id) !== undefined)) return [];
  return listReferences(playlist).flatMap((reference): readonly Reference[] => {
    const externalId = externalIdOf(reference.id);
    return externalId === undefined ? [] : [{ ...reference, id: externalId }];
  });
}

/** Creates a function that puts asset IDs in place of references. What the catalog says of a reference then holds for its asset. */
function createResolver(): ExternalIdResolver {
  // All playlists of a configuration share their data.
  const resolvedData = new Map<JsonObject, JsonObject>();
  const resolvePlaylist = (playlist: DesiredPlaylist, idOf: ResolveExternalId): DesiredPlaylist => {
    if (!assetIdsOf(playlist.fields.playlist).some((id) => externalIdOf(id) !== undefined)) return playlist;
    const externalIds = new Map<string, string>();
    const resolve = (assetId: string): string => {
      const externalId = externalIdOf(assetId);
      const found = externalId === undefined ? undefined : idOf(externalId);
      if (externalId === undefined || found === undefined) return assetId;
      externalIds.set(externalId, found);
      return found;
    };
    const fields = { ...playlist.fields, playlist: playlist.fields.playlist.map((entry) => resolveEntry(entry, resolve)) };
    if (externalIds.size === 0) return playlist;
    const { kindData } = playlist;
    const known = kindData && (resolvedData.get(kindData) ?? withAssetIds(kindData, idOf));
    if (kindData && known) resolvedData.set(kindData, known);
    return {
      ...playlist,
      fields,
      declaredFields: { ...playlist.declaredFields, playlist: fields.playlist },
      matchKeys: playlist.matchKeys.map((matchKey) => ('id' in matchKey ? { id: resolve(matchKey.id) } : matchKey)),
      ...(known ? { kindData: known } : {}),
      externalIds: Object.fromEntries(externalIds),
      beforeResolving: playlist,
    };
  };
  return { resolve: resolvePlaylist };
}

function resolveEntry(entry: Entry | OddEntry, resolve: (assetId: string) => string): Entry | OddEntry {
  return 'beam' in entry ? { beam: { id: resolve(entry.beam.id) } } : entry;
}

/** Copies what the data holds under an external reference to the ID of the asset that it names. */
function withAssetIds(kindData: JsonObject, idOf: ResolveExternalId): JsonObject {
  const withIds = (part: Json): Json => {
    if (!isJsonObject(part)) return part;
    const found = Object.entries(part).flatMap(([assetId, value]): [string, Json][] => {
      const externalId = externalIdOf(assetId);
      const id = externalId === undefined ? undefined : idOf(externalId);
      return id === undefined ? [] : [[id, value]];
    });
    return found.length === 0 ? part : { ...Object.fromEntries(found), ...part };
  };
  return Object.fromEntries(Object.entries(kindData).map(([name, part]) => [name, withIds(part)]));
}
