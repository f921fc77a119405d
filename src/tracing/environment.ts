/** Reads the variables by which OpenTelemetry is set up, and the parent of the trace (W3C Trace Context). */
import { withoutTrailing } from '../model/trim.ts';

type Environment = { readonly [name: string]: string | undefined };

/** Where traces go, and to which trace they belong. */
export interface TracingSettings {
  /** http or https. */
  readonly url: URL;
  /** They may hold credentials. */
  readonly headers: { readonly [name: string]: string };
  /** Attributes of the resource, `service.name` among them. */
  readonly resource: { readonly [name: string]: string };
  /** The span that started this run; null for none. */
  readonly parent: { readonly traceId: string; readonly spanId: string } | null;
}

/** The protocol that OpenTelemetry has and upkeep has not. */
const UNSUPPORTED = 'grpc';

/**
 * Reads the settings; null where traces are switched off, or where the run that started this one is not sampled. A problem is a clause, and
 * holds no value of a variable.
 */
export function tracingSettings(env: Environment): TracingSettings | { readonly problem: string } | null {
  const of = (name: string): string => env[name]?.trim() ?? '';
  if (of('OTEL_SDK_DISABLED').toLowerCase() === 'true' || of('OTEL_TRACES_EXPORTER') === 'none') return null;
  const parent = parentOf(of('TRACEPARENT'));
  if (parent?.sampled === false) return null;
  const own = of('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const name = own === '' ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const endpoint = of(name);
  if (endpoint === '') return null;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return { problem: `${name} is no http or https address` };
  // The general endpoint is the place below which each signal has its path; that of the signal is used as it is.
  if (own === '') url.pathname = `${withoutTrailing(url.pathname, '/')}/v1/traces`;
  if ((of('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || of('OTEL_EXPORTER_OTLP_PROTOCOL')) === UNSUPPORTED)
    return { problem: 'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and upkeep sends JSON over HTTP' };
  const headers = { ...pairsIn(of('OTEL_EXPORTER_OTLP_HEADERS')), ...pairsIn(of('OTEL_EXPORTER_OTLP_TRACES_HEADERS')) };
  const unusable = Object.entries(headers).some(([header, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(header) || /[^\t\x20-\x7e]/.test(value));
  if (unusable) return { problem: 'OTEL_EXPORTER_OTLP_HEADERS holds what is no header' };
  const attributes = pairsIn(of('OTEL_RESOURCE_ATTRIBUTES'));
  const service = of('OTEL_SERVICE_NAME') || attributes['service.name'] || 'upkeep';
  return { url, headers, resource: { ...attributes, 'service.name': service }, parent };
}

/** Parses `name=value,name=value` with percent-encoded values. What has another form is left out. */
function pairsIn(text: string): { readonly [name: string]: string } {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return name === '' ? [] : [[name, decoded(value)]];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (error instanceof URIError) return value;
    throw error;
  }
}

/** Parses a `traceparent`; null where it is missing or invalid, so that the run begins a trace of its own. */
function parentOf(text: string): { readonly traceId: string; readonly spanId: string; readonly sampled: boolean } | null {
  const [, version = '', traceId = '', spanId = '', flags = '', more] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(text) ?? [];
  const isValid =
    traceId !== '' && version !== 'ff' && (version !== '00' || more === undefined) && /[^0]/.test(traceId) && /[^0]/.test(spanId);
  return isValid ? { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 } : null;
}
