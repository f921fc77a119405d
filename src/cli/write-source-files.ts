/** Writes edited source files: all or none, each atomically, and none that has changed since it was read. */
import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CliError, codeOf, EXIT_CODES, isSystemError } from '../app/exit-codes.ts';
import type { FileEdit } from '../drift/accept/verify-edits.ts';

/**
 * Writes the edits below `folder`, the path of upkeep.yaml's folder without links. @throws CliError if a file has changed since it was
 * read, or cannot be written
 */
export async function writeSourceFiles(folder: string, edits: readonly FileEdit[]): Promise<void> {
  const drafts: { readonly draft: string; readonly path: string }[] = [];
  try {
    for (const { file, before, after } of edits) {
      const path = join(folder, file);
      const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.new`);
      drafts.push({ draft, path });
      await writeFile(draft, after, { flag: 'wx', mode: modeOf(path, file, before) });
    }
    for (const { file, before } of edits) modeOf(join(folder, file), file, before);
    for (const { draft, path } of drafts) await rename(draft, path);
  } catch (error) {
    for (const { draft } of drafts) await rm(draft, { force: true });
    if (!isSystemError(error)) throw error;
    throw new CliError(
      EXIT_CODES.error,
      'output',
      `the sources cannot be written (${codeOf(error)})`,
      'check permissions and disk; compare with git diff',
    );
  }
}

/** Returns the permissions of a file. @throws CliError if its content is no longer `before` */
function modeOf(path: string, file: string, before: Uint8Array): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() && readFileSync(path).equals(before)) return stat.mode & 0o777;
  throw new CliError(
    EXIT_CODES.stale,
    'source-moved',
    `${file} has changed since it was read, and nothing was written`,
    'run the command again',
  );
}
