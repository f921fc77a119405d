/** What the sources say and nobody can rely on: resources are declared without it, and what would only follow from it is not told. */
import { isJsonObject, type Json, type JsonObject, type Path, pointer } from '../model/json.ts';

/** Refused parts of the merged sources. */
export interface InvalidPaths {
  /** Whether a path is refused itself, or lies below one that is. */
  contains(path: Path): boolean;
  /** Whether anything of a section may be refused or missing. */
  affectsSection(section: string): boolean;
}

/** Refusals by their paths; the empty path stands for content that is missing, and may have been anything. */
export function invalidPathsOf(paths: readonly Path[]): InvalidPaths {
  const known = new Set(paths.filter((path) => path.length > 0).map(pointer));
  const sections = new Set(paths.map(([section]) => section));
  return {
    contains: (path) => known.size > 0 && path.some((_, index) => known.has(pointer(path.slice(0, index + 1)))),
    affectsSection: (section) => sections.has(section) || sections.has(undefined),
  };
}

/** What a mistake refuses: the path it names; a section that nobody knows may have been meant as any other. */
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
