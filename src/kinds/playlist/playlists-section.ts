/** The section `playlists`: from what the user wrote to desired resources, and what the schema cannot see. */
import { isJsonObject, isObject, type Json, type JsonObject, type Path } from '../../model/json.ts';
import { asList } from '../../model/json-readers.ts';
import { type DesiredResource, errorFinding, type UnlocatedFinding, warningFinding } from '../kind.ts';
import { type AssetAliases, isUnknownAsset, resolveAsset } from './asset-aliases.ts';
import { type AdBreak, type Beam, DEFAULTS, type Entry, entryWith, MAX_ASSETS, soleAsset } from './model.ts';
import {
  type ClaimedNames,
  claimName,
  contradictingDrm,
  controlCharacterError,
  type DeclaredSettings,
  declaredSettings,
  unknownAsset,
} from './shared-checks.ts';

/** Reads the section `playlists`. */
export function declarePlaylists(section: Json | undefined, catalogue: AssetAliases, claims: ClaimedNames): DeclaredSettings {
  if (!isJsonObject(section)) return { resources: [], problems: [] };
  const resources: DesiredResource[] = [];
  const findings: UnlocatedFinding[] = [];
  for (const [key, value] of Object.entries(section)) {
    if (!isJsonObject(value)) continue;
    const one = declarePlaylist(key, value, catalogue);
    resources.push(one.resource);
    for (const finding of one.problems) findings.push(finding);
  }
  return { resources, problems: [...findings, ...repeatedDescriptions(resources), ...repeatedClaims(resources, claims)] };
}

function declarePlaylist(
  key: string,
  value: JsonObject,
  catalogue: AssetAliases,
): { readonly resource: DesiredResource; readonly problems: readonly UnlocatedFinding[] } {
  const slots = (asList(value.playlist) ?? []).map((entry) => entryOf(entry, catalogue));
  const entries = slots.filter((slot) => slot !== undefined);
  const declared = { ...declaredSettings(value), playlist: entries };
  const fields = { ...DEFAULTS, desc: key, ...declared };
  const address = `playlist/${key}`;
  const path = ['playlists', key];
  const found = [...listProblems(slots, catalogue, path), ...contradictingDrm(declared, path), ...controlCharacterError(declared, path)];
  const findings = found.length === 0 ? found : found.map((finding) => ({ ...finding, address }));
  const matchKeys = cluesOf(fields, fields.desc);
  const { context } = catalogue;
  return {
    resource: { address, name: key, fields, declared, label: fields.desc, matchKeys, adoptable: true, path, context },
    problems: findings,
  };
}

/** A list of one beam is known by its asset's ID, then like any other by its description (design section 3, identity). */
function cluesOf(fields: JsonObject, desc: string): DesiredResource['matchKeys'] {
  const asset = soleAsset(fields);
  return [...(asset === undefined ? [] : [{ id: asset }]), ...(desc === '' ? [] : [{ name: desc }])];
}

/** An entry with its short forms written out; undefined where it is neither a beam nor an ad, or both. */
export function entryOf(written: unknown, catalogue: AssetAliases): Entry | undefined {
  if (!isObject(written)) return undefined;
  const { beam, ad } = written;
  return entryWith(typeof beam === 'string' ? { id: resolveAsset(catalogue, beam) } : beam, typeof ad === 'number' ? { dur: ad } : ad);
}

/** Entries as written; undefined marks one that cannot be read. */
type Slots = readonly (Entry | undefined)[];

/** `playlist` is the path of the playlist. */
function listProblems(slots: Slots, catalogue: AssetAliases, playlist: Path): readonly UnlocatedFinding[] {
  const path = [...playlist, 'playlist'];
  const found = countProblems(slots, path);
  slots.forEach((slot, index) => {
    if (slot === undefined) found.push(unreadableEntry([...path, index]));
    else if ('ad' in slot) found.push(...strayAd(slots, index, path));
    else if (isUnknownAsset(catalogue, slot.beam.id)) found.push(...unknownAsset(slot.beam.id, catalogue, [...path, index, 'beam']));
  });
  found.push(...mixedCodecs(slots, catalogue, path));
  return found;
}

