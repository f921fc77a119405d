/** Applies a target: lock, plan, confirm, journal, write, push the ledger entry. Without a ledger there is no lock and no entry. */
import { apply } from '../core/apply/apply.ts';
import type { ApplyResult } from '../core/apply/input.ts';
import { declarationDigest } from '../core/config/declaration-digest.ts';
import { decide } from '../core/decide/decide.ts';
import { type Facts, NOT_ASKED } from '../core/decide/facts.ts';
import { writesOnService } from '../core/model/change.ts';
import { commandOf } from '../core/model/command-line.ts';
import { type CheckOverride, CONDITIONS, type Decision, overridesIn } from '../core/model/decision.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import { compareStrings } from '../core/model/finding.ts';
import type { Outcome } from '../core/model/outcome.ts';
import { changesSent, type Plan } from '../core/model/plan.ts';
import { couldReadNothing } from '../core/model/plan-scope.ts';
import type { PlanResult } from '../core/plan/build-plan.ts';
import type { PlanInput } from '../core/plan/input.ts';
import { partialPlan } from '../core/plan/partial-plan.ts';
import { planFingerprint } from '../core/plan/plan-document.ts';
import { type Overrides, writtenOverrides } from '../core/safety/overrides.ts';
import type { PlannedChange } from '../core/state/planned-change.ts';
import type { SentCreate } from '../core/state/state.ts';
import { eventsOf, resultEvent } from '../report/machine/ndjson.ts';
import { holdText } from '../report/view/holds.ts';
import { type ApiConnection, reportReadErrors, runMetadata, withApiClient } from './account/api-connection.ts';
import type { Credentials } from './account/credentials.ts';
import { requireSameConfiguredOwner, requireSameOwner } from './account/same-owner.ts';
import type { TargetRun } from './account/target-run.ts';
import { watchWrites } from './account/writes-in-flight.ts';
import { approvedOverrides, confirmationQuestion, isFirst, type Question, selectChanges } from './apply-preconditions.ts';
import { type FactSource, type FactsOfCommit, factsOfApply } from './facts/run-facts.ts';
import { lockedConfiguration, pushApplyEntry, pushUnpushedEntry, requireFittingEntry, snapshotFor } from './history/apply-entry.ts';
import { openJournal, reportInterrupted } from './history/apply-journal.ts';
import { committedConfiguration } from './history/desired-state.ts';
import { loadState, openLedgerOf } from './history/load-state.ts';
import { needsCommit, requireCommit } from './history/reviewed-commit.ts';
import { loadRollback } from './history/rollback.ts';
import { type HeldLock, lockLost, withLock } from './history/target-lock.ts';
import { localFolderOf } from './history/work-tree.ts';
import { requireMatchedOnly } from './only.ts';
import { type PlannedTarget, type PreparedTarget, planTarget, prepareTarget, scopeOfCommands, withPromoted } from './plan-target.ts';
import { refusalOf } from './refusal.ts';
import { exitCodesOfApply, interrupted } from './run/exit-codes.ts';
import { info, joinClauses, reportError } from './run/messages.ts';
import type { PlanningOptions } from './run/options.ts';
import { createChangeLines, createProgress } from './run/progress.ts';
import { withListedFindings } from './run/reports.ts';
import type { AppContext } from './run/runtime.ts';
import { planAmong, planFile, savedPlan } from './run/saved-documents.ts';
import { forEachAccount } from './targets/for-each-target.ts';

/** Options of an apply. */
export interface ApplyOptions extends PlanningOptions {
  readonly allow: Overrides;
  readonly yes?: true | undefined;
  /** The file of a saved plan. */
  readonly plan?: string | undefined;
  /** Saved plans themselves, in place of their file. */
  readonly plans?: readonly Plan[] | undefined;
  /** The fingerprint that the plan must have. */
  readonly expect?: string | undefined;
  readonly onlyOrigin?: 'change' | 'drift' | undefined;
  readonly skipBlocked?: true | undefined;
  readonly requests?: true | undefined;
  /** How long to wait for the lock, seconds. */
  readonly lockTimeout: number;
}

/** Asks the user a question. Returns whether the answer confirms. */
export type Ask = (question: Question) => Promise<boolean>;

