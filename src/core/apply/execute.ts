import { ApiError, type Attempts, type LiveResource, noAttempts, type WriteRequest, type WriteResult } from '../kinds/kind.ts';
import { nextDelay } from '../model/pauses.ts';
import { sendsIgnored } from '../plan/ignored-fields.ts';
import { requestSequencesOf } from '../plan/plan-document.ts';
import type { RequestSequence } from '../plan/request-sequences.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import { afterRequest, type BeforeSend, beforeSend } from './before-send.ts';
import type { ApplyContext, ChangeResult } from './input.ts';
import type { Look } from './looks.ts';

/** A sequence of requests that is sent. */
type Sequence = RequestSequence<PlannedChange>;

/** What was sent of some changes before, and what came of it. Times in milliseconds of the clock that never goes back. */
interface Past {
  /** The error of the latest send. */
  readonly error?: ApiError;
  /** Whether they are looked at to find out what it did. */
  readonly isLookUp: boolean;
  /** Whether they may be sent again after it. */
  readonly mayRepeat: boolean;
  /** The category of each error after which they were sent again as a new request, and the milliseconds spent waiting before that. */
  readonly errors: readonly ApiError['category'][];
  readonly waitedMs: number;
  /** The attempts of a request that expired, and how often in a row it did without any. */
  readonly attempts?: Attempts;
  readonly expiries: number;
  /** Whether one of the requests may have been carried out. */
  readonly mayHaveWritten: boolean;
  /** When the service last got one of them, whose result reads may show later. */
  readonly writtenAt?: number;
  /** The objects before a request that was carried out, by address, while further requests of the sequence remain. */
  readonly replaced?: ReadonlyMap<string, LiveResource | null>;
  /** The look that they were sent by, and when they were last sent: an older look tells nothing about them. */
  readonly look?: Look;
  readonly notBefore: number;
}

const NOTHING_SENT: Past = {
  isLookUp: false,
  mayRepeat: true,
  errors: [],
  waitedMs: 0,
  expiries: 0,
  mayHaveWritten: false,
  notBefore: Number.NEGATIVE_INFINITY,
};

/** A create is sent at most this often, and looked up each time that its response is lost (design section 4, rule 4). */
const MAX_SENDS = 3;

/** A request that expires so often in a row, without one attempt, is not sent: the limit of requests leaves no time after a read. */
export const MAX_EXPIRIES = 10;

/**
 * Sends the requests of a sequence in order, as far as the latest look shows their objects as planned (design section 4, rule 3). After a
 * failed request of a change, its further requests are not sent. A sequence without requests holds changes that only the ledger records:
 * they are done.
 */
export async function executeSequence(
  sequence: Sequence,
  context: ApplyContext,
  past: Past = NOTHING_SENT,
): Promise<readonly ChangeResult[]> {
  const { items, requests } = sequence;
  const [first] = items;
  const [write] = requests;
  if (!first || !write) return items.map((planned) => ({ planned, state: 'done' }));
  const refused = past.mayHaveWritten ? undefined : context.refusals.reasonFor(first.kind);
  if (refused !== undefined && !isFinal(past)) return items.map((planned) => ({ planned, state: 'skipped', reason: refused }));
  const { look, answers } = await lookBeforeSend(items, write, context, past);
  const results: ChangeResult[] = [];
  const ready: PlannedChange[] = [];
  for (const [planned, answer] of answers) {
    if (answer.state === 'send' && !isFinal(past)) ready.push(answer.planned);
    else results.push(resultOf(planned, answer, look, context, past));
  }
  const isWhole = ready.length === items.length && ready.every((planned, index) => planned === items[index]);
  const sequences = isWhole ? [sequence] : requestSequencesOf(ready, context.requestOptions, context.now());
  const sent = await Promise.all(sequences.map((each) => send(each, look, context, past)));
  return [...results, ...sent.flat()];
}

/** Decides whether nothing is sent any more, whatever a look shows. */
function isFinal({ error, mayRepeat }: Past): boolean {
  return error !== undefined && !mayRepeat;
}

/**
 * Looks at changes, and decides about each. Looks again while reads may not yet show what was written (design section 4, rule 15); after a
 * request without an answer, which the service may still be processing, until it took effect or the wait policy gives up.
 */
