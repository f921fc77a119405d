/**
 * References: what resources name that lives elsewhere in the service, such as assets and slicers, and how to ask whether it is there
 * (api-notes section 7). Asking reads and changes nothing.
 */

import { malformed } from '../api-client/errors.ts';
import type { ApiRequest, ApiService } from '../api-client/request.ts';
import type { JsonObject, Path } from '../model/json.ts';
import { isObject } from '../model/json.ts';
import { asInteger, asList, asString } from '../model/json-readers.ts';
import type { DesiredResource } from './resource.ts';
import type { UnlocatedFinding } from './unlocated-finding.ts';

/** A place that names something. */
export interface Reference {
  readonly id: string;
  /** Path in the merged sources, or the line of a file that they name. */
  readonly path: Path;
  readonly inFile?: UnlocatedFinding['inFile'];
  /** The user's own name for it, and where that is given. */
  readonly alias?: { readonly name: string; readonly path: Path };
  /** Why this account cannot be asked about it. */
  readonly uncheckable?: string;
}

/** What was found: IDs, with the name that the service has for them, empty where it has none. */
export type ExistingIds = ReadonlyMap<string, string>;

/** One request that tells which of some IDs are there. */
export interface ReferenceLookup {
  readonly ids: readonly string[];
  /** @throws ServiceError, also where the answer cannot be understood: it never counts as "none of them" */
  ask(service: ApiService): Promise<ExistingIds>;
}

/** Which of the services is asked (`service.reference_api`). */
export type ReferenceApi = 'v2' | 'v4';

/** What the resources of a kind refer to. */
export interface ReferenceType {
  /** The key under `check` of a target: `assets`. */
  readonly name: string;
  /** What one of them is called: `asset`. */
  readonly noun: string;
  /** Code of the finding about one that is not there; one of the kind's `codes`. */
  readonly code: string;
  references(resource: DesiredResource): readonly Reference[];
  /** The requests that tell about these IDs. */
  lookups(ids: readonly string[], api: ReferenceApi): readonly ReferenceLookup[];
  /** A section of the sources that gives names to these IDs, as far as the service knows them (`export`); absent where there is none. */
  aliasSection?(
    ids: readonly string[],
    known: ExistingIds,
  ): { readonly section: string; readonly remark: string; readonly value: JsonObject };
}

/** Where one sort of IDs is looked up. */
export interface LookupEndpoint {
  /** Path, the member that asks, those that answer (a list or an object by ID; a single object), and the member that holds an ID. */
  readonly v2: {
    readonly path: string;
    readonly requestField: string;
    readonly listField: string;
    readonly itemField?: string;
    readonly id: readonly string[];
  };
  /** Path of the Collection of all of them. */
  readonly v4: string;
}

/** Most IDs in one request of v2 (api-notes section 7). */
const MOST = 1000;

/** The requests that tell about IDs: on v2 one for each thousand, on v4 one for all. */
export function lookupsIn(endpoint: LookupEndpoint, ids: readonly string[], api: ReferenceApi): readonly ReferenceLookup[] {
  if (api === 'v4') return ids.length === 0 ? [] : [{ ids, ask: (service) => listed(endpoint.v4, ids, service) }];
  const batches = Array.from({ length: Math.ceil(ids.length / MOST) }, (_, index) => ids.slice(index * MOST, (index + 1) * MOST));
  return batches.map((batch) => ({ ids: batch, ask: (service) => asked(endpoint.v2, batch, service) }));
}

async function asked(
  { path, requestField, listField, itemField, id }: LookupEndpoint['v2'],
  ids: readonly string[],
  service: ApiService,
): Promise<ExistingIds> {
  const request: ApiRequest = { method: 'GET', path, body: { [requestField]: ids }, repeatable: true };
  const { body } = await service.send(request);
  const answer = isObject(body) ? body : {};
  const entries =
    entriesOf(answer[listField]) ?? (itemField !== undefined && isObject(answer[itemField]) ? [{ value: answer[itemField] }] : undefined);
  if (!entries) throw malformed(request, `it has no \`${listField}\``);
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
function readEntry(
  request: ApiRequest,
  { key, value }: Entry,
  members: readonly string[],
): readonly (readonly [id: string, name: string])[] {
  if (value === null) return [];
  const id = isObject(value) ? (key ?? members.map((member) => asString(value[member])).find((text) => text !== undefined)) : undefined;
  if (!isObject(value) || id === undefined) throw malformed(request, 'an element of it has no ID');
  return [[id, asString(value.desc) ?? '']];
}

async function listed(path: string, ids: readonly string[], service: ApiService): Promise<ExistingIds> {
  const request: ApiRequest = { method: 'GET', path, repeatable: true };
  const { body } = await service.send(request);
  const items = isObject(body) ? asList(body.items) : undefined;
  const total = isObject(body) ? asInteger(body.total_items) : undefined;
  if (!items) throw malformed(request, '`items` is missing or not a list');
  if (total === undefined) throw malformed(request, '`total_items` is missing or not an integer');
  if (total > items.length) throw malformed(request, `it holds ${items.length} of ${total}`);
  const wanted = new Set(ids);
  return new Map(items.flatMap((value) => readEntry(request, { value }, ['id'])).filter(([id]) => wanted.has(id)));
}
