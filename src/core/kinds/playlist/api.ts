/** Reads playlists from the service and converts them to canonical form (playlist-api-v4 sections 2 and 4). */

import { malformed } from '../../api-client/errors.ts';
import { equal, isJson, isObject, type Json, type JsonObject } from '../../model/json.ts';
import { asInteger, asList, asString } from '../../model/json-readers.ts';
import { ApiError, type ApiRequest, type ApiService, type ReadResult, type UndocumentedValue } from '../kind.ts';
import {
  DEFAULTS,
  type DesiredPlaylist,
  INTEGER_FIELD_NAMES,
  type IntegerFieldName,
  isAssetIdPlaylist,
  isSwitch,
  type LivePlaylist,
  type PlaylistFields,
  readEntry,
  soleAsset,
} from './model.ts';
import { unknownEntryMembers } from './unknown-members.ts';

/** Path of the collection: GET lists the playlists, POST creates a playlist of several assets. */
export const COLLECTION = '/api/v4/linear-playlist';

/** Returns the path of one playlist, with its ID percent-encoded. */
export function pathOf(id: string): string {
  return `${COLLECTION}/${encodeURIComponent(id)}`;
}

/** Reads all playlists of the account. @throws ApiError where the list is not complete (design section 4, rule 1) */
export async function read(service: ApiService): Promise<ReadResult<LivePlaylist>> {
  return { objects: await list(service, {}), isCounted: true, warnings: [] };
}

/** Reads one playlist by its ID; null where it does not exist. `address` is that of its resource, for logs. @throws ApiError */
export async function get(service: ApiService, id: string, address?: string): Promise<LivePlaylist | null> {
  const request: ApiRequest = { method: 'GET', path: pathOf(id), repeatable: true };
  try {
    const { body } = await service.send(request, address === undefined ? [] : [address]);
    const live = liveOf(request, objectOf(request, body));
    if (live.id !== id) throw malformed(request, `it shows playlist ${live.id} instead of the one asked for`);
    return live;
  } catch (error) {
    if (error instanceof ApiError && error.category === 'not-found') return null;
    throw error;
  }
}

/**
 * Searches for playlists that a create of this resource would duplicate: by asset ID, and by description unless it is a smart start.
 * @throws ApiError
 */
export async function find(service: ApiService, desired: DesiredPlaylist): Promise<readonly LivePlaylist[]> {
  const asset = soleAsset(desired.fields);
  const [withAssetId, withSameName] = await Promise.all([
    asset === undefined ? null : get(service, asset, desired.address),
    desired.mayMatchByBinding ? findByDescription(service, desired) : [],
  ]);
  return withAssetId ? [withAssetId, ...withSameName.filter((live) => live.id !== withAssetId.id)] : withSameName;
}

/** Searches by description. Many playlists may have an empty description; of these, returns only those with equal fields. */
async function findByDescription(service: ApiService, desired: DesiredPlaylist): Promise<readonly LivePlaylist[]> {
  const { address, remoteName = '', fields } = desired;
  const found = await list(service, { query: { desc: remoteName } }, [address]);
  return found.filter(
    (live) => live.remoteName === remoteName && !isAssetIdPlaylist(live) && (remoteName !== '' || equal(live.fields, fields)),
  );
}

async function list(
  service: ApiService,
  filter: Pick<ApiRequest, 'query'>,
  addresses: readonly string[] = [],
): Promise<readonly LivePlaylist[]> {
  const request: ApiRequest = { method: 'GET', path: COLLECTION, ...filter, repeatable: true, isList: true };
  const { body } = await service.send(request, addresses);
  const collection = objectOf(request, body);
  const items = asList(collection.items);
  if (!items) throw malformed(request, '`items` is missing or not a list');
  const total = asInteger(collection.total_items);
  if (total === undefined) throw malformed(request, '`total_items` is missing or not an integer');
  if (total > items.length) throw malformed(request, `it holds ${items.length} of ${total} playlists`);
  return requireDistinctIds(
    request,
    items.map((item) => liveOf(request, item)),
  );
}

function requireDistinctIds(request: ApiRequest, objects: readonly LivePlaylist[]): readonly LivePlaylist[] {
  const ids = new Set<string>();
  for (const { id } of objects) {
    if (ids.has(id)) throw malformed(request, `playlist ${id} is in it twice`);
    ids.add(id);
  }
  return objects;
}

