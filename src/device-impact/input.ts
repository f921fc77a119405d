/** An account as it is and as it will be, as far as devices can notice. */
import type { JsonObject } from '../model/json.ts';

/** A policy as it is and as it will be, in canonical fields; a side on which it does not exist is null. */
export interface PolicyBeforeAfter {
  readonly address: string;
  /** Whether the repository declares it. */
  readonly declared: boolean;
  /** Whether the plan writes it. */
  readonly changes: boolean;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** All of an account that devices can notice. */
export interface BeforeAfterPolicies {
  readonly policies: readonly PolicyBeforeAfter[];
  /** The rejected VMP statuses; null = not managed or not read, and nobody knows. */
  readonly vmp: {
    readonly address: string;
    readonly changes: boolean;
    readonly before: readonly string[] | null;
    readonly after: readonly string[] | null;
  };
  /** The fields of the default policy (drm-api-v3 section 2.5). */
  readonly defaults: JsonObject;
}
