/**
 * Playlists as the service keeps them: playlist-api-v4 sections 2 to 4.
 * Seed: a list of LinearPlaylists, each of which may leave out everything but `playlist`; without `id` it gets a fresh one. Or
 * `{ playlists, assets }`, where `assets` is the library that can be looked up (api-notes section 7), `{ id, desc? }` or an ID each;
 * without it, the library holds what the playlists play.
 * Stored: collection `playlists`, by ID, without the members that are the same for all (`@id`, `@type`, `profile`); collection
 * `library`, ID `assets` with `{ items }`.
 */
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, isObject } from '../../model/json.ts';
import { asInteger, asList, asString, asStringArray } from '../../model/json-readers.ts';
import type { EmulatedKind, EmulatedRequest, EmulatedResponse } from '../contract.ts';
import { applyListOrder, RouteError } from '../contract.ts';
import { type LookupItem, lookupRoutes, readItems } from './lookup-endpoints.ts';

type Account = Pick<EmulatedRequest, 'collection'>;

const base = '/api/v4/linear-playlist';
const mostAssets = 100;

function refuse(title: string): never {
  throw new RouteError(400, 'bad_request', title);
}

function integer(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (value: unknown) => Json | undefined {
  return (value) => {
    const number = asInteger(value);
    return number === undefined || number < minimum || number > maximum ? undefined : number;
  };
}

/** The settings of playlist-api-v4 section 2.1: default and reading of each, integers also from numeric strings (api-notes section 2). */
const settings: { readonly [field: string]: { readonly fallback: Json; readonly read: (value: unknown) => Json | undefined } } = {
  desc: { fallback: '', read: asString },
  active: { fallback: 1, read: integer(0, 1) },
  ad_slate_fill: { fallback: 0, read: integer(0, 1) },
  beam_break_duration: { fallback: 0, read: integer(0) },
  repeat: { fallback: 0, read: integer(-1) },
  skip_drm: { fallback: 0, read: integer(0, 1) },
  studio_drm_required: { fallback: 0, read: integer(0, 1) },
};

const defaults: JsonObject = Object.fromEntries(Object.entries(settings).map(([field, { fallback }]) => [field, fallback]));

/** The settings that the body holds; other members are ignored. */
function readSettings(body: { readonly [member: string]: unknown }): JsonObject {
  const given = Object.entries(settings).flatMap(([field, { read }]) => {
    if (body[field] === undefined) return [];
    return [[field, read(body[field]) ?? refuse(`${field} has a value that is not allowed`)] as const];
  });
  return Object.fromEntries(given);
}

/** One element of `playlist` (playlist-api-v4 section 2.2): either a beam with its ID or an ad with its duration in seconds. */
function readEntry(entry: unknown, index: number): JsonObject {
  const where = `playlist[${index}]`;
  if (!isObject(entry) || (entry.beam === undefined) === (entry.ad === undefined)) return refuse(`${where} needs either beam or ad`);
  if (isObject(entry.beam)) return { beam: { id: asString(entry.beam.id) || refuse(`${where}.beam.id must be an asset ID`) } };
  if (isObject(entry.ad)) return { ad: { dur: integer(1)(entry.ad.dur) ?? refuse(`${where}.ad.dur must be at least 1 second`) } };
  return refuse(`${where} must hold a dictionary`);
}

function readEntries(value: unknown): readonly JsonObject[] {
  return checkCount((asList(value) ?? refuse('playlist must be a list')).map(readEntry));
}

function checkCount(entries: readonly JsonObject[]): readonly JsonObject[] {
  const assets = entries.filter((entry) => entry.beam !== undefined).length;
  if (assets === 0) refuse('playlist needs at least one beam');
  if (assets > mostAssets) refuse(`playlist holds ${assets} assets, more than ${mostAssets}`);
  return entries;
}

function playlists(account: Account): ReturnType<Account['collection']> {
  return account.collection('playlists');
}

function find(request: EmulatedRequest): JsonObject {
  const found = playlists(request).get(request.params.id ?? '');
  if (found === undefined) throw new RouteError(404, 'not_found', 'Not Found');
  return found;
}

/** A LinearPlaylist as the service shows it. */
function shown(playlist: JsonObject): JsonObject {
  return { '@id': `${base}/${playlist.id}`, '@type': 'LinearPlaylist', ...playlist, profile: '' };
}

function readBody(request: EmulatedRequest): { readonly [member: string]: unknown } {
  return isObject(request.body) ? request.body : refuse('the body must be a JSON object');
}

function create(request: EmulatedRequest): EmulatedResponse {
  const body = readBody(request);
  const playlist = { id: request.newId(), ...defaults, ...readSettings(body), playlist: readEntries(body.playlist) };
  playlists(request).put(playlist.id, playlist);
  return { status: request.quirks.createdStatus, body: shown(playlist) };
}

/** playlist-api-v4 section 4.3; `@id` repeats the filters, never the signature. */
function list(request: EmulatedRequest): EmulatedResponse {
  const filters = Object.entries(request.query).filter(([name]) => name === 'desc' || name === 'active');
  const { desc, active } = request.query;
  if (active !== undefined && active !== '0' && active !== '1') refuse('active must be 0 or 1');
  const items: JsonObject[] = [];
  for (const [, playlist] of playlists(request).entries()) {
    const fits = (desc === undefined || playlist.desc === desc) && (active === undefined || playlist.active === Number(active));
    if (fits) items.push(shown(playlist));
  }
  const query = filters.length === 0 ? '' : `?${new URLSearchParams(filters)}`;
  return {
    status: 200,
    body: { '@id': base + query, '@type': 'Collection', items: applyListOrder(items, request), total_items: items.length },
  };
}

function patch(request: EmulatedRequest): EmulatedResponse {
  const current = find(request);
  const body = readBody(request);
  const changed: JsonObject = {
    ...current,
    ...readSettings(body),
    ...(body.playlist === undefined ? {} : patchedEntries(request, current)),
  };
  playlists(request).put(request.params.id ?? '', changed);
  return { status: 200, body: shown(changed) };
}

/** Replaces the list, or appends to it under `manners.patchMerges`: playlist-api-v4 section 4.5 leaves it open. */
function patchedEntries(request: EmulatedRequest, current: JsonObject): JsonObject {
  const entries = readEntries(readBody(request).playlist);
  if (!request.quirks.patchMerges || !Array.isArray(current.playlist)) return { playlist: entries };
  return { playlist: checkCount([...current.playlist, ...entries]) };
}

function remove(request: EmulatedRequest): EmulatedResponse {
  find(request);
  playlists(request).delete(request.params.id ?? '');
  return { status: 204 };
}

/** The bulk operation of playlist-api-v4 section 4.1: one playlist per asset, under the asset's own ID. */
function smartStart(request: EmulatedRequest): EmulatedResponse {
  const body = readBody(request);
  const assets = asStringArray(body.assets) ?? refuse('assets must be a list of strings');
  if (assets.length === 0) refuse('assets must not be empty');
  const given = readSettings(body);
  const results: { readonly [list: string]: string[] } = { ss_created: [], ss_not_created: [], ss_errored: [] };
  for (const id of assets) {
    const list = !/^[0-9A-Za-z._-]{1,64}$/.test(id)
      ? 'ss_errored'
      : playlists(request).get(id) === undefined
        ? 'ss_created'
        : 'ss_not_created';
    if (list === 'ss_created') playlists(request).put(id, { id, ...defaults, ...given, playlist: [{ beam: { id } }] });
    results[list]?.push(id);
  }
  return {
    status: request.quirks.createdStatus,
    body: { '@id': '/api/v4/smart-start', '@type': 'SmartStart', ...shownResults(results, request) },
  };
}

function shownResults(results: { readonly [list: string]: readonly string[] }, request: EmulatedRequest): JsonObject {
  const lists = Object.entries(results).filter(([, ids]) => ids.length > 0 || request.quirks.emptyLists === 'present');
  const element = (id: string): Json => (request.quirks.smartStartElements === 'ids' ? id : { id });
  return Object.fromEntries(lists.map(([name, ids]) => [name, applyListOrder(ids, request).map(element)]));
}

const library = { v2: '/api2/asset/get', v4: '/api/v4/assets', asks: 'ids', answers: 'assets', id: 'id' };

function assetsIn(account: Account): readonly LookupItem[] | undefined {
  const items = account.collection('library').get('assets')?.items;
  return items === undefined ? undefined : readItems(items, 'assets');
}

function assetsPlayed(account: Account): readonly LookupItem[] {
  const entries = Array.from(playlists(account).entries(), ([, { playlist }]) => asList(playlist) ?? []).flat();
  const ids = entries.flatMap((entry) => (isObject(entry) && isObject(entry.beam) ? (asString(entry.beam.id) ?? []) : []));
  return ids.map((id) => ({ id }));
}

/** The six endpoints of playlist-api-v4 section 4. */
export const emulation: EmulatedKind = {
  name: 'playlist',
  routes: [
    { method: 'POST', path: '/api/v4/smart-start', apiVersion: 'v4', handle: smartStart },
    { method: 'POST', path: base, apiVersion: 'v4', handle: create },
    { method: 'GET', path: base, apiVersion: 'v4', handle: list },
    { method: 'GET', path: `${base}/:id`, apiVersion: 'v4', handle: (request) => ({ status: 200, body: shown(find(request)) }) },
    { method: 'PATCH', path: `${base}/:id`, apiVersion: 'v4', handle: patch },
    { method: 'DELETE', path: `${base}/:id`, apiVersion: 'v4', handle: remove },
  ],
  lookups: lookupRoutes(
    library,
    'Asset',
    (request) => new Map((assetsIn(request) ?? assetsPlayed(request)).map((item) => [item.id, item])),
  ),
  seed(value, account) {
    const { playlists: given, assets, ...others } = isJsonObject(value) ? value : { playlists: value };
    const list = given ?? (assets === undefined ? undefined : []);
    if (!Array.isArray(list) || Object.keys(others).length > 0) throw new Error('must be a list of playlists, or { playlists, assets }');
    for (const [index, item] of list.entries()) seedOne(item, index, account);
    if (assets !== undefined) account.collection('library').put('assets', { items: readItems(assets, 'assets') });
  },
  dump(account) {
    const list = Array.from(playlists(account).entries(), ([, playlist]) => playlist);
    const assets = assetsIn(account);
    return assets === undefined ? list : { playlists: list, assets };
  },
};

function seedOne(item: unknown, index: number, account: Pick<EmulatedRequest, 'collection' | 'newId'>): void {
  if (!isObject(item)) throw new Error(`[${index}] must be an object`);
  const id = item.id === undefined ? account.newId() : asString(item.id);
  if (!id) throw new Error(`[${index}].id must be a text that is not empty`);
  if (playlists(account).get(id) !== undefined) throw new Error(`[${index}].id ${JSON.stringify(id)} occurs twice`);
  const entries = asList(item.playlist) ?? refuse(`[${index}].playlist must be a list`);
  playlists(account).put(id, { id, ...defaults, ...readSettings(item), playlist: entries.map(readEntry) });
}
