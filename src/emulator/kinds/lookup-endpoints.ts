/** The double's part of api-notes section 7: two endpoints that tell whether something is there, for any emulation. */
import { isObject, type JsonObject } from '../../model/json.ts';
import { asStringArray } from '../../model/json-readers.ts';
import { applyListOrder, type EmulatedRequest, type EmulatedResponse, type Route, RouteError } from '../contract.ts';

/** Something that can be looked up by its ID. */
export type LookupItem = JsonObject & { readonly id: string };

/** How one sort of things is looked up: paths, the member that asks about several of them, the one that answers, and the one that holds the ID there. */
export interface LookupPaths {
  readonly v2: string;
  readonly v4: string;
  readonly asks: string;
  readonly answers: string;
  readonly id: string;
}

/** The two endpoints of api-notes section 7 for one sort of things. */
export function lookupRoutes(
  { v2, v4, asks, answers, id }: LookupPaths,
  type: string,
  items: (request: EmulatedRequest) => ReadonlyMap<string, LookupItem>,
): readonly Route[] {
  const several = (request: EmulatedRequest): EmulatedResponse => {
    const ids = asStringArray(isObject(request.body) ? request.body[asks] : undefined);
    if (!ids) throw new RouteError(400, 'bad_request', `${asks} must be a list of strings`);
    if (ids.length > 1000) throw new RouteError(400, 'bad_request', `${asks} names more than 1000`);
    const there = items(request);
    const asked = [...new Set(ids)].map((each) => [each, there.get(each)] as const);
    const shown = (item: LookupItem): JsonObject => ({ ...item, [id]: item.id });
    if (request.quirks.lookUps === 'object')
      return { status: 200, body: { [answers]: Object.fromEntries(asked.map(([each, item]) => [each, item ? shown(item) : null])) } };
    return {
      status: 200,
      body: {
        [answers]: applyListOrder(
          asked.flatMap(([, item]) => (item ? [shown(item)] : [])),
          request,
        ),
      },
    };
  };
  const all = (request: EmulatedRequest): EmulatedResponse => {
    const members = [...items(request).values()].map((item) => ({ '@id': `${v4}/${item.id}`, '@type': type, ...item }));
    return {
      status: 200,
      body: { '@id': v4, '@type': 'Collection', items: applyListOrder(members, request), total_items: members.length },
    };
  };
  return [
    { method: 'POST', path: v2, apiVersion: 'v2', handle: several },
    { method: 'GET', path: v4, apiVersion: 'v4', handle: all },
  ];
}

/** Reads things to look up out of a seed: texts, or objects with `id`. @throws Error that says which is not understood */
export function readItems(value: unknown, where: string): readonly LookupItem[] {
  if (!Array.isArray(value)) throw new Error(`${where} must be a list`);
  return value.map((item: unknown, index) => {
    const id = isObject(item) ? item.id : item;
    if (typeof id !== 'string' || id === '') throw new Error(`${where}[${index}] needs an id`);
    const desc = isObject(item) && typeof item.desc === 'string' ? { desc: item.desc } : {};
    return { id, ...desc };
  });
}
