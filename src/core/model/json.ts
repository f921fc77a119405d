/** Any JSON value. All resources are compared as plain JSON, so that they can be printed, saved and hashed. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [member: string]: Json };

/** The path of a value in a JSON document: member names and list indices, outermost first. */
export type Path = readonly (string | number)[];

/** The part of a member of a map that a position points at. */
export type MemberPart = 'key' | 'value';

/**
 * Creates an empty object without prototype, so that no key can reach inherited members. `Object.create(null)` is not used because V8 then
 * stores the members as a hash table, at three times the time and memory.
 */
export function nullProtoObject(): { [member: string]: Json } {
  const fields: { [member: string]: Json } = {};
  Object.setPrototypeOf(fields, null);
  return fields;
}

/** Decides whether a value is a JSON object (not null, not a list). */
export function isObject(value: unknown): value is { readonly [member: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Decides whether a JSON value is an object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isObject(value);
}

/** Decides whether a JSON value is a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Decides whether a value is JSON of at most `depth` levels. Parsed text is always JSON; the limit keeps a hostile response from exhausting
 * the stack.
 */
export function isJson(value: unknown, depth = 64): value is Json {
  if (Array.isArray(value)) return depth > 0 && value.every((item) => isJson(item, depth - 1));
  if (isObject(value)) return depth > 0 && Object.values(value).every((part) => isJson(part, depth - 1));
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Decides whether lists and maps are nested deeper than `levels`, because recursive functions overflow the stack at some thousands. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let within: readonly unknown[] = [value];
  for (let level = 0; level <= levels; level += 1) {
    within = within.flatMap((each): unknown[] => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (within.length === 0) return false;
  }
  return true;
}

/** Returns JSON text with members sorted by name at every level, so that equal values have equal texts. */
export function stableJson(value: Json): string {
  return JSON.stringify(value, (_member, part: Json) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : part,
  );
}

/** Decides whether two JSON values are deeply equal. The order of members does not matter, the order of lists does. */
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

/** Returns the JSON Pointer (RFC 6901) of a path, for example `/widevine/policy_overrides/can_play`. */
export function pointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns the member of a map or the item of a list; undefined where there is none. */
export function memberOf(value: Json | undefined, step: string | number): Json | undefined {
  if (isList(value)) return typeof step === 'number' ? value[step] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** Returns the value at a path; undefined where there is none. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce(memberOf, value);
}

/** Returns the member names of a JSON Pointer. */
export function parsePointer(text: string): readonly string[] {
  return text
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
