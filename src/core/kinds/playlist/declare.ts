/** Builds the desired playlists from the sections of the sources (design section 3, sources), with the findings that the schema cannot express. */
import type { SourcePosition } from '../../model/finding.ts';
import { isJsonObject, isObject, type Json, type JsonObject, type Path } from '../../model/json.ts';
import { asList, asStringArray } from '../../model/json-readers.ts';
import { type DeclareResult, type DeclareServices, errorFinding, type Sections, type UnlocatedFinding, warningFinding } from '../kind.ts';
import { type AssetCatalog, readAssetCatalog, resolveAsset } from './asset-catalog.ts';
import {
  ASSET_ID,
  DEFAULTS,
  type DesiredPlaylist,
  declaredScalars,
  type Entry,
  entryWith,
  externalReference,
  type PlaylistFields,
  soleAsset,
} from './model.ts';
import {
  type ClaimedAssets,
  claimAsset,
  claimSoleAssets,
  controlCharacters,
  descriptionWarnings,
  repeatedDescriptions,
  unknownAsset,
  validateList,
} from './validate.ts';

/**
 * Returns the desired resources of all sections, and the findings that the schema cannot express. Only one resource may declare the
 * single-asset list of an asset, except playlists that `adopt` binds to other objects. Playlists are read first, so that the smart
 * start has the finding if both claim an asset.
 */
export function declare(sections: Sections, services: DeclareServices): DeclareResult<PlaylistFields> {
  const { catalog, findings } = readAssetCatalog(sections.assets);
  const claimedAssets: ClaimedAssets = new Map();
  const playlists = declarePlaylists(sections.playlists, catalog, claimedAssets, services);
  const smartStarts = declareSmartStarts(sections.smart_starts, catalog, claimedAssets, services);
  return {
    resources: [...playlists.resources, ...smartStarts.resources],
    findings: [...findings, ...playlists.findings, ...smartStarts.findings],
  };
}

/** Declares the section `playlists`, and claims the assets of single-asset lists. */
function declarePlaylists(
  section: Json | undefined,
  catalog: AssetCatalog,
  claimedAssets: ClaimedAssets,
  { adoptedId, findingList }: DeclareServices,
): DeclareResult<PlaylistFields> {
  if (!isJsonObject(section)) return { resources: [], findings: [] };
  const resources: DesiredPlaylist[] = [];
  const findings = findingList();
  for (const [key, value] of Object.entries(section)) {
    if (!isJsonObject(value)) continue;
    const declaration = declarePlaylist(key, value, catalog);
    resources.push(declaration.resource);
    findings.add(declaration.findings);
  }
  findings.add(repeatedDescriptions(resources, adoptedId));
  findings.add(claimSoleAssets(resources, claimedAssets, adoptedId));
  return { resources, findings: findings.all() };
}

function declarePlaylist(
  key: string,
  value: JsonObject,
  catalog: AssetCatalog,
): { readonly resource: DesiredPlaylist; readonly findings: readonly UnlocatedFinding[] } {
  const expandedEntries = (asList(value.playlist) ?? []).map((entry) => expandEntry(entry, catalog));
  const declared = { ...declaredScalars(value), playlist: expandedEntries.filter((entry) => entry !== undefined) };
  const fields = { ...DEFAULTS, desc: key, ...declared };
  const address = `playlist/${key}`;
  const path = ['playlists', key];
  const found = [
    ...validateList(expandedEntries, catalog, path),
    ...controlCharacters(declared, path),
    ...descriptionWarnings(declared, path),
  ];
  const findings = found.map((finding) => ({ ...finding, address }));
  const matchKeys = matchKeysOf(fields, fields.desc);
  const { kindData } = catalog;
  return {
    resource: {
      address,
      displayName: key,
      fields,
      declaredFields: declared,
      remoteName: fields.desc,
      matchKeys,
      mayMatchByBinding: true,
      path,
      kindData,
    },
    findings,
  };
}

/** A playlist is matched by its description; one with a single-asset list first by the ID of its asset (design section 3, identity). */
function matchKeysOf(fields: PlaylistFields, desc: string): DesiredPlaylist['matchKeys'] {
  const asset = soleAsset(fields);
  return [...(asset === undefined ? [] : [{ id: asset }]), ...(desc === '' ? [] : [{ remoteName: desc }])];
}

/** Expands the short forms of a written entry; undefined where it has neither or both of `beam` and `ad`. */
export function expandEntry(written: unknown, catalog: AssetCatalog): Entry | undefined {
  if (!isObject(written)) return undefined;
  const { beam, ad } = written;
  return entryWith(expandBeam(beam, catalog), typeof ad === 'number' ? { dur: ad } : ad);
}

/** Expands the name or the ID of an asset, or its external ID, to the form of the API. */
function expandBeam(beam: unknown, catalog: AssetCatalog): unknown {
  if (typeof beam === 'string') return { id: resolveAsset(catalog, beam) };
  return isObject(beam) && typeof beam.external_id === 'string' ? { id: externalReference(beam.external_id) } : beam;
}

/** One asset of a group. */
interface ListedAsset {
  readonly nameOrId: string;
  readonly path: Path;
  readonly textFilePosition?: SourcePosition;
}

interface AssetList {
  readonly assets: readonly ListedAsset[];
  readonly findings: readonly UnlocatedFinding[];
}

