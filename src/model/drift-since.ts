/** When the drift of an address was first reported. */
export interface DriftSince {
  readonly address: string;
  readonly kind: string;
  /** ISO 8601, UTC; null where this run is the first to report it. */
  readonly since: string | null;
}
