/** The ledger entry of an apply (design section 6, entries). */

import { RESULTS } from '../../core/apply/apply-state.ts';
import type { ApplyResult } from '../../core/apply/input.ts';
import { nextState } from '../../core/apply/next-state.ts';
import { overwrittenEdits } from '../../core/apply/overwritten-edits.ts';
import type { Target } from '../../core/config/project.ts';
import { actorOf } from '../../core/ledger/actor.ts';
import { type LedgerEntry, writeEntry } from '../../core/ledger/entry.ts';
import { GitError, LedgerError, type LockedConfiguration } from '../../core/ledger/errors.ts';
import { withFields } from '../../core/ledger/recorded-fields.ts';
import { rememberEntry } from '../../core/ledger/seen-entry.ts';
import { writeSnapshot } from '../../core/ledger/snapshot.ts';
import { overridesIn } from '../../core/model/decision.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import { compareStrings } from '../../core/model/finding.ts';
import type { ChangeOutcome, Outcome } from '../../core/model/outcome.ts';
import type { PlanResult } from '../../core/plan/build-plan.ts';
import type { PlanInput } from '../../core/plan/input.ts';
import type { PlannedChange } from '../../core/state/planned-change.ts';
import { ownerDigest } from '../../core/state/state.ts';
import { CliError, codeOf, isSystemError } from '../run/exit-codes.ts';
import { reportError } from '../run/messages.ts';
import type { AppContext } from '../run/runtime.ts';
import { VERSION } from '../run/version.ts';
import type { SelectedConfiguration } from './desired-state.ts';
import type { LoadedState, OpenLedger } from './load-state.ts';
import type { HeldLock } from './target-lock.ts';

/** What the entry of an apply is made of. */
export interface EntryInput {
  readonly target: Target;
  /** Name of the project. */
  readonly project: string;
  readonly input: PlanInput;
  readonly result: PlanResult;
  /** The fingerprint of the plan. */
  readonly fingerprint: string;
  readonly applied: Pick<ApplyResult, 'outcome' | 'ids'>;
  /** The state before the apply. */
  readonly state: LoadedState;
  /** The commit that holds the files of the configuration in a ledger repository; null elsewhere, and for a dirty work tree. */
  readonly snapshot: string | null;
  /** Digest of what the target declares. */
  readonly declared: string;
}

/** The counts of an apply that did nothing. */
export const NO_RESULTS = { created: 0, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 0, skipped: 0 };
/** Length of a remote ID of either service, in characters. */
const ID_LENGTH = 32;
/** A duration that no change takes, milliseconds. */
const LONGEST_MS = 10_000_000;

/**
 * Writes what a configuration was read from into the copy of the ledger repository, before anything is applied. Null where the ledger is in
 * the project, which has the commit itself, and for a dirty work tree. @throws GitError
 */
export async function snapshotFor({ remote }: OpenLedger, { state, readFrom }: SelectedConfiguration): Promise<string | null> {
  return remote.byAddress && readFrom !== null && state?.dirty === false ? await writeSnapshot(remote.repository, readFrom) : null;
}

/** Returns what the lock says of the configuration that is applied; null for a dirty work tree. */
export function lockedConfiguration({ state, desiredState }: SelectedConfiguration, snapshot: string | null): LockedConfiguration | null {
  return state === null || state.dirty ? null : { commit: state.commit, digest: desiredState.digest, snapshot };
}

/** Refuses an apply whose entry would be too large if all of its changes succeed. @throws LedgerError */
export function requireFittingEntry(io: AppContext, apply: Omit<EntryInput, 'applied'>, changes: readonly PlannedChange[]): void {
  const created = changes.filter(({ change }) => change.action === 'create');
  const outcomes = changes.map(({ change: { address, action } }) => ({ address, result: RESULTS[action], tookMs: LONGEST_MS }));
  const applied = {
    outcome: {
      schemaVersion: 1,
      target: apply.target.name,
      ...overridesIn(apply.result.plan),
      outcomes,
      summary: NO_RESULTS,
      verified: true,
    },
    ids: new Map(created.map(({ change: { address } }, index) => [address, String(index).padStart(ID_LENGTH, '0')])),
  } as const;
  try {
    writeEntry(entryOf(io, { ...apply, applied }));
  } catch (error) {
    if (error instanceof LedgerError) throw new LedgerError(`${error.message}, so nothing was written`, error.hint);
    throw error;
  }
}

