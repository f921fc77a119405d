/**
 * The contract between the engine and the kinds. A kind is a plain object; the engine knows this page and no kind's name.
 * All fields are canonical JSON: both sides of a resource are brought into one form here, and the engine compares dumbly.
 */
import type { Action, Change, Effect, FieldDifference, Verdict } from '../model/change.ts';
import type { Fields, Json, Path } from '../model/json.ts';
import type { Request, Service } from '../service/request.ts';
import type { Problem } from './problem.ts';
import type { References } from './references.ts';
import type { Desired, Live, Observation } from './sides.ts';

export { ServiceError } from '../service/errors.ts';
export type { Answer, Request, Service } from '../service/request.ts';
export { error, type Problem, warning } from './problem.ts';
export type * from './references.ts';
export type * from './sides.ts';
export { loosens, NEUTRAL, named, tightens, verdict } from './verdict.ts';

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
export interface Tools {
  /**
   * Reads a text file named by the value at `path`, relative to the source file that holds the value.
   * The problem names a file that is missing, too large, not UTF-8, outside the project, or reached through a link that leaves it.
   */
  readText(path: Path, name: string): { readonly file: string; readonly text: string } | { readonly problem: Problem };
}

/** A change with both sides at hand. `desired` is null for a delete, `live` for a create. */
export interface Planned {
  readonly change: Change;
  readonly desired: Desired | null;
  readonly live: Live | null;
}

/**
 * What `effects` is told: a whole change, from `live` to `desired`, an absent side null. The report of drift asks about the way
 * back, with its sides in each other's place.
 */
export interface Comparison {
  readonly action: Action;
  readonly desired: Pick<Desired, 'fields' | 'context'> | null;
  readonly live: Pick<Live, 'id' | 'fields'> | null;
  /** Every field that differs; a create and a delete list what is not at its default. */
  readonly fields: readonly FieldDifference[];
}

/** One request of one change. */
export interface Write extends Request {
  readonly body?: Json;
  /** Requests of several changes that are equal but for this list may be sent as one: `body[member]` holds at most `limit` items. */
  readonly bulk?: { readonly member: string; readonly item: string; readonly limit: number };
}

/** What an answer says about one change. */
export type Settled =
  /** Written; `id` is the remote ID where the answer tells it. */
  | { readonly state: 'done'; readonly id?: string }
  /** It was there before: look, and decide (design section 4, rule 4). */
  | { readonly state: 'exists' }
  | { readonly state: 'failed'; readonly reason: string };

/** A live object as the user would declare it, without defaults (`export`). */
export interface Expressed {
  readonly section: string;
  /** Member of the section; null where the section as a whole is the value. */
  readonly key: string | null;
  readonly value: Json;
  /** What `adopt` must say so that identity finds these objects: address to remote ID. */
  readonly adopt: { readonly [address: string]: string };
  /** The live objects behind it. */
  readonly objects: readonly Live[];
}

/** What the sources are to say at a path of theirs; undefined = nothing. */
export interface Statement {
  readonly path: Path;
  readonly value: Json | undefined;
}

/** A live object that cannot be declared, and why. */
export interface Inexpressible {
  readonly object: Live;
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
  readonly place: number;
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
  undeclared(live: Live): string;

  /** Desired resources, and what schema alone cannot see. Called only with sections that their schema accepts. */
  declare(sections: Sections, tools: Tools): { readonly resources: readonly Desired[]; readonly problems: readonly Problem[] };

  /**
   * The two sides as they are to be compared, where that depends on both or on the time: `now` in Unix milliseconds.
   * Absent = the fields as they are.
   */
  compared?(desired: Desired, live: Live, now: number): { readonly before: Fields; readonly after: Fields };

  /** Fields of a new resource against which a create is shown, and a deleted one (its defaults): members equal to these are not listed. */
  defaults(): Fields;

  /** Why a live object must not be bound to this resource although a clue, binding or `adopt` says so; undefined = it may. */
  refuses?(desired: Desired, live: Live): string | undefined;

  /**
   * What a change does to the protection of content, and why: one verdict for each field, in their order. A kind may judge a field
   * by the documents as a whole, so that another way of writing the same is neutral.
   */
  effects(comparison: Comparison): readonly Verdict[];

  /** Phase of a change, 1 to 5 (design section 4, rule 6). */
  phase(action: 'create' | 'update' | 'delete', effect: Effect): number;

  /** The requests of one change, in order; none where nothing is to be sent. `now` in Unix milliseconds. Pure. */
  writes(planned: Planned, settings: KindSettings, now: number): readonly Write[];

  /** Reads an answer to one of the writes, for one of the changes it covers. @throws ServiceError (`malformed`) */
  settle(planned: Planned, write: Write, body: unknown): Settled;

  /** Observes the kind complete. @throws ServiceError where any part is missing (design section 4, rule 1) */
  read(service: Service): Promise<Observation>;

  /** The live objects as declarations, sorted by key; order of the objects means nothing. Text is literal: the engine escapes `${`. */
  express(objects: readonly Live[]): { readonly entries: readonly Expressed[]; readonly inexpressible: readonly Inexpressible[] };

  /**
   * What the sources have to say so that this resource is declared as it is live (`drift accept`): nothing about fields that agree, and all
   * else in the form in which it is written already. A text says why no declaration can; absent = nothing of this kind is accepted.
   */
  restate?(desired: Desired, live: Live, sections: Sections): readonly Statement[] | string;

  /** Reads one object by its remote ID, null where it is gone; absent where only `read` can tell (singletons). */
  get?(service: Service, id: string): Promise<Live | null>;

  /** Looks for the object that a create of this resource would make, without trusting the list; absent for singletons. */
  find?(service: Service, desired: Desired): Promise<readonly Live[]>;

  /** What its resources refer to that lives elsewhere in the service, where that can be looked up (`check` of a target). */
  readonly references?: References;

  /** How many creates `plan` looks up with `find` before it believes the list (design section 4, rule 1). */
  readonly probes: number;
}
