/**
 * The contract between the planner and the kinds of resource. A kind is a plain object; the planner knows this interface and no single
 * kind. All fields are canonical JSON: a kind brings desired and live resources into one form, so that the planner can compare them member
 * by member.
 *
 * A small kind, for an account with a list of webhooks, each known by its name:
 *
 *     export const webhook: CollectionKind = {
 *       type: 'collection', name: 'webhook', applyOrder: 6, remoteNameField: 'name', contentFields: ['url'],
 *       hasUniqueRemoteNames: true, hasPartialUpdates: false,
 *       sections: [{ key: 'webhooks', addressPrefix: 'webhook/' }],
 *       schema, // { properties: { webhooks: { type: 'object', additionalProperties: { ... } } } }
 *       findingCodes: {}, spotChecksPerPlan: 20,
 *       // Configuration and account, both in the canonical form { name, url, retries }, with every default:
 *       declare: (sections) => ({ resources: Object.entries(sections.webhooks ?? {}).map(toDesired), findings: [] }),
 *       read: async (service) => ({ objects: webhooksOf(await service.send(LIST)).map(toLive), warnings: [] }),
 *       defaults: () => ({ retries: 3 }),
 *       idAddress: (live) => `webhook/~${live.id}`,
 *       // Writes:
 *       requests: ({ desired, live }) => [desired === null ? remove(live.id) : save(desired, live?.id)],
 *       parseWriteResponse: (_change, _write, body) => ({ state: 'done', id: idOf(body) }),
 *       get, find, // read one webhook by its ID; search for duplicates of a webhook to create
 *       // Safety: webhooks do not protect content, so every field is neutral.
 *       assessRisk: ({ fields }) => fields.map(() => NEUTRAL),
 *       phase: (action) => (action === 'delete' ? 'delete' : 'update'),
 *       // `export`:
 *       toConfig: (objects) => ({ entries: objects.map(toEntry), notDeclarable: [] }),
 *     };
 *
 * `vmp-reject-statuses` is the smallest kind in this folder. A new kind is a folder here, a file in `emulator/kinds`, a line in
 * `core/kinds/index.ts` and in `emulator/kinds/index.ts`, its schema, example and tests.
 */

import type { ApiRequest, ApiService } from '../api-client/request.ts';
import type { AddressSections } from '../model/address.ts';
import type { Action, Effect, FieldDifference, Phase, PlaybackReason, RiskAssessment } from '../model/change.ts';
import type { FindingCodes } from '../model/finding-codes.ts';
import type { Json, JsonObject, Path } from '../model/json.ts';
import type { ReferenceType } from './references.ts';
import type { DesiredResource, LiveObject, LiveResource, LiveSetting, LiveWarning, ReadResult } from './resource.ts';
import type { UnlocatedFinding } from './unlocated-finding.ts';

export { type Attempts, noAttempts } from '../api-client/attempts.ts';
export { ApiError } from '../api-client/errors.ts';
export type { ApiRequest, ApiResponse, ApiService } from '../api-client/request.ts';
export { NAME_CODES, nameWarnings } from './name-findings.ts';
export type * from './references.ts';
export * from './resource.ts';
export { assess, formatAddresses, formatNames, NEUTRAL, PHASE_OF_EFFECT, strengthens, weakens } from './risk.ts';
export { errorFinding, type UnlocatedFinding, warningFinding } from './unlocated-finding.ts';

/** The kind's part of the JSON Schema of a source file (draft-07). Names of definitions are unique across kinds. */
export interface KindSchema {
  /** Schema of each section, by section key. */
  readonly properties: { readonly [section: string]: unknown };
  readonly definitions?: { readonly [name: string]: unknown };
}

/** The merged sections of a kind: valid by the schema, variables replaced. An absent member is a section that is not managed. */
export type Sections = { readonly [section: string]: Json };

