import { refuseBlocked, refuseIncomplete } from '../../app/apply-preconditions.ts';
import { describeRun } from '../../app/describe-run.ts';
import { CliError, EXIT_CODES, type ExitCode, highestPrecedence, interrupted } from '../../app/exit-codes.ts';
import { forEachAccount } from '../../app/for-each-target.ts';
import { openJournal, reportInterrupted } from '../../app/journal.ts';
import { type LoadedState, loadState, type OpenLedger, openLedgerOf } from '../../app/load-state.ts';
import type { PlanningOptions } from '../../app/options.ts';
import { info, listed, reportError } from '../../app/output.ts';
import { type ApiConnection, planTarget, reportReadErrors, warnUnmatchedOnly, withApiClient } from '../../app/plan-target.ts';
import { prepareTarget } from '../../app/prepare-target.ts';
import { createProgress } from '../../app/progress.ts';
import type { OpenProject } from '../../app/project.ts';
import { pushUnpushedEntry, recordApply } from '../../app/record-apply.ts';
import { requireReviewedCommit } from '../../app/require-reviewed-commit.ts';
import type { CliContext } from '../../app/runtime.ts';
import { savedPlan } from '../../app/saved-documents.ts';
import { type HeldLock, lockLost, withLock } from '../../app/target-lock.ts';
import type { TargetReports } from '../../app/target-run.ts';
import { apply as applySteps } from '../../apply/apply.ts';
import type { ApplyResult } from '../../apply/options.ts';
import type { Target } from '../../config/project.ts';
import type { Plan } from '../../model/plan.ts';
import type { PlanResult } from '../../plan/build-plan.ts';
import type { PlanInput } from '../../plan/input.ts';
import { type ExecutableChange, planDocument } from '../../plan/plan-document.ts';
import { verifySavedPlan } from '../../plan/saved-plan.ts';
import { eventsOf, resultEvent } from '../../report/machine/ndjson.ts';
import type { Overrides } from '../../safety/checks.ts';
import { confirmationQuestion } from '../apply-confirmation.ts';
import { createPrompt, type Question } from '../prompt.ts';

/** Flags of `apply`. */
export interface ApplyOptions extends PlanningOptions {
  readonly allow: Overrides;
  readonly yes?: true | undefined;
  readonly plan?: string | undefined;
  readonly expect?: string | undefined;
  readonly onlyOrigin?: 'change' | 'drift' | undefined;
  readonly skipBlocked?: true | undefined;
  readonly requests?: true | undefined;
  /** How long to wait for the lock, seconds. */
  readonly lockTimeout: number;
}

/** Runs `apply`: lock, plan, ask, write, verify, record. */
export function apply(commandIo: CliContext, options: ApplyOptions): Promise<ExitCode> {
  const ask = createPrompt(commandIo);
  return forEachAccount(commandIo, options, {
    asks: !isConfirmed(options) && commandIo.terminal.stdin,
    async prepare(run) {
      const { session, target, io } = run;
      const ready = await prepareTarget(run, options.ref);
      await requireReviewedCommit(session, target, ready.configuration, io, options.allow.dirty === true);
      return { ...ready, saved: options.plan === undefined ? null : savedPlan(io, options.plan, target.name) };
    },
    async work({ session, target, io, reports }, { saved, ...ready }) {
      const openLedger = await openLedgerOf(session, target, io);
      const applyWithLock = async (heldLock: HeldLock | null): Promise<readonly ExitCode[]> => {
        reportInterrupted(io, session, target);
        if (openLedger && heldLock) await pushUnpushedEntry(openLedger, heldLock);
        const before = await loadState(session, target, io, openLedger, undefined);
        const work = async (account: ApiConnection): Promise<readonly ExitCode[]> => {
          const planning = { ...ready, remembered: before, allowed: options.allow, checks: true, onlyOrigin: options.onlyOrigin ?? null };
          const { run: input, reconciled: planResult } = await planTarget(session, target, account, io, options, planning);
          warnUnmatchedOnly(io, options, planResult.plan);
          return applyPlan({
            io,
            options,
            session,
            target,
            account,
            reports,
            ask,
            run: input,
            reconciled: planResult,
            saved,
            opened: openLedger,
            holding: heldLock,
            before,
          });
        };
        return withApiClient(target, ready.credentials, io, options, work, heldLock?.signal);
      };
      return openLedger ? withLock(openLedger, target, io, options.lockTimeout, applyWithLock) : applyWithLock(null);
    },
  });
}

