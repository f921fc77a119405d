/** From live playlists back to declarations (`export`): what `declare` makes of them is what the account holds. */
import { compareStrings } from '../../model/finding.ts';
import { type JsonObject, stableJson } from '../../model/json.ts';
import type { ConfigEntry, LiveResource, NotExportable } from '../kind.ts';
import { uniqueKeys } from './export-keys.ts';
import { isAssetPlaylist, SETTINGS, soleAsset } from './model.ts';
import { whyNotExportable } from './not-exportable.ts';

/** The live playlists as declarations, sorted by key; the order of the objects means nothing. */
export function toConfig(objects: readonly LiveResource[]): {
  readonly entries: readonly ConfigEntry[];
  readonly inexpressible: readonly NotExportable[];
} {
  const sorted = [...objects].sort((a, b) => compareStrings(a.label, b.label) || compareStrings(a.id, b.id));
  const { fit, inexpressible: notExportable } = sift(sorted);
  const groups = expressGroups(fit.filter(isAssetPlaylist));
  const lists = expressLists(
    fit.filter((live) => !isAssetPlaylist(live)),
    sorted,
  );
  return { entries: [...lists, ...groups].sort((a, b) => compareStrings(a.key ?? '', b.key ?? '')), inexpressible: notExportable };
}

/** Parts what can be declared from what validation would refuse, on its own or beside what was taken before. */
function sift(sorted: readonly LiveResource[]): {
  readonly fit: readonly LiveResource[];
  readonly inexpressible: readonly NotExportable[];
} {
  const fit: LiveResource[] = [];
  const notExportable: NotExportable[] = [];
  const claimed = new Map<string, LiveResource>();
  const described = new Map<string, LiveResource>();
  const assetPlaylistsFirst = [...sorted.filter(isAssetPlaylist), ...sorted.filter((live) => !isAssetPlaylist(live))];
  for (const object of assetPlaylistsFirst) {
    const reason = whyNotExportable(object) ?? clash(object, claimed, described);
    if (reason !== undefined) {
      notExportable.push({ object, reason });
      continue;
    }
    fit.push(object);
    const asset = soleAsset(object.fields);
    if (asset !== undefined) claimed.set(asset, object);
    if (object.matchableByName) described.set(object.label, object);
  }
  return { fit, inexpressible: notExportable };
}

/** An asset's playlist is claimed once, and a description stands for one playlist (design section 3, identity). */
function clash(
  object: LiveResource,
  claimed: ReadonlyMap<string, LiveResource>,
  described: ReadonlyMap<string, LiveResource>,
): string | undefined {
  const asset = soleAsset(object.fields);
  const claimant = asset === undefined ? undefined : claimed.get(asset);
  if (claimant) return `playlist ${claimant.id} holds the same one asset, and only one of them can be declared`;
  const namesake = object.matchableByName ? described.get(object.label) : undefined;
  return namesake && `playlist ${namesake.id} has the same description, and only one of them can be declared`;
}

function expressLists(lists: readonly LiveResource[], all: readonly LiveResource[]): readonly ConfigEntry[] {
  const keys = uniqueKeys(lists.map((live) => live.label));
  const ids = new Set(all.map((live) => live.id));
  const namesakes = countLabels(all);
  return lists.map((live, index) => {
    const key = keys[index] ?? live.id;
    const { playlist = [] } = live.fields;
    const value = { ...(live.label === key ? {} : { desc: live.label }), ...settingsOf(live.fields), playlist };
    const adopt = isRecognised(live, ids, namesakes) ? {} : { [`playlist/${key}`]: live.id };
    return { section: 'playlists', key, value, adopt, objects: [live] };
  });
}

function countLabels(objects: readonly LiveResource[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { matchableByName, label } of objects) if (matchableByName) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** Whether its clues lead to it and to nothing else: no other playlist bears its asset's ID or its description. */
function isRecognised(live: LiveResource, ids: ReadonlySet<string>, namesakes: ReadonlyMap<string, number>): boolean {
  const asset = soleAsset(live.fields);
  return live.matchableByName && namesakes.get(live.label) === 1 && (asset === undefined || !ids.has(asset));
}

/** Asset-ID playlists with equal settings make one group; groups are numbered in the order of their settings. */
function expressGroups(assetPlaylists: readonly LiveResource[]): readonly ConfigEntry[] {
  const groups = new Map<string, LiveResource[]>();
  for (const live of assetPlaylists) {
    const settings = stableJson({ ...live.fields, playlist: [] });
    const group = groups.get(settings);
    if (group) group.push(live);
    else groups.set(settings, [live]);
  }
  return [...groups.entries()].sort(([a], [b]) => compareStrings(a, b)).map(([, members], index) => expressGroup(members, index + 1));
}

function expressGroup(members: readonly LiveResource[], number: number): ConfigEntry {
  const [first] = members;
  const { label = '', fields = {} } = first ?? {};
  const assets = members.map(({ id }) => id).sort(compareStrings);
  const value = { ...(label === '' ? {} : { desc: label }), ...settingsOf(fields), assets };
  return { section: 'smart_starts', key: `smart-start-${number}`, value, adopt: {}, objects: members };
}

/** The integer settings that are not at their defaults. */
function settingsOf(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([name, byDefault]) => {
      const value = fields[name];
      return value === undefined || value === byDefault ? [] : [[name, value]];
    }),
  );
}
