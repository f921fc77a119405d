import type { Effect } from './change.ts';

/** What `drift accept` says of one target, exactly as it stands in the document. */
export interface Acceptance {
  readonly schemaVersion: 1;
  readonly target: string;
  /** Whether the files were written. */
  readonly written: boolean;
  /** What the sources come to declare as it is live. */
  readonly accepted: readonly AcceptedResource[];
  /** What differs because the repository has moved on, and not the account: it is left as the repository says. */
  readonly pending: readonly { readonly address: string; readonly fields: readonly string[] }[];
  /** Other targets that declare something else by it (`--shared`). */
  readonly shared: readonly string[];
  readonly files: readonly EditedFile[];
}

/** A resource that comes to be declared as it is live. */
export interface AcceptedResource {
  readonly address: string;
  readonly result: 'updated' | 'removed';
  /** What the edit by hand did to the protection of content. */
  readonly effect: Effect;
  readonly fields: readonly string[];
}

/** A source file with other content. */
export interface EditedFile {
  /** Relative to the folder of upkeep.yaml. */
  readonly file: string;
  /** The lines that were edited, as they are numbered afterwards. */
  readonly lines: readonly number[];
  /** Unified diff. */
  readonly diff: string;
}
