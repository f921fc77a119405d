/** Resolves by reading creates and deletes whose response was lost or is unusable (design section 4, rule 4). */
import { ApiError, type ApiService, type DesiredResource, isLiveObject, type LiveResource } from '../kinds/kind.ts';
import { nextDelay } from '../model/pauses.ts';
import { differencesInReadFields } from '../plan/diff-resources.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { ApplyContext, ChangeResult } from './input.ts';
import { readCurrent } from './read-current.ts';

/** The results of the resolved changes. A change without a result has not taken place yet, as far as a read shows. */
export type ResolvedChanges = ReadonlyMap<PlannedChange, ChangeResult>;

/**
 * Reads the objects of changes of one kind once. A create whose object exists as desired and a delete whose object is gone are done; a
 * create whose object differs, or has its name in another form, is stale. If the read fails, all changes fail with `unknownReason`.
 */
export async function resolveByReading(
  changes: readonly PlannedChange[],
  context: ApplyContext,
  unknownReason: string,
): Promise<ResolvedChanges> {
  const [first] = changes;
  if (!first) return new Map();
  const service: ApiService = { send: (request, addresses) => context.service.send({ ...request, after: 'look-up' }, addresses) };
  try {
    const current = await readCurrent(first.kind, changes, service, context.objectsOfOthers);
    const results = changes.flatMap((planned) => resultFor(planned, current.get(planned.change.address)?.[0], context));
    return new Map(results.map((result) => [result.planned, result]));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.onError(error);
    return new Map(
      changes.map((planned) => {
        const isUncertain = planned.change.action === 'create' ? { isUncertain: true } : {};
        return [planned, { planned, state: 'failed', reason: unknownReason, ...isUncertain }];
      }),
    );
  }
}

/** Reads until all changes are resolved, or reads had the time to show what was written (design section 4, rule 15). */
export function resolveWhenSettled(
  changes: readonly PlannedChange[],
  context: ApplyContext,
  unknownReason: string,
): Promise<ResolvedChanges> {
  return context.settling.settle(
    () => resolveByReading(changes, context, unknownReason),
    ({ size }) => size === changes.length,
  );
}

/** Reads until all changes are resolved or the wait policy gives up: the service may still be processing an unanswered request. */
export async function pollUntilResolved(
  changes: readonly PlannedChange[],
  context: ApplyContext,
  unknownReason: string,
  waitedMs = 0,
): Promise<ResolvedChanges> {
  const resolved = await resolveByReading(changes, context, unknownReason);
  const remaining = changes.filter((planned) => !resolved.has(planned));
  const pauseMs = remaining.length === 0 ? null : nextDelay(waitedMs, context.waitPolicy.giveUpMs);
  if (pauseMs === null) return resolved;
  await context.waitPolicy.sleep(pauseMs);
  return new Map([...resolved, ...(await pollUntilResolved(remaining, context, unknownReason, waitedMs + pauseMs))]);
}

function resultFor(
  planned: PlannedChange,
  live: PlannedChange['live'] | undefined,
  { objectsOfOthers, now }: ApplyContext,
): readonly ChangeResult[] {
  if (!planned.desired) return live ? [] : [{ planned, state: 'done' }];
  if (!live) return [];
  const [difference] = differencesInReadFields(planned.kind, planned.desired, live, now());
  if (!difference) {
    if (live.id === null) return [{ planned, state: 'done' }];
    objectsOfOthers.recordCreate(planned, live.id);
    return [{ planned, state: 'done', id: live.id }];
  }
  const reason = isMatched(planned.desired, live)
    ? `stale: another object exists (${live.id}), which differs in ${difference.path}`
    : `${live.id} is probably what was created, under another form of its name; if it is, name it under \`adopt\``;
  return [{ planned, state: 'failed', reason }];
}

function isMatched({ matchKeys }: DesiredResource, live: LiveResource): boolean {
  return matchKeys.some((key) => ('id' in key ? key.id === live.id : isLiveObject(live) && key.remoteName === live.remoteName));
}
