/** Writes spans in the JSON form of OTLP. */
import type { Json, JsonObject } from '../model/json.ts';

/** The value of an attribute. */
export type AttributeValue = string | number | boolean | readonly string[];

/** Attributes by their names. */
export type Attributes = { readonly [name: string]: AttributeValue };

/** A span that has ended. Times in Unix milliseconds. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** A client span is a request to another service. */
  readonly kind: 'internal' | 'client';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Why it failed; undefined where it did not. */
  readonly error?: string | undefined;
}

/** Something that happened in a span. */
export interface SpanEvent {
  readonly name: string;
  readonly at: number;
  readonly attributes: Attributes;
}

/** The numbers of the kinds of spans, and of the status of a failed one, in the protocol. */
const KINDS: { readonly [kind in Span['kind']]: number } = { internal: 1, client: 3 };
const STATUS_ERROR = 2;

/** Writes the body of an export request. `version` is that of upkeep. */
export function exportRequest(spans: readonly Span[], resource: Attributes, version: string): string {
  const scope = { name: 'upkeep', version };
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: attributeList(resource) }, scopeSpans: [{ scope, spans: spans.map(spanJson) }] }],
  });
}

function spanJson({ traceId, spanId, parentSpanId, name, kind, startedAt, endedAt, attributes, events, error }: Span): JsonObject {
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(Math.max(startedAt, endedAt)),
    attributes: attributeList(attributes),
    events: events.map((event) => ({
      name: event.name,
      timeUnixNano: nanoseconds(event.at),
      attributes: attributeList(event.attributes),
    })),
    status: error === undefined ? {} : { code: STATUS_ERROR, message: error },
  };
}

/** 64-bit numbers are texts in the JSON form. */
function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}

function attributeList(attributes: Attributes): Json[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: attributeValue(value) }));
}

function attributeValue(value: AttributeValue): JsonObject {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
}
