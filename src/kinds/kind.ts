/**
 * The contract between the planner and the kinds of resource. A kind is a plain object; the planner knows this interface and no kind by
 * name.
 * All fields are canonical JSON: a kind brings desired and live resources into one form, so that the planner can compare them member by
 * member.
 *
 * A small kind, for an account with a list of webhooks, each known by its name:
 *
 *     export const webhook: Kind = {
 *       name: 'webhook', applyOrder: 6, addresses: ['webhook/'], singleton: false, uniqueLabels: true, partialUpdates: false,
 *       sections: [{ key: 'webhooks', manages: true }],
 *       schema, // { properties: { webhooks: { type: 'object', additionalProperties: { ... } } } }
 *       codes: [], existenceChecksPerPlan: 20,
 *       // Configuration and account, both in the canonical form { name, url, retries }, with every default:
 *       declare: (sections) => ({ resources: Object.entries(sections.webhooks ?? {}).map(toDesired), problems: [] }),
 *       read: async (service) => ({ objects: webhooksOf(await service.send(LIST)).map(toLive), notes: [] }),
 *       defaults: () => ({ retries: 3 }),
 *       unmanagedAddress: (live) => `webhook/~${live.id}`,
 *       // Writes:
 *       requests: ({ desired, live }) => (desired ? [save(desired, live?.id)] : live ? [remove(live.id)] : []),
 *       parseWriteResponse: (_planned, _write, body) => ({ state: 'done', id: idOf(body) }),
 *       get, find, // read one webhook by its ID; search for the one that a create would make
 *       // Safety: webhooks do not protect content, so every field is neutral.
 *       assessRisk: ({ fields }) => fields.map(() => NEUTRAL),
 *       phase: (action) => (action === 'delete' ? 'delete' : 'update'),
 *       // `export`:
 *       toConfig: (objects) => ({ entries: objects.map(toEntry), inexpressible: [] }),
 *     };
 *
 * `vmp-reject-statuses` is the smallest kind in this folder. A new kind is a folder here, a line in `index.ts`, its schema, and a file of
 * the emulator.
 */

import type { ApiRequest, ApiService } from '../api-client/request.ts';
import type { Action, Change, Effect, FieldDifference, Phase, RiskAssessment } from '../model/change.ts';
import type { Diagram } from '../model/diagram.ts';
import type { Json, JsonObject, Path } from '../model/json.ts';
import type { ReferenceType } from './references.ts';
import type { DesiredResource, LiveResource, ReadResult } from './resource.ts';
import type { UnlocatedFinding } from './unlocated-finding.ts';

export { ApiError } from '../api-client/errors.ts';
export type { ApiRequest, ApiResponse, ApiService } from '../api-client/request.ts';
export type * from './references.ts';
export type * from './resource.ts';
export { assess, formatNames, loosens, NEUTRAL, PHASE_OF_EFFECT, tightens } from './risk.ts';
export { errorFinding, type UnlocatedFinding, warningFinding } from './unlocated-finding.ts';

/** A top-level key of the source files that belongs to a kind. */
export interface Section {
  readonly key: string;
  /** Whether its presence makes the kind managed; false for a section that only serves others, such as the asset catalogue. */
  readonly manages: boolean;
  /** Prefix of the addresses declared in this section; needed where several sections of a kind manage resources. */
  readonly prefix?: string;
}

/** The kind's part of the JSON Schema of a source file, in the draft-07 subset. Names of definitions are unique across kinds. */
export interface KindSchema {
  /** Schema of each section, by section key. */
  readonly properties: { readonly [section: string]: unknown };
  readonly definitions?: { readonly [name: string]: unknown };
}

/** The merged sections of a kind: valid by the schema, variables replaced. An absent member is a section that is not managed. */
export type Sections = { readonly [section: string]: Json };

/** Services that a kind may use in `declare`. */
export interface DeclareContext {
  /**
   * Reads the text file that the value at `path` names, relative to the source file that holds the value.
   * Returns a problem where the file is missing, too large, not UTF-8, outside the project, or reached through a link that leaves the
   * project.
   */
  readText(path: Path, name: string): { readonly file: string; readonly text: string } | { readonly problem: UnlocatedFinding };
}

/** A change with its desired and live resource. `desired` is null for a delete, `live` is null for a create. */
export interface PlannedChange {
  readonly change: Change;
  readonly desired: DesiredResource | null;
  readonly live: LiveResource | null;
}

/**
 * Input of `assessRisk`: a whole change from `live` to `desired`, where null is a resource that does not exist. The drift report assesses
 * the
 * opposite direction, with the two swapped.
 */
export interface Comparison {
  readonly action: Action;
  readonly desired: Pick<DesiredResource, 'fields' | 'context'> | null;
  readonly live: Pick<LiveResource, 'id' | 'fields'> | null;
  /** Every field that differs; a create and a delete list the fields that are not at their defaults. */
  readonly fields: readonly FieldDifference[];
}

/** One request of one change. */
export interface WriteRequest extends ApiRequest {
  readonly body?: Json;
  /** Requests of several changes that differ only in this list may be sent as one; `body[member]` then holds at most `limit` items. */
  readonly bulk?: { readonly member: string; readonly item: string; readonly limit: number };
}

/** The result of a write for one change, as the response reports it. */
export type WriteResult =
  /** Written; `id` is the remote ID where the response contains it. */
  | { readonly state: 'done'; readonly id?: string }
  /** The object existed before: it is read again to decide (design section 4, rule 4). */
  | { readonly state: 'exists' }
  | { readonly state: 'failed'; readonly reason: string };

