/** Stores ledger entries that could not be pushed: one file for each target in `.upkeep/pending` of the project. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject } from '../model/json.ts';
import { type EntryCheck, type LedgerEntry, MAX_ENTRY_BYTES, parsed, toEntry, writeEntry } from './entry.ts';
import { LedgerError } from './errors.ts';

/** An entry that waits to be pushed, and the commit of the entry that it follows. */
export interface UnpushedEntry {
  readonly entry: LedgerEntry;
  readonly previous: string | null;
}

/** Returns the path of the unpushed entry of a target. */
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

/** Reads the unpushed entry of a target; null where there is none. @throws LedgerError when the file cannot be used */
export async function readUnpushed(folder: string, target: string, check: EntryCheck): Promise<UnpushedEntry | null> {
  const path = unpushedFile(folder, target);
  const text = await textOf(path);
  if (text === null) return null;
  try {
    const value = parsed(text);
    const { previous, entry } = isObject(value) ? value : {};
    const known = toEntry(entry, check);
    if (known.target === target && (previous === null || isCommit(previous))) return { entry: known, previous };
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

async function textOf(path: string): Promise<string | null> {
  try {
    const about = await stat(path);
    // Neither is anything that was kept; waiting for a pipe might never end.
    if (!about.isFile() || about.size > MAX_ENTRY_BYTES) return '';
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function isCommit(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value);
}
