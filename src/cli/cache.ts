/**
 * What source files were read as and what targets declare, kept from run to run: `.upkeep/cache/<SHA-256 of what it was made of>`. A line
 * names this version, and the digest of what follows, together with the folder that they were written into: entries
 * that came with a checkout count for nothing.
 */
import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { LineStore, Store } from '../engine/desired/parse.ts';
import { isMadeBare, type Json } from '../model/json.ts';
import { isSystemError } from './exit.ts';
import { beside } from './own-folder.ts';

/** How much the folder may hold. */
interface Bounds {
  readonly entries: number;
  readonly bytes: number;
}

const BOUNDS: Bounds = { entries: 20_000, bytes: 512 * 1024 * 1024 };

/** What is kept as values, and what as lines of text. */
export interface Cache {
  readonly documents: Store;
  readonly lines: LineStore;
}

/** The cache beside a project. Whatever is wrong with it makes a run slower, and nothing else: it never fails, and follows no link. */
export function openCache(folder: string, version: string, bounds = BOUNDS): Cache {
  const own = join(folder, '.upkeep');
  const at = join(own, 'cache');
  const isUsable = unlessFaulty(() => [own, at].every(isNoLink)) === true;
  let room: Room | undefined;
  const get = <T>(digest: string, read: (text: string) => T): T | undefined => {
    const text = isUsable ? unlessFaulty(() => entryIn(at, digest, version)) : undefined;
    return text === undefined ? undefined : unlessFaulty(() => read(text));
  };
  const keep = (digest: string, written: () => string): void => {
    if (!isUsable) return;
    unlessFaulty(() => {
      room ??= madeRoom(folder, at, bounds);
      write(at, digest, version, Buffer.from(written()), room);
    });
  };
  return {
    documents: {
      get: (digest) => get(digest, documentsIn),
      keep: (digest, documents) => keep(digest, () => JSON.stringify(documents)),
    },
    lines: {
      get: (digest) => get(digest, (text) => text.split('\n')),
      keep: (digest, lines) => keep(digest, () => lines.join('\n')),
    },
  };
}

/** The values of a text; undefined where it is no list of such as a source may hold. */
function documentsIn(text: string): readonly Json[] | undefined {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) && value.every((document) => isMadeBare(document)) ? value : undefined;
}

function isNoLink(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
}

/** What may still be written. */
type Room = { -readonly [Bound in keyof Bounds]: Bounds[Bound] };

/** The text of an entry; undefined where there is none, or none that this version wrote, or one that is not as it was written. */
function entryIn(at: string, digest: string, version: string): string | undefined {
  const written = bytesOf(join(at, digest));
  const end = written?.indexOf('\n') ?? -1;
  if (written === undefined || end < 0) return undefined;
  const bytes = written.subarray(end + 1);
  return written.toString('utf8', 0, end) === head(at, version, bytes) ? bytes.toString() : undefined;
}

/** What stands before an entry: its seal is over when and where the folder was made too, which nobody knows who plants an entry in a repository. */
function head(at: string, version: string, bytes: Uint8Array): string {
  const { dev, ino, birthtimeNs } = fs.statSync(at, { bigint: true });
  return `upkeep ${version} ${createHash('sha256').update(`${dev} ${ino} ${birthtimeNs}\n`).update(bytes).digest('hex')}`;
}

/** The bytes of a regular file that is no link; opening never waits, as a pipe would make it. */
function bytesOf(file: string): Buffer | undefined {
  const descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  try {
    const stat = fs.fstatSync(descriptor);
    return stat.isFile() && stat.size <= BOUNDS.bytes ? fs.readFileSync(descriptor) : undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Writes an entry whole or not at all. */
function write(at: string, digest: string, version: string, bytes: Uint8Array, room: Room): void {
  room.entries -= 1;
  room.bytes -= bytes.length;
  if (room.entries < 0 || room.bytes < 0) return;
  const draft = join(at, `${randomUUID()}.new`);
  const descriptor = fs.openSync(draft, 'wx');
  try {
    fs.writeFileSync(descriptor, `${head(at, version, bytes)}\n`);
    fs.writeFileSync(descriptor, bytes);
  } finally {
    fs.closeSync(descriptor);
  }
  fs.renameSync(draft, join(at, digest));
}

/** Makes the folder, and room for a quarter of what it may hold: what was written first goes first. */
function madeRoom(folder: string, at: string, bounds: Bounds): Room {
  beside(folder);
  fs.mkdirSync(at, { recursive: true });
  const files = fs.readdirSync(at).map((name) => ({ path: join(at, name), stat: fs.lstatSync(join(at, name)) }));
  const room = { entries: bounds.entries - files.length, bytes: bounds.bytes - files.reduce((sum, { stat }) => sum + stat.size, 0) };
  files.sort((a, b) => a.stat.mtimeMs - b.stat.mtimeMs);
  for (const { path, stat } of files) {
    if (room.entries >= bounds.entries / 4 && room.bytes >= bounds.bytes / 4) break;
    fs.rmSync(path, { force: true, recursive: true });
    room.entries += 1;
    room.bytes += stat.size;
  }
  return room;
}

/** The cache is only ever a help: where the file system refuses, or what is there is not JSON, or longer than a text may be, nothing is known. */
function unlessFaulty<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isSystemError(error) || error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
