/**
 * References: what resources name that lives elsewhere in the service, such as assets and slicers, and how to ask whether it is there
 * (facts.md section 7). Asking reads and changes nothing.
 */
import type { Fields, Path } from '../model/json.ts';
import { isObject } from '../model/json.ts';
import { asInteger, asList, asText } from '../model/read.ts';
import { malformed } from '../service/errors.ts';
import type { Request, Service } from '../service/request.ts';
import type { Problem } from './problem.ts';
import type { Desired } from './sides.ts';

/** A place that names something. */
export interface Mention {
  readonly id: string;
  /** Path in the merged sources, or the line of a file that they name. */
  readonly path: Path;
  readonly inFile?: Problem['inFile'];
  /** The user's own name for it, and where that is given. */
  readonly alias?: { readonly name: string; readonly path: Path };
  /** Why this account cannot be asked about it. */
  readonly beyond?: string;
}

/** What was found: IDs, with the name that the service has for them, empty where it has none. */
export type Known = ReadonlyMap<string, string>;

/** One request that tells which of some IDs are there. */
export interface LookUp {
  readonly ids: readonly string[];
  /** @throws ServiceError, also where the answer cannot be understood: it never counts as "none of them" */
  ask(service: Service): Promise<Known>;
}

/** Which of the services is asked (`service.reference_api`). */
export type ReferenceApi = 'v2' | 'v4';

/** What the resources of a kind refer to. */
export interface References {
  /** The key under `check` of a target: `assets`. */
  readonly name: string;
  /** What one of them is called: `asset`. */
  readonly noun: string;
  /** Code of the finding about one that is not there; one of the kind's `codes`. */
  readonly code: string;
  mentions(resource: Desired): readonly Mention[];
  /** The requests that tell about these IDs. */
  lookUps(ids: readonly string[], api: ReferenceApi): readonly LookUp[];
  /** A section of the sources that gives names to these IDs, as far as the service knows them (`export`); absent where there is none. */
  catalogue?(ids: readonly string[], known: Known): { readonly section: string; readonly remark: string; readonly value: Fields };
}

/** Where one sort of IDs is looked up. */
export interface Directory {
  /** Path, the member that asks, those that answer (a list or an object by ID; a single object), and the member that holds an ID. */
  readonly v2: {
    readonly path: string;
    readonly asks: string;
    readonly answers: string;
    readonly single?: string;
    readonly id: readonly string[];
  };
  /** Path of the Collection of all of them. */
  readonly v4: string;
}

/** Most IDs in one request of v2 (facts.md section 7). */
const MOST = 1000;

/** The requests that tell about IDs: on v2 one for each thousand, on v4 one for all. */
export function lookUpsIn(directory: Directory, ids: readonly string[], api: ReferenceApi): readonly LookUp[] {
  if (api === 'v4') return ids.length === 0 ? [] : [{ ids, ask: (service) => listed(directory.v4, ids, service) }];
  const batches = Array.from({ length: Math.ceil(ids.length / MOST) }, (_, index) => ids.slice(index * MOST, (index + 1) * MOST));
  return batches.map((batch) => ({ ids: batch, ask: (service) => asked(directory.v2, batch, service) }));
}

async function asked({ path, asks, answers, single, id }: Directory['v2'], ids: readonly string[], service: Service): Promise<Known> {
  const request: Request = { method: 'GET', path, body: { [asks]: ids }, repeatable: true };
  const { body } = await service.send(request);
  const answer = isObject(body) ? body : {};
  const entries =
    entriesOf(answer[answers]) ?? (single !== undefined && isObject(answer[single]) ? [{ value: answer[single] }] : undefined);
  if (!entries) throw malformed(request, `it has no \`${answers}\``);
  const wanted = new Set(ids);
  const known = new Map(entries.flatMap((entry) => readEntry(request, entry, id)));
  // A service that does not heed the question might show a page of everything, which proves nothing about what it leaves out.
  for (const found of known.keys()) if (!wanted.has(found)) throw malformed(request, `it shows ${found}, which was not asked for`);
  return known;
}

/** An element of a list, or a member of an object by ID: no document shows which of the two an answer is. */
interface Entry {
  readonly key?: string;
  readonly value: unknown;
}

function entriesOf(value: unknown): readonly Entry[] | undefined {
  if (isObject(value)) return Object.entries(value).map(([key, part]) => ({ key, value: part }));
  return asList(value)?.map((part) => ({ value: part }));
}

/** ID and name of an entry; nothing where it says by null that there is none. @throws ServiceError (`malformed`) */
function readEntry(request: Request, { key, value }: Entry, members: readonly string[]): readonly (readonly [id: string, name: string])[] {
  if (value === null) return [];
  const id = isObject(value) ? (key ?? members.map((member) => asText(value[member])).find((text) => text !== undefined)) : undefined;
  if (!isObject(value) || id === undefined) throw malformed(request, 'an element of it has no ID');
  return [[id, asText(value.desc) ?? '']];
}

async function listed(path: string, ids: readonly string[], service: Service): Promise<Known> {
  const request: Request = { method: 'GET', path, repeatable: true };
  const { body } = await service.send(request);
  const items = isObject(body) ? asList(body.items) : undefined;
  const total = isObject(body) ? asInteger(body.total_items) : undefined;
  if (!items) throw malformed(request, '`items` is missing or not a list');
  if (total === undefined) throw malformed(request, '`total_items` is missing or not an integer');
  if (total > items.length) throw malformed(request, `it holds ${items.length} of ${total}`);
  const wanted = new Set(ids);
  return new Map(items.flatMap((value) => readEntry(request, { value }, ['id'])).filter(([id]) => wanted.has(id)));
}
