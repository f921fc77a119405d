/** Emulates the lookups of api-notes section 7: two endpoints by which clients check whether objects exist. */
import { isJsonObject, isList, isObject, type Json, type JsonObject } from '../../core/model/json.ts';
import { asString, asStringArray } from '../../core/model/json-readers.ts';
import { badRequest, type EmulatedRequest, type EmulatedResponse, type Route } from '../contract.ts';
import { applyListOrder } from '../quirks.ts';

/** An object that can be looked up by its ID. */
export type LookupItem = JsonObject & { readonly id: string };

/** The endpoints by which one type of object is looked up. */
interface LookupEndpoints {
  /** Path of the v2 endpoint, which returns the objects with given IDs. */
  readonly v2: string;
  /** Path of the v2 endpoint that lists all objects, where there is one. */
  readonly v2List?: string;
  /** Path of the v4 endpoint, which lists all objects. */
  readonly v4: string;
  /** Member of the v2 request that holds the IDs. */
  readonly requestField: string;
  /** Member of the v2 request that holds one ID, and member of the response that then holds its object, where there are such members. */
  readonly single?: { readonly requestField: string; readonly itemField: string };
  /** Member of the v2 response that holds the objects. */
  readonly listField: string;
  /** Member of each object in the v2 response that holds its ID. */
  readonly idField: string;
}

/** Returns the routes of these endpoints; `type` is the `@type` of an object on v4, `items` returns the objects by ID. */
export function lookupRoutes(
  { v2, v2List, v4, requestField, single, listField, idField }: LookupEndpoints,
  type: string,
  items: (request: EmulatedRequest) => ReadonlyMap<string, LookupItem>,
): readonly Route[] {
  const toJson = (item: LookupItem): JsonObject => ({ ...item, [idField]: item.id });
  const byIds = (request: EmulatedRequest): EmulatedResponse => {
    const id = single && isObject(request.body) ? asString(request.body[single.requestField]) : undefined;
    if (single && id !== undefined) {
      const item = items(request).get(id) ?? badRequest(`${single.itemField} ${id} does not exist`);
      return { status: 200, body: { [single.itemField]: toJson(item) } };
    }
    const externalIds = asStringArray(isObject(request.body) ? request.body.external_ids : undefined);
    if (externalIds !== undefined && externalIds.length > 1000) badRequest('external_ids names more than 1000');
    if (externalIds !== undefined) {
      const asked = new Set<unknown>(externalIds);
      const found = [...items(request).values()].filter((item) => asked.has(item.external_id));
      return { status: 200, body: { [listField]: applyListOrder(found.map(toJson), request) } };
    }
    const ids = asStringArray(isObject(request.body) ? request.body[requestField] : undefined);
    if (!ids) badRequest(`${requestField} must be a list of strings`);
    if (ids.length > 1000) badRequest(`${requestField} names more than 1000`);
    const itemsById = items(request);
    const results = [...new Set(ids)].map((id) => [id, itemsById.get(id)] as const);
    if (request.quirks.lookUps === 'object')
      return { status: 200, body: { [listField]: Object.fromEntries(results.map(([id, item]) => [id, item ? toJson(item) : null])) } };
    const list = results.flatMap(([, item]) => (item ? [toJson(item)] : []));
    return { status: 200, body: { [listField]: applyListOrder(list, request) } };
  };
  const all = (request: EmulatedRequest): EmulatedResponse => {
    const members = [...items(request).values()].map((item) => ({ '@id': `${v4}/${item.id}`, '@type': type, ...item }));
    return {
      status: 200,
      body: { '@id': v4, '@type': 'Collection', items: applyListOrder(members, request), total_items: members.length },
    };
  };
  const listed = (request: EmulatedRequest): EmulatedResponse => {
    return { status: 200, body: { [listField]: applyListOrder([...items(request).values()].map(toJson), request) } };
  };
  // Clients send v2 as a form, or with the signature in the query.
  const v2Routes = (path: string, handle: Route['handle']): readonly Route[] => [
    { method: 'POST', path, apiVersion: 'v2', handle },
    { method: 'GET', path, apiVersion: 'v2', handle },
  ];
  return [
    ...v2Routes(v2, byIds),
    ...(v2List === undefined ? [] : v2Routes(v2List, listed)),
    { method: 'GET', path: v4, apiVersion: 'v4', handle: all },
  ];
}

/**
 * Reads the objects that can be looked up from a seed: IDs, or objects with `id`, whose other members are answered as they are. Errors
 * begin with `location`.
 * @throws Error that names the invalid item
 */
export function readItems(value: Json | undefined, location: string): readonly LookupItem[] {
  if (!isList(value)) throw new Error(`${location} must be a list`);
  return value.map((item, index) => {
    const id = isObject(item) ? item.id : item;
    if (typeof id !== 'string' || id === '') throw new Error(`${location}[${index}] needs an id`);
    return isJsonObject(item) ? { ...item, id } : { id };
  });
}
