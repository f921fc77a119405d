/** Merges the documents of each source, then overlays the sources (design section 3, overlay). */
import { isJsonObject, type Json, type JsonObject, nullProtoObject, type Path, pointer } from '../model/json.ts';
import type { Source, SourceDocument } from './load-sources.ts';
import { locationIn, type SourceSpan } from './source-map.ts';

/** The merged documents of one source, and the document that defines each section or member. */
export interface MergedDocuments extends SourceSpan {
  readonly value: JsonObject;
  /** Sections and members that an earlier document of the source already defines. */
  readonly repeated: readonly { readonly path: Path; readonly part: SourceDocument; readonly earlier: SourceDocument }[];
  /** Sections without a value after the colon; they are left out of the merged value. */
  readonly emptySections: readonly { readonly path: Path; readonly part: SourceDocument }[];
}

/**
 * Merges the documents of a source: keyed sections by their members, the other sections as a whole. Where two documents define the same
 * section or member, the first one is used.
 */
export function mergeDocuments(documents: Source, keyed: ReadonlySet<string>): MergedDocuments {
  const value: { [section: string]: Json } = Object.create(null);
  const mergedSections = new Map<string, { [key: string]: Json }>();
  const owners = new Map<string, SourceDocument>();
  const repeated: { path: Path; part: SourceDocument; earlier: SourceDocument }[] = [];
  const emptySections: { path: Path; part: SourceDocument }[] = [];

  const isFirst = (path: Path, part: SourceDocument): boolean => {
    const name = pointer(path);
    const earlier = owners.get(name);
    if (earlier === undefined) owners.set(name, part);
    else repeated.push({ path, part, earlier });
    return earlier === undefined;
  };
  const members = (section: string, part: SourceDocument): { [key: string]: Json } | undefined => {
    const existing = mergedSections.get(section);
    if (existing !== undefined || owners.has(pointer([section]))) return existing;
    const created: { [key: string]: Json } = Object.create(null);
    mergedSections.set(section, created);
    owners.set(pointer([section]), part);
    value[section] = created;
    return created;
  };
  const add = (section: string, content: Json, part: SourceDocument): void => {
    const target = keyed.has(section) && isJsonObject(content) ? members(section, part) : undefined;
    if (target === undefined || !isJsonObject(content)) {
      if (isFirst([section], part)) value[section] = content;
      return;
    }
    for (const [key, member] of Object.entries(content)) if (isFirst([section, key], part)) target[key] = member;
  };

  for (const part of documents) {
    for (const [section, content] of Object.entries(part.value)) {
      if (content === null && locationIn(part, [section]).written === '') emptySections.push({ path: [section], part });
      else add(section, content, part);
    }
  }
  return { value, owners, repeated, emptySections };
}

/**
 * Merges sources, earliest first. Returns also the paths where a null has nothing to remove; it stays in the value, so that it can be
 * located. Parts that only one source defines are shared with it, not copied.
 */
export function overlaySources(sources: readonly JsonObject[]): { readonly value: JsonObject; readonly nulls: readonly Path[] } {
  const nulls: Path[] = [];
  const [first = nullProtoObject(), ...others] = sources;
  collectNulls(first, [], nulls);
  return { value: others.reduce((base, over) => overlayMap(base, over, [], nulls), first), nulls };
}

/** Overlays one value. `path` is modified during the traversal. */
function overlay(base: Json | undefined, over: Json, path: (string | number)[], nulls: Path[]): Json {
  if (isJsonObject(base) && isJsonObject(over)) return overlayMap(base, over, path, nulls);
  collectNulls(over, path, nulls);
  return over;
}

function overlayMap(base: JsonObject, over: JsonObject, path: (string | number)[], nulls: Path[]): JsonObject {
  const merged: { [key: string]: Json } = Object.assign(nullProtoObject(), base);
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    if (value === null && before !== undefined && before !== null) delete merged[key];
    else {
      path.push(key);
      merged[key] = overlay(before, value, path, nulls);
      path.pop();
    }
  }
  return merged;
}

/** Collects the paths of all nulls of a value that overlays nothing. */
function collectNulls(value: Json, path: (string | number)[], nulls: Path[]): void {
  if (value === null) nulls.push([...path]);
  else if (Array.isArray(value)) for (let index = 0; index < value.length; index++) collectNullsBelow(index, value[index], path, nulls);
  else if (isJsonObject(value)) for (const key in value) collectNullsBelow(key, value[key], path, nulls);
}

function collectNullsBelow(step: string | number, member: Json | undefined, path: (string | number)[], nulls: Path[]): void {
  if (member === undefined || (typeof member !== 'object' && member !== null)) return;
  path.push(step);
  collectNulls(member, path, nulls);
  path.pop();
}
