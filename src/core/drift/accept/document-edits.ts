/** Maps an edit of the merged configuration back to the source documents that define the edited values. Variables are kept. */

import type { DesiredStateWithSources } from '../../config/desired-state.ts';
import type { Definition } from '../../config/expand/definition.ts';
import type { Cell } from '../../config/expand/parameters.ts';
import type { SourceDocument } from '../../config/source-document.ts';
import { escapeVariables } from '../../config/variables.ts';
import { equal, isJsonObject, isList, type Json, type JsonObject, nullProtoObject, type Path, valueAt } from '../../model/json.ts';
import { alignItems } from './match-list-items.ts';
import { describeOrigin, hasVariable, isShared, keyOf, type Origin, originOf, textOf, valueFor, whyNotMadeBack } from './value-origin.ts';

/** Says why a value cannot be edited where it is defined. */
export class NotEditable extends Error {
  readonly hint: string;
  /** The path of the value in the merged sources, where one is to blame. */
  readonly path: Path;

  constructor(reason: string, hint: string, path: Path = []) {
    super(reason);
    this.name = 'NotEditable';
    this.hint = hint;
    this.path = path;
  }
}

/** A source document before and after its edit, with variables not replaced. */
export interface DocumentEdit {
  readonly part: SourceDocument;
  readonly was: Json;
  readonly is: Json;
}

/** Returns the value with `replacement` at a path; undefined removes it. Creates missing maps. Nothing is changed in place. */
export function setIn(value: Json | undefined, path: Path, replacement: Json | undefined): Json {
  const [segment, ...rest] = path;
  if (segment === undefined) return replacement ?? null;
  const isRemoval = rest.length === 0 && replacement === undefined;
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    if (isRemoval) return items.filter((_, index) => index !== segment);
    return items.map((item, index) => (index === segment ? setIn(item, rest, replacement) : item));
  }
  const { [String(segment)]: member, ...others } = isJsonObject(value) ? value : {};
  if (isRemoval) return Object.assign(nullProtoObject(), others);
  return Object.assign(nullProtoObject(), isJsonObject(value) ? value : {}, { [String(segment)]: setIn(member, rest, replacement) });
}

/** The edit of a cell of a CSV file. */
export interface CellEdit {
  readonly cell: Cell;
  readonly text: string;
}

/** The edits after which the merged sources have other values. */
export interface SourceEdits {
  readonly documents: readonly DocumentEdit[];
  readonly cells: readonly CellEdit[];
  /** The values that are edited where others may come from as well, and what each comes from. */
  readonly elsewhere: readonly { readonly path: Path; readonly origin: string }[];
}

/** Returns the edits of documents and cells after which the merged sources equal `is`. @throws NotEditable */
export function editsPerDocument({ merged, definitionsOf }: DesiredStateWithSources, is: JsonObject): SourceEdits {
  const edits = new Map<string, DocumentEdit>();
  const written = new Map<string, Json>();
  const cells: CellEdit[] = [];
  const elsewhere: { path: Path; origin: string }[] = [];
  const editDocument = (part: SourceDocument, path: Path, change: (raw: Json | undefined) => Json | undefined): void => {
    const key = JSON.stringify([part.file, part.index]);
    const edit = edits.get(key) ?? unedited(part);
    edits.set(key, { ...edit, is: setIn(edit.is, path, change(valueAt(edit.is, path))) });
  };
  const editOrigin = (origin: Origin, value: Json): void => {
    const { place } = origin;
    const key = keyOf(place);
    const earlier = written.get(key);
    if (earlier !== undefined && !equal(earlier, value))
      throw new NotEditable(
        `${describeOrigin(origin)}, which would have to hold both ${textOf(earlier)} and ${textOf(value)}`,
        ORIGIN_HINT,
        origin.path,
      );
    if (origin.parameter || isShared(place)) elsewhere.push({ path: origin.path, origin: describeOrigin(origin) });
    if (earlier !== undefined) return;
    written.set(key, value);
    if ('row' in place) cells.push({ cell: place, text: textOf(value) });
    else
      editDocument(place.document, place.path, (raw) =>
        raw === undefined ? escapeVariables(value) : rewriteValue(raw, origin.before, value),
      );
  };
  const changes = differences(merged, is, [], comparesEntries(definitionsOf)).map((difference) => withOrigin(difference, definitionsOf));
  const uses = countByText(changes.flatMap(({ origin, value }) => (origin && value !== undefined ? [useOf(origin, value)] : [])));
  // An argument is edited where all that it makes becomes what it would give.
  const isOwn = (origin: Origin, value: Json) => !isShared(origin.place) && uses.get(useOf(origin, value)) === origin.parameter?.uses;
  for (const change of changes) {
    const { path, before, after, isEntry, inEffect, earlier, origin, value } = change;
    if (inEffect.document && !isEntry) {
      // Without its own fields, a resource has none of its template and defaults either.
      const others = path.length > 2 ? earlier : earlier.filter(({ document }) => document !== undefined);
      if (after === undefined) editDocument(inEffect.document, path, () => (others.length > 0 ? null : undefined));
      else
        editDocument(inEffect.document, path, (raw) => (before === undefined ? escapeVariables(after) : rewriteValue(raw, before, after)));
      continue;
    }
    const document = isEntry ? undefined : overridable(definitionsOf(path.slice(0, 2)), path);
    if (origin && value !== undefined && (document === undefined || isOwn(origin, value))) editOrigin(origin, value);
    else if (document) editDocument(document, path, () => (after === undefined ? null : escapeVariables(after)));
    else throw whyNotEditable(inEffect, path, origin, after);
  }
  return { documents: [...edits.values()], cells, elsewhere };
}

