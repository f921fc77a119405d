import type { ApiError } from '../kinds/kind.ts';
import { weakens } from '../model/change.ts';
import type { Outcome } from '../model/outcome.ts';
import { requestSequencesOf, waves } from '../plan/plan-document.ts';
import type { RequestSequence } from '../plan/request-sequences.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import { ApplyState } from './apply-state.ts';
import { executeSequence } from './execute.ts';
import type { ApplyContext, ApplyInput, ApplyJournal, ApplyResult, ChangeResult } from './input.ts';
import { ObjectsOfOthers } from './objects-of-others.ts';
import { Refusals } from './refusals.ts';
import { StaleCheck } from './stale-check.ts';
import { type Verification, verify } from './verify.ts';

/**
 * Applies changes wave by wave, then reads back what was written. A failure stops the changes that depend on it, and nothing else
 * (design section 4, rule 7).
 */
export async function apply(input: ApplyInput): Promise<ApplyResult> {
  const { service, now, elapsed, context, readByKind } = input;
  const errors: ApiError[] = [];
  const verifications: Verification[] = [];
  const idsAtPlan = new Map([...readByKind].map(([kind, { result }]) => [kind, new Set(result.objects.flatMap(({ id }) => id ?? []))]));
  const objectsOfOthers = new ObjectsOfOthers(input.changes, idsAtPlan);
  const { waitPolicy } = input;
  const applyContext: ApplyContext = {
    service,
    now,
    elapsed,
    waitPolicy,
    settling: input.settling,
    requestOptions: context.requestOptions,
    objectsOfOthers,
    refusals: new Refusals(),
    onError: (error) => errors.push(error),
  };
  const state = new ApplyState(input);
  const staleCheck = new StaleCheck(input, applyContext);
  const pending = new Set(input.changes.filter((planned) => planned.change.blocked === null));
  for (const wave of waves(input.changes)) {
    state.stop((await input.whyStop?.()) ?? null);
    if (wave.some(({ change }) => weakens(change))) verifications.push(await verifyStrengthened(state, objectsOfOthers, input));
    const applicable = state.selectApplicable(wave);
    await applyWave(applicable, pending, input, applyContext, state, staleCheck);
    for (const planned of wave) pending.delete(planned);
  }
  input.onVerify?.();
  const verification = await verify(state.unverified(), { ids: state.ids, objectsOfOthers, service, settling: input.settling, now });
  for (const [address, why] of verification.inconsistent) state.fail(address, why);
  for (const [address, what] of verification.notSeen) state.setUnseen(address, `the service still shows the state before it: ${what}`);
  verifications.push(verification);
  const verificationErrors = verifications.flatMap((each) => each.errors);
  const verified = verificationErrors.length === 0 && verification.notSeen.size === 0 && !state.failed();
  return {
    outcome: {
      schemaVersion: 1,
      target: context.target,
      fingerprint: input.fingerprint,
      ...state.report(),
      verified,
      ...unverifiedOf(verifications),
    },
    errors: [...errors, ...verificationErrors],
    ids: state.ids,
    verificationErrors,
  };
}

/** Returns what differs or could not be read back; nothing where neither is so. */
function unverifiedOf(verifications: readonly Verification[]): Pick<Outcome, 'unverified'> {
  const differs = [...new Set(verifications.flatMap(({ inconsistent }) => [...inconsistent.keys()]))];
  const notRead = [...new Set(verifications.flatMap((each) => each.notRead))];
  return differs.length + notRead.length === 0 ? {} : { unverified: { differs, notRead } };
}

/** Verifies the changes that strengthen, before anything is weakened (design section 4, rule 6). */
async function verifyStrengthened(
  state: ApplyState,
  objectsOfOthers: ObjectsOfOthers,
  { service, settling, now }: ApplyInput,
): Promise<Verification> {
  const strengthened = state.unverified().filter((planned) => planned.change.effect === 'strengthens');
  const verification = await verify(strengthened, { ids: state.ids, objectsOfOthers, service, settling, now });
  const { inconsistent, notSeen, errors } = verification;
  for (const [address, why] of inconsistent) state.fail(address, why);
  if (errors.length > 0) state.markUnverified(strengthened);
  else {
    // What is not seen yet is read once more at the end, and nothing is weakened before that.
    state.markUnverified(strengthened.filter(({ change }) => notSeen.has(change.address)));
    state.markVerified(strengthened.filter(({ change }) => !notSeen.has(change.address)));
  }
  return verification;
}

/**
 * Applies the request sequences of one wave concurrently. Reads the objects of a sequence again before writing it, if they were read too
 * long ago.
 */
async function applyWave(
  changes: readonly PlannedChange[],
  pending: Set<PlannedChange>,
  { context, now, signal, concurrency, journal }: ApplyInput,
  applyContext: ApplyContext,
  state: ApplyState,
  staleCheck: StaleCheck,
): Promise<void> {
  const applySequence = async (sequence: RequestSequence<PlannedChange>): Promise<void> => {
    const began = now();
    const whyNotSent = signal.aborted ? INTERRUPTED : whyRefused(sequence, applyContext);
    const { ready, results } =
      whyNotSent === undefined
        ? await staleCheck.check(sequence.items, pending)
        : { ready: [], results: sequence.items.map((planned) => ({ planned, state: 'skipped', reason: whyNotSent }) as const) };
    for (const planned of sequence.items) pending.delete(planned);
    state.record(results, began);
    const isAsPlanned = ready.length === sequence.items.length && ready.every((planned, index) => planned === sequence.items[index]);
    const sequences = isAsPlanned ? [sequence] : requestSequencesOf(ready, context.requestOptions, now());
    for (const each of sequences) state.record(await executeWithJournal(each, applyContext, journal), began);
  };
  await forEachConcurrently(requestSequencesOf(changes, context.requestOptions, now()), concurrency, applySequence);
}

/** Executes a sequence. Creates are recorded in the journal first, because a run that is killed would leave no sign of them otherwise. */
async function executeWithJournal(
  sequence: RequestSequence<PlannedChange>,
  context: ApplyContext,
  journal: ApplyJournal | undefined,
): Promise<readonly ChangeResult[]> {
  const created = sequence.items.filter(({ change }) => change.action === 'create').map(({ change }) => change.address);
  if (!journal || created.length === 0) return executeSequence(sequence, context);
  const journalError = journal.recordIntent(created);
  if (journalError !== null) return sequence.items.map((planned) => ({ planned, state: 'failed', reason: `not created: ${journalError}` }));
  const results = await executeSequence(sequence, context);
  const uncertain = new Set(results.filter(({ isUncertain }) => isUncertain).map(({ planned }) => planned.change.address));
  journal.recordResult(created.filter((address) => !uncertain.has(address)));
  return results;
}

const INTERRUPTED = 'the run was interrupted';

/** Returns why the service would refuse a sequence; undefined where it would not, or where nothing is sent. */
function whyRefused({ items: [first], requests }: RequestSequence<PlannedChange>, { refusals }: ApplyContext): string | undefined {
  return first && requests.length > 0 ? refusals.reasonFor(first.kind) : undefined;
}

/** Processes items in order, at most `concurrency` at once. */
async function forEachConcurrently<Item>(items: readonly Item[], concurrency: number, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
}