function isBeam(slot: Entry | undefined): slot is Beam {
  return slot !== undefined && 'beam' in slot;
}

function isAd(slot: Entry | undefined): slot is AdBreak {
  return slot !== undefined && 'ad' in slot;
}

function unreadableEntry(path: Path): UnlocatedFinding {
  const hint = 'Write one entry each, in the order of playback: `- beam: <asset>`, then `- ad: <seconds>`.';
  return errorFinding('playlist-entry', path, 'an entry holds exactly one of `beam` and `ad`', hint);
}

/** 1 to 100 assets (playlist-api-v4 sections 2.1 and 8). */
function countProblems(slots: Slots, path: Path): UnlocatedFinding[] {
  const beams = slots.filter(isBeam);
  const beyond = beams[MAX_ASSETS];
  if (beyond !== undefined) {
    const summary = `${beams.length} assets in one playlist, ${MAX_ASSETS} is the most`;
    return [errorFinding('too-many-assets', [...path, slots.indexOf(beyond)], summary, 'Split it into several playlists.')];
  }
  if (beams.length > 0 || slots.includes(undefined)) return [];
  return [errorFinding('no-beam', path, 'the list holds no asset', 'Add at least one `- beam: <asset>`, or remove the playlist.')];
}

/** An ad break follows the asset of the preceding beam (playlist-api-v4 section 2.2); services take others all the same. */
function strayAd(slots: Slots, index: number, path: Path): readonly UnlocatedFinding[] {
  if (index > 0 && !isAd(slots[index - 1])) return [];
  const place = [...path, index, 'ad'];
  if (index === 0)
    return [
      warningFinding('ad-first', place, 'an ad break before the first asset', 'An ad break belongs after the asset that it follows.'),
    ];
  return [warningFinding('ad-after-ad', place, 'two ad breaks in a row', 'Write one ad break with the length of both.')];
}

/** All assets of a playlist should share one codec (playlist-api-v4 section 8); only the catalogue knows codecs. */
function mixedCodecs(slots: Slots, catalogue: AssetAliases, path: Path): readonly UnlocatedFinding[] {
  if (catalogue.byId.size === 0) return [];
  const known = slots.flatMap((slot, index) => {
    const asset = isBeam(slot) ? catalogue.byId.get(slot.beam.id) : undefined;
    return asset?.codec === undefined ? [] : [{ ...asset, index }];
  });
  const [first] = known;
  const other = known.find(({ codec }) => codec !== first?.codec);
  if (!first || !other) return [];
  const summary = `${other.name} is ${other.codec}, but ${first.name} before it is ${first.codec}`;
  return [errorFinding('mixed-codec', [...path, other.index, 'beam'], summary, 'A playlist should hold assets of one codec: split it.')];
}

/** Identity goes by description, so two playlists cannot share one (design section 3); empty ones are no clue. */
function repeatedDescriptions(resources: readonly DesiredResource[]): readonly UnlocatedFinding[] {
  const earlier = new Map<string, DesiredResource>();
  return resources.flatMap((resource) => {
    const { label = '', address, name, path } = resource;
    const first = label === '' ? undefined : earlier.get(label);
    if (!first) {
      earlier.set(label, resource);
      return [];
    }
    const summary = `${name} has the same description as ${first.name}: ${label}`;
    return [{ ...errorFinding('duplicate-desc', [...path, 'desc'], summary, 'Give each playlist a `desc` of its own.'), address }];
  });
}

function repeatedClaims(resources: readonly DesiredResource[], claims: ClaimedNames): readonly UnlocatedFinding[] {
  return resources.flatMap(({ address, fields, path }) => {
    const asset = soleAsset(fields);
    if (asset === undefined) return [];
    return claimName(claims, asset, address, [...path, 'playlist']).map((finding) => ({ ...finding, address }));
  });
}
