/** Reasons why a live playlist cannot be declared: the rules of the schema, applied to live objects. */
import { ASSET_ID, assetIdsOf, INTEGER_FIELD_NAMES, isDocumented, type LivePlaylist, MAX_ASSETS, type PlaylistFields } from './model.ts';

/** Returns why a live playlist cannot be declared; undefined where it can. */
export function whyNotDeclarable({ remoteName, fields }: LivePlaylist): string | undefined {
  const undocumented = INTEGER_FIELD_NAMES.find((name) => !isDocumented(name, fields[name]));
  if (undocumented) return `\`${undocumented}\` is ${JSON.stringify(fields[undocumented])}, which the API documents do not define`;
  if (/\p{Surrogate}/u.test(remoteName)) return 'its description is not Unicode text';
  return whyListNotDeclarable(fields.playlist);
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
