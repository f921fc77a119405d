/** The requests of a change, and what their answers say (playlist-api-v4 sections 4.1, 4.2, 4.5 and 4.6). */

import { malformed } from '../../api-client/errors.ts';
import { equal, isJsonObject, isObject, type Json, type JsonObject } from '../../model/json.ts';
import { asList, asString } from '../../model/json-readers.ts';
import { describeWriteMismatch } from '../../model/write-mismatch.ts';
import type { DesiredResource, KindSettings, LiveResource, PlannedChange, WriteRequest, WriteResult } from '../kind.ts';
import { COLLECTION, fieldsOf, type Item, idOf, objectOf, pathOf } from './api.ts';
import { soleAsset } from './model.ts';

const BULK = '/api/v4/smart-start';

/** The requests of one change: bulk create, create, PATCH or DELETE; none where nothing differs. */
export function requests({ desired, live }: PlannedChange, settings: KindSettings): readonly WriteRequest[] {
  if (desired && live) return update(desired, live);
  if (desired) return [create(desired.fields, settings)];
  return live ? [{ method: 'DELETE', path: pathOf(live.id), repeatable: false }] : [];
}

/** Every setting is sent, also at its default, so that the result does not hang on the service's defaults. */
function create(fields: JsonObject, settings: KindSettings): WriteRequest {
  const { desc, playlist, ...rest } = fields;
  const body = desc === '' ? rest : { desc: desc ?? '', ...rest };
  const asset = soleAsset(fields);
  if (asset === undefined) return { method: 'POST', path: COLLECTION, body: { ...body, playlist: playlist ?? [] }, repeatable: false };
  const bulk = { member: 'assets', item: asset, limit: settings.smartStartBatch };
  return { method: 'POST', path: BULK, body: { ...body, assets: [asset] }, bulk, repeatable: false };
}

/** Only what differs: fields left out of a PATCH keep their values (playlist-api-v4 section 4.5). */
function update(desired: DesiredResource, live: LiveResource): readonly WriteRequest[] {
  const differing = Object.entries(desired.fields).filter(([name, value]) => !equal(value, live.fields[name]));
  if (differing.length === 0) return [];
  return [{ method: 'PATCH', path: pathOf(live.id), body: Object.fromEntries(differing), repeatable: true }];
}

/** What an answer says of one change. @throws ServiceError (`malformed`) */
export function parseWriteResponse(planned: PlannedChange, write: WriteRequest, body: unknown): WriteResult {
  if (write.method === 'DELETE') return { state: 'done' };
  if (write.method === 'PATCH') return settleUpdate(write, body);
  const asset = planned.desired ? soleAsset(planned.desired.fields) : undefined;
  return asset === undefined ? settleCreate(write, body) : settleBulk(asset, write, body);
}

/** A create must tell the ID; what else its answer shows must be as it was sent, and the rest is left to verification. */
function settleCreate(write: WriteRequest, body: unknown): WriteResult {
  const item = objectOf(write, body);
  const shown = Object.entries(sentIn(write)).filter(([name]) => (item[name] ?? null) !== null);
  return settled(idOf(write, item), disagreement(write, item, Object.fromEntries(shown)));
}

/** The answer shows the updated playlist in full (playlist-api-v4 section 4.5); every field that was sent must be there as it was sent. */
function settleUpdate(write: WriteRequest, body: unknown): WriteResult {
  const item = objectOf(write, body);
  const id = idOf(write, item);
  if (pathOf(id) !== write.path) throw malformed(write, `it shows playlist ${id} instead of the one written`);
  const { playlist, ...rest } = sentIn(write);
  return settled(id, disagreement(write, item, rest) ?? (playlist === undefined ? undefined : merge(write, item, playlist)));
}

/** Whether a list is replaced or merged is not documented: an answer with another list fails the change (design section 4, rule 5). */
function merge(write: WriteRequest, item: Item, playlist: Json): string | undefined {
  if (disagreement(write, item, { playlist }) === undefined) return undefined;
  return 'the service did not take the list as it was sent: its answer shows another one, probably merged with the list before';
}

function disagreement(write: WriteRequest, item: Item, sent: JsonObject): string | undefined {
  return describeWriteMismatch(sent, fieldsOf(write, item, Object.keys(sent)));
}

function sentIn({ body }: WriteRequest): JsonObject {
  return isJsonObject(body) ? body : {};
}

function settled(id: string, reason: string | undefined): WriteResult {
  return reason === undefined ? { state: 'done', id } : { state: 'failed', reason };
}

/** Reads the bulk answer for one asset; doubt goes before success (playlist-api-v4 section 4.1, rules 1 to 3). */
function settleBulk(asset: string, write: WriteRequest, body: unknown): WriteResult {
  const lists = objectOf(write, body);
  const entry = (member: string) => elementsOf(write, lists, member).find((element) => elementId(element) === asset);
  const errored = entry('ss_errored');
  if (errored !== undefined) return { state: 'failed', reason: reasonOf(errored) };
  if (entry('ss_not_created') !== undefined) return { state: 'exists' };
  if (entry('ss_created') !== undefined) return { state: 'done', id: asset };
  throw malformed(write, `it names ${asset} neither as created nor as refused`);
}

/** A missing list is empty (api-notes section 3). */
function elementsOf(write: WriteRequest, body: Item, member: string): readonly unknown[] {
  const list = asList(body[member] ?? []);
  if (!list) throw malformed(write, `\`${member}\` is not a list`);
  return list;
}

/** Elements are IDs, or objects with an `id` (api-notes section 3). */
function elementId(element: unknown): string | undefined {
  return asString(isObject(element) ? element.id : element);
}

/** The service's own words where the element has some, cut to 500 characters (design section 4, rule 10). */
function reasonOf(element: unknown): string {
  const words = isObject(element) ? [element.msg, element.title, element.message, element.error].find((text) => asString(text)) : undefined;
  const said = asString(words);
  return said === undefined ? 'the service reports an error, without a reason' : `the service reports: ${said.slice(0, 500)}`;
}
