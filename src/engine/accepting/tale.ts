/** What the merged sources are to say, told to the documents that say it: each keeps its variables, and what others hide. */
import { bareFields, equal, type Fields, isFields, isList, type Json, type Path } from '../../model/json.ts';
import type { Part } from '../desired/load.ts';
import type { Sourced } from '../desired/sourced.ts';
import { literal } from '../export.ts';
import { align } from './align.ts';

/** Why a value cannot be changed where it is written. */
export class Unwritable extends Error {
  readonly hint: string;

  constructor(reason: string, hint: string) {
    super(reason);
    this.name = 'Unwritable';
    this.hint = hint;
  }
}

/** A document and what it is to say, variables unreplaced. */
export interface Revised {
  readonly part: Part;
  readonly was: Json;
  readonly is: Json;
}

/** The value with another one at a path, or nothing there; maps on the way are made, nothing is changed in place. */
export function placed(value: Json | undefined, path: Path, at: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return at ?? null;
  const leave = rest.length === 0 && at === undefined;
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    return leave
      ? items.filter((_, index) => index !== step)
      : items.map((item, index) => (index === step ? placed(item, rest, at) : item));
  }
  const { [String(step)]: member, ...others } = isFields(value) ? value : {};
  if (leave) return Object.assign(bareFields(), others);
  return Object.assign(bareFields(), isFields(value) ? value : {}, { [String(step)]: placed(member, rest, at) });
}

/** The documents that have to be revised so that the sources come to say `is`. @throws Unwritable */
export function retold({ merged, tellers }: Sourced, is: Fields): readonly Revised[] {
  const revised = new Map<string, Revised>();
  const tell = (part: Part, path: Path, change: (raw: Json | undefined) => Json | undefined): void => {
    const key = JSON.stringify([part.file, part.document]);
    const known = revised.get(key) ?? rawOf(part);
    revised.set(key, { ...known, is: placed(known.is, path, change(valueAt(known.is, path))) });
  };
  for (const { path, before, after } of differences(merged, is, [])) {
    const [told, ...earlier] = tellers(before === undefined ? path.slice(0, -1) : path);
    if (!told) throw new Unwritable(`nothing in the sources says \`${path.join('.')}\``, 'edit the sources by hand');
    if (after !== undefined) tell(told, path, (raw) => (before === undefined ? literal(after) : rewritten(raw, before, after)));
    else tell(told, path, () => (earlier.length > 0 ? null : undefined));
  }
  return [...revised.values()];
}

function rawOf(part: Part): Revised {
  const was = part.yaml.documents[part.document] ?? null;
  return { part, was, is: was };
}

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce(
    (at: Json | undefined, step) => (isFields(at) ? at[String(step)] : Array.isArray(at) ? at[Number(step)] : undefined),
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
function differences(was: Fields, is: Fields, path: Path): readonly Difference[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys.flatMap((key): readonly Difference[] => {
    const [before, after, here] = [was[key], is[key], [...path, key]];
    if (before === after) return [];
    if (isFields(before) && isFields(after)) return differences(before, after, here);
    return equal(before, after) ? [] : [{ path: here, before, after }];
  });
}

/** What is written, with what is to be said in the place of what it says; the parts that stay are not touched. */
function rewritten(raw: Json | undefined, was: Json, is: Json): Json {
  if (raw === undefined) return literal(is);
  if (equal(was, is)) return raw;
  if (isFields(raw) && isFields(was) && isFields(is)) {
    return Object.assign(
      bareFields(),
      Object.fromEntries(Object.entries(is).map(([key, value]) => [key, memberOf(raw[key], was[key], value)])),
    );
  }
  if (isList(raw) && isList(was) && isList(is)) {
    return align(was, is).map(({ from, to }) => (from === null ? literal(is[to] ?? null) : memberOf(raw[from], was[from], is[to] ?? null)));
  }
  if (typeof raw === 'string' && /(?<!\$)\$\{/.test(raw))
    throw new Unwritable(`the value is made of a variable: ${raw}`, 'edit it by hand: other values may be made of the same variable');
  return literal(is);
}

function memberOf(raw: Json | undefined, was: Json | undefined, is: Json): Json {
  return was === undefined ? literal(is) : rewritten(raw, was, is);
}
