/**
 * References from resources to objects elsewhere in the service, such as assets and slicers, and the requests that check whether these
 * exist (api-notes section 7). The requests only read.
 */

import { malformed } from '../api-client/errors.ts';
import type { ApiRequest, ApiService } from '../api-client/request.ts';
import type { AssetFacts, FirstExpiry } from '../model/asset.ts';
import type { SourcePosition } from '../model/finding.ts';
import type { JsonObject, Path } from '../model/json.ts';
import { isObject } from '../model/json.ts';
import { asInteger, asList, asString } from '../model/json-readers.ts';
import type { DesiredResource } from './resource.ts';

/** One use of an ID in a resource. */
export interface Reference {
  readonly id: string;
  /** Path in the merged sources. */
  readonly path: Path;
  /** The position in a text file that the sources name, where the ID is written there. */
  readonly textFilePosition?: SourcePosition;
  /** The name of the object in the user's catalog, and the path of its ID there. */
  readonly catalogName?: { readonly name: string; readonly path: Path };
  /** Why this account cannot check whether the object exists. */
  readonly whyUncheckable?: string;
}

/** An object that exists. */
export interface ExistingObject {
  /** Empty where the service has none. */
  readonly name: string;
  /** What the response says of an asset. */
  readonly facts?: AssetFacts;
}

/** The objects that exist, by ID. */
export type ExistingObjects = ReadonlyMap<string, ExistingObject>;

/** One request that reports which of some IDs exist. */
export interface ReferenceLookup {
  readonly ids: readonly string[];
  /** Sends the request. @throws ApiError, also for a malformed response, which must not count as "none of them exist" */
  findExisting(service: ApiService): Promise<ExistingObjects>;
}

/** A finding about an object that resources refer to. Its severity is `warning` unless `rules` says otherwise. */
export interface ReferenceFinding {
  readonly code: string;
  readonly place: Pick<Reference, 'path' | 'textFilePosition'>;
  readonly summary: string;
  readonly hint: string;
  readonly address?: string;
}

/** Returns the ID of the object that an external ID names; undefined where that is not known. */
export type ResolveExternalId = (externalId: string) => string | undefined;

