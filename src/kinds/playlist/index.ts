import schema from '../../../schemas/playlist.schema.json' with { type: 'json' };
import type { Desired, Kind, Live } from '../kind.ts';
import { assets } from './assets.ts';
import { DEFAULTS, isAssetPlaylist, soleAsset } from './canonical.ts';
import { effects, phase } from './effect.ts';
import { express } from './express.ts';
import { find, get, read } from './remote.ts';
import { restate } from './restate.ts';
import { declare } from './spec.ts';
import { settle, writes } from './writes.ts';

/** Virtual linear playlists and smart starts (playlist-api-v4). */
export const playlist: Kind = {
  name: 'playlist',
  place: 5,
  addresses: ['playlist/', 'smart-start/'],
  singleton: false,
  uniqueLabels: false,
  partialUpdates: true,
  sections: [
    { key: 'playlists', manages: true, prefix: 'playlist/' },
    { key: 'smart_starts', manages: true, prefix: 'smart-start/' },
    { key: 'assets', manages: false },
  ],
  schema: { properties: schema.properties, definitions: schema.definitions },
  codes: ['mixed-codec', 'ad-first', 'ad-after-ad', 'unknown-asset', 'skip-drm-with-studio-drm', 'assets-file-empty', 'asset-not-found'],
  references: assets,
  probes: 20,
  undeclared: ({ id }) => `playlist/~${id}`,
  declare,
  defaults: () => DEFAULTS,
  refuses,
  effects,
  phase,
  writes,
  settle,
  read,
  get,
  find,
  express,
  restate,
};

/** An asset-ID playlist is only ever given its one beam (design section 3, identity). */
function refuses(desired: Desired, live: Live): string | undefined {
  if (!isAssetPlaylist(live) || soleAsset(desired.fields) === live.id) return undefined;
  return `playlist ${live.id} bears the ID of the one asset that it holds, and ${desired.address} declares another list`;
}
