/** Invalid parts of the merged sources: resources are declared without them, and findings that only follow from them are not reported. */
import { isJsonObject, type Json, type JsonObject, type Path, pointer } from '../model/json.ts';

/** Invalid parts of the merged sources. */
export interface InvalidPaths {
  /** Decides whether a path is invalid or below an invalid path. */
  contains(path: Path): boolean;
  /** Decides whether any part of a section may be invalid or missing. */
  affectsSection(section: string): boolean;
}

/** Builds the set of invalid paths; the empty path stands for missing content, which could have been anything. */
export function invalidPathsOf(paths: readonly Path[]): InvalidPaths {
  const known = new Set(paths.filter((path) => path.length > 0).map(pointer));
  const sections = new Set(paths.map(([section]) => section));
  return {
    contains: (path) => known.size > 0 && path.some((_, index) => known.has(pointer(path.slice(0, index + 1)))),
    affectsSection: (section) => sections.has(section) || sections.has(undefined),
  };
}

/** Returns the path that an error invalidates; empty for an unknown section, which may be a misspelling of any other. */
export function invalidBy({ code, path }: { readonly code: string; readonly path: Path }): Path {
  return code === 'unknown-key' && path.length === 1 ? [] : path;
}

/** The sections without what is refused in them: keyed ones lose the members concerned, all others go whole. */
export function withoutInvalid(merged: JsonObject, paths: readonly Path[], keyed: ReadonlySet<string>): JsonObject {
  if (paths.length === 0) return merged;
  const gone = new Set(paths.map((path) => pointer(path.slice(0, keyed.has(String(path[0])) ? 2 : 1))));
  const accepted = (fields: JsonObject, path: Path): JsonObject => {
    const kept: { [key: string]: Json } = Object.create(null);
    for (const [key, value] of Object.entries(fields)) if (!gone.has(pointer([...path, key]))) kept[key] = value;
    return kept;
  };
  const sections: { [section: string]: Json } = Object.create(null);
  for (const [section, content] of Object.entries(accepted(merged, [])))
    sections[section] = keyed.has(section) && isJsonObject(content) ? accepted(content, [section]) : content;
  return sections;
}
