/** The trace that creates leave on disk while an apply runs (a killed run is known by it): `.upkeep/journal/<target>.jsonl`. */
import { appendFileSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Journal } from '../engine/applying/application.ts';
import type { Target } from '../engine/desired/configuration.ts';
import { isObject } from '../model/json.ts';
import { asText, asTexts } from '../model/read.ts';
import type { Io } from './io.ts';
import { listed, remark } from './output.ts';
import type { Session } from './session.ts';

/** The journal of one apply. */
export interface OpenJournal extends Journal {
  /** Removes the trace: the apply has come to its end. */
  close(): void;
}

/** Largest journal that is read, bytes. */
const LARGEST = 64 * 1024 * 1024;

/** Opens the journal of an apply; nothing is written before the first create. `now` gives Unix milliseconds. */
export function openJournal(folder: string, target: string, now: () => number): OpenJournal {
  const file = journalFile(folder, target);
  let descriptor: number | null = null;
  const write = (line: object): void => {
    descriptor ??= begun(folder, file);
    appendFileSync(descriptor, `${JSON.stringify({ at: new Date(now()).toISOString(), ...line })}\n`);
    fsyncSync(descriptor);
  };
  return {
    intend: (addresses) => write({ intend: addresses }),
    settle: (addresses) => write({ settle: addresses }),
    close: () => rmSync(file, { force: true }),
  };
}

/** What an apply that was killed in this folder was about to create; null where none was. */
export function interruptedCreates(folder: string, target: string): { readonly at: string; readonly addresses: readonly string[] } | null {
  const file = journalFile(folder, target);
  if (!existsSync(file)) return null;
  const open = new Set<string>();
  let at = '';
  for (const line of readFileSync(file, 'utf8').slice(0, LARGEST).split('\n')) {
    const entry = parsed(line);
    at = asText(entry.at) ?? at;
    for (const address of asTexts(entry.intend) ?? []) open.add(address);
    for (const address of asTexts(entry.settle) ?? []) open.delete(address);
  }
  return { at, addresses: [...open].sort() };
}

/** Says that an apply to the target was killed in this folder, and what it may have created. */
export function reportInterrupted(io: Io, { folder }: Session, target: Target): void {
  const killed = interruptedCreates(folder, target.name);
  if (!killed) return;
  const creating = killed.addresses.length > 0 ? `, while creating ${listed(killed.addresses)}` : '';
  remark(io, `an apply in this folder did not come to its end at ${killed.at}${creating}; what it did is recognised, not done again`);
}

function journalFile(folder: string, target: string): string {
  return join(folder, '.upkeep', 'journal', `${target}.jsonl`);
}

function begun(folder: string, file: string): number {
  beside(folder);
  mkdirSync(dirname(file), { recursive: true });
  return openSync(file, 'a');
}

/** Makes the folder of what upkeep keeps beside a project, which is nobody's to commit. */
export function beside(folder: string): void {
  const own = join(folder, '.upkeep');
  mkdirSync(own, { recursive: true });
  const ignore = join(own, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
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
