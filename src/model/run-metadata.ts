/** Metadata of the run that built a document, for dashboards. Not part of digests and fingerprint. */
export interface RunMetadata {
  /** When the document was built: ISO 8601, UTC. */
  readonly at: string;
  /** Requests sent to the service by then; each attempt counts. */
  readonly requests: number;
  /** How many of them were attempts beyond the first. */
  readonly retries: number;
  /** When the target was last applied, from the ledger: ISO 8601, UTC. Absent without a ledger entry, and in an outcome. */
  readonly lastApply?: string;
}
