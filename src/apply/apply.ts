import type { ApiError } from '../kinds/kind.ts';
import type { Batch } from '../plan/batch.ts';
import { batchesOf, type ExecutableChange, type PlanContext, waves } from '../plan/plan-document.ts';
import { ApplyState } from './apply-state.ts';
import { type ApplyContext, executeBatch, type StepResult } from './execute.ts';
import type { ApplyInput, ApplyJournal, ApplyResult } from './options.ts';
import { StaleCheck } from './stale-check.ts';
import { verify } from './verify.ts';

/** Writes wave by wave, then reads back. A failure stops what depends on it, and nothing else (design section 4, rule 7). */
export async function apply(application: ApplyInput): Promise<ApplyResult> {
  const { service, now, context, reads } = application;
  const errors: ApiError[] = [];
  const unread: ApiError[] = [];
  const known = new Set([...reads.values()].flatMap((each) => each.result.objects.map((object) => object.id)));
  const { waitPolicy } = application;
  const carrier: ApplyContext = {
    service,
    now,
    waitPolicy,
    settings: context.settings,
    known,
    onError: (error) => errors.push(error),
  };
  const progress = new ApplyState(application);
  const freshness = new StaleCheck(application, carrier);
  const waiting = new Set(application.changes.filter((step) => step.change.blocked === null));
  for (const wave of waves(application.changes)) {
    progress.stop((await application.shouldContinue?.()) ?? null);
    if (wave.some((step) => step.change.phase === 'loosen')) unread.push(...(await checkTightened(progress, known, application)));
    const free = progress.skipBlocked(wave);
    await applyWave(free, waiting, application, carrier, progress, freshness);
    for (const step of wave) waiting.delete(step);
  }
  const verification = await verify(progress.unchecked(), progress.ids, known, service, now);
  for (const [address, why] of verification.inconsistent) progress.fail(address, why);
  unread.push(...verification.faults);
  const verified = unread.length === 0 && !progress.failed();
  return {
    outcome: { schemaVersion: 1, target: context.target, fingerprint: application.fingerprint, ...progress.report(), verified },
    errors: [...errors, ...unread],
    ids: progress.ids,
    verificationIncomplete: unread.length > 0,
  };
}

/** Before anything is loosened, what was tightened must read back as tight; what cannot be read is not known to be (design section 4, rule 6). */
async function checkTightened(
  progress: ApplyState,
  known: ReadonlySet<string>,
  { service, now }: ApplyInput,
): Promise<readonly ApiError[]> {
  const tightened = progress.unchecked().filter((step) => step.change.effect === 'tightens');
  const { inconsistent, faults: errors } = await verify(tightened, progress.ids, known, service, now);
  for (const [address, why] of inconsistent) progress.fail(address, why);
  if (errors.length > 0) progress.markUnverified(tightened);
  else progress.markVerified(tightened);
  return errors;
}

/** Carries out the batches of one wave side by side; each is looked at again before it is written, where its reading is old. */
async function applyWave(
  steps: readonly ExecutableChange[],
  waiting: Set<ExecutableChange>,
  { context, now, signal, concurrency, journal }: ApplyInput,
  carrier: ApplyContext,
  progress: ApplyState,
  freshness: StaleCheck,
): Promise<void> {
  const work = async (batch: Batch<ExecutableChange>): Promise<void> => {
    const began = now();
    const stale = signal.aborted ? batch.items.map(interrupted) : await freshness.stale(batch.items, waiting);
    for (const step of batch.items) waiting.delete(step);
    progress.record(stale, began);
    const unfit = new Set(stale.map((verdict) => verdict.step));
    const rest = unfit.size === 0 ? [batch] : rebatched(batch, unfit, context, now());
    for (const each of rest) progress.record(await carryTraced(each, carrier, journal), began);
  };
  await sideBySide(batchesOf(steps, context.settings, now()), concurrency, work);
}

/** Carries out a batch. Nothing is created without its trace: a run that is killed would leave no sign of what it was about to do. */
async function carryTraced(
  batch: Batch<ExecutableChange>,
  context: ApplyContext,
  journal: ApplyJournal | undefined,
): Promise<readonly StepResult[]> {
  const created = batch.items.filter(({ change }) => change.action === 'create').map(({ change }) => change.address);
  if (!journal || created.length === 0) return executeBatch(batch, context);
  const untraced = journal.recordIntent(created);
  if (untraced !== null) return batch.items.map((step) => ({ step, state: 'failed', why: `not created: ${untraced}` }));
  const results = await executeBatch(batch, context);
  journal.recordResult(created);
  return results;
}

function rebatched(batch: Batch<ExecutableChange>, unfit: ReadonlySet<ExecutableChange>, context: PlanContext, now: number) {
  return batchesOf(
    batch.items.filter((step) => !unfit.has(step)),
    context.settings,
    now,
  );
}

function interrupted(step: ExecutableChange) {
  return { step, state: 'skipped', why: 'the run was interrupted' } as const;
}

/** Works on items in order, at most `width` at once. */
async function sideBySide<Item>(items: readonly Item[], width: number, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker));
}
