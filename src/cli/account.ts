import type { Target } from '../engine/desired/configuration.ts';
import type { Allowed } from '../engine/guard.ts';
import { type Reconciled, reconcile } from '../engine/reconcile.ts';
import { type Checked, checkReferences, withChecked } from '../engine/references.ts';
import type { Run } from '../engine/run.ts';
import type { ServiceError } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { compareFindings, type Finding } from '../model/finding.ts';
import type { Plan } from '../model/plan.ts';
import { createService, type ServiceEvent, type ServiceHandle } from '../service/service.ts';
import type { Configuration } from './configuration.ts';
import type { Credentials } from './credentials.ts';
import { EXIT, type Exit, Stop } from './exit.ts';
import { devicesOf, meaningFor } from './impact.ts';
import type { Io } from './io.ts';
import { createLog, type Log } from './log.ts';
import type { Remembered } from './memory.ts';
import type { NoiseOptions, PlanningOptions } from './options.ts';
import { complain, remark, warn } from './output.ts';
import { taking } from './progress.ts';
import { proxyFor } from './proxy.ts';
import { hasError, type Session } from './session.ts';
import { createStatus, type Status } from './status.ts';

/** One live account, ready to be spoken to. */
export interface Account {
  readonly service: ServiceHandle;
  readonly owner: string;
  readonly status: Status;
}

/** Opens a target's account for the time of `work`, and closes it whatever happens; nothing more is sent once `signal` is aborted. */
export async function withAccount<Result>(
  target: Target,
  { owner, apiKey }: Credentials,
  io: Io,
  options: NoiseOptions,
  work: (account: Account) => Promise<Result>,
  signal: AbortSignal = io.signal,
): Promise<Result> {
  const status = createStatus(io, options.quiet === true);
  const service = createService({
    baseUrl: target.baseUrl,
    owner,
    apiKey,
    http: target.http,
    v3Post: target.service.v3Post,
    proxy: proxyFor(target.baseUrl, io),
    now: io.now,
    signal,
    signatures: io.secrets.signatures,
    onEvent: requestLog(await createLog(io.stderr, options), status),
  });
  const explain = (): void => {
    remark(io, 'interrupted: nothing more is begun, and what is in flight finishes; a second interrupt ends it at once');
  };
  io.signal.addEventListener('abort', explain, { once: true });
  status.show(taking('reading', io.now()));
  try {
    return await work({ service, owner, status });
  } finally {
    io.signal.removeEventListener('abort', explain);
    status.clear();
    await service.close();
  }
}

/** Logs each attempt, and notes it for the status line. */
function requestLog(log: Log, status: Status): (event: ServiceEvent) => void {
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

/** What a plan is made of, besides the account. */
export interface Planning {
  readonly configuration: Configuration;
  readonly remembered: Pick<Remembered, 'memory' | 'base'>;
  readonly allowed: Allowed;
  /** Whether what the resources refer to is looked up first, where the target asks for it. */
  readonly checks: boolean;
  readonly onlyOrigin?: Run['onlyOrigin'];
}

/** A plan, and the run that it was made in. */
export interface Planned {
  readonly run: Run;
  readonly reconciled: Reconciled;
}

/** Plans a target against its account. @throws Stop where a reference leads nowhere */
export async function planTarget(
  session: Session,
  target: Target,
  account: Account,
  io: Io,
  options: Pick<PlanningOptions, 'only'>,
  { configuration, remembered, allowed, checks, onlyOrigin = null }: Planning,
): Promise<Planned> {
  const run: Run = {
    target,
    owner: account.owner,
    declaration: configuration.declaration,
    rules: session.project.rules,
    guards: session.project.guards,
    meaningOf: meaningFor(devicesOf(session.project)),
    kinds,
    service: account.service,
    now: io.now,
    only: options.only,
    onlyOrigin,
    allowed,
    config: configuration.state,
    memory: remembered.memory,
    base: remembered.base,
    goesBack: configuration.goesBack,
  };
  const checked = checks ? await checkReferences(run) : UNCHECKED;
  if (hasError(checked.findings)) throw invalidReferences(run.declaration.findings, checked.findings);
  const found = await reconcile(run);
  const reconciled = { ...found, plan: withChecked(found.plan, checked) };
  account.status.clear();
  return { run, reconciled };
}

/** Says that `--only` names nothing that is managed: probably a slip. */
export function warnOfIdleOnly(io: Io, { only }: Pick<PlanningOptions, 'only'>, { observed }: Plan): void {
  if (only.length === 0 || Object.values(observed).some((seen) => seen === 'complete' || seen === 'incomplete')) return;
  warn(io, '--only leaves nothing to look at', 'it takes addresses, for example playlist/evening-block or drm-policy/*');
}

const UNCHECKED: Checked = { findings: [], reads: 0 };

function invalidReferences(configuration: readonly Finding[], references: readonly Finding[]): Stop {
  const errors = references.filter((finding) => finding.severity === 'error').length;
  const summary = `${errors} ${errors === 1 ? 'reference of the configuration leads' : 'references of the configuration lead'} nowhere`;
  const findings = [...configuration, ...references].sort(compareFindings);
  return new Stop(EXIT.invalid, 'invalid-references', summary, 'mend what is listed; nothing was written', findings);
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
