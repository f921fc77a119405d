/**
 * The state of one check:
 * - `ok`: passed
 * - `warning`: runs are possible, and somebody should look at it
 * - `failed`: no run is possible
 * - `skipped`: not checked, because it is not used, or because an earlier check failed
 */
export type CheckState = 'ok' | 'warning' | 'failed' | 'skipped';

/** One check of `doctor`. */
export interface Check {
  /** The subject of the check: `credential owner`, `clock`, `read playlist`, ... */
  readonly check: string;
  readonly state: CheckState;
  /** The finding, in one clause without any secret. */
  readonly summary: string;
  /** What to do; absent where there is nothing to do. */
  readonly remedy?: string;
}

/** The document of `doctor` for one target. */
export interface Diagnosis {
  readonly schemaVersion: 1;
  readonly target: string;
  /** Whether no check failed; warnings do not count. */
  readonly healthy: boolean;
  /** In the order in which a run depends on them, so that the first failure explains later ones. */
  readonly checks: readonly Check[];
}
