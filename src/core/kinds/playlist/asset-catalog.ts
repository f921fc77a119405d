/** The asset catalog: the user's own names for asset IDs, and what only the user knows of them, such as the codec (design section 3, assets). */
import type { AssetFacts } from '../../model/asset.ts';
import { beginningOfNextDay, formatInstant, parseInstant } from '../../model/instant.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { errorFinding, type UnlocatedFinding } from '../kind.ts';
import { externalIdOf, externalReference } from './model.ts';

/** One asset of the catalog. */
interface Asset {
  readonly name: string;
  readonly id: string;
  /** `AVC` or `HEVC`; undefined where the user did not say. */
  readonly codec: string | undefined;
  /** Whether it must be under studio DRM. */
  readonly studioDrm: boolean;
  /** What else the user says of it. */
  readonly facts: DeclaredFacts;
}

/** Facts about an asset from the catalog. */
export interface DeclaredFacts extends Pick<AssetFacts, 'name' | 'externalId' | 'durationSeconds' | 'availableFrom' | 'availableUntil'> {
  /** The mark `studio_drm`; absent where it is not written. */
  readonly studioDrm?: boolean;
}

/** The assets of the catalog, by name and by ID. */
export interface AssetCatalog {
  readonly byName: ReadonlyMap<string, Asset>;
  readonly byId: ReadonlyMap<string, Asset>;
  /** The `kindData` of every playlist: the IDs of assets that must be under studio DRM, and name and other facts of each ID. */
  readonly kindData: { readonly studio_drm: JsonObject; readonly names: JsonObject; readonly facts: JsonObject };
}

/** Decides whether a text has the form of a system-defined ID, 32 hexadecimal characters (api-notes section 3). */
export function looksLikeId(text: string): boolean {
  return /^[0-9a-f]{32}$/i.test(text);
}

/** Decides whether a text looks like a number. An ID of 32 digits does not. */
export function looksLikeNumber(text: string): boolean {
  return /^[+-]?[.,]?\d[\d.,]*(?:E[+-]?\d+)?$/i.test(text) && !looksLikeId(text);
}

/** Returns what is wrong with a number in the place of an asset ID, and what to do. */
export function numberAsId(id: string): Pick<UnlocatedFinding, 'summary' | 'hint'> {
  const hint =
    'A spreadsheet turns an ID of digits into a number: format the column as text, and enter the ID again. It has 32 hexadecimal characters.';
  return { summary: `${id} looks like a number, and is no asset ID`, hint };
}

/** Reads the section `assets`. Reports IDs that a spreadsheet has rounded, IDs with two names, and names that are also the ID of another asset. */
export function readAssetCatalog(section: Json | undefined): {
  readonly catalog: AssetCatalog;
  readonly findings: readonly UnlocatedFinding[];
} {
  const byName = new Map<string, Asset>();
  const byId = new Map<string, Asset>();
  const findings: UnlocatedFinding[] = [...withoutId(section)];
  for (const asset of catalogAssets(section)) {
    const earlier = byId.get(asset.id);
    if (earlier) findings.push(repeatedId(asset, earlier));
    else byId.set(asset.id, asset);
    byName.set(asset.name, asset);
    findings.push(...rewrittenId(asset));
    findings.push(...windowFindings(asset.name, section));
  }
  for (const asset of byName.values()) if (isAmbiguous(asset, byId)) findings.push(ambiguousName(asset));
  const studioDrmIds = Object.fromEntries([...byId.values()].flatMap(({ id, studioDrm }) => (studioDrm ? [[id, true]] : [])));
  const names = Object.fromEntries([...byId.values()].map(({ id, name }) => [id, name]));
  const facts = Object.fromEntries([...byId.values()].map((asset): [string, JsonObject] => [asset.id, { ...asset.facts }]));
  return { catalog: { byName, byId, kindData: { studio_drm: studioDrmIds, names, facts } }, findings };
}

/** Returns the asset ID for a name of the catalog; any other text is returned as it is. */
export function resolveAsset(catalog: AssetCatalog, nameOrId: string): string {
  return catalog.byName.get(nameOrId)?.id ?? nameOrId;
}

/** Decides whether an ID is neither in the catalog nor has the form of an ID. */
export function isUnknownAsset(catalog: AssetCatalog, id: string): boolean {
  return !catalog.byId.has(id) && !looksLikeId(id) && externalIdOf(id) === undefined;
}

function catalogAssets(section: Json | undefined): readonly Asset[] {
  if (!isJsonObject(section)) return [];
  return Object.entries(section).flatMap(([name, value]) => {
    const id = isJsonObject(value) ? idIn(value) : undefined;
    if (!isJsonObject(value) || id === undefined) return [];
    const codec = typeof value.codec === 'string' ? value.codec : undefined;
    return [{ name, id, codec, studioDrm: value.studio_drm === true, facts: factsIn(name, value) }];
  });
}

/** Returns the ID of an asset, or what stands for it where only its external ID is given; undefined where it has neither. */
function idIn({ id, external_id: externalId }: JsonObject): string | undefined {
  if (typeof id === 'string') return id;
  return typeof externalId === 'string' && externalId !== '' ? externalReference(externalId) : undefined;
}

