import type { Change } from './change.ts';
import type { SourcePosition } from './finding.ts';
import type { IgnoredValue } from './ignored-fields.ts';
import type { Json } from './json.ts';
import type { ReadStatus } from './plan.ts';
import type { RunOfShow } from './run-of-show.ts';

/** The document of `explain` for a field of upkeep.yaml or of a source file. All of it comes from the schemas. */
export interface FieldExplanation {
  readonly schemaVersion: 1;
  /** Keys only, without names and indices: `drm_policies.fairplay.lease`; empty for the file as a whole. */
  readonly field: string;
  readonly file: 'upkeep.yaml' | 'source file';
  readonly description: string;
  /** `text`, `whole number`, `list of text`, ... */
  readonly type: string;
  /** The unit of a number: `seconds`. */
  readonly unit?: string;
  readonly default?: Json;
  /** All allowed values, where they are enumerated. */
  readonly values: readonly Json[];
  /** Some allowed values. */
  readonly examples: readonly Json[];
  /** Constraints, each as a clause. */
  readonly rules: readonly string[];
  /** The section of the API documents that describes it: `drm-api-v3 2.2`. */
  readonly section?: string;
  readonly members: readonly { readonly key: string; readonly description: string }[];
}

/**
 * The rule by which a live object was matched, strongest first (design section 3, identity):
 * - `setting`: the account has exactly one
 * - `adopt`, `binding`: named by `adopt`, bound by the ledger
 * - `id`, `name`: the asset's ID, an equal `desc` or `policy_name`
 * - `old-key`: the key of the old address under `moved`
 * - `ambiguous`: several objects fit, or several addresses claim one
 * - `none`: no live object matches
 * - `undeclared`: the address is that of an object that is not declared
 * - `not-read`: the kind was not read completely
 */
export type MatchedBy = 'setting' | 'adopt' | 'binding' | 'id' | 'name' | 'old-key' | 'ambiguous' | 'none' | 'undeclared' | 'not-read';

/**
 * What defines a value, from the weakest to the strongest (design section 3, precedence): `defaults` of a folder and of a file, a template
 * (with a row of a table or the fields `with`), and the fields of the resource itself.
 */
export type LayerType = 'folder-defaults' | 'file-defaults' | 'template' | 'document';

/** A place that defines a value. */
export interface ValuePlace extends SourcePosition {
  readonly layer: LayerType;
  /** The name of the template. */
  readonly template?: string;
}

/** Where one value of a resource comes from. */
export interface ValueOrigin extends ValuePlace {
  /** JSON Pointer into the resource's fields. */
  readonly path: string;
  readonly value: Json;
  /** Names of the variables in it. */
  readonly vars: readonly string[];
  /** What it takes precedence over, the strongest first. */
  readonly overrides: readonly (ValuePlace & { readonly value: Json })[];
}

/** The document of `explain` for an address: why the resource is planned as it is. */
export interface AddressExplanation {
  readonly schemaVersion: 1;
  readonly target: string;
  readonly address: string;
  readonly kind: string;
  readonly readStatus: ReadStatus;
  /** `id` is the remote ID of its live object; null for a setting, and where there is no object. */
  readonly identity: { readonly rule: MatchedBy; readonly id: string | null; readonly because: string };
  /** Its change in the plan; null where there is none. */
  readonly change: Change | null;
  /** The fields left to others that differ from their declared values, where there is no change; absent for none. */
  readonly ignored?: readonly IgnoredValue[];
  /** The declared values and where they are declared; all others have their default. */
  readonly values: readonly ValueOrigin[];
  /** Only of a resource that plays a list. */
  readonly runOfShow?: RunsOfShow;
}

/** The runs of show of one playlist, as it is live and as it is declared; null = it does not exist on that side, or was not read. */
export interface RunsOfShow {
  readonly live: RunOfShow | null;
  readonly declared: RunOfShow | null;
  /** The date for which the availability of assets was asked, as the user wrote it; null = none. */
  readonly at: string | null;
  /** Why less is known of the assets than there is: a sentence for each look-up that failed. */
  readonly unread: readonly string[];
}
