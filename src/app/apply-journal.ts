/** The journal of creates on disk while an apply runs, by which a killed run is recognized: `.upkeep/journal/<target>.jsonl`. */

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApplyJournal } from '../apply/input.ts';
import type { Target } from '../config/project.ts';
import { isObject } from '../model/json.ts';
import { asString, asStringArray } from '../model/json-readers.ts';
import { codeOf, isSystemError } from './exit-codes.ts';
import { info, joinClauses } from './messages.ts';
import type { OpenProject } from './project.ts';
import type { AppContext } from './runtime.ts';
import { ensureDotUpkeep, refuseLinks } from './upkeep-folder.ts';

/** The journal of one apply. */
export interface OpenJournal extends ApplyJournal {
  /** Removes the journal when the apply has ended. Returns the reason if that fails, else null. */
  close(): string | null;
}

/** Maximum size of a journal that is read, bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Opens the journal of an apply; nothing is written before the first create. `now` gives Unix milliseconds. @throws CliError if its path
 * is a symbolic link
 */
export function openJournal(folder: string, target: string, now: () => number): OpenJournal {
  const file = journalFile(folder, target);
  const dotUpkeep = join(folder, '.upkeep');
  refuseLinks(dotUpkeep, dirname(file), join(dotUpkeep, 'pending'), file);
  let descriptor: number | null = null;
  const writeLine = (line: object): void => {
    descriptor ??= openJournalFile(folder, file);
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

/** Returns the addresses that a killed apply in this folder may have created; null if no apply was killed. */
export function interruptedCreates(folder: string, target: string): { readonly at: string; readonly addresses: readonly string[] } | null {
  const text = readJournal(journalFile(folder, target));
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

/** Prints a note if an apply to the target was killed in this folder, with the addresses that it may have created. */
export function reportInterrupted(io: AppContext, { folder }: OpenProject, target: Target): void {
  const creates = interruptedCreates(folder, target.name);
  if (!creates) return;
  const { at, addresses } = creates;
  const during = addresses.length > 0 ? `, while creating ${joinClauses(addresses)}` : '';
  info(io, `an apply in this folder was interrupted at ${at}${during}; completed changes are recognized and not repeated`);
}

function journalFile(folder: string, target: string): string {
  return join(folder, '.upkeep', 'journal', `${target}.jsonl`);
}

/** Reads a journal; returns null if there is none or it is too large. */
function readJournal(file: string): string | null {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= MAX_BYTES ? fs.readFileSync(file, 'utf8') : null;
}

function openJournalFile(folder: string, file: string): number {
  ensureDotUpkeep(folder);
  fs.mkdirSync(dirname(file), { recursive: true });
  return fs.openSync(file, fs.constants.O_CREAT | fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_NOFOLLOW);
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
