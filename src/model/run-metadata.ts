/** About the run that made a document: for dashboards, and no part of digests or of a fingerprint. */
export interface RunMetadata {
  /** When the document was made: ISO 8601, UTC. */
  readonly at: string;
  /** Requests that the run had sent to the service by then, each attempt counted. */
  readonly requests: number;
  /** How many of them were attempts beyond the first. */
  readonly retries: number;
  /** When the target was applied last, by the ledger: ISO 8601, UTC. Left out where no record says so, and in an outcome. */
  readonly lastApply?: string;
}
