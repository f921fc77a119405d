/**
 * The canonical form of a policy's settings: every setting of drm-api-v3 sections 2.2 to 2.5, with its default where it was absent or null.
 * Names, types and defaults come from the JSON Schema that editors load.
 */
import schema from '../../../../schemas/drm-policy.schema.json' with { type: 'json' };
import { isJson, isJsonObject, isList, isObject, type Json, type JsonObject, type Path, pointer, stableJson } from '../../model/json.ts';
import { asBoolean, asInteger, asList, asString } from '../../model/json-readers.ts';
import type { UndocumentedValue } from '../kind.ts';

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

/** Settings in canonical form, and what in them does not have its documented form. */
export interface CanonicalPolicy {
  readonly fields: JsonObject;
  /** The members that the API documents do not define. */
  readonly unknown: readonly UndocumentedValue[];
  /** The settings whose values have another type than documented. `fields` keeps each of these values as it is. */
  readonly wrongType: readonly UndocumentedValue[];
}

interface ReadContext {
  readonly unknown: UndocumentedValue[];
  readonly wrongType: UndocumentedValue[];
  /** Path of the value that is being read. */
  readonly path: (string | number)[];
}

/** Converts settings to canonical form; `content_key_specs` becomes an object by track type. */
export function canonical(settings: { readonly [member: string]: unknown }): CanonicalPolicy {
  const context: ReadContext = { unknown: [], wrongType: [], path: [] };
  return { fields: readMembers(POLICY, settings, context), unknown: context.unknown, wrongType: context.wrongType };
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
  return shape.type === 'array' ? readSpecs(shape, value, context) : (readScalar(shape, value) ?? noteWrongType(value, context));
}

function readObject(shape: FieldShape, value: unknown, context: ReadContext): Json {
  return isObject(value) ? readMembers(shape, value, context) : noteWrongType(value, context);
}

function readMembers(
  { properties = {} }: FieldShape,
  value: { readonly [member: string]: unknown },
  context: ReadContext,
): { readonly [member: string]: Json } {
  for (const member of Object.keys(value)) {
    const unknownValue = Object.hasOwn(properties, member) ? null : value[member];
    if (unknownValue !== null) context.unknown.push({ path: pointer([...context.path, member]), value: shownValue(unknownValue) });
  }
  const fields: { [member: string]: Json } = {};
  for (const member in properties) fields[member] = read(properties[member] ?? {}, value[member], member, context);
  return fields;
}

/**
 * Converts the list to an object by track type. A repeated track gets the key `HD (2)`, and one that the API documents do not list a key in
 * quotes, so that no element is lost or taken for another one, and the list differs from every valid one. A malformed value is wrapped in a
 * list. Valid ones become objects, so the two are never equal.
 */
function readSpecs({ items = {} }: FieldShape, value: unknown, context: ReadContext): Json {
  const list = asList(value);
  if (!list?.every((item) => isObject(item) && asString(item.track_type ?? '') !== undefined))
    return [{ odd: noteWrongType(value, context) }];
  const counts = new Map<string, number>();
  const specs = list.map((item, index) => {
    context.path.push(index);
    const { track_type, ...spec } = asFields(readObject(resolveRef(items), item, context));
    context.path.pop();
    const track = TRACKS.includes(String(track_type)) ? String(track_type) : stableJson(track_type ?? null);
    const count = (counts.get(track) ?? 0) + 1;
    counts.set(track, count);
    return [count === 1 ? track : `${track} (${count})`, spec] as const;
  });
  return Object.fromEntries(specs);
}

function readScalar({ type }: FieldShape, value: unknown): Json | undefined {
  return type === 'integer' ? asInteger(value) : type === 'boolean' ? asBoolean(value) : asString(value);
}

/** Notes a value that has another type than documented, and returns it. */
function noteWrongType(value: unknown, context: ReadContext): Json {
  const shown = shownValue(value);
  context.wrongType.push({ path: pointer(context.path), value: shown });
  return shown;
}

/** Returns a value of a response as JSON. Of one that is nested so deep that recursive functions could overflow, only a note is kept. */
function shownValue(value: unknown): Json {
  return isJson(value) ? value : 'nested too deep';
}

/** A setting whose value has another type than documented. */
export interface WrongTypeField {
  readonly path: Path;
  readonly value: Json;
}

/** Returns the settings in canonical form whose values have another type than documented. */
export function wrongTypeFields(settings: JsonObject): readonly WrongTypeField[] {
  return wrongTypeWithin(POLICY, settings, []);
}

function wrongTypeWithin(part: FieldShape, value: Json, path: Path): readonly WrongTypeField[] {
  const shape = resolveRef(part);
  const { type, properties = {}, items } = shape;
  if (type !== 'object' && type !== 'array') return readScalar(shape, value) === undefined ? [{ path, value }] : [];
  if (!isJsonObject(value)) return [{ path, value: isList(value) && type === 'array' ? (asFields(value[0]).odd ?? null) : value }];
  return Object.entries(value).flatMap(([member, inner]) => {
    const innerShape = items ?? properties[member];
    return innerShape ? wrongTypeWithin(innerShape, inner, [...path, member]) : [];
  });
}
