/** The folder `.upkeep` for local files of upkeep, beside upkeep.yaml. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError, codeOf, EXIT_CODES } from './exit-codes.ts';

/** Maximum size of a local file that is read, bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Creates the folder, with a .gitignore that excludes all of it. */
export function ensureDotUpkeep(folder: string): void {
  const dotUpkeep = join(folder, '.upkeep');
  fs.mkdirSync(dotUpkeep, { recursive: true });
  try {
    fs.writeFileSync(join(dotUpkeep, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Refuses symbolic links among these paths: `.upkeep` is never committed, and a committed link could redirect writes anywhere. @throws
 * CliError
 */
export function refuseLinks(...paths: readonly string[]): void {
  for (const path of paths) {
    if (fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new CliError(
        EXIT_CODES.error,
        'own-folder',
        `${path} is a link, and is not followed`,
        'remove it: upkeep makes what it needs itself',
      );
  }
}

/** Reads a file of `.upkeep`; null if there is none or it is too large. `names` are its path. @throws CliError if a link is on the path */
export function readLocalFile(folder: string, names: readonly string[]): string | null {
  const file = localFile(folder, names);
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= MAX_BYTES ? fs.readFileSync(file, 'utf8') : null;
}

/** Writes a file of `.upkeep` atomically. @throws CliError if a link is on the path, or a file system error */
export function writeLocalFile(folder: string, names: readonly string[], text: string): void {
  const file = localFile(folder, names);
  ensureDotUpkeep(folder);
  fs.mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}.new`;
  fs.writeFileSync(draft, text, { flag: 'wx' });
  fs.renameSync(draft, file);
}

function localFile(folder: string, names: readonly string[]): string {
  const file = join(folder, '.upkeep', ...names);
  refuseLinks(join(folder, '.upkeep'), dirname(file), file);
  return file;
}
