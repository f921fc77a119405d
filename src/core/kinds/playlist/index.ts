import schema from '../../../../schemas/playlist.schema.json' with { type: 'json' };
import { type CollectionKind, NAME_CODES } from '../kind.ts';
import { find, get, read } from './api.ts';
import { ASSET_CODES, assessAssets, factsOfAssets } from './assess-assets.ts';
import { ASSET_ID_CASE, caseWarnings } from './asset-id-case.ts';
import { assetReferences } from './asset-references.ts';
import { configEdits } from './config-edits.ts';
import { declare } from './declare.ts';
import { externalReferences } from './external-ids.ts';
import { followUpWarnings } from './follow-up-warning.ts';
import { DEFAULTS, type DesiredPlaylist, isAssetIdPlaylist, type LivePlaylist, type PlaylistFields, soleAsset } from './model.ts';
import { assessPlayback, isOnAir } from './playback.ts';
import { parseWriteResponse, requests } from './requests.ts';
import { assessRisk, phase } from './risk.ts';
import { toConfig } from './to-config.ts';

/** Virtual linear playlists and smart starts (playlist-api-v4). */
export const playlist: CollectionKind<PlaylistFields> = {
  type: 'collection',
  name: 'playlist',
  applyOrder: 5,
  remoteNameField: 'desc',
  contentFields: ['playlist'],
  hasUniqueRemoteNames: false,
  hasPartialUpdates: true,
  sections: [
    { key: 'playlists', addressPrefix: 'playlist/', singular: 'playlist', entriesField: 'playlist' },
    { key: 'smart_starts', addressPrefix: 'smart-start/', singular: 'smart_start' },
    { key: 'assets', addressPrefix: null, singular: 'asset' },
  ],
  schema: { properties: schema.properties, definitions: schema.definitions },
  findingCodes: {
    'mixed-codec': { meaning: 'assets of different codecs in one playlist, as far as `assets` names codecs' },
    'asset-not-found': { meaning: 'an asset ID that the service does not know, where `check.assets` is on', needs: 'look-up' },
    ...ASSET_CODES,
    'external-id-replaced': { meaning: 'an external ID that names another asset than at the last apply', needs: 'run' },
    [ASSET_ID_CASE]: { meaning: 'an asset ID that differs from that of the account in upper and lower case only', needs: 'run' },
    'ad-first': { meaning: 'an `ad` at the start of a playlist' },
    'ad-after-ad': { meaning: 'an `ad` right after another `ad`' },
    'control-character': { meaning: 'control characters in a description' },
    'unknown-asset': {
      meaning: 'an asset that is neither a name in `assets` nor 32 hexadecimal characters; an error where it looks like a number',
    },
    ...NAME_CODES,
    'assets-file-empty': { meaning: 'an `assets_file` that lists no asset' },
    'scheduled-entries': {
      meaning: 'playlists that change, while live channels keep the entries that they have already scheduled',
      needs: 'run',
    },
    'playlist-entry': { meaning: 'an entry that is not exactly one of `beam` and `ad`', isFixed: true },
    'no-beam': { meaning: 'a playlist without an asset', isFixed: true },
    'too-many-assets': { meaning: 'a playlist with more assets than the service allows', isFixed: true },
    'duplicate-desc': { meaning: 'two playlists with one description, without `adopt`', isFixed: true },
    'no-assets': { meaning: 'a smart start without assets', isFixed: true },
    'assets-and-file': { meaning: 'a smart start with both `assets` and `assets_file`', isFixed: true },
    'assets-file-line': { meaning: 'a line of an `assets_file` that is no asset', isFixed: true },
    'asset-repeated': { meaning: 'an asset that a smart start lists twice', isFixed: true },
    'asset-claimed-twice': { meaning: 'an asset in two smart starts', isFixed: true },
    'asset-id-repeated': { meaning: 'two names in `assets` for one asset', isFixed: true },
    'asset-name-ambiguous': { meaning: 'a name in `assets` that is the ID of another asset', isFixed: true },
  },
  referenceLookup: { ...assetReferences, external: externalReferences, assess: assessAssets, factsOf: factsOfAssets },
  spotChecksPerPlan: 20,
  idAddress: ({ id }) => `playlist/~${id}`,
  declare,
  defaults: () => DEFAULTS,
  whyNotBindable,
  assessRisk,
  assessPlayback,
  isOnAir,
  followUpWarnings,
  changeWarnings: caseWarnings,
  phase,
  requests,
  parseWriteResponse,
  read,
  get,
  find,
  toConfig,
  configEdits,
};

/** An asset-ID playlist can only be bound to the single-asset list of that asset (design section 3, identity). */
function whyNotBindable(desired: DesiredPlaylist, live: LivePlaylist): string | undefined {
  if (!isAssetIdPlaylist(live) || soleAsset(desired.fields) === live.id) return undefined;
  return `playlist ${live.id} has the ID of its only asset, but ${desired.address} declares a different list`;
}
