/** Converts live playlists to declarations (`export`), from which `declare` builds the same playlists again. */
import { groupBy } from '../../model/collections.ts';
import { compareStrings } from '../../model/finding.ts';
import { type JsonObject, stableJson } from '../../model/json.ts';
import type { ConfigEntry, NotDeclarableObject } from '../kind.ts';
import { looksLikeId } from './asset-catalog.ts';
import { assetIdsOf, INTEGER_FIELDS, isAssetIdPlaylist, type LivePlaylist, type PlaylistFields, soleAsset } from './model.ts';
import { whyNotDeclarable } from './not-declarable.ts';
import { uniqueKeys } from './source-keys.ts';

/**
 * Returns the live playlists as declarations, sorted by key. The result does not depend on the order of `objects`. Assets that have a name
 * in `catalogNames`, by ID, are called by it. An asset whose ID is not 32 hexadecimal characters gets an entry in the catalog, without
 * which validation would warn about it.
 */
export function toConfig(
  objects: readonly LivePlaylist[],
  catalogNames: ReadonlyMap<string, string> = new Map(),
): {
  readonly entries: readonly ConfigEntry[];
  readonly notDeclarable: readonly NotDeclarableObject[];
} {
  const sorted = [...objects].sort((a, b) => compareStrings(a.remoteName, b.remoteName) || compareStrings(a.id, b.id));
  const reasons = new Map(sorted.flatMap((object) => toReason(object)));
  const exportable = sorted.filter((object) => !reasons.has(object));
  const oddNames = nameOddAssets(exportable, catalogNames);
  const names = new Map([...catalogNames, ...oddNames]);
  const groups = toSmartStartGroups(exportable.filter(isAssetIdPlaylist), names);
  const playlists = toPlaylists(
    exportable.filter((live) => !isAssetIdPlaylist(live)),
    sorted,
    names,
  );
  const assets = [...oddNames].map(([id, key]) => ({ section: 'assets', key, value: { id }, adopt: {}, objects: [] }));
  const notDeclarable = [...reasons].map(([object, reason]) => ({ object, reason }));
  return { entries: [...playlists, ...groups, ...assets].sort((a, b) => compareStrings(a.key ?? '', b.key ?? '')), notDeclarable };
}

function toReason(object: LivePlaylist): readonly (readonly [LivePlaylist, string])[] {
  const reason = whyNotDeclarable(object);
  return reason === undefined ? [] : [[object, reason]];
}

/** Returns names for assets that have no name and whose ID is not 32 hexadecimal characters: the ID itself, where it can be a name. */
function nameOddAssets(playlists: readonly LivePlaylist[], catalogNames: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const ids = [...new Set(playlists.flatMap(({ fields }) => assetIdsOf(fields.playlist)))];
  const odd = ids.filter((id) => !looksLikeId(id) && !catalogNames.has(id));
  const keys = uniqueKeys(
    odd.map((id) => ({ title: id, id })),
    'asset',
  );
  return new Map(odd.map((id, index) => [id, keys[index] ?? id]));
}

/**
 * Converts playlists that are no asset-ID playlists. Adds a line of `adopt` for each that matching could confuse with another one.
 */
function toPlaylists(
  playlists: readonly LivePlaylist[],
  all: readonly LivePlaylist[],
  names: ReadonlyMap<string, string>,
): readonly ConfigEntry[] {
  const keys = uniqueKeys(
    playlists.map(({ remoteName: title, id }) => ({ title, id })),
    'playlist',
  );
  const ids = new Set(all.map((live) => live.id));
  const nameCounts = countTexts(all, ({ isMatchableByRemoteName, remoteName }) => (isMatchableByRemoteName ? remoteName : undefined));
  const assetCounts = countTexts(all, ({ fields }) => soleAsset(fields));
  return playlists.map((live, index) => {
    const key = keys[index] ?? live.id;
    const playlist = live.fields.playlist.map((entry) => shortForm(entry, names));
    const value = { ...(live.remoteName === key ? {} : { desc: live.remoteName }), ...settingsOf(live.fields), playlist };
    const asset = soleAsset(live.fields);
    const hasUniqueName = live.isMatchableByRemoteName && nameCounts.get(live.remoteName) === 1;
    const hasUniqueAsset = asset === undefined || (assetCounts.get(asset) === 1 && !ids.has(asset));
    const adopt = hasUniqueName && hasUniqueAsset ? {} : { [`playlist/${key}`]: live.id };
    return { section: 'playlists', key, value, adopt, objects: [live] };
  });
}

/** Writes an entry as people do: an asset by its name or ID, an ad break by its seconds. */
function shortForm(entry: PlaylistFields['playlist'][number], names: ReadonlyMap<string, string>): JsonObject {
  if ('beam' in entry) return { beam: names.get(entry.beam.id) ?? entry.beam.id };
  return 'ad' in entry ? { ad: entry.ad.dur } : entry;
}

/** Counts the objects of each text; an object without a text does not count. */
function countTexts(objects: readonly LivePlaylist[], textOf: (live: LivePlaylist) => string | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const object of objects) {
    const text = textOf(object);
    if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** Groups asset-ID playlists with equal settings, and names each group by its description and its settings. */
function toSmartStartGroups(assetIdPlaylists: readonly LivePlaylist[], names: ReadonlyMap<string, string>): readonly ConfigEntry[] {
  const groups = [...groupBy(assetIdPlaylists, ({ fields }) => stableJson({ ...fields, playlist: [] }))];
  const keys = uniqueKeys(
    groups.map(([settings, members]) => ({ title: groupTitle(members), id: settings })),
    'smart-start',
  );
  return groups.map(([, members], index) => toSmartStartGroup(members, keys[index] ?? 'smart-start', names));
}

/** Returns a title for the playlists of one group: `VOD repeat 1`. */
function groupTitle([first]: readonly LivePlaylist[]): string {
  const settings = Object.entries(first ? settingsOf(first.fields) : {}).map(([name, value]) => `${name} ${value}`.replace('-', 'minus '));
  return [first?.remoteName || 'smart-start', ...settings].join(' ');
}

function toSmartStartGroup(members: readonly LivePlaylist[], key: string, names: ReadonlyMap<string, string>): ConfigEntry {
  const [first] = members;
  const { remoteName = '', fields = {} } = first ?? {};
  const assets = members.map(({ id }) => names.get(id) ?? id).sort(compareStrings);
  const value = { ...(remoteName === '' ? {} : { desc: remoteName }), ...settingsOf(fields), assets };
  return { section: 'smart_starts', key, value, adopt: {}, objects: members };
}

function settingsOf(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(INTEGER_FIELDS).flatMap(([name, defaultValue]) => {
      const value = fields[name];
      return value === undefined || value === defaultValue ? [] : [[name, value]];
    }),
  );
}
