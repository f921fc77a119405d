import { ApiError, type WriteRequest, type WriteResult } from '../kinds/kind.ts';
import type { Batch } from '../plan/batch.ts';
import { batchesOf, type ExecutableChange } from '../plan/plan-document.ts';
import type { ApplyContext, StepResult } from './context.ts';
import { nextDelay, pollUntilResolved, resolveByReading } from './resolve-uncertain.ts';

export type { ApplyContext, StepResult } from './context.ts';

/** The sends of a change before this one: how each went wrong, and how long a busy service has been waited for. */
interface PreviousAttempts {
  readonly faults: readonly ApiError['kind'][];
  readonly waitedMs: number;
}

const NOTHING_SENT: PreviousAttempts = { faults: [], waitedMs: 0 };

/** A create is sent at most this often, and looked up each time that its answer was lost (design section 4, rule 4). */
const MAX_SENDS = 3;

/** Sends the requests of a batch in order; a change whose request failed gets no further one. */
export async function executeBatch(
  batch: Batch<ExecutableChange>,
  context: ApplyContext,
  past = NOTHING_SENT,
): Promise<readonly StepResult[]> {
  const verdicts = new Map(batch.items.map((step): [ExecutableChange, StepResult] => [step, { step, state: 'done' }]));
  for (const [index, write] of batch.writes.entries()) {
    const unhindered = batch.items.filter((step) => verdicts.get(step)?.state === 'done');
    if (unhindered.length === 0) break;
    const sent = await send(unhindered, write, context, past);
    for (const result of sent) verdicts.set(result.step, index === 0 ? result : following(result, verdicts.get(result.step)));
  }
  return [...verdicts.values()];
}

/** The verdict on a later request of a change: the ID that an earlier answer told stands, and what was begun was not skipped. */
function following(result: StepResult, before: StepResult | undefined): StepResult {
  if (result.state === 'skipped') return { ...result, state: 'failed', why: `${result.why}, and it was written in part` };
  return before?.id === undefined ? result : { id: before.id, ...result };
}

async function send(
  steps: readonly ExecutableChange[],
  write: WriteRequest,
  context: ApplyContext,
  past: PreviousAttempts,
): Promise<readonly StepResult[]> {
  const answer = await orFault(async () => ({ body: (await context.service.send(write)).body }));
  if (answer instanceof ApiError) return onError(steps, answer, context, past);
  const readings = await Promise.all(
    steps.map(async (step) => ({ step, said: await orFault(async () => step.kind.parseWriteResponse(step, write, answer.body)) })),
  );
  return onResponse(readings, context, past);
}

/** What the world did wrong is a value here; mistakes of the program go on. */
async function orFault<Value>(action: () => Promise<Value>): Promise<Value | ApiError> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** What an answer says of one change; a ServiceError where it cannot be used for that change. */
interface Reading {
  readonly step: ExecutableChange;
  readonly said: WriteResult | ApiError;
}

const THERE = 'the service says that it is there already';

/** An answer that cannot be used for a change is as good as lost, for that change and no other. */
async function onResponse(readings: readonly Reading[], context: ApplyContext, past: PreviousAttempts): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  const there: ExecutableChange[] = [];
  const unread: ExecutableChange[] = [];
  let error: ApiError | undefined;
  for (const { step, said } of readings) {
    if (said instanceof ApiError) {
      error ??= said;
      unread.push(step);
    } else if (said.state === 'exists') there.push(step);
    else if (said.state === 'failed') results.push({ step, state: 'failed', why: said.reason });
    else results.push({ step, ...said });
  }
  const found = await resolveByReading(there, context, `${THERE}, and looking at it failed`);
  const stale = failed(unsettled(there, found), `stale: ${THERE}, but it cannot be found`);
  const late = error ? await onError(unread, error, context, past) : [];
  return [...results, ...found.values(), ...stale, ...late];
}

/** Creates and deletes are settled by looking, unless the first of them was certainly not made; updates are not: running again converges. */
async function onError(
  steps: readonly ExecutableChange[],
  error: ApiError,
  context: ApplyContext,
  past: PreviousAttempts,
): Promise<readonly StepResult[]> {
  context.onError(error);
  const action = steps[0]?.change.action;
  if (action === 'delete' && error.kind === 'not-found') return steps.map((step) => ({ step, state: 'done' }));
  const mayBeMade = error.mayHaveWritten === 'maybe' || past.faults.length > 0;
  if (error.kind === 'interrupted' && !mayBeMade) return steps.map((step) => ({ step, state: 'skipped', why: 'the run was interrupted' }));
  // A delete that was refused may have been made by somebody else; one that never left was not.
  const doubtful = mayBeMade ? action !== 'update' : action === 'delete' && !wasNeverSent(error);
  return doubtful ? verifyThenRetry(steps, error, context, past) : failed(steps, reasonOf(error));
}

/** Whether the service was not even reached. */
function wasNeverSent({ kind, mayHaveWritten }: ApiError): boolean {
  return mayHaveWritten === 'no' && (kind === 'unreachable' || kind === 'deadline');
}

/** Never a blind second create or delete: what the first has done is looked up, and only what is still to be done is sent again. */
async function verifyThenRetry(
  steps: readonly ExecutableChange[],
  error: ApiError,
  context: ApplyContext,
  past: PreviousAttempts,
): Promise<readonly StepResult[]> {
  const { waitPolicy, settings, now } = context;
  const pauseMs = error.kind === 'throttled' ? nextDelay(past.waitedMs, waitPolicy.giveUpMs, error.retryAfterMs) : 0;
  if (pauseMs) await waitPolicy.sleep(pauseMs);
  const why = reasonOf(error);
  const settle = isUnanswered(error) ? pollUntilResolved : resolveByReading;
  const resolved = await settle(steps, context, `${why} It is not known whether it was ${steps[0]?.change.action}d.`);
  const open = unsettled(steps, resolved);
  if (pauseMs === null || !maySendAgain(open, error, past)) return [...resolved.values(), ...failed(open, why)];
  const next = { faults: [...past.faults, error.kind], waitedMs: past.waitedMs + pauseMs };
  const again = await Promise.all(batchesOf(open, settings, now()).map((batch) => executeBatch(batch, context, next)));
  return [...resolved.values(), ...again.flat()];
}

/** Whether the service may still be at work on the request. */
function isUnanswered({ kind, mayHaveWritten }: ApiError): boolean {
  return mayHaveWritten === 'maybe' && (kind === 'timeout' || kind === 'unreachable');
}

/** A busy service is asked as long as patience lasts, and what may be a replay once more (design section 4, rule 11); besides, a create is worth three sends, a delete one. */
function maySendAgain(steps: readonly ExecutableChange[], { kind, mayHaveWritten }: ApiError, past: PreviousAttempts): boolean {
  if (mayHaveWritten === 'no') return false;
  if (kind === 'throttled') return true;
  if (kind === 'rejected') return !past.faults.includes('rejected');
  return steps[0]?.change.action === 'create' && past.faults.length + 1 < MAX_SENDS;
}

function unsettled(steps: readonly ExecutableChange[], settled: ReadonlyMap<ExecutableChange, StepResult>): readonly ExecutableChange[] {
  return steps.filter((step) => !settled.has(step));
}

function failed(steps: readonly ExecutableChange[], why: string): readonly StepResult[] {
  return steps.map((step) => ({ step, state: 'failed', why }));
}

function reasonOf(error: ApiError): string {
  return `${error.message} — ${error.advice}`;
}
