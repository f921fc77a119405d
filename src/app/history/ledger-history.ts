/** Reads the history of a target from its ledger: its applies, those that changed a resource, and the one before an apply. */
import { suggest } from '../../core/config/did-you-mean.ts';
import type { Target } from '../../core/config/project.ts';
import { isFullName } from '../../core/ledger/commits.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { EntryCommit } from '../../core/ledger/ledger.ts';
import { snapshotOf } from '../../core/ledger/push-entry.ts';
import { isKilled, isWhole, standingAfter } from '../../core/ledger/standing.ts';
import type { AllowedCheck } from '../../core/model/change.ts';
import { CONDITIONS, type Condition, overridesIn } from '../../core/model/decision.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { matchesGlob } from '../../core/model/glob.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import type { AskedDate } from '../../core/model/run-of-show.ts';
import type { History, HistoryEntry, RecordedChange } from '../../report/documents/history.ts';
import type { TargetRun } from '../account/target-run.ts';
import { CliError } from '../run/exit-codes.ts';
import { type RecordedEdit, trackEdits } from './accepted-edits.ts';
import type { ReadDeclarations } from './entry-declarations.ts';
import { type OpenLedger, requireLedger } from './load-state.ts';
import { changesOf } from './resource-history.ts';

/** Opens the ledger of a target. @throws CliError if the target has none, GitError */
export async function openHistory({ session, target, io }: TargetRun): Promise<OpenLedger> {
  if (target.ledger !== 'none') return requireLedger(session, target, io);
  throw new CliError(EXIT_CODES.invalid, 'no-ledger', `${target.name} keeps no ledger`, 'set `ledger: git` for the target in upkeep.yaml');
}

/** The applies that `history` lists; undefined = all. */
export interface HistoryFilters {
  /** Those that changed the resource of this address, or of one that matches this glob. Each then has these changes. */
  readonly address?: string | undefined;
  /** Glob of who applied. */
  readonly actor?: string | undefined;
  /** Name of a safety check or condition that was overridden. */
  readonly check?: AllowedCheck | Condition | undefined;
  readonly since?: AskedDate | undefined;
  /** How many at most, the newest ones. */
  readonly limit?: number | undefined;
}

/** Lists the applies of a ledger, newest first. `read` reads what their configurations declare. @throws GitError, LedgerError */
export async function listApplies(
  { ledger }: Pick<OpenLedger, 'ledger'>,
  { address, limit = Number.POSITIVE_INFINITY, ...filters }: HistoryFilters,
  read: ReadDeclarations,
): Promise<Pick<History, 'address' | 'near' | 'entries' | 'more'>> {
  const about = address === undefined ? {} : { address };
  const known = new Set<string>();
  const applies =
    address === undefined ? allApplies(ledger.history(), filters) : appliesAbout(address, ledger.history(), filters, read, known);
  const entries: HistoryEntry[] = [];
  for await (const apply of applies) {
    if (entries.length === limit) return { ...about, entries, more: true };
    entries.push(apply);
  }
  const near = address === undefined || known.has(address) ? undefined : suggest(address, [...known]);
  return { ...about, ...(near === undefined ? {} : { near }), entries };
}

type Filters = Omit<HistoryFilters, 'address' | 'limit'>;

async function* allApplies(history: EntryHistory, filters: Filters): AsyncGenerator<HistoryEntry, void, undefined> {
  for await (const found of history) if (isListed(found.entry, undefined, filters)) yield historyEntry(found);
}

/**
 * Yields the applies that changed what an address or a glob names, or accepted an edit of it, and those of which nobody knows. Adds to `known`
 * the addresses that the ledger mentions, and the asked one where anything changed.
 */
