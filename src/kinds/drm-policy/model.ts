/**
 * The canonical form of a policy's settings: every setting of drm-api-v3 sections 2.2 to 2.5, with its default where it was absent or null.
 * Names, types and defaults come from the JSON Schema that editors load.
 */
import schema from '../../../schemas/drm-policy.schema.json' with { type: 'json' };
import { isJson, isJsonObject, isList, isObject, type Json, type JsonObject, pointer } from '../../model/json.ts';
import { asBoolean, asInteger, asList, asString } from '../../model/json-readers.ts';
import type { UnknownMember } from '../kind.ts';

/** The part of JSON Schema that the policy schema uses. */
export interface FieldShape {
  readonly $ref?: string;
  /** Remark of the API documents about a setting: `reserved`, or `testing only: <value>`. */
  readonly $comment?: string;
  readonly type?: string;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly properties?: { readonly [member: string]: FieldShape };
  readonly items?: FieldShape;
}

/** The settings of a policy: `fairplay`, `widevine`, `playready`. */
export const POLICY: FieldShape = schema.definitions.drmPolicy;

/** Track types in the order of the table of the API documents (drm-api-v3 section 2.3). */
export const TRACKS: readonly string[] = schema.definitions.drmContentKeySpec.properties.track_type.enum;

const DEFINITIONS: ReadonlyMap<string, FieldShape> = new Map(
  Object.entries(schema.definitions).map(([name, shape]) => [`#/definitions/${name}`, shape]),
);

/** Resolves a `$ref`; any other shape is returned as it is. */
export function resolveRef(shape: FieldShape): FieldShape {
  return DEFINITIONS.get(shape.$ref ?? '') ?? shape;
}

/** Returns a declared value as an object; empty where it is absent or not an object. */
export function asFields(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns a declared value as a list; empty where it is absent or not a list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

/** Returns the track type of a declared element of `content_key_specs`. */
export function trackOf(spec: JsonObject): string {
  return String(spec.track_type ?? schema.definitions.drmContentKeySpec.properties.track_type.default);
}

/** Settings in canonical form, and the members that the API documents do not define. */
export interface CanonicalPolicy {
  readonly fields: JsonObject;
  readonly unknown: readonly UnknownMember[];
}

/** Builds the error for a value that does not have its documented form, for example `/fairplay/lease is not of type boolean`. */
export type CreateMismatchError = (mismatch: string) => Error;

interface ReadContext {
  readonly unknown: UnknownMember[];
  readonly createError: CreateMismatchError;
  /** Path of the value that is being read. */
  readonly path: (string | number)[];
}

/** Converts settings to canonical form; `content_key_specs` becomes an object by track type. @throws the error that `createError` builds */
export function canonical(settings: unknown, createError: CreateMismatchError): CanonicalPolicy {
  const unknown: UnknownMember[] = [];
  return { fields: readObject(POLICY, settings, { unknown, createError, path: [] }), unknown };
}

function read(part: FieldShape, value: unknown, member: string | number, context: ReadContext): Json {
  context.path.push(member);
  const shape = resolveRef(part);
  const found = readAs(shape, value ?? shape.default, context);
  context.path.pop();
  return found;
}

function readAs(shape: FieldShape, value: unknown, context: ReadContext): Json {
  if (shape.type === 'object') return readObject(shape, value ?? {}, context);
  return shape.type === 'array' ? readSpecs(shape, value, context) : readScalar(shape, value, context);
}

function readObject({ properties = {} }: FieldShape, value: unknown, context: ReadContext): JsonObject {
  if (!isObject(value)) throw context.createError(`${pointer(context.path)} is not an object`);
  for (const member of Object.keys(value)) {
    const unknownValue = Object.hasOwn(properties, member) ? null : value[member];
    if (unknownValue !== null) context.unknown.push(unknownMember(member, unknownValue, context));
  }
  const fields: { [member: string]: Json } = {};
  for (const member in properties) fields[member] = read(properties[member] ?? {}, value[member], member, context);
  return fields;
}

/**
 * Converts the list to an object by track type. A repeated track gets the key `HD (2)`, so that no element is lost and the list differs
 * from every valid one.
 */
function readSpecs({ items = {} }: FieldShape, value: unknown, context: ReadContext): JsonObject {
  const list = asList(value);
  if (!list) throw context.createError(`${pointer(context.path)} is not a list`);
  const counts = new Map<string, number>();
  const specs = list.map((item, index) => {
    context.path.push(index);
    const { track_type, ...spec } = readObject(resolveRef(items), item, context);
    context.path.pop();
    const track = String(track_type);
    const count = (counts.get(track) ?? 0) + 1;
    counts.set(track, count);
    return [count === 1 ? track : `${track} (${count})`, spec] as const;
  });
  return Object.fromEntries(specs);
}

function readScalar({ type }: FieldShape, value: unknown, context: ReadContext): Json {
  const scalar = type === 'integer' ? asInteger(value) : type === 'boolean' ? asBoolean(value) : asString(value);
  if (scalar === undefined) throw context.createError(`${pointer(context.path)} is not of type ${type}`);
  return scalar;
}

function unknownMember(member: string, value: unknown, context: ReadContext): UnknownMember {
  const path = pointer([...context.path, member]);
  if (!isJson(value)) throw context.createError(`${path} is nested too deep`);
  return { path, value };
}
