import type { Applied } from '../../engine/application.ts';
import { apply as applySteps } from '../../engine/apply.ts';
import type { Target } from '../../engine/configuration.ts';
import type { Allowed } from '../../engine/guard.ts';
import { type PlannedStep, planDocument } from '../../engine/plan.ts';
import type { Reconciled } from '../../engine/reconcile.ts';
import { select } from '../../engine/select.ts';
import type { Plan } from '../../model/plan.ts';
import { type Account, complainOfFaults, planTarget, withAccount } from '../account.ts';
import { questioner } from '../confirm.ts';
import { EXIT, type Exit, interrupted, Stop } from '../exit.ts';
import type { Io } from '../io.ts';
import type { PlanningOptions } from '../options.ts';
import { type Reports, remark } from '../output.ts';
import { savedPlan } from '../saved.ts';
import { validDeclarationOf } from '../session.ts';
import { listed, refuseHeld, refuseIncomplete } from './refusals.ts';
import { overTargets } from './shared.ts';

/** Flags of `apply`. */
export interface ApplyOptions extends PlanningOptions {
  readonly allow: Allowed;
  readonly yes?: true | undefined;
  readonly plan?: string | undefined;
  readonly expect?: string | undefined;
  readonly skipHeld?: true | undefined;
  readonly requests?: true | undefined;
}

/** `apply`: plan, ask, write, verify. */
export function apply(io: Io, options: ApplyOptions): Promise<Exit> {
  const ask = questioner(io);
  return overTargets(io, options, async (session, target, reports) => {
    const declaration = validDeclarationOf(session, target);
    const saved = options.plan === undefined ? null : savedPlan(io, options.plan, target.name);
    return withAccount(session, target, io, options, async (account) => {
      const reconciled = await planTarget(session, target, declaration, account, io, options, options.allow);
      return carryThrough({ io, options, target, account, reports, ask, reconciled, saved });
    });
  });
}

/** What one target's apply has at hand once it is planned. */
interface Undertaking {
  readonly io: Io;
  readonly options: ApplyOptions;
  readonly target: Target;
  readonly account: Account;
  readonly reports: Reports;
  readonly ask: (question: string) => Promise<boolean>;
  readonly reconciled: Reconciled;
  readonly saved: Plan | null;
}

async function carryThrough(undertaking: Undertaking): Promise<readonly Exit[]> {
  const { io, options, reports, reconciled } = undertaking;
  const incomplete = complainOfFaults(io, reconciled.faults);
  const steps = chosenSteps(undertaking);
  const plan = planOf(steps, reconciled);
  const unasked = options.yes || options.plan !== undefined || options.expect !== undefined;
  if (options.format === 'text') reports.show({ type: 'plan', plan }, { requests: options.requests === true });
  refuseIncomplete(incomplete, options.skipHeld);
  refuseHeld(plan.changes, options.skipHeld);
  if (!unasked) await refuseUnconfirmed(plan, undertaking);
  const applied = await write(steps, plan, undertaking);
  reports.add({ type: 'outcome', outcome: applied.outcome, plan });
  return [...incomplete, ...exitsOf(applied, steps, io)];
}

const PLAN_AGAIN = 'nothing was written; run `upkeep plan` again and have the new plan reviewed';

/** The steps that this run is about. @throws Stop where the saved or expected plan is not the plan of now */
function chosenSteps({ io, options, reconciled, saved }: Undertaking): readonly PlannedStep[] {
  if (options.expect !== undefined && options.expect !== reconciled.plan.fingerprint) {
    throw new Stop(EXIT.stale, 'stale-plan', `the plan is now ${reconciled.plan.fingerprint}, not ${options.expect}`, PLAN_AGAIN);
  }
  if (!saved) return reconciled.steps;
  const selection = select(saved, reconciled);
  if ('stale' in selection) throw new Stop(EXIT.stale, 'stale-plan', `the plan is stale: ${listed(selection.stale)}`, PLAN_AGAIN);
  if (selection.leftAlone.length > 0) remark(io, `not in the saved plan, and left alone: ${selection.leftAlone.join(', ')}`);
  return selection.steps;
}

/** The plan of these steps, which may be fewer than were planned. */
function planOf(steps: readonly PlannedStep[], { plan, steps: all, context }: Reconciled): Plan {
  if (steps.length === all.length) return plan;
  const { config, observed, findings, summary, cost } = plan;
  return planDocument(steps, context, { config, observed, findings, ...summary, reads: cost.reads });
}

async function refuseUnconfirmed(plan: Plan, { io, options, target, reports, ask }: Undertaking): Promise<void> {
  const free = plan.changes.filter((change) => change.held === null).length;
  if (free === 0) return;
  // Nobody should answer for a plan that is not before their eyes.
  if (options.format !== 'text' && io.terminal.stdin) reports.show({ type: 'plan', plan }, { requests: options.requests === true });
  if (await ask(`Apply ${free} ${free === 1 ? 'change' : 'changes'} to ${target.name}?`)) return;
  if (io.signal.aborted) throw interrupted();
  throw new Stop(
    EXIT.held,
    'not-confirmed',
    'not confirmed, so nothing was written',
    'where nobody can be asked, confirm with --yes, --plan FILE or --expect FINGERPRINT',
  );
}

async function write(steps: readonly PlannedStep[], plan: Plan, { io, target, account, reconciled }: Undertaking): Promise<Applied> {
  const applied = await applySteps({
    steps,
    context: reconciled.context,
    fingerprint: plan.fingerprint,
    seen: reconciled.seen,
    service: account.service,
    concurrency: target.http.concurrency,
    now: io.now,
    patience: account.service.patience,
    signal: io.signal,
    onProgress: (done, total) => account.status.say(`${done} of ${total} changes`),
  });
  account.status.clear();
  return applied;
}

function exitsOf({ outcome, faults, unreadable }: Applied, steps: readonly PlannedStep[], io: Io): readonly Exit[] {
  return [
    ...(outcome.summary.failed > 0 ? [EXIT.failed] : []),
    ...(faults.some((fault) => fault.fault === 'credentials') ? [EXIT.credentials] : []),
    ...(unreadable ? complainOfFaults(io, faults.slice(-1)) : []),
    ...(steps.some((step) => step.change.held !== null) ? [EXIT.held] : []),
    ...(io.signal.aborted ? [EXIT.interrupted] : []),
  ];
}
