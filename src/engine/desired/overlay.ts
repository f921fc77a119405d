/** Sources laid over one another (design section 3, overlay): maps merge by key, everything else is replaced, null removes. */
import { type Fields, isFields, type Json, type Path } from '../../model/json.ts';

/** The sources merged, earliest first, and the paths where a null has nothing to remove (it is kept there, so that its place is known). */
export function overlaySources(sources: readonly Fields[]): { readonly value: Fields; readonly nulls: readonly Path[] } {
  const nulls: Path[] = [];
  const nothing: Fields = Object.create(null);
  return { value: sources.reduce((base, over) => overlayMap(base, over, [], nulls), nothing), nulls };
}

/** `path` is the walk's own, and changes. */
function overlay(base: Json | undefined, over: Json, path: (string | number)[], nulls: Path[]): Json {
  if (isFields(over)) return overlayMap(isFields(base) ? base : undefined, over, path, nulls);
  if (Array.isArray(over)) for (const [index, item] of over.entries()) below(index, path, () => overlay(undefined, item, path, nulls));
  if (over === null) nulls.push([...path]);
  return over;
}

function overlayMap(base: Fields | undefined, over: Fields, path: (string | number)[], nulls: Path[]): Fields {
  const merged: { [key: string]: Json } = Object.assign(Object.create(null), base);
  for (const [key, value] of Object.entries(over)) {
    if (value === null && merged[key] !== undefined && merged[key] !== null) delete merged[key];
    else below(key, path, () => (merged[key] = overlay(merged[key], value, path, nulls)));
  }
  return merged;
}

function below<T>(step: string | number, path: (string | number)[], walk: () => T): void {
  path.push(step);
  walk();
  path.pop();
}
