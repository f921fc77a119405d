/** Plans a target: loads its configuration and state, reads the account, and builds the plan. */
import { findingAt, markNewFindings } from '../core/config/findings.ts';
import { positionsIn } from '../core/config/load-project.ts';
import type { Target } from '../core/config/project.ts';
import { isSwitchedOff } from '../core/config/severity-rules.ts';
import { decide } from '../core/decide/decide.ts';
import { undecidedFacts } from '../core/decide/facts.ts';
import { devicesOf } from '../core/device-impact/declared-devices.ts';
import { notDeclarableObjects } from '../core/export/export-account.ts';
import type { GuardRun } from '../core/guards/evaluate.ts';
import { kinds } from '../core/kinds/index.ts';
import type { AssetFacts } from '../core/model/asset.ts';
import { listOf } from '../core/model/collections.ts';
import type { CommandScope, SelectedOrigin } from '../core/model/command-line.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import { compareFindings, countFindings, type Finding } from '../core/model/finding.ts';
import type { Plan } from '../core/model/plan.ts';
import { buildPlan, type PlanResult } from '../core/plan/build-plan.ts';
import { checkReferences, NOT_CHECKED_CODE, withReferenceFindings } from '../core/plan/check-references.ts';
import { resolveExternalIds, withIdsOfLedger } from '../core/plan/external-ids.ts';
import type { PlanInput } from '../core/plan/input.ts';
import type { RollbackInput } from '../core/plan/rollback.ts';
import { selectionOf } from '../core/plan/selection.ts';
import { unmanagedObjects } from '../core/plan/unmanaged-objects.ts';
import { NO_OVERRIDES, type Overrides } from '../core/safety/overrides.ts';
import { UNMANAGED_CODE } from '../core/state/bindings.ts';
import { type ApiConnection, reportReadErrors, runMetadata, withApiClient } from './account/api-connection.ts';
import type { Credentials } from './account/credentials.ts';
import type { TargetRun } from './account/target-run.ts';
import { impactAnalyzer } from './device-impact.ts';
import { exportReader } from './export-target.ts';
import { PROMOTED, promotedCommit } from './facts/promoted.ts';
import { factsOfPlan } from './facts/run-facts.ts';
import { guardRun } from './guard-run.ts';
import { readJournal, reportInterrupted } from './history/apply-journal.ts';
import { type SelectedConfiguration, selectConfiguration } from './history/desired-state.ts';
import { entryNamed } from './history/ledger-history.ts';
import { type LoadedState, loadState, openLedgerOf } from './history/load-state.ts';
import { loadRollback } from './history/rollback.ts';
import { localFolderOf } from './history/work-tree.ts';
import { requireMatchedOnly } from './only.ts';
import { CliError, exitCodeOfPlan } from './run/exit-codes.ts';
import type { NoiseOptions, PlanningOptions } from './run/options.ts';
import { hasError, type OpenProject } from './run/project.ts';
import type { AppContext } from './run/runtime.ts';
import { unusedRules } from './run/unused-rules.ts';
import { forEachAccount } from './targets/for-each-target.ts';

/** The inputs that a target needs before its first request. */
export interface PreparedTarget {
  readonly configuration: SelectedConfiguration;
  readonly credentials: Credentials;
}

/**
 * Loads a target's configuration and credentials. `ref` names a commit, or an entry of the ledger, whose bindings then belong to the
 * configuration. @throws CliError, GitError, LedgerError
 */
export async function prepareTarget(run: TargetRun, ref: string | undefined): Promise<PreparedTarget> {
  const { session, target, io, credentials } = run;
  const entry = ref === undefined ? null : await entryNamed(run, ref);
  const configuration = await selectConfiguration(session, target, io, entry?.commit ?? ref, entry?.snapshot ?? null);
  io.telemetry?.configured(configuration.state);
  const earlier = entry && { bindings: new Map(Object.entries(entry.bindings)), isWhole: entry.isWhole };
  // An entry stands for the assets of its apply, too.
  const resources = withIdsOfLedger(configuration.desiredState.resources, kinds, entry?.externalIds);
  const desiredState = { ...configuration.desiredState, resources };
  return { configuration: { ...configuration, desiredState, earlier }, credentials: await credentials() };
}

