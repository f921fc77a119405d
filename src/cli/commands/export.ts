import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliError, codeOf, EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { type ExportTargetOptions, exportTarget } from '../../app/export-target.ts';
import { refuseLeavingLinks } from '../../app/links.ts';
import { info } from '../../app/messages.ts';
import type { ProjectOptions } from '../../app/options.ts';
import { oneTarget, openProject } from '../../app/project.ts';
import type { AppContext } from '../../app/runtime.ts';
import type { ExportedFile } from '../../export/export-account.ts';
import { relativePath, schemaModeline } from '../schema-modeline.ts';

/** Flags of `export`. */
export interface ExportOptions extends ProjectOptions, ExportTargetOptions {
  readonly dir?: string | undefined;
}

/** Runs `export`: writes the live account as YAML, to stdout or into a folder. */
export async function exportCommand(io: AppContext, options: ExportOptions): Promise<ExitCode> {
  const session = openProject(io, options);
  const target = oneTarget(session, options.target, 'export writes one account at a time');
  const { dir } = options;
  return exportTarget(session, target, io, options, dir === undefined ? toStdout(io) : intoFolder(io, dir, session.folder));
}

type Writer = (files: readonly ExportedFile[]) => void;

function toStdout({ stdout }: AppContext): Writer {
  return (files) => void stdout.write(files.map((file) => file.text).join('\n'));
}

/**
 * Returns a writer into a folder, which must be new or empty, so that nothing is overwritten; the folder is checked before any request is
 * sent. `projectFolder` is that of upkeep.yaml. @throws CliError
 */
function intoFolder(io: AppContext, dir: string, projectFolder: string): Writer {
  const folder = resolve(io.cwd, dir);
  refuseLeavingLinks(io.cwd, folder, dir);
  orOutputError(dir, () => {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length > 0)
      throw new CliError(EXIT_CODES.invalid, 'not-empty', `${dir} is not empty`, 'export into a new folder');
  });
  const modeline = schemaModeline('source', relativePath(folder, projectFolder));
  return (files) => {
    orOutputError(dir, () => {
      for (const { name, text } of files) writeFileSync(join(folder, name), `${modeline}\n${text}`, { flag: 'wx' });
    });
    info(io, `wrote ${files.map((file) => file.name).join(', ')} to ${dir}`);
  };
}

/** Runs a disk operation. @throws CliError if it fails */
function orOutputError(dir: string, operation: () => void): void {
  try {
    operation();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT_CODES.error, 'output', `cannot write to ${dir} (${codeOf(error)})`, 'choose another folder for --dir');
  }
}
