/** Connects to a live account: opens its API client and reports its errors. */

import { type ApiClient, type ApiClientEvent, createApiClient } from '../../core/api-client/client.ts';
import type { Target } from '../../core/config/project.ts';
import type { ApiError } from '../../core/kinds/kind.ts';
import { actorOf } from '../../core/ledger/actor.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';
import { createSettling, type Settling } from '../../core/model/pauses.ts';
import type { RunMetadata } from '../../core/model/plan.ts';
import { exitCodeOf } from '../run/exit-codes.ts';
import { info, reportError } from '../run/messages.ts';
import { hidesProgress, type NoiseOptions } from '../run/options.ts';
import { durationText } from '../run/progress.ts';
import type { AppContext, Status } from '../run/runtime.ts';
import type { Credentials } from './credentials.ts';
import { proxyFor } from './proxy.ts';

/** An open connection to one live account. */
export interface ApiConnection {
  readonly client: ApiClient;
  /** The client that writes and verifies. It is `client`, unless the target has credentials of their own for that. */
  readonly writer: ApiClient;
  readonly owner: string;
  readonly status: Status;
  /** Waits of this run until reads show what was written. */
  readonly settling: Settling;
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
  options: Pick<NoiseOptions, 'quiet' | 'logLevel' | 'logFormat'>,
  work: (connection: ApiConnection) => Promise<Result>,
  { signal, beforeWrite }: RequestLimits = io,
  writing = credentials,
): Promise<Result> {
  const status = io.startStatus(hidesProgress(options));
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
    ...(io.observe ? { observe: io.observe } : {}),
    onEvent(attempt: ApiClientEvent) {
      io.telemetry?.request(attempt);
      status.say(`${attempt.method} ${attempt.path}`);
    },
  };
  const client = createApiClient({ ...clientOptions, credentials });
  const writer = writing === credentials ? client : createApiClient({ ...clientOptions, credentials: writing });
  const explainInterrupt = (): void => {
    info(io, 'interrupted: no new requests are started, and requests in flight finish; interrupt again to exit immediately');
  };
  io.signal.addEventListener('abort', explainInterrupt, { once: true });
  status.show(durationText('reading', io.now()));
  try {
    const { sleep } = client.waitPolicy;
    const settling = createSettling(target.service.settleSeconds * 1000, { elapsed: io.elapsed, sleep });
    return await work({ client, writer, owner: credentials.owner, status, settling });
  } finally {
    io.signal.removeEventListener('abort', explainInterrupt);
    status.clear();
    await Promise.all([client.close(), writer.close()]);
  }
}

/** Reports the read errors, with advice that consecutive errors share only once. Returns their exit codes. */
export function reportReadErrors(io: AppContext, errors: readonly ApiError[]): readonly ExitCode[] {
  errors.forEach((error, index) => {
    reportError(io, error.message, error.advice === errors[index + 1]?.advice ? '' : error.advice);
  });
  return errors.map(exitCodeOf);
}

/** Returns the metadata of a run: when, by whom and where, request counts, retries, and the time of the last apply, ISO 8601. */
export function runMetadata(
  io: Pick<AppContext, 'now' | 'env'>,
  { client, writer }: ApiConnection,
  lastApply: string | undefined,
): RunMetadata {
  const counts = [...new Set([client, writer])].map((each) => each.counts);
  const sum = (of: (count: ApiClient['counts']) => number): number => counts.reduce((total, count) => total + of(count), 0);
  const retries = sum((count) => count.retries);
  return {
    at: new Date(io.now()).toISOString(),
    ...actorOf(io.env),
    requests: sum((count) => count.reads + count.writes) + retries,
    retries,
    ...(lastApply === undefined ? {} : { lastApply }),
  };
}