/** One request that reports which objects have some external IDs. */
export interface ExternalLookup {
  readonly ids: readonly string[];
  /** Sends the request; returns the IDs of all objects by external ID. @throws ApiError */
  find(service: ApiService): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** References by the IDs that the user's own systems give to objects. */
export interface ExternalReferences {
  /** Lists those references of a resource that are not resolved; the ID of each is the external one. */
  referencesIn(resource: DesiredResource): readonly Reference[];
  /** Builds the requests that look these external IDs up. */
  lookups(externalIds: readonly string[], api: ReferenceApi): readonly ExternalLookup[];
  /** Creates a resolver for the resources of one configuration. */
  resolver(): ExternalIdResolver;
}

/** Puts the IDs of objects in place of references. */
export interface ExternalIdResolver {
  /** Resolves the references of a resource as far as their objects are known. */
  resolve(resource: DesiredResource, idOf: ResolveExternalId): DesiredResource;
}

/** What is known of the objects to which resources refer, and findings about it. */
export interface ReferenceAssessment {
  /** The facts about each object that a resource names, by ID. */
  readonly facts: ReadonlyMap<string, AssetFacts>;
  readonly findings: readonly ReferenceFinding[];
  /** The object that is gone first among those that are in use, and when: ISO 8601, UTC. Absent where no end is known. */
  readonly firstExpiry?: FirstExpiry;
}

/** What an assessment depends on besides the resources. */
export interface AssessmentInput {
  /** The objects that were found; empty where nothing was looked up. */
  readonly existing: ExistingObjects;
  /** Unix milliseconds. */
  readonly now: number;
  /** Returns how long before an event a finding with this code and address is reported, milliseconds (`within` in `rules`). */
  within(code: string, address: string): number;
  /** Whether the retention of an object counts from its creation (`service.retention_from`). */
  readonly isRetainedFromCreation: boolean;
  /** The states in which an object can be played, in lower case (`service.asset_ready_states`). */
  readonly readyStates: ReadonlySet<string>;
}

/** The API that is queried (`service.reference_api`). */
export type ReferenceApi = 'v2' | 'v4';

/** A type of object that the resources of a kind refer to. */
export interface ReferenceType {
  /** The key under `check` of a target: `assets`. */
  readonly name: string;
  /** Noun for one object, in messages: `asset`. */
  readonly noun: string;
  /** Code of the finding about an object that does not exist; one of the kind's `findingCodes`. */
  readonly code: string;
  /** Lists the references of a resource, in the order in which they are written. */
  referencesIn(resource: DesiredResource): readonly Reference[];
  /** Builds the requests that check these IDs. */
  lookups(ids: readonly string[], api: ReferenceApi): readonly ReferenceLookup[];
  /** References by external IDs. Absent = there are none. */
  readonly external?: ExternalReferences;
  /**
   * Assesses what is known of the objects that these resources name, from the configuration and from the service. Absent = only whether they
   * exist is checked.
   */
  assess?(resources: readonly DesiredResource[], input: AssessmentInput): ReferenceAssessment;
  /**
   * Returns what is known of objects by their IDs, from the configuration, of which `resources` are a part, and from the service. Absent =
   * nothing but their names.
   */
  factsOf?(
    ids: readonly string[],
    resources: readonly DesiredResource[],
    input: Pick<AssessmentInput, 'existing' | 'isRetainedFromCreation'>,
  ): ReadonlyMap<string, AssetFacts>;
  /**
   * Builds the catalog section for these IDs (`export`), with keys made from the names of the service, and a YAML comment to write above
   * it. `names` holds the key of each ID. Absent where no section is a catalog.
   */
  buildCatalogSection?(
    ids: readonly string[],
    known: ExistingObjects,
  ): { readonly section: string; readonly comment: string; readonly value: JsonObject; readonly names: ReadonlyMap<string, string> };
}

/** The endpoints that look up one type of ID. */
export interface LookupEndpoint {
  readonly v2: {
    readonly path: string;
    /** The member of the request that lists the IDs. */
    readonly requestField: string;
    /** The member of the response that holds the objects, as a list or by ID. */
    readonly listField: string;
    /** The member of the response that may hold a single object instead. */
    readonly itemField?: string;
    /** The members of an object that may hold its ID. */
    readonly idFields: readonly string[];
  };
  /** Path of the list of all objects. */
  readonly v4: string;
  /** Reads what a response says of an object besides its name. Absent = nothing is read. */
  readFacts?(item: { readonly [member: string]: unknown }): AssetFacts;
}

/** Maximum number of IDs in one v2 request (api-notes section 7). */
export const MAX_IDS_PER_REQUEST = 1000;

/** Builds the requests that check which of `ids` exist: on v2 one for each thousand IDs, on v4 one for all. */
export function lookupsIn(endpoint: LookupEndpoint, ids: readonly string[], api: ReferenceApi): readonly ReferenceLookup[] {
  if (api === 'v4') return ids.length === 0 ? [] : [{ ids, findExisting: (service) => lookUpInList(endpoint, ids, service) }];
  return chunksOf(ids).map((chunk) => ({ ids: chunk, findExisting: (service) => lookUpIds(endpoint, chunk, service) }));
}

function chunksOf(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / MAX_IDS_PER_REQUEST) }, (_, index) =>
    ids.slice(index * MAX_IDS_PER_REQUEST, (index + 1) * MAX_IDS_PER_REQUEST),
  );
}

/** Builds the requests that find the objects with these external IDs: on v2 one for each thousand of them, on v4 one for all. */
export function externalLookupsIn(endpoint: LookupEndpoint, externalIds: readonly string[], api: ReferenceApi): readonly ExternalLookup[] {
  if (api === 'v4') {
    const request: ApiRequest = { method: 'GET', path: endpoint.v4, repeatable: true, isList: true };
    const find: ExternalLookup['find'] = async (service) =>
      byExternalId(request, await readWholeList(request, service), new Set(externalIds));
    return externalIds.length === 0 ? [] : [{ ids: externalIds, find }];
  }
  const { path, listField } = endpoint.v2;
  return chunksOf(externalIds).map((ids) => {
    const request: ApiRequest = { method: 'GET', path, body: { external_ids: ids }, repeatable: true, isList: true };
    return {
      ids,
      find: async (service) => {
        const { body } = await service.send(request);
        const items = isObject(body) ? itemsOf(body[listField]) : undefined;
        if (!items) throw malformed(request, `it has no \`${listField}\``);
        const values = items.flatMap(({ value }) => (value === null ? [] : [value]));
        const asked = new Set(ids);
        const other = values.find((value) => !isObject(value) || !asked.has(asString(value.external_id) ?? ''));
        if (other !== undefined) throw malformed(request, 'an element of it has no external ID that was asked for');
        return byExternalId(request, values, asked);
      },
    };
  });
}

