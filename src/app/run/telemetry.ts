/** Observes a run: passes its events to the log. */
import type { ApiClientEvent, AttemptDetail } from '../../core/api-client/client.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { openLog } from './log.ts';
import type { NoiseOptions } from './options.ts';
import type { EventContext, EventName, EventStreams, OpenSink, Telemetry } from './run-events.ts';
import type { AppContext } from './runtime.ts';

/** Runs `work` with a context that is observed by the log, if there is one. Returns its exit code, which the log does not change. */
export async function withTelemetry(
  io: AppContext,
  options: Pick<NoiseOptions, 'logLevel' | 'logFormat'>,
  work: (io: AppContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const log = await openLog(io.runId, options);
  if (log === null) return work(io);
  const telemetry = observe(log, io.now, io, null);
  const began = io.elapsed();
  let exit: ExitCode = EXIT_CODES.error;
  telemetry.emit('run started', { command: io.argv[0] ?? '' });
  try {
    exit = await work({ ...io, telemetry });
    return exit;
  } finally {
    telemetry.emit('run ended', { exit, tookMs: Math.round(io.elapsed() - began) });
  }
}

function observe(open: OpenSink, now: () => number, streams: EventStreams, target: string | null): Telemetry {
  const sink = open(streams);
  let context: EventContext = { target, commit: null, phase: null };
  const record = (name: EventName, members: () => JsonObject): void => {
    if (sink.wants(name)) sink.record({ ...context, name, at: now(), members: members() });
  };
  return {
    emit: (name, members = {}) => record(name, () => members),
    request(attempt) {
      const { method, path, failure } = attempt;
      // 404 is an expected response to an existence check.
      const hasFailed = failure !== null && failure.category !== 'not-found';
      record(hasFailed ? 'request failed' : 'request', () => requestMembers(attempt));
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
