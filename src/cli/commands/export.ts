import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ExportTargetOptions, type ExportWriter, exportOneTarget } from '../../app/export-target.ts';
import { CliError, codeOf } from '../../app/run/exit-codes.ts';
import type { TargetOptions } from '../../app/run/options.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { refuseLeavingLinks } from '../../app/run/symlinks.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import { relativePath, schemaModeline } from '../schema-modeline.ts';

/** Flags of `export`. */
export interface ExportOptions extends TargetOptions, ExportTargetOptions {
  readonly dir?: string | undefined;
}

/**
 * Runs `export`: writes the live account as YAML, to stdout or into a folder. The report goes to stderr as text, because stdout may hold the
 * YAML, and to stdout as JSON. In HTML it is the account at a glance, without YAML unless a folder is named.
 */
export function exportCommand(io: AppContext, options: ExportOptions): Promise<ExitCode> {
  const reportIo = options.format === 'text' ? withReportsOnStderr(io) : io;
  return exportOneTarget(reportIo, options, (folder) => writerOf(io, options, folder));
}

function writerOf(io: AppContext, options: ExportOptions, projectFolder: string): ExportWriter | null {
  const { dir, format } = options;
  if (dir !== undefined) return intoFolder(io, dir, projectFolder);
  return format === 'html' ? refuseLayout(options) : toStdout(io, options);
}

/** Refuses the flags that are about files where none is written. @throws CliError */
function refuseLayout({ templates, groupBy }: ExportOptions): null {
  const flag = templates ? '--templates' : groupBy === undefined ? undefined : '--group-by';
  if (flag === undefined) return null;
  throw new CliError(
    EXIT_CODES.invalid,
    'usage',
    `${flag} needs --dir: the account at a glance has no files`,
    'name a new folder with --dir',
  );
}

/** Returns a context whose text reports go to stderr. */
export function withReportsOnStderr(io: AppContext): AppContext {
  return { ...io, stdout: io.stderr, terminal: { ...io.terminal, stdout: io.terminal.stderr } };
}

/** Returns a writer to stdout. @throws CliError where stdout cannot hold the files */
function toStdout({ stdout }: AppContext, { format, groupBy, templates }: ExportOptions): ExportWriter {
  const flag = format === 'json' ? '--format json' : templates ? '--templates' : groupBy === undefined ? undefined : '--group-by';
  if (flag !== undefined)
    throw new CliError(EXIT_CODES.invalid, 'usage', `${flag} needs --dir: stdout holds one file only`, 'name a new folder with --dir');
  return {
    folder: null,
    write: (files) => void stdout.write(files.map((file) => file.text).join('\n')),
    locate: (finding) => finding,
  };
}

/**
 * Returns a writer into a folder, which must be new or empty, so that nothing is overwritten; the folder is checked before any request is
 * sent. `projectFolder` is that of upkeep.yaml. @throws CliError
 */
function intoFolder(io: AppContext, dir: string, projectFolder: string): ExportWriter {
  const folder = resolve(io.cwd, dir);
  refuseLeavingLinks(io.cwd, folder, dir);
  orOutputError(dir, () => {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length > 0)
      throw new CliError(EXIT_CODES.invalid, 'not-empty', `${dir} is not empty`, 'export into a new folder');
  });
  const pathFromProject = relativePath(projectFolder, folder);
  return {
    folder: dir,
    write: (files) =>
      orOutputError(dir, () => {
        for (const { name, text } of files) {
          const path = join(folder, name);
          mkdirSync(dirname(path), { recursive: true });
          const modeline = isYaml(name) ? `${schemaModeline('source', relativePath(dirname(path), projectFolder))}\n` : '';
          writeFileSync(path, modeline + text, { flag: 'wx' });
        }
      }),
    // The modeline is the first line.
    locate: (finding) => ({
      ...finding,
      file: `${pathFromProject}${finding.file}`,
      line: finding.line + (isYaml(finding.file) ? 1 : 0),
    }),
  };
}

function isYaml(name: string): boolean {
  return name.endsWith('.yaml');
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
