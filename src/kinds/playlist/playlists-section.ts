/** Reads the section `playlists`: desired resources, and findings that the schema cannot express. */
import { isJsonObject, isObject, type Json, type JsonObject, type Path } from '../../model/json.ts';
import { asList } from '../../model/json-readers.ts';
import { type DesiredResource, errorFinding, type UnlocatedFinding, warningFinding } from '../kind.ts';
import { type AssetAliases, isUnknownAsset, resolveAsset } from './asset-aliases.ts';
import { type AdBreak, type Beam, DEFAULTS, type Entry, entryWith, MAX_ASSETS, soleAsset } from './model.ts';
import {
  type ClaimedAssets,
  claimAsset,
  contradictingDrm,
  controlCharacterError,
  type DeclaredSettings,
  declaredSettings,
  unknownAsset,
} from './shared-checks.ts';

/** Declares the playlists of the section, and adds one-asset playlists to `claimedAssets`. */
export function declarePlaylists(section: Json | undefined, catalogue: AssetAliases, claimedAssets: ClaimedAssets): DeclaredSettings {
  if (!isJsonObject(section)) return { resources: [], findings: [] };
  const resources: DesiredResource[] = [];
  const findings: UnlocatedFinding[] = [];
  for (const [key, value] of Object.entries(section)) {
    if (!isJsonObject(value)) continue;
    const declaration = declarePlaylist(key, value, catalogue);
    resources.push(declaration.resource);
    for (const finding of declaration.findings) findings.push(finding);
  }
  return { resources, findings: [...findings, ...repeatedDescriptions(resources), ...repeatedClaims(resources, claimedAssets)] };
}

function declarePlaylist(
  key: string,
  value: JsonObject,
  catalogue: AssetAliases,
): { readonly resource: DesiredResource; readonly findings: readonly UnlocatedFinding[] } {
  const slots = (asList(value.playlist) ?? []).map((entry) => entryOf(entry, catalogue));
  const entries = slots.filter((slot) => slot !== undefined);
  const declared = { ...declaredSettings(value), playlist: entries };
  const fields = { ...DEFAULTS, desc: key, ...declared };
  const address = `playlist/${key}`;
  const path = ['playlists', key];
  const found = [...validateList(slots, catalogue, path), ...contradictingDrm(declared, path), ...controlCharacterError(declared, path)];
  const findings = found.length === 0 ? found : found.map((finding) => ({ ...finding, address }));
  const matchKeys = matchKeysOf(fields, fields.desc);
  const { context } = catalogue;
  return {
    resource: { address, name: key, fields, declared, label: fields.desc, matchKeys, adoptable: true, path, context },
    findings: findings,
  };
}

/** Matches a list of one beam by its asset's ID first; matches every list by its description (design section 3, identity). */
function matchKeysOf(fields: JsonObject, desc: string): DesiredResource['matchKeys'] {
  const asset = soleAsset(fields);
  return [...(asset === undefined ? [] : [{ id: asset }]), ...(desc === '' ? [] : [{ name: desc }])];
}

/** Expands the short forms of a written entry; undefined where it has neither or both of `beam` and `ad`. */
export function entryOf(written: unknown, catalogue: AssetAliases): Entry | undefined {
  if (!isObject(written)) return undefined;
  const { beam, ad } = written;
  return entryWith(typeof beam === 'string' ? { id: resolveAsset(catalogue, beam) } : beam, typeof ad === 'number' ? { dur: ad } : ad);
}

/** Entries as written; undefined is an entry that cannot be read. */
type Slots = readonly (Entry | undefined)[];

/** Checks the list of the playlist at the path `playlist`. */
function validateList(slots: Slots, catalogue: AssetAliases, playlist: Path): readonly UnlocatedFinding[] {
  const path = [...playlist, 'playlist'];
  const found = validateCount(slots, path);
  slots.forEach((slot, index) => {
    if (slot === undefined) found.push(unreadableEntry([...path, index]));
    else if ('ad' in slot) found.push(...misplacedAd(slots, index, path));
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

/** A playlist holds 1 to 100 assets (playlist-api-v4 sections 2.1 and 8). */
function validateCount(slots: Slots, path: Path): UnlocatedFinding[] {
  const beams = slots.filter(isBeam);
  const firstExcess = beams[MAX_ASSETS];
  if (firstExcess !== undefined) {
    const summary = `${beams.length} assets in one playlist, ${MAX_ASSETS} is the most`;
    return [errorFinding('too-many-assets', [...path, slots.indexOf(firstExcess)], summary, 'Split it into several playlists.')];
  }
  if (beams.length > 0 || slots.includes(undefined)) return [];
  return [errorFinding('no-beam', path, 'the list holds no asset', 'Add at least one `- beam: <asset>`, or remove the playlist.')];
}

/** An ad break must follow a beam (playlist-api-v4 section 2.2). A warning only, since the service accepts other lists too. */
function misplacedAd(slots: Slots, index: number, path: Path): readonly UnlocatedFinding[] {
  if (index > 0 && !isAd(slots[index - 1])) return [];
  const adPath = [...path, index, 'ad'];
  if (index === 0)
    return [
      warningFinding('ad-first', adPath, 'an ad break before the first asset', 'An ad break belongs after the asset that it follows.'),
    ];
  return [warningFinding('ad-after-ad', adPath, 'two ad breaks in a row', 'Write one ad break with the length of both.')];
}

/** All assets of a playlist should have one codec (playlist-api-v4 section 8); only the catalogue knows codecs. */
function mixedCodecs(slots: Slots, catalogue: AssetAliases, path: Path): readonly UnlocatedFinding[] {
  if (catalogue.byId.size === 0) return [];
  const withCodec = slots.flatMap((slot, index) => {
    const asset = isBeam(slot) ? catalogue.byId.get(slot.beam.id) : undefined;
    return asset?.codec === undefined ? [] : [{ ...asset, index }];
  });
  const [first] = withCodec;
  const other = withCodec.find(({ codec }) => codec !== first?.codec);
  if (!first || !other) return [];
  const summary = `${other.name} is ${other.codec}, but ${first.name} before it is ${first.codec}`;
  return [errorFinding('mixed-codec', [...path, other.index, 'beam'], summary, 'A playlist should hold assets of one codec: split it.')];
}

/** Playlists are matched by description, so two of them cannot share one (design section 3); an empty description is no match key. */
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

function repeatedClaims(resources: readonly DesiredResource[], claimedAssets: ClaimedAssets): readonly UnlocatedFinding[] {
  return resources.flatMap(({ address, fields, path }) => {
    const asset = soleAsset(fields);
    if (asset === undefined) return [];
    return claimAsset(claimedAssets, asset, address, [...path, 'playlist']).map((finding) => ({ ...finding, address }));
  });
}
