/** What a run waits for before it may write: conditions of the run, and not of its changes. */

/** The conditions of a run, by the name under which `--allow` overrides them. */
export const CONDITIONS = ['promotion', 'window'] as const;

/** One of `CONDITIONS`. */
export type Condition = (typeof CONDITIONS)[number];

/** A condition that is not met. */
export interface Wait {
  readonly condition: Condition;
  /** Of a promotion: the earlier target, or the target itself where it has taken back what would be applied. */
  readonly target?: string;
  /** What is missing, a clause. */
  readonly reason: string;
  /** When it is met without anybody doing anything, ISO 8601 in UTC; null where it is not, or nobody knows. */
  readonly until: string | null;
  /** The same time as the clocks of the rule's zone show it, with the zone; absent where the rule has none. */
  readonly localUntil?: string;
  /** What passes all the same. */
  readonly unless?: 'strengthens';
  /** Of a promotion: the newest commit of the branch that every earlier target has carried; null where there is none. */
  readonly promoted?: string | null;
}

/** Files of a target that an earlier target does not read, so that it has not tried what they say. */
export interface UntriedFiles {
  readonly target: string;
  /** Sorted, relative to the folder of upkeep.yaml. */
  readonly files: readonly string[];
}