async function lookBeforeSend(
  items: readonly PlannedChange[],
  write: WriteRequest,
  context: ApplyContext,
  past: Past,
): Promise<{ readonly look: Look; readonly answers: ReadonlyMap<PlannedChange, BeforeSend> }> {
  const { settling, waitPolicy } = context;
  const answers = new Map<PlannedChange, BeforeSend>();
  const isOpen = (planned: PlannedChange, states: readonly BeforeSend['state'][]) =>
    states.includes(answers.get(planned)?.state ?? 'unseen');
  const ask = async (open: readonly PlannedChange[], look: Look): Promise<Look> => {
    for (const planned of open) answers.set(planned, answerOf(planned, write, look, context, past));
    return look;
  };
  const askAgain = (open: readonly PlannedChange[]): Promise<Look> => lookNow(open, context, past).then((look) => ask(open, look));
  let look = await ask(items, await firstLook(items, context, past));
  if (past.error && isUnanswered(past.error)) {
    for (let waitedMs = 0; ; ) {
      const open = items.filter((planned) => isOpen(planned, ['send', 'unseen']));
      const pauseMs = open.length === 0 ? null : nextDelay(waitedMs, waitPolicy.giveUpMs);
      if (pauseMs === null) return { look, answers };
      await waitPolicy.sleep(pauseMs);
      waitedMs += pauseMs;
      look = await askAgain(open);
    }
  }
  let isFirst = true;
  const open = (): readonly PlannedChange[] => items.filter((planned) => isOpen(planned, ['unseen']));
  await settling.settle(
    async () => {
      if (!isFirst) look = await askAgain(open());
      isFirst = false;
    },
    () => open().length === 0,
  );
  return { look, answers };
}

/** Returns the look by which changes are sent. What is sent with live values of ignored fields, or may have been written, is looked at now. */
function firstLook(items: readonly PlannedChange[], context: ApplyContext, past: Past): Promise<Look> {
  const [first] = items;
  if (!first || past.isLookUp || items.some((planned) => sendsIgnored(planned.kind, planned))) return lookNow(items, context, past);
  return context.looks.latest(first.kind, { insteadOf: past.look, notBefore: past.notBefore });
}

function lookNow(items: readonly PlannedChange[], { looks }: ApplyContext, past: Past): Promise<Look> {
  const [first] = items;
  if (!first) throw new Error('nothing is looked at');
  return looks.now(first.kind, items, past.isLookUp ? 'look-up' : undefined);
}

function answerOf(planned: PlannedChange, write: WriteRequest, look: Look, context: ApplyContext, past: Past): BeforeSend {
  if (look.error) return { state: 'failed', reason: `it could not be read again before writing: ${look.error.message}` };
  const { writtenAt, mayHaveWritten, replaced } = past;
  const mayLag = writtenAt !== undefined && look.beganAt < writtenAt + context.settling.budgetMs;
  const before = replaced?.get(planned.change.address);
  const outdated = mayLag ? [...(mayHaveWritten ? [planned.live] : []), ...(before === undefined ? [] : [before])] : [];
  const { resettableMembers: resettable, whyNotDeclarable } = context;
  return beforeSend(planned, {
    live: look.liveOf(planned),
    write,
    mayHaveWritten,
    outdated,
    resettable,
    whyNotDeclarable,
    now: context.now(),
  });
}

/** Returns the result of a change that is not sent. */
function resultOf(planned: PlannedChange, answer: BeforeSend, look: Look, { objectsOfOthers }: ApplyContext, past: Past): ChangeResult {
  const { error, mayHaveWritten } = past;
  const { action } = planned.change;
  const unknown = error && `${reasonOf(error)} It is not known whether it was ${action}d.`;
  switch (answer.state) {
    case 'done':
      if (answer.id !== undefined) objectsOfOthers.recordCreate(planned, answer.id);
      return { planned, ...answer };
    case 'unchanged':
      return { planned, ...answer };
    case 'unseen': {
      const reason = mayHaveWritten && unknown ? unknown : 'the service does not show yet what was written of it, so the rest is not sent';
      return { planned, state: 'failed', reason, ...(action === 'create' ? { isUncertain: true } : {}) };
    }
    case 'send':
      return { planned, state: 'failed', reason: error ? reasonOf(error) : '' };
    case 'failed':
      // What the service objects to tells more than that somebody else has edited it.
      if (isFinal(past) && !mayHaveWritten && error) return { planned, state: 'failed', reason: reasonOf(error) };
      if (look.error && unknown && mayHaveWritten)
        return { planned, state: 'failed', reason: unknown, ...(action === 'create' ? { isUncertain: true } : {}) };
      if (look.error?.category === 'interrupted') return { planned, state: 'skipped', reason: INTERRUPTED };
      return { planned, ...answer };
  }
}

