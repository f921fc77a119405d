/** Sends spans to a collector over HTTP, in batches and in bounded memory. A collector that does not work costs seconds, never the run. */
import { sleep } from '../api-client/monotonic.ts';
import { createRedactor } from '../api-client/redact.ts';
import { parseBody } from '../api-client/response.ts';
import { createTransport, type HttpResponse, type TransportOptions } from '../api-client/transport.ts';
import { isObject } from '../model/json.ts';
import type { TracingSettings } from './environment.ts';
import { exportRequest, type Span } from './otlp.ts';

/** Number of spans in one request. */
export const BATCH_SIZE = 512;

/** Maximum number of spans that wait; what comes while the collector is that far behind is dropped. */
export const MAX_WAITING = 4_096;

/** Longest duration of one request, and of all that is left to send at the end of a run, milliseconds. */
export const TIMEOUT_MS = 3_000;

/** Delay before a request is sent a second and last time, milliseconds. */
const RETRY_MS = 250;

/** The responses after which the protocol lets a request be repeated. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Sends spans. */
export interface SpanExporter {
  add(span: Span): void;
  /** Sends what is left and closes the connection. Returns why spans were lost, a clause; null where none were. */
  finish(): Promise<string | null>;
}

/** What an exporter needs besides its settings. */
export interface ExporterOptions extends Pick<TransportOptions, 'fetch' | 'proxy'> {
  /** The version of upkeep. */
  readonly version: string;
  /** Milliseconds of a clock that never goes back. */
  elapsed(): number;
}

/** Creates an exporter; it sends nothing before there is a batch, or the end. */
export function createExporter({ url, headers, resource }: TracingSettings, options: ExporterOptions): SpanExporter {
  const { version, elapsed } = options;
  const transport = createTransport({ baseUrl: url.origin, connections: 1, maxBodyMib: 1, fetch: options.fetch, proxy: options.proxy });
  const hideHeaders = createRedactor(Object.values(headers));
  const waiting: Span[] = [];
  let sending: Promise<void> | null = null;
  let endsAt = Number.POSITIVE_INFINITY;
  let problem: string | null = null;
  let hasDropped = false;

  const exchange = async (body: string, timeoutMs: number) =>
    transport.exchange(
      { method: 'POST', path: url.pathname + url.search, headers: { ...headers, 'content-type': 'application/json' }, body },
      timeoutMs,
      hideHeaders,
    );
  const send = async (spans: readonly Span[]): Promise<void> => {
    const body = exportRequest(spans, { 'service.version': version, ...resource }, version);
    for (let attempt = 1; ; attempt += 1) {
      const result = await exchange(body, Math.max(1, Math.min(TIMEOUT_MS, endsAt - elapsed())));
      const refusal = 'kind' in result ? result.what : refusalOf(result);
      if (refusal === null) return;
      const mayRepeat = 'kind' in result ? result.kind === 'unreachable' && result.retryClass !== 'never' : RETRYABLE.has(result.status);
      if (attempt === 2 || !mayRepeat || elapsed() + RETRY_MS >= endsAt) {
        problem = refusal;
        waiting.length = 0;
        return;
      }
      await sleep(RETRY_MS);
    }
  };
  const sendBatch = (): Promise<void> => {
    sending = send(waiting.splice(0, BATCH_SIZE)).finally(() => {
      sending = null;
      if (waiting.length >= BATCH_SIZE) void sendBatch();
    });
    return sending;
  };

  return {
    add(span) {
      if (problem !== null) return;
      if (waiting.length >= MAX_WAITING) hasDropped = true;
      else waiting.push(span);
      if (waiting.length >= BATCH_SIZE && sending === null) void sendBatch();
    },
    async finish() {
      endsAt = elapsed() + TIMEOUT_MS;
      while (problem === null && (sending !== null || waiting.length > 0)) {
        await (sending ?? sendBatch());
        if (elapsed() >= endsAt && waiting.length > 0) problem ??= 'it takes too long';
      }
      await transport.close();
      return problem ?? (hasDropped ? `more than ${MAX_WAITING.toLocaleString('en-US')} spans waited for it` : null);
    },
  };
}

/** Returns why a collector did not take all spans, a clause; null where it did. */
function refusalOf(response: HttpResponse): string | null {
  if (response.status < 200 || response.status >= 300) return `it answered HTTP ${response.status}`;
  if (response.bytes.length === 0) return null;
  const parsed = parseBody(response);
  if ('problem' in parsed || !isObject(parsed.body)) return 'its answer is none of OTLP';
  const { partialSuccess } = parsed.body;
  const rejected = isObject(partialSuccess) ? Number(partialSuccess.rejectedSpans ?? 0) : 0;
  return rejected > 0 ? `it refused ${rejected} spans` : null;
}
