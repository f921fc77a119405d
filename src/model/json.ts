/** Any JSON value. Both sides of every comparison are plain JSON, so that they can be printed, saved and hashed. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [member: string]: Json };

/** Where a value stands inside a JSON document: member names and list indices, outermost first. */
export type Path = readonly (string | number)[];

/**
 * An object without prototype, to be filled: no key can reach what every object inherits. Made in this way, and not by
 * `Object.create(null)`, it keeps the engine's compact form for records, with a third of the time and memory.
 */
export function nullProtoObject(): { [member: string]: Json } {
  const fields: { [member: string]: Json } = {};
  Object.setPrototypeOf(fields, null);
  return fields;
}

/** Whether the value is a JSON object (not null, not a list). */
export function isObject(value: unknown): value is { readonly [member: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isObject(value);
}

/** Returns whether a JSON value is a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether lists and maps stand in each other on more levels than these; what walks through a value by calling itself does not bear thousands. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let within: readonly unknown[] = [value];
  for (let level = 0; level <= levels; level += 1) {
    within = within.flatMap((each): unknown[] => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (within.length === 0) return false;
  }
  return true;
}

/** JSON text with members sorted by name at every level: equal values give equal text. */
export function stableJson(value: Json): string {
  return JSON.stringify(value, (_member, part: Json) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : part,
  );
}

/** Deep equality of two JSON values; the order of members means nothing, the order of lists does. */
export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a) && isList(b)) return equalItems(a, b);
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  let members = 0;
  for (const member in a) {
    if (!Object.hasOwn(b, member) || !equal(a[member], b[member])) return false;
    members += 1;
  }
  for (const _ in b) members -= 1;
  return members === 0;
}

function equalItems(a: readonly Json[], b: readonly Json[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!equal(a[index], b[index])) return false;
  return true;
}

/** JSON Pointer (RFC 6901) of a path, for example `/widevine/policy_overrides/can_play`. */
export function pointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
