/**
 * Emulates playlists: playlist-api-v4 sections 2 to 4. Seed: a list of LinearPlaylists, in which everything but `playlist` may be omitted;
 * without `id` a playlist gets a new one. Their entries may have any form, since an account may hold what no request of today may send. Or
 * `{ playlists, assets }`, where `assets` is the library that can be looked up (api-notes section 7), each an ID, or an object with `id`
 * and what else an answer shows: `desc`, `external_id`, `state`, `duration` (seconds), `created`, `autoexpire` (hours),
 * `require_studio_drm`, `break_offsets` (seconds); without it, the library contains the assets that the playlists play. Stored: collection
 * `playlists`, by ID, without the members that are the same for all (`@id`, `@type`, `profile`); collection `library`, ID `assets` with `{
 * items }`.
 */
import type { Json, JsonObject } from '../../core/model/json.ts';
import { isJsonObject, isList, isObject } from '../../core/model/json.ts';
import { asList, asString, asStringArray } from '../../core/model/json-readers.ts';
import {
  badRequest,
  type Collection,
  type Collections,
  type EmulatedKind,
  type EmulatedRequest,
  type EmulatedResponse,
  integerReader,
  RouteError,
} from '../contract.ts';
import { applyListOrder, storedAssetId, storedName } from '../quirks.ts';
import { type LookupItem, lookupRoutes, readItems } from './lookup-endpoints.ts';

const BASE = '/api/v4/linear-playlist';
const MAX_ASSETS = 100;

/** The settings of playlist-api-v4 section 2.1: default and reader of each, integers also from numeric strings (api-notes section 2). */
const SETTINGS: { readonly [field: string]: { readonly defaultValue: Json; readonly read: (value: unknown) => Json | undefined } } = {
  desc: { defaultValue: '', read: asString },
  active: { defaultValue: 1, read: integerReader(0, 1) },
  ad_slate_fill: { defaultValue: 0, read: integerReader(0, 1) },
  beam_break_duration: { defaultValue: 0, read: integerReader(0) },
  repeat: { defaultValue: 0, read: integerReader(-1) },
  skip_drm: { defaultValue: 0, read: integerReader(0, 1) },
  studio_drm_required: { defaultValue: 0, read: integerReader(0, 1) },
};

const DEFAULTS: JsonObject = Object.fromEntries(Object.entries(SETTINGS).map(([field, { defaultValue }]) => [field, defaultValue]));

/** Reads the settings in a body; other members are ignored. @throws RouteError for a value that is not allowed */
function readSettings(body: { readonly [member: string]: unknown }): JsonObject {
  const settings = Object.entries(SETTINGS).flatMap(([field, { read }]) => {
    if (body[field] === undefined) return [];
    return [[field, read(body[field]) ?? badRequest(`${field} has a value that is not allowed`)] as const];
  });
  return Object.fromEntries(settings);
}

/** Reads one element of `playlist` (playlist-api-v4 section 2.2): either a beam with its ID or an ad with its duration in seconds. */
function readEntry(entry: unknown, index: number): JsonObject {
  const location = `playlist[${index}]`;
  if (!isObject(entry) || (entry.beam === undefined) === (entry.ad === undefined)) return badRequest(`${location} needs either beam or ad`);
  if (isObject(entry.beam)) return { beam: { id: asString(entry.beam.id) || badRequest(`${location}.beam.id must be an asset ID`) } };
  if (isObject(entry.ad))
    return { ad: { dur: integerReader(1)(entry.ad.dur) ?? badRequest(`${location}.ad.dur must be at least 1 second`) } };
  return badRequest(`${location} must hold a dictionary`);
}

function readEntries(value: unknown): readonly JsonObject[] {
  return checkCount((asList(value) ?? badRequest('playlist must be a list')).map(readEntry));
}

function checkCount(entries: readonly JsonObject[]): readonly JsonObject[] {
  const assets = entries.filter((entry) => entry.beam !== undefined).length;
  if (assets === 0) badRequest('playlist needs at least one beam');
  if (assets > MAX_ASSETS) badRequest(`playlist holds ${assets} assets, more than ${MAX_ASSETS}`);
  return entries;
}

function playlists(account: Collections): Collection {
  return account.collection('playlists');
}

function find(request: EmulatedRequest): JsonObject {
  const playlist = playlists(request).get(storedAssetId(request.params.id ?? '', request.quirks));
  if (playlist === undefined) throw new RouteError(404, 'not_found', 'Not Found');
  return playlist;
}

/** The settings that are 0 or 1. */
const SWITCHES = ['active', 'ad_slate_fill', 'skip_drm', 'studio_drm_required'];

