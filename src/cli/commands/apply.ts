import type { Applied } from '../../engine/applying/application.ts';
import { apply as applySteps } from '../../engine/applying/apply.ts';
import type { Target } from '../../engine/desired/configuration.ts';
import type { Allowed } from '../../engine/guard.ts';
import { type PlannedStep, planDocument } from '../../engine/plan.ts';
import type { Reconciled } from '../../engine/reconcile.ts';
import type { Run } from '../../engine/run.ts';
import { select } from '../../engine/select.ts';
import type { Plan } from '../../model/plan.ts';
import { eventsOf, resultEvent } from '../../report/ndjson.ts';
import { type Account, complainOfFaults, planTarget, warnOfIdleOnly, withAccount } from '../account.ts';
import { type Question, questioner } from '../confirm.ts';
import { consentQuestion } from '../consent.ts';
import { EXIT, type Exit, interrupted, Stop, strongest } from '../exit.ts';
import type { Io } from '../io.ts';
import { openJournal, reportInterrupted } from '../journal.ts';
import { type Holding, lockLost, underLock } from '../lock.ts';
import { type LedgerOf, openedLedger, type Remembered, remembered } from '../memory.ts';
import type { PlanningOptions } from '../options.ts';
import { complain, listed, remark } from '../output.ts';
import { prepared } from '../prepared.ts';
import { createProgress } from '../progress.ts';
import { heal, record } from '../record.ts';
import { runFacts } from '../run-facts.ts';
import { savedPlan } from '../saved.ts';
import type { Session } from '../session.ts';
import { refuseStray } from '../stray.ts';
import type { TargetReports } from '../target-run.ts';
import { forEachAccount } from './for-each-target.ts';
import { refuseHeld, refuseIncomplete } from './refusals.ts';

/** Flags of `apply`. */
export interface ApplyOptions extends PlanningOptions {
  readonly allow: Allowed;
  readonly yes?: true | undefined;
  readonly plan?: string | undefined;
  readonly expect?: string | undefined;
  readonly onlyOrigin?: 'change' | 'drift' | undefined;
  readonly skipHeld?: true | undefined;
  readonly requests?: true | undefined;
  /** How long to wait for the lock, seconds. */
  readonly lockTimeout: number;
}

/** `apply`: lock, plan, ask, write, verify, record. */
export function apply(commandIo: Io, options: ApplyOptions): Promise<Exit> {
  const ask = questioner(commandIo);
  return forEachAccount(commandIo, options, {
    asks: !isConfirmed(options) && commandIo.terminal.stdin,
    async prepare(run) {
      const { session, target, io } = run;
      const ready = await prepared(run, options.ref);
      await refuseStray(session, target, ready.configuration, io, options.allow.dirty === true);
      return { ...ready, saved: options.plan === undefined ? null : savedPlan(io, options.plan, target.name) };
    },
    async work({ session, target, io, reports }, { saved, ...ready }) {
      const opened = await openedLedger(session, target, io);
      const undertake = async (holding: Holding | null): Promise<readonly Exit[]> => {
        reportInterrupted(io, session, target);
        if (opened && holding) await heal(opened, holding);
        const before = await remembered(session, target, io, opened, undefined);
        const work = async (account: Account): Promise<readonly Exit[]> => {
          const planning = { ...ready, remembered: before, allowed: options.allow, checks: true, onlyOrigin: options.onlyOrigin ?? null };
          const { run, reconciled } = await planTarget(session, target, account, io, options, planning);
          warnOfIdleOnly(io, options, reconciled.plan);
          return carryThrough({ io, options, session, target, account, reports, ask, run, reconciled, saved, opened, holding, before });
        };
        return withAccount(target, ready.credentials, io, options, work, holding?.signal);
      };
      return opened ? underLock(opened, target, io, options.lockTimeout, undertake) : undertake(null);
    },
  });
}

/** Whether the command itself says that somebody has seen the plan. */
function isConfirmed({ yes, plan, expect }: ApplyOptions): boolean {
  return yes === true || plan !== undefined || expect !== undefined;
}

/** What one target's apply has at hand once it is planned. */
interface Undertaking {
  readonly io: Io;
  readonly options: ApplyOptions;
  readonly session: Session;
  readonly target: Target;
  readonly account: Account;
  readonly reports: TargetReports;
  readonly ask: (question: Question) => Promise<boolean>;
  readonly run: Run;
  readonly reconciled: Reconciled;
  readonly saved: Plan | null;
  /** Both null without a ledger. */
  readonly opened: LedgerOf | null;
  readonly holding: Holding | null;
  readonly before: Remembered;
}

async function carryThrough(undertaking: Undertaking): Promise<readonly Exit[]> {
  const { io, options, reports, reconciled, target, holding, opened, run, before } = undertaking;
  if (holding?.lost()) throw lockLost(target);
  const incomplete = complainOfFaults(io, reconciled.faults);
  if (io.signal.aborted) throw interrupted();
  refuseIncomplete(incomplete, options.skipHeld);
  const steps = chosenSteps(undertaking, incomplete);
  const plan = planOf(steps, reconciled);
  if (options.format === 'text') reports.show({ type: 'plan', plan }, { requests: options.requests === true });
  reports.tell(eventsOf({ type: 'plan', plan }));
  refuseHeld(plan, options.skipHeld);
  if (!isConfirmed(options)) await refuseUnconfirmed(plan, undertaking, incomplete);
  if (holding?.lost()) throw lockLost(target);
  const { applied, exits } = await write(steps, plan, undertaking);
  reports.add({ type: 'outcome', outcome: { ...applied.outcome, run: runFacts(io, undertaking.account, null) }, plan });
  const recorded = opened && holding ? await record(io, opened, holding, { target, run, reconciled, applied, before }) : [];
  return [...incomplete, ...exitsOf(applied, steps, io), ...exits, ...recorded, ...(holding?.lost() ? [complainOfLoss(io, target)] : [])];
}

