import type { Change } from './change.ts';
import type { SourcePosition } from './finding.ts';
import type { Json } from './json.ts';
import type { ReadStatus } from './plan.ts';

/** What a field of upkeep.yaml or of a source file means, exactly as it stands in the document. All of it comes from the schemas. */
export interface FieldExplanation {
  readonly schemaVersion: 1;
  /** Keys only, without names and indices: `drm_policies.fairplay.lease`; empty for the file as a whole. */
  readonly field: string;
  readonly file: 'upkeep.yaml' | 'source file';
  readonly description: string;
  /** `text`, `whole number`, `list of text`, ... */
  readonly type: string;
  /** Of a number, where it has one: `seconds`. */
  readonly unit?: string;
  readonly default?: Json;
  /** All that it may be, where these are few. */
  readonly values: readonly Json[];
  /** Some of what it may be. */
  readonly examples: readonly Json[];
  /** Bounds and the like, each as a clause. */
  readonly rules: readonly string[];
  /** Where the service's documents speak of it: `drm-api-v3 2.2`. */
  readonly section?: string;
  readonly members: readonly { readonly key: string; readonly description: string }[];
}

/**
 * By which rule a live object was recognised, strongest first (design section 3, identity):
 * - `singleton`: the account has exactly one
 * - `adopt`, `binding`: what `adopt` says, what the ledger remembers
 * - `id`, `name`: the asset's ID, an equal `desc` or `policy_name`
 * - `former-name`: the name before `moved`
 * - `contested`: it cannot be told
 * - `none`: no live object is its own
 * - `undeclared`: the address is not declared, and named after its object
 * - `unread`: the kind was not read, or not completely
 */
export type IdentityRule =
  | 'singleton'
  | 'adopt'
  | 'binding'
  | 'id'
  | 'name'
  | 'former-name'
  | 'contested'
  | 'none'
  | 'undeclared'
  | 'unread';

/** Where one value of a resource comes from. */
export interface ValueOrigin extends SourcePosition {
  /** JSON Pointer into the resource's fields. */
  readonly path: string;
  readonly value: Json;
  /** Names of the variables in it. */
  readonly vars: readonly string[];
}

/** Why a resource is planned as it is, exactly as it stands in the document. */
export interface AddressExplanation {
  readonly schemaVersion: 1;
  readonly target: string;
  readonly address: string;
  readonly kind: string;
  readonly observed: ReadStatus;
  /** `id` is that of its live object; empty for a singleton, null where there is none. */
  readonly identity: { readonly rule: IdentityRule; readonly id: string | null; readonly because: string };
  /** Its change in the plan; null where there is none. */
  readonly change: Change | null;
  /** What is declared, and where; what is not listed stands at its default. */
  readonly values: readonly ValueOrigin[];
}
