/** Overlays sources (design section 3, overlay): maps are merged by key, everything else is replaced, null removes. */
import { isJsonObject, type Json, type JsonObject, nullProtoObject, type Path } from '../model/json.ts';

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
