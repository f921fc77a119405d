/** The section `smart_starts`: each asset of a group becomes a desired one-asset playlist with the asset's own ID. */
import { isJsonObject, type Json, type JsonObject, type Path } from '../../model/json.ts';
import { asStringArray } from '../../model/json-readers.ts';
import { type DeclareContext, type DesiredResource, errorFinding, type UnlocatedFinding, warningFinding } from '../kind.ts';
import { type AssetAliases, resolveAsset } from './asset-aliases.ts';
import { ASSET_ID, DEFAULTS } from './model.ts';
import {
  type ClaimedNames,
  claimName,
  contradictingDrm,
  controlCharacterError,
  type DeclaredSettings,
  declaredSettings,
  unknownAsset,
} from './shared-checks.ts';

/** One asset as a group lists it: its name or ID, and where it stands. */
interface Listed {
  readonly text: string;
  readonly path: Path;
  readonly inFile?: NonNullable<UnlocatedFinding['inFile']>;
}

interface List {
  readonly listed: readonly Listed[];
  readonly problems: readonly UnlocatedFinding[];
}

/** Reads the section `smart_starts`, and the files that it names. */
export function declareSmartStarts(
  section: Json | undefined,
  catalogue: AssetAliases,
  claims: ClaimedNames,
  tools: DeclareContext,
): DeclaredSettings {
  if (!isJsonObject(section)) return { resources: [], problems: [] };
  const groups = Object.entries(section).flatMap(([group, value]) =>
    isJsonObject(value) ? [declareGroup(group, value, catalogue, claims, tools)] : [],
  );
  return { resources: groups.flatMap(({ resources }) => resources), problems: groups.flatMap(({ problems: findings }) => findings) };
}

function declareGroup(
  group: string,
  value: JsonObject,
  catalogue: AssetAliases,
  claims: ClaimedNames,
  tools: DeclareContext,
): DeclaredSettings {
  const path = ['smart_starts', group];
  const written = declaredSettings(value);
  const { listed, problems: findings } = listOf(value, path, tools);
  const found: UnlocatedFinding[] = [...findings, ...contradictingDrm(written, path), ...controlCharacterError(written, path)];
  const resources = new Map<string, DesiredResource>();
  for (const each of listed) {
    const id = resolveAsset(catalogue, each.text);
    const address = `smart-start/${group}/${id}`;
    const doubts = [...claimName(claims, id, address, each.path), ...unknownAsset(id, catalogue, each.path)];
    found.push(...doubts.map((finding) => ({ ...finding, ...inFileOf(each), address })));
    if (!resources.has(id)) resources.set(id, { ...desiredOf(address, id, written, each.path, catalogue), ...inFileOf(each) });
  }
  return { resources: [...resources.values()], problems: found };
}

function desiredOf(address: string, id: string, written: JsonObject, path: Path, catalogue: AssetAliases): DesiredResource {
  const declared = { ...written, playlist: [{ beam: { id } }] };
  const fields = { ...DEFAULTS, ...declared };
  return {
    address,
    name: catalogue.byId.get(id)?.name ?? id,
    fields,
    declared,
    label: typeof written.desc === 'string' ? written.desc : '',
    matchKeys: [{ id }],
    adoptable: false,
    path,
    context: catalogue.context,
  };
}

/** The line of the file, where the asset stands in one. */
function inFileOf({ inFile }: Listed): Pick<UnlocatedFinding, 'inFile'> {
  return inFile ? { inFile } : {};
}

/** The group's assets, from exactly one of `assets` and `assets_file`. */
function listOf(value: JsonObject, path: Path, tools: DeclareContext): List {
  const texts = asStringArray(value.assets);
  const name = value.assets_file;
  if (texts && name !== undefined) {
    const hint = 'Keep one of the two; `assets: null` in an overlay takes the list away.';
    return {
      listed: [],
      problems: [errorFinding('assets-and-file', [...path, 'assets_file'], '`assets_file` stands beside `assets`', hint)],
    };
  }
  if (texts) return { listed: texts.map((text, index) => ({ text, path: [...path, 'assets', index] })), problems: [] };
  if (typeof name === 'string') return fromFile([...path, 'assets_file'], name, tools);
  return { listed: [], problems: [errorFinding('no-assets', path, 'the group lists no assets', 'Add `assets` or `assets_file`.')] };
}

function fromFile(path: Path, name: string, tools: DeclareContext): List {
  const read = tools.readText(path, name);
  if ('problem' in read) return { listed: [], problems: [read.problem] };
  const listed = read.text.split('\n').flatMap((line, index): readonly Listed[] => {
    const text = line.replace(/#.*/s, '').trim();
    if (text === '') return [];
    return [{ text, path, inFile: { file: read.file, line: index + 1, column: line.indexOf(text) + 1 } }];
  });
  if (listed.length === 0)
    return {
      listed,
      problems: [warningFinding('assets-file-empty', path, `${name} lists no asset`, 'Write one asset ID a line, or remove the group.')],
    };
  const isAsset = ({ text }: Listed) => ASSET_ID.test(text);
  return { listed: listed.filter(isAsset), problems: listed.filter((each) => !isAsset(each)).map(unreadableLine) };
}

function unreadableLine(listed: Listed): UnlocatedFinding {
  const hint = 'Write one asset ID (or catalogue name) a line; `#` begins a comment.';
  return { ...errorFinding('assets-file-line', listed.path, 'the line is not one asset ID', hint), ...inFileOf(listed) };
}