/** Pushes the entry and releases the lock in one atomic push; if that fails, saves it for the next run. */
export async function pushApplyEntry(
  io: AppContext,
  openLedger: OpenLedger,
  heldLock: HeldLock,
  input: EntryInput,
): Promise<readonly ExitCode[]> {
  const entry = entryOf(io, input);
  const previous = input.state.last?.commit ?? null;
  if (!needsEntry(entry, input, heldLock.lost())) return [];
  try {
    await heldLock.release(async () => {
      const pushed = await heldLock.lock.pushEntry(entry, previous);
      rememberEntry(openLedger.remote, entry.target, { commit: pushed, at: entry.at });
      io.telemetry?.emit('entry pushed', { entry: pushed });
    });
    return [];
  } catch (error) {
    if (!(error instanceof GitError || error instanceof LedgerError)) throw error;
    await saveForNextRun(io, openLedger, entry, previous, error);
    return [EXIT_CODES.failed];
  }
}

/** Saves an entry that could not be pushed for the next run and reports that; if the disk fails, too, reports the loss. */
async function saveForNextRun(
  io: AppContext,
  { ledger }: OpenLedger,
  entry: LedgerEntry,
  previous: string | null,
  { message, hint }: GitError | LedgerError,
): Promise<void> {
  const prefix = `the apply to ${entry.target} was made, but could`;
  try {
    ledger.keepUnpushed(entry, previous);
    io.telemetry?.emit('entry kept', { reason: message });
    reportError(
      io,
      `${prefix} not be recorded: ${message}`,
      `${hint}; the entry is kept in the git directory of this clone, and the next run from here pushes it`,
    );
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof LedgerError)) throw error;
    const reason = error instanceof LedgerError ? error.message : codeOf(error);
    reportError(
      io,
      `${prefix} be neither recorded (${message}) nor kept in the git directory (${reason})`,
      `${hint}; free disk space and apply again: that run adopts the existing objects, but only this outcome shows who wrote them`,
    );
  }
}

/** Pushes the entry that an earlier apply on this machine saved. @throws CliError if the remote still rejects it, LedgerError */
export async function pushUnpushedEntry(io: AppContext, { ledger }: OpenLedger, { lock }: HeldLock): Promise<void> {
  try {
    if (await ledger.pushUnpushed(lock)) io.telemetry?.emit('kept entry pushed');
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const summary = `the entry of an earlier apply still cannot be pushed, so nothing was started: ${error.message}`;
    throw new CliError(EXIT_CODES.error, `git-${error.code}`, summary, error.hint);
  }
}

/**
 * Decides whether a run is recorded. A run without results is recorded only if it held the lock and has another commit, bindings or
 * pending addresses, or has read everything after one that failed or was not read back.
 */
function needsEntry(entry: LedgerEntry, { applied, state, result: planned }: EntryInput, lockLost: boolean): boolean {
  const last = state.last?.entry;
  if (applied.outcome.outcomes.some(({ result }) => result !== 'skipped')) return true;
  if (!last || lockLost) return !lockLost;
  if (hasOpenResults(last) && hasReadEverything(planned)) return true;
  return (
    JSON.stringify([
      entry.config,
      entry.bindings,
      entry.pendingSince,
      entry.externalIds,
      entry.managed,
      entry.settings,
      entry.interrupted,
    ]) !== JSON.stringify([last.config, last.bindings, last.pendingSince, last.externalIds, last.managed, last.settings, last.interrupted])
  );
}