/** The inputs that an apply needs before its first request. */
export interface PreparedApply extends PreparedTarget {
  /** The credentials that write and verify. They are those that read, unless the target has others. */
  readonly writing: Credentials;
  readonly saved: Plan | null;
  readonly overrides: Overrides;
}

/** Decides whether the options confirm the plan, so that nobody is asked. */
function isConfirmed({ yes, plan, plans, expect }: ApplyOptions): boolean {
  return yes === true || plan !== undefined || plans !== undefined || expect !== undefined;
}

/** Returns the overrides of an apply whose question asks whether it is the first one. */
function asFirst(overrides: Overrides): Overrides {
  return { ...overrides, checks: new Set([...overrides.checks, 'first-apply']) };
}

/** Loads configuration, credentials and the saved plan. @throws CliError, GitError */
async function prepareApply(run: TargetRun, options: ApplyOptions): Promise<PreparedApply> {
  const { session, target, io } = run;
  const prepared = await prepareTarget(run, options.ref);
  const writing = await run.credentials('write');
  requireSameConfiguredOwner(prepared.credentials, writing);
  await requireCommit(session, target, prepared.configuration, io);
  const saved = savedPlanOf(io, options, target.name);
  const isFromCommit = options.ref === undefined && prepared.configuration.state?.dirty === false && needsCommit(target);
  return {
    ...prepared,
    writing,
    ...(isFromCommit ? { configuration: await committedConfiguration(session, target, io, prepared.configuration) } : {}),
    saved,
    overrides: approvedOverrides({ saved, expect: options.expect }, options.allow),
  };
}

/** Returns the saved plan of a target; null where none is to be applied. @throws CliError if there is none that can be read */
function savedPlanOf(io: AppContext, options: ApplyOptions, target: string): Plan | null {
  const { plan, plans, allow } = options;
  if (plans !== undefined) return planAmong(plans, { name: 'plans', hint: 'pass on what `plan` returned' }, target);
  if (plan === undefined) return null;
  const scope = scopeOfCommands(options);
  return savedPlan(
    io,
    planFile(plan, scope === null ? undefined : commandOf('plan', scope, { target, allow: writtenOverrides(allow) })),
    target,
  );
}

/** Plans and applies a target while it holds the lock. Returns the exit codes. @throws CliError, GitError, LedgerError */
async function applyTarget(run: TargetRun, prepared: PreparedApply, options: ApplyOptions, ask: Ask): Promise<readonly ExitCode[]> {
  const { session, target, io, reports } = run;
  const openLedger = await openLedgerOf(session, target, io);
  const facts = await factsOfApply(run, prepared.configuration);
  const snapshot = openLedger ? await snapshotFor(openLedger, prepared.configuration) : null;
  const localFolder = await localFolderOf(session, target, io);
  if (openLedger) io.telemetry?.enter('lock');
  const applyWithLock = async (heldLock: HeldLock | null): Promise<readonly ExitCode[]> => {
    io.telemetry?.enter('plan');
    reportInterrupted(io, localFolder);
    if (openLedger && heldLock) await pushUnpushedEntry(io, openLedger, heldLock);
    const state = await loadState(session, target, io, openLedger, undefined);
    const { configuration } = prepared;
    const rollback = await loadRollback(openLedger, state, configuration);
    // A person answers for this run: a printed command would pass that on to a run that asks nobody.
    const asksWhetherFirst = state.emptyLedger !== null && io.terminal.stdin && !isConfirmed(options);
    const applyConnected = async (connection: ApiConnection): Promise<readonly ExitCode[]> => {
      const planInput = {
        command: 'apply' as const,
        configuration,
        state,
        rollback,
        overrides: asksWhetherFirst ? asFirst(prepared.overrides) : prepared.overrides,
        commandScope: asksWhetherFirst ? null : scopeOfCommands(options),
        references: 'require' as const,
        onlyOrigin: options.onlyOrigin ?? null,
      };
      const planned = await planTarget(session, target, connection, io, options, planInput);
      const attempt: Attempt = { run, options, planned, connection, heldLock, localFolder, facts };
      const { incomplete, changes, plan, decision, isAsked, recordedAs } = await approve(attempt, prepared, ask);
      const record =
        openLedger && recordedAs !== null
          ? {
              ...{ target, project: openLedger.projectName, ...planned, state, snapshot, fingerprint: recordedAs },
              declared: declarationDigest(configuration.desiredState),
            }
          : null;
      if (record) requireFittingEntry(io, record, changes);
      const { applied, exits } = await write(attempt, changes, plan);
      const metadata = runMetadata(io, connection, undefined);
      const outcome = { ...applied.outcome, ...overridesIn(plan), decision, ...commitsOf(prepared.saved, plan), run: metadata };
      reports.add({ type: 'outcome', outcome, plan }, { afterPlan: isAsked });
      if (openLedger) io.telemetry?.enter('ledger');
      const pushed =
        openLedger && heldLock && record
          ? await pushApplyEntry(io, openLedger, heldLock, { ...record, applied: { ...applied, outcome } })
          : [];
      const all = [...incomplete, ...exitsOf(attempt, applied, changes), ...exits, ...pushed, ...reportLostLock(attempt)];
      // What strengthens was seen too late for what weakens: all else that is skipped has an exit code of its own.
      return all.length === 0 && applied.outcome.summary.skipped > 0 ? [EXIT_CODES.failed] : all;
    };
    return withApiClient(target, prepared.credentials, io, options, applyConnected, heldLock ?? io, prepared.writing);
  };
  if (!openLedger) return applyWithLock(null);
  const lock = { timeoutSeconds: options.lockTimeout, configuration: lockedConfiguration(prepared.configuration, snapshot) };
  return withLock(openLedger, target, io, lock, applyWithLock);
}

