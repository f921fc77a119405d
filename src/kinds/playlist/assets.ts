/** The assets that playlists play: where each is named, whether the service has it (facts.md section 7), and the catalogue that `export` writes. */
import { compareText } from '../../model/finding.ts';
import { type Fields, isFields } from '../../model/json.ts';
import { asText } from '../../model/read.ts';
import type { Desired, Known, Mention, References } from '../kind.ts';
import { lookUpsIn } from '../references.ts';
import { entriesOf } from './canonical.ts';
import { looksLikeId } from './catalogue.ts';
import { keysOf, slug } from './keys.ts';

const DIRECTORY = {
  v2: { path: '/api2/asset/get', asks: 'ids', answers: 'assets', single: 'asset', id: ['id'] },
  v4: '/api/v4/assets',
};

/** Assets by their IDs, with the catalogue's names for them. */
export const assets: References = {
  name: 'assets',
  noun: 'asset',
  code: 'asset-not-found',
  mentions,
  lookUps: (ids, api) => lookUpsIn(DIRECTORY, ids, api),
  catalogue: (ids, known) => ({ section: 'assets', remark: REMARK, value: catalogueOf(ids, known) }),
};

/** A smart start stands where its asset does; a playlist names one in each beam. */
function mentions({ path, inFile, fields, context }: Desired): readonly Mention[] {
  const own = path[0] === 'smart_starts';
  return entriesOf(fields).flatMap((entry, index) => {
    if (!('beam' in entry)) return [];
    const { id } = entry.beam;
    const place = own ? path : [...path, 'playlist', index, 'beam', 'id'];
    return [{ id, path: place, ...(inFile ? { inFile } : {}), ...aliasOf(id, context) }];
  });
}

function aliasOf(id: string, context: Fields | undefined): Pick<Mention, 'alias'> {
  const names = context?.names;
  const name = isFields(names) && Object.hasOwn(names, id) ? asText(names[id]) : undefined;
  return name === undefined ? {} : { alias: { name, path: ['assets', name, 'id'] } };
}

const REMARK = 'The service does not tell the codec: add `codec: AVC` or `codec: HEVC` where you know it, and mixed lists are found.';

/** Names made of the service's descriptions, the same whatever order the IDs come in; an asset that it does not describe goes by its ID. */
function catalogueOf(ids: readonly string[], known: Known): Fields {
  const sorted = ids
    .map((id) => ({ id, desc: known.get(id) ?? '' }))
    .sort((a, b) => compareText(a.desc, b.desc) || compareText(a.id, b.id));
  const nameless = sorted.filter(({ desc }) => !isTelling(desc));
  const described = sorted.filter(({ desc }) => isTelling(desc));
  const texts = [...nameless.map(({ id }) => (looksLikeId(id) || isTelling(id) ? id : '')), ...described.map(({ desc }) => desc)];
  // A name that is the ID of another asset would be ambiguous.
  const keys = keysOf(
    texts,
    'asset',
    described.map(({ id }) => id),
  );
  const named = [...nameless, ...described].map(({ id }, index): [string, Fields] => [keys[index] ?? id, { id }]);
  return Object.fromEntries(named.sort(([a], [b]) => compareText(a, b)));
}

/** Whether a text makes a name that nobody can take for an ID. */
function isTelling(text: string): boolean {
  const name = slug(text);
  return name !== '' && !looksLikeId(name);
}