/** Services that a kind may use in `declare`. */
export interface DeclareServices {
  /**
   * Reads the text file that the value at `path` names, relative to the source file that holds the value. Returns an error where the file
   * is missing, too large, not UTF-8, outside the project, or reached through a link that leaves the project.
   */
  readText(path: Path, name: string): { readonly file: string; readonly text: string } | { readonly error: UnlocatedFinding };
  /** Returns the remote ID to which `adopt` binds an address, if it does. */
  adoptedId(address: string): string | undefined;
  /** Creates a list for the findings of a section: a million entries may each have one. */
  findingList(): FindingList;
}

/** Findings, of which no more are kept than are listed; the others are counted. */
export interface FindingList<Found extends UnlocatedFinding = UnlocatedFinding> {
  add(found: readonly Found[]): void;
  all(): readonly Found[];
}

/** A resource after (`desired`) and before (`live`) a change. `desired` is null for a delete, `live` is null for a create. */
export type ResourceChange<Live extends LiveResource = LiveResource, Fields extends JsonObject = JsonObject> =
  | { readonly desired: DesiredResource<Fields>; readonly live: Live }
  | { readonly desired: DesiredResource<Fields>; readonly live: null }
  | { readonly desired: null; readonly live: Live };

/**
 * Input of `assessRisk`: a whole change. In a plan, `before` is the live resource and `after` the desired one; in a drift report, which
 * assesses the opposite direction, `before` is the desired resource and `after` the live one. Null is a resource that does not exist.
 */
export interface RiskInput<Fields extends JsonObject = JsonObject> {
  readonly action: Action;
  /** `id` is null for a setting, and in a drift report for an object that no longer exists and whose ID is unknown. */
  readonly before: { readonly id: string | null; readonly fields: Fields } | null;
  readonly after: Pick<DesiredResource<Fields>, 'fields' | 'kindData'> | null;
  /** Every field that differs. Those of a create or a delete are the fields that are not at their defaults. */
  readonly fields: readonly FieldDifference[];
}

/** A whole change of a plan, and its address. */
export interface AddressedChange<Fields extends JsonObject = JsonObject> extends RiskInput<Fields> {
  readonly address: string;
  readonly before: (NonNullable<RiskInput<Fields>['before']> & Pick<LiveObject, 'maybeMissingInRead'>) | null;
}

/** One request of one change. */
export interface WriteRequest extends ApiRequest {
  readonly body?: Json;
  /**
   * Requests that differ only in the list `body[member]` may be sent as one request, whose list holds the `item` of each. It holds at most
   * `limit` items.
   */
  readonly bulk?: { readonly member: string; readonly item: string; readonly limit: number };
}

/** The result of a write for one change, as the response reports it. */
export type WriteResult =
  /** Written; `id` is the remote ID where the response contains it. */
  | { readonly state: 'done'; readonly id?: string }
  /** The service created no object, because it exists already. Another read decides whether the change succeeded (design section 4, rule 4). */
  | { readonly state: 'exists' }
  /** Refused, or stored otherwise than sent; in the second case `id` is the remote ID of what a create made. */
  | { readonly state: 'failed'; readonly reason: string; readonly id?: string };

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
export interface NotDeclarableObject {
  readonly object: LiveResource;
  readonly reason: string;
  /** How it can be managed all the same; absent where the account has to be corrected first. */
  readonly hint?: string;
}

/** The result of `declare`. */
export interface DeclareResult<Fields extends JsonObject = JsonObject> {
  readonly resources: readonly DesiredResource<Fields>[];
  readonly findings: readonly UnlocatedFinding[];
}

/** The result of `toConfig`. */
export interface ConfigResult {
  readonly entries: readonly ConfigEntry[];
  readonly notDeclarable: readonly NotDeclarableObject[];
}

/** Why no edit of the sources can declare a live resource. */
export interface NotDeclarable {
  readonly reason: string;
}

/** Options of the target for the requests of the kinds (design section 3, `service`). */
export interface RequestOptions {
  /** Maximum number of assets in one bulk request, 1 to 100 (`smart_start_batch`). */
  readonly bulkLimit: number;
}

/** What collections and settings have in common. `Fields` is the canonical form of a resource. */
interface KindBase<Fields extends JsonObject> extends AddressSections {
  /** `playlist`, `drm-policy`, ... */
  readonly name: string;
  /** The position of the kind within a phase: kinds with lower numbers are applied first (design section 4, rule 6). */
  readonly applyOrder: number;
  readonly schema: KindSchema;
  /** The codes of all findings of this kind. */
  readonly findingCodes: FindingCodes;