/** Reads one LinearPlaylist of a response; unknown members are ignored. @throws ApiError (`malformed`) */
export function liveOf(request: ApiRequest, item: unknown): LivePlaylist {
  if (!isObject(item)) throw malformed(request, 'a playlist is not an object');
  const id = idOf(request, item);
  const fields = playlistFieldsOf(request, item);
  const { desc: remoteName } = fields;
  const unknownMembers = [...oddMembers(fields), ...unknownEntryMembers(item.playlist)];
  const plain = { id, remoteName, fields, isMatchableByRemoteName: remoteName !== '', configSection: 'playlists', unknownMembers };
  return isAssetIdPlaylist(plain) ? { ...plain, isMatchableByRemoteName: false, configSection: 'smart_starts' } : plain;
}

/** Returns what of a playlist does not have its documented form. An update of the playlist would be a guess, so it is blocked. */
function oddMembers({ playlist, ...settings }: PlaylistFields): readonly UndocumentedValue[] {
  return [
    ...INTEGER_FIELD_NAMES.filter((name) => !Number.isInteger(settings[name])).map((name) => ({ path: `/${name}`, value: settings[name] })),
    ...playlist.flatMap((entry, index) => ('odd' in entry ? [{ path: `/playlist/${index}`, value: entry.odd }] : [])),
  ];
}

/** An object of a response. */
export type Item = { readonly [member: string]: unknown };

/**
 * Returns a response body as an object.
 * @throws ApiError (`malformed`) where it is not an object, or reports an error, even beside other members (api-notes section 2)
 */
export function objectOf(request: ApiRequest, body: unknown): Item {
  if (!isObject(body)) throw malformed(request, 'it is not an object');
  if (asInteger(body.error ?? 0) !== 0 || body['@type'] === 'Error') throw malformed(request, 'it reports an error');
  return body;
}

/**
 * Returns the ID of a playlist. @throws ApiError (`malformed`) where it cannot be the last segment of a path, or `@id` is the path of another
 * playlist (playlist-api-v4 section 2.1)
 */
export function idOf(request: ApiRequest, item: Item): string {
  const id = asString(item.id);
  if (id === undefined || id === '' || /^\.\.?$|\p{Surrogate}/u.test(id)) throw malformed(request, 'a playlist has no usable `id`');
  const path = asString(item['@id']) ?? '';
  if (path.startsWith(`${COLLECTION}/`) && ![pathOf(id), `${COLLECTION}/${id}`].includes(path))
    throw malformed(request, `playlist ${id} has the \`@id\` of another one`);
  return id;
}

/**
 * Returns the named fields of a playlist in canonical form. An absent field or null means the default, but `playlist` is required.
 * @throws ApiError (`malformed`)
 */
export function fieldsOf(request: ApiRequest, item: Item, names: readonly string[]): JsonObject {
  const integers = INTEGER_FIELD_NAMES.filter((name) => names.includes(name)).map((name) => [name, integerFieldOf(item, name)]);
  return {
    ...(names.includes('desc') ? { desc: descriptionOf(request, item) } : {}),
    ...Object.fromEntries(integers),
    ...(names.includes('playlist') ? { playlist: readEntries(request, item) } : {}),
  };
}

function playlistFieldsOf(request: ApiRequest, item: Item): PlaylistFields {
  const integerField = (name: IntegerFieldName) => integerFieldOf(item, name);
  return {
    desc: descriptionOf(request, item),
    active: integerField('active'),
    ad_slate_fill: integerField('ad_slate_fill'),
    beam_break_duration: integerField('beam_break_duration'),
    repeat: integerField('repeat'),
    skip_drm: integerField('skip_drm'),
    studio_drm_required: integerField('studio_drm_required'),
    playlist: readEntries(request, item),
  };
}

function descriptionOf(request: ApiRequest, item: Item): string {
  const value = asString(item.desc ?? DEFAULTS.desc);
  if (value === undefined) throw malformed(request, `\`desc\` of playlist ${item.id} is not a text`);
  return value;
}

/** Returns an integer field as an integer, also a switch that is true or false; any other value is returned unchanged. */
function integerFieldOf(item: Item, name: IntegerFieldName): Json {
  const value = item[name] ?? DEFAULTS[name];
  if (typeof value === 'boolean' && isSwitch(name)) return Number(value);
  return asInteger(value) ?? oddValue(value);
}

function readEntries(request: ApiRequest, item: Item): PlaylistFields['playlist'] {
  const value = item.playlist ?? null;
  if (value === null) throw malformed(request, `\`playlist\` of playlist ${item.id} is missing`);
  return asList(value)?.map((entry) => readEntry(entry) ?? { odd: oddValue(entry) }) ?? [{ odd: oddValue(value) }];
}

/** Returns a value of a response as JSON. Of one that is nested so deep that recursive functions could overflow, only a note is kept. */
function oddValue(value: unknown): Json {
  return isJson(value) ? value : 'nested too deep';
}