/** Decides whether the flags confirm the plan without a prompt. */
function isConfirmed({ yes, plan, expect }: ApplyOptions): boolean {
  return yes === true || plan !== undefined || expect !== undefined;
}

/** The inputs of one target's apply once it is planned. */
interface PlannedApply {
  readonly io: CliContext;
  readonly options: ApplyOptions;
  readonly session: OpenProject;
  readonly target: Target;
  readonly account: ApiConnection;
  readonly reports: TargetReports;
  readonly ask: (question: Question) => Promise<boolean>;
  readonly run: PlanInput;
  readonly reconciled: PlanResult;
  readonly saved: Plan | null;
  /** Both null without a ledger. */
  readonly opened: OpenLedger | null;
  readonly holding: HeldLock | null;
  readonly before: LoadedState;
}

async function applyPlan(plannedApply: PlannedApply): Promise<readonly ExitCode[]> {
  const { io, options, reports, reconciled: planResult, target, holding: heldLock, opened: openLedger, run: input, before } = plannedApply;
  if (heldLock?.lost()) throw lockLost(target);
  const incomplete = reportReadErrors(io, planResult.errors);
  if (io.signal.aborted) throw interrupted();
  refuseIncomplete(incomplete, options.skipBlocked);
  const steps = selectChanges(plannedApply, incomplete);
  const plan = planOf(steps, planResult);
  if (options.format === 'text') reports.show({ type: 'plan', plan }, { requests: options.requests === true });
  reports.emit(eventsOf({ type: 'plan', plan }));
  refuseBlocked(plan, options.skipBlocked);
  if (!isConfirmed(options)) await refuseUnconfirmed(plan, plannedApply, incomplete);
  if (heldLock?.lost()) throw lockLost(target);
  const { applied, exits } = await write(steps, plan, plannedApply);
  reports.add({ type: 'outcome', outcome: { ...applied.outcome, run: describeRun(io, plannedApply.account, null) }, plan });
  const recorded =
    openLedger && heldLock
      ? await recordApply(io, openLedger, heldLock, { target, run: input, reconciled: planResult, applied, before })
      : [];
  return [...incomplete, ...exitsOf(applied, steps, io), ...exits, ...recorded, ...(heldLock?.lost() ? [reportLostLock(io, target)] : [])];
}

/** Reports a lock that was lost while writing; returns its exit code. */
function reportLostLock(io: CliContext, target: Target): ExitCode {
  const { message, hint, exit } = lockLost(target);
  reportError(io, message, hint);
  return exit;
}

const PLAN_AGAIN = 'nothing was written; run `upkeep plan` again and have the new plan reviewed';

/**
 * Returns the changes to apply. @throws CliError if the saved or expected plan is stale; exit codes of `incomplete` reads take precedence,
 * since they may be the cause
 */
function selectChanges(
  { io, options, reconciled: planResult, saved }: PlannedApply,
  incomplete: readonly ExitCode[],
): readonly ExecutableChange[] {
  const stale = highestPrecedence([...incomplete, EXIT_CODES.stale]);
  if (options.expect !== undefined && options.expect !== planResult.plan.fingerprint) {
    throw new CliError(stale, 'stale-plan', `the plan is now ${planResult.plan.fingerprint}, not ${options.expect}`, PLAN_AGAIN);
  }
  if (!saved) return planResult.steps;
  const selection = verifySavedPlan(saved, planResult);
  if ('stale' in selection) throw new CliError(stale, 'stale-plan', `the plan is stale: ${listed(selection.stale)}`, PLAN_AGAIN);
  if (selection.notInPlan.length > 0) info(io, `not in the saved plan, and not applied: ${selection.notInPlan.join(', ')}`);
  return selection.steps;
}

