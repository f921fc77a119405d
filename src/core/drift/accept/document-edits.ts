/** Maps an edit of the merged configuration back to the source documents that define the edited values. Variables are kept. */

import type { DesiredStateWithSources } from '../../config/desired-state.ts';
import type { Definition } from '../../config/expand/definition.ts';
import type { Cell } from '../../config/expand/parameters.ts';
import type { SourceDocument } from '../../config/source-document.ts';
import { escapeVariables } from '../../config/variables.ts';
import { equal, isJsonObject, isList, type Json, type JsonObject, nullProtoObject, type Path, valueAt } from '../../model/json.ts';
import { alignItems } from './match-list-items.ts';

/** Says why a value cannot be edited where it is defined. */
export class NotEditable extends Error {
  readonly hint: string;

  constructor(reason: string, hint: string) {
    super(reason);
    this.name = 'NotEditable';
    this.hint = hint;
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

/** Returns the edits of documents and cells after which the merged sources equal `is`. @throws NotEditable */
export function editsPerDocument(
  { merged, definitionsOf }: DesiredStateWithSources,
  is: JsonObject,
): { readonly documents: readonly DocumentEdit[]; readonly cells: readonly CellEdit[] } {
  const edits = new Map<string, DocumentEdit>();
  const cells: CellEdit[] = [];
  const editDocument = (part: SourceDocument, path: Path, change: (raw: Json | undefined) => Json | undefined): void => {
    const key = JSON.stringify([part.file, part.index]);
    const edit = edits.get(key) ?? unedited(part);
    edits.set(key, { ...edit, is: setIn(edit.is, path, change(valueAt(edit.is, path))) });
  };
  for (const { path, before, after } of differences(merged, is, [])) {
    const [inEffect, ...earlier] = definitionsOf(before === undefined ? path.slice(0, -1) : path);
    if (!inEffect) throw new NotEditable(`nothing in the sources defines \`${path.join('.')}\``, 'edit the sources by hand');
    const cell = before === undefined ? undefined : inEffect.cellAt?.(path.slice(inEffect.depth));
    if (cell && after !== undefined && typeof after !== 'object') cells.push({ cell, text: String(after) });
    else if (inEffect.document) {
      // Without its own fields, a resource has none of its template and defaults either.
      const others = path.length > 2 ? earlier : earlier.filter(({ document }) => document !== undefined);
      if (after === undefined) editDocument(inEffect.document, path, () => (others.length > 0 ? null : undefined));
      else
        editDocument(inEffect.document, path, (raw) => (before === undefined ? escapeVariables(after) : rewriteValue(raw, before, after)));
    } else
      editDocument(overridable(definitionsOf(path.slice(0, 2)), inEffect, path), path, () =>
        after === undefined ? null : escapeVariables(after),
      );
  }
  return { documents: [...edits.values()], cells };
}

/**
 * Returns the document that declares the resource of a path, where an override can be written. @throws NotEditable where a row of a table
 * declares it
 */
function overridable(definitions: readonly Definition[], inEffect: Definition, path: Path): SourceDocument {
  const document = definitions.find((each) => each.document !== undefined)?.document;
  if (document && path.length > 2) return document;
  const { file, line } = inEffect.locate(path.slice(inEffect.depth), 'value');
  if (path.length <= 2)
    throw new NotEditable(
      `\`${path.join('.')}\` comes from ${file}, line ${line}, a row of a table`,
      'remove the row by hand, or declare the resource in the account again',
    );
  const origin = inEffect.layerType === 'template' ? `the template \`${inEffect.template ?? ''}\`` : 'defaults';
  throw new NotEditable(
    `\`${path.join('.')}\` comes from ${origin}, ${file}, line ${line}, and no single cell of the table holds it`,
    'override it in a later source, add a column to the table, or edit the template',
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

/** Returns where two merged values differ. Maps are compared member by member, as overlays merge them, everything else as a whole. */
function differences(was: JsonObject, is: JsonObject, path: Path): readonly Difference[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys.flatMap((key): readonly Difference[] => {
    const [before, after, memberPath] = [was[key], is[key], [...path, key]];
    if (before === after) return [];
    if (isJsonObject(before) && isJsonObject(after)) return differences(before, after, memberPath);
    return equal(before, after) ? [] : [{ path: memberPath, before, after }];
  });
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
    const included = raw.find((item) => isJsonObject(item) && item.include !== undefined);
    if (isJsonObject(included))
      throw new NotEditable(
        `the list includes the entry list \`${String(included.include)}\``,
        'edit it by hand: other lists may include it, too',
      );
    return alignItems(was, is).map(({ from, to }) =>
      from === null ? escapeVariables(is[to] ?? null) : memberOf(raw[from], was[from], is[to] ?? null),
    );
  }
  if (typeof raw === 'string' && /(?<!\$)\$\{/.test(raw))
    throw new NotEditable(`the value is made of a variable: ${raw}`, 'edit it by hand: other values may be made of the same variable');
  return escapeVariables(is);
}

function memberOf(raw: Json | undefined, was: Json | undefined, is: Json): Json {
  return was === undefined ? escapeVariables(is) : rewriteValue(raw, was, is);
}
