/** The messages of OTLP as OpenTelemetry publishes them. Only this file imports its package. */
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';
import { expect } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts';

/** The members that hold bytes: in the JSON form of OTLP they are hexadecimal, in that of protocol buffers base64. */
const BYTES = new Set(['traceId', 'spanId', 'parentSpanId']);

/**
 * Reads an export request, writes it in the binary form of the protocol, and returns what that form holds. What has no place in the protocol
 * is lost on the way, so the two are compared.
 */
export function throughProtocol(body: string): JsonObject {
  const sent: Json = JSON.parse(body);
  const type = messageType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');
  const binary = type.encode(type.fromObject(asObject(mapBytes(sent, 'hex', 'base64')))).finish();
  const options = { longs: String, bytes: String, arrays: true, objects: true };
  const read: Json = JSON.parse(JSON.stringify(type.toObject(type.decode(binary), options)));
  expect(withoutEmpty(mapBytes(read, 'base64', 'hex'))).toEqual(withoutEmpty(sent));
  const named: Json = JSON.parse(JSON.stringify(type.toObject(type.decode(binary), { ...options, enums: String })));
  return asObject(mapBytes(named, 'base64', 'hex'));
}

/** A message of the package, which has no types for it. */
interface MessageType {
  fromObject(object: object): object;
  toObject(message: object, options: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}

function messageType(name: string): MessageType {
  const found = name.split('.').reduce<unknown>((at, part) => (isParent(at) ? Reflect.get(at, part) : undefined), root);
  if (!isMessageType(found)) throw new Error(`there is no message ${name}`);
  return found;
}

function isParent(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isMessageType(value: unknown): value is MessageType {
  return isParent(value) && ['fromObject', 'toObject', 'encode', 'decode'].every((name) => typeof Reflect.get(value, name) === 'function');
}

function asObject(value: Json): JsonObject {
  if (!isJsonObject(value)) throw new Error('it is no object');
  return value;
}

function mapBytes(value: Json, from: 'hex' | 'base64', to: 'hex' | 'base64'): Json {
  if (Array.isArray(value)) return value.map((each) => mapBytes(each, from, to));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    if (!BYTES.has(name) || typeof member !== 'string') return [name, mapBytes(member ?? null, from, to)];
    return [name, Buffer.from(member, from).toString(to)];
  });
  return Object.fromEntries(members);
}

/** Removes empty lists and objects, which the protocol cannot tell from absent ones. */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => [name, withoutEmpty(member ?? null)]);
  return Object.fromEntries(
    members.filter(([, member]) => typeof member !== 'object' || member === null || Object.keys(member).length > 0),
  );
}