async function* appliesAbout(
  asked: string,
  history: EntryHistory,
  filters: Filters,
  read: ReadDeclarations,
  known: Set<string>,
): AsyncGenerator<HistoryEntry, void, undefined> {
  const changesIn = changesOf(asked);
  const tracker = trackEdits();
  let waiting: HistoryEntry[] = [];
  for await (const [found, before] of withEntriesBefore(history)) {
    const { entry, commit: id } = found;
    const { changes, follows } = changesIn(entry, before?.entry ?? null);
    for (const { address } of entry.outcomes) known.add(address);
    if (changes.length > 0) known.add(asked);
    const step = { id, entry, before: before?.entry ?? null, follows, isListed: isListed(entry, changes, filters) };
    const declarations = tracker.needs(step) ? await read(entry) : null;
    const edits = tracker.add(step, declarations !== null && 'declared' in declarations ? declarations.declared : null);
    if (step.isListed) {
      const unread = declarations !== null && 'unread' in declarations ? { unread: declarations.unread } : {};
      waiting.push({ ...historyEntry(found), changes, ...unread });
    }
    if (edits.length > 0) waiting = waiting.map((each) => withEdits(each, edits));
    for (let [first] = waiting; first !== undefined && !tracker.awaits(first.id); [first] = waiting) {
      waiting.shift();
      if (saysAnything(first)) yield first;
    }
  }
  // No entry is older.
  for (const each of waiting) if (saysAnything(each)) yield each;
}

function withEdits(entry: HistoryEntry, edits: readonly RecordedEdit[]): HistoryEntry {
  const own = edits.filter(({ id }) => id === entry.id).map(({ edit }) => edit);
  return own.length === 0 ? entry : { ...entry, accepted: [...(entry.accepted ?? []), ...own] };
}

/** Decides whether an apply has anything of what was asked for. Nobody knows what a killed apply changed. */
function saysAnything(entry: HistoryEntry): boolean {
  const { changes = [], accepted, unread } = entry;
  return isKilled(entry) || changes.length > 0 || accepted !== undefined || unread !== undefined;
}

/** The entries of a ledger, newest first. */
type EntryHistory = AsyncGenerator<EntryCommit, void, undefined>;

/** Yields each entry with the one before it, in an order from the newest to the oldest one. */
async function* withEntriesBefore(history: EntryHistory): AsyncGenerator<readonly [EntryCommit, EntryCommit | null], void, undefined> {
  let last: EntryCommit | null = null;
  for await (const each of history) {
    if (last) yield [last, each];
    last = each;
  }
  if (last) yield [last, null];
}

function isListed(entry: LedgerEntry, changes: readonly RecordedChange[] | undefined, { actor = '*', check, since }: Filters): boolean {
  if (!matchesGlob(actor, entry.by)) return false;
  if (since !== undefined && Date.parse(entry.at) < since.time) return false;
  if (check === undefined) return true;
  if (!entry.overrides?.some((each) => each.check === check)) return false;
  // A condition is overridden for all changes of a run.
  if (CONDITIONS.some((condition) => condition === check)) return true;
  // Older entries do not say which changes an override let through.
  return changes?.some(({ overridden }) => overridden?.some((each) => each === check) ?? true) ?? true;
}

function historyEntry({ commit: id, entry }: EntryCommit): HistoryEntry {
  const { at, by, where, tool, fingerprint, summary, verified } = entry;
  const { commit, inPart } = standingAfter(entry);
  const part = inPart.length === 0 ? {} : { inPart };
  return { id, at, by, where, tool, commit, ...part, fingerprint, ...overridesIn(entry), summary, verified };
}

/** Returns the outcome of an apply by the ID of its entry, or the beginning of the ID. @throws CliError if there is none, GitError */
export async function outcomeOfEntry(ledger: OpenLedger, target: Target, id: string): Promise<Outcome> {
  const { entry } = await findEntry(ledger, target, id);
  const { fingerprint, outcomes, summary, verified } = entry;
  if (fingerprint === null)
    throw new CliError(
      EXIT_CODES.invalid,
      'no-outcome',
      `the apply ${id} was interrupted, so its outcome is not known`,
      'the next entry names what was found of it',
    );
  return { schemaVersion: 1, target: target.name, fingerprint, ...overridesIn(entry), outcomes, summary, verified };
}

