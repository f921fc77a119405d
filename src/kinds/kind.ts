/**
 * The contract between the engine and the kinds. A kind is a plain object; the engine knows this page and no kind's name.
 * All fields are canonical JSON: both sides of a resource are brought into one form here, and the engine compares dumbly.
 */

import type { ApiRequest, ApiService } from '../api-client/request.ts';
import type { Action, Change, Effect, FieldDifference, Phase, RiskAssessment } from '../model/change.ts';
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

/** A top-level key of the source files. */
export interface Section {
  readonly key: string;
  /** Whether its presence makes the kind managed; a catalogue only serves the others. */
  readonly manages: boolean;
  /** What the addresses begin with that are declared here, where a kind has several sections that manage. */
  readonly prefix?: string;
}

/** The kind's part of the schema of a source file, in the draft-07 subset. Names of definitions are unique across kinds. */
export interface KindSchema {
  /** Schema of each section, by its key. */
  readonly properties: { readonly [section: string]: unknown };
  readonly definitions?: { readonly [name: string]: unknown };
}

/** The merged sections of a kind, schema-valid, variables replaced; an absent member is a section that is not managed. */
export type Sections = { readonly [section: string]: Json };

/** What a kind may ask of the engine while declaring. */
export interface DeclareContext {
  /**
   * Reads a text file named by the value at `path`, relative to the source file that holds the value.
   * The problem names a file that is missing, too large, not UTF-8, outside the project, or reached through a link that leaves it.
   */
  readText(path: Path, name: string): { readonly file: string; readonly text: string } | { readonly problem: UnlocatedFinding };
}

/** A change with both sides at hand. `desired` is null for a delete, `live` for a create. */
export interface PlannedChange {
  readonly change: Change;
  readonly desired: DesiredResource | null;
  readonly live: LiveResource | null;
}

/**
 * What `effects` is told: a whole change, from `live` to `desired`, an absent side null. The report of drift asks about the way
 * back, with its sides in each other's place.
 */
export interface Comparison {
  readonly action: Action;
  readonly desired: Pick<DesiredResource, 'fields' | 'context'> | null;
  readonly live: Pick<LiveResource, 'id' | 'fields'> | null;
  /** Every field that differs; a create and a delete list what is not at its default. */
  readonly fields: readonly FieldDifference[];
}

/** One request of one change. */
export interface WriteRequest extends ApiRequest {
  readonly body?: Json;
  /** Requests of several changes that are equal but for this list may be sent as one: `body[member]` holds at most `limit` items. */
  readonly bulk?: { readonly member: string; readonly item: string; readonly limit: number };
}

/** What an answer says about one change. */
export type WriteResult =
  /** Written; `id` is the remote ID where the answer tells it. */
  | { readonly state: 'done'; readonly id?: string }
  /** It was there before: look, and decide (design section 4, rule 4). */
  | { readonly state: 'exists' }
  | { readonly state: 'failed'; readonly reason: string };

/** A live object as the user would declare it, without defaults (`export`). */
export interface ConfigEntry {
  readonly section: string;
  /** Member of the section; null where the section as a whole is the value. */
  readonly key: string | null;
  readonly value: Json;
  /** What `adopt` must say so that identity finds these objects: address to remote ID. */
  readonly adopt: { readonly [address: string]: string };
  /** The live objects behind it. */
  readonly objects: readonly LiveResource[];
}

/** What the sources are to say at a path of theirs; undefined = nothing. */
export interface ConfigEdit {
  readonly path: Path;
  readonly value: Json | undefined;
}

/** A live object that cannot be declared, and why. */
export interface NotExportable {
  readonly object: LiveResource;
  readonly reason: string;
}

/** Settings of the service that kinds need (design section 3, `service`). */
export interface KindSettings {
  /** Assets in one bulk request, 1 to 100. */
  readonly smartStartBatch: number;
}