/** Builds the plan document of the selected changes, which may be fewer than planned. */
function planOf(steps: readonly ExecutableChange[], { plan, steps: all, context, impactOf }: PlanResult): Plan {
  if (steps.length === all.length) return plan;
  const { config, observed, findings, summary, cost } = plan;
  const impact = impactOf(new Set(steps.map(({ change }) => change.address)));
  return planDocument(steps, context, { config, observed, findings, ...summary, reads: cost.reads, impact });
}

async function refuseUnconfirmed(
  plan: Plan,
  { io, options, target, reports, ask, reconciled: planResult }: PlannedApply,
  incomplete: readonly ExitCode[],
): Promise<void> {
  const isDirty = plan.config?.dirty === true && options.allow.dirty === true;
  const question = confirmationQuestion({ plan, baseUrl: target.baseUrl, released: planResult.overridden, isDirty });
  if (!question) return;
  // Show the plan before asking, whatever the report format.
  if (options.format !== 'text' && io.terminal.stdin) reports.show({ type: 'plan', plan }, { requests: options.requests === true });
  if (await ask(io.secrets.hiddenIn(question))) return;
  if (io.signal.aborted) throw interrupted();
  throw new CliError(
    highestPrecedence([...incomplete, EXIT_CODES.blocked]),
    'not-confirmed',
    'not confirmed, so nothing was written',
    'where nobody can be asked, confirm with --yes, --plan FILE or --expect FINGERPRINT',
  );
}

/** Executes the changes with a journal; a journal that cannot be removed is an error of its own. */
async function write(
  steps: readonly ExecutableChange[],
  plan: Plan,
  { io, session, target, account, reports, reconciled: planResult, holding: heldLock }: PlannedApply,
): Promise<{ readonly applied: ApplyResult; readonly exits: readonly ExitCode[] }> {
  const progress = createProgress('applying', steps.length, io.now, 'reading back');
  account.status.show(progress.line);
  const journal = openJournal(session.folder, target.name, io.now);
  const applied = await applySteps({
    changes: steps,
    context: planResult.context,
    fingerprint: plan.fingerprint,
    reads: planResult.reads,
    service: account.service,
    concurrency: target.http.concurrency,
    now: io.now,
    waitPolicy: account.service.waitPolicy,
    signal: heldLock?.signal ?? io.signal,
    journal,
    ...(heldLock ? { shouldContinue: heldLock.isStillHeld } : {}),
    onOutcome: (outcome) => reports.emit([resultEvent(target.name, outcome)]),
    onProgress: progress.reached,
  });
  account.status.clear();
  const left = journal.close();
  if (left === null) return { applied, exits: [] };
  reportError(io, left, 'remove it: otherwise the next run reports this one as interrupted');
  return { applied, exits: [EXIT_CODES.error] };
}

function exitsOf(
  { outcome, errors, verificationIncomplete }: ApplyResult,
  steps: readonly ExecutableChange[],
  io: CliContext,
): readonly ExitCode[] {
  return [
    ...(outcome.summary.failed > 0 ? [EXIT_CODES.failed] : []),
    ...(errors.some((error) => error.kind === 'credentials') ? [EXIT_CODES.credentials] : []),
    // Requests aborted with the lock do not count as interrupted by the user.
    ...(verificationIncomplete ? reportReadErrors(io, errors.slice(-1)) : []).filter((exit) => exit !== EXIT_CODES.interrupted),
    ...(steps.some((step) => step.change.blocked !== null) ? [EXIT_CODES.blocked] : []),
    ...(io.signal.aborted ? [EXIT_CODES.interrupted] : []),
  ];
}
