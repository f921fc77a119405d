/** Reads the section `smart_starts`: each asset of a group becomes a desired one-asset playlist that has the asset's ID. */
import { isJsonObject, type Json, type JsonObject, type Path } from '../../model/json.ts';
import { asStringArray } from '../../model/json-readers.ts';
import {
  type DeclareResult,
  type DeclareServices,
  type DesiredResource,
  errorFinding,
  type UnlocatedFinding,
  warningFinding,
} from '../kind.ts';
import { type AssetAliases, resolveAsset } from './asset-aliases.ts';
import { ASSET_ID, DEFAULTS, declaredSettings } from './model.ts';
import { type ClaimedAssets, claimAsset, contradictingDrm, controlCharacterError, unknownAsset } from './validate.ts';

/** One asset of a group: its name or ID, and its position. */
interface ListedAsset {
  readonly text: string;
  readonly path: Path;
  readonly inFile?: NonNullable<UnlocatedFinding['inFile']>;
}

interface AssetList {
  readonly assets: readonly ListedAsset[];
  readonly findings: readonly UnlocatedFinding[];
}

/** Declares the smart starts of the section, reading the files that it names, and adds their assets to `claimedAssets`. */
export function declareSmartStarts(
  section: Json | undefined,
  catalogue: AssetAliases,
  claimedAssets: ClaimedAssets,
  context: DeclareServices,
): DeclareResult {
  if (!isJsonObject(section)) return { resources: [], findings: [] };
  const groups = Object.entries(section).flatMap(([group, value]) =>
    isJsonObject(value) ? [declareGroup(group, value, catalogue, claimedAssets, context)] : [],
  );
  return { resources: groups.flatMap(({ resources }) => resources), findings: groups.flatMap(({ findings }) => findings) };
}

function declareGroup(
  group: string,
  value: JsonObject,
  catalogue: AssetAliases,
  claimedAssets: ClaimedAssets,
  context: DeclareServices,
): DeclareResult {
  const path = ['smart_starts', group];
  const written = declaredSettings(value);
  const { assets, findings } = assetsOf(value, path, context);
  const found: UnlocatedFinding[] = [...findings, ...contradictingDrm(written, path), ...controlCharacterError(written, path)];
  const resources = new Map<string, DesiredResource>();
  for (const each of assets) {
    const id = resolveAsset(catalogue, each.text);
    const address = `smart-start/${group}/${id}`;
    const assetFindings = [...claimAsset(claimedAssets, id, address, each.path), ...unknownAsset(id, catalogue, each.path)];
    found.push(...assetFindings.map((finding) => ({ ...finding, ...inFileOf(each), address })));
    if (!resources.has(id)) resources.set(id, { ...desiredOf(address, id, written, each.path, catalogue), ...inFileOf(each) });
  }
  return { resources: [...resources.values()], findings: found };
}

function desiredOf(address: string, id: string, written: JsonObject, path: Path, catalogue: AssetAliases): DesiredResource {
  const declared = { ...written, playlist: [{ beam: { id } }] };
  const fields = { ...DEFAULTS, ...declared };
  return {
    address,
    displayName: catalogue.byId.get(id)?.name ?? id,
    fields,
    fieldsAsWritten: declared,
    remoteName: typeof written.desc === 'string' ? written.desc : '',
    matchKeys: [{ id }],
    adoptable: false,
    path,
    context: catalogue.context,
  };
}

/** Returns the line of the file, where the asset is listed in a file. */
function inFileOf({ inFile }: ListedAsset): Pick<UnlocatedFinding, 'inFile'> {
  return inFile ? { inFile } : {};
}

/** Returns the group's assets, from exactly one of `assets` and `assets_file`. */
function assetsOf(value: JsonObject, path: Path, context: DeclareServices): AssetList {
  const texts = asStringArray(value.assets);
  const name = value.assets_file;
  if (texts && name !== undefined) {
    const hint = 'Keep one of the two; `assets: null` in an overlay removes the list.';
    return {
      assets: [],
      findings: [errorFinding('assets-and-file', [...path, 'assets_file'], 'the group has both `assets` and `assets_file`', hint)],
    };
  }
  if (texts) return { assets: texts.map((text, index) => ({ text, path: [...path, 'assets', index] })), findings: [] };
  if (typeof name === 'string') return readAssetsFile([...path, 'assets_file'], name, context);
  return { assets: [], findings: [errorFinding('no-assets', path, 'the group lists no assets', 'Add `assets` or `assets_file`.')] };
}

function readAssetsFile(path: Path, name: string, context: DeclareServices): AssetList {
  const read = context.readText(path, name);
  if ('problem' in read) return { assets: [], findings: [read.problem] };
  const assets = read.text.split('\n').flatMap((line, index): readonly ListedAsset[] => {
    const text = line.replace(/#.*/s, '').trim();
    if (text === '') return [];
    return [{ text, path, inFile: { file: read.file, line: index + 1, column: line.indexOf(text) + 1 } }];
  });
  if (assets.length === 0)
    return {
      assets,
      findings: [warningFinding('assets-file-empty', path, `${name} lists no asset`, 'Write one asset ID a line, or remove the group.')],
    };
  const isAsset = ({ text }: ListedAsset) => ASSET_ID.test(text);
  return { assets: assets.filter(isAsset), findings: assets.filter((each) => !isAsset(each)).map(unreadableLine) };
}

function unreadableLine(asset: ListedAsset): UnlocatedFinding {
  const hint = 'Write one asset ID (or catalogue name) a line; `#` begins a comment.';
  return { ...errorFinding('assets-file-line', asset.path, 'the line is not one asset ID', hint), ...inFileOf(asset) };
}
