import { type ApiClient, type ApiClientEvent, createApiClient } from '../api-client/client.ts';
import type { Target } from '../config/project.ts';
import { kinds } from '../kinds/index.ts';
import type { ApiError } from '../kinds/kind.ts';
import { compareFindings, type Finding } from '../model/finding.ts';
import type { Plan } from '../model/plan.ts';
import { buildPlan, type PlanResult } from '../plan/build-plan.ts';
import { checkReferences, type ReferenceReport, withChecked } from '../plan/check-references.ts';
import type { PlanInput } from '../plan/input.ts';
import type { Overrides } from '../safety/checks.ts';
import type { Credentials } from './credentials.ts';
import type { SelectedConfiguration } from './desired-state.ts';
import { devicesOf, impactAnalyzer } from './device-impact.ts';
import { CliError, EXIT_CODES, type ExitCode } from './exit-codes.ts';
import type { LoadedState } from './load-state.ts';
import { createLog, type Log } from './log.ts';
import type { NoiseOptions, PlanningOptions } from './options.ts';
import { info, reportError, warn } from './output.ts';
import { taking } from './progress.ts';
import { createStatus, type Status } from './progress-display.ts';
import { hasError, type OpenProject } from './project.ts';
import { proxyFor } from './proxy.ts';
import type { CliContext } from './runtime.ts';

/** One live account, ready to be spoken to. */
export interface ApiConnection {
  readonly service: ApiClient;
  readonly owner: string;
  readonly status: Status;
}

/** Opens a target's account for the time of `work`, and closes it whatever happens; nothing more is sent once `signal` is aborted. */
export async function withApiClient<Result>(
  target: Target,
  { owner, apiKey }: Credentials,
  io: CliContext,
  options: NoiseOptions,
  work: (account: ApiConnection) => Promise<Result>,
  signal: AbortSignal = io.signal,
): Promise<Result> {
  const status = createStatus(io, options.quiet === true);
  const service = createApiClient({
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
    info(io, 'interrupted: nothing more is begun, and what is in flight finishes; a second interrupt ends it at once');
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
function requestLog(log: Log, status: Status): (event: ApiClientEvent) => void {
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
    if (failure && failure.fault !== 'not-found') log.info(happened, 'request failed');
    else log.debug(happened, 'request');
    status.say(`${method} ${path}`);
  };
}

/** What a plan is made of, besides the account. */
export interface PlanTargetInput {
  readonly configuration: SelectedConfiguration;
  readonly remembered: Pick<LoadedState, 'state' | 'lastApplied'>;
  readonly allowed: Overrides;
  /** Whether what the resources refer to is looked up first, where the target asks for it. */
  readonly checks: boolean;
  readonly onlyOrigin?: PlanInput['onlyOrigin'];
}

/** A plan, and the run that it was made in. */
export interface PlannedTarget {
  readonly run: PlanInput;
  readonly reconciled: PlanResult;
}

/** Plans a target against its account. @throws Stop where a reference leads nowhere */
export async function planTarget(
  session: OpenProject,
  target: Target,
  account: ApiConnection,
  io: CliContext,
  options: Pick<PlanningOptions, 'only'>,
  { configuration, remembered, allowed: overrides, checks, onlyOrigin = null }: PlanTargetInput,
): Promise<PlannedTarget> {
  const input: PlanInput = {
    target,
    owner: account.owner,
    desiredState: configuration.desiredState,
    rules: session.project.rules,
    guards: session.project.guards,
    analyzeImpact: impactAnalyzer(devicesOf(session.project)),
    kinds,
    service: account.service,
    now: io.now,
    only: options.only,
    onlyOrigin,
    overrides,
    config: configuration.state,
    state: remembered.state,
    lastApplied: remembered.lastApplied,
    appliesEarlierCommit: configuration.appliesEarlierCommit,
  };
  const checked = checks ? await checkReferences(input) : UNCHECKED;
  if (hasError(checked.findings)) throw invalidReferences(input.desiredState.findings, checked.findings);
  const found = await buildPlan(input);
  const reconciled = { ...found, plan: withChecked(found.plan, checked) };
  account.status.clear();
  return { run: input, reconciled };
}

/** Says that `--only` names nothing that is managed: probably a slip. */
export function warnUnmatchedOnly(io: CliContext, { only }: Pick<PlanningOptions, 'only'>, { observed }: Plan): void {
  if (only.length === 0 || Object.values(observed).some((seen) => seen === 'complete' || seen === 'incomplete')) return;
  warn(io, '--only leaves nothing to look at', 'it takes addresses, for example playlist/evening-block or drm-policy/*');
}

const UNCHECKED: ReferenceReport = { findings: [], reads: 0 };

function invalidReferences(configuration: readonly Finding[], references: readonly Finding[]): CliError {
  const errors = references.filter((finding) => finding.severity === 'error').length;
  const summary = `${errors} ${errors === 1 ? 'reference of the configuration leads' : 'references of the configuration lead'} nowhere`;
  const findings = [...configuration, ...references].sort(compareFindings);
  return new CliError(EXIT_CODES.invalid, 'invalid-references', summary, 'mend what is listed; nothing was written', findings);
}

/** Says why kinds are incomplete, an advice that several share only once, and gives the exit codes that follow. */
export function reportReadErrors(io: CliContext, errors: readonly ApiError[]): readonly ExitCode[] {
  errors.forEach((error, index) => {
    reportError(io, error.message, error.advice === errors[index + 1]?.advice ? '' : error.advice);
  });
  return errors.map(exitOf);
}

/** What a fault of a read means for the run (design section 5, exit codes). */
function exitOf(error: ApiError): ExitCode {
  if (error.kind === 'interrupted') return EXIT_CODES.interrupted;
  return error.kind === 'credentials' ? EXIT_CODES.credentials : EXIT_CODES.incomplete;
}
