/** Converts live playlists to declarations (`export`), from which `declare` builds the same playlists again. */
import { compareStrings } from '../../model/finding.ts';
import { type JsonObject, stableJson } from '../../model/json.ts';
import type { ConfigEntry, NotExportable } from '../kind.ts';
import { INTEGER_FIELDS, isAssetIdPlaylist, type LivePlaylist, soleAsset } from './model.ts';
import { whyNotExportable } from './not-exportable.ts';
import { uniqueKeys } from './source-keys.ts';

/** Returns the live playlists as declarations, sorted by key. The result does not depend on the order of `objects`. */
export function toConfig(objects: readonly LivePlaylist[]): {
  readonly entries: readonly ConfigEntry[];
  readonly notExportable: readonly NotExportable[];
} {
  const sorted = [...objects].sort((a, b) => compareStrings(a.remoteName, b.remoteName) || compareStrings(a.id, b.id));
  const reasons = new Map(sorted.flatMap((object) => toReason(object)));
  const exportable = sorted.filter((object) => !reasons.has(object));
  const groups = toSmartStartGroups(exportable.filter(isAssetIdPlaylist));
  const playlists = toPlaylists(
    exportable.filter((live) => !isAssetIdPlaylist(live)),
    sorted,
  );
  const notExportable = [...reasons].map(([object, reason]) => ({ object, reason }));
  return { entries: [...playlists, ...groups].sort((a, b) => compareStrings(a.key ?? '', b.key ?? '')), notExportable };
}

function toReason(object: LivePlaylist): readonly (readonly [LivePlaylist, string])[] {
  const reason = whyNotExportable(object);
  return reason === undefined ? [] : [[object, reason]];
}

/** Converts playlists that are no asset-ID playlists. One whose description or sole asset does not tell it from another is named in `adopt`. */
function toPlaylists(playlists: readonly LivePlaylist[], all: readonly LivePlaylist[]): readonly ConfigEntry[] {
  const keys = uniqueKeys(playlists.map((live) => live.remoteName));
  const ids = new Set(all.map((live) => live.id));
  const nameCounts = countTexts(all, ({ isMatchableByRemoteName, remoteName }) => (isMatchableByRemoteName ? remoteName : undefined));
  const assetCounts = countTexts(all, ({ fields }) => soleAsset(fields));
  return playlists.map((live, index) => {
    const key = keys[index] ?? live.id;
    const { playlist = [] } = live.fields;
    const value = { ...(live.remoteName === key ? {} : { desc: live.remoteName }), ...settingsOf(live.fields), playlist };
    const asset = soleAsset(live.fields);
    const isOnlyOne = live.isMatchableByRemoteName && nameCounts.get(live.remoteName) === 1;
    const isOnlyOneOfAsset = asset === undefined || (assetCounts.get(asset) === 1 && !ids.has(asset));
    const adopt = isOnlyOne && isOnlyOneOfAsset ? {} : { [`playlist/${key}`]: live.id };
    return { section: 'playlists', key, value, adopt, objects: [live] };
  });
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

/** Groups asset-ID playlists with equal settings. The groups are sorted by their settings and numbered in this order. */
function toSmartStartGroups(assetIdPlaylists: readonly LivePlaylist[]): readonly ConfigEntry[] {
  const groups = new Map<string, LivePlaylist[]>();
  for (const live of assetIdPlaylists) {
    const settings = stableJson({ ...live.fields, playlist: [] });
    const group = groups.get(settings);
    if (group) group.push(live);
    else groups.set(settings, [live]);
  }
  return [...groups.entries()].sort(([a], [b]) => compareStrings(a, b)).map(([, members], index) => toSmartStartGroup(members, index + 1));
}

function toSmartStartGroup(members: readonly LivePlaylist[], number: number): ConfigEntry {
  const [first] = members;
  const { remoteName = '', fields = {} } = first ?? {};
  const assets = members.map(({ id }) => id).sort(compareStrings);
  const value = { ...(remoteName === '' ? {} : { desc: remoteName }), ...settingsOf(fields), assets };
  return { section: 'smart_starts', key: `smart-start-${number}`, value, adopt: {}, objects: members };
}

/** Returns the integer fields that are not at their defaults. */
function settingsOf(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(INTEGER_FIELDS).flatMap(([name, defaultValue]) => {
      const value = fields[name];
      return value === undefined || value === defaultValue ? [] : [[name, value]];
    }),
  );
}
