/**
 * The store on disk: a snapshot (FILE, replaced atomically) and the writes since then (FILE.journal, one line a transaction).
 * No answer leaves before the disk has what it tells of; a last line that a crash tore was never answered, and is dropped.
 */
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { isObject } from '../model/json.ts';
import type { DocumentWrite } from './edits.ts';
import { parseWrite } from './edits.ts';

/** The disk's side of the store. */
export interface StoreJournal {
  /** Writes one transaction, which outlives this process but not yet a power cut. @throws Error where the disk does not take it */
  append(writes: readonly DocumentWrite[]): void;
  /** Resolves when the disk has all that was appended so far; rejects, from then on always, when it fails to say so. */
  durable(): Promise<void>;
  /** Takes a snapshot when the journal has grown long; to be called when memory holds what was appended. */
  settle(): void;
  close(): void;
}

/** What the journal restores into and takes snapshots of. */
export interface Memory {
  apply(write: DocumentWrite): void;
  all(): Iterable<DocumentWrite>;
}

/** Lines after which a snapshot is due, at least; more where the state is larger, so that its cost stays in proportion. */
const fewestLines = 1000;

const fdatasync = promisify(fs.fdatasync);

/** Opens the data file and restores memory from it. @throws Error where the file is not ours or is damaged */
export function openStoreJournal(file: string, memory: Memory): StoreJournal {
  let number = restore(file, memory);
  let size = snapshot();
  const descriptor = fs.openSync(`${file}.journal`, 'w', 0o600);
  let lines = 0;
  let end = 0;
  /** Number of the last transaction that the disk surely has. */
  let safe = number;
  let underWay = Promise.resolve();
  let next: Promise<void> | null = null;

  /** Gives the number of documents in it. */
  function snapshot(): number {
    const writes = [...memory.all()];
    replaceFile(file, `${JSON.stringify({ number, writes })}\n`);
    return writes.length;
  }

  /** A snapshot, and an empty journal after it. A crash between the two is harmless: the numbers of the old lines are known. */
  function renew(): void {
    size = snapshot();
    safe = number;
    fs.ftruncateSync(descriptor, 0);
    lines = 0;
    end = 0;
  }

  async function flush(): Promise<void> {
    next = null;
    const reached = number;
    await fdatasync(descriptor);
    safe = Math.max(safe, reached);
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
      if (safe === number) return Promise.resolve();
      // A flush that is under way may have begun before the last line: all who come meanwhile share the one after it.
      next ??= underWay.then(flush);
      underWay = next;
      return next;
    },
    settle() {
      if (lines >= Math.max(fewestLines, size)) renew();
    },
    close() {
      renew();
      const shut = (): void => fs.closeSync(descriptor);
      void underWay.then(shut, shut);
    },
  };
}

/** Writes all bytes at the position; what could not be written leaves nothing behind. */
function writeAt(descriptor: number, bytes: Buffer, position: number): void {
  try {
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(descriptor, bytes, done, bytes.length - done, position + done);
  } catch (error) {
    fs.ftruncateSync(descriptor, position);
    throw error;
  }
}

/** Puts snapshot and journal into memory and gives the number of the last transaction. */
function restore(file: string, memory: Memory): number {
  const kept = fs.existsSync(file) ? readTransaction(fs.readFileSync(file, 'utf8'), file) : { number: 0, writes: [] };
  for (const write of kept.writes) memory.apply(write);
  let number = kept.number;
  for (const [index, line] of journalLines(`${file}.journal`).entries()) {
    const transaction = readTransaction(line, `${file}.journal, line ${index + 1}`);
    if (transaction.number <= number) continue;
    for (const write of transaction.writes) memory.apply(write);
    number = transaction.number;
  }
  return number;
}

/** The complete lines of the journal; what follows the last line break was torn. */
function journalLines(file: string): string[] {
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

function readTransaction(text: string, where: string): { readonly number: number; readonly writes: readonly DocumentWrite[] } {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value.number !== 'number' || !Array.isArray(value.writes))
      throw new Error('not written by the emulator');
    return { number: value.number, writes: value.writes.map(parseWrite) };
  } catch (cause) {
    throw new Error(`the data file cannot be used: ${where}`, { cause });
  }
}

/** Replaces a file so that a crash leaves the old or the new text, never a part; on return the disk has the new one. */
function replaceFile(file: string, text: string): void {
  const temporary = `${file}.new`;
  synced(temporary, 'w', (descriptor) => fs.writeFileSync(descriptor, text));
  fs.renameSync(temporary, file);
  // The new name is an entry of the folder, which the disk must have before the old lines of the journal go.
  synced(dirname(file), 'r', () => undefined);
}

function synced(path: string, flags: 'r' | 'w', work: (descriptor: number) => void): void {
  const descriptor = fs.openSync(path, flags, 0o600);
  try {
    work(descriptor);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
