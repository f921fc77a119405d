/** The documents of one source as one value (design section 3, overlay): the same key twice within a source is a mistake. */
import { isJsonObject, type Json, type JsonObject, type Path, pointer } from '../model/json.ts';
import type { Source, SourceDocument } from './load-sources.ts';
import { locationIn, type SourceSpan } from './source-map.ts';

/** One source as one value, and which document says what. */
export interface MergedDocuments extends SourceSpan {
  readonly value: JsonObject;
  /** What a document says again that an earlier one has said. */
  readonly repeated: readonly { readonly path: Path; readonly part: SourceDocument; readonly earlier: SourceDocument }[];
  /** Sections with nothing behind the colon; they are left out of the value. */
  readonly emptySections: readonly { readonly path: Path; readonly part: SourceDocument }[];
}

/** Joins the documents of a source: keyed sections by their members, all others whole. What is said twice keeps its first value. */
export function mergeDocuments(parts: Source, keyed: ReadonlySet<string>): MergedDocuments {
  const value: { [section: string]: Json } = Object.create(null);
  const joined = new Map<string, { [key: string]: Json }>();
  const owners = new Map<string, SourceDocument>();
  const repeated: { path: Path; part: SourceDocument; earlier: SourceDocument }[] = [];
  const bare: { path: Path; part: SourceDocument }[] = [];

  const claim = (path: Path, part: SourceDocument): boolean => {
    const name = pointer(path);
    const earlier = owners.get(name);
    if (earlier === undefined) owners.set(name, part);
    else repeated.push({ path, part, earlier });
    return earlier === undefined;
  };
  const members = (section: string, part: SourceDocument): { [key: string]: Json } | undefined => {
    const known = joined.get(section);
    if (known !== undefined || owners.has(pointer([section]))) return known;
    const created: { [key: string]: Json } = Object.create(null);
    joined.set(section, created);
    owners.set(pointer([section]), part);
    value[section] = created;
    return created;
  };
  const add = (section: string, content: Json, part: SourceDocument): void => {
    const open = keyed.has(section) && isJsonObject(content) ? members(section, part) : undefined;
    if (open === undefined || !isJsonObject(content)) {
      if (claim([section], part)) value[section] = content;
      return;
    }
    for (const [key, member] of Object.entries(content)) if (claim([section, key], part)) open[key] = member;
  };

  for (const part of parts) {
    for (const [section, content] of Object.entries(part.value)) {
      if (content === null && locationIn(part, [section]).written === '') bare.push({ path: [section], part });
      else add(section, content, part);
    }
  }
  return { value, owners, repeated, emptySections: bare };
}
