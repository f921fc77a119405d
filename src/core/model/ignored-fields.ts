/**
 * Fields that the configuration leaves to others (`ignore_changes`): neither compared nor written (design section 3, fields left to
 * others).
 */
import type { SourcePosition } from './finding.ts';
import { dayOf } from './instant.ts';
import { isJsonObject, type Json, type JsonObject, parsePointer } from './json.ts';

/** A field that is left to others, with everything below it. */
export interface IgnoredField {
  /** JSON Pointer into the fields of a resource. */
  readonly path: string;
  /** The last day on which it is ignored, UTC: `2027-03-31`. Absent = without end. */
  readonly until?: string;
  readonly why?: string;
  /** Where the configuration says so. */
  readonly declared: SourcePosition;
}

/** An ignored field of a live resource, as in the plan document. */
export interface IgnoredValue {
  readonly path: string;
  readonly live: Json;
  readonly until?: string;
  readonly why?: string;
}

/** Stands in shown requests for the value that an ignored field has when they are sent. */
export const LIVE_VALUE = '(live value)';

/** Decides whether a JSON Pointer is another one, or lies below it. */
export function isWithin(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}/`);
}

/** Decides whether a field is ignored. */
export function isIgnored(ignored: readonly IgnoredField[], path: string): boolean {
  return ignored.some((field) => isWithin(path, field.path));
}

/** Decides whether the last day of an ignored field is over. `now` in Unix milliseconds. */
export function isExpired({ until }: IgnoredField, now: number): boolean {
  return until !== undefined && dayOf(now) > until;
}

/** Returns the value at a JSON Pointer; undefined where there is none. */
export function valueAtPointer(fields: JsonObject, path: string): Json | undefined {
  return parsePointer(path).reduce<Json | undefined>(memberOf, fields);
}

/** What `copyFields` copies: the values at `paths` (JSON Pointers) of `from`, into `into`. */
interface CopiedFields {
  readonly into: JsonObject;
  readonly from: JsonObject;
  readonly paths: readonly Pick<IgnoredField, 'path'>[];
}

/**
 * Returns `into` with the values that `from` has at some paths. Where one of the two lacks the object around a
 * member, nothing is copied; a member that only `from` lacks is removed.
 */
export function copyFields({ into, from, paths }: CopiedFields): JsonObject {
  return paths.reduce((copied, { path }) => withMember(copied, from, parsePointer(path)), into);
}

/** Returns `fields` with `LIVE_VALUE` in place of the ignored ones. */
export function withPlaceholders(fields: JsonObject, ignored: readonly IgnoredField[]): JsonObject {
  return ignored.reduce((masked, { path }) => withMember(masked, placeholderAt(parsePointer(path)), parsePointer(path)), fields);
}

function withMember(fields: JsonObject, live: JsonObject, [member, ...below]: readonly string[]): JsonObject {
  if (member === undefined) return fields;
  const [own, theirs] = [memberOf(fields, member), memberOf(live, member)];
  if (below.length > 0) return isJsonObject(own) && isJsonObject(theirs) ? { ...fields, [member]: withMember(own, theirs, below) } : fields;
  if (theirs !== undefined) return { ...fields, [member]: theirs };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== member));
}

function placeholderAt([member = '', ...below]: readonly string[]): JsonObject {
  return { [member]: below.length === 0 ? LIVE_VALUE : placeholderAt(below) };
}

function memberOf(value: Json | undefined, member: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}
