/** The journal of creates on disk while an apply runs, by which a killed run is recognized (design section 6, local files). */

import * as fs from 'node:fs';
import { join } from 'node:path';
import type { ApplyJournal } from '../../core/apply/input.ts';
import { ensureLocalFolder, readLocalFile } from '../../core/ledger/local-files.ts';
import { isObject } from '../../core/model/json.ts';
import { asString, asStringArray } from '../../core/model/json-readers.ts';
import type { SentCreate } from '../../core/state/state.ts';
import { codeOf, isSystemError } from '../run/exit-codes.ts';
import { info, joinClauses } from '../run/messages.ts';
import type { AppContext } from '../run/runtime.ts';

/** The journal of one apply. */
export interface OpenJournal extends ApplyJournal {
  /**
   * Ends the journal when the apply has ended. It is removed unless there are creates whose objects nobody has seen: those that are given,
   * and those whose result is not known. Returns the reason if that fails, else null.
   */
  close(unseen: ReadonlyMap<string, SentCreate>): string | null;
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
  // The creates that were started, and whose result is not known.
  const open = new Map<string, SentCreate>();
  const writeLine = (line: object): string => {
    descriptor ??= openJournalFile(localFolder, file);
    // The leading line break ends a line that a kill or a full disk cut off.
    const at = new Date(now()).toISOString();
    fs.appendFileSync(descriptor, `\n${JSON.stringify({ at, ...line })}\n`);
    fs.fsyncSync(descriptor);
    return at;
  };
  const end = (earlier: ReadonlyMap<string, SentCreate>): void => {
    const unseen = new Map([...earlier, ...open]);
    if (unseen.size > 0) writeLine({ unseen: Object.fromEntries(unseen) });
    if (descriptor !== null) fs.closeSync(descriptor);
    descriptor = null;
    if (unseen.size === 0) fs.rmSync(file, { force: true });
  };
  return {
    recordIntent(addresses) {
      return errorOf(() => {
        const at = writeLine({ intend: addresses });
        for (const address of addresses) open.set(address, { id: null, at });
      }, 'its journal cannot be written to this disk');
    },
    recordResult(addresses) {
      for (const address of addresses) open.delete(address);
      errorOf(() => void writeLine({ settle: addresses }), '');
    },
    close: (earlier) => errorOf(() => end(earlier), `the journal ${file} cannot be removed`),
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

/** What the journal of earlier applies on this machine tells. */
export interface Journal {
  /** When an apply was killed; null where none was. */
  readonly killedAt: string | null;
  /** The creates that were sent, and whose objects nobody has seen, by address. Those of a killed apply have no ID. */
  readonly sentCreates: ReadonlyMap<string, SentCreate>;
}

/** Reads the journal that earlier applies to a target have left. @throws LedgerError */
export function readJournal(localFolder: string): Journal {
  const text = readLocalFile(localFolder, JOURNAL_FILE, MAX_BYTES);
  const sentCreates = new Map<string, SentCreate>();
  let killedAt: string | null = null;
  for (const line of text?.split('\n') ?? []) {
    const entry = parseLine(line);
    const at = asString(entry.at);
    if (at === undefined) continue;
    for (const address of asStringArray(entry.intend) ?? []) sentCreates.set(address, sentCreates.get(address) ?? { id: null, at });
    for (const address of asStringArray(entry.settle) ?? []) sentCreates.delete(address);
    killedAt = at;
    if (!isObject(entry.unseen)) continue;
    // The last line of an apply that has ended.
    killedAt = null;
    sentCreates.clear();
    for (const [address, sent] of Object.entries(entry.unseen)) if (isSentCreate(sent)) sentCreates.set(address, sent);
  }
  return { killedAt, sentCreates };
}

function isSentCreate(value: unknown): value is SentCreate {
  return isObject(value) && typeof value.at === 'string' && (value.id === null || typeof value.id === 'string');
}

/** Prints a note if an apply to a target was killed, with the addresses that it may have created. @throws LedgerError */
export function reportInterrupted(io: AppContext, localFolder: string): void {
  const { killedAt: at, sentCreates } = readJournal(localFolder);
  if (at === null) return;
  const addresses = [...sentCreates].flatMap(([address, { id }]) => (id === null ? [address] : [])).sort();
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