  /** Returns the address of a live resource that is not declared: `playlist/~<id>`, or the name of a setting. */
  idAddress(live: LiveResource<Fields>): string;

  /** Returns the desired resources, and the findings that the schema cannot express. Called only with sections that the schema accepts. */
  declare(sections: Sections, services: DeclareServices): DeclareResult<Fields>;

  /**
   * Returns the fields to compare, where these depend on both resources or on the time (`now` in Unix milliseconds).
   * Absent = all fields are compared as they are.
   */
  toComparable?(
    desired: DesiredResource<Fields>,
    live: LiveResource<Fields>,
    now: number,
  ): { readonly before: JsonObject; readonly after: JsonObject };

  /** Returns the default fields: a create and a delete are shown without the fields that are equal to these. */
  defaults(): Fields;

  /**
   * Returns an example with every field that a resource can have, by which the JSON Pointers of `ignore_changes` are checked. Absent = the
   * defaults have every field.
   */
  allFields?(): JsonObject;

  /**
   * Assesses how a change affects the protection of content. Returns one assessment for each field, in the order of the fields. It may
   * compare whole resources, so that a policy that is only written in another way is neutral.
   */
  assessRisk(input: RiskInput<Fields>): readonly RiskAssessment[];

  /**
   * Returns why a change affects playback by viewers, whatever devices they have; empty where it does not (design section 11). The analysis
   * of device classes adds its own reasons. Absent = changes of this kind never affect playback.
   */
  assessPlayback?(input: RiskInput<Fields>): readonly PlaybackReason[];

  /**
   * Decides whether viewers may be able to play a resource itself: false only where it is certain that they cannot. Absent = resources of
   * this kind are not played.
   */
  isOnAir?(fields: Fields): boolean;

  /**
   * Returns warnings about what changes do beside the fields that they show, and about things elsewhere that name these resources and that
   * upkeep does not update, such as schedules and playback URLs: few, whatever the number of changes. Called with the selected changes of the
   * kind that write on the service. Absent = there is nothing to warn of.
   */
  followUpWarnings?(changes: readonly AddressedChange<Fields>[]): readonly LiveWarning[];

  /** Returns warnings about live resources that depend on the time. `now` in Unix milliseconds. Absent = there is nothing to warn of. */
  timeWarnings?(objects: readonly LiveResource<Fields>[], now: number): readonly LiveWarning[];

  /**
   * Returns warnings that stand beside single changes, such as one whose value differs from the account's in nothing but its form. Called with
   * the selected changes of the kind that write on the service, and with all live objects. Absent = none.
   */
  changeWarnings?(changes: readonly AddressedChange<Fields>[], objects: readonly LiveResource<Fields>[]): readonly LiveWarning[];

  /** Returns the phase in which a change is applied (design section 4, rule 6). */
  phase(action: 'create' | 'update' | 'delete', effect: Effect): Phase;

  /** Builds the requests of one change, in order; an empty list where no request is needed. `now` in Unix milliseconds. Pure. */
  requests(change: ResourceChange<LiveResource<Fields>, Fields>, options: RequestOptions, now: number): readonly WriteRequest[];

  /**
   * Returns the fields of a live resource after one of the requests of an update was carried out. Needed only by a kind that builds several
   * for one change: before the next one is sent, the resource is compared with that.
   */
  afterRequest?(fields: Fields, write: WriteRequest): Fields;

  /** Reads the response to one of the writes, for one of the changes that the write covers. @throws ApiError (`malformed`) */
  parseWriteResponse(change: ResourceChange<LiveResource<Fields>, Fields>, write: WriteRequest, body: unknown): WriteResult;

  /**
   * Converts live resources to declarations as people would write them: in short forms, without defaults, sorted by key. The result does not
   * depend on the order of `objects`. `catalogNames` holds names for what the resources refer to, by ID. The caller escapes `${` in texts.
   */
  toConfig(objects: readonly LiveResource<Fields>[], catalogNames?: ReadonlyMap<string, string>): ConfigResult;

