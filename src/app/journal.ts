/** The trace that creates leave on disk while an apply runs (a killed run is known by it): `.upkeep/journal/<target>.jsonl`. */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApplyJournal } from '../apply/options.ts';
import type { Target } from '../config/project.ts';
import { isObject } from '../model/json.ts';
import { asString, asStringArray } from '../model/json-readers.ts';
import { ensureDotUpkeep, refuseLinks } from './dot-upkeep.ts';
import { codeOf, isSystemError } from './exit-codes.ts';
import { info, listed } from './output.ts';
import type { OpenProject } from './project.ts';
import type { CliContext } from './runtime.ts';

/** The journal of one apply. */
export interface OpenJournal extends ApplyJournal {
  /** Removes the trace: the apply has come to its end. Gives why that cannot be done, or null. */
  close(): string | null;
}

/** Largest journal that is read, bytes. */
const LARGEST = 64 * 1024 * 1024;

/** Opens the journal of an apply; nothing is written before the first create. `now` gives Unix milliseconds. @throws Stop where a link stands in its place */
export function openJournal(folder: string, target: string, now: () => number): OpenJournal {
  const file = journalFile(folder, target);
  const own = join(folder, '.upkeep');
  refuseLinks(own, dirname(file), join(own, 'pending'), file);
  let descriptor: number | null = null;
  const write = (line: object): void => {
    descriptor ??= begun(folder, file);
    // The first break ends a line that a kill or a full disk has torn.
    fs.appendFileSync(descriptor, `\n${JSON.stringify({ at: new Date(now()).toISOString(), ...line })}\n`);
    fs.fsyncSync(descriptor);
  };
  const remove = (): void => {
    if (descriptor !== null) fs.closeSync(descriptor);
    descriptor = null;
    fs.rmSync(file, { force: true });
  };
  return {
    recordIntent: (addresses) => refusalOf(() => write({ intend: addresses }), 'its trace cannot be kept on this disk'),
    recordResult: (addresses) => void refusalOf(() => write({ settle: addresses }), ''),
    close: () => refusalOf(remove, `the trace ${file} cannot be removed`),
  };
}

/** Does something on the disk; where the system refuses it, gives these words with the system's code. */
function refusalOf(act: () => void, words: string): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return `${words} (${codeOf(error)})`;
  }
}

/** What an apply that was killed in this folder was about to create; null where none was. */
export function interruptedCreates(folder: string, target: string): { readonly at: string; readonly addresses: readonly string[] } | null {
  const text = textOf(journalFile(folder, target));
  if (text === null) return null;
  const open = new Set<string>();
  let at = '';
  for (const line of text.split('\n')) {
    const entry = parsed(line);
    at = asString(entry.at) ?? at;
    for (const address of asStringArray(entry.intend) ?? []) open.add(address);
    for (const address of asStringArray(entry.settle) ?? []) open.delete(address);
  }
  return { at, addresses: [...open].sort() };
}

/** Says that an apply to the target was killed in this folder, and what it may have created. */
export function reportInterrupted(io: CliContext, { folder }: OpenProject, target: Target): void {
  const killed = interruptedCreates(folder, target.name);
  if (!killed) return;
  const creating = killed.addresses.length > 0 ? `, while creating ${listed(killed.addresses)}` : '';
  info(io, `an apply in this folder did not come to its end at ${killed.at}${creating}; what it did is recognised, not done again`);
}

function journalFile(folder: string, target: string): string {
  return join(folder, '.upkeep', 'journal', `${target}.jsonl`);
}

/** The text of a journal; null where there is none that can be read to its end. */
function textOf(file: string): string | null {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= LARGEST ? fs.readFileSync(file, 'utf8') : null;
}

function begun(folder: string, file: string): number {
  ensureDotUpkeep(folder);
  fs.mkdirSync(dirname(file), { recursive: true });
  return fs.openSync(file, fs.constants.O_CREAT | fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_NOFOLLOW);
}

/** A line that a kill has torn says nothing. */
function parsed(line: string): { readonly [member: string]: unknown } {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
