import { ServiceError, type Settled, type Write } from '../../kinds/kind.ts';
import { batchesOf, type PlannedStep } from '../plan.ts';
import type { Batch } from '../requests.ts';
import type { Carrier, Verdict } from './carrier.ts';
import { pauseAfter, settleByLooking, settleInTime } from './settle.ts';

export type { Carrier, Verdict } from './carrier.ts';

/** The sends of a change before this one: how each went wrong, and how long a busy service has been waited for. */
interface Past {
  readonly faults: readonly ServiceError['fault'][];
  readonly waitedMs: number;
}

const NOTHING_SENT: Past = { faults: [], waitedMs: 0 };

/** A create is sent at most this often, and looked up each time that its answer was lost (design section 4, rule 4). */
const MOST_SENDS = 3;

/** Sends the requests of a batch in order; a change whose request failed gets no further one. */
export async function carryOut(batch: Batch<PlannedStep>, carrier: Carrier, past = NOTHING_SENT): Promise<readonly Verdict[]> {
  const verdicts = new Map(batch.items.map((step): [PlannedStep, Verdict] => [step, { step, state: 'done' }]));
  for (const [index, write] of batch.writes.entries()) {
    const unhindered = batch.items.filter((step) => verdicts.get(step)?.state === 'done');
    if (unhindered.length === 0) break;
    const sent = await send(unhindered, write, carrier, past);
    for (const verdict of sent) verdicts.set(verdict.step, index === 0 ? verdict : following(verdict, verdicts.get(verdict.step)));
  }
  return [...verdicts.values()];
}

/** The verdict on a later request of a change: the ID that an earlier answer told stands, and what was begun was not skipped. */
function following(verdict: Verdict, before: Verdict | undefined): Verdict {
  if (verdict.state === 'skipped') return { ...verdict, state: 'failed', why: `${verdict.why}, and it was written in part` };
  return before?.id === undefined ? verdict : { id: before.id, ...verdict };
}

async function send(steps: readonly PlannedStep[], write: Write, carrier: Carrier, past: Past): Promise<readonly Verdict[]> {
  const answer = await orFault(async () => ({ body: (await carrier.service.send(write)).body }));
  if (answer instanceof ServiceError) return afterFault(steps, answer, carrier, past);
  const readings = await Promise.all(
    steps.map(async (step) => ({ step, said: await orFault(async () => step.kind.settle(step, write, answer.body)) })),
  );
  return afterAnswer(readings, carrier, past);
}

/** What the world did wrong is a value here; mistakes of the program go on. */
async function orFault<Value>(action: () => Promise<Value>): Promise<Value | ServiceError> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** What an answer says of one change; a ServiceError where it cannot be used for that change. */
interface Reading {
  readonly step: PlannedStep;
  readonly said: Settled | ServiceError;
}

const THERE = 'the service says that it is there already';

/** An answer that cannot be used for a change is as good as lost, for that change and no other. */
async function afterAnswer(readings: readonly Reading[], carrier: Carrier, past: Past): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  const there: PlannedStep[] = [];
  const unread: PlannedStep[] = [];
  let fault: ServiceError | undefined;
  for (const { step, said } of readings) {
    if (said instanceof ServiceError) {
      fault ??= said;
      unread.push(step);
    } else if (said.state === 'exists') there.push(step);
    else if (said.state === 'failed') verdicts.push({ step, state: 'failed', why: said.reason });
    else verdicts.push({ step, ...said });
  }
  const found = await settleByLooking(there, carrier, `${THERE}, and looking at it failed`);
  const stale = failed(unsettled(there, found), `stale: ${THERE}, but it cannot be found`);
  const late = fault ? await afterFault(unread, fault, carrier, past) : [];
  return [...verdicts, ...found.values(), ...stale, ...late];
}

/** Creates and deletes are settled by looking, unless the first of them was certainly not made; updates are not: running again converges. */
async function afterFault(steps: readonly PlannedStep[], fault: ServiceError, carrier: Carrier, past: Past): Promise<readonly Verdict[]> {
  carrier.onFault(fault);
  const action = steps[0]?.change.action;
  if (action === 'delete' && fault.fault === 'absent') return steps.map((step) => ({ step, state: 'done' }));
  const mayBeMade = fault.written === 'maybe' || past.faults.length > 0;
  if (fault.fault === 'interrupted' && !mayBeMade) return steps.map((step) => ({ step, state: 'skipped', why: 'the run was interrupted' }));
  // A delete that was refused may have been made by somebody else; one that never left was not.
  const doubtful = mayBeMade ? action !== 'update' : action === 'delete' && !neverLeft(fault);
  return doubtful ? lookThenSend(steps, fault, carrier, past) : failed(steps, reasonOf(fault));
}

/** Whether the service was not even reached. */
function neverLeft({ fault, written }: ServiceError): boolean {
  return written === 'no' && (fault === 'unreachable' || fault === 'overdue');
}

/** Never a blind second create or delete: what the first has done is looked up, and only what is still to be done is sent again. */
async function lookThenSend(steps: readonly PlannedStep[], fault: ServiceError, carrier: Carrier, past: Past): Promise<readonly Verdict[]> {
  const { patience, settings, now } = carrier;
  const pauseMs = fault.fault === 'busy' ? pauseAfter(past.waitedMs, patience.giveUpMs, fault.retryAfterMs) : 0;
  if (pauseMs) await patience.sleep(pauseMs);
  const why = reasonOf(fault);
  const settle = isUnanswered(fault) ? settleInTime : settleByLooking;
  const settled = await settle(steps, carrier, `${why} It is not known whether it was ${steps[0]?.change.action}d.`);
  const open = unsettled(steps, settled);
  if (pauseMs === null || !maySendAgain(open, fault, past)) return [...settled.values(), ...failed(open, why)];
  const next = { faults: [...past.faults, fault.fault], waitedMs: past.waitedMs + pauseMs };
  const again = await Promise.all(batchesOf(open, settings, now()).map((batch) => carryOut(batch, carrier, next)));
  return [...settled.values(), ...again.flat()];
}

/** Whether the service may still be at work on the request. */
function isUnanswered({ fault, written }: ServiceError): boolean {
  return written === 'maybe' && (fault === 'timeout' || fault === 'unreachable');
}

/** A busy service is asked as long as patience lasts, and what may be a replay once more (rule 11); besides, a create is worth three sends, a delete one. */
function maySendAgain(steps: readonly PlannedStep[], { fault, written }: ServiceError, past: Past): boolean {
  if (written === 'no') return false;
  if (fault === 'busy') return true;
  if (fault === 'refused') return !past.faults.includes('refused');
  return steps[0]?.change.action === 'create' && past.faults.length + 1 < MOST_SENDS;
}

function unsettled(steps: readonly PlannedStep[], settled: ReadonlyMap<PlannedStep, Verdict>): readonly PlannedStep[] {
  return steps.filter((step) => !settled.has(step));
}

function failed(steps: readonly PlannedStep[], why: string): readonly Verdict[] {
  return steps.map((step) => ({ step, state: 'failed', why }));
}

function reasonOf(fault: ServiceError): string {
  return `${fault.message} — ${fault.advice}`;
}
