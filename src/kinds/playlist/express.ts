/** From live playlists back to declarations (`export`): what `declare` makes of them is what the account holds. */
import { compareText } from '../../model/finding.ts';
import { type Fields, stableJson } from '../../model/json.ts';
import type { Expressed, Inexpressible, Live } from '../kind.ts';
import { isAssetPlaylist, SETTINGS, soleAsset } from './canonical.ts';
import { keysOf } from './keys.ts';
import { unfitness } from './unfit.ts';

/** The live playlists as declarations, sorted by key; the order of the objects means nothing. */
export function express(objects: readonly Live[]): {
  readonly entries: readonly Expressed[];
  readonly inexpressible: readonly Inexpressible[];
} {
  const sorted = [...objects].sort((a, b) => compareText(a.label, b.label) || compareText(a.id, b.id));
  const { fit, inexpressible } = sift(sorted);
  const groups = expressGroups(fit.filter(isAssetPlaylist));
  const lists = expressLists(
    fit.filter((live) => !isAssetPlaylist(live)),
    sorted,
  );
  return { entries: [...lists, ...groups].sort((a, b) => compareText(a.key ?? '', b.key ?? '')), inexpressible };
}

/** Parts what can be declared from what validation would refuse, on its own or beside what was taken before. */
function sift(sorted: readonly Live[]): { readonly fit: readonly Live[]; readonly inexpressible: readonly Inexpressible[] } {
  const fit: Live[] = [];
  const inexpressible: Inexpressible[] = [];
  const claimed = new Map<string, Live>();
  const described = new Map<string, Live>();
  const assetPlaylistsFirst = [...sorted.filter(isAssetPlaylist), ...sorted.filter((live) => !isAssetPlaylist(live))];
  for (const object of assetPlaylistsFirst) {
    const reason = unfitness(object) ?? clash(object, claimed, described);
    if (reason !== undefined) {
      inexpressible.push({ object, reason });
      continue;
    }
    fit.push(object);
    const asset = soleAsset(object.fields);
    if (asset !== undefined) claimed.set(asset, object);
    if (object.nameable) described.set(object.label, object);
  }
  return { fit, inexpressible };
}

/** An asset's playlist is claimed once, and a description stands for one playlist (design section 3, identity). */
function clash(object: Live, claimed: ReadonlyMap<string, Live>, described: ReadonlyMap<string, Live>): string | undefined {
  const asset = soleAsset(object.fields);
  const claimant = asset === undefined ? undefined : claimed.get(asset);
  if (claimant) return `playlist ${claimant.id} holds the same one asset, and only one of them can be declared`;
  const namesake = object.nameable ? described.get(object.label) : undefined;
  return namesake && `playlist ${namesake.id} has the same description, and only one of them can be declared`;
}

function expressLists(lists: readonly Live[], all: readonly Live[]): readonly Expressed[] {
  const keys = keysOf(lists.map((live) => live.label));
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

function countLabels(objects: readonly Live[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { nameable, label } of objects) if (nameable) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** Whether its clues lead to it and to nothing else: no other playlist bears its asset's ID or its description. */
function isRecognised(live: Live, ids: ReadonlySet<string>, namesakes: ReadonlyMap<string, number>): boolean {
  const asset = soleAsset(live.fields);
  return live.nameable && namesakes.get(live.label) === 1 && (asset === undefined || !ids.has(asset));
}

/** Asset-ID playlists with equal settings make one group; groups are numbered in the order of their settings. */
function expressGroups(assetPlaylists: readonly Live[]): readonly Expressed[] {
  const groups = new Map<string, Live[]>();
  for (const live of assetPlaylists) {
    const settings = stableJson({ ...live.fields, playlist: [] });
    const group = groups.get(settings);
    if (group) group.push(live);
    else groups.set(settings, [live]);
  }
  return [...groups.entries()].sort(([a], [b]) => compareText(a, b)).map(([, members], index) => expressGroup(members, index + 1));
}

function expressGroup(members: readonly Live[], number: number): Expressed {
  const [first] = members;
  const { label = '', fields = {} } = first ?? {};
  const assets = members.map(({ id }) => id).sort(compareText);
  const value = { ...(label === '' ? {} : { desc: label }), ...settingsOf(fields), assets };
  return { section: 'smart_starts', key: `smart-start-${number}`, value, adopt: {}, objects: members };
}

/** The integer settings that are not at their defaults. */
function settingsOf(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([name, byDefault]) => {
      const value = fields[name];
      return value === undefined || value === byDefault ? [] : [[name, value]];
    }),
  );
}