/** A difference, what defines its value, and what to write at the origin of that; undefined where no place can hold it. */
interface Change extends Difference {
  readonly isEntry: boolean;
  readonly inEffect: Definition;
  readonly earlier: readonly Definition[];
  readonly origin: Origin | undefined;
  readonly value: Json | undefined;
}

/** Finds what defines the value of a difference. @throws NotEditable */
function withOrigin(difference: Difference, definitionsOf: DesiredStateWithSources['definitionsOf']): Change {
  const { path, before, after } = difference;
  const [inEffect, ...earlier] = definitionsOf(before === undefined ? path.slice(0, -1) : path);
  if (!inEffect) throw new NotEditable(`nothing in the sources defines \`${path.join('.')}\``, 'edit the sources by hand');
  const isEntry = path.some((step) => typeof step === 'number');
  const origin = before === undefined || after === undefined ? undefined : originOf(inEffect, path, before, isEntry);
  return { ...difference, isEntry, inEffect, earlier, origin, value: origin && after !== undefined ? valueFor(origin, after) : undefined };
}

/** Returns a text that is equal where the same place would have to hold the same value. */
function useOf({ place }: Origin, value: Json): string {
  return `${keyOf(place)} ${JSON.stringify(value)}`;
}

function countByText(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const ORIGIN_HINT = 'edit the sources by hand';

/** Decides which lists are compared entry by entry: those whose entries come from several places. */
function comparesEntries(definitionsOf: DesiredStateWithSources['definitionsOf']): (path: Path) => boolean {
  return (path) => {
    const [inEffect] = definitionsOf(path);
    const list = inEffect?.document && valueAt(inEffect.document.content, path);
    return inEffect?.writtenAt !== undefined && (list === undefined || includedList(list) !== undefined);
  };
}

/** Returns the document that declares the resource of a path, where an override can be written; undefined where a row of a table does. */
function overridable(definitions: readonly Definition[], path: Path): SourceDocument | undefined {
  return path.length > 2 ? definitions.find((each) => each.document !== undefined)?.document : undefined;
}

/** Builds the refusal of an edit of a value that no single place of its own holds. */
function whyNotEditable(inEffect: Definition, path: Path, origin: Origin | undefined, after: Json | undefined): NotEditable {
  const location = inEffect.locate(path.slice(inEffect.depth), 'value');
  const { file, line } = location;
  if (path.length <= 2)
    return new NotEditable(
      `\`${path.join('.')}\` comes from ${file}, line ${line}, a row of a table`,
      'remove the row by hand, or declare the resource in the account again',
      path,
    );
  if (origin) return new NotEditable(`${describeOrigin(origin)}, ${whyNotMadeBack(origin, after)}`, ORIGIN_HINT, path);
  const from = inEffect.layerType === 'template' ? `the template \`${inEffect.template ?? ''}\`` : 'defaults';
  return new NotEditable(
    `\`${path.join('.')}\` comes from ${from}, ${file}, line ${line}, and no single cell of the table holds it`,
    'override it in a later source, add a column to the table, or edit the template',
    path,
  );
}

function unedited(part: SourceDocument): DocumentEdit {
  const was = part.yaml.documents[part.index] ?? null;
  return { part, was, is: was };
}

interface Difference {
  readonly path: Path;
  /** Undefined where there is no value. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/**
 * Returns where two merged values differ. Maps are compared member by member, as overlays merge them, lists entry by entry where
 * `comparesEntries` says so and no entry came, went or moved, everything else as a whole.
 */
function differences(was: JsonObject, is: JsonObject, path: Path, comparesEntries: (path: Path) => boolean): readonly Difference[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys.flatMap((key): readonly Difference[] => {
    const [before, after, memberPath] = [was[key], is[key], [...path, key]];
    if (before === after) return [];
    if (isJsonObject(before) && isJsonObject(after)) return differences(before, after, memberPath, comparesEntries);
    if (before === undefined || after === undefined || equal(before, after))
      return equal(before, after) ? [] : [{ path: memberPath, before, after }];
    return isList(before) && isList(after) && comparesEntries(memberPath)
      ? changedValues(before, after, memberPath)
      : [{ path: memberPath, before, after }];
  });
}

/** Returns the innermost values that differ. Lists and maps are compared as a whole where they have other entries or members. */
function changedValues(before: Json, after: Json, path: Path): readonly Difference[] {
  if (equal(before, after)) return [];
  if (isList(before) && isList(after) && before.length === after.length && before.every((entry, index) => isAlike(entry, after[index])))
    return before.flatMap((entry, index) => changedValues(entry, after[index] ?? null, [...path, index]));
  if (isJsonObject(before) && isJsonObject(after) && isAlike(before, after))
    return Object.entries(before).flatMap(([key, member]) => changedValues(member, after[key] ?? null, [...path, key]));
  return [{ path, before, after }];
}

/** Decides whether two entries are equal, or maps with the same members: an ad and an ad, or a beam and a beam. */
function isAlike(a: Json, b: Json | undefined): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return equal(a, b);
  return equal(Object.keys(a).sort(), Object.keys(b).sort());
}

/** Changes a raw value, whose value with variables replaced is `was`, to `is`. Unchanged parts keep their raw form. */
function rewriteValue(raw: Json | undefined, was: Json, is: Json): Json {
  if (raw === undefined) return escapeVariables(is);
  if (equal(was, is)) return raw;
  if (isJsonObject(raw) && isJsonObject(was) && isJsonObject(is)) {
    return Object.assign(
      nullProtoObject(),
      Object.fromEntries(Object.entries(is).map(([key, value]) => [key, memberOf(raw[key], was[key], value)])),
    );
  }
  if (isList(raw) && isList(was) && isList(is)) {
    const included = includedList(raw);
    if (included !== undefined)
      throw new NotEditable(`the list includes the entry list \`${included}\``, 'edit it by hand: other lists may include it, too');
    return alignItems(was, is).map(({ from, to }) =>
      from === null ? escapeVariables(is[to] ?? null) : memberOf(raw[from], was[from], is[to] ?? null),
    );
  }
  if (hasVariable(raw))
    throw new NotEditable(
      `the value is made of a variable: ${textOf(raw)}`,
      'edit it by hand: other values may be made of the same variable',
    );
  return escapeVariables(is);
}

/** Returns the name of the first entry list that a list includes as written; undefined where it includes none. */
function includedList(raw: Json): string | undefined {
  const included = isList(raw) ? raw.find((item) => isJsonObject(item) && item.include !== undefined) : undefined;
  return isJsonObject(included) ? String(included.include) : undefined;
}

function memberOf(raw: Json | undefined, was: Json | undefined, is: Json): Json {
  return was === undefined ? escapeVariables(is) : rewriteValue(raw, was, is);
}
