/** Pushes entries as the head of the ledger, and keeps those that could not be pushed for the next run. */

import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject } from '../model/json.ts';
import { fetchCommit } from './commits.ts';
import { type EntryCheck, type LedgerEntry, MAX_ENTRY_BYTES, parseJson, type RecordedBinding, toEntry, writeEntry } from './entry.ts';

import { GitError, LedgerError, singleLine } from './errors.ts';
import { type LedgerRemote, push, type RefChange, refOf } from './remote.ts';
import type { Repository } from './repository.ts';
import { writeCommit } from './single-file-commit.ts';

/** Name of the one file of a ledger commit. */
export const ENTRY_FILE = 'entry.json';

/** Returns the ref of the ledger of a target (design section 6). */
export function ledgerRef(target: string): string {
  return `refs/upkeep/${target}`;
}

/**
 * Creates the commit of an entry without pushing it. Its parents are the previous entry and the configuration's commit, which squashing and
 * garbage collection therefore cannot remove. Equal entries with the same parents give the same commit. @throws GitError
 */
async function entryCommit(at: LedgerRemote, entry: LedgerEntry, previous: string | null): Promise<string> {
  const parents = [previous, entry.config.commit].filter((parent) => parent !== null);
  for (const parent of parents) await fetchCommit(at, parent);
  const seconds = Math.floor(Date.parse(entry.at) / 1000);
  return await writeCommit(at.repository, { name: ENTRY_FILE, text: writeEntry(entry), message: messageOf(entry), parents, at: seconds });
}

/**
 * Pushes an entry as the head of the ledger, atomically with other changes of refs, if the head is still the previous entry. Reads the
 * remote where the response to the push is lost. Returns the entry's commit. @throws GitError
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
function messageOf({ target, by, where, tool, config, fingerprint, summary, verified }: LedgerEntry): string {
  const counts = Object.entries(summary).flatMap(([result, count]) => (count > 0 ? [`${count} ${result}`] : []));
  const rows = [
    `${target}: ${counts.join(', ') || 'nothing to do'}`,
    '',
    `By: ${singleLine(by)}`,
    `Where: ${singleLine(where)}`,
    `Configuration: ${config.commit ?? 'no commit'}`,
    `Fingerprint: ${fingerprint}`,
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
  return {
    ...unpushed,
    config: latest.config,
    owner: latest.owner,
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

/** Returns the path of the unpushed entry of a target: `.upkeep/pending/<target>.json` in the project folder. */
export function unpushedFile(folder: string, target: string): string {
  return join(folder, '.upkeep', 'pending', `${target}.json`);
}

/** Saves an entry atomically: the file is complete, or unchanged. */
export async function saveUnpushed(folder: string, { entry, previous }: UnpushedEntry): Promise<void> {
  const path = unpushedFile(folder, entry.target);
  const draft = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(draft, `{"previous":${JSON.stringify(previous)},"entry":${writeEntry(entry)}}\n`, { flag: 'wx', flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Reads the unpushed entry of a target; null where there is none. @throws LedgerError when the file cannot be used, or came with a commit;
 * GitError
 */
export async function readUnpushed(repository: Repository, target: string, check: EntryCheck): Promise<UnpushedEntry | null> {
  const path = unpushedFile(repository.folder, target);
  const text = await textOf(path);
  if (text === null) return null;
  try {
    // Only an apply in this folder may say what it applied: whoever can only commit must not be able to bind objects.
    if (await isCommitted(repository, target)) throw new LedgerError('it came with a commit, or is a link', '');
    const value = parseJson(text);
    const { previous, entry } = isObject(value) ? value : {};
    const valid = toEntry(entry, check);
    if (valid.target === target && (previous === null || isCommit(previous))) return { entry: valid, previous };
    throw new LedgerError('it does not belong here', '');
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new LedgerError(
      `the record kept in ${path} cannot be used: ${error.message}`,
      'move the file away; `plan` shows what has to be adopted',
    );
  }
}

/** Deletes the unpushed entry of a target. */
export async function deleteUnpushed(folder: string, target: string): Promise<void> {
  await rm(unpushedFile(folder, target), { force: true });
}

/** Decides whether the file of a target is in the index of git, in any case of letters, or in its commit, or reached through a link. @throws GitError */
async function isCommitted({ folder, run }: Repository, target: string): Promise<boolean> {
  const path = unpushedFile('', target);
  for (const each of [dirname(dirname(path)), dirname(path), path]) {
    if ((await lstat(join(folder, each))).isSymbolicLink()) return true;
  }
  if ((await run(['ls-files', '-z', '--', `:(icase)${path}`])).length > 0) return true;
  try {
    // The index of a mirror beside an exported folder is empty.
    return (await run(['ls-tree', '-z', 'HEAD', '--', path])).length > 0;
  } catch (error) {
    // There is no commit yet.
    if (error instanceof GitError) return false;
    throw error;
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    const stats = await stat(path);
    // upkeep never writes such a file, and reading a pipe might never end.
    if (!stats.isFile() || stats.size > MAX_ENTRY_BYTES) return '';
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function isCommit(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value);
}
