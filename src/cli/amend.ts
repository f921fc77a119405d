/** Writes amended source files: all of them or none, each whole, and none that has moved under the amendment. */
import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Amendment } from '../engine/accepting/proof.ts';
import { codeOf, EXIT, isSystemError, Stop } from './exit.ts';

/** `folder` is that of upkeep.yaml, behind all links. @throws Stop where a file is another one than was read, or cannot be written */
export async function writeAmended(folder: string, amendments: readonly Amendment[]): Promise<void> {
  const drafts: { readonly draft: string; readonly path: string }[] = [];
  try {
    for (const { file, before, after } of amendments) {
      const path = join(folder, file);
      const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.new`);
      drafts.push({ draft, path });
      await writeFile(draft, after, { flag: 'wx', mode: modeOf(path, file, before) });
    }
    for (const { file, before } of amendments) modeOf(join(folder, file), file, before);
    for (const { draft, path } of drafts) await rename(draft, path);
  } catch (error) {
    for (const { draft } of drafts) await rm(draft, { force: true });
    if (!isSystemError(error)) throw error;
    throw new Stop(
      EXIT.error,
      'output',
      `the sources cannot be written (${codeOf(error)})`,
      'check permissions and disk; see what git diff says',
    );
  }
}

/** The permissions of the file that was read. @throws Stop where it is another one by now */
function modeOf(path: string, file: string, before: Uint8Array): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() && readFileSync(path).equals(before)) return stat.mode & 0o777;
  throw new Stop(
    EXIT.stale,
    'source-moved',
    `${file} has changed while it was looked at, and nothing was written`,
    'run the command again',
  );
}
