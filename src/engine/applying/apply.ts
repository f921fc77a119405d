import type { ServiceError } from '../../kinds/kind.ts';
import { batchesOf, type PlanContext, type PlannedStep, waves } from '../plan.ts';
import type { Batch } from '../requests.ts';
import type { Application, Applied, Journal } from './application.ts';
import { type Carrier, carryOut, type Verdict } from './carry.ts';
import { Freshness } from './fresh.ts';
import { Progress } from './progress.ts';
import { verify } from './verify.ts';

/** Writes wave by wave, then reads back. A failure stops what depends on it, and nothing else (design section 4, rule 7). */
export async function apply(application: Application): Promise<Applied> {
  const { service, now, context, seen } = application;
  const faults: ServiceError[] = [];
  const unread: ServiceError[] = [];
  const known = new Set([...seen.values()].flatMap((each) => each.observation.objects.map((object) => object.id)));
  const { patience } = application;
  const carrier: Carrier = { service, now, patience, settings: context.settings, known, onFault: (fault) => faults.push(fault) };
  const progress = new Progress(application);
  const freshness = new Freshness(application, carrier);
  const waiting = new Set(application.steps.filter((step) => step.change.held === null));
  for (const wave of waves(application.steps)) {
    progress.stop((await application.mayGoOn?.()) ?? null);
    if (wave.some((step) => step.change.phase === 4)) unread.push(...(await checkTightened(progress, known, application)));
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
    faults: [...faults, ...unread],
    ids: progress.ids,
    unreadable: unread.length > 0,
  };
}

/** Before anything is loosened, what was tightened must read back as tight; what cannot be read is not known to be (design section 4, rule 6). */
async function checkTightened(
  progress: Progress,
  known: ReadonlySet<string>,
  { service, now }: Application,
): Promise<readonly ServiceError[]> {
  const tightened = progress.unchecked().filter((step) => step.change.effect === 'tightens');
  const { inconsistent, faults } = await verify(tightened, progress.ids, known, service, now);
  for (const [address, why] of inconsistent) progress.fail(address, why);
  if (faults.length > 0) progress.distrust(tightened);
  else progress.checked(tightened);
  return faults;
}

/** Carries out the batches of one wave side by side; each is looked at again before it is written, where its reading is old. */
async function applyWave(
  steps: readonly PlannedStep[],
  waiting: Set<PlannedStep>,
  { context, now, signal, concurrency, journal }: Application,
  carrier: Carrier,
  progress: Progress,
  freshness: Freshness,
): Promise<void> {
  const work = async (batch: Batch<PlannedStep>): Promise<void> => {
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
async function carryTraced(batch: Batch<PlannedStep>, carrier: Carrier, journal: Journal | undefined): Promise<readonly Verdict[]> {
  const created = batch.items.filter(({ change }) => change.action === 'create').map(({ change }) => change.address);
  if (!journal || created.length === 0) return carryOut(batch, carrier);
  const untraced = journal.intend(created);
  if (untraced !== null) return batch.items.map((step) => ({ step, state: 'failed', why: `not created: ${untraced}` }));
  const verdicts = await carryOut(batch, carrier);
  journal.settle(created);
  return verdicts;
}

function rebatched(batch: Batch<PlannedStep>, unfit: ReadonlySet<PlannedStep>, context: PlanContext, now: number) {
  return batchesOf(
    batch.items.filter((step) => !unfit.has(step)),
    context.settings,
    now,
  );
}

function interrupted(step: PlannedStep) {
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
