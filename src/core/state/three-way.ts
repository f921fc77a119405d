/** The comparison of three versions of one resource: an earlier one, and the two that came from it. */
import type { Origin } from '../model/change.ts';
import { equal, isJsonObject, type Json, type JsonObject, pointer } from '../model/json.ts';

/** Where two versions of a resource differ from an earlier one, and from each other. */
export interface ThreeWay {
  /** JSON Pointers of the values that the repository has changed. */
  readonly changed: ReadonlySet<string>;
  /** JSON Pointers of the values that the account, or a newer commit, has changed. */
  readonly drifted: ReadonlySet<string>;
  /** JSON Pointers of the values in which the two differ now. */
  readonly differing: readonly string[];
  /** Returns who changed the value at a JSON Pointer, or one above or below it. */
  originOf(path: string): Origin;
}

/**
 * Compares `desired` (what the repository declares) and `live` (what the account, or a newer commit, has) with `base`, from which both came:
 * what was last applied, or the configuration at a merge base. A value that only one of them changed came from there.
 */
export function compareThreeWay(base: JsonObject, desired: JsonObject, live: JsonObject): ThreeWay {
  const [changed, drifted] = [new Set(differingPaths(base, desired)), new Set(differingPaths(base, live))];
  return {
    changed,
    drifted,
    differing: differingPaths(live, desired),
    originOf(path) {
      const [inRepository, inAccount] = [hasRelated(changed, path), hasRelated(drifted, path)];
      if (inRepository && inAccount) return 'both';
      return inRepository ? 'change' : inAccount ? 'drift' : 'unknown';
    },
  };
}

/** Returns the sorted JSON Pointers of the values that differ. An absent value equals null, and an empty object counts as no values. */
export function differingPaths(a: JsonObject, b: JsonObject): readonly string[] {
  // Most resources are equal, and `equal` builds no list of values.
  if (equal(a, b)) return [];
  const [before, after] = [valuesOf(a), valuesOf(b)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => !equal(before.get(path) ?? null, after.get(path) ?? null))
    .sort();
}

/** Returns all values of an object by JSON Pointer. Lists are values. */
function valuesOf(fields: JsonObject, above: readonly string[] = [], values = new Map<string, Json>()): ReadonlyMap<string, Json> {
  for (const [member, value] of Object.entries(fields)) {
    const path = [...above, member];
    if (isJsonObject(value)) valuesOf(value, path, values);
    else values.set(pointer(path), value);
  }
  return values;
}

/** Decides whether the paths contain this path, one above it or one below it. */
export function hasRelated(paths: Iterable<string>, path: string): boolean {
  for (const other of paths) if (areRelated(other, path)) return true;
  return false;
}

/** Decides whether two JSON Pointers are equal, or one lies below the other. */
export function areRelated(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