async function send(sequence: Sequence, look: Look, context: ApplyContext, past: Past): Promise<readonly ChangeResult[]> {
  const { items, requests } = sequence;
  const [write, ...rest] = requests;
  if (!write) return items.map((planned) => ({ planned, state: 'done' }));
  const why = context.recordCreates(items);
  if (why !== null) return failed(items, why);
  const request: WriteRequest = {
    ...write,
    freshUntil: look.freshUntil,
    ...(past.errors.length === 0 ? {} : { after: 'repeat' }),
    ...(past.attempts === undefined ? {} : { earlier: past.attempts }),
  };
  const sent = { ...past, look };
  const response = await orApiError(async () => ({ body: (await context.service.send(request, addressesOf(items))).body }));
  if (response instanceof ApiError) return onError(sequence, response, context, sent);
  const parsed = await Promise.all(
    items.map(async (planned) => ({
      planned,
      result: await orApiError(async () => planned.kind.parseWriteResponse(planned, write, response.body)),
    })),
  );
  const results = await onResponse(parsed, sequence, context, sent);
  return rest.length === 0 ? results : sendRest(results, write, rest, look, context);
}

/** Sends the further requests of the changes whose first one succeeded. */
async function sendRest(
  results: readonly ChangeResult[],
  write: WriteRequest,
  rest: readonly WriteRequest[],
  look: Look,
  context: ApplyContext,
): Promise<readonly ChangeResult[]> {
  const written = results.filter(({ state }) => state === 'done');
  const replaced = new Map(written.map(({ planned }) => [planned.change.address, planned.live]));
  const items = written.map(({ planned }) => afterRequest(planned, write) ?? planned);
  const at = context.elapsed();
  const sent =
    items.length === 0
      ? []
      : await send({ items, requests: rest }, look, context, { ...NOTHING_SENT, replaced, writtenAt: at, notBefore: at });
  const byAddress = new Map(sent.map((result) => [result.planned.change.address, result]));
  return results.map((before) => combineResults(byAddress.get(before.planned.change.address), before));
}

/** Combines the results of two requests of a change: keeps the ID. A skipped second request means that the change failed halfway. */
function combineResults(result: ChangeResult | undefined, before: ChangeResult): ChangeResult {
  if (result === undefined || result.state === 'unchanged') return before;
  if (result.state === 'skipped') return { ...result, state: 'failed', reason: `${result.reason}, and it was written in part` };
  return { ...before, ...result };
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
  { requests }: Sequence,
  context: ApplyContext,
  past: Past,
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
  const found = await resultsOfExisting(changesOfExisting, requests, context, past);
  const retried = error ? await onError({ items: changesWithoutResult, requests }, error, context, past) : [];
  return [...results, ...found, ...retried];
}

/** Looks at creates whose objects exist according to the service: what is as desired is done. */
async function resultsOfExisting(
  items: readonly PlannedChange[],
  [write]: readonly WriteRequest[],
  context: ApplyContext,
  past: Past,
): Promise<readonly ChangeResult[]> {
  if (items.length === 0 || !write) return [];
  const at = context.elapsed();
  const { look, answers } = await lookBeforeSend(items, write, context, {
    ...past,
    isLookUp: true,
    mayHaveWritten: true,
    writtenAt: at,
    notBefore: at,
  });
  return [...answers].map(([planned, answer]) => {
    if (look.error && answer.state === 'failed') return { planned, state: 'failed', reason: `${EXISTS}, and reading it failed` };
    if (answer.state === 'send' || answer.state === 'unseen')
      return { planned, state: 'failed', reason: `stale: ${EXISTS}, but it cannot be found` };
    return resultOf(planned, answer, look, context, past);
  });
}

/**
 * Handles a failed request. What expired is looked at and sent again. Reads back creates and deletes that may have been made; not updates,
 * because running again converges.
 */
