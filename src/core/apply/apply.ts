import { waves } from '../decide/sent.ts';
import type { ApiError } from '../kinds/kind.ts';
import { weakens } from '../model/change.ts';
import type { Outcome } from '../model/outcome.ts';
import { requestSequencesOf } from '../plan/plan-document.ts';
import type { RequestSequence } from '../plan/request-sequences.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import { ApplyState } from './apply-state.ts';
import { executeSequence, INTERRUPTED } from './execute.ts';
import type { ApplyContext, ApplyInput, ApplyJournal, ApplyResult, ChangeResult } from './input.ts';
import { Looks } from './looks.ts';
import { ObjectsOfOthers } from './objects-of-others.ts';
import { Refusals } from './refusals.ts';
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
  const { waitPolicy, settling, whyNotDeclarable } = input;
  const { requestOptions, resettableMembers } = context;
  const onError = (error: ApiError): void => void errors.push(error);
  const journal = createsJournal(input.journal);
  const applyContext: ApplyContext = {
    ...{ service, now, elapsed, waitPolicy, settling, requestOptions, resettableMembers, whyNotDeclarable, objectsOfOthers, onError },
    looks: new Looks(input, objectsOfOthers, onError),
    refusals: new Refusals(),
    recordCreates: journal.recordCreates,
  };
  const state = new ApplyState(input);
  for (const wave of waves(input.changes)) {
    state.stop((await input.whyStop?.()) ?? null);
    if (wave.some(({ change }) => weakens(change))) verifications.push(await verifyStrengthened(state, objectsOfOthers, input));
    const applicable = state.selectApplicable(wave);
    await applyWave(applicable, input, applyContext, state, journal);
    applyContext.looks.end(wave);
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
      ...(input.fingerprint === undefined ? {} : { fingerprint: input.fingerprint }),
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

/** Applies the request sequences of one wave concurrently. */
async function applyWave(
  changes: readonly PlannedChange[],
  { context, now, signal, concurrency }: ApplyInput,
  applyContext: ApplyContext,
  state: ApplyState,
  journal: CreatesJournal,
): Promise<void> {
  const applySequence = async (sequence: RequestSequence<PlannedChange>): Promise<void> => {
    const began = now();
    const results: readonly ChangeResult[] = signal.aborted
      ? sequence.items.map((planned) => ({ planned, state: 'skipped', reason: INTERRUPTED }))
      : await executeSequence(sequence, applyContext);
    applyContext.looks.end(sequence.items);
    journal.recordResults(results);
    state.record(results, began);
  };
  await forEachConcurrently(requestSequencesOf(changes, context.requestOptions, now()), concurrency, applySequence);
}

/** The journal of the creates of an apply, each of which is recorded once. */
interface CreatesJournal {
  readonly recordCreates: ApplyContext['recordCreates'];
  /** Records that the results of the creates are known that were recorded, but for those of which nobody knows whether they were made. */
  recordResults(results: readonly ChangeResult[]): void;
}

/** Records creates before they are sent, because a run that is killed would leave no sign of them otherwise. */
function createsJournal(journal: ApplyJournal | undefined): CreatesJournal {
  const recorded = new Set<string>();
  return {
    recordCreates(changes) {
      const addresses = changes.flatMap(({ change: { action, address } }) =>
        action === 'create' && !recorded.has(address) ? [address] : [],
      );
      const error = addresses.length === 0 ? null : (journal?.recordIntent(addresses) ?? null);
      if (error !== null) return `not created: ${error}`;
      for (const address of addresses) recorded.add(address);
      return null;
    },
    recordResults(results) {
      const known = results.flatMap(({ planned, isUncertain }) => (isUncertain ? [] : [planned.change.address]));
      const settled = known.filter((address) => recorded.has(address));
      if (settled.length > 0) journal?.recordResult(settled);
    },
  };
}

/** Processes items in order, at most `concurrency` at once. */
async function forEachConcurrently<Item>(items: readonly Item[], concurrency: number, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
}
