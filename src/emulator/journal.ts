/**
 * Keeps the store on disk: a snapshot (FILE, replaced atomically) and the writes since then (FILE.journal, one line per transaction).
 * No response is sent before its write is on disk. An incomplete last line after a crash belongs to no response, and is dropped.
 */
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { isObject } from '../core/model/json.ts';
import { type DocumentWrite, parseWrite } from './edits.ts';

/** The files of the store. */
export interface StoreJournal {
  /** Writes one transaction. It survives the end of this process, but not yet a power cut. @throws Error if the write fails */
  append(writes: readonly DocumentWrite[]): void;
  /** Resolves when all transactions so far are on disk. Once that fails, it rejects every time. */
  durable(): Promise<void>;
  /** Takes a snapshot if the journal is long. Must be called after the last transaction was applied to memory. */
  compactIfLong(): void;
  close(): void;
}

/** The memory that the journal restores and takes snapshots of. */
export interface JournaledMemory {
  apply(write: DocumentWrite): void;
  all(): Iterable<DocumentWrite>;
}

/** Minimum number of journal lines before a snapshot. A larger state needs more, so that the cost of snapshots stays in proportion. */
const MIN_LINES = 1000;

const fdatasync = promisify(fs.fdatasync);

/** Opens the data file and restores memory from it. @throws Error if the emulator did not write the file, or it is damaged */
export function openStoreJournal(file: string, memory: JournaledMemory): StoreJournal {
  let number = restore(file, memory);
  let size = snapshot();
  const descriptor = fs.openSync(`${file}.journal`, 'w', 0o600);
  let lines = 0;
  let end = 0;
  /** Number of the last transaction that is known to be on disk. */
  let durableNumber = number;
  let running = Promise.resolve();
  let next: Promise<void> | null = null;

  /** Writes a snapshot and returns the number of its documents. */
  function snapshot(): number {
    const writes = [...memory.all()];
    replaceFile(file, `${JSON.stringify({ number, writes })}\n`);
    return writes.length;
  }

  /** Writes a snapshot, then empties the journal. A crash between the two is harmless, because old lines are skipped by number. */
  function compact(): void {
    size = snapshot();
    durableNumber = number;
    fs.ftruncateSync(descriptor, 0);
    lines = 0;
    end = 0;
  }

  async function flush(): Promise<void> {
    next = null;
    const flushed = number;
    await fdatasync(descriptor);
    durableNumber = Math.max(durableNumber, flushed);
  }

  return {
    append(writes) {
      const line = Buffer.from(`${JSON.stringify({ number: number + 1, writes })}\n`);
      writeAt(descriptor, line, end);
      end += line.length;
      number += 1;
      lines += 1;
    },
    durable() {
      if (durableNumber === number) return Promise.resolve();
      // A running flush may have begun before the last line was written, so all callers meanwhile share the next one.
      next ??= running.then(flush);
      running = next;
      return next;
    },
    compactIfLong() {
      if (lines >= Math.max(MIN_LINES, size)) compact();
    },
    close() {
      compact();
      const closeFile = (): void => fs.closeSync(descriptor);
      void running.then(closeFile, closeFile);
    },
  };
}

/** Writes all bytes at the position. If that fails, the file is truncated to the position. @throws the error of the write */
function writeAt(descriptor: number, bytes: Buffer, position: number): void {
  try {
    for (let written = 0; written < bytes.length; )
      written += fs.writeSync(descriptor, bytes, written, bytes.length - written, position + written);
  } catch (error) {
    fs.ftruncateSync(descriptor, position);
    throw error;
  }
}

/** Restores memory from snapshot and journal, and returns the number of the last transaction. */
function restore(file: string, memory: JournaledMemory): number {
  const snapshot = fs.existsSync(file) ? readTransaction(fs.readFileSync(file, 'utf8'), file) : { number: 0, writes: [] };
  for (const write of snapshot.writes) memory.apply(write);
  let number = snapshot.number;
  for (const [index, line] of journalLines(`${file}.journal`).entries()) {
    const transaction = readTransaction(line, `${file}.journal, line ${index + 1}`);
    if (transaction.number <= number) continue;
    for (const write of transaction.writes) memory.apply(write);
    number = transaction.number;
  }
  return number;
}

/** Returns the complete lines of the journal; text after the last line break is incomplete. */
function journalLines(file: string): string[] {
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

function readTransaction(text: string, location: string): { readonly number: number; readonly writes: readonly DocumentWrite[] } {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value.number !== 'number' || !Array.isArray(value.writes))
      throw new Error('not written by the emulator');
    return { number: value.number, writes: value.writes.map(parseWrite) };
  } catch (cause) {
    throw new Error(`the data file cannot be used: ${location}`, { cause });
  }
}

/** Replaces a file atomically: a crash leaves the old or the new text. When it returns, the new text is on disk. */
function replaceFile(file: string, text: string): void {
  const temporary = `${file}.new`;
  withSync(temporary, 'w', (descriptor) => fs.writeFileSync(descriptor, text));
  fs.renameSync(temporary, file);
  // The folder entry must be on disk before the journal is emptied.
  withSync(dirname(file), 'r', () => undefined);
}

function withSync(path: string, flags: 'r' | 'w', work: (descriptor: number) => void): void {
  const descriptor = fs.openSync(path, flags, 0o600);
  try {
    work(descriptor);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
