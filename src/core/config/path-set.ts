/** Sets of paths in the merged sources, and the removal of what is at such paths. */
import { isJsonObject, type Json, type JsonObject, type Path, pointer } from '../model/json.ts';

/** A set of paths of the merged sources. */
export interface PathSet {
  /** Decides whether a path is in the set, or below a path of the set. The empty path does not count. */
  contains(path: Path): boolean;
  /** Decides whether a path of the set is in this section, or is the empty path, which may mean this section. */
  affectsSection(section: string): boolean;
}

/** Builds a set of paths. The empty path means that some content could not be read, which may belong to any section. */
export function pathSet(paths: readonly Path[]): PathSet {
  const known = new Set(paths.filter((path) => path.length > 0).map(pointer));
  const sections = new Set(paths.map(([section]) => section));
  return {
    contains: (path) => known.size > 0 && path.some((_, index) => known.has(pointer(path.slice(0, index + 1)))),
    affectsSection: (section) => sections.has(section) || sections.has(undefined),
  };
}

/**
 * Returns the merged sources without the invalid paths. A keyed section loses the members that contain such a path; any other section with
 * one is left out.
 */
export function withoutInvalidParts(merged: JsonObject, paths: readonly Path[], keyed: ReadonlySet<string>): JsonObject {
  if (paths.length === 0) return merged;
  const removed = new Set(paths.map((path) => pointer(path.slice(0, keyed.has(String(path[0])) ? 2 : 1))));
  const validMembers = (fields: JsonObject, path: Path): JsonObject => {
    const kept: { [key: string]: Json } = Object.create(null);
    for (const [key, value] of Object.entries(fields)) if (!removed.has(pointer([...path, key]))) kept[key] = value;
    return kept;
  };
  const sections: { [section: string]: Json } = Object.create(null);
  for (const [section, content] of Object.entries(validMembers(merged, [])))
    sections[section] = keyed.has(section) && isJsonObject(content) ? validMembers(content, [section]) : content;
  return sections;
}