/** One kind of resource. */
export interface Kind {
  /** `playlist`, `drm-policy`, ... */
  readonly name: string;
  /** Place within a phase, ascending (design section 4, rule 6). */
  readonly applyOrder: number;
  /** What addresses of this kind begin with (`playlist/`); a singleton's only address (`static-key`). */
  readonly addresses: readonly string[];
  readonly singleton: boolean;
  /** Whether the service lets one label stand for one object only (policies): a rename onto a label in use is then held. */
  readonly uniqueLabels: boolean;
  /** Whether an update sends only the fields that differ; else the document is always sent whole. */
  readonly partialUpdates: boolean;
  readonly sections: readonly Section[];
  readonly schema: KindSchema;
  /** Codes of its problems whose severity `rules` may set; its other errors are structural. */
  readonly codes: readonly string[];

  /** Address of a live object that nobody declared: `playlist/~<id>`. */
  unmanagedAddress(live: LiveResource): string;

  /** Desired resources, and what schema alone cannot see. Called only with sections that their schema accepts. */
  declare(
    sections: Sections,
    tools: DeclareContext,
  ): { readonly resources: readonly DesiredResource[]; readonly problems: readonly UnlocatedFinding[] };

  /**
   * The two sides as they are to be compared, where that depends on both or on the time: `now` in Unix milliseconds.
   * Absent = the fields as they are.
   */
  toComparable?(desired: DesiredResource, live: LiveResource, now: number): { readonly before: JsonObject; readonly after: JsonObject };

  /** Fields of a new resource against which a create is shown, and a deleted one (its defaults): members equal to these are not listed. */
  defaults(): JsonObject;

  /** Why a live object must not be bound to this resource although a clue, binding or `adopt` says so; undefined = it may. */
  whyNotBindable?(desired: DesiredResource, live: LiveResource): string | undefined;

  /**
   * What a change does to the protection of content, and why: one verdict for each field, in their order. A kind may judge a field
   * by the documents as a whole, so that another way of writing the same is neutral.
   */
  assessRisk(comparison: Comparison): readonly RiskAssessment[];

  /** Phase of a change (design section 4, rule 6). */
  phase(action: 'create' | 'update' | 'delete', effect: Effect): Phase;

  /** The requests of one change, in order; none where nothing is to be sent. `now` in Unix milliseconds. Pure. */
  requests(planned: PlannedChange, settings: KindSettings, now: number): readonly WriteRequest[];

  /** Reads an answer to one of the writes, for one of the changes it covers. @throws ServiceError (`malformed`) */
  parseWriteResponse(planned: PlannedChange, write: WriteRequest, body: unknown): WriteResult;

  /** Observes the kind complete. @throws ServiceError where any part is missing (design section 4, rule 1) */
  read(service: ApiService): Promise<ReadResult>;

  /** The live objects as declarations, sorted by key; order of the objects means nothing. Text is literal: the engine escapes `${`. */
  toConfig(objects: readonly LiveResource[]): {
    readonly entries: readonly ConfigEntry[];
    readonly inexpressible: readonly NotExportable[];
  };

  /**
   * What the sources have to say so that this resource is declared as it is live (`drift accept`): nothing about fields that agree, and all
   * else in the form in which it is written already. A text says why no declaration can; absent = nothing of this kind is accepted.
   */
  configEdits?(desired: DesiredResource, live: LiveResource, sections: Sections): readonly ConfigEdit[] | string;

  /** Reads one object by its remote ID, null where it is gone; absent where only `read` can tell (singletons). */
  get?(service: ApiService, id: string): Promise<LiveResource | null>;

  /** Looks for the object that a create of this resource would make, without trusting the list; absent for singletons. */
  find?(service: ApiService, desired: DesiredResource): Promise<readonly LiveResource[]>;

  /** What its resources refer to that lives elsewhere in the service, where that can be looked up (`check` of a target). */
  readonly references?: ReferenceType;

  /** How many creates `plan` looks up with `find` before it believes the list (design section 4, rule 1). */
  readonly existenceChecksPerPlan: number;
}