/** A planned target that is about to be applied. */
interface Attempt {
  readonly run: TargetRun;
  readonly options: ApplyOptions;
  readonly planned: PlannedTarget;
  readonly connection: ApiConnection;
  /** Null without a ledger. */
  readonly heldLock: HeldLock | null;
  /** The local folder of the target. */
  readonly localFolder: string;
  /** What decides the run besides its plan. */
  readonly facts: FactSource;
}

/** The changes to apply, their plan, and the exit codes of incomplete reads. */
interface ApprovedChanges {
  readonly changes: readonly PlannedChange[];
  /** With what was decided of it before the user was asked. */
  readonly plan: Plan;
  /** What was decided right before the first write. */
  readonly decision: Decision;
  readonly incomplete: readonly ExitCode[];
  /** Whether the user was shown the plan and confirmed it. */
  readonly isAsked: boolean;
  /**
   * The fingerprint under which it is recorded; null where nothing could be read, and where there is nothing to do and a hold forbids to
   * record that the commit is applied.
   */
  readonly recordedAs: string | null;
}

/** Shows the plan, decides and asks the user. @throws CliError if anything forbids the apply */
async function approve(
  attempt: Attempt,
  { saved, overrides }: Pick<PreparedApply, 'saved' | 'overrides'>,
  ask: Ask,
): Promise<ApprovedChanges> {
  const { options, heldLock, facts } = attempt;
  const { target, io, reports } = attempt.run;
  const { result } = attempt.planned;
  requireMatchedOnly(attempt.run, options, attempt.planned);
  const incomplete = reportReadErrors(io, result.errors);
  if (io.signal.aborted || incomplete.includes(EXIT_CODES.interrupted)) throw interrupted();
  const { changes, notInPlan, differs } = selectChanges({ saved, expect: options.expect }, result, io.secrets);
  if (notInPlan.length > 0) info(io, `not in the saved plan, and not applied: ${notInPlan.join(', ')}`);
  const planned = partialPlan(changes, attempt.planned);
  const skipsHeld = options.skipBlocked === true;
  const decideAt = (at: Pick<Facts, 'moment' | 'answer'>, ofCommit: FactsOfCommit): Decision =>
    decide({
      ...at,
      ...ofCommit,
      now: io.now(),
      target: target.name,
      plan: planned,
      differs: { known: differs },
      lock: { known: heldLock?.lost() ? 'lost' : 'held' },
      overrides,
      skipsHeld,
      // What a saved plan leaves out, no command can.
      commands: changes.length === result.changes.length ? result.commands : null,
    });
  let ofCommit = await facts.fetch();
  let decision = decideAt({ moment: 'planned', answer: NOT_ASKED }, ofCommit);
  const refuse = (): void => {
    const refusal = refusalOf(target, planned, decision, skipsHeld);
    if (refusal !== null) throw refusal;
  };
  // Of another plan than the approved one, or of one that lacks something, nothing is shown.
  if (decision.status === 'unknown' || decision.status === 'refused') refuse();
  const plan = { ...planned, decision };
  if (options.format === 'text') reports.show({ type: 'plan', plan }, { requests: options.requests === true });
  reports.emit(eventsOf(withListedFindings({ type: 'plan', plan })));
  refuse();
  const isRecorded = decision.status !== 'nothing' || decision.holds.length === 0;
  // Where there was nothing to read, the entry says that the commit is applied all the same.
  const fingerprint = plan.fingerprint ?? planFingerprint(result.context, []);
  const recordedAs = isRecorded && !couldReadNothing(plan) ? fingerprint : null;
  if (!isRecorded) info(io, `the commit is not recorded as applied: ${joinClauses([...new Set(decision.holds.map(holdText))])}`);
  if (changes.some(({ change }) => writesOnService(change))) await requireSameOwner(attempt.connection, result, io);
  const isAsked = !isConfirmed(options) && (changesSent(plan).length > 0 || isFirst(plan));
  const answer = isAsked ? await confirm(attempt, withOverriddenConditions(plan, decision), ask) : 'yes';
  // Time passes before the user has answered.
  if (isAsked) ofCommit = await facts.fetch();
  decision = decideAt({ moment: 'answered', answer: { known: answer } }, ofCommit);
  refuse();
  return { changes, plan: withOverriddenConditions(plan, decision), decision, incomplete, isAsked, recordedAs };
}