/** The inputs of a plan besides the account. */
export interface PlanTargetInput {
  /** The command that plans, for guards. Stated by each use case: the arguments of the program may begin with `--`. */
  readonly command: GuardRun['command'];
  readonly configuration: SelectedConfiguration;
  readonly state: Pick<LoadedState, 'state' | 'emptyLedger' | 'lastApplied' | 'interrupted' | 'otherLedgers'>;
  /** What the plan must not roll back; null for nothing. */
  readonly rollback: RollbackInput | null;
  readonly overrides: Overrides;
  /** What the commands that the plan prints repeat; null where it prints none. */
  readonly commandScope: CommandScope | null;
  /**
   * What becomes of references, for which the account is asked first if the target's configuration says so. `require`: an error about one
   * ends the run. `report`: it is only reported. `know`: nothing is sent, and only what the configuration says of them is known.
   */
  readonly references: 'require' | 'report' | 'know';
  readonly onlyOrigin?: SelectedOrigin | null;
  /** Whether drift is looked for, so that edits of ignored fields count that weaken protection or stop playback; false by default. */
  readonly reportsRiskyEditsOfIgnoredFields?: boolean;
}

/** A plan and the input from which it was built. */
export interface PlannedTarget {
  readonly input: PlanInput;
  readonly result: PlanResult;
  /** What is known of the assets that the selected resources name, by ID. */
  readonly assets: ReadonlyMap<string, AssetFacts>;
}

/** Builds the plan of a target against its account. @throws CliError if a reference is dangling */
export async function planTarget(
  session: OpenProject,
  target: Target,
  connection: ApiConnection,
  io: AppContext,
  options: Pick<PlanningOptions, 'only'>,
  {
    command,
    configuration,
    state,
    rollback,
    overrides,
    commandScope,
    references: mode,
    onlyOrigin = null,
    reportsRiskyEditsOfIgnoredFields = false,
  }: PlanTargetInput,
): Promise<PlannedTarget> {
  const declared: PlanInput = {
    target,
    owner: connection.owner,
    desiredState: configuration.desiredState,
    severityRules: session.project.rules,
    guards: session.project.guards,
    run: await guardRun(command, configuration.state, session, io),
    analyzeImpact: impactAnalyzer(devicesOf(session.project)),
    whyNotDeclarable: (kind, objects, now) =>
      notDeclarableObjects({ kind, result: { objects, warnings: [] } }, exportReader(session, target), now),
    kinds,
    service: connection.client,
    now: io.now,
    elapsed: io.elapsed,
    selection: selectionOf(options.only, onlyOrigin),
    reportsRiskyEditsOfIgnoredFields,
    overrides,
    commandScope,
    config: configuration.state,
    ledgerState: state.state,
    emptyLedger: state.emptyLedger,
    otherLedgers: state.otherLedgers,
    lastApplied: state.lastApplied,
    interrupted: state.interrupted,
    sentCreates: readJournal(await localFolderOf(session, target, io)).sentCreates,
    settling: connection.settling,
    failedExternalIdLookups: new Map(),
    rollback,
    appliesEarlierCommit: configuration.appliesEarlierCommit,
    earlierBindings: configuration.earlier?.bindings ?? null,
  };
  const resolved = await resolveExternalIds(declared, mode !== 'know');
  if (resolved.isUnresolvable) throw invalidReferences(declared.desiredState.findings, resolved.findings);
  const input: PlanInput = {
    ...declared,
    desiredState: { ...declared.desiredState, resources: resolved.resources },
    failedExternalIdLookups: resolved.failedExternalIdLookups,
  };
  // Neither needs what the other one reads.
  const [checked, result] = await Promise.all([checkReferences(input, mode !== 'know'), buildPlan(input)]);
  const findings = [...resolved.findings, ...checked.findings, ...unmanagedFindings(session, target, result)];
  const references = { ...checked, findings, reads: resolved.reads + checked.reads };
  if (mode === 'require' && hasError(references.findings)) throw invalidReferences(input.desiredState.findings, references.findings);
  connection.status.clear();
  const { fingerprint, summary } = result.plan;
  const { create, update, delete: deletes, blocked } = summary;
  io.telemetry?.emit('plan made', { ...(fingerprint === undefined ? {} : { fingerprint }), create, update, delete: deletes, blocked });
  return {
    input: { ...input, ledgerState: result.ledgerState },
    result: { ...result, plan: withReferenceFindings(result.plan, references) },
    assets: references.facts,
  };
}

/** Maximum number of globs that a finding lists. */
const MAX_GLOBS = 20;

