/**
 * The contract between the probe and the kinds of resource: what a probe asks about one kind, and how it reads the answers. It is optional:
 * about a kind without questions nothing is asked. Nothing else in the core knows it; `src/probe/kind-questions.ts` lists the questions.
 */

/** A request of a probe. */
export interface ProbeRequest {
  /** Name by which answers are read; unique within a step. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: { readonly [name: string]: string };
  readonly body?: unknown;
  /** Headers beside those of the API client. */
  readonly headers?: { readonly [name: string]: string };
  /** How a v3 POST carries its data; by default as the target is configured. */
  readonly v3Post?: 'form' | 'json';
  /** How it is signed with an API key, if not like any other request. With a scoped key such a request is not sent. */
  readonly signed?: SignedHow;
}

/** `repeat` sends the signature of the request before it that had `signed: { repeat }` again. */
export type SignedHow = 'in the header' | 'with a wrong key' | 'ten minutes ago' | { readonly repeat: string };

/** The answer to one request. */
export interface Exchange {
  readonly status: number;
  /** The parsed body; undefined where there is none, or where it is no JSON. */
  readonly body: unknown;
  readonly bytes: Uint8Array;
  header(name: string): string | undefined;
  /** Unix milliseconds of this machine in the middle of the exchange. */
  readonly at: number;
  readonly tookMs: number;
  readonly version: 'v2' | 'v3' | 'v4';
  /** Of a row with `shows`, where something was written: how long after the first try it showed what was written, milliseconds; null where it did not. */
  readonly shownAfterMs?: number | null;
}

/** What was answered to the requests of a step, by their names. A request that was not sent, or not answered for certain, is missing. */
export type Exchanges = ReadonlyMap<string, Exchange>;

/** A request of a step. */
export interface Row extends ProbeRequest {
  /** Whether it is sent twice even if it succeeds: a refusal is expected. */
  readonly twice?: true;
  /** Whether it creates an object, and so is never sent again. */
  readonly creates?: true;
  /**
   * Decides whether the answer shows what was written before; undefined where nothing was. The request is sent again, with growing pauses,
   * until it does.
   */
  shows?(exchange: Exchange, seen: Exchanges): boolean | undefined;
  /** Returns what depends on earlier answers; null if the request is left out. */
  fill?(seen: Exchanges): Partial<ProbeRequest> | null;
}

/** The answer to a question: one of the words of the assumption, or a figure; null with the reason if it was not found out. */
export interface Found {
  readonly found: string | null;
  readonly detail?: string;
  /** What belongs into a list of the configuration, where the assumption names one. */
  readonly items?: readonly string[];
}

/** Reads the answer to a question from what was answered to the requests of a step. */
export type Reader = (seen: Exchanges) => Found;

/** The readers of answers, by the ID of the assumption that they are about. */
export type Readers = { readonly [assumption: string]: Reader };

/** An object of an answer. */
export type Item = { readonly [member: string]: unknown };

/** A part of the account that is read as a whole, twice: the second time under the name `<name> again`. */
export interface ProbedRead {
  readonly name: string;
  readonly path: string;
  /** Returns the objects of a list; undefined for any other answer. Absent = it is no list. */
  itemsIn?(exchange: Exchange | undefined): readonly Item[] | undefined;
  /** The members of an object of the list that are integers. */
  readonly integers?: readonly string[];
  /**
   * The members that the API documents name: that of the answer that holds what is read, and those of each object of a list. Absent = members
   * are not compared with the documents.
   */
  readonly documented?: { readonly main: string; readonly ofItems: readonly string[] };
  /**
   * Returns JSON Pointers, below their object, of the members that no document names and that an update would reset; undefined for an answer
   * of another form. Absent = an update resets none.
   */
  resettableIn?(exchange: Exchange | undefined): readonly string[] | undefined;
}

/** What a probe asks about one kind: `probe.ts` in the folder of the kind. */
export interface KindQuestions {
  readonly reads: readonly ProbedRead[];
  /** Returns further requests of the step that reads. `unknown` is an ID that does not exist. */
  rows?(unknown: string): readonly Row[];
  /** The readers of the answers to `reads` and `rows`. */
  readonly readers?: Readers;
  /** What the step that writes asks. Absent = it writes nothing of this kind. */
  readonly writes?: KindWrites;
}

/** What a probe that writes asks about one kind, with objects of its own. */
export interface KindWrites {
  readonly scratch: ScratchCollection;
  /** Returns the questions of one probe. */
  questions(input: WriteInput): WriteQuestions;
}

/** A scratch object. `id` is known where it does not depend on the answer of the service: an asset playlist has the ID of its asset. */
export interface ScratchObject {
  /** The noun of its collection. */
  readonly kind: string;
  /** 32 random hexadecimal characters, with which its name in the service begins. */
  readonly name: string;
  readonly id?: string;
}

/** Where the scratch objects of one kind are found and removed. */
export interface ScratchCollection {
  /** What one object is called, in the journal and in reports. */
  readonly noun: string;
  /** Path of the list of all objects. */
  readonly list: string;
  /** Returns the path of one object. */
  pathOf(id: string): string;
  /** Returns the objects of an answer, which shows all of them or one; undefined for any other answer. */
  itemsIn(exchange: Exchange | undefined): readonly Item[] | undefined;
  /** Decides whether an object of an answer is the scratch object with this name. */
  isScratch(item: Item, name: string): boolean;
}

/** What the questions of one probe that writes depend on. */
export interface WriteInput {
  /** ID of an asset without an asset playlist; undefined where none may be used. */
  readonly asset: string | undefined;
  /** How a v3 POST carries its data with this key, and the other form. */
  readonly configuredPost: 'form' | 'json';
  readonly otherPost: 'form' | 'json';
  readonly hasScopedKey: boolean;
  /** Returns a new name for a scratch object. */
  randomName(): string;
}

/** A request of the step that writes, with the scratch object that may exist once it was sent. */
export interface WriteRow extends Row {
  readonly intends?: ScratchObject;
}

/** The requests of one probe with scratch objects of one kind, and the readers of their answers. */
export interface WriteQuestions {
  readonly rows: readonly WriteRow[];
  readonly readers: Readers;
  /** Returns the ID of a scratch object, the latest one, where an answer shows it. */
  idOf(object: ScratchObject, seen: Exchanges): string | undefined;
  /** Decides whether an answer showed that a scratch object existed, or that none was created: if reads do not show it, it does not exist. */
  isShown(object: ScratchObject, seen: Exchanges): boolean;
  /** The request that shows a new object, sent again until it does. */
  readonly created: string;
  /** The request that gives an object a name of unusual characters, that name, and the name in its answer and in a list after it. */
  readonly rename: {
    readonly request: string;
    readonly sent: string;
    answered(seen: Exchanges): string | undefined;
    stored(seen: Exchanges): string | undefined;
  };
  /** Decides whether the answer to its create names the new object. */
  isAnswered(seen: Exchanges): boolean;
  /** Returns whether the answer to a create showed the new object, where the account has another one; undefined where it is not known. */
  createdId(seen: Exchanges): 'new' | 'existing' | undefined;
}