/** Adds to a plan the rules of the run that were overridden, and that would hold it back. */
function withOverriddenConditions(plan: Plan, { overridden }: Decision): Plan {
  const conditions = CONDITIONS.filter((condition) => overridden.some(({ rule }) => rule === condition));
  const count = changesSent(plan).length;
  // Nothing was written before it was met.
  if (conditions.length === 0 || count === 0) return plan;
  const overrides: readonly CheckOverride[] = [...(plan.overrides ?? []), ...conditions.map((check) => ({ check, count }))];
  return { ...plan, overrides: overrides.toSorted((a, b) => compareStrings(a.check, b.check)) };
}

/** Returns the commits of a saved plan and of what is applied, where they differ. */
function commitsOf(saved: Plan | null, { config }: Plan): Pick<Outcome, 'commits'> {
  const planned = saved?.config?.commit ?? null;
  const applied = config?.commit ?? null;
  return saved === null || planned === applied ? {} : { commits: { planned, applied } };
}

/** Asks the user to confirm a plan that writes. @throws CliError if the user interrupts */
async function confirm(attempt: Attempt, plan: Plan, ask: Ask): Promise<'yes' | 'no'> {
  const { options } = attempt;
  const { target, io, reports } = attempt.run;
  const isDirty = plan.config?.dirty === true && options.allow.dirty === true;
  const question = confirmationQuestion({ plan, baseUrl: target.baseUrl, isDirty });
  if (!question) return 'yes';
  // Show the plan before asking, whatever the report format.
  if (options.format !== 'text' && io.terminal.stdin) reports.show({ type: 'plan', plan }, { requests: options.requests === true });
  if (await ask(io.secrets.redactIn(question))) return 'yes';
  if (io.signal.aborted) throw interrupted();
  return 'no';
}

