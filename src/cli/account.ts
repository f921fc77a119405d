import type { Target } from '../engine/configuration.ts';
import type { Declaration } from '../engine/declaration.ts';
import type { Allowed } from '../engine/guard.ts';
import { type Reconciled, reconcile } from '../engine/reconcile.ts';
import type { ServiceError } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { workTreeState } from '../ledger/git.ts';
import { createService, type ServiceHandle } from '../service/service.ts';
import { credentialsOf } from './credentials.ts';
import { EXIT, type Exit } from './exit.ts';
import type { Io } from './io.ts';
import { createLog } from './log.ts';
import type { GlobalOptions } from './options.ts';
import { complain } from './output.ts';
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
  options: GlobalOptions,
  work: (account: Account) => Promise<Result>,
): Promise<Result> {
  const { owner, apiKey } = await credentialsOf(target, session.folder, io);
  const log = createLog(io.stderr, options.logLevel, options.logFormat);
  const status = createStatus(io, options.quiet === true);
  const service = createService({
    baseUrl: target.baseUrl,
    owner,
    apiKey,
    http: target.http,
    v3Post: target.service.v3Post,
    now: io.now,
    signal: io.signal,
    onEvent(event) {
      log[event.failure ? 'info' : 'debug'](event, 'request');
      status.say(`${event.method} ${event.path}`);
    },
  });
  try {
    return await work({ service, owner, status });
  } finally {
    status.clear();
    await service.close();
  }
}

/** Plans a target against its account. */
export async function planTarget(
  session: Session,
  target: Target,
  declaration: Declaration,
  account: Account,
  io: Io,
  options: Pick<GlobalOptions, 'only'>,
  allowed: Allowed,
): Promise<Reconciled> {
  const state = await workTreeState(session.folder, io.env);
  return reconcile({
    target,
    owner: account.owner,
    declaration,
    rules: session.project.rules,
    kinds,
    service: account.service,
    now: io.now,
    only: options.only,
    allowed,
    config: state && { ...state, digest: declaration.digest },
  });
}

/** Says why kinds are incomplete, and gives the exit codes that follow. */
export function complainOfFaults(io: Io, faults: readonly ServiceError[]): readonly Exit[] {
  for (const fault of faults) complain(io, fault.message, fault.advice);
  return faults.map(exitOf);
}

/** What a fault of a read means for the run (design section 5, exit codes). */
export function exitOf(fault: ServiceError): Exit {
  if (fault.fault === 'interrupted') return EXIT.interrupted;
  return fault.fault === 'credentials' ? EXIT.credentials : EXIT.incomplete;
}
