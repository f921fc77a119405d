/** Declared settings and checks that playlists and smart starts share. */
import type { Json, JsonObject, Path } from '../../model/json.ts';
import { type DesiredResource, errorFinding, type UnlocatedFinding, warningFinding } from '../kind.ts';
import { type AssetAliases, isUnknownAsset } from './asset-aliases.ts';
import { CONTROL_CHARACTER, SETTINGS } from './model.ts';

/** Desired resources, with errors and warnings about them. */
export interface DeclaredSettings {
  readonly resources: readonly DesiredResource[];
  readonly findings: readonly UnlocatedFinding[];
}

/** Returns the description and the integer settings of a declaration; true and false mean 1 and 0 (design section 3). */
export function declaredSettings(value: JsonObject): JsonObject {
  const settings: { [name: string]: Json } = typeof value.desc === 'string' ? { desc: value.desc } : {};
  for (const name of NAMES) {
    const written = value[name];
    if (written !== undefined) settings[name] = typeof written === 'boolean' ? Number(written) : written;
  }
  return settings;
}

const NAMES = Object.keys(SETTINGS);

/** Warns about an asset that is neither in the catalogue nor of the form of an asset ID. */
export function unknownAsset(id: string, catalogue: AssetAliases, path: Path): readonly UnlocatedFinding[] {
  if (!isUnknownAsset(catalogue, id)) return [];
  const hint = catalogue.byName.has(id)
    ? `It is a name of the catalogue: write \`beam: ${id}\` to mean that asset.`
    : 'An asset ID has 32 hexadecimal characters: correct it, or name it under `assets`.';
  return [warningFinding('unknown-asset', path, `${id} is neither in the catalogue nor an asset ID`, hint)];
}

/** Warns about settings that allow playback without a signature and require DRM at once (playlist-api-v4 section 2.1). */
export function contradictingDrm(written: JsonObject, path: Path): readonly UnlocatedFinding[] {
  if (written.skip_drm !== 1 || written.studio_drm_required !== 1) return [];
  const summary = '`skip_drm` allows playback without a signature, while `studio_drm_required` asks for DRM';
  return [warningFinding('skip-drm-with-studio-drm', [...path, 'skip_drm'], summary, 'Leave one of the two out.')];
}

/** Reports control characters in a description; `path` is that of the declaration. */
export function controlCharacterError({ desc }: JsonObject, path: Path): readonly UnlocatedFinding[] {
  if (typeof desc !== 'string' || !CONTROL_CHARACTER.test(desc)) return [];
  const hint = 'Viewers see it as a name: write it in one line, without tabs and other control characters.';
  return [errorFinding('invalid-value', [...path, 'desc'], 'a description cannot hold control characters', hint)];
}

/** The declarations of one-asset playlists: asset ID to address. */
export type ClaimedAssets = Map<string, string>;

/**
 * Adds a declaration of an asset's own playlist, and reports a second one, which would contradict the first (design section 3, identity).
 */
export function claimAsset(claimedAssets: ClaimedAssets, asset: string, address: string, path: Path): readonly UnlocatedFinding[] {
  const first = claimedAssets.get(asset);
  if (first === undefined) {
    claimedAssets.set(asset, address);
    return [];
  }
  if (first === address) return [errorFinding('asset-repeated', path, `${asset} is listed twice in this group`, 'List it once.')];
  const summary = `${address} claims the playlist of asset ${asset}, which ${first} claims already`;
  return [errorFinding('asset-claimed-twice', path, summary, 'Declare the one-asset playlist of an asset once.')];
}