/** Returns one finding for all objects that the plan would bind and that `manages` does not name, with what to add to it. */
function unmanagedFindings(session: OpenProject, target: Target, result: PlanResult): readonly Finding[] {
  const { count, globs } = unmanagedObjects(result, target.manages);
  if (count === 0) return [];
  const finding = {
    severity: 'warning' as const,
    code: UNMANAGED_CODE,
    summary: `the plan would bind ${count} live ${count === 1 ? 'object' : 'objects'} that \`manages\` of target ${target.name} names neither by live name nor by ID`,
    hint: `If ${count === 1 ? 'it belongs' : 'they belong'} to this project, add to \`manages\`, under review: ${listOf(
      globs.map((glob) => JSON.stringify(glob)),
      MAX_GLOBS,
    )}.`,
  };
  return [findingAt(positionsIn(session.files, session.project.file)(['targets', target.name, 'manages']), finding)];
}

/**
 * Returns a warning for each entry of `rules` about what only the account shows, and does not. None where something was not looked at, or the
 * configuration is that of another commit than the entries.
 */
export function rulesUnusedInAccount(
  session: OpenProject,
  target: Target,
  { input, result }: PlannedTarget,
  { only, ref }: Pick<PlanningOptions, 'only' | 'ref'>,
): readonly Finding[] {
  const { findings } = result.plan;
  const isChecked = !findings.some(({ code }) => code === NOT_CHECKED_CODE) && !isSwitchedOff(NOT_CHECKED_CODE, input.severityRules);
  if (only.length > 0 || input.selection.origin !== null || ref !== undefined || result.errors.length > 0 || !isChecked) return [];
  const isLookedUp = (code: string) =>
    kinds.some(({ findingCodes, referenceLookup }) => code in findingCodes && referenceLookup && target.check[referenceLookup.name]);
  return unusedRules(
    session,
    input.desiredState,
    findings,
    ({ needs }, code) => needs === 'account' || (needs === 'look-up' && isLookedUp(code)),
  );
}

function invalidReferences(configuration: readonly Finding[], references: readonly Finding[]): CliError {
  const errors = countFindings(references, 'error');
  const summary = `the configuration refers to what does not exist or must not be used: ${errors} ${errors === 1 ? 'error' : 'errors'}`;
  const findings = [...configuration, ...references].sort(compareFindings);
  return new CliError(EXIT_CODES.invalid, 'invalid-references', summary, 'fix what is listed; nothing was written', findings);
}

/**
 * Plans a target for a command that explains the plan and never applies it: without overrides, and without looking references up unless
 * `references` says so. `only` are
 * address globs. Runs `work` with the plan and the exit codes of incomplete reads. @throws GitError, LedgerError
 */
export async function withReadOnlyPlan(
  { session, target, io }: TargetRun,
  { configuration, credentials }: PreparedTarget,
  options: NoiseOptions,
  {
    command,
    only,
    reportsRiskyEditsOfIgnoredFields = false,
    references = 'know',
  }: { readonly only: readonly string[] } & Pick<PlanTargetInput, 'command' | 'reportsRiskyEditsOfIgnoredFields'> &
    Partial<Pick<PlanTargetInput, 'references'>>,
  work: (planned: PlannedTarget, incomplete: readonly ExitCode[]) => readonly ExitCode[] | Promise<readonly ExitCode[]>,
): Promise<readonly ExitCode[]> {
  io.telemetry?.enter('plan');
  const openLedger = await openLedgerOf(session, target, io);
  const state = await loadState(session, target, io, openLedger, undefined);
  const rollback = await loadRollback(openLedger, state, configuration);
  return withApiClient(target, credentials, io, options, async (connection) => {
    const input = {
      command,
      configuration,
      state,
      rollback,
      overrides: NO_OVERRIDES,
      commandScope: null,
      references,
      reportsRiskyEditsOfIgnoredFields,
    };
    const planned = await planTarget(session, target, connection, io, { only }, input);
    return work(planned, reportReadErrors(io, planned.result.errors));
  });
}

/** Options of a plan that is reported. */
export interface PlanReportOptions extends PlanningOptions {
  readonly allow: Overrides;
  /** A ref that replaces the commit last applied. */
  readonly base?: string | undefined;
  readonly onlyOrigin?: 'change' | 'drift' | undefined;
  readonly requests?: true | undefined;
  readonly undeclared?: true | undefined;
}

/** Marks the findings of a configuration that the one last applied did not have, where that is known; never those about upkeep.yaml (`file`). */
function withNewFindings(
  configuration: SelectedConfiguration,
  { desiredState: earlier }: LoadedState,
  file: string,
): SelectedConfiguration {
  if (earlier === null) return configuration;
  const { desiredState } = configuration;
  const ofProject = desiredState.findings.filter((finding) => finding.file === file);
  const findings = markNewFindings(desiredState.findings, [...earlier.findings, ...ofProject]);
  return { ...configuration, desiredState: { ...desiredState, findings } };
}