function withoutId(section: Json | undefined): readonly UnlocatedFinding[] {
  return Object.entries(isJsonObject(section) ? section : {}).flatMap(([name, value]) =>
    isJsonObject(value) && idIn(value) === undefined
      ? [errorFinding('missing-key', ['assets', name], `\`${name}\` needs \`id\` or \`external_id\``, 'Write the ID of the asset.')]
      : [],
  );
}

function factsIn(name: string, { external_id: externalId, duration, available, studio_drm: studioDrm }: JsonObject): DeclaredFacts {
  const from = instantIn(available, 'from');
  const until = instantIn(available, 'until');
  return {
    name,
    ...(typeof externalId === 'string' && externalId !== '' ? { externalId } : {}),
    ...(typeof duration === 'number' ? { durationSeconds: duration } : {}),
    ...(from === undefined ? {} : { availableFrom: formatInstant(from) }),
    ...(until === undefined ? {} : { availableUntil: formatInstant(until) }),
    ...(typeof studioDrm === 'boolean' ? { studioDrm } : {}),
  };
}

/** Returns one end of a window, Unix milliseconds; undefined where it has none or an invalid one. */
function instantIn(available: Json | undefined, end: WindowEnd): number | undefined {
  const text = isJsonObject(available) ? available[end] : undefined;
  return typeof text === 'string' ? parseInstant(text) : undefined;
}

type WindowEnd = 'from' | 'until';

/** Reports ends of a window that are no instants, and a window that ends before it begins. An empty text is no end. */
function windowFindings(name: string, section: Json | undefined): readonly UnlocatedFinding[] {
  const asset = isJsonObject(section) ? section[name] : undefined;
  const available = isJsonObject(asset) ? asset.available : undefined;
  if (!isJsonObject(available)) return [];
  const path = ['assets', name, 'available'];
  const invalid = (['from', 'until'] as const).filter((end) => (available[end] ?? '') !== '' && instantIn(available, end) === undefined);
  const [from, until] = [instantIn(available, 'from'), instantIn(available, 'until')];
  const isReversed = from !== undefined && until !== undefined && until <= from;
  return [
    ...invalid.map((end) => {
      const text = String(available[end]);
      const meant = beginningOfNextDay(text);
      const hint = `Write it as ${meant ?? '2027-03-31T22:00:00Z'}.${meant === undefined ? '' : ' The end of a day is 00:00 of the next one.'}`;
      return errorFinding('invalid-value', [...path, end], `\`${text}\` is not an instant`, hint);
    }),
    ...(isReversed
      ? [errorFinding('invalid-value', [...path, 'until'], 'the window ends before it begins', 'Correct `from` or `until`.')]
      : []),
  ];
}

/** Returns what the catalog says of an asset, from the `kindData` of a playlist; undefined where the asset is not in it. */
export function declaredFactsOf(kindData: JsonObject | undefined, id: string): DeclaredFacts | undefined {
  const facts = kindData?.facts;
  const ofAsset = isJsonObject(facts) && Object.hasOwn(facts, id) ? facts[id] : undefined;
  if (!isJsonObject(ofAsset)) return undefined;
  const { name, externalId, durationSeconds, availableFrom, availableUntil, studioDrm } = ofAsset;
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof externalId === 'string' ? { externalId } : {}),
    ...(typeof durationSeconds === 'number' ? { durationSeconds } : {}),
    ...(typeof availableFrom === 'string' ? { availableFrom } : {}),
    ...(typeof availableUntil === 'string' ? { availableUntil } : {}),
    ...(typeof studioDrm === 'boolean' ? { studioDrm } : {}),
  };
}

/** Decides whether the name is also the ID of another asset. The short form of an entry could then not refer to that asset. */
function isAmbiguous(asset: Asset, byId: ReadonlyMap<string, Asset>): boolean {
  return asset.name !== asset.id && (looksLikeId(asset.name) || byId.has(asset.name));
}

/** Warns about an ID of digits that a spreadsheet has rounded. Whatever else stands in the catalog is meant. */
function rewrittenId({ name, id }: Asset): readonly UnlocatedFinding[] {
  if (!/^\d[.,]\d+E\+\d+$/i.test(id)) return [];
  return [{ severity: 'warning', code: 'unknown-asset', path: ['assets', name, 'id'], ...numberAsId(id) }];
}

function repeatedId(asset: Asset, earlier: Asset): UnlocatedFinding {
  const summary = `${asset.name} has the same asset ID as ${earlier.name}`;
  const hint = 'Give each asset one name: keep one of the two, and use it everywhere.';
  return {
    ...errorFinding('asset-id-repeated', ['assets', asset.name, 'id'], summary, hint),
    other: { path: ['assets', earlier.name, 'id'] },
  };
}

function ambiguousName(asset: Asset): UnlocatedFinding {
  return errorFinding(
    'asset-name-ambiguous',
    ['assets', asset.name],
    `the name ${asset.name} of asset ${asset.id} is also the ID of another asset`,
    'Choose a name that is not an ID.',
  );
}
