/** The journal of creates on disk while an apply runs, by which a killed run is recognized (design section 6, local files). */

import * as fs from 'node:fs';
import { join } from 'node:path';
import type { ApplyJournal } from '../../core/apply/input.ts';
import { ensureLocalFolder, readLocalFile } from '../../core/ledger/local-files.ts';
import { isObject } from '../../core/model/json.ts';
import { asString, asStringArray } from '../../core/model/json-readers.ts';
import { codeOf, isSystemError } from '../run/exit-codes.ts';
import { info, joinClauses } from '../run/messages.ts';
import type { AppContext } from '../run/runtime.ts';

/** The journal of one apply. */
export interface OpenJournal extends ApplyJournal {
  /** Removes the journal when the apply has ended. Returns the reason if that fails, else null. */
  close(): string | null;
}

/** Maximum size of a journal that is read, bytes. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Name of the journal, in the local folder of the target. */
const JOURNAL_FILE = 'journal.jsonl';

/**
 * Opens the journal of an apply in the local folder of the target; nothing is written before the first create. `now` gives Unix
 * milliseconds. @throws LedgerError if a journal is there that cannot be used
 */
export function openJournal(localFolder: string, now: () => number): OpenJournal {
  readLocalFile(localFolder, JOURNAL_FILE, MAX_BYTES);
  const file = join(localFolder, JOURNAL_FILE);
  let descriptor: number | null = null;
  const writeLine = (line: object): void => {
    descriptor ??= openJournalFile(localFolder, file);
    // The leading line break ends a line that a kill or a full disk cut off.
    fs.appendFileSync(descriptor, `\n${JSON.stringify({ at: new Date(now()).toISOString(), ...line })}\n`);
    fs.fsyncSync(descriptor);
  };
  const remove = (): void => {
    if (descriptor !== null) fs.closeSync(descriptor);
    descriptor = null;
    fs.rmSync(file, { force: true });
  };
  return {
    recordIntent: (addresses) => errorOf(() => writeLine({ intend: addresses }), 'its journal cannot be written to this disk'),
    recordResult: (addresses) => void errorOf(() => writeLine({ settle: addresses }), ''),
    close: () => errorOf(remove, `the journal ${file} cannot be removed`),
  };
}

/** Runs a disk operation. Returns `message` with the system's error code if it fails, else null. */
function errorOf(operation: () => void, message: string): string | null {
  try {
    operation();
    return null;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return `${message} (${codeOf(error)})`;
  }
}

/**
 * Returns the addresses that a killed apply to a target may have created, by its journal; null if no apply was killed. @throws LedgerError
 */
export function interruptedCreates(localFolder: string): { readonly at: string; readonly addresses: readonly string[] } | null {
  const text = readLocalFile(localFolder, JOURNAL_FILE, MAX_BYTES);
  if (text === null) return null;
  const unresolved = new Set<string>();
  let at = '';
  for (const line of text.split('\n')) {
    const entry = parseLine(line);
    at = asString(entry.at) ?? at;
    for (const address of asStringArray(entry.intend) ?? []) unresolved.add(address);
    for (const address of asStringArray(entry.settle) ?? []) unresolved.delete(address);
  }
  return { at, addresses: [...unresolved].sort() };
}

/** Prints a note if an apply to a target was killed, with the addresses that it may have created. @throws LedgerError */
export function reportInterrupted(io: AppContext, localFolder: string): void {
  const creates = interruptedCreates(localFolder);
  if (!creates) return;
  const { at, addresses } = creates;
  const during = addresses.length > 0 ? `, while creating ${joinClauses(addresses)}` : '';
  info(io, `an apply in this folder was interrupted at ${at}${during}; completed changes are recognized and not repeated`);
}

function openJournalFile(localFolder: string, file: string): number {
  ensureLocalFolder(localFolder);
  return fs.openSync(file, fs.constants.O_CREAT | fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_NOFOLLOW, 0o600);
}

/** Parses a journal line; a truncated line gives an empty entry. */
function parseLine(line: string): { readonly [member: string]: unknown } {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
