import { ApiError, type WriteRequest, type WriteResult } from '../kinds/kind.ts';
import { nextDelay } from '../model/pauses.ts';
import { requestSequencesOf } from '../plan/plan-document.ts';
import type { RequestSequence } from '../plan/request-sequences.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { ApplyContext, ChangeResult } from './input.ts';
import { pollUntilResolved, resolveByReading, resolveWhenSettled } from './resolve-uncertain.ts';

/** The previous attempts to send a change: the error of each, and the milliseconds spent waiting for a throttling service. */
interface PreviousAttempts {
  readonly errors: readonly ApiError['category'][];
  readonly waitedMs: number;
}

const NO_ATTEMPTS: PreviousAttempts = { errors: [], waitedMs: 0 };

/** A create is sent at most this often, and looked up each time that its response is lost (design section 4, rule 4). */
const MAX_SENDS = 3;

/**
 * Sends the requests of a sequence in order. After a failed request of a change, its further requests are not sent. A sequence without
 * requests holds changes that only the ledger records: they are done.
 */
export async function executeSequence(
  sequence: RequestSequence<PlannedChange>,
  context: ApplyContext,
  previous = NO_ATTEMPTS,
): Promise<readonly ChangeResult[]> {
  const results = new Map(sequence.items.map((planned): [PlannedChange, ChangeResult] => [planned, { planned, state: 'done' }]));
  for (const [index, write] of sequence.requests.entries()) {
    const remaining = sequence.items.filter((planned) => results.get(planned)?.state === 'done');
    if (remaining.length === 0) break;
    const sent = await send(remaining, write, context, previous);
    for (const result of sent) results.set(result.planned, index === 0 ? result : combineResults(result, results.get(result.planned)));
  }
  return [...results.values()];
}

/** Combines the results of two requests of a change: keeps the ID. A skipped second request means that the change failed halfway. */
function combineResults(result: ChangeResult, before: ChangeResult | undefined): ChangeResult {
  if (result.state === 'skipped') return { ...result, state: 'failed', reason: `${result.reason}, and it was written in part` };
  return { ...before, ...result };
}

async function send(
  changes: readonly PlannedChange[],
  write: WriteRequest,
  context: ApplyContext,
  previous: PreviousAttempts,
): Promise<readonly ChangeResult[]> {
  const request: WriteRequest = previous.errors.length === 0 ? write : { ...write, after: 'repeat' };
  const response = await orApiError(async () => ({ body: (await context.service.send(request, addressesOf(changes))).body }));
  if (response instanceof ApiError) return onError(changes, response, context, previous);
  const parsed = await Promise.all(
    changes.map(async (planned) => ({
      planned,
      result: await orApiError(async () => planned.kind.parseWriteResponse(planned, write, response.body)),
    })),
  );
  return onResponse(parsed, context, previous);
}

function addressesOf(changes: readonly PlannedChange[]): readonly string[] {
  return changes.map(({ change }) => change.address);
}

/** Returns an error of the API as a value. @throws every other error, which is a bug */
async function orApiError<Value>(action: () => Promise<Value>): Promise<Value | ApiError> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The result of one change by a response; an error where the response cannot be used for that change. */
interface ParsedResponse {
  readonly planned: PlannedChange;
  readonly result: WriteResult | ApiError;
}

/** Fails a create that names the ID of an object that it cannot have made: nothing is bound to that object (design section 4, rule 4). */
function checkCreatedId(result: ChangeResult, { objectsOfOthers }: ApplyContext): ChangeResult {
  const { planned, id } = result;
  const reason = planned.change.action === 'create' && id !== undefined ? objectsOfOthers.recordCreate(planned, id) : undefined;
  return reason === undefined ? result : { planned, state: 'failed', reason };
}

const EXISTS = 'the service says that it exists already';

/** Handles a response. A response that cannot be used for a change counts as lost for that change, and for no other. */
async function onResponse(
  parsed: readonly ParsedResponse[],
  context: ApplyContext,
  previous: PreviousAttempts,
): Promise<readonly ChangeResult[]> {
  const results: ChangeResult[] = [];
  const changesOfExisting: PlannedChange[] = [];
  const changesWithoutResult: PlannedChange[] = [];
  let error: ApiError | undefined;
  for (const { planned, result } of parsed) {
    if (result instanceof ApiError) {
      error ??= result;
      changesWithoutResult.push(planned);
    } else if (result.state === 'exists') changesOfExisting.push(planned);
    else results.push(checkCreatedId({ planned, ...result }, context));
  }
  const found = await resolveWhenSettled(changesOfExisting, context, `${EXISTS}, and reading it failed`);
  const stale = failed(unresolved(changesOfExisting, found), `stale: ${EXISTS}, but it cannot be found`);
  const retried = error ? await onError(changesWithoutResult, error, context, previous) : [];
  return [...results, ...found.values(), ...stale, ...retried];
}

