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

/** An open connection to one live account. */
export interface ApiConnection {
  readonly service: ApiClient;
  readonly owner: string;
  readonly status: Status;
}

/** Opens an API client for a target's account, runs `work` and closes the client. No request is started once `signal` is aborted. */
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
    info(io, 'interrupted: no new requests are started, and requests in flight finish; interrupt again to exit immediately');
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

/** Creates a listener that logs each request attempt and shows it in the status line. */
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
    // 404 is an expected answer of existence checks.
    if (failure && failure.fault !== 'not-found') log.info(happened, 'request failed');
    else log.debug(happened, 'request');
    status.say(`${method} ${path}`);
  };
}

/** The inputs of a plan besides the account. */
export interface PlanTargetInput {
  readonly configuration: SelectedConfiguration;
  readonly remembered: Pick<LoadedState, 'state' | 'lastApplied'>;
  readonly allowed: Overrides;
  /** Whether references are checked against the account first, if the target's configuration asks for it. */
  readonly checks: boolean;
  readonly onlyOrigin?: PlanInput['onlyOrigin'];
}

/** A plan and the input from which it was built. */
export interface PlannedTarget {
  readonly run: PlanInput;
  readonly reconciled: PlanResult;
}

/** Builds the plan of a target against its account. @throws CliError if a reference is dangling */
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
  const result = await buildPlan(input);
  const reconciled = { ...result, plan: withChecked(result.plan, checked) };
  account.status.clear();
  return { run: input, reconciled };
}

/** Warns if `--only` matches no managed kind, which is probably a typo. */
export function warnUnmatchedOnly(io: CliContext, { only }: Pick<PlanningOptions, 'only'>, { observed }: Plan): void {
  if (only.length === 0 || Object.values(observed).some((seen) => seen === 'complete' || seen === 'incomplete')) return;
  warn(io, '--only matches nothing that is managed', 'it takes addresses, for example playlist/evening-block or drm-policy/*');
}

const UNCHECKED: ReferenceReport = { findings: [], reads: 0 };

function invalidReferences(configuration: readonly Finding[], references: readonly Finding[]): CliError {
  const errors = references.filter((finding) => finding.severity === 'error').length;
  const summary = `${errors} ${errors === 1 ? 'reference of the configuration leads' : 'references of the configuration lead'} nowhere`;
  const findings = [...configuration, ...references].sort(compareFindings);
  return new CliError(EXIT_CODES.invalid, 'invalid-references', summary, 'fix the references listed; nothing was written', findings);
}

/** Reports the read errors, with advice that consecutive errors share only once. Returns their exit codes. */
export function reportReadErrors(io: CliContext, errors: readonly ApiError[]): readonly ExitCode[] {
  errors.forEach((error, index) => {
    reportError(io, error.message, error.advice === errors[index + 1]?.advice ? '' : error.advice);
  });
  return errors.map(exitOf);
}

/** Returns the exit code of a read error (design section 5, exit codes). */
function exitOf(error: ApiError): ExitCode {
  if (error.kind === 'interrupted') return EXIT_CODES.interrupted;
  return error.kind === 'credentials' ? EXIT_CODES.credentials : EXIT_CODES.incomplete;
}