/** Whether an apply had a failure, or did not read everything back. */
function hasOpenResults({ fingerprint, verified, summary }: LedgerEntry): boolean {
  return fingerprint !== null && (!verified || summary.failed > 0 || (summary.unseen ?? 0) > 0);
}

function entryOf(
  io: AppContext,
  { target, project, input, result, applied, state: before, snapshot, declared, fingerprint }: EntryInput,
): LedgerEntry {
  const { outcome, ids } = applied;
  const at = new Date(io.now()).toISOString();
  const results = new Map(outcome.outcomes.map(({ address, result }) => [address, result]));
  const previous = { ...before.previous, state: input.ledgerState ?? before.previous.state };
  const { state, externalIds, pendingSince } = nextState(previous, input, result, { results, ids, at });
  const interrupted = hasReadEverything(result) ? [] : (before.last?.entry.interrupted ?? []);
  const overwritten = overwrittenEdits(result.changes, results, before.lastApplied);
  const commit = input.config && !input.config.dirty ? input.config.commit : null;
  return {
    schemaVersion: 2,
    target: target.name,
    project,
    ...(state.baseUrl === null ? {} : { baseUrl: state.baseUrl }),
    at,
    ...actorOf(io.env),
    tool: VERSION,
    config: { commit, digest: input.desiredState.digest, declared },
    ...snapshotsOf([commit, ...pendingSince.values(), ...interrupted], {
      ...before.last?.entry.snapshots,
      ...(commit === null || snapshot === null ? {} : { [commit]: snapshot }),
    }),
    fingerprint,
    ...(interrupted.length === 0 ? {} : { interrupted }),
    ...overridesIn(outcome),
    summary: outcome.summary,
    verified: outcome.verified,
    outcomes: io.secrets.redactIn(
      withFields(withOverridden(outcome, result), new Map(result.changes.map(({ change }) => [change.address, change]))),
    ),
    owner: state.ownerDigest,
    configuredOwner: ownerDigest(input.owner),
    ...(state.settings.size === 0 ? {} : { settings: [...state.settings].sort(compareStrings) }),
    bindings: Object.fromEntries(state.bindings),
    ...(state.managedSections.size === 0 ? {} : { managed: [...state.managedSections].sort(compareStrings) }),
    forgotten: [...state.forgotten],
    pendingSince: Object.fromEntries(pendingSince),
    ...(Object.keys(externalIds).length === 0 ? {} : { externalIds }),
    ...(Object.keys(overwritten).length === 0 ? {} : { overwritten }),
  };
}

/** Adds to each outcome of an apply that overrode safety checks those that its change passed by an override alone. */
function withOverridden({ overrides, outcomes }: Outcome, { overriddenByAddress }: PlanResult): readonly ChangeOutcome[] {
  if (overrides === undefined) return outcomes;
  const checks = overriddenByAddress();
  return outcomes.map((each) =>
    each.result === 'skipped' || each.result === 'unchanged' ? each : { ...each, overridden: checks.get(each.address) ?? [] },
  );
}

/** Whether a plan has read all that is managed, so that what killed applies created has its bindings. */
function hasReadEverything({ readByKind }: PlanResult): boolean {
  return [...readByKind.values()].every(({ status }) => status === 'complete' || status === 'unmanaged');
}

/** Returns the snapshots of the commits that an entry names, sorted by commit, as a member of the entry; nothing where there are none. */
export function snapshotsOf(
  commits: readonly (string | null)[],
  known: NonNullable<LedgerEntry['snapshots']>,
): Pick<LedgerEntry, 'snapshots'> {
  const named = [...new Set(commits)].filter((commit) => commit !== null).sort(compareStrings);
  const snapshots = named.flatMap((commit) => (known[commit] === undefined ? [] : [[commit, known[commit]] as const]));
  return snapshots.length === 0 ? {} : { snapshots: Object.fromEntries(snapshots) };
}
