/** Files of a target that an earlier target does not read, so that it has not tried what they say. */
export interface UntriedFiles {
  readonly target: string;
  /** Sorted, relative to the folder of upkeep.yaml. */
  readonly files: readonly string[];
}
