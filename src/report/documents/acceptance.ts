import type { Effect } from '../../core/model/change.ts';

/** The document of `drift accept` for one target. */
export interface Acceptance {
  readonly schemaVersion: 1;
  readonly target: string;
  /** Whether the files were written. */
  readonly written: boolean;
  /** The resources whose live values the sources declare afterwards. */
  readonly accepted: readonly AcceptedResource[];
  /** Fields that differ because the repository changed, not the account. They are not edited. */
  readonly pending: readonly { readonly address: string; readonly fields: readonly string[] }[];
  /** Other targets whose desired state changes with the edits (`--shared`). */
  readonly shared: readonly string[];
  readonly files: readonly EditedFile[];
}

/** A resource whose live values were accepted. */
export interface AcceptedResource {
  readonly address: string;
  readonly result: 'updated' | 'removed';
  /** The effect of the manual change on the protection of content. */
  readonly effect: Effect;
  readonly fields: readonly string[];
}

/** A source file that was edited. */
export interface EditedFile {
  /** Relative to the folder of upkeep.yaml. */
  readonly file: string;
  /** The edited lines, as numbered after the edit. */
  readonly lines: readonly number[];
  /** Unified diff. */
  readonly diff: string;
}
