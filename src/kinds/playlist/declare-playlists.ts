/** Reads the section `playlists`: desired resources, and findings that the schema cannot express. */
import { isJsonObject, isObject, type Json, type JsonObject } from '../../model/json.ts';
import { asList } from '../../model/json-readers.ts';
import type { DeclareResult, DesiredResource, UnlocatedFinding } from '../kind.ts';
import { type AssetAliases, resolveAsset } from './asset-aliases.ts';
import { DEFAULTS, declaredSettings, type Entry, entryWith, soleAsset } from './model.ts';
import {
  type ClaimedAssets,
  contradictingDrm,
  controlCharacterError,
  repeatedClaims,
  repeatedDescriptions,
  validateList,
} from './validate.ts';

/** Declares the playlists of the section, and adds one-asset playlists to `claimedAssets`. */
export function declarePlaylists(section: Json | undefined, catalogue: AssetAliases, claimedAssets: ClaimedAssets): DeclareResult {
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
    resource: {
      address,
      displayName: key,
      fields,
      fieldsAsWritten: declared,
      remoteName: fields.desc,
      matchKeys,
      adoptable: true,
      path,
      context,
    },
    findings,
  };
}

/** Matches a list of one beam by its asset's ID first; matches every list by its description (design section 3, identity). */
function matchKeysOf(fields: JsonObject, desc: string): DesiredResource['matchKeys'] {
  const asset = soleAsset(fields);
  return [...(asset === undefined ? [] : [{ id: asset }]), ...(desc === '' ? [] : [{ remoteName: desc }])];
}

/** Expands the short forms of a written entry; undefined where it has neither or both of `beam` and `ad`. */
export function entryOf(written: unknown, catalogue: AssetAliases): Entry | undefined {
  if (!isObject(written)) return undefined;
  const { beam, ad } = written;
  return entryWith(typeof beam === 'string' ? { id: resolveAsset(catalogue, beam) } : beam, typeof ad === 'number' ? { dur: ad } : ad);
}
