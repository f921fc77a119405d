/** Reasons why a live playlist cannot be declared: the rules of the schema, applied to live objects. */
import type { Json } from '../../model/json.ts';
import { ASSET_ID, assetIdsOf, type INTEGER_FIELDS, type LivePlaylist, MAX_ASSETS, type PlaylistFields } from './model.ts';

/** Minimum and maximum of each setting (playlist-api-v4 section 2.1). */
const RANGES: readonly { readonly name: keyof typeof INTEGER_FIELDS; readonly lowest: number; readonly highest: number }[] = [
  { name: 'active', lowest: 0, highest: 1 },
  { name: 'ad_slate_fill', lowest: 0, highest: 1 },
  { name: 'beam_break_duration', lowest: 0, highest: Number.MAX_SAFE_INTEGER },
  { name: 'repeat', lowest: -1, highest: Number.MAX_SAFE_INTEGER },
  { name: 'skip_drm', lowest: 0, highest: 1 },
  { name: 'studio_drm_required', lowest: 0, highest: 1 },
];

/** Returns why a live playlist cannot be declared; undefined where it can. */
export function whyNotDeclarable({ remoteName, fields }: LivePlaylist): string | undefined {
  const outOfRange = RANGES.find(({ name, lowest, highest }) => !isWithin(fields[name], lowest, highest));
  if (outOfRange) return `\`${outOfRange.name}\` is ${JSON.stringify(fields[outOfRange.name])}, which the API documents do not define`;
  if (/\p{Surrogate}/u.test(remoteName)) return 'its description is not Unicode text';
  return whyListNotDeclarable(fields.playlist);
}

function isWithin(value: Json, lowest: number, highest: number): boolean {
  return Number.isInteger(value) && Number(value) >= lowest && Number(value) <= highest;
}

function whyListNotDeclarable(entries: PlaylistFields['playlist']): string | undefined {
  const odd = entries.findIndex((entry) => 'odd' in entry);
  if (odd >= 0) return `entry ${odd + 1} of its list is neither an asset nor an ad break of whole seconds`;
  const assets = assetIdsOf(entries);
  if (assets.length === 0) return 'it holds no asset';
  if (assets.length > MAX_ASSETS) return `it holds ${assets.length} assets; the maximum is ${MAX_ASSETS}`;
  if (!assets.every((asset) => ASSET_ID.test(asset))) return 'it holds an asset whose ID is not plain text without spaces and slashes';
  if (entries.some((entry) => 'ad' in entry && entry.ad.dur < 1)) return 'it holds an ad break of less than a second';
  return undefined;
}
