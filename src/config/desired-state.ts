/** What the repository says, as the stages load, validate and normalise hand it to the planner. */
import type { DesiredResource } from '../kinds/kind.ts';
import type { Finding, SourcePosition } from '../model/finding.ts';
import type { Path } from '../model/json.ts';

/**
 * The files of a project: a folder on disk, or the same folder at a git commit. Paths are relative to the folder of upkeep.yaml, with `/`.
 */
export interface ProjectFiles {
  /** What stands at a path; `outside` when it, or a link on the way, leaves the project. */
  at(path: string): 'file' | 'folder' | 'missing' | 'outside';
  /** Names in a folder, unsorted. */
  list(folder: string): readonly string[];
  /** Size in bytes. */
  size(file: string): number;
  read(file: string): Uint8Array;
  /** The path of a file or folder behind all links; absent where there are no links. */
  real?(path: string): string;
}

/** The desired side of one target. */
export interface DesiredState {
  readonly resources: readonly DesiredResource[];
  /** Top-level keys that are present after overlays: what is managed. */
  readonly managedSections: ReadonlySet<string>;
  /** `adopt`: address to remote ID. */
  readonly adopt: ReadonlyMap<string, string>;
  /** `moved`: new address to old address. */
  readonly moved: ReadonlyMap<string, string>;
  /** `removed`: addresses whose objects are forgotten instead of deleted. */
  readonly removed: ReadonlySet<string>;
  /** Sorted; an error among them stops every command before any request. */
  readonly findings: readonly Finding[];
  /** `sha256:` over upkeep.yaml, the sources, and the files they name. */
  readonly digest: string;
  /** Place of a path in the merged sources: of the value itself, else of the nearest ancestor that is written. */
  sourceOf(path: Path): SourcePosition;
  /** Place of exactly this path in the merged sources, with the scalar as it is written there; undefined where it is not. */
  exactSourceOf(path: Path): (SourcePosition & { readonly written: string | undefined }) | undefined;
}
