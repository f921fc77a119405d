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
  const { exportable, notExportable } = splitByExportable(sorted);
  const groups = toSmartStartGroups(exportable.filter(isAssetIdPlaylist));
  const playlists = toPlaylists(
    exportable.filter((live) => !isAssetIdPlaylist(live)),
    sorted,
  );
  return { entries: [...playlists, ...groups].sort((a, b) => compareStrings(a.key ?? '', b.key ?? '')), notExportable };
}

/** Separates playlists that can be declared from those that validation would reject, on their own or beside an earlier one. */
function splitByExportable(sorted: readonly LivePlaylist[]): {
  readonly exportable: readonly LivePlaylist[];
  readonly notExportable: readonly NotExportable[];
} {
  const exportable: LivePlaylist[] = [];
  const notExportable: NotExportable[] = [];
  const byAsset = new Map<string, LivePlaylist>();
  const byDescription = new Map<string, LivePlaylist>();
  const assetIdPlaylistsFirst = [...sorted.filter(isAssetIdPlaylist), ...sorted.filter((live) => !isAssetIdPlaylist(live))];
  for (const object of assetIdPlaylistsFirst) {
    const reason = whyNotExportable(object) ?? whyConflicting(object, byAsset, byDescription);
    if (reason !== undefined) {
      notExportable.push({ object, reason });
      continue;
    }
    exportable.push(object);
    const asset = soleAsset(object.fields);
    if (asset !== undefined) byAsset.set(asset, object);
    if (object.isMatchableByRemoteName) byDescription.set(object.remoteName, object);
  }
  return { exportable, notExportable };
}

/**
 * Returns why an object cannot be declared beside earlier ones: the asset of a single-asset list, and every description, must be unique
 * (design section 3, identity).
 */
function whyConflicting(
  object: LivePlaylist,
  byAsset: ReadonlyMap<string, LivePlaylist>,
  byDescription: ReadonlyMap<string, LivePlaylist>,
): string | undefined {
  const asset = soleAsset(object.fields);
  const sameAsset = asset === undefined ? undefined : byAsset.get(asset);
  if (sameAsset) return `playlist ${sameAsset.id} holds the same one asset, and only one of them can be declared`;
  const sameDescription = object.isMatchableByRemoteName ? byDescription.get(object.remoteName) : undefined;
  return sameDescription && `playlist ${sameDescription.id} has the same description, and only one of them can be declared`;
}

function toPlaylists(playlists: readonly LivePlaylist[], all: readonly LivePlaylist[]): readonly ConfigEntry[] {
  const keys = uniqueKeys(playlists.map((live) => live.remoteName));
  const ids = new Set(all.map((live) => live.id));
  const nameCounts = countRemoteNames(all);
  return playlists.map((live, index) => {
    const key = keys[index] ?? live.id;
    const { playlist = [] } = live.fields;
    const value = { ...(live.remoteName === key ? {} : { desc: live.remoteName }), ...settingsOf(live.fields), playlist };
    const adopt = isMatchedByName(live, ids, nameCounts) ? {} : { [`playlist/${key}`]: live.id };
    return { section: 'playlists', key, value, adopt, objects: [live] };
  });
}

function countRemoteNames(objects: readonly LivePlaylist[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { isMatchableByRemoteName, remoteName } of objects)
    if (isMatchableByRemoteName) counts.set(remoteName, (counts.get(remoteName) ?? 0) + 1);
  return counts;
}

/** Decides whether the name alone finds this playlist: no other one has its description, and none has its sole asset as ID. */
function isMatchedByName(live: LivePlaylist, ids: ReadonlySet<string>, nameCounts: ReadonlyMap<string, number>): boolean {
  const asset = soleAsset(live.fields);
  return live.isMatchableByRemoteName && nameCounts.get(live.remoteName) === 1 && (asset === undefined || !ids.has(asset));
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
