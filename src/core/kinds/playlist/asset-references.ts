/** The assets in playlists: references to them, their lookup (api-notes section 7), and the catalog that `export` writes. */
import { readAssetFacts } from '../../model/asset.ts';
import { compareStrings } from '../../model/finding.ts';
import { isJsonObject, type JsonObject } from '../../model/json.ts';
import { asString } from '../../model/json-readers.ts';
import type { ExistingObjects, Reference, ReferenceType } from '../kind.ts';
import { lookupsIn } from '../references.ts';
import { looksLikeId } from './asset-catalog.ts';
import type { DesiredPlaylist } from './model.ts';
import { slug, uniqueKeys } from './source-keys.ts';

/** Where assets are looked up. */
export const ASSET_ENDPOINT = {
  v2: { path: '/api2/asset/get', requestField: 'ids', listField: 'assets', itemField: 'asset', idFields: ['id'] },
  v4: '/api/v4/assets',
  readFacts: readAssetFacts,
};

/** References to assets, by asset ID, with the names of the catalog. */
export const assetReferences: ReferenceType = {
  name: 'assets',
  noun: 'asset',
  code: 'asset-not-found',
  referencesIn: listReferences,
  lookups: (ids, api) => lookupsIn(ASSET_ENDPOINT, ids, api),
  buildCatalogSection: (ids, known) => {
    const names = nameAssets(ids, known);
    const assets = [...names].map(([id, name]): [string, JsonObject] => [name, { id }]).sort(([a], [b]) => compareStrings(a, b));
    return { section: 'assets', comment: COMMENT, value: Object.fromEntries(assets), names };
  },
};

/** Lists the assets that a playlist plays. A smart start refers to the asset at its own path; a playlist refers to one asset in each beam. */
export function listReferences({ path, textFilePosition, fields, kindData }: DesiredPlaylist): readonly Reference[] {
  const isSmartStart = path[0] === 'smart_starts';
  return fields.playlist.flatMap((entry, index) => {
    if (!('beam' in entry)) return [];
    const { id } = entry.beam;
    const assetPath = isSmartStart ? path : [...path, 'playlist', index, 'beam', 'id'];
    return [{ id, path: assetPath, ...(textFilePosition ? { textFilePosition } : {}), ...catalogNameOf(id, kindData) }];
  });
}

function catalogNameOf(id: string, kindData: JsonObject | undefined): Pick<Reference, 'catalogName'> {
  const names = kindData?.names;
  const name = isJsonObject(names) && Object.hasOwn(names, id) ? asString(names[id]) : undefined;
  return name === undefined ? {} : { catalogName: { name, path: ['assets', name, 'id'] } };
}

const COMMENT =
  'The service does not report codecs. Add `codec: AVC` or `codec: HEVC` where you know it, so that upkeep finds playlists with mixed codecs.';

/**
 * Returns a name for each asset, by ID. The names are made from the descriptions in the service, or from the ID where there is none. They
 * do not depend on the order of `ids`.
 */
function nameAssets(ids: readonly string[], known: ExistingObjects): ReadonlyMap<string, string> {
  const assets = ids.map((id) => ({ id, title: catalogTitle(id, known.get(id)?.name ?? '') }));
  // Reserve the IDs: a name that is the ID of another asset would be ambiguous.
  const described = assets.filter(({ id, title }) => title !== id);
  const keys = uniqueKeys(
    assets,
    'asset',
    described.map(({ id }) => id),
  );
  return new Map(ids.map((id, index) => [id, keys[index] ?? id]));
}

/** Returns the text from which an asset gets its name: its description where that makes a name, otherwise its ID where that may be one. */
function catalogTitle(id: string, description: string): string {
  if (makesCatalogName(description)) return description;
  return looksLikeId(id) || makesCatalogName(id) ? id : '';
}

/** Decides whether a text can be made into a name that does not look like an ID. */
function makesCatalogName(text: string): boolean {
  const name = slug(text);
  return name !== '' && !looksLikeId(name);
}
