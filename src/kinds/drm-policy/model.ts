/**
 * The canonical form of a policy's settings: every setting of drm-api-v3 sections 2.2 to 2.5 is there, and stands at its default where it was
 * absent or null. The schema users' editors load is the one source of names, types and defaults.
 */
import schema from '../../../schemas/drm-policy.schema.json' with { type: 'json' };
import { isJsonObject, isList, isObject, type Json, type JsonObject, pointer } from '../../model/json.ts';
import { asBoolean, asInteger, asList, asString } from '../../model/json-readers.ts';
import type { UnknownMember } from '../kind.ts';

/** The part of JSON Schema that the policy schema uses. */
export interface FieldShape {
  readonly $ref?: string;
  /** `reserved`, or `testing only: <value>`: what the documents remark about a setting. */
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

/** Track types in the order of the documents' table (drm-api-v3 section 2.3). */
export const TRACKS: readonly string[] = schema.definitions.drmContentKeySpec.properties.track_type.enum;

const DEFINITIONS: ReadonlyMap<string, FieldShape> = new Map(
  Object.entries(schema.definitions).map(([name, shape]) => [`#/definitions/${name}`, shape]),
);

/** The shape itself, or the definition that it refers to. */
export function resolved(shape: FieldShape): FieldShape {
  return DEFINITIONS.get(shape.$ref ?? '') ?? shape;
}

/** A declared value as an object; empty where it is absent or something else. */
export function fieldsOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A declared value as a list; empty where it is absent or something else. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

/** The track type of a declared element of `content_key_specs`. */
export function trackOf(spec: JsonObject): string {
  return String(spec.track_type ?? schema.definitions.drmContentKeySpec.properties.track_type.default);
}

/** Settings in canonical form, and the members that no document names. */
export interface CanonicalPolicy {
  readonly fields: JsonObject;
  readonly unknown: readonly UnknownMember[];
}

/** Makes the error for a value that has another form than the documents say, for example `/fairplay/lease is not of type boolean`. */
export type Refuse = (what: string) => Error;

interface Reading {
  readonly unknown: UnknownMember[];
  readonly refuse: Refuse;
  /** Where it is. */
  readonly path: (string | number)[];
}

/** Brings settings into canonical form; `content_key_specs` becomes an object by track type as written. @throws what `refuse` makes */
export function canonical(settings: unknown, refuse: Refuse): CanonicalPolicy {
  const unknown: UnknownMember[] = [];
  return { fields: readObject(POLICY, settings, { unknown, refuse, path: [] }), unknown };
}

function read(part: FieldShape, value: unknown, step: string | number, reading: Reading): Json {
  reading.path.push(step);
  const shape = resolved(part);
  const found = readAs(shape, value ?? shape.default, reading);
  reading.path.pop();
  return found;
}

function readAs(shape: FieldShape, value: unknown, reading: Reading): Json {
  if (shape.type === 'object') return readObject(shape, value ?? {}, reading);
  return shape.type === 'array' ? readSpecs(shape, value, reading) : readScalar(shape, value, reading);
}

function readObject({ properties = {} }: FieldShape, value: unknown, reading: Reading): JsonObject {
  if (!isObject(value)) throw reading.refuse(`${pointer(reading.path)} is not an object`);
  for (const member of Object.keys(value)) {
    const foreign = Object.hasOwn(properties, member) ? null : value[member];
    if (foreign !== null) reading.unknown.push(unknownMember(member, foreign, reading));
  }
  const fields: { [member: string]: Json } = {};
  for (const member in properties) fields[member] = read(properties[member] ?? {}, value[member], member, reading);
  return fields;
}

/** A track that is named again gets a key of its own (`HD (2)`), so that no element is lost and the list differs from every proper one. */
function readSpecs({ items = {} }: FieldShape, value: unknown, reading: Reading): JsonObject {
  const list = asList(value);
  if (!list) throw reading.refuse(`${pointer(reading.path)} is not a list`);
  const named = new Map<string, number>();
  const specs = list.map((item, index) => {
    reading.path.push(index);
    const { track_type, ...spec } = readObject(resolved(items), item, reading);
    reading.path.pop();
    const track = String(track_type);
    const times = (named.get(track) ?? 0) + 1;
    named.set(track, times);
    return [times === 1 ? track : `${track} (${times})`, spec] as const;
  });
  return Object.fromEntries(specs);
}

function readScalar({ type }: FieldShape, value: unknown, reading: Reading): Json {
  const scalar = type === 'integer' ? asInteger(value) : type === 'boolean' ? asBoolean(value) : asString(value);
  if (scalar === undefined) throw reading.refuse(`${pointer(reading.path)} is not of type ${type}`);
  return scalar;
}

function unknownMember(member: string, value: unknown, reading: Reading): UnknownMember {
  const path = pointer([...reading.path, member]);
  if (!isJson(value)) throw reading.refuse(`${path} is nested too deep`);
  return { path, value };
}

/** Parsed text is JSON whatever it holds; the depth is bounded so that a hostile answer cannot exhaust the stack later. */
function isJson(value: unknown, depth = 64): value is Json {
  if (Array.isArray(value)) return depth > 0 && value.every((item) => isJson(item, depth - 1));
  if (isObject(value)) return depth > 0 && Object.values(value).every((part) => isJson(part, depth - 1));
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