/** An apply to go back to. */
export interface EarlierApply {
  /** ID of its entry. */
  readonly id: string;
  /** The commit of its configuration. */
  readonly commit: string;
  /** The commit of a ledger repository that holds the files of its configuration; null where they are in the project. */
  readonly snapshot: string | null;
  readonly bindings: LedgerEntry['bindings'];
  /** Whether it left nothing out, had no failure, and read everything back. */
  readonly isWhole: boolean;
  /** The assets that external IDs named then. */
  readonly externalIds: LedgerEntry['externalIds'];
}

/** The apply before another one, and the applies since then, newest first, which going back undoes. */
export interface ApplyBefore extends EarlierApply {
  /** The addresses that the apply before left out, and that an undone one has applied; none where that apply went back itself. */
  readonly completed: readonly string[];
  /** The entry of the first of the applies in a row that have the same commit; null where none is before it. */
  readonly firstOfCommit: string | null;
  readonly undone: readonly EntryCommit[];
}

/** Returns the apply that a full name of a commit names; null where it names another commit. @throws CliError, GitError, LedgerError */
export async function entryNamed({ session, target, io }: TargetRun, ref: string): Promise<EarlierApply | null> {
  if (target.ledger === 'none' || !isFullName(ref)) return null;
  const { ledger } = await requireLedger(session, target, io);
  const found = await ledger.entryAt(ref);
  return found && applyToReturnTo(found, `the apply ${ref.slice(0, 12)}`);
}

/**
 * Returns the apply before another one; `id` is that of its entry, undefined is the last apply. @throws CliError if there is none with a
 * commit, GitError, LedgerError
 */
export async function applyBefore(run: TargetRun, id: string | undefined): Promise<ApplyBefore> {
  const { target } = run;
  const openLedger = await openHistory(run);
  const latest = id === undefined ? await openLedger.ledger.latest() : await findEntry(openLedger, target, id);
  if (!latest) throw new CliError(EXIT_CODES.invalid, 'no-entry', `the ledger of ${target.name} is empty`, 'there is nothing to undo');
  const before = latest.previous === null ? null : await openLedger.ledger.find(latest.previous);
  const apply = applyToReturnTo(before, `the apply before ${latest.commit.slice(0, 12)}`);
  const undone: EntryCommit[] = [];
  let firstOfCommit: string | null = null;
  let isBefore = false;
  for await (const each of openLedger.ledger.history()) {
    isBefore ||= each.commit === apply.id;
    if (isBefore && each.entry.config.commit !== apply.commit) break;
    if (isBefore) firstOfCommit = each.previous === null ? null : each.commit;
    else undone.push(each);
  }
  const stillLeftOut = undone[0]?.entry.pendingSince ?? {};
  const leftOut = before === null || wentBack(before.entry) ? {} : before.entry.pendingSince;
  const completed = Object.keys(leftOut).filter((address) => !Object.hasOwn(stillLeftOut, address));
  return { ...apply, undone, completed, firstOfCommit };
}

/** Decides whether an apply went back to an earlier one, as by `undo`. */
export function wentBack({ overrides = [] }: Pick<LedgerEntry, 'overrides'>): boolean {
  return overrides.some(({ check }) => check === 'rollback');
}

/** @throws CliError if the apply has no commit */
function applyToReturnTo(found: EntryCommit | null, what: string): EarlierApply {
  const commit = found?.entry.config.commit ?? null;
  if (found && commit !== null) {
    const { bindings, externalIds } = found.entry;
    return { id: found.commit, commit, snapshot: snapshotOf(found.entry), bindings, isWhole: isWhole(found.entry), externalIds };
  }
  const reason = found ? 'was made from a work tree that was not committed' : 'does not exist';
  throw new CliError(
    EXIT_CODES.invalid,
    'no-commit',
    `${what} ${reason}`,
    'name another entry, or plan the commit that you want with --ref',
  );
}

async function findEntry({ ledger }: OpenLedger, target: Target, id: string): Promise<EntryCommit> {
  const found = await ledger.find(id);
  if (found) return found;
  throw new CliError(
    EXIT_CODES.invalid,
    'no-entry',
    `the ledger of ${target.name} has no entry ${id}`,
    'see `upkeep history`; seven characters of the ID are enough',
  );
}