  /**
   * Returns the edits of the sources that declare this resource as the account holds it (`drift accept`). An edit may write what is there
   * already. New values keep the form in which the sources are written. Returns the reason where no declaration can express the live
   * resource. Absent = `drift accept` does not support the kind.
   */
  configEdits?(desired: DesiredResource<Fields>, live: LiveResource<Fields>, sections: Sections): readonly ConfigEdit[] | NotDeclarable;

  /**
   * How to look up the objects elsewhere in the service that resources of this kind refer to, which are looked up if `check` of the target
   * in upkeep.yaml asks for it.
   */
  readonly referenceLookup?: ReferenceType;
}

/** A kind of which an account has any number of objects, each with a remote ID: playlists, policies. */
export interface CollectionKind<Fields extends JsonObject = JsonObject> extends KindBase<Fields> {
  readonly type: 'collection';
  /** The field that holds the remote name (`desc`, `policy_name`). */
  readonly remoteNameField: string;
  /**
   * The fields that must be equal before a live name that is a prefix of the desired one is taken for its cut form, which blocks the create:
   * the service may have cut a name.
   */
  readonly contentFields: readonly string[];
  /** Whether the service requires unique remote names (policies). If so, a rename to a name in use is blocked. */
  readonly hasUniqueRemoteNames: boolean;
  /** Why the first objects of an account may weaken protection, a clause about all of them. Absent where none does because it is new. */
  readonly whyFirstWeaken?: string;
  /** Whether an update sends only the fields that differ (PATCH); otherwise it always sends the whole object. */
  readonly hasPartialUpdates: boolean;
  /**
   * Returns `desired.declaredFields` updated to `newFields`: only values that differ between `newFields` and `desired.fields` are changed.
   * Needed only by a kind whose requests are built from `declaredFields`.
   */
  changeDeclaredFields?(desired: DesiredResource<Fields>, newFields: JsonObject): JsonObject;
  /** Number of planned creates that `plan` spot-checks with `find` before it trusts the list (design section 4, rule 1). */
  readonly spotChecksPerPlan: number;

  /** Reads all live objects. @throws ApiError where any part is missing (design section 4, rule 1) */
  read(service: ApiService): Promise<ReadResult<LiveObject<Fields>>>;

  /** Reads one object by its remote ID; null where it does not exist. `address` is that of its resource, for logs. @throws ApiError */
  get(service: ApiService, id: string, address?: string): Promise<LiveObject<Fields> | null>;

  /** Searches for objects that a create of this resource would duplicate, without relying on an earlier list. @throws ApiError */
  find(service: ApiService, desired: DesiredResource<Fields>): Promise<readonly LiveObject<Fields>[]>;

  /**
   * Returns why an object must not be bound to this resource, even if `adopt`, the ledger or an ID match key names it; undefined allows it.
   * Not called for a match by an equal name. An object that it refuses never blocks a create by its similar name, and no warning suggests to
   * adopt it. For example, a playlist with the ID of its asset holds that one asset and nothing else: the address of any other list gets
   * another object, with another ID.
   */
  whyNotBindable?(desired: DesiredResource<Fields>, live: LiveObject<Fields>): string | undefined;
}

/**
 * A kind of which an account has exactly one, without an ID: the VMP reject statuses, the static key, its rotation. Each of its requests
 * replaces the whole value that it sets: there are no partial updates.
 */
export interface SettingKind<Fields extends JsonObject = JsonObject> extends KindBase<Fields> {
  readonly type: 'setting';

  /** Reads the setting. @throws ApiError where any part is missing (design section 4, rule 1) */
  read(service: ApiService): Promise<ReadResult<LiveSetting<Fields>>>;
}

/** One kind of resource. */
export type Kind = CollectionKind | SettingKind;

/**
 * Returns why no configuration can declare some live resources of a kind, by remote ID (for a setting, the key is an empty text). What the
 * map does not contain can be declared. `now` in Unix milliseconds.
 */
export type WhyNotDeclarable = (kind: Kind, objects: readonly LiveResource[], now: number) => ReadonlyMap<string, string>;
