/** Connects to a live account: opens its API client, logs its requests, and reports its errors. */

import { type ApiClient, type ApiClientEvent, createApiClient } from '../api-client/client.ts';
import type { Target } from '../config/project.ts';
import type { ApiError } from '../kinds/kind.ts';
import { actorOf } from '../ledger/actor.ts';
import { isObject } from '../model/json.ts';
import type { RunMetadata } from '../model/plan.ts';
import { visible, visibleJson } from '../report/escape.ts';
import type { Credentials } from './credentials.ts';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import type { LoadedState } from './load-state.ts';
import { info, reportError } from './messages.ts';
import type { NoiseOptions } from './options.ts';
import { durationText } from './progress.ts';
import { proxyFor } from './proxy.ts';
import type { AppContext, Status, TextWriter } from './runtime.ts';

/** An open connection to one live account. */
export interface ApiConnection {
  readonly client: ApiClient;
  /** The client that writes and verifies. It is `client`, unless the target has credentials of their own for that. */
  readonly writer: ApiClient;
  readonly owner: string;
  readonly status: Status;
}

/** When requests may be sent: none once `signal` is aborted, and a write after `beforeWrite`. */
interface RequestLimits {
  readonly signal: AbortSignal;
  beforeWrite?(): Promise<void>;
}

/**
 * Opens an API client for a target's account, runs `work` and closes the client. `writing` are the credentials of the client that writes,
 * where they are others.
 */
export async function withApiClient<Result>(
  target: Target,
  credentials: Credentials,
  io: AppContext,
  options: NoiseOptions,
  work: (connection: ApiConnection) => Promise<Result>,
  { signal, beforeWrite }: RequestLimits = io,
  writing = credentials,
): Promise<Result> {
  const status = io.startStatus(options.quiet === true);
  const onEvent = requestLog(await createLog(io.stderr, options), status);
  const clientOptions = {
    baseUrl: target.baseUrl,
    http: target.http,
    v3Post: target.service.v3Post,
    signatureIn: target.service.signatureIn,
    scopedKeyV3Post: target.service.scopedKeyV3Post,
    proxy: proxyFor(target.baseUrl, io),
    ...(io.fetch ? { fetch: io.fetch } : {}),
    now: io.now,
    elapsed: io.elapsed,
    signal,
    ...(beforeWrite ? { beforeWrite } : {}),
    signatures: io.secrets.signatures,
    onEvent,
  };
  const client = createApiClient({ ...clientOptions, credentials });
  const writer = writing === credentials ? client : createApiClient({ ...clientOptions, credentials: writing });
  const explainInterrupt = (): void => {
    info(io, 'interrupted: no new requests are started, and requests in flight finish; interrupt again to exit immediately');
  };
  io.signal.addEventListener('abort', explainInterrupt, { once: true });
  status.show(durationText('reading', io.now()));
  try {
    return await work({ client, writer, owner: credentials.owner, status });
  } finally {
    io.signal.removeEventListener('abort', explainInterrupt);
    status.clear();
    await Promise.all([client.close(), writer.close()]);
  }
}

/** Creates a listener that logs each request attempt and shows it in the status. */
function requestLog(log: Log, status: Status): (event: ApiClientEvent) => void {
  return ({ method, path, status: httpStatus, tookMs, attempt, failure, retryInMs }) => {
    const members = {
      method,
      path,
      status: httpStatus,
      tookMs: Math.round(tookMs),
      attempt,
      ...failure,
      ...(retryInMs === null ? {} : { retryInMs: Math.round(retryInMs) }),
    };
    // 404 is an expected response to an existence check.
    if (failure && failure.fault !== 'not-found') log.info(members, 'request failed');
    else log.debug(members, 'request');
    status.say(`${method} ${path}`);
  };
}

/** Reports the read errors, with advice that consecutive errors share only once. Returns their exit codes. */
export function reportReadErrors(io: AppContext, errors: readonly ApiError[]): readonly ExitCode[] {
  errors.forEach((error, index) => {
    reportError(io, error.message, error.advice === errors[index + 1]?.advice ? '' : error.advice);
  });
  return errors.map(exitCodeOf);
}

/** Returns the exit code of a read error (design section 5, exit codes). */
export function exitCodeOf(error: ApiError): ExitCode {
  if (error.kind === 'interrupted') return EXIT_CODES.interrupted;
  return error.kind === 'credentials' ? EXIT_CODES.credentials : EXIT_CODES.incomplete;
}

/** Returns the metadata of a run: when, by whom and where, request counts, retries, and the time of the last apply. */
export function runMetadata(
  io: Pick<AppContext, 'now' | 'env'>,
  { client, writer }: ApiConnection,
  state: Pick<LoadedState, 'last'> | null,
): RunMetadata {
  const counts = [...new Set([client, writer])].map((each) => each.counts);
  const sum = (of: (count: ApiClient['counts']) => number): number => counts.reduce((total, count) => total + of(count), 0);
  const retries = sum((count) => count.retries);
  const lastApply = state?.last?.entry.at;
  return {
    at: new Date(io.now()).toISOString(),
    ...actorOf(io.env),
    requests: sum((count) => count.reads + count.writes) + retries,
    retries,
    ...(lastApply === undefined ? {} : { lastApply }),
  };
}

/** The log of HTTP requests; it has no warnings. */
export interface Log {
  debug(members: object, message: string): void;
  info(members: object, message: string): void;
}

/** Creates a log on stderr: one JSON object a line, or one short line of text. Credentials are never passed to it. */
export async function createLog(stderr: TextWriter, { logLevel, logFormat }: Pick<NoiseOptions, 'logLevel' | 'logFormat'>): Promise<Log> {
  if (!REQUEST_LEVELS.includes(logLevel)) return SILENT;
  // Few runs are logged, and loading pino takes 3 % of a plan.
  const { default: pino } = await import('pino');
  const format = logFormat === 'json' ? visibleJson : entryText;
  const log = pino({ level: logLevel, base: null }, { write: (line) => stderr.write(`${format(entryOf(line))}\n`) });
  return {
    debug: (members, message) => log.debug(members, message),
    info: (members, message) => log.info(members, message),
  };
}

/** The levels at which requests are logged. */
const REQUEST_LEVELS: readonly NoiseOptions['logLevel'][] = ['trace', 'debug', 'info'];

const SILENT: Log = { debug: () => undefined, info: () => undefined };

/** A parsed entry of pino. */
type LogEntry = { readonly [member: string]: unknown };

function entryOf(line: string): LogEntry {
  const entry: unknown = JSON.parse(line);
  return isObject(entry) ? entry : { msg: line };
}

const LEVEL_NAMES: { readonly [level: number]: string } = { 20: 'debug', 30: 'info' };

/** Formats an entry as `debug: request method=GET path=/api/v3/drm/policies status=200`; values with spaces are quoted. */
function entryText({ level, time: _time, msg, ...rest }: LogEntry): string {
  const members = Object.entries(rest).map(([name, value]) => `${visible(name)}=${memberText(value)}`);
  return [`${LEVEL_NAMES[Number(level)] ?? 'log'}:`, visible(String(msg)), ...members].join(' ');
}

function memberText(value: unknown): string {
  const plain = typeof value === 'string' && /^[!-~]+$/.test(value) && !value.includes('"');
  return plain ? visible(value) : visible(JSON.stringify(value));
}
