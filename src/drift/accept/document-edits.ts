/** What the merged sources are to say, told to the documents that say it: each keeps its variables, and what others hide. */

import type { DesiredStateWithSources } from '../../config/desired-state-with-sources.ts';
import type { SourceDocument } from '../../config/load-sources.ts';
import { escapeVariables } from '../../config/variables.ts';
import { equal, isJsonObject, isList, type Json, type JsonObject, nullProtoObject, type Path } from '../../model/json.ts';
import { alignItems } from './list-alignment.ts';

/** Why a value cannot be changed where it is written. */
export class NotEditable extends Error {
  readonly hint: string;

  constructor(reason: string, hint: string) {
    super(reason);
    this.name = 'NotEditable';
    this.hint = hint;
  }
}

/** A document and what it is to say, variables unreplaced. */
export interface DocumentEdit {
  readonly part: SourceDocument;
  readonly was: Json;
  readonly is: Json;
}

/** The value with another one at a path, or nothing there; maps on the way are made, nothing is changed in place. */
export function setIn(value: Json | undefined, path: Path, at: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return at ?? null;
  const leave = rest.length === 0 && at === undefined;
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    return leave ? items.filter((_, index) => index !== step) : items.map((item, index) => (index === step ? setIn(item, rest, at) : item));
  }
  const { [String(step)]: member, ...others } = isJsonObject(value) ? value : {};
  if (leave) return Object.assign(nullProtoObject(), others);
  return Object.assign(nullProtoObject(), isJsonObject(value) ? value : {}, { [String(step)]: setIn(member, rest, at) });
}

/** The documents that have to be revised so that the sources come to say `is`. @throws Unwritable */
export function editsPerDocument({ merged, definingDocuments }: DesiredStateWithSources, is: JsonObject): readonly DocumentEdit[] {
  const revised = new Map<string, DocumentEdit>();
  const tell = (part: SourceDocument, path: Path, change: (raw: Json | undefined) => Json | undefined): void => {
    const key = JSON.stringify([part.file, part.document]);
    const known = revised.get(key) ?? rawOf(part);
    revised.set(key, { ...known, is: setIn(known.is, path, change(valueAt(known.is, path))) });
  };
  for (const { path, before, after } of differences(merged, is, [])) {
    const [told, ...earlier] = definingDocuments(before === undefined ? path.slice(0, -1) : path);
    if (!told) throw new NotEditable(`nothing in the sources says \`${path.join('.')}\``, 'edit the sources by hand');
    if (after !== undefined) tell(told, path, (raw) => (before === undefined ? escapeVariables(after) : rewritten(raw, before, after)));
    else tell(told, path, () => (earlier.length > 0 ? null : undefined));
  }
  return [...revised.values()];
}

function rawOf(part: SourceDocument): DocumentEdit {
  const was = part.yaml.documents[part.document] ?? null;
  return { part, was, is: was };
}

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce(
    (at: Json | undefined, step) => (isJsonObject(at) ? at[String(step)] : Array.isArray(at) ? at[Number(step)] : undefined),
    value,
  );
}

interface Difference {
  readonly path: Path;
  /** Undefined where nothing is said. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Where two merged values differ: maps member by member, as they overlay, everything else whole. */
function differences(was: JsonObject, is: JsonObject, path: Path): readonly Difference[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys.flatMap((key): readonly Difference[] => {
    const [before, after, here] = [was[key], is[key], [...path, key]];
    if (before === after) return [];
    if (isJsonObject(before) && isJsonObject(after)) return differences(before, after, here);
    return equal(before, after) ? [] : [{ path: here, before, after }];
  });
}

/** What is written, with what is to be said in the place of what it says; the parts that stay are not touched. */
function rewritten(raw: Json | undefined, was: Json, is: Json): Json {
  if (raw === undefined) return escapeVariables(is);
  if (equal(was, is)) return raw;
  if (isJsonObject(raw) && isJsonObject(was) && isJsonObject(is)) {
    return Object.assign(
      nullProtoObject(),
      Object.fromEntries(Object.entries(is).map(([key, value]) => [key, memberOf(raw[key], was[key], value)])),
    );
  }
  if (isList(raw) && isList(was) && isList(is)) {
    return alignItems(was, is).map(({ from, to }) =>
      from === null ? escapeVariables(is[to] ?? null) : memberOf(raw[from], was[from], is[to] ?? null),
    );
  }
  if (typeof raw === 'string' && /(?<!\$)\$\{/.test(raw))
    throw new NotEditable(`the value is made of a variable: ${raw}`, 'edit it by hand: other values may be made of the same variable');
  return escapeVariables(is);
}

function memberOf(raw: Json | undefined, was: Json | undefined, is: Json): Json {
  return was === undefined ? escapeVariables(is) : rewritten(raw, was, is);
}