/** Handles a failed request. Reads back creates and deletes that may have been made; not updates, because running again converges. */
async function onError(
  changes: readonly PlannedChange[],
  error: ApiError,
  context: ApplyContext,
  previous: PreviousAttempts,
): Promise<readonly ChangeResult[]> {
  context.onError(error);
  const [first] = changes;
  if (first) context.refusals.record(first.kind, error);
  const action = first?.change.action;
  if (action === 'delete' && error.category === 'not-found') return changes.map((planned) => ({ planned, state: 'done' }));
  const mayHaveWritten = error.mayHaveWritten === 'maybe' || previous.errors.length > 0;
  if (error.category === 'interrupted' && !mayHaveWritten)
    return changes.map((planned) => ({ planned, state: 'skipped', reason: 'the run was interrupted' }));
  // A delete that the service rejects is read back too, because somebody else may have deleted the object; not one that was never sent.
  const isUncertain = mayHaveWritten ? action !== 'update' : action === 'delete' && !wasNeverSent(error);
  return isUncertain ? verifyThenRetry(changes, error, context, previous) : failed(changes, reasonOf(error));
}

/** Decides whether a request that cannot have taken effect never reached the service. */
function wasNeverSent({ category }: ApiError): boolean {
  return category === 'unreachable' || category === 'deadline';
}

/** Reads what uncertain creates or deletes have done, and sends only those again that have not taken place. */
async function verifyThenRetry(
  changes: readonly PlannedChange[],
  error: ApiError,
  context: ApplyContext,
  previous: PreviousAttempts,
): Promise<readonly ChangeResult[]> {
  const { waitPolicy, settling, requestOptions, now, elapsed } = context;
  const lostAt = elapsed();
  const pauseMs = error.category === 'throttled' ? nextDelay(previous.waitedMs, waitPolicy.giveUpMs, error.retryAfterMs) : 0;
  if (pauseMs) await waitPolicy.sleep(pauseMs);
  const reason = reasonOf(error);
  const unknown = `It is not known whether it was ${changes[0]?.change.action}d.`;
  // A 429 refuses a request before it is carried out: one look suffices.
  const mayBeUnseen = changes[0]?.change.action === 'create' && error.mayHaveWritten === 'maybe' && error.status !== 429;
  const resolve = isUnanswered(error) ? pollUntilResolved : mayBeUnseen ? resolveWhenSettled : resolveByReading;
  const resolved = await resolve(changes, context, `${reason} ${unknown}`);
  const remaining = unresolved(changes, resolved);
  // The budget of the run may have ended before reads had to show what was written: then a second create could make a second object.
  const isUncertain = mayBeUnseen && elapsed() - lostAt < settling.budgetMs;
  if (isUncertain)
    return [...resolved.values(), ...failed(remaining, `${reason} ${unknown}`).map((result) => ({ ...result, isUncertain }))];
  if (pauseMs === null || !maySendAgain(remaining, error, previous)) return [...resolved.values(), ...failed(remaining, reason)];
  const next = { errors: [...previous.errors, error.category], waitedMs: previous.waitedMs + pauseMs };
  const retried = await Promise.all(
    requestSequencesOf(remaining, requestOptions, now()).map((sequence) => executeSequence(sequence, context, next)),
  );
  return [...resolved.values(), ...retried.flat()];
}

/** Decides whether the service may still be processing the request. */
function isUnanswered({ category, mayHaveWritten }: ApiError): boolean {
  return mayHaveWritten === 'maybe' && (category === 'timeout' || category === 'unreachable');
}

/**
 * Decides whether changes are sent again. To a service that throttles: always (the wait policy limits it). After a rejection that may come
 * from a repeated signature (design section 4, rule 11): once. Otherwise a create up to `MAX_SENDS` times, and a delete never.
 */
function maySendAgain(changes: readonly PlannedChange[], { category, mayHaveWritten }: ApiError, previous: PreviousAttempts): boolean {
  if (mayHaveWritten === 'no') return false;
  if (category === 'throttled') return true;
  if (category === 'rejected') return !previous.errors.includes('rejected');
  return changes[0]?.change.action === 'create' && previous.errors.length + 1 < MAX_SENDS;
}

function unresolved(changes: readonly PlannedChange[], resolved: ReadonlyMap<PlannedChange, ChangeResult>): readonly PlannedChange[] {
  return changes.filter((planned) => !resolved.has(planned));
}

function failed(changes: readonly PlannedChange[], reason: string): readonly ChangeResult[] {
  return changes.map((planned) => ({ planned, state: 'failed', reason }));
}

function reasonOf(error: ApiError): string {
  return `${error.message} — ${error.advice}`;
}
