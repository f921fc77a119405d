/** When it was first seen that an address had drifted. */
export interface DriftSince {
  readonly address: string;
  readonly kind: string;
  /** ISO 8601, UTC; null where this run is the first to see it. */
  readonly since: string | null;
}