/**
 * Plans a target and adds the plan, with `more` findings, to the reports. Returns the exit codes of incomplete reads. @throws GitError,
 * LedgerError
 */
export async function reportPlan(
  command: GuardRun['command'],
  run: TargetRun,
  { configuration: selected, credentials }: PreparedTarget,
  options: PlanReportOptions,
  more: readonly Finding[] = [],
): Promise<{ readonly plan: Plan; readonly exits: readonly ExitCode[] }> {
  const { session, target, io, reports } = run;
  io.telemetry?.enter('plan');
  reportInterrupted(io, await localFolderOf(session, target, io));
  const openLedger = await openLedgerOf(session, target, io);
  const state = await loadState(session, target, io, openLedger, options.base);
  const configuration = withNewFindings(selected, state, session.project.file);
  const rollback = await loadRollback(openLedger, state, configuration);
  return withApiClient(target, credentials, io, options, async (connection) => {
    const { allow: overrides, onlyOrigin = null } = options;
    const commandScope = scopeOfCommands(options);
    const input = { command, configuration, state, rollback, overrides, commandScope, references: 'require' as const, onlyOrigin };
    const planned = await planTarget(session, target, connection, io, options, input);
    requireMatchedOnly(run, options, planned);
    const { result } = planned;
    const unused = rulesUnusedInAccount(session, target, planned, options);
    const plan = { ...result.plan, findings: [...result.plan.findings, ...unused, ...more].sort(compareFindings) };
    const incomplete = reportReadErrors(io, result.errors);
    const source = await factsOfPlan(run, selected);
    const untried = await source.untried();
    const facts = { ...undecidedFacts(plan, target.name, io.now()), ...(await source.fetch()), overrides, commands: result.commands };
    const undeclared = options.undeclared ? result.undeclared.map((each) => ({ ...each, target: target.name })) : null;
    const reported: Plan = {
      ...plan,
      decision: decide(facts),
      ...(untried.length === 0 ? {} : { untried }),
      run: runMetadata(io, connection, state?.last?.entry.at),
    };
    reports.add({ type: 'plan', plan: reported }, { requests: options.requests === true, undeclared });
    return { plan: reported, exits: incomplete };
  });
}

/**
 * Returns what the commands that a plan prints repeat. Null where none is printed: with `--trust-from`, whose run cannot apply, and where
 * `--base` decides what `--only-origin` selects, which an apply cannot repeat.
 */
export function scopeOfCommands({
  project,
  only,
  onlyOrigin,
  ref,
  base,
  trustFrom,
}: CommandScope & Pick<PlanReportOptions, 'base' | 'trustFrom'>): CommandScope | null {
  if (trustFrom !== undefined || (base !== undefined && onlyOrigin !== undefined)) return null;
  return { project, only, onlyOrigin, ref };
}

/**
 * Prepares a target with the ref that was asked for, or with the commit for which `promoted` stands; null where that is none, so that there is
 * nothing to do. @throws CliError, GitError, LedgerError
 */
export async function withPromoted<Prepared>(
  run: TargetRun,
  asked: string | undefined,
  prepare: (ref: string | undefined) => Promise<Prepared>,
): Promise<{ readonly value: Prepared; readonly ref: string | undefined } | null> {
  if (asked !== PROMOTED) return { value: await prepare(asked), ref: asked };
  const promoted = await promotedCommit(run);
  return promoted === null ? null : { value: await prepare(promoted.commit), ref: promoted.commit };
}

/** Options of a plan of the chosen targets. */
export interface PlanOptions extends PlanReportOptions {
  /** Whether the exit code tells changes and blocked changes. */
  readonly detailedExitcode?: true | undefined;
}

/** Plans the chosen targets: reports what an apply would do. It writes nothing and takes no lock. */
export function planTargets(io: AppContext, options: PlanOptions): Promise<ExitCode> {
  return forEachAccount(io, options, {
    prepare: (run) => withPromoted(run, options.ref, (ref) => prepareTarget(run, ref)),
    async work(run, prepared) {
      if (prepared === null) return [];
      const reported = await reportPlan('plan', run, prepared.value, { ...options, ref: prepared.ref });
      return [...reported.exits, ...(options.detailedExitcode ? [exitCodeOfPlan(reported.plan)] : [])];
    },
  });
}
