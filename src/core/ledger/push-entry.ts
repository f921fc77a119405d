/** Pushes entries as the head of the ledger, and keeps those that could not be pushed for the next run. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compareStrings } from '../model/finding.ts';
import { isObject } from '../model/json.ts';
import { fetchCommit, isFullName } from './commits.ts';
import { type EntryCheck, type LedgerEntry, MAX_ENTRY_BYTES, parseJson, type RecordedBinding, toEntry, writeEntry } from './entry.ts';
import { GitError, LedgerError, singleLine } from './errors.ts';
import { readLocalFile, writeLocalFile } from './local-files.ts';
import { type LedgerRemote, push, type RefChange, refOf } from './remote.ts';
import { has } from './repository.ts';
import { writeCommit } from './single-file-commit.ts';

/** Name of the one file of a ledger commit. */
export const ENTRY_FILE = 'entry.json';

/** The folder of the refs of ledgers. */
export const LEDGER_FOLDER = 'refs/upkeep';

/** Returns the ref of the ledger of a target (design section 6, entries). */
export function ledgerRef(target: string): string {
  return `${LEDGER_FOLDER}/${target}`;
}

/**
 * Creates the commit of an entry without pushing it. Its parents are the previous entry and the configuration's commit, which squashing and
 * garbage collection therefore cannot remove; in a ledger repository, which never gets the project's history, the commit of its files alone.
 * Equal entries with the same parents give the same commit.
 * @throws GitError, LedgerError
 */
async function entryCommit(at: LedgerRemote, entry: LedgerEntry, previous: string | null): Promise<string> {
  const configuration = at.byAddress ? snapshotOf(entry) : entry.config.commit;
  const parents = [...new Set([previous, configuration, ...(await keptParents(at, entry))])].filter((parent) => parent !== null);
  for (const parent of parents) await fetchCommit(at, parent);
  const seconds = Math.floor(Date.parse(entry.at) / 1000);
  return await writeCommit(at.repository, { name: ENTRY_FILE, text: writeEntry(entry), message: messageOf(entry), parents, at: seconds });
}

/** Returns what the entry of a killed apply keeps of its configuration: the commit, where it is known here, or that of its files. */
async function keptParents(at: LedgerRemote, { fingerprint, interrupted = [], snapshots = {} }: LedgerEntry): Promise<readonly string[]> {
  const [newest] = interrupted;
  const kept = newest === undefined || fingerprint !== null ? undefined : at.byAddress ? snapshots[newest] : newest;
  return kept === undefined || !(await has(at.repository, kept)) ? [] : [kept];
}

/** Returns the commit in the ledger repository that holds the files of an entry's configuration; null where there is none. */
export function snapshotOf({ config, snapshots = {} }: LedgerEntry): string | null {
  return config.commit === null ? null : (snapshots[config.commit] ?? null);
}

/**
 * Pushes an entry as the head of the ledger, atomically with other changes of refs, if the head is still the previous entry. Reads the
 * remote where the response to the push is lost. Returns the entry's commit.
 * @throws GitError, and LedgerError for an entry that is too large
 */
export async function pushEntry(
  at: LedgerRemote,
  entry: LedgerEntry,
  previous: string | null,
  others: readonly RefChange[],
): Promise<string> {
  const commit = await entryCommit(at, entry, previous);
  const ref = ledgerRef(entry.target);
  try {
    await push(at, [{ ref, was: previous, becomes: commit }, ...others]);
  } catch (error) {
    if ((await headOrUndefined(at, ref)) !== commit) throw error;
  }
  return commit;
}