function toJson(playlist: JsonObject, { quirks }: Pick<EmulatedRequest, 'quirks'>): JsonObject {
  return { '@id': `${BASE}/${playlist.id}`, '@type': 'LinearPlaylist', ...playlist, ...shownSwitches(playlist, quirks), profile: '' };
}

/** Returns the switches that are shown as true or false, with the quirk `switches`. */
function shownSwitches(playlist: JsonObject, { switches }: Pick<EmulatedRequest['quirks'], 'switches'>): JsonObject {
  if (switches === 'numbers') return {};
  const known = SWITCHES.filter((name) => playlist[name] === 0 || playlist[name] === 1);
  return Object.fromEntries(known.map((name) => [name, playlist[name] === 1]));
}

function readBody(request: EmulatedRequest): { readonly [member: string]: unknown } {
  return isObject(request.body) ? request.body : badRequest('the body must be a JSON object');
}

function create(request: EmulatedRequest): EmulatedResponse {
  const body = readBody(request);
  const sent = { ...DEFAULTS, ...readSettings(body), playlist: storedEntries(readEntries(body.playlist), request) };
  const existing = request.quirks.answeredIds === 'existing' ? firstId(request) : undefined;
  const id = request.newId();
  const playlist = { id, ...stored(sent, request) };
  playlists(request).put(id, playlist);
  return { status: request.quirks.createdStatus, body: answer({ ...playlist, id: existing ?? id }, sent, request) };
}

function firstId(account: Collections): string | undefined {
  for (const [id] of playlists(account).entries()) return id;
  return undefined;
}

/** Returns a list as it is stored: the case of its asset IDs depends on the quirk `assetIdCase`. */
function storedEntries(entries: readonly JsonObject[], { quirks }: EmulatedRequest): readonly JsonObject[] {
  return entries.map((entry) =>
    isObject(entry.beam) && typeof entry.beam.id === 'string' ? { beam: { id: storedAssetId(entry.beam.id, quirks) } } : entry,
  );
}

function stored(settings: JsonObject, { quirks }: EmulatedRequest): JsonObject {
  return typeof settings.desc === 'string' ? { ...settings, desc: storedName(settings.desc, quirks) } : settings;
}

function answer(playlist: JsonObject, sent: JsonObject, request: EmulatedRequest): JsonObject {
  const isAsSent = request.quirks.answeredNames === 'asSent' && sent.desc !== undefined;
  return toJson(isAsSent ? { ...playlist, desc: sent.desc ?? '' } : playlist, request);
}

/** Lists playlists (playlist-api-v4 section 4.3). `@id` repeats the filters, never the signature. */
function list(request: EmulatedRequest): EmulatedResponse {
  const filters = Object.entries(request.query).filter(([name]) => name === 'desc' || name === 'active');
  const { desc, active } = request.query;
  if (active !== undefined && active !== '0' && active !== '1') badRequest('active must be 0 or 1');
  const items: JsonObject[] = [];
  for (const [, playlist] of playlists(request).entries()) {
    const matches = (desc === undefined || playlist.desc === desc) && (active === undefined || playlist.active === Number(active));
    if (matches) items.push(toJson(playlist, request));
  }
  const query = filters.length === 0 ? '' : `?${new URLSearchParams(filters)}`;
  return {
    status: 200,
    body: { '@id': BASE + query, '@type': 'Collection', items: applyListOrder(items, request), total_items: items.length },
  };
}

function patch(request: EmulatedRequest): EmulatedResponse {
  const current = find(request);
  const body = readBody(request);
  const sent = readSettings(body);
  const changed: JsonObject = {
    ...current,
    ...stored(sent, request),
    ...(body.playlist === undefined ? {} : patchedEntries(request, current)),
  };
  playlists(request).put(String(current.id), changed);
  return { status: 200, body: answer(changed, sent, request) };
}

/** Replaces the list, or appends to it with the quirk `patchMerges`: playlist-api-v4 section 4.5 does not say which. */
function patchedEntries(request: EmulatedRequest, current: JsonObject): JsonObject {
  const entries = storedEntries(readEntries(readBody(request).playlist), request);
  if (!request.quirks.patchMerges || !Array.isArray(current.playlist)) return { playlist: entries };
  return { playlist: checkCount([...current.playlist, ...entries]) };
}

function remove(request: EmulatedRequest): EmulatedResponse {
  playlists(request).delete(String(find(request).id));
  return { status: 204 };
}

