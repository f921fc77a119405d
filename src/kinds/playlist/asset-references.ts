/** The assets that playlists play: where each is named, whether the service has it (api-notes section 7), and the catalogue that `export` writes. */
import { compareStrings } from '../../model/finding.ts';
import { isJsonObject, type JsonObject } from '../../model/json.ts';
import { asString } from '../../model/json-readers.ts';
import type { DesiredResource, ExistingIds, Reference, ReferenceType } from '../kind.ts';
import { lookupsIn } from '../references.ts';
import { looksLikeId } from './asset-aliases.ts';
import { slug, uniqueKeys } from './export-keys.ts';
import { entriesOf } from './model.ts';

const DIRECTORY = {
  v2: { path: '/api2/asset/get', requestField: 'ids', listField: 'assets', itemField: 'asset', id: ['id'] },
  v4: '/api/v4/assets',
};

/** Assets by their IDs, with the catalogue's names for them. */
export const assetReferences: ReferenceType = {
  name: 'assets',
  noun: 'asset',
  code: 'asset-not-found',
  references: mentions,
  lookups: (ids, api) => lookupsIn(DIRECTORY, ids, api),
  aliasSection: (ids, known) => ({ section: 'assets', remark: REMARK, value: catalogueOf(ids, known) }),
};

/** A smart start stands where its asset does; a playlist names one in each beam. */
function mentions({ path, inFile, fields, context }: DesiredResource): readonly Reference[] {
  const own = path[0] === 'smart_starts';
  return entriesOf(fields).flatMap((entry, index) => {
    if (!('beam' in entry)) return [];
    const { id } = entry.beam;
    const place = own ? path : [...path, 'playlist', index, 'beam', 'id'];
    return [{ id, path: place, ...(inFile ? { inFile } : {}), ...aliasOf(id, context) }];
  });
}

function aliasOf(id: string, context: JsonObject | undefined): Pick<Reference, 'alias'> {
  const names = context?.names;
  const name = isJsonObject(names) && Object.hasOwn(names, id) ? asString(names[id]) : undefined;
  return name === undefined ? {} : { alias: { name, path: ['assets', name, 'id'] } };
}

const REMARK = 'The service does not tell the codec: add `codec: AVC` or `codec: HEVC` where you know it, and mixed lists are found.';

/** Names made of the service's descriptions, the same whatever order the IDs come in; an asset that it does not describe goes by its ID. */
function catalogueOf(ids: readonly string[], known: ExistingIds): JsonObject {
  const sorted = ids
    .map((id) => ({ id, desc: known.get(id) ?? '' }))
    .sort((a, b) => compareStrings(a.desc, b.desc) || compareStrings(a.id, b.id));
  const nameless = sorted.filter(({ desc }) => !isTelling(desc));
  const described = sorted.filter(({ desc }) => isTelling(desc));
  const texts = [...nameless.map(({ id }) => (looksLikeId(id) || isTelling(id) ? id : '')), ...described.map(({ desc }) => desc)];
  // A name that is the ID of another asset would be ambiguous.
  const keys = uniqueKeys(
    texts,
    'asset',
    described.map(({ id }) => id),
  );
  const named = [...nameless, ...described].map(({ id }, index): [string, JsonObject] => [keys[index] ?? id, { id }]);
  return Object.fromEntries(named.sort(([a], [b]) => compareStrings(a, b)));
}

/** Whether a text makes a name that nobody can take for an ID. */
function isTelling(text: string): boolean {
  const name = slug(text);
  return name !== '' && !looksLikeId(name);
}
