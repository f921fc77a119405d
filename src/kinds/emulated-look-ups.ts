/** The double's part of facts.md section 7: two endpoints that tell whether something is there, for any emulation. */
import { type Fields, isObject } from '../model/json.ts';
import { asTexts } from '../model/read.ts';
import { arranged, type Call, type Reply, type Route, RouteError } from './emulation.ts';

/** Something that can be looked up by its ID. */
export type Item = Fields & { readonly id: string };

/** How one sort of things is looked up: paths, the member that asks about several of them, the one that answers, and the one that holds the ID there. */
export interface LookUpPaths {
  readonly v2: string;
  readonly v4: string;
  readonly asks: string;
  readonly answers: string;
  readonly id: string;
}

/** The two endpoints of facts.md section 7 for one sort of things. */
export function lookUpRoutes(
  { v2, v4, asks, answers, id }: LookUpPaths,
  type: string,
  items: (call: Call) => ReadonlyMap<string, Item>,
): readonly Route[] {
  const several = (call: Call): Reply => {
    const ids = asTexts(isObject(call.body) ? call.body[asks] : undefined);
    if (!ids) throw new RouteError(400, 'bad_request', `${asks} must be a list of strings`);
    if (ids.length > 1000) throw new RouteError(400, 'bad_request', `${asks} names more than 1000`);
    const there = items(call);
    const asked = [...new Set(ids)].map((each) => [each, there.get(each)] as const);
    const shown = (item: Item): Fields => ({ ...item, [id]: item.id });
    if (call.manners.lookUps === 'object')
      return { status: 200, body: { [answers]: Object.fromEntries(asked.map(([each, item]) => [each, item ? shown(item) : null])) } };
    return {
      status: 200,
      body: {
        [answers]: arranged(
          asked.flatMap(([, item]) => (item ? [shown(item)] : [])),
          call,
        ),
      },
    };
  };
  const all = (call: Call): Reply => {
    const members = [...items(call).values()].map((item) => ({ '@id': `${v4}/${item.id}`, '@type': type, ...item }));
    return { status: 200, body: { '@id': v4, '@type': 'Collection', items: arranged(members, call), total_items: members.length } };
  };
  return [
    { method: 'POST', path: v2, dialect: 'v2', handle: several },
    { method: 'GET', path: v4, dialect: 'v4', handle: all },
  ];
}

/** Reads things to look up out of a seed: texts, or objects with `id`. @throws Error that says which is not understood */
export function readItems(value: unknown, where: string): readonly Item[] {
  if (!Array.isArray(value)) throw new Error(`${where} must be a list`);
  return value.map((item: unknown, index) => {
    const id = isObject(item) ? item.id : item;
    if (typeof id !== 'string' || id === '') throw new Error(`${where}[${index}] needs an id`);
    const desc = isObject(item) && typeof item.desc === 'string' ? { desc: item.desc } : {};
    return { id, ...desc };
  });
}
