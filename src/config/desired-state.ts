/** The desired state of a target, which the planner compares with the account. */
import type { DesiredResource } from '../kinds/kind.ts';
import type { Finding, SourcePosition } from '../model/finding.ts';
import type { JsonObject, Path } from '../model/json.ts';
import type { SourceDocument } from './load-sources.ts';

/** What the sources of one target declare, and the findings about them. */
export interface DesiredState {
  readonly resources: readonly DesiredResource[];
  /** The top-level keys of the merged sources: the managed sections, and `adopt`, `moved`, `removed` and `ignore_changes` where present. */
  readonly managedSections: ReadonlySet<string>;
  /** `adopt`: address to remote ID. */
  readonly adopt: ReadonlyMap<string, string>;
  /** `moved`: new address to old address. */
  readonly moved: ReadonlyMap<string, string>;
  /** `removed`: addresses whose objects are forgotten instead of deleted. */
  readonly removed: ReadonlySet<string>;
  /** Sorted. An error stops every command before any request. */
  readonly findings: readonly Finding[];
  /** `sha256:` over upkeep.yaml, the sources, and the files they name. */
  readonly digest: string;
  /** Returns the position of a path in the merged sources, or of its nearest ancestor where the sources do not contain the path. */
  positionOf(path: Path): SourcePosition;
  /**
   * Returns the position of exactly this path in the merged sources, and the scalar as written; undefined where they do not contain it.
   */
  exactPositionOf(path: Path): (SourcePosition & { readonly written: string | undefined }) | undefined;
}

/** The desired state with its source documents, for commands that edit these. */
export interface DesiredStateWithSources extends DesiredState {
  /** The merged sources, with variables replaced. */
  readonly merged: JsonObject;
  /** Returns the documents that define exactly this path. The first one is in effect. */
  definingDocuments(path: Path): readonly SourceDocument[];
}