/** A live object in the form of a declaration, without defaults (`export`). */
export interface ConfigEntry {
  readonly section: string;
  /** Member of the section; null where the value is the whole section. */
  readonly key: string | null;
  readonly value: Json;
  /** Entries that `adopt` needs so that matching finds these objects: address to remote ID. */
  readonly adopt: { readonly [address: string]: string };
  /** The live objects that the entry declares. */
  readonly objects: readonly LiveResource[];
}

/** An edit of the merged sources: the new value at a path; undefined removes the member. */
export interface ConfigEdit {
  readonly path: Path;
  readonly value: Json | undefined;
}

/** A live object that no configuration can declare, with the reason. */
export interface NotExportable {
  readonly object: LiveResource;
  readonly reason: string;
}

/** Settings of the target that kinds need (design section 3, `service`). */
export interface KindSettings {
  /** Assets in one bulk request, 1 to 100. */
  readonly smartStartBatch: number;
}

/** One kind of resource. */
export interface Kind {
  /** `playlist`, `drm-policy`, ... */
  readonly name: string;
  /** Position within a phase, ascending (design section 4, rule 6). */
  readonly applyOrder: number;
  /** Prefixes of the addresses of this kind (`playlist/`); for a singleton its only address (`static-key`). */
  readonly addresses: readonly string[];
  /** Whether an account has exactly one object of this kind, which is never created or deleted. */
  readonly singleton: boolean;
  /** Whether the service requires unique labels (policies); a rename to a label in use is then blocked. */
  readonly uniqueLabels: boolean;
  /** Whether an update sends only the fields that differ (PATCH); otherwise it always sends the whole document. */
  readonly partialUpdates: boolean;
  readonly sections: readonly Section[];
  readonly schema: KindSchema;
  /** Codes of its findings whose severity the user may set under `rules`; its other errors cannot be overridden. */
  readonly codes: readonly string[];

  /** Returns the address of a live object that is not declared: `playlist/~<id>`. */
  unmanagedAddress(live: LiveResource): string;

  /** Returns the desired resources, and the findings that the schema cannot express. Called only with sections that the schema accepts. */
  declare(
    sections: Sections,
    context: DeclareContext,
  ): { readonly resources: readonly DesiredResource[]; readonly problems: readonly UnlocatedFinding[] };

  /**
   * Returns the fields to compare, where these depend on both resources or on the time (`now` in Unix milliseconds).
   * Absent = all fields are compared as they are.
   */
  toComparable?(desired: DesiredResource, live: LiveResource, now: number): { readonly before: JsonObject; readonly after: JsonObject };

  /** Returns the default fields: a create and a delete are shown without the fields that are equal to these. */
  defaults(): JsonObject;

  /**
   * Returns why a live object must not be bound to this resource although a match key, a binding or `adopt` points to it; undefined allows
   * it.
   */
  whyNotBindable?(desired: DesiredResource, live: LiveResource): string | undefined;

  /**
   * Assesses how a change affects the protection of content: one assessment for each field, in the order of the fields. A kind may
   * consider the whole documents, so that the same policy written in another way is neutral.
   */
  assessRisk(comparison: Comparison): readonly RiskAssessment[];

  /** Returns the phase in which a change is applied (design section 4, rule 6). */
  phase(action: 'create' | 'update' | 'delete', effect: Effect): Phase;

  /** Builds the requests of one change, in order; an empty list where no request is needed. `now` in Unix milliseconds. Pure. */
  requests(planned: PlannedChange, settings: KindSettings, now: number): readonly WriteRequest[];

  /** Reads the response to one of the writes, for one of the changes that the write covers. @throws ApiError (`malformed`) */
  parseWriteResponse(planned: PlannedChange, write: WriteRequest, body: unknown): WriteResult;

  /** Reads all live objects of the kind. @throws ApiError where any part is missing (design section 4, rule 1) */
  read(service: ApiService): Promise<ReadResult>;

  /**
   * Converts live objects to declarations, sorted by key; the order of `objects` has no influence. Texts are literal: the caller escapes
   * `${`.
   */
  toConfig(objects: readonly LiveResource[]): {
    readonly entries: readonly ConfigEntry[];
    readonly inexpressible: readonly NotExportable[];
  };

  /**
   * Returns the edits of the sources that declare this resource as it is live (`drift accept`). Fields that agree are not edited, and new
   * values
   * keep the form in which the sources are written. Returns a reason (a string) where no declaration can express the live resource.
   * Absent = `drift accept` does not support the kind.
   */
  configEdits?(desired: DesiredResource, live: LiveResource, sections: Sections): readonly ConfigEdit[] | string;

  /**
   * Returns what a diagram of a change of this kind shows; null where text says enough. The change may come from a file, so its fields
   * may have any path and value. Absent = changes of this kind have no diagram.
   */
  diagram?(change: Change): Diagram | null;

  /** Reads one object by its remote ID; null where it does not exist. Absent for singletons, which only `read` can read. */
  get?(service: ApiService, id: string): Promise<LiveResource | null>;

  /** Searches for objects that a create of this resource would duplicate, without relying on an earlier list. Absent for singletons. */
  find?(service: ApiService, desired: DesiredResource): Promise<readonly LiveResource[]>;

  /** Objects elsewhere in the service that resources of this kind refer to, where these can be looked up (`check` of a target). */
  readonly references?: ReferenceType;

  /** Number of planned creates that `plan` spot-checks with `find` before it trusts the list (design section 4, rule 1). */
  readonly existenceChecksPerPlan: number;
}