/** Creates one playlist per asset, with the ID of the asset: the bulk operation of playlist-api-v4 section 4.1. */
function smartStart(request: EmulatedRequest): EmulatedResponse {
  const body = readBody(request);
  const assets = asStringArray(body.assets) ?? badRequest('assets must be a list of strings');
  if (assets.length === 0) badRequest('assets must not be empty');
  const settings = stored(readSettings(body), request);
  const results: { readonly [list: string]: string[] } = { ss_created: [], ss_not_created: [], ss_errored: [] };
  for (const asset of assets) {
    const id = storedAssetId(asset, request.quirks);
    const list = !/^[0-9A-Za-z._-]{1,64}$/.test(id)
      ? 'ss_errored'
      : playlists(request).get(id) === undefined
        ? 'ss_created'
        : 'ss_not_created';
    if (list === 'ss_created') playlists(request).put(id, { id, ...DEFAULTS, ...settings, playlist: [{ beam: { id } }] });
    results[list]?.push(id);
  }
  return {
    status: request.quirks.createdStatus,
    body: { '@id': '/api/v4/smart-start', '@type': 'SmartStart', ...resultLists(results, request) },
  };
}

function resultLists(results: { readonly [list: string]: readonly string[] }, request: EmulatedRequest): JsonObject {
  const lists = Object.entries(results).filter(([, ids]) => ids.length > 0 || request.quirks.emptyLists === 'present');
  const element = (id: string): Json => (request.quirks.smartStartElements === 'ids' ? id : { id });
  return Object.fromEntries(lists.map(([name, ids]) => [name, applyListOrder(ids, request).map(element)]));
}

const LOOKUP = {
  v2: '/api2/asset/get',
  v2List: '/api2/asset/list',
  v4: '/api/v4/assets',
  requestField: 'ids',
  single: { requestField: 'id', itemField: 'asset' },
  listField: 'assets',
  idField: 'id',
};

function libraryAssets(account: Collections): readonly LookupItem[] | undefined {
  const items = account.collection('library').get('assets')?.items;
  return items === undefined ? undefined : readItems(items, 'assets');
}

function playedAssets(account: Collections): readonly LookupItem[] {
  const entries = Array.from(playlists(account).entries(), ([, { playlist }]) => asList(playlist) ?? []).flat();
  const ids = entries.flatMap((entry) => (isObject(entry) && isObject(entry.beam) ? (asString(entry.beam.id) ?? []) : []));
  return ids.map((id) => ({ id }));
}

/** The six endpoints of playlist-api-v4 section 4. */
export const emulatedPlaylist: EmulatedKind = {
  name: 'playlist',
  routes: [
    { method: 'POST', path: '/api/v4/smart-start', apiVersion: 'v4', handle: smartStart },
    { method: 'POST', path: BASE, apiVersion: 'v4', handle: create },
    { method: 'GET', path: BASE, apiVersion: 'v4', handle: list },
    { method: 'GET', path: `${BASE}/:id`, apiVersion: 'v4', handle: (request) => ({ status: 200, body: toJson(find(request), request) }) },
    { method: 'PATCH', path: `${BASE}/:id`, apiVersion: 'v4', handle: patch },
    { method: 'DELETE', path: `${BASE}/:id`, apiVersion: 'v4', handle: remove },
  ],
  lookups: lookupRoutes(
    LOOKUP,
    'Asset',
    (request) => new Map((libraryAssets(request) ?? playedAssets(request)).map((item) => [item.id, item])),
  ),
  seed(value, account) {
    const { playlists: seeded, assets, ...others } = isJsonObject(value) ? value : { playlists: value };
    const list = seeded ?? (assets === undefined ? undefined : []);
    if (!Array.isArray(list) || Object.keys(others).length > 0) throw new Error('must be a list of playlists, or { playlists, assets }');
    for (const [index, item] of list.entries()) seedPlaylist(item, index, account);
    if (assets !== undefined) account.collection('library').put('assets', { items: readItems(assets, 'assets') });
  },
  dump(account) {
    const list = Array.from(playlists(account).entries(), ([, playlist]) => playlist);
    const assets = libraryAssets(account);
    return assets === undefined ? list : { playlists: list, assets };
  },
};

function seedPlaylist(item: Json | undefined, index: number, account: Pick<EmulatedRequest, 'collection' | 'newId'>): void {
  if (!isJsonObject(item)) throw new Error(`[${index}] must be an object`);
  const id = item.id === undefined ? account.newId() : asString(item.id);
  if (!id) throw new Error(`[${index}].id must be a non-empty string`);
  if (playlists(account).get(id) !== undefined) throw new Error(`[${index}].id ${JSON.stringify(id)} occurs twice`);
  if (!isList(item.playlist)) throw new Error(`[${index}].playlist must be a list`);
  playlists(account).put(id, { id, ...DEFAULTS, ...readSettings(item), playlist: item.playlist });
}
