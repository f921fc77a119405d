/** Builds the requests of a change and reads their responses (playlist-api-v4 sections 4.1, 4.2, 4.5 and 4.6). */

import { malformed } from '../../api-client/errors.ts';
import { equal, isJsonObject, isObject, type Json, type JsonObject } from '../../model/json.ts';
import { asList, asString } from '../../model/json-readers.ts';
import { describeWriteMismatch } from '../../model/write-mismatch.ts';
import type { RequestOptions, ResourceChange, WriteRequest, WriteResult } from '../kind.ts';
import { COLLECTION, fieldsOf, type Item, idOf, objectOf, pathOf } from './api.ts';
import { type DesiredPlaylist, type LivePlaylist, type PlaylistFields, soleAsset } from './model.ts';

/** Path of the bulk create of playlists of one asset. */
export const BULK = '/api/v4/smart-start';

/** Builds the requests of one change: bulk create, create, PATCH or DELETE; an empty list where no field differs. */
export function requests(
  { desired, live }: ResourceChange<LivePlaylist, PlaylistFields>,
  options: RequestOptions,
): readonly WriteRequest[] {
  if (desired === null) return [{ method: 'DELETE', path: pathOf(live.id), repeatable: false }];
  return live === null ? [create(desired.fields, options)] : update(desired, live);
}

/** Builds a create with every setting, so that the result does not depend on the defaults of the service. */
function create(fields: PlaylistFields, options: RequestOptions): WriteRequest {
  const { desc, playlist, ...rest } = fields;
  const body = desc === '' ? rest : { desc: desc ?? '', ...rest };
  const asset = soleAsset(fields);
  if (asset === undefined) return { method: 'POST', path: COLLECTION, body: { ...body, playlist: playlist ?? [] }, repeatable: false };
  const bulk = { member: 'assets', item: asset, limit: options.bulkLimit };
  return { method: 'POST', path: BULK, body: { ...body, assets: [asset] }, bulk, repeatable: false };
}

/** Builds an update with the fields that differ. Fields left out of a PATCH keep their values (playlist-api-v4 section 4.5). */
function update(desired: DesiredPlaylist, live: LivePlaylist): readonly WriteRequest[] {
  const liveFields: JsonObject = live.fields;
  const differing = Object.entries(desired.fields).filter(([name, value]) => !equal(value, liveFields[name]));
  if (differing.length === 0) return [];
  return [{ method: 'PATCH', path: pathOf(live.id), body: Object.fromEntries(differing), repeatable: true }];
}

/** Reads the result of one change from the response. @throws ApiError (`malformed`) */
export function parseWriteResponse(change: ResourceChange<LivePlaylist, PlaylistFields>, write: WriteRequest, body: unknown): WriteResult {
  if (write.method === 'DELETE') return { state: 'done' };
  if (write.method === 'PATCH') return readUpdateResponse(write, body);
  const asset = change.desired ? soleAsset(change.desired.fields) : undefined;
  return asset === undefined ? readCreateResponse(write, body) : readBulkResponse(asset, write, body);
}

/** The response to a create must contain the ID. Other fields in it must equal the request. Verification checks those that it lacks. */
function readCreateResponse(write: WriteRequest, body: unknown): WriteResult {
  const item = objectOf(write, body);
  const shown = Object.entries(sentFields(write)).filter(([name]) => (item[name] ?? null) !== null);
  const id = idOf(write, item);
  const reason = writeMismatch(write, item, Object.fromEntries(shown));
  return reason === undefined ? { state: 'done', id } : { state: 'failed', reason, id };
}

/** The response to a PATCH contains the whole playlist (playlist-api-v4 section 4.5). It must have each field of the request, unchanged. */
function readUpdateResponse(write: WriteRequest, body: unknown): WriteResult {
  const item = objectOf(write, body);
  const id = idOf(write, item);
  if (pathOf(id) !== write.path) throw malformed(write, `it shows playlist ${id} instead of the one written`);
  const { playlist, ...rest } = sentFields(write);
  const reason = writeMismatch(write, item, rest) ?? (playlist === undefined ? undefined : listMismatch(write, item, playlist));
  return reason === undefined ? { state: 'done', id } : { state: 'failed', reason };
}

/**
 * Returns why the list of the response differs from the list that was sent. The API documents do not say whether a PATCH replaces or
 * merges a list, so a difference fails the change (design section 4, rule 5).
 */
function listMismatch(write: WriteRequest, item: Item, playlist: Json): string | undefined {
  if (writeMismatch(write, item, { playlist }) === undefined) return undefined;
  return 'the service did not store the list as sent: the response shows a different one, probably merged with the previous list';
}

function writeMismatch(write: WriteRequest, item: Item, sent: JsonObject): string | undefined {
  return describeWriteMismatch(sent, fieldsOf(write, item, Object.keys(sent)));
}

function sentFields({ body }: WriteRequest): JsonObject {
  return isJsonObject(body) ? body : {};
}

/** Reads the bulk response for one asset; an error takes precedence over success (playlist-api-v4 section 4.1, rules 1 to 3). */
function readBulkResponse(asset: string, write: WriteRequest, body: unknown): WriteResult {
  const lists = objectOf(write, body);
  const entry = (member: string) => elementsOf(write, lists, member).find((element) => elementId(element) === asset);
  const errored = entry('ss_errored');
  if (errored !== undefined) return { state: 'failed', reason: reasonOf(errored) };
  if (entry('ss_not_created') !== undefined) return { state: 'exists' };
  if (entry('ss_created') !== undefined) return { state: 'done', id: asset };
  throw malformed(write, `it names ${asset} neither as created nor as refused`);
}

/** Returns the elements of a list; a missing list is empty (api-notes section 3). */
function elementsOf(write: WriteRequest, body: Item, member: string): readonly unknown[] {
  const list = asList(body[member] ?? []);
  if (!list) throw malformed(write, `\`${member}\` is not a list`);
  return list;
}

/** Returns the ID of an element, which is an ID or an object with an `id` (api-notes section 3). */
function elementId(element: unknown): string | undefined {
  return asString(isObject(element) ? element.id : element);
}

/** Returns the message of the service, if any, cut to 500 characters (design section 4, rule 10). */
function reasonOf(element: unknown): string {
  const words = isObject(element) ? [element.msg, element.title, element.message, element.error].find((text) => asString(text)) : undefined;
  const message = asString(words);
  return message === undefined ? 'the service reports an error, without a reason' : `the service reports: ${message.slice(0, 500)}`;
}
