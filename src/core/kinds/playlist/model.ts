/**
 * The canonical form of a playlist, for desired and live resources (playlist-api-v4 sections 2.1 and 2.2). Three terms (design section 3,
 * identity):
 * - smart start: a playlist that a group of the section `smart_starts` declares, by listing its asset;
 * - single-asset list: a list, desired or live, of exactly one beam and nothing else;
 * - asset-ID playlist: a live playlist with a single-asset list, whose ID is the ID of that asset.
 */
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { asInteger, asString } from '../../model/json-readers.ts';
import type { DesiredResource, LiveObject } from '../kind.ts';

/** An asset to play. */
export type Beam = { readonly beam: { readonly id: string } };

/** An ad break after the preceding asset; `dur` in seconds. */
export type AdBreak = { readonly ad: { readonly dur: number } };

/** One element of a playlist's list that a declaration can hold. */
export type Entry = Beam | AdBreak;

/** An element of a live list that is neither an asset nor an ad break of whole seconds, as the service shows it. */
export type OddEntry = { readonly odd: Json };

/** Maximum number of assets in one playlist (playlist-api-v4 section 8). */
export const MAX_ASSETS = 100;

/**
 * Pattern of a declared asset ID: visible ASCII without slashes, because it is one segment of paths and addresses, and some proxies and
 * services decode percent-encoded slashes. The schema has the same pattern.
 */
export const ASSET_ID = /^[A-Za-z0-9_-][!-.0-[\]-~]*$/;

/** The mark of a reference by an external ID. No declared asset ID begins with it. */
const MARK = '~';

/** Returns what stands in place of an asset ID that is not known yet. */
export function externalReference(externalId: string): string {
  return MARK + externalId;
}

/** Returns the external ID if the text was made by `externalReference`; undefined for an asset ID. */
export function externalIdOf(assetId: string): string | undefined {
  return assetId.startsWith(MARK) ? assetId.slice(MARK.length) : undefined;
}

/** The integer fields of a playlist and their documented defaults (playlist-api-v4 section 2.1). */
export const INTEGER_FIELDS = {
  active: 1,
  ad_slate_fill: 0,
  beam_break_duration: 0,
  repeat: 0,
  skip_drm: 0,
  studio_drm_required: 0,
} as const;

/** Returns the description and the integer fields of a declaration; true and false mean 1 and 0 (design section 3, sources). */
export function declaredScalars(value: JsonObject): Partial<Omit<PlaylistFields, 'playlist'>> {
  const integers = INTEGER_FIELD_NAMES.flatMap((name): [string, number][] => {
    const written = value[name];
    return typeof written === 'boolean' || typeof written === 'number' ? [[name, Number(written)]] : [];
  });
  return { ...(typeof value.desc === 'string' ? { desc: value.desc } : {}), ...Object.fromEntries(integers) };
}

/**
 * A playlist in canonical form: its description, its integer fields, which are integers except for odd values of a live playlist, and its
 * list.
 */
export type PlaylistFields = { readonly desc: string } & { readonly [name in IntegerFieldName]: Json } & {
  readonly playlist: readonly (Entry | OddEntry)[];
};

/** A declared playlist. */
export type DesiredPlaylist = DesiredResource<PlaylistFields>;

/** A live playlist. */
export type LivePlaylist = LiveObject<PlaylistFields>;

/** The name of an integer field. */
export type IntegerFieldName = keyof typeof INTEGER_FIELDS;

/** The names of the integer fields. */
export const INTEGER_FIELD_NAMES: readonly IntegerFieldName[] = [
  'active',
  'ad_slate_fill',
  'beam_break_duration',
  'repeat',
  'skip_drm',
  'studio_drm_required',
];

/** Minimum and maximum of each integer field (playlist-api-v4 section 2.1). */
const RANGES: { readonly [name in IntegerFieldName]: readonly [lowest: number, highest: number] } = {
  active: [0, 1],
  ad_slate_fill: [0, 1],
  beam_break_duration: [0, Number.MAX_SAFE_INTEGER],
  repeat: [-1, Number.MAX_SAFE_INTEGER],
  skip_drm: [0, 1],
  studio_drm_required: [0, 1],
};

/** Decides whether an integer field is a switch, which some services show as true or false (api-notes section 3). */
export function isSwitch(name: IntegerFieldName): boolean {
  return RANGES[name][1] === 1;
}

/** Decides whether the API documents say what a value of an integer field means. */
export function isDocumented(name: IntegerFieldName, value: Json): boolean {
  const [lowest, highest] = RANGES[name];
  return typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest;
}

/** Returns the first of the values at a path that the API documents do not define; undefined for a field that is no integer. Null is no value. */
export function undocumentedAt(path: string, values: readonly Json[]): Json | undefined {
  const name = INTEGER_FIELD_NAMES.find((field) => path === `/${field}`);
  return name && values.find((value) => value !== null && !isDocumented(name, value));
}

/** Says of a setting that its value has no documented meaning. */
export function undocumentedText(path: string, value: Json): string {
  return `the API documents do not say what \`${path.slice(1)}\` ${JSON.stringify(value)} means`;
}

/** The defaults of all canonical fields. The default list is empty, so that every entry of a new playlist is shown. */
export const DEFAULTS: PlaylistFields = { desc: '', ...INTEGER_FIELDS, playlist: [] };

/** Reads one entry with exactly one of `beam` and `ad`, where null means absent; undefined where it has neither or both. */
export function readEntry(value: unknown): Entry | undefined {
  return isObject(value) ? entryWith(value.beam, value.ad) : undefined;
}

/** Builds an entry from exactly one of a beam and an ad break; undefined where one is invalid, or both or neither are given. */
export function entryWith(beam: unknown = null, ad: unknown = null): Entry | undefined {
  if ((beam === null) === (ad === null)) return undefined;
  return beam === null ? readAdBreak(ad) : readBeam(beam);
}

function readBeam(value: unknown): Beam | undefined {
  const id = isObject(value) ? asString(value.id) : undefined;
  return id ? { beam: { id } } : undefined;
}

function readAdBreak(value: unknown): AdBreak | undefined {
  const dur = isObject(value) ? asInteger(value.dur) : undefined;
  return dur === undefined ? undefined : { ad: { dur } };
}

/** Returns the asset IDs of a list, in order. */
export function assetIdsOf(entries: PlaylistFields['playlist']): readonly string[] {
  return entries.flatMap((entry) => ('beam' in entry ? [entry.beam.id] : []));
}

/** Returns the asset ID of a single-asset list; undefined for every other list. */
export function soleAsset({ playlist: [entry, ...others] }: Pick<PlaylistFields, 'playlist'>): string | undefined {
  return entry && 'beam' in entry && others.length === 0 ? entry.beam.id : undefined;
}

/** Decides whether a live playlist is an asset-ID playlist. */
export function isAssetIdPlaylist(live: { readonly id: string | null; readonly fields: PlaylistFields }): boolean {
  return soleAsset(live.fields) === live.id;
}
