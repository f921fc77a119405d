/** The words of playlists and of the assets in them that a recording keeps. */
import type { KindWords } from '../recording.ts';
import { COLLECTION } from './api.ts';
import { ASSET_ENDPOINT } from './asset-references.ts';
import { BULK } from './requests.ts';

/** The words of playlists. */
export const playlistWords: KindWords = {
  // upkeep asks for named assets; other clients ask for all (api-notes section 7).
  paths: [COLLECTION, BULK, ASSET_ENDPOINT.v2.path, '/api2/asset/list', ASSET_ENDPOINT.v4],
  parameters: ['desc', 'active'],
  texts: ['profile', 'ss_created', 'ss_not_created', 'ss_errored', 'ids', 'external_ids', 'asset'],
  numbers: ['active', 'dur', 'autoexpire', 'break_offsets', 'require_studio_drm'],
  booleans: ['require_studio_drm'],
  values: {
    '@type': ['LinearPlaylist', 'SmartStart', 'Asset'],
    state: ['ok', 'ready', 'queued', 'running', 'processing', 'encoding', 'error', 'failed', 'deleted', 'live'],
  },
};
