/** The checks of declared playlists and smart starts that the schema cannot express. */
import { groupBy } from '../../model/collections.ts';
import type { JsonObject, Path } from '../../model/json.ts';
import { type DeclareServices, errorFinding, nameWarnings, type UnlocatedFinding, warningFinding } from '../kind.ts';
import { type AssetCatalog, isUnknownAsset, looksLikeNumber, numberAsId } from './asset-catalog.ts';
import { type AdBreak, type Beam, type DesiredPlaylist, type Entry, MAX_ASSETS, soleAsset } from './model.ts';

/** Reports an asset that is neither in the catalog nor of the form of an asset ID: an error where it looks like a number, else a warning. */
export function unknownAsset(id: string, catalog: AssetCatalog, path: Path): readonly UnlocatedFinding[] {
  if (!isUnknownAsset(catalog, id)) return [];
  if (looksLikeNumber(id) && !catalog.byName.has(id)) return [{ severity: 'error', code: 'unknown-asset', path, ...numberAsId(id) }];
  // The long form of an entry holds an ID: a name of the catalog is not resolved there.
  const hint = catalog.byName.has(id)
    ? `It is a name of the catalog: write \`beam: ${id}\` to mean that asset.`
    : `An asset ID has 32 hexadecimal characters: correct it, or name it under \`assets\`.${id.includes('#') ? ' A comment needs a space in front of #.' : ''}`;
  return [warningFinding('unknown-asset', path, `${id} is neither in the catalog nor an asset ID`, hint)];
}

/** Warns about control characters in the description of the declaration at `path`: viewers see it as a name (api-notes section 3). */
export function controlCharacters({ desc }: JsonObject, path: Path): readonly UnlocatedFinding[] {
  if (typeof desc !== 'string' || !/\p{Cc}/u.test(desc)) return [];
  const hint = 'Viewers see it as a name: write it in one line, without tabs and other control characters.';
  return [warningFinding('control-character', [...path, 'desc'], 'the description holds control characters', hint)];
}

/** Warns about the form of the description of the declaration at `path`. */
export function descriptionWarnings({ desc }: JsonObject, path: Path): readonly UnlocatedFinding[] {
  return typeof desc === 'string' ? nameWarnings('the description', desc, [...path, 'desc']) : [];
}

/** Where something is declared: a path, or a position in a text file. */
type Place = Pick<UnlocatedFinding, 'path' | 'textFilePosition'>;

/** The address that declares the single-asset list of each asset, and where it does, by asset ID. */
export type ClaimedAssets = Map<string, { readonly address: string; readonly place: Place }>;

/** Records which address declares the single-asset list of an asset. Reports a second one (design section 3, identity). */
export function claimAsset(claimedAssets: ClaimedAssets, asset: string, address: string, place: Place): readonly UnlocatedFinding[] {
  const first = claimedAssets.get(asset);
  if (first === undefined) {
    claimedAssets.set(asset, { address, place });
    return [];
  }
  const other = first.place;
  if (first.address === address)
    return [{ ...errorFinding('asset-repeated', place.path, `${asset} is listed twice in this group`, 'List it once.'), other }];
  const summary = `${address} claims the playlist of asset ${asset}, which ${first.address} claims already`;
  const hint = 'Declare it once. A second live playlist of this one asset needs its own ID under `adopt`.';
  return [{ ...errorFinding('asset-claimed-twice', place.path, summary, hint), other }];
}

/** The entries of a declared list in their long form, with undefined for an entry that cannot be read. */
type ExpandedEntries = readonly (Entry | undefined)[];

/** Checks the list of the playlist at `playlistPath`. */
export function validateList(entries: ExpandedEntries, catalog: AssetCatalog, playlistPath: Path): readonly UnlocatedFinding[] {
  const path = [...playlistPath, 'playlist'];
  const findings = validateCount(entries, path);
  entries.forEach((entry, index) => {
    if (entry === undefined) findings.push(unreadableEntry([...path, index]));
    else if ('ad' in entry) findings.push(...misplacedAd(entries, index, path));
    else findings.push(...unknownAsset(entry.beam.id, catalog, [...path, index, 'beam']));
  });
  findings.push(...mixedCodecs(entries, catalog, path));
  return findings;
}

function isBeam(entry: Entry | undefined): entry is Beam {
  return entry !== undefined && 'beam' in entry;
}

function isAd(entry: Entry | undefined): entry is AdBreak {
  return entry !== undefined && 'ad' in entry;
}

