/** What looking says of creates and deletes whose answer says nothing, or cannot be believed (design section 4, rule 4). */
import { ServiceError } from '../../kinds/kind.ts';
import { differencesOf } from '../compare.ts';
import type { PlannedStep } from '../plan.ts';
import type { Carrier, Verdict } from './carrier.ts';
import { look } from './look.ts';

/** The verdicts on what is settled; a change without one has not taken place, as far as can be seen. */
export type Settlement = ReadonlyMap<PlannedStep, Verdict>;

/**
 * Looks once at changes of one kind: a create that is there as desired and a delete that is gone are done, a create that differs is stale.
 * Where the look itself fails, nothing is concluded, and all fail with `unknown`.
 */
export async function settleByLooking(steps: readonly PlannedStep[], carrier: Carrier, unknown: string): Promise<Settlement> {
  const [first] = steps;
  if (!first) return new Map();
  try {
    const seen = await look(first.kind, steps, carrier.service, carrier.known);
    const verdicts = steps.flatMap((step) => verdictOn(step, seen.get(step.change.address)?.[0], carrier.now()));
    return new Map(verdicts.map((verdict) => [verdict.step, verdict]));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    carrier.onFault(error);
    return new Map(steps.map((step) => [step, { step, state: 'failed', why: unknown }]));
  }
}

/** Looks until all is settled or patience ends: the service may still be at work on a request that it has not answered. */
export async function settleInTime(steps: readonly PlannedStep[], carrier: Carrier, unknown: string, waitedMs = 0): Promise<Settlement> {
  const settled = await settleByLooking(steps, carrier, unknown);
  const open = steps.filter((step) => !settled.has(step));
  const pauseMs = open.length === 0 ? null : pauseAfter(waitedMs, carrier.patience.giveUpMs);
  if (pauseMs === null) return settled;
  await carrier.patience.sleep(pauseMs);
  return new Map([...settled, ...(await settleInTime(open, carrier, unknown, waitedMs + pauseMs))]);
}

const SHORTEST = 200;
const LONGEST = 5_000;

/** The next wait after so much waiting: about as long again, from 0.2 to 5 s, and never less than asked for; null where patience ends before. Milliseconds. */
export function pauseAfter(waitedMs: number, giveUpMs: number, askedMs = 0): number | null {
  const leftMs = giveUpMs - waitedMs;
  const pauseMs = Math.max(askedMs, Math.min(waitedMs + SHORTEST, LONGEST, leftMs));
  return leftMs > 0 && pauseMs <= leftMs ? pauseMs : null;
}

function verdictOn(step: PlannedStep, live: PlannedStep['live'] | undefined, now: number): readonly Verdict[] {
  if (!step.desired) return live ? [] : [{ step, state: 'done' }];
  if (!live) return [];
  const [difference] = differencesOf(step.kind, step.desired, live, now);
  if (!difference) return [{ step, state: 'done', id: live.id }];
  return [{ step, state: 'failed', why: `stale: another object is there (${live.id}), which differs in ${difference.path}` }];
}
