import type { Applied } from '../../engine/application.ts';
import { apply as applySteps } from '../../engine/apply.ts';
import type { Target } from '../../engine/configuration.ts';
import type { Allowed } from '../../engine/guard.ts';
import { type PlannedStep, planDocument } from '../../engine/plan.ts';
import type { Reconciled } from '../../engine/reconcile.ts';
import { select } from '../../engine/select.ts';
import type { Plan } from '../../model/plan.ts';
import { type Account, complainOfFaults, planTarget, withAccount } from '../account.ts';
import { confirmed } from '../confirm.ts';
import { EXIT, type Exit, Stop } from '../exit.ts';
import type { Io } from '../io.ts';
import type { GlobalOptions } from '../options.ts';
import { emit, remark } from '../output.ts';
import { savedPlan } from '../saved.ts';
import { type Session, validDeclarationOf } from '../session.ts';
import { overTargets, type TargetResult } from './shared.ts';

/** Flags of `apply`. */
export interface ApplyOptions extends GlobalOptions {
  readonly allow: Allowed;
  readonly yes?: true | undefined;
  readonly plan?: string | undefined;
  readonly expect?: string | undefined;
  readonly skipHeld?: true | undefined;
  readonly requests?: true | undefined;
}

/** `apply`: plan, ask, write, verify. */
export function apply(io: Io, options: ApplyOptions): Promise<Exit> {
  return overTargets(io, options, async (session, target) => {
    const declaration = validDeclarationOf(session, target);
    const saved = options.plan === undefined ? null : savedPlan(io, options.plan, target.name);
    return withAccount(session, target, io, options, async (account) => {
      const reconciled = await planTarget(session, target, declaration, account, io, options, options.allow);
      account.status.clear();
      return carryThrough({ io, options, session, target, account, reconciled, saved });
    });
  });
}

interface Undertaking {
  readonly io: Io;
  readonly options: ApplyOptions;
  readonly session: Session;
  readonly target: Target;
  readonly account: Account;
  readonly reconciled: Reconciled;
  readonly saved: Plan | null;
}

async function carryThrough(undertaking: Undertaking): Promise<TargetResult> {
  const { io, options, reconciled } = undertaking;
  const incomplete = complainOfFaults(io, reconciled.faults);
  const steps = chosenSteps(undertaking);
  const plan = planOf(steps, reconciled);
  if (options.format === 'text') await emit(io, { ...options, out: [] }, [{ type: 'plan', plan }], { requests: options.requests === true });
  refuseIncomplete(incomplete, options);
  refuseHeld(steps, options);
  await refuseUnconfirmed(plan, undertaking);
  const applied = await write(steps, plan, undertaking);
  return { document: { type: 'outcome', outcome: applied.outcome, plan }, exits: [...incomplete, ...exitsOf(applied, steps, io)] };
}

/** The steps that this run is about. @throws Stop where the saved or expected plan is not the plan of now */
function chosenSteps({ io, options, reconciled, saved }: Undertaking): readonly PlannedStep[] {
  if (options.expect !== undefined && options.expect !== reconciled.plan.fingerprint) {
    throw new Stop(EXIT.stale, 'stale-plan', `the plan is now ${reconciled.plan.fingerprint}, not ${options.expect}`, PLAN_AGAIN);
  }
  if (!saved) return reconciled.steps;
  const selection = select(saved, reconciled);
  if ('stale' in selection) throw new Stop(EXIT.stale, 'stale-plan', `the plan is stale: ${selection.stale.join('\n  ')}`, PLAN_AGAIN);
  if (selection.leftAlone.length > 0) remark(io, `not in the saved plan, and left alone: ${selection.leftAlone.join(', ')}`);
  return selection.steps;
}

const PLAN_AGAIN = 'nothing was written; run `upkeep plan` again and have the new plan reviewed';

function planOf(steps: readonly PlannedStep[], { plan, steps: all, context }: Reconciled): Plan {
  if (steps.length === all.length) return plan;
  const { config, observed, findings, summary, cost } = plan;
  return planDocument(steps, context, { config, observed, findings, ...summary, reads: cost.reads });
}

function refuseIncomplete(incomplete: readonly Exit[], options: ApplyOptions): void {
  const [exit] = incomplete;
  if (exit === undefined || options.skipHeld) return;
  const worst = incomplete.includes(EXIT.credentials) ? EXIT.credentials : exit;
  throw new Stop(
    worst,
    'incomplete-read',
    'not everything could be read, so nothing was written',
    'mend the reads; --skip-held applies the kinds that were read whole',
  );
}

function refuseHeld(steps: readonly PlannedStep[], options: ApplyOptions): void {
  const held = steps.filter((step) => step.change.held !== null);
  if (held.length === 0 || options.skipHeld) return;
  const reasons = held.map(({ change }) => `${change.address}: ${change.held?.reason} (release: ${change.held?.release})`);
  throw new Stop(
    EXIT.held,
    'held',
    `${held.length} of ${steps.length} changes are held, so nothing was written: ${reasons.join('\n  ')}`,
    'release them, or apply the rest with --skip-held',
  );
}

async function refuseUnconfirmed(plan: Plan, { io, options, target }: Undertaking): Promise<void> {
  const free = plan.changes.filter((change) => change.held === null).length;
  if (free === 0 || options.yes || options.plan !== undefined || options.expect !== undefined) return;
  if (await confirmed(io, `Apply ${free} ${free === 1 ? 'change' : 'changes'} to ${target.name}?`)) return;
  throw new Stop(
    EXIT.held,
    'not-confirmed',
    'not confirmed, so nothing was written',
    'confirm with --yes, --plan FILE or --expect FINGERPRINT where nobody can be asked',
  );
}

function write(steps: readonly PlannedStep[], plan: Plan, { io, target, account, reconciled }: Undertaking): Promise<Applied> {
  return applySteps({
    steps,
    context: reconciled.context,
    fingerprint: plan.fingerprint,
    seen: reconciled.seen,
    service: account.service,
    concurrency: target.http.concurrency,
    now: io.now,
    signal: io.signal,
    onProgress: (done, total) => account.status.say(`${done} of ${total} changes`),
  });
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
