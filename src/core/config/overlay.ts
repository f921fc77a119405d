/** Merges the documents of each source, then overlays the layers of all sources (design section 3, overlay). */
import { isJsonObject, type Json, type JsonObject, nullProtoObject, type Path, pointer } from '../model/json.ts';
import type { ExpandedDocument } from './expand/definition.ts';
import type { ValueLayer } from './source-map.ts';

/** The merged documents of one source, and the document that defines each section or member. */
export interface MergedDocuments extends ValueLayer {
  /** Sections and members that an earlier document of the source defines, too. */
  readonly duplicates: readonly { readonly path: Path; readonly document: ExpandedDocument; readonly earlier: ExpandedDocument }[];
  /** Sections without a value after the colon; they are left out of the merged value. */
  readonly bareSections: readonly { readonly path: Path; readonly document: ExpandedDocument }[];
}

/**
 * Merges the documents of a source: keyed sections (maps by a key that the user chooses, see `keyedSections`) member by member, the other
 * sections as a whole. The first document that defines a section or member is used.
 */
export function mergeDocuments(documents: readonly ExpandedDocument[], keyed: ReadonlySet<string>): MergedDocuments {
  const value: { [section: string]: Json } = Object.create(null);
  const mergedSections = new Map<string, { [key: string]: Json }>();
  const byPointer = new Map<string, ExpandedDocument>();
  const duplicates: { path: Path; document: ExpandedDocument; earlier: ExpandedDocument }[] = [];
  const bareSections: { path: Path; document: ExpandedDocument }[] = [];

  /** Records the document that defines a path. Where an earlier document defines it, records a duplicate and returns false. */
  const define = (path: Path, document: ExpandedDocument): boolean => {
    const name = pointer(path);
    const earlier = byPointer.get(name);
    if (earlier === undefined) byPointer.set(name, document);
    else duplicates.push({ path, document, earlier });
    return earlier === undefined;
  };
  /**
   * Returns the merged members of a keyed section, which it creates for the first document that has the section. Returns undefined where an
   * earlier document defines the section as one value.
   */
  const openKeyedSection = (section: string, document: ExpandedDocument): { [key: string]: Json } | undefined => {
    const existing = mergedSections.get(section);
    if (existing !== undefined || byPointer.has(pointer([section]))) return existing;
    const created: { [key: string]: Json } = Object.create(null);
    mergedSections.set(section, created);
    byPointer.set(pointer([section]), document);
    value[section] = created;
    return created;
  };
  const add = (section: string, content: Json, document: ExpandedDocument): void => {
    const members = keyed.has(section) && isJsonObject(content) ? openKeyedSection(section, document) : undefined;
    if (members === undefined || !isJsonObject(content)) {
      if (define([section], document)) value[section] = content;
      return;
    }
    for (const [key, member] of Object.entries(content)) if (define([section, key], document)) members[key] = member;
  };

  for (const document of documents) {
    for (const [section, content] of Object.entries(document.value)) {
      if (content === null && document.locate([section], 'value').written === '') bareSections.push({ path: [section], document });
      else add(section, content, document);
    }
  }
  return { value, byPointer, duplicates, bareSections };
}

/** A null that removes nothing, which is an error: its path, and the index of its layer. */
export interface NullWithoutEffect {
  readonly path: Path;
  readonly layer: number;
}

/**
 * Merges layers, earliest first. `nullsWithoutEffect` removed nothing; they stay in the value unless a later layer replaces them. Parts
 * that only one layer defines are shared with it, not copied.
 */
export function overlayLayers(layers: readonly JsonObject[]): {
  readonly value: JsonObject;
  readonly nullsWithoutEffect: readonly NullWithoutEffect[];
} {
  const nullsWithoutEffect: NullWithoutEffect[] = [];
  const value = layers.reduce((base: JsonObject | undefined, over, layer) => {
    const paths: Path[] = [];
    const merged = base === undefined ? over : overlayMap(base, over, [], paths);
    if (base === undefined) collectNulls(over, [], paths);
    for (const path of paths) nullsWithoutEffect.push({ path, layer });
    return merged;
  }, undefined);
  return { value: value ?? nullProtoObject(), nullsWithoutEffect };
}

/** Overlays one value. `path` is modified during the traversal. */
function overlay(base: Json | undefined, over: Json, path: (string | number)[], nullsWithoutEffect: Path[]): Json {
  if (isJsonObject(base) && isJsonObject(over)) return overlayMap(base, over, path, nullsWithoutEffect);
  collectNulls(over, path, nullsWithoutEffect);
  return over;
}

function overlayMap(base: JsonObject, over: JsonObject, path: (string | number)[], nullsWithoutEffect: Path[]): JsonObject {
  const merged: { [key: string]: Json } = Object.assign(nullProtoObject(), base);
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    if (value === null && before !== undefined && before !== null) delete merged[key];
    else {
      path.push(key);
      merged[key] = overlay(before, value, path, nullsWithoutEffect);
      path.pop();
    }
  }
  return merged;
}

/** Collects the paths of all nulls of a value that is not merged into an earlier map: none of them removes anything. */
function collectNulls(value: Json, path: (string | number)[], nullsWithoutEffect: Path[]): void {
  if (value === null) nullsWithoutEffect.push([...path]);
  else if (Array.isArray(value))
    for (let index = 0; index < value.length; index++) collectNullsBelow(index, value[index], path, nullsWithoutEffect);
  else if (isJsonObject(value)) for (const key in value) collectNullsBelow(key, value[key], path, nullsWithoutEffect);
}

function collectNullsBelow(step: string | number, member: Json | undefined, path: (string | number)[], nullsWithoutEffect: Path[]): void {
  if (member === undefined || typeof member !== 'object') return;
  path.push(step);
  collectNulls(member, path, nullsWithoutEffect);
  path.pop();
}
