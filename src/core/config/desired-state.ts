/** The desired state of a target, which the planner compares with the account. */
import type { DesiredResource } from '../kinds/kind.ts';
import type { LayerType } from '../model/explanation.ts';
import type { Finding, SourcePosition } from '../model/finding.ts';
import type { Json, JsonObject, Path } from '../model/json.ts';
import type { Definition } from './expand/definition.ts';

/** A place that defines a path of the merged sources. */
export interface DefinedPlace extends SourcePosition {
  readonly layer: LayerType;
  /** The name of the template. */
  readonly template?: string;
  /** The value there, with variables replaced. */
  readonly value: Json;
  /** The scalar as written; undefined for maps and lists. */
  readonly written: string | undefined;
}

/** What the sources of one target declare, and the findings about them. */
export interface DesiredState {
  readonly resources: readonly DesiredResource[];
  /** The top-level keys of the merged sources: the managed sections, and `adopt`, `moved`, `removed` and `ignore_changes` where present. */
  readonly presentKeys: ReadonlySet<string>;
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
  /** Returns every place that defines exactly this path, the one in effect first. */
  placesOf(path: Path): readonly DefinedPlace[];
}

/** The desired state with its source documents, for commands that edit these. */
export interface DesiredStateWithSources extends DesiredState {
  /** The expanded and merged sources. */
  readonly merged: JsonObject;
  /** Returns what defines exactly this path. The first one is in effect. */
  definitionsOf(path: Path): readonly Definition[];
}
