/**
 * The store on disk: a snapshot (FILE, replaced atomically) and the writes since then (FILE.journal, one line a transaction).
 * A line is on disk before its answer leaves; a last line that a crash tore was never answered, and is dropped.
 */
import * as fs from 'node:fs';
import { isObject } from '../model/json.ts';
import type { Write } from './write.ts';
import { readWrite } from './write.ts';

/** The disk's side of the store. */
export interface Journal {
  /** Writes one transaction and waits for the disk. */
  append(writes: readonly Write[]): void;
  /** Takes a snapshot when the journal has grown long; to be called when memory holds what was appended. */
  settle(): void;
  close(): void;
}

/** What the journal restores into and takes snapshots of. */
export interface Memory {
  apply(write: Write): void;
  all(): Iterable<Write>;
}

/** Lines after which a snapshot is due, at least; more where the state is larger, so that its cost stays in proportion. */
const fewestLines = 1000;

/** Opens the data file and restores memory from it. @throws Error where the file is not ours or is damaged */
export function openJournal(file: string, memory: Memory): Journal {
  let number = restore(file, memory);
  let { descriptor, size } = renew();
  let lines = 0;
  let end = 0;

  /** A snapshot of memory, and an empty journal after it. A crash between the two is harmless: the numbers of the old lines are known. */
  function renew() {
    const writes = [...memory.all()];
    replaceFile(file, `${JSON.stringify({ number, writes })}\n`);
    return { descriptor: fs.openSync(`${file}.journal`, 'w', 0o600), size: writes.length };
  }

  return {
    append(writes) {
      const line = Buffer.from(`${JSON.stringify({ number: number + 1, writes })}\n`);
      writeAt(descriptor, line, end);
      end += line.length;
      number += 1;
      lines += 1;
    },
    settle() {
      if (lines < Math.max(fewestLines, size)) return;
      fs.closeSync(descriptor);
      ({ descriptor, size } = renew());
      lines = 0;
      end = 0;
    },
    close() {
      fs.closeSync(descriptor);
      fs.closeSync(renew().descriptor);
    },
  };
}

/** Writes all bytes at the position and waits for the disk; what could not be written leaves nothing behind. */
function writeAt(descriptor: number, bytes: Buffer, position: number): void {
  try {
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(descriptor, bytes, done, bytes.length - done, position + done);
    fs.fdatasyncSync(descriptor);
  } catch (error) {
    fs.ftruncateSync(descriptor, position);
    throw error;
  }
}

/** Puts snapshot and journal into memory and gives the number of the last transaction. */
function restore(file: string, memory: Memory): number {
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

/** The complete lines of the journal; what follows the last line break was torn. */
function journalLines(file: string): string[] {
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

function readTransaction(text: string, where: string): { readonly number: number; readonly writes: readonly Write[] } {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value.number !== 'number' || !Array.isArray(value.writes))
      throw new Error('not written by the emulator');
    return { number: value.number, writes: value.writes.map(readWrite) };
  } catch (cause) {
    throw new Error(`the data file cannot be used: ${where}`, { cause });
  }
}

/** Replaces a file so that a crash leaves the old or the new text, never a part. */
function replaceFile(file: string, text: string): void {
  const temporary = `${file}.new`;
  const descriptor = fs.openSync(temporary, 'w', 0o600);
  try {
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
  fs.renameSync(temporary, file);
}