/** The lock was lost after writing had begun. */
function complainOfLoss(io: Io, target: Target): Exit {
  const { message, hint, exit } = lockLost(target);
  complain(io, message, hint);
  return exit;
}

const PLAN_AGAIN = 'nothing was written; run `upkeep plan` again and have the new plan reviewed';

/** The steps that this run is about. @throws Stop where the saved or expected plan is not the plan of now; what is `incomplete` may be why, and goes first */
function chosenSteps({ io, options, reconciled, saved }: Undertaking, incomplete: readonly Exit[]): readonly PlannedStep[] {
  const stale = strongest([...incomplete, EXIT.stale]);
  if (options.expect !== undefined && options.expect !== reconciled.plan.fingerprint) {
    throw new Stop(stale, 'stale-plan', `the plan is now ${reconciled.plan.fingerprint}, not ${options.expect}`, PLAN_AGAIN);
  }
  if (!saved) return reconciled.steps;
  const selection = select(saved, reconciled);
  if ('stale' in selection) throw new Stop(stale, 'stale-plan', `the plan is stale: ${listed(selection.stale)}`, PLAN_AGAIN);
  if (selection.leftAlone.length > 0) remark(io, `not in the saved plan, and left alone: ${selection.leftAlone.join(', ')}`);
  return selection.steps;
}

/** The plan of these steps, which may be fewer than were planned. */
function planOf(steps: readonly PlannedStep[], { plan, steps: all, context, impactOf }: Reconciled): Plan {
  if (steps.length === all.length) return plan;
  const { config, observed, findings, summary, cost } = plan;
  const impact = impactOf(new Set(steps.map(({ change }) => change.address)));
  return planDocument(steps, context, { config, observed, findings, ...summary, reads: cost.reads, impact });
}

async function refuseUnconfirmed(
  plan: Plan,
  { io, options, target, reports, ask, reconciled }: Undertaking,
  incomplete: readonly Exit[],
): Promise<void> {
  const isDirty = plan.config?.dirty === true && options.allow.dirty === true;
  const question = consentQuestion({ plan, baseUrl: target.baseUrl, released: reconciled.released, isDirty });
  if (!question) return;
  // Nobody should answer for a plan that is not before their eyes.
  if (options.format !== 'text' && io.terminal.stdin) reports.show({ type: 'plan', plan }, { requests: options.requests === true });
  if (await ask(io.secrets.hiddenIn(question))) return;
  if (io.signal.aborted) throw interrupted();
  throw new Stop(
    strongest([...incomplete, EXIT.held]),
    'not-confirmed',
    'not confirmed, so nothing was written',
    'where nobody can be asked, confirm with --yes, --plan FILE or --expect FINGERPRINT',
  );
}

/** Carries out the steps under a journal; one that stays behind is an error of its own. */
async function write(
  steps: readonly PlannedStep[],
  plan: Plan,
  { io, session, target, account, reports, reconciled, holding }: Undertaking,
): Promise<{ readonly applied: Applied; readonly exits: readonly Exit[] }> {
  const progress = createProgress('applying', steps.length, io.now, 'reading back');
  account.status.show(progress.line);
  const journal = openJournal(session.folder, target.name, io.now);
  const applied = await applySteps({
    steps,
    context: reconciled.context,
    fingerprint: plan.fingerprint,
    seen: reconciled.seen,
    service: account.service,
    concurrency: target.http.concurrency,
    now: io.now,
    patience: account.service.patience,
    signal: holding?.signal ?? io.signal,
    journal,
    ...(holding ? { mayGoOn: holding.mayGoOn } : {}),
    onOutcome: (outcome) => reports.tell([resultEvent(target.name, outcome)]),
    onProgress: progress.reached,
  });
  account.status.clear();
  const left = journal.close();
  if (left === null) return { applied, exits: [] };
  complain(io, left, 'remove it: else the next run takes this one for one that was killed');
  return { applied, exits: [EXIT.error] };
}

function exitsOf({ outcome, faults, unreadable }: Applied, steps: readonly PlannedStep[], io: Io): readonly Exit[] {
  return [
    ...(outcome.summary.failed > 0 ? [EXIT.failed] : []),
    ...(faults.some((fault) => fault.fault === 'credentials') ? [EXIT.credentials] : []),
    // What was cut off with the lock was not interrupted by the user.
    ...(unreadable ? complainOfFaults(io, faults.slice(-1)) : []).filter((exit) => exit !== EXIT.interrupted),
    ...(steps.some((step) => step.change.held !== null) ? [EXIT.held] : []),
    ...(io.signal.aborted ? [EXIT.interrupted] : []),
  ];
}