function unreadableEntry(path: Path): UnlocatedFinding {
  const hint = 'Write `beam` and `ad` as separate entries, in the order of playback: `- beam: <asset>`, then `- ad: <seconds>`.';
  return errorFinding('playlist-entry', path, 'an entry holds exactly one of `beam` and `ad`', hint);
}

/** Checks that a playlist holds 1 to 100 assets (playlist-api-v4 sections 2.1 and 8). */
function validateCount(entries: ExpandedEntries, path: Path): UnlocatedFinding[] {
  const beams = entries.filter(isBeam);
  const firstExcess = beams[MAX_ASSETS];
  if (firstExcess !== undefined) {
    const summary = `${beams.length} assets in one playlist; the maximum is ${MAX_ASSETS}`;
    return [errorFinding('too-many-assets', [...path, entries.indexOf(firstExcess)], summary, 'Split it into several playlists.')];
  }
  if (beams.length > 0 || entries.includes(undefined)) return [];
  return [errorFinding('no-beam', path, 'the list holds no asset', 'Add at least one `- beam: <asset>`, or remove the playlist.')];
}

/** Warns of an ad break that does not follow a beam (playlist-api-v4 section 2.2). No error, because the service accepts such lists. */
function misplacedAd(entries: ExpandedEntries, index: number, path: Path): readonly UnlocatedFinding[] {
  if (index > 0 && !isAd(entries[index - 1])) return [];
  const adPath = [...path, index, 'ad'];
  if (index === 0)
    return [
      warningFinding('ad-first', adPath, 'an ad break before the first asset', 'An ad break belongs after the asset that it follows.'),
    ];
  return [warningFinding('ad-after-ad', adPath, 'two ad breaks in a row', 'Write one ad break with the length of both.')];
}

/** Reports assets with different codecs in one playlist (playlist-api-v4 section 8). Only the catalog knows codecs. */
function mixedCodecs(entries: ExpandedEntries, catalog: AssetCatalog, path: Path): readonly UnlocatedFinding[] {
  if (catalog.byId.size === 0) return [];
  const withCodec = entries.flatMap((entry, index) => {
    const asset = isBeam(entry) ? catalog.byId.get(entry.beam.id) : undefined;
    return asset?.codec === undefined ? [] : [{ ...asset, index }];
  });
  const [first] = withCodec;
  const other = withCodec.find(({ codec }) => codec !== first?.codec);
  if (!first || !other) return [];
  const summary = `${other.name} is ${other.codec}, but ${first.name} before it is ${first.codec}`;
  return [errorFinding('mixed-codec', [...path, other.index, 'beam'], summary, 'A playlist should hold assets of one codec: split it.')];
}

/** Returns the remote ID to which `adopt` binds an address, if it does. */
type AdoptedId = DeclareServices['adoptedId'];

/**
 * Reports playlists with the same description, because playlists are matched by it (design section 3, identity). Playlists may share one if
 * `adopt` binds each of them to its object. An empty description may repeat.
 */
export function repeatedDescriptions(resources: readonly DesiredPlaylist[], adoptedId: AdoptedId): readonly UnlocatedFinding[] {
  const isNotAdopted = ({ address }: DesiredPlaylist) => adoptedId(address) === undefined;
  const named = resources.filter(({ remoteName = '' }) => remoteName !== '');
  return [...groupBy(named, ({ remoteName }) => remoteName).values()].flatMap((same) => {
    const [first, ...others] = same.toSorted((a, b) => Number(isNotAdopted(a)) - Number(isNotAdopted(b)));
    return others.filter(isNotAdopted).map(({ address, displayName, path, remoteName = '' }) => {
      const summary = `${displayName} has the same description as ${first?.displayName}: ${remoteName}`;
      const hint = 'Give each playlist a `desc` of its own, or bind each of them to its live playlist under `adopt`.';
      return {
        ...errorFinding('duplicate-desc', [...path, 'desc'], summary, hint),
        ...(first && { other: { path: [...first.path, 'desc'] } }),
        address,
      };
    });
  });
}

/**
 * Records the assets of all single-asset lists among the playlists. Reports assets that another address has claimed. A playlist that
 * `adopt` binds to another object than the one with the ID of the asset claims no asset: an account may hold both objects.
 */
export function claimSoleAssets(
  resources: readonly DesiredPlaylist[],
  claimedAssets: ClaimedAssets,
  adoptedId: AdoptedId,
): readonly UnlocatedFinding[] {
  return resources.flatMap(({ address, fields, path }) => {
    const asset = soleAsset(fields);
    if (asset === undefined || (adoptedId(address) ?? asset) !== asset) return [];
    return claimAsset(claimedAssets, asset, address, { path: [...path, 'playlist'] }).map((finding) => ({ ...finding, address }));
  });
}
