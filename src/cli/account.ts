import type { Target } from '../engine/configuration.ts';
import type { Declaration } from '../engine/declaration.ts';
import type { Allowed } from '../engine/guard.ts';
import { type Reconciled, reconcile } from '../engine/reconcile.ts';
import type { ServiceError } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { workTreeState } from '../ledger/git.ts';
import { createService, type ServiceEvent, type ServiceHandle } from '../service/service.ts';
import { credentialsOf } from './credentials.ts';
import { EXIT, type Exit } from './exit.ts';
import type { Io } from './io.ts';
import { createLog } from './log.ts';
import type { NoiseOptions, PlanningOptions } from './options.ts';
import { complain, warn } from './output.ts';
import type { Session } from './session.ts';
import { createStatus, type Status } from './status.ts';

/** One live account, ready to be spoken to. */
export interface Account {
  readonly service: ServiceHandle;
  readonly owner: string;
  readonly status: Status;
}

/** Opens a target's account for the time of `work`, and closes it whatever happens. */
export async function withAccount<Result>(
  session: Session,
  target: Target,
  io: Io,
  options: NoiseOptions,
  work: (account: Account) => Promise<Result>,
): Promise<Result> {
  const { owner, apiKey } = await credentialsOf(target, session.folder, io);
  const status = createStatus(io, options.quiet === true);
  const service = createService({
    baseUrl: target.baseUrl,
    owner,
    apiKey,
    http: target.http,
    v3Post: target.service.v3Post,
    now: io.now,
    signal: io.signal,
    onEvent: requestLog(io, options, status),
  });
  try {
    return await work({ service, owner, status });
  } finally {
    status.clear();
    await service.close();
  }
}

/** Logs each attempt, and shows it in the status line, which makes way for the log. */
function requestLog(io: Io, options: NoiseOptions, status: Status): (event: ServiceEvent) => void {
  const aside = (text: string): void => {
    status.clear();
    io.stderr.write(text);
  };
  const log = createLog({ write: aside }, options);
  return ({ method, path, status: answered, tookMs, attempt, failure, retryInMs }) => {
    const happened = {
      method,
      path,
      status: answered,
      tookMs,
      attempt,
      ...failure,
      ...(retryInMs === null ? {} : { retryInMs: Math.round(retryInMs) }),
    };
    // That something is not there is often what was to be found out.
    if (failure && failure.fault !== 'absent') log.info(happened, 'request failed');
    else log.debug(happened, 'request');
    status.say(`${method} ${path}`);
  };
}

/** Plans a target against its account. */
export async function planTarget(
  session: Session,
  target: Target,
  declaration: Declaration,
  account: Account,
  io: Io,
  options: Pick<PlanningOptions, 'only'>,
  allowed: Allowed,
): Promise<Reconciled> {
  const state = await workTreeState(session.folder, io.env);
  const reconciled = await reconcile({
    target,
    owner: account.owner,
    declaration,
    rules: session.project.rules,
    kinds,
    service: account.service,
    now: io.now,
    only: options.only,
    onlyOrigin: null,
    memory: null,
    goesBack: false,
    base: null,
    allowed,
    config: state && { ...state, digest: declaration.digest },
  });
  account.status.clear();
  if (options.only.length > 0 && !Object.values(reconciled.plan.observed).some((seen) => seen === 'complete' || seen === 'incomplete')) {
    warn(io, '--only leaves nothing to look at', 'it takes addresses, for example playlist/evening-block or drm-policy/*');
  }
  return reconciled;
}

/** Says why kinds are incomplete, an advice that several share only once, and gives the exit codes that follow. */
export function complainOfFaults(io: Io, faults: readonly ServiceError[]): readonly Exit[] {
  faults.forEach((fault, index) => {
    complain(io, fault.message, fault.advice === faults[index + 1]?.advice ? '' : fault.advice);
  });
  return faults.map(exitOf);
}

/** What a fault of a read means for the run (design section 5, exit codes). */
function exitOf(fault: ServiceError): Exit {
  if (fault.fault === 'interrupted') return EXIT.interrupted;
  return fault.fault === 'credentials' ? EXIT.credentials : EXIT.incomplete;
}
