/** What looking says of creates and deletes whose answer says nothing, or cannot be believed (design section 4, rule 4). */
import { ApiError } from '../kinds/kind.ts';
import { differencesOf } from '../plan/diff-resources.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';
import type { ApplyContext, StepResult } from './context.ts';
import { readCurrent } from './read-current.ts';

/** The verdicts on what is settled; a change without one has not taken place, as far as can be seen. */
export type Resolution = ReadonlyMap<ExecutableChange, StepResult>;

/**
 * Looks once at changes of one kind: a create that is there as desired and a delete that is gone are done, a create that differs is stale.
 * Where the look itself fails, nothing is concluded, and all fail with `unknown`.
 */
export async function resolveByReading(steps: readonly ExecutableChange[], context: ApplyContext, unknown: string): Promise<Resolution> {
  const [first] = steps;
  if (!first) return new Map();
  try {
    const seen = await readCurrent(first.kind, steps, context.service, context.known);
    const results = steps.flatMap((step) => resultFor(step, seen.get(step.change.address)?.[0], context.now()));
    return new Map(results.map((result) => [result.step, result]));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.onError(error);
    return new Map(steps.map((step) => [step, { step, state: 'failed', why: unknown }]));
  }
}

/** Looks until all is settled or patience ends: the service may still be at work on a request that it has not answered. */
export async function pollUntilResolved(
  steps: readonly ExecutableChange[],
  context: ApplyContext,
  unknown: string,
  waitedMs = 0,
): Promise<Resolution> {
  const resolved = await resolveByReading(steps, context, unknown);
  const open = steps.filter((step) => !resolved.has(step));
  const pauseMs = open.length === 0 ? null : nextDelay(waitedMs, context.waitPolicy.giveUpMs);
  if (pauseMs === null) return resolved;
  await context.waitPolicy.sleep(pauseMs);
  return new Map([...resolved, ...(await pollUntilResolved(open, context, unknown, waitedMs + pauseMs))]);
}

const SHORTEST = 200;
const LONGEST = 5_000;

/** The next wait after so much waiting: about as long again, from 0.2 to 5 s, and never less than asked for; null where patience ends before. Milliseconds. */
export function nextDelay(waitedMs: number, giveUpMs: number, askedMs = 0): number | null {
  const leftMs = giveUpMs - waitedMs;
  const pauseMs = Math.max(askedMs, Math.min(waitedMs + SHORTEST, LONGEST, leftMs));
  return leftMs > 0 && pauseMs <= leftMs ? pauseMs : null;
}

function resultFor(step: ExecutableChange, live: ExecutableChange['live'] | undefined, now: number): readonly StepResult[] {
  if (!step.desired) return live ? [] : [{ step, state: 'done' }];
  if (!live) return [];
  const [difference] = differencesOf(step.kind, step.desired, live, now);
  if (!difference) return [{ step, state: 'done', id: live.id }];
  return [{ step, state: 'failed', why: `stale: another object is there (${live.id}), which differs in ${difference.path}` }];
}