/** Maximum number of smart starts: a few groups that use the same long list of assets could declare any number of them. */
export const MAX_SMART_STARTS = 100_000;

/** Declares the section `smart_starts`, reading the files that it names: each asset of a group becomes a playlist with the asset's ID. */
function declareSmartStarts(
  section: Json | undefined,
  catalog: AssetCatalog,
  claimedAssets: ClaimedAssets,
  services: DeclareServices,
): DeclareResult<PlaylistFields> {
  if (!isJsonObject(section)) return { resources: [], findings: [] };
  const resources: DesiredPlaylist[] = [];
  const findings = services.findingList();
  for (const [group, value] of Object.entries(section)) {
    if (!isJsonObject(value)) continue;
    const declared = declareGroup(group, value, catalog, claimedAssets, services);
    if (resources.length + declared.resources.length > MAX_SMART_STARTS) {
      const summary = `the groups make more than ${MAX_SMART_STARTS} smart starts`;
      const hint = 'Divide the account among targets, or shorten the groups.';
      findings.add([errorFinding('too-large', ['smart_starts', group], summary, hint)]);
      break;
    }
    for (const resource of declared.resources) resources.push(resource);
    findings.add(declared.findings);
  }
  return { resources, findings: findings.all() };
}

function declareGroup(
  group: string,
  value: JsonObject,
  catalog: AssetCatalog,
  claimedAssets: ClaimedAssets,
  services: DeclareServices,
): DeclareResult<PlaylistFields> {
  const path = ['smart_starts', group];
  const settings = declaredScalars(value);
  const { assets, findings } = readGroupAssets(value, path, services);
  const found: UnlocatedFinding[] = [...findings, ...controlCharacters(settings, path), ...descriptionWarnings(settings, path)];
  const resources = new Map<string, DesiredPlaylist>();
  for (const asset of assets) {
    const id = resolveAsset(catalog, asset.nameOrId);
    const address = `smart-start/${group}/${id}`;
    const assetFindings = [...claimAsset(claimedAssets, id, address, asset), ...unknownAsset(id, catalog, asset.path)];
    found.push(...assetFindings.map((finding) => ({ ...finding, ...textFilePositionOf(asset), address })));
    if (!resources.has(id))
      resources.set(id, { ...desiredSmartStart(address, id, settings, asset.path, catalog), ...textFilePositionOf(asset) });
  }
  return { resources: [...resources.values()], findings: found };
}

function desiredSmartStart(address: string, id: string, settings: JsonObject, path: Path, catalog: AssetCatalog): DesiredPlaylist {
  const declared = { ...settings, playlist: [{ beam: { id } }] };
  const fields = { ...DEFAULTS, ...declared };
  return {
    address,
    displayName: catalog.byId.get(id)?.name ?? id,
    fields,
    declaredFields: declared,
    remoteName: typeof settings.desc === 'string' ? settings.desc : '',
    matchKeys: [{ id }],
    mayMatchByBinding: false,
    path,
    kindData: catalog.kindData,
  };
}

function textFilePositionOf({ textFilePosition }: ListedAsset): Pick<UnlocatedFinding, 'textFilePosition'> {
  return textFilePosition ? { textFilePosition } : {};
}

function readGroupAssets(value: JsonObject, path: Path, services: DeclareServices): AssetList {
  const texts = asStringArray(value.assets);
  const name = value.assets_file;
  if (texts && name !== undefined) {
    const hint = 'Keep one of the two; `assets: null` in an overlay removes the list.';
    return {
      assets: [],
      findings: [errorFinding('assets-and-file', [...path, 'assets_file'], 'the group has both `assets` and `assets_file`', hint)],
    };
  }
  if (texts) return { assets: texts.map((nameOrId, index) => ({ nameOrId, path: [...path, 'assets', index] })), findings: [] };
  if (typeof name === 'string') return readAssetsFile([...path, 'assets_file'], name, services);
  return { assets: [], findings: [errorFinding('no-assets', path, 'the group lists no assets', 'Add `assets` or `assets_file`.')] };
}

function readAssetsFile(path: Path, name: string, services: DeclareServices): AssetList {
  const read = services.readText(path, name);
  if ('error' in read) return { assets: [], findings: [read.error] };
  const assets = read.text.split('\n').flatMap((line, index): readonly ListedAsset[] => {
    const nameOrId = line.replace(/#.*/s, '').trim();
    if (nameOrId === '') return [];
    return [{ nameOrId, path, textFilePosition: { file: read.file, line: index + 1, column: line.indexOf(nameOrId) + 1 } }];
  });
  if (assets.length === 0)
    return {
      assets,
      findings: [warningFinding('assets-file-empty', path, `${name} lists no asset`, 'Write one asset ID a line, or remove the group.')],
    };
  const isAsset = ({ nameOrId }: ListedAsset) => ASSET_ID.test(nameOrId);
  return { assets: assets.filter(isAsset), findings: assets.filter((asset) => !isAsset(asset)).map(unreadableLine) };
}

function unreadableLine(asset: ListedAsset): UnlocatedFinding {
  const hint = 'Write one asset ID (or catalog name) a line; `#` begins a comment.';
  return { ...errorFinding('assets-file-line', asset.path, 'the line is not one asset ID', hint), ...textFilePositionOf(asset) };
}
