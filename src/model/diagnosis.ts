/**
 * How one part of a set-up is:
 * - `ok`: as it should be
 * - `warning`: runs go on, and somebody should know
 * - `failed`: runs are stopped by it
 * - `skipped`: not looked at, because it is not used, or because something before it failed
 */
export type CheckState = 'ok' | 'warning' | 'failed' | 'skipped';

/** One thing that `doctor` has looked at. */
export interface Check {
  /** What was looked at: `credential owner`, `clock`, `read playlist`, ... */
  readonly check: string;
  readonly state: CheckState;
  /** What was found, one clause without any secret. */
  readonly summary: string;
  /** What to do now; left out where there is nothing to do. */
  readonly remedy?: string;
}

/** What `doctor` says of one target, exactly as it stands in the document. */
export interface Diagnosis {
  readonly schemaVersion: 1;
  readonly target: string;
  /** Whether no check failed; warnings do not count. */
  readonly healthy: boolean;
  /** In the order in which a run comes upon them, so that the first failure explains those behind it. */
  readonly checks: readonly Check[];
}
