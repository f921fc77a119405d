/** Observes a run: passes its events to the log and to the traces, each of which is loaded only where somebody asked for it. */
import type { ApiClientEvent, AttemptDetail } from '../api-client/client.ts';
import type { JsonObject } from '../model/json.ts';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { openLog } from './log.ts';
import type { NoiseOptions } from './options.ts';
import type { EventContext, EventName, EventStreams, OpenSink, RunEvent, Telemetry } from './run-events.ts';
import type { AppContext } from './runtime.ts';

/**
 * Runs `work` with a context that is observed by the log and the traces, if there are any. Returns its exit code, which neither of them
 * changes.
 */
export async function withTelemetry(
  io: AppContext,
  options: Pick<NoiseOptions, 'logLevel' | 'logFormat'>,
  work: (io: AppContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const log = await openLog(io.runId, options);
  const traces = isTraced(io) ? await (await import('./run-traces.ts')).openTraces(io) : null;
  const open = [log, traces?.open].filter((each) => each !== null && each !== undefined);
  if (open.length === 0) return work(io);
  const telemetry = observe(open, io.now, io, null);
  const began = io.elapsed();
  let exit: ExitCode = EXIT_CODES.error;
  telemetry.emit('run started', { command: io.argv[0] ?? '' });
  try {
    exit = await work({ ...io, telemetry });
    return exit;
  } finally {
    telemetry.emit('run ended', { exit, tookMs: Math.round(io.elapsed() - began) });
    await traces?.finish();
  }
}

/** Decides whether traces are wanted; the other variables of OpenTelemetry are read by `src/tracing`. */
function isTraced({ env }: AppContext): boolean {
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

function observe(open: readonly OpenSink[], now: () => number, streams: EventStreams, target: string | null): Telemetry {
  const sinks = open.map((openSink) => openSink(streams));
  let context: EventContext = { target, commit: null, phase: null };
  const record = (name: EventName, members: () => JsonObject, attempt?: ApiClientEvent): void => {
    const interested = sinks.filter((sink) => sink.wants(name));
    if (interested.length === 0) return;
    const event: RunEvent = { ...context, name, at: now(), members: members(), ...(attempt ? { attempt } : {}) };
    for (const sink of interested) sink.record(event);
  };
  return {
    emit: (name, members = {}) => record(name, () => members),
    request(attempt) {
      const { method, path, failure } = attempt;
      // 404 is an expected response to an existence check.
      const hasFailed = failure !== null && failure.fault !== 'not-found';
      record(hasFailed ? 'request failed' : 'request', () => requestMembers(attempt), attempt);
      record('request detail', () => ({ method, path, attempt: attempt.attempt, ...detailMembers(attempt.detail()) }));
    },
    enter(phase) {
      context = { ...context, phase };
      record('phase started', () => ({}));
    },
    configured(state) {
      context = { ...context, commit: state?.commit ?? null };
      record('configuration loaded', () => ({ dirty: state?.dirty ?? null }));
    },
    forTarget: (name, own) => observe(open, now, own, name),
  };
}

function requestMembers({ method, path, status, tookMs, attempt, failure, retryInMs, addresses, requestId }: ApiClientEvent): JsonObject {
  const [address, ...others] = addresses;
  return {
    method,
    path,
    status,
    tookMs: Math.round(tookMs),
    attempt,
    ...(address === undefined ? {} : others.length === 0 ? { address } : { addresses: [...addresses] }),
    ...(requestId === null ? {} : { requestId }),
    ...failure,
    ...(retryInMs === null ? {} : { retryInMs: Math.round(retryInMs) }),
  };
}

function detailMembers({ responseHeaders, ...detail }: AttemptDetail): JsonObject {
  return { ...detail, ...(responseHeaders ? { responseHeaders: [...responseHeaders] } : {}) };
}