/** Groups the IDs of objects by their external IDs, each ID once. @throws ApiError (`malformed`) where one of them has no ID */
function byExternalId(request: ApiRequest, items: readonly unknown[], asked: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const item of items) {
    const externalId = isObject(item) ? asString(item.external_id) : undefined;
    if (!isObject(item) || externalId === undefined || !asked.has(externalId)) continue;
    const id = asString(item.id);
    if (id === undefined || id === '') throw malformed(request, 'an element of it has no ID');
    const others = found.get(externalId) ?? [];
    if (!others.includes(id)) found.set(externalId, [...others, id]);
  }
  return found;
}

async function lookUpIds(endpoint: LookupEndpoint, ids: readonly string[], service: ApiService): Promise<ExistingObjects> {
  const { path, requestField, listField, itemField, idFields } = endpoint.v2;
  const request: ApiRequest = { method: 'GET', path, body: { [requestField]: ids }, repeatable: true, isList: true };
  const { body } = await service.send(request);
  const response = isObject(body) ? body : {};
  const items =
    itemsOf(response[listField]) ??
    (itemField !== undefined && isObject(response[itemField]) ? [{ value: response[itemField] }] : undefined);
  if (!items) throw malformed(request, `it has no \`${listField}\``);
  const requested = new Set(ids);
  const known = new Map(items.flatMap((item) => readItem(request, item, idFields, endpoint)));
  // A service that ignores the filter might return one page of all objects; an ID that is not on that page may still exist.
  for (const found of known.keys()) if (!requested.has(found)) throw malformed(request, `it shows ${found}, which was not asked for`);
  return known;
}

/** An element of a list, or a member of an object by ID: the API documents do not say which of the two a response contains. */
interface ResponseItem {
  readonly key?: string;
  readonly value: unknown;
}

function itemsOf(value: unknown): readonly ResponseItem[] | undefined {
  if (isObject(value)) return Object.entries(value).map(([key, part]) => ({ key, value: part }));
  return asList(value)?.map((part) => ({ value: part }));
}

/** Returns ID and facts of an item; an empty list for null, which means that the object does not exist. @throws ApiError (`malformed`) */
function readItem(
  request: ApiRequest,
  { key, value }: ResponseItem,
  idFields: readonly string[],
  { readFacts }: LookupEndpoint,
): readonly (readonly [id: string, object: ExistingObject])[] {
  if (value === null) return [];
  const id = isObject(value) ? (key ?? idFields.map((field) => asString(value[field])).find((text) => text !== undefined)) : undefined;
  if (!isObject(value) || id === undefined) throw malformed(request, 'an element of it has no ID');
  return [[id, { name: asString(value.desc) ?? '', ...(readFacts ? { facts: readFacts(value) } : {}) }]];
}

async function lookUpInList(endpoint: LookupEndpoint, ids: readonly string[], service: ApiService): Promise<ExistingObjects> {
  const request: ApiRequest = { method: 'GET', path: endpoint.v4, repeatable: true, isList: true };
  const items = await readWholeList(request, service);
  const requested = new Set(ids);
  return new Map(items.flatMap((value) => readItem(request, { value }, ['id'], endpoint)).filter(([id]) => requested.has(id)));
}

/** Reads a list, of which no object may be missing. @throws ApiError */
async function readWholeList(request: ApiRequest, service: ApiService): Promise<readonly unknown[]> {
  const { body } = await service.send(request);
  const items = isObject(body) ? asList(body.items) : undefined;
  const total = isObject(body) ? asInteger(body.total_items) : undefined;
  if (!items) throw malformed(request, '`items` is missing or not a list');
  if (total === undefined) throw malformed(request, '`total_items` is missing or not an integer');
  if (total > items.length) throw malformed(request, `it holds ${items.length} of ${total}`);
  return items;
}
