/** Finds what an earlier target has taken back, by a comparison of three versions of its own configuration. */
import { compareStrings } from '../../core/model/finding.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { compareThreeWay, hasRelated } from '../../core/plan/three-way.ts';

/** The fields of the resources of a configuration, by address, and its sections, by key. */
export type Declared = ReadonlyMap<string, JsonObject>;

/** The versions of an earlier target's configuration that are compared. */
export interface ThreeVersions {
  /** At the commit that was last applied to the later target. */
  readonly last: Declared;
  /** As the earlier target stands now. */
  readonly now: Declared;
  /** At the commit to be applied to the later target. */
  readonly next: Declared;
}

/** A resource of which the earlier target has taken values back, or a section. */
export interface ChangedBack {
  /** Its address, or the key of the section. */
  readonly address: string;
  /** JSON Pointers of the fields; none where it is the declaration itself. */
  readonly fields: readonly string[];
}

/**
 * Returns the values that the earlier target has changed back: equal at *last* and *now*, different at *next*. Sorted by address.
 */
export function changedBack({ last, now, next }: ThreeVersions): readonly ChangedBack[] {
  const addresses = [...new Set([...last.keys(), ...now.keys(), ...next.keys()])].sort(compareStrings);
  return addresses.flatMap((address) => {
    const { changed, drifted } = compareThreeWay(versionOf(last, address), versionOf(next, address), versionOf(now, address));
    const back = [...changed].filter((path) => !hasRelated(drifted, path));
    if (back.length === 0) return [];
    const isWhole = last.has(address) !== next.has(address);
    return [{ address, fields: isWhole ? [] : back.map((path) => path.slice('/fields'.length)) }];
  });
}

/** Returns the declaration of an address as an object, in which to be declared is a value. */
function versionOf(declared: Declared, address: string): JsonObject {
  const fields = declared.get(address);
  return fields === undefined ? {} : { declared: true, fields };
}