/** Returns the head of a ref; undefined where it cannot be read, since the error of the push says more than that of this read. */
async function headOrUndefined(at: LedgerRemote, ref: string): Promise<string | null | undefined> {
  try {
    return await refOf(at, ref);
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** Builds the commit message, which `git log` of the ref shows. */
function messageOf({ target, by, where, tool, config, fingerprint, interrupted = [], summary, verified }: LedgerEntry): string {
  const [killed] = fingerprint === null ? interrupted : [];
  const counts = Object.entries(summary).flatMap(([result, count]) => (count > 0 ? [`${count} ${result}`] : []));
  const rows = [
    killed === undefined ? `${target}: ${counts.join(', ') || 'nothing to do'}` : `${target}: the apply of ${killed} was interrupted`,
    '',
    `By: ${singleLine(by)}`,
    `Where: ${singleLine(where)}`,
    `Configuration: ${config.commit ?? 'no commit'}`,
    `Fingerprint: ${fingerprint ?? 'unknown'}`,
    `Verified: ${verified ? 'yes' : 'no'}`,
    `Tool: upkeep ${singleLine(tool)}`,
  ];
  return `${rows.join('\n')}\n`;
}

/**
 * Converts an unpushed entry so that it can follow entries that were recorded meanwhile. It keeps who applied, when, and the outcome. The
 * configuration is that of the latest entry. Its changes of bindings are applied only where no later entry has changed the same address or
 * object. `base` is the entry that the unpushed one followed.
 */
export function rebaseEntry(unpushed: LedgerEntry, base: LedgerEntry | null, latest: LedgerEntry): LedgerEntry {
  const before = new Map(Object.entries(base?.bindings ?? {}));
  const after = new Map(Object.entries(unpushed.bindings));
  const remaining = Object.entries(latest.bindings).filter(
    ([address, { id }]) => before.get(address)?.id !== id || after.get(address)?.id === id,
  );
  const added = addedBindings(after, before, new Map(remaining));
  const settings = [...new Set([...(latest.settings ?? []), ...(unpushed.settings ?? [])])].sort(compareStrings);
  // The files of the unpushed configuration are in no ledger: they are those of its commit in the project.
  const { snapshots: _snapshots, interrupted: _interrupted, ...own } = unpushed;
  return {
    ...own,
    config: latest.config,
    ...(latest.interrupted === undefined ? {} : { interrupted: latest.interrupted }),
    ...(latest.snapshots === undefined ? {} : { snapshots: latest.snapshots }),
    owner: latest.owner,
    ...(settings.length === 0 ? {} : { settings }),
    forgotten: [...new Set([...latest.forgotten, ...unpushed.forgotten])],
    bindings: Object.fromEntries([...remaining, ...added]),
    pendingSince: { ...latest.pendingSince, ...Object.fromEntries(added.map(([address]) => [address, unpushed.config.commit])) },
  };
}

type Bindings = ReadonlyMap<string, RecordedBinding>;

/** Returns the bindings that an apply added, except those whose address or object is bound in `current`. */
function addedBindings(after: Bindings, before: Bindings, current: Bindings): readonly (readonly [string, RecordedBinding])[] {
  const boundIds = new Set([...current.values()].map(({ id }) => id));
  return [...after].filter(([address, { id }]) => before.get(address)?.id !== id && !current.has(address) && !boundIds.has(id));
}

/** An entry that waits to be pushed, and the commit of the entry that it follows. */
export interface UnpushedEntry {
  readonly entry: LedgerEntry;
  readonly previous: string | null;
}

/** Name of the file of an unpushed entry, in the local folder of the target. */
const UNPUSHED_FILE = 'pending.json';

/** Maximum size of that file in bytes: that of an entry, and what stands around it. */
const MAX_UNPUSHED_BYTES = MAX_ENTRY_BYTES + 1024;

/** Saves an entry atomically in the local folder of the target. @throws LedgerError, or a system error */
export function saveUnpushed(localFolder: string, { entry, previous }: UnpushedEntry): void {
  writeLocalFile(localFolder, UNPUSHED_FILE, `{"previous":${JSON.stringify(previous)},"entry":${writeEntry(entry)}}\n`);
}

/** Reads the unpushed entry of a target; null where there is none. @throws LedgerError when the file cannot be used */
export function readUnpushed(localFolder: string, target: string, check: EntryCheck): UnpushedEntry | null {
  const text = readLocalFile(localFolder, UNPUSHED_FILE, MAX_UNPUSHED_BYTES);
  if (text === null) return null;
  try {
    const value = parseJson(text);
    const { previous, entry } = isObject(value) ? value : {};
    const valid = toEntry(entry, check);
    if (valid.target === target && (previous === null || isCommit(previous))) return { entry: valid, previous };
    throw new LedgerError('it does not belong here', '');
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new LedgerError(
      `the entry kept in ${join(localFolder, UNPUSHED_FILE)} cannot be used: ${error.message}`,
      error.isNewer ? error.hint : 'move the file away; `plan` shows what has to be adopted',
      error.isNewer,
    );
  }
}

/** Deletes the unpushed entry of a target. */
export function deleteUnpushed(localFolder: string): void {
  rmSync(join(localFolder, UNPUSHED_FILE), { force: true });
}

function isCommit(value: unknown): value is string {
  return typeof value === 'string' && isFullName(value);
}
