/** Writes amended source files: all of them or none, each whole, and none that has moved under the amendment. */
import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CliError, codeOf, EXIT_CODES, isSystemError } from '../app/exit-codes.ts';
import type { FileEdit } from '../drift/accept/verify-edits.ts';

/** `folder` is that of upkeep.yaml, behind all links. @throws Stop where a file is another one than was read, or cannot be written */
export async function writeSourceFiles(folder: string, amendments: readonly FileEdit[]): Promise<void> {
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
    throw new CliError(
      EXIT_CODES.error,
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
  throw new CliError(
    EXIT_CODES.stale,
    'source-moved',
    `${file} has changed while it was looked at, and nothing was written`,
    'run the command again',
  );
}
