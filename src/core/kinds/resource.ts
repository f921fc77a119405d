/** Resources as plain data: desired by the configuration, live in the account, and the result of reading a kind. */
import type { SourcePosition } from '../model/finding.ts';
import type { IgnoredField } from '../model/ignored-fields.ts';
import type { Json, JsonObject, Path } from '../model/json.ts';

/** An ID or a name to match a live object by, where neither `adopt` nor the ledger binds one. */
export type MatchKey = { readonly id: string } | { readonly remoteName: string };

/** A resource as the configuration declares it. */
export interface DesiredResource<Fields extends JsonObject = JsonObject> {
  readonly address: string;
  /** Display name: the key, the asset's name, the policy's name. */
  readonly displayName: string;
  /** Canonical fields with every default. */
  readonly fields: Fields;
  /**
   * For an object, the fields as they are declared, in the form of the API and without defaults; for a setting, the same as `fields`.
   * Policies and the rotation schedule build their requests from these, other kinds from `fields`. In a plan of a kind that sends these,
   * ignored fields have their live values here, too.
   */
  readonly declaredFields: JsonObject;
  /** The name that the service stores (`desc`, `policy_name`), where it has one. */
  readonly remoteName?: string;
  /** Match keys, strongest first; a setting has none. */
  readonly matchKeys: readonly MatchKey[];
  /**
   * Whether the ledger, the old key under `moved` or `adopt` may tell which object it is. Where false, validation refuses an entry of
   * `adopt`: for a smart start, which only the ID of its asset identifies, and for a setting, which needs no matching.
   */
  readonly mayMatchByBinding: boolean;
  /** Path in the merged sources, for findings and `explain`. */
  readonly path: Path;
  /** The position in a text file that the sources name (an `assets_file`), where the resource is declared there. */
  readonly textFilePosition?: SourcePosition;
  /**
   * Data besides the fields, for example from the asset catalog: `assessRisk` and `referenceLookup` of its kind read it, and a plan takes the
   * names of assets from it. It never leads to a change, and is never sent.
   */
  readonly kindData?: JsonObject;
  /** The asset ID to which each external ID of the declaration was resolved, by external ID; absent where it has none. */
  readonly externalIds?: { readonly [externalId: string]: string };
  /** The resource before its external IDs were resolved, for comparison with other commits; absent where it has none. */
  readonly beforeResolving?: DesiredResource<Fields>;
  /** The fields under `ignore_changes`; absent = none. In a plan, only those that have not expired. */
  readonly ignored?: readonly IgnoredField[];
  /** In a plan: the fields under `ignore_changes` that have expired. They are compared, and their change is blocked. */
  readonly expired?: readonly IgnoredField[];
}

/** Builds the desired resource of a setting, which its section declares whole. */
export function desiredSetting<Fields extends JsonObject>(address: string, section: string, fields: Fields): DesiredResource<Fields> {
  return { address, displayName: address, fields, declaredFields: fields, matchKeys: [], mayMatchByBinding: false, path: [section] };
}

/** A member of a live object that the API documents do not define, or whose value does not have its documented form. */
export interface UndocumentedValue {
  /** JSON Pointer below the object. */
  readonly path: string;
  readonly value: Json;
}

/** An object of a collection as the account holds it. `Fields` is the kind's canonical form, with every default. */
export interface LiveObject<Fields extends JsonObject = JsonObject> {
  /** The remote ID. */
  readonly id: string;
  /** The name that the service stores (`desc`, `policy_name`); it may be empty. */
  readonly remoteName: string;
  readonly fields: Fields;
  /**
   * Whether it may be matched by its remote name. False for playlists that have the ID of their asset, and for objects without a name.
   */
  readonly isMatchableByRemoteName: boolean;
  /** The section that would declare it. An object that the ledger does not bind is deleted only if the sources contain this section. */
  readonly configSection: string;
  /** Those unknown members that an update would reset, because it replaces the JSON object around them (design section 4, rule 5). */
  readonly unknownMembers: readonly UndocumentedValue[];
  /** JSON Pointers of fields that a read may leave out although they are set. `fields` has the default of a field that was left out. */
  readonly maybeMissingInRead?: readonly string[];
}

/**
 * A setting as the account holds it. The account has exactly one, which is never created or deleted and has no remote ID. Its unknown members
 * are those that an update may reset.
 */
export interface LiveSetting<Fields extends JsonObject = JsonObject> {
  readonly id: null;
  readonly fields: Fields;
  readonly unknownMembers: readonly UndocumentedValue[];
}

/** An object or a setting as the account holds it. */
export type LiveResource<Fields extends JsonObject = JsonObject> = LiveObject<Fields> | LiveSetting<Fields>;

/** Decides whether a live resource is an object of a collection. */
export function isLiveObject(live: LiveResource): live is LiveObject {
  return live.id !== null;
}

/** Decides whether a live resource is a setting. */
export function isLiveSetting(live: LiveResource): live is LiveSetting {
  return live.id === null;
}

/** All live objects of a collection, or the one setting, from one complete read. */
export interface ReadResult<Live extends LiveResource = LiveResource> {
  readonly objects: readonly Live[];
  /** Whether the list says how many objects there are, and holds as many: what it does not show is gone. */
  readonly isCounted?: true;
  /** The `owner` of the v3 response, where it has one. */
  readonly owner?: string;
  /** Warnings about the account, for example a failing rotation. */
  readonly warnings: readonly LiveWarning[];
}

/** A warning about the account. */
export interface LiveWarning {
  readonly code: string;
  readonly summary: string;
  readonly hint?: string;
  readonly address: string;
}
