import { type KindSettings, type Service, ServiceError, type Write } from '../kinds/kind.ts';
import { differencesOf } from './compare.ts';
import { look } from './look.ts';
import { batchesOf, type PlannedStep } from './plan.ts';
import type { Batch } from './requests.ts';

/** What became of one change of a batch. */
export interface Verdict {
  readonly step: PlannedStep;
  readonly state: 'done' | 'failed' | 'skipped';
  /** The remote ID, where an answer or a look told it. */
  readonly id?: string;
  /** Why it failed or was skipped. */
  readonly why?: string;
}

/** What carrying out needs. `now` gives Unix milliseconds; `known` holds the remote IDs that were live when the plan was made. */
export interface Carrier {
  readonly service: Service;
  readonly settings: KindSettings;
  readonly now: () => number;
  readonly known: ReadonlySet<string>;
  /** Told every fault, also those that were settled by looking. */
  onFault(fault: ServiceError): void;
}

/** A create is sent at most this often, and looked up each time that its answer was lost (design section 4, rule 4). */
const CREATE_TRIES = 3;

/** Sends the requests of a batch in order; a change whose request failed gets no further one. */
export async function carryOut(batch: Batch<PlannedStep>, carrier: Carrier, attempt = 1): Promise<readonly Verdict[]> {
  const verdicts = new Map(batch.items.map((step): [PlannedStep, Verdict] => [step, { step, state: 'done' }]));
  for (const [index, write] of batch.writes.entries()) {
    const unhindered = batch.items.filter((step) => verdicts.get(step)?.state === 'done');
    if (unhindered.length === 0) break;
    const sent = await send(unhindered, write, carrier, attempt);
    for (const verdict of sent) verdicts.set(verdict.step, index === 0 ? verdict : following(verdict, verdicts.get(verdict.step)));
  }
  return [...verdicts.values()];
}

/** The verdict on a later request of a change: the ID that an earlier answer told stands, and what was begun was not skipped. */
function following(verdict: Verdict, before: Verdict | undefined): Verdict {
  if (verdict.state === 'skipped') return { ...verdict, state: 'failed', why: `${verdict.why}, and it was written in part` };
  return before?.id === undefined ? verdict : { id: before.id, ...verdict };
}

async function send(steps: readonly PlannedStep[], write: Write, carrier: Carrier, attempt: number): Promise<readonly Verdict[]> {
  try {
    const { body } = await carrier.service.send(write);
    return await settleAll(steps, write, body, carrier);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    carrier.onFault(error);
    return afterFault(steps, error, carrier, attempt);
  }
}

const THERE = 'the service says that it is there already';

async function settleAll(steps: readonly PlannedStep[], write: Write, body: unknown, carrier: Carrier): Promise<readonly Verdict[]> {
  const settled = steps.map((step) => ({ step, said: step.kind.settle(step, write, body) }));
  const there = settled.filter(({ said }) => said.state === 'exists').map(({ step }) => step);
  const looked = await quietly(() => lookedUp(there, carrier), carrier);
  const unseen = looked ? `stale: ${THERE}, but it cannot be found` : `${THERE}, and looking at it failed`;
  return settled.map(({ step, said }): Verdict => {
    if (said.state === 'failed') return { step, state: 'failed', why: said.reason };
    if (said.state === 'done') return { step, state: 'done', ...(said.id === undefined ? {} : { id: said.id }) };
    return looked?.get(step) ?? { step, state: 'failed', why: unseen };
  });
}

async function afterFault(
  steps: readonly PlannedStep[],
  fault: ServiceError,
  carrier: Carrier,
  attempt: number,
): Promise<readonly Verdict[]> {
  const failed: Verdict['why'] = `${fault.message} — ${fault.advice}`;
  const all = (state: 'failed' | 'skipped', why: string) => steps.map((step): Verdict => ({ step, state, why }));
  if (fault.fault === 'interrupted') return all('skipped', 'the run was interrupted');
  const action = steps[0]?.change.action;
  if (action === 'delete') return settleDeletes(steps, fault, failed, carrier);
  if (action !== 'create' || fault.written === 'no') return all('failed', failed);
  return settleCreates(steps, failed, carrier, attempt);
}

/** A lost delete is settled by looking; a 404 says that it is gone. */
async function settleDeletes(
  steps: readonly PlannedStep[],
  fault: ServiceError,
  failed: string,
  carrier: Carrier,
): Promise<readonly Verdict[]> {
  if (fault.fault === 'absent') return steps.map((step) => ({ step, state: 'done' }));
  const seen = await quietLook(steps, carrier);
  return steps.map((step) =>
    seen && seen.get(step.change.address) === null ? { step, state: 'done' } : { step, state: 'failed', why: failed },
  );
}

/** A create whose answer was lost is looked up before it is sent again; never a blind second create. */
async function settleCreates(
  steps: readonly PlannedStep[],
  failed: string,
  carrier: Carrier,
  attempt: number,
): Promise<readonly Verdict[]> {
  const looked = await quietly(() => lookedUp(steps, carrier), carrier);
  if (!looked) return steps.map((step) => ({ step, state: 'failed', why: `${failed} It is not known whether it was created.` }));
  const missing = steps.filter((step) => !looked.has(step));
  const found = steps.flatMap((step) => looked.get(step) ?? []);
  if (missing.length === 0) return found;
  if (attempt >= CREATE_TRIES) return [...found, ...missing.map((step): Verdict => ({ step, state: 'failed', why: failed }))];
  const again = await Promise.all(
    batchesOf(missing, carrier.settings, carrier.now()).map((batch) => carryOut(batch, carrier, attempt + 1)),
  );
  return [...found, ...again.flat()];
}

/** Looks for what creates may have made: as desired is done, anything else is stale; absent ones are left out. */
async function lookedUp(steps: readonly PlannedStep[], carrier: Carrier): Promise<ReadonlyMap<PlannedStep, Verdict>> {
  const [first] = steps;
  if (!first) return new Map();
  const seen = await look(first.kind, steps, carrier.service, carrier.known);
  return new Map(
    steps.flatMap((step): [PlannedStep, Verdict][] => {
      const live = seen.get(step.change.address);
      if (!live || !step.desired) return [];
      const [difference] = differencesOf(step.kind, step.desired, live, carrier.now());
      return [
        difference
          ? [step, { step, state: 'failed', why: `stale: another object is there (${live.id}), which differs in ${difference.path}` }]
          : [step, { step, state: 'done', id: live.id }],
      ];
    }),
  );
}

async function quietLook(steps: readonly PlannedStep[], carrier: Carrier) {
  const [first] = steps;
  return first ? quietly(() => look(first.kind, steps, carrier.service, carrier.known), carrier) : undefined;
}

/** The look itself may fail too: then nothing is concluded. */
async function quietly<Value>(action: () => Promise<Value>, carrier: Carrier): Promise<Value | undefined> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    carrier.onFault(error);
    return undefined;
  }
}
