/** Sources laid over one another (design section 3, overlay): maps merge by key, everything else is replaced, null removes. */
import { isJsonObject, type Json, type JsonObject, nullProtoObject, type Path } from '../model/json.ts';

/**
 * The sources merged, earliest first, and the paths where a null has nothing to remove (it is kept there, so that its place is known).
 * What only one source says is shared with it.
 */
export function overlaySources(sources: readonly JsonObject[]): { readonly value: JsonObject; readonly nulls: readonly Path[] } {
  const nulls: Path[] = [];
  const [first = nullProtoObject(), ...others] = sources;
  gatherNulls(first, [], nulls);
  return { value: others.reduce((base, over) => overlayMap(base, over, [], nulls), first), nulls };
}

/** `path` is the walk's own, and changes. */
function overlay(base: Json | undefined, over: Json, path: (string | number)[], nulls: Path[]): Json {
  if (isJsonObject(base) && isJsonObject(over)) return overlayMap(base, over, path, nulls);
  gatherNulls(over, path, nulls);
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

/** Where nothing is overlaid, every null has nothing to remove. */
function gatherNulls(value: Json, path: (string | number)[], nulls: Path[]): void {
  if (value === null) nulls.push([...path]);
  else if (Array.isArray(value)) for (let index = 0; index < value.length; index++) gatherBelow(index, value[index], path, nulls);
  else if (isJsonObject(value)) for (const key in value) gatherBelow(key, value[key], path, nulls);
}

function gatherBelow(step: string | number, member: Json | undefined, path: (string | number)[], nulls: Path[]): void {
  if (member === undefined || (typeof member !== 'object' && member !== null)) return;
  path.push(step);
  gatherNulls(member, path, nulls);
  path.pop();
}