async function onError(sequence: Sequence, error: ApiError, context: ApplyContext, past: Past): Promise<readonly ChangeResult[]> {
  const { items } = sequence;
  if (error.category === 'expired') return onExpiry(sequence, error, context, past);
  context.onError(error);
  const [first] = items;
  if (first) context.refusals.record(first.kind, error);
  const action = first?.change.action;
  const isMaybe = error.mayHaveWritten === 'maybe';
  const mayHaveWritten = isMaybe || past.mayHaveWritten;
  if (error.category === 'interrupted' && !mayHaveWritten)
    return items.map((planned) => ({ planned, state: 'skipped', reason: INTERRUPTED }));
  // A delete that the service rejects, or whose object it does not find, is read back too: somebody else may have deleted the object. Not one
  // that was never sent.
  const isUncertain = mayHaveWritten ? action !== 'update' : action === 'delete' && !wasNeverSent(error);
  if (!isUncertain) return failed(items, reasonOf(error));
  const at = context.elapsed();
  const { waitPolicy } = context;
  const pauseMs = error.category === 'throttled' ? nextDelay(past.waitedMs, waitPolicy.giveUpMs, error.retryAfterMs) : 0;
  if (pauseMs) await waitPolicy.sleep(pauseMs);
  const { attempts: _ended, writtenAt: before, ...rest } = past;
  // A 429 refuses a request before it is carried out: one look suffices.
  const writtenAt = isMaybe && error.status !== 429 ? at : before;
  return executeSequence(sequence, context, {
    ...rest,
    error,
    isLookUp: true,
    mayRepeat: pauseMs !== null && maySendAgain(action, error, past.errors),
    errors: [...past.errors, error.category],
    waitedMs: past.waitedMs + (pauseMs ?? 0),
    mayHaveWritten,
    expiries: 0,
    notBefore: at,
    ...(writtenAt === undefined ? {} : { writtenAt }),
  });
}

/** Looks at what expired, and sends it again where it is still as planned. Its attempts go on, with their time to give up. */
async function onExpiry(sequence: Sequence, error: ApiError, context: ApplyContext, past: Past): Promise<readonly ChangeResult[]> {
  const attempts = error.attempts ?? noAttempts;
  const { endedAt = past.notBefore, lostAt } = attempts;
  const expiries = attempts.count === (past.attempts?.count ?? 0) ? past.expiries + 1 : 1;
  if (expiries > MAX_EXPIRIES) {
    context.onError(error);
    return failed(sequence.items, reasonOf(error));
  }
  return executeSequence(sequence, context, {
    ...past,
    error,
    isLookUp: false,
    mayRepeat: true,
    attempts,
    expiries,
    mayHaveWritten: past.mayHaveWritten || attempts.lost,
    notBefore: Math.max(past.notBefore, endedAt),
    ...(lostAt === undefined ? {} : { writtenAt: lostAt }),
  });
}

/** Decides whether a request that cannot have taken effect never reached the service. */
function wasNeverSent({ category }: ApiError): boolean {
  return category === 'unreachable' || category === 'deadline';
}

/** Decides whether the service may still be processing the request. */
function isUnanswered({ category, mayHaveWritten }: ApiError): boolean {
  return mayHaveWritten === 'maybe' && (category === 'timeout' || category === 'unreachable');
}

/**
 * Decides whether a create or a delete is sent again. To a service that throttles: always (the wait policy limits it). After a rejection that
 * may come from a repeated signature (design section 4, rule 11): once. Otherwise a create up to `MAX_SENDS` times, and a delete never.
 * `errors` are the categories of the errors after which it was sent again before.
 */
function maySendAgain(
  action: PlannedChange['change']['action'] | undefined,
  { category, mayHaveWritten }: ApiError,
  errors: Past['errors'],
): boolean {
  if (mayHaveWritten === 'no') return false;
  if (category === 'throttled') return true;
  if (category === 'rejected') return !errors.includes('rejected');
  return action === 'create' && errors.length + 1 < MAX_SENDS;
}

/** Why a change is skipped that was not sent in time. */
export const INTERRUPTED = 'the run was interrupted';

function failed(changes: readonly PlannedChange[], reason: string): readonly ChangeResult[] {
  return changes.map((planned) => ({ planned, state: 'failed', reason }));
}

function reasonOf(error: ApiError): string {
  return `${error.message} — ${error.advice}`;
}
