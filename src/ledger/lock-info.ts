/** Reads and writes the commit of a lock, whose one file says who holds the lock. */
import { randomUUID } from 'node:crypto';
import { isObject } from '../model/json.ts';
import { asString } from '../model/json-readers.ts';
import type { Actor } from './actor.ts';
import { singleLine } from './errors.ts';
import type { LockHolder } from './lock-held-error.ts';
import { fetchRef, type LedgerRemote } from './remote.ts';
import { readCommit, writeCommit } from './single-file-commit.ts';

const FILE = 'lock.json';
const MAX_BYTES = 64 * 1024;

/** Returns the ref that is the lock of a target (design section 6). */
export function lockRef(target: string): string {
  return `refs/upkeep/locks/${target}`;
}

/** Returns the ID of a lock: the first 12 characters of the hash of its commit. */
export function idOf(commit: string): string {
  return commit.slice(0, 12);
}

/**
 * Creates the commit of a new lock. Every commit is unique, or two runs could both believe that their push created the lock. `now` in Unix
 * milliseconds.
 */
export async function lockCommit({ repository }: LedgerRemote, target: string, { by, where }: Actor, now: number): Promise<string> {
  const lock = { schemaVersion: 1, target, by, since: new Date(now).toISOString(), where, nonce: randomUUID() };
  const text = `${JSON.stringify(lock, null, 2)}\n`;
  const message = `Lock of ${target}, held by ${singleLine(by)}\n`;
  return await writeCommit(repository, { name: FILE, text, message, parents: [], at: Math.floor(now / 1000) });
}

/** Reads who holds the lock of a target; null where nobody does. @throws GitError */
export async function readLock(at: LedgerRemote, target: string): Promise<LockHolder | null> {
  const commit = await fetchRef(at, lockRef(target), false);
  if (commit === null) return null;
  const note = await readCommit(at.repository, commit, FILE, MAX_BYTES);
  const lock = fieldsOf(note?.text ?? '');
  const told = (member: string): string => singleLine(asString(lock[member]) ?? '') || 'unknown';
  return { id: idOf(commit), commit, by: told('by'), since: told('since'), where: told('where') };
}

/** Parses a lock file. An unreadable lock file still counts as a lock; its fields are then `unknown`. */
function fieldsOf(text: string): { readonly [member: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
