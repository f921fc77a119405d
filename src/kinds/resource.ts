/** The two sides of a kind, as plain data: what is desired, what is live, and what was observed. */
import type { Json, JsonObject, Path } from '../model/json.ts';
import type { UnlocatedFinding } from './unlocated-finding.ts';

/** A way to recognise a live object, tried after `adopt` and the binding, strongest first. */
export type MatchKey = { readonly id: string } | { readonly name: string };

/** One desired resource. */
export interface DesiredResource {
  readonly address: string;
  /** For people: the key, the asset's name, the policy's name. */
  readonly name: string;
  /** Canonical fields with every default. */
  readonly fields: JsonObject;
  /** What the user wrote, canonical but without undeclared defaults. */
  readonly declared: JsonObject;
  /** The name by which the service knows it (`desc`, `policy_name`), where it has one. */
  readonly label?: string;
  /** How it is recognised, strongest first; a singleton has none and always matches its kind's one object. */
  readonly matchKeys: readonly MatchKey[];
  /** Whether `adopt` and bindings may name another object than the clues do (not so for smart starts). */
  readonly adoptable: boolean;
  /** Where it is declared, for findings and `explain`. */
  readonly path: Path;
  /** The line of a file that the sources name, where it is declared there. */
  readonly inFile?: NonNullable<UnlocatedFinding['inFile']>;
  /** What the kind knows of it beyond its fields (from a catalogue), for its own `effects` and `references`; never compared, shown or sent. */
  readonly context?: JsonObject;
}

/** A member of the live object that the documents do not know. */
export interface UnknownMember {
  /** JSON Pointer below the object. */
  readonly path: string;
  readonly value: Json;
}

/** One live object. */
export interface LiveResource {
  /** The remote ID; empty for a singleton. */
  readonly id: string;
  /** `desc` or `policy_name`; empty where it has none. */
  readonly label: string;
  /** Canonical fields with every default. */
  readonly fields: JsonObject;
  /** Whether its label may serve as a clue (never for asset-ID playlists and empty descriptions). */
  readonly matchableByName: boolean;
  /** The section under which it would be declared: `exclusive` deletes it only where that section is present. */
  readonly configSection: string;
  /** Members inside documents that are replaced whole, and would be reset by an update (design section 4, rule 5). */
  readonly unknown: readonly UnknownMember[];
}

/** A complete observation of a kind. */
export interface ReadResult {
  readonly objects: readonly LiveResource[];
  /** The `owner` of the v3 answers, where the answer has one. */
  readonly owner?: string;
  /** Warnings about the account, for example a failing rotation. */
  readonly notes: readonly LiveNote[];
}

/** A warning about the live side. */
export interface LiveNote {
  readonly code: string;
  readonly summary: string;
  readonly hint?: string;
  readonly address: string;
}
