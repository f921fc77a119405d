/** The traces of a run: a span for the run, for each phase of each target, and for each attempt of a request. */
import { randomBytes } from 'node:crypto';
import type { ApiClientEvent } from '../api-client/client.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { tracingSettings } from '../tracing/environment.ts';
import { createExporter } from '../tracing/exporter.ts';
import type { Attributes, AttributeValue, Span, SpanEvent } from '../tracing/otlp.ts';
import { isFailure, toCliError } from './exit-codes.ts';
import { warn } from './messages.ts';
import { proxyFor } from './proxy.ts';
import type { EventSink, EventStreams, OpenSink, RunEvent } from './run-events.ts';
import type { AppContext } from './runtime.ts';
import { VERSION } from './version.ts';

/** The traces of a run. */
export interface RunTraces {
  readonly open: OpenSink;
  /** Sends what is left. A collector that does not take it is a warning. */
  finish(): Promise<void>;
}

/** Maximum number of events of one span: an apply of thousands of changes has that many. */
const MAX_EVENTS = 1_000;

/** A span that has not ended. */
interface OpenSpan {
  readonly spanId: string;
  readonly name: string;
  readonly startedAt: number;
  readonly attributes: Attributes;
  readonly events: SpanEvent[];
}

/** Opens the traces of a run; null where they are switched off, or cannot be sent, which is a warning. */
export async function openTraces(io: AppContext): Promise<RunTraces | null> {
  const settings = tracingSettings(io.env);
  if (settings === null) return null;
  if ('problem' in settings) {
    warnOfLoss(io, `no traces are sent: ${settings.problem}`);
    return null;
  }
  for (const value of Object.values(settings.headers)) hideHeader(value, io);
  const { url, parent } = settings;
  let proxy: string | undefined;
  try {
    proxy = proxyFor(url.href, io);
  } catch (error) {
    warnOfLoss(io, `no traces are sent: ${toCliError(error).message}`);
    return null;
  }
  const exporter = createExporter(settings, {
    version: VERSION,
    elapsed: io.elapsed,
    proxy,
    fetch: io.fetch,
  });
  const traceId = parent?.traceId ?? newId(16);
  const run = openSpan(`upkeep ${io.argv[0] ?? ''}`.trim(), io.now(), { 'upkeep.run_id': io.runId });
  const end = ({ attributes, ...span }: OpenSpan, parentSpanId: string | null, endedAt: number, more: Attributes, error?: string): void =>
    exporter.add({ ...span, traceId, parentSpanId, kind: 'internal', endedAt, attributes: { ...attributes, ...more }, error });
  const open = ({ secrets }: EventStreams): EventSink => {
    let phase: OpenSpan | null = null;
    const endPhase = (at: number): void => {
      if (phase) end(phase, run.spanId, at, {});
      phase = null;
    };
    return {
      wants: (name) => name !== 'request detail',
      record(event) {
        const { name, at, attempt } = event;
        const members = secrets.redactIn(event.members);
        const parentSpanId = (phase ?? run).spanId;
        if (attempt) exporter.add(requestSpan(attempt, { traceId, spanId: newId(8), parentSpanId, endedAt: at }, members));
        else if (name === 'phase started') {
          endPhase(at);
          phase = openSpan(event.phase ?? '', at, contextAttributes(event));
        } else if (name === 'target ended') endPhase(at);
        else if (name === 'run ended') {
          const exit = Number(members.exit);
          end(run, parent?.spanId ?? null, at, { 'upkeep.exit_code': exit }, isFailure(exit) ? `exit code ${exit}` : undefined);
        } else if ((phase ?? run).events.length < MAX_EVENTS) (phase ?? run).events.push({ name, at, attributes: attributesOf(members) });
      },
    };
  };
  return {
    open,
    async finish() {
      const problem = await exporter.finish();
      if (problem !== null) warnOfLoss(io, `not all traces were sent to ${url.origin}: ${problem}`);
    },
  };
}

function warnOfLoss(io: AppContext, summary: string): void {
  warn(io, summary, 'nothing else is affected; check the OTEL_ variables, or set OTEL_SDK_DISABLED=true');
}

/** Hides a header from the output, and the words of it: a token is most often the second one. */
function hideHeader(value: string, { secrets }: AppContext): void {
  for (const secret of [value, ...value.split(' ')]) secrets.add(secret);
}

/** Returns random bytes in hexadecimal. */
function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

function openSpan(name: string, startedAt: number, attributes: Attributes): OpenSpan {
  return { spanId: newId(8), name, startedAt, attributes, events: [] };
}

function contextAttributes({ target, commit }: RunEvent): Attributes {
  return { ...(target === null ? {} : { 'upkeep.target': target }), ...(commit === null ? {} : { 'vcs.ref.head.revision': commit }) };
}

/** Builds the span of an attempt, by the semantic conventions for HTTP clients. The query of a request is its signature, and left out. */
function requestSpan(
  { baseUrl, method, status, attempt, failure, tookMs }: ApiClientEvent,
  ids: Pick<Span, 'traceId' | 'spanId' | 'parentSpanId' | 'endedAt'>,
  { path, address, addresses, requestId, what }: JsonObject,
): Span {
  const { hostname, port, protocol } = new URL(baseUrl);
  const hasFailed = failure !== null && failure.fault !== 'not-found';
  return {
    ...ids,
    name: method,
    kind: 'client',
    startedAt: ids.endedAt - tookMs,
    events: [],
    attributes: {
      'http.request.method': method,
      'url.full': `${baseUrl}${String(path)}`,
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      ...(status === null ? {} : { 'http.response.status_code': status }),
      ...(attempt > 1 ? { 'http.request.resend_count': attempt - 1 } : {}),
      ...(failure === null ? {} : { 'error.type': status !== null && status >= 400 ? String(status) : failure.fault }),
      ...attributesOf({ address, addresses, request_id: requestId }),
    },
    error: hasFailed ? String(what) : undefined,
  };
}

/** Returns members of an event as attributes. */
function attributesOf(members: { readonly [name: string]: Json | undefined }): Attributes {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]): [string, AttributeValue][] => {
      if (value === null || value === undefined) return [];
      const plain = typeof value === 'object' ? (Array.isArray(value) ? value.map(String) : JSON.stringify(value)) : value;
      return [[`upkeep.${name}`, plain]];
    }),
  );
}