/** Executes the changes with a journal. A journal that cannot be removed is an error of its own. */
async function write(
  {
    run: { target, io, reports },
    options,
    planned: { input, result },
    connection: { writer, status, settling },
    heldLock,
    localFolder,
  }: Attempt,
  changes: readonly PlannedChange[],
  plan: Plan,
): Promise<{ readonly applied: ApplyResult; readonly exits: readonly ExitCode[] }> {
  const progress = createProgress('applying', changes.length, io.now, 'reading back');
  status.show(progress.text);
  const writes = new Set(changesSent(plan).map(({ address }) => address));
  const tell = (text: string): void => {
    // The events of ndjson tell the same on stdout.
    if (options.format !== 'ndjson') status.line(text);
  };
  const changeLines = createChangeLines(writes, tell);
  io.telemetry?.enter('write');
  const journal = openJournal(localFolder, io.now);
  const service = watchWrites(writer);
  const forget = io.onImmediateExit?.(() => redacted(io, service.inFlight()));
  const applied = await apply({
    changes,
    context: result.context,
    fingerprint: plan.fingerprint,
    readByKind: result.readByKind,
    service,
    concurrency: target.http.concurrency,
    now: io.now,
    elapsed: io.elapsed,
    waitPolicy: writer.waitPolicy,
    settling,
    whyNotDeclarable: input.whyNotDeclarable,
    signal: heldLock?.signal ?? io.signal,
    journal,
    ...(heldLock ? { whyStop: heldLock.whyLost } : {}),
    onOutcome(outcome) {
      const { address, result: applied, tookMs, error } = outcome;
      io.telemetry?.emit('change applied', { address, result: applied, tookMs, ...(error === undefined ? {} : { error }) });
      reports.emit([resultEvent(target.name, outcome)]);
      changeLines.tell(outcome);
    },
    onVerify() {
      io.telemetry?.enter('verify');
      if (writes.size > 0) tell('reading back what was written');
    },
    onProgress: progress.update,
  });
  changeLines.end();
  forget?.();
  status.clear();
  const closeError = journal.close(unseenCreates(input, result, applied, heldLock === null, io.now()));
  if (closeError === null) return { applied, exits: [] };
  reportError(io, closeError, 'remove it: otherwise the next run reports this one as interrupted');
  return { applied, exits: [EXIT_CODES.error] };
}

/**
 * Returns the creates whose objects nobody has seen yet, and which no ledger keeps: those of this apply with their IDs, where there is no
 * ledger, and those of earlier ones that are still declared and were not sent again.
 */
function unseenCreates(
  { sentCreates, desiredState }: PlanInput,
  { remoteIdByAddress }: PlanResult,
  { outcome, ids }: ApplyResult,
  hasNoLedger: boolean,
  now: number,
): ReadonlyMap<string, SentCreate> {
  const at = new Date(now).toISOString();
  const sent = new Set(outcome.outcomes.flatMap(({ address, result }) => (result === 'skipped' ? [] : [address])));
  const declared = new Set(desiredState.resources.map(({ address }) => address));
  const isOpen = (address: string) => declared.has(address) && !sent.has(address) && !remoteIdByAddress.has(address);
  const unseen = outcome.outcomes.flatMap(({ address, result }): [string, SentCreate][] => {
    const id = ids.get(address);
    return hasNoLedger && result === 'unseen' && id !== undefined ? [[address, { id, at }]] : [];
  });
  return new Map([...[...sentCreates].filter(([address]) => isOpen(address)), ...unseen]);
}

function redacted({ secrets }: AppContext, text: string | null): string | null {
  return text === null ? null : secrets.redact(text);
}

/** Reports the errors of verification. Returns the exit codes of the apply. */
function exitsOf({ run: { io } }: Attempt, applied: ApplyResult, changes: readonly PlannedChange[]): readonly ExitCode[] {
  // A kind that strengthens is read back twice.
  const unread = [...new Map(applied.verificationErrors.map((error) => [error.message, error])).values()];
  return [
    ...exitCodesOfApply(applied, changes),
    // Requests aborted with the lock do not count as interrupted by the user.
    ...reportReadErrors(io, unread).filter((exit) => exit !== EXIT_CODES.interrupted),
    ...(io.signal.aborted ? [EXIT_CODES.interrupted] : []),
  ];
}

/** Reports a lock that was lost while writing. Returns its exit code. */
function reportLostLock({ run: { target, io }, heldLock }: Attempt): readonly ExitCode[] {
  if (!heldLock?.lost()) return [];
  const { message, hint, exit } = lockLost(target);
  reportError(io, message, hint);
  return [exit];
}

/** Plans, confirms, writes, verifies and records the chosen targets. `ask` is null where nobody can be asked. */
export function applyTargets(io: AppContext, options: ApplyOptions, ask: Ask | null): Promise<ExitCode> {
  return forEachAccount(io, options, {
    writes: true,
    isOrdered: true,
    asks: !isConfirmed(options) && ask !== null,
    prepare: (run) => withPromoted(run, options.ref, (ref) => prepareApply(run, { ...options, ref })),
    work: async (run, prepared) =>
      prepared === null ? [] : applyTarget(run, prepared.value, { ...options, ref: prepared.ref }, ask ?? (async () => false)),
  });
}
