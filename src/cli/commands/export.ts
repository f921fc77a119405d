import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { credentialsOf } from '../../app/credentials.ts';
import { CliError, codeOf, EXIT_CODES, type ExitCode, highestPrecedence } from '../../app/exit-codes.ts';
import type { NoiseOptions, ProjectOptions } from '../../app/options.ts';
import { info, warn } from '../../app/output.ts';
import { type ApiConnection, reportReadErrors, withApiClient } from '../../app/plan-target.ts';
import { chosenTargets, type OpenProject, openProject } from '../../app/project.ts';
import type { CliContext } from '../../app/runtime.ts';
import { loadDesiredState } from '../../config/load-desired-state.ts';
import type { Target } from '../../config/project.ts';
import { memoryTree } from '../../config/project-files.ts';
import { type ExportedFile, exportAccount } from '../../export/export-account.ts';
import { exportAssetAliases } from '../../export/export-asset-aliases.ts';
import { kinds } from '../../kinds/index.ts';
import { ApiError, type LiveResource } from '../../kinds/kind.ts';
import { readKind } from '../../plan/refresh.ts';
import { relativePath, schemaModeline } from '../schema-modeline.ts';

/** Flags of `export`. */
export interface ExportOptions extends ProjectOptions, NoiseOptions {
  readonly dir?: string | undefined;
  /** Whether a catalogue of the assets is written too. */
  readonly assets?: true | undefined;
}

/** Runs `export`: writes the live account as YAML, to stdout or into a folder. */
export async function exportCommand(io: CliContext, options: ExportOptions): Promise<ExitCode> {
  const session = openProject(io, options);
  const [target, other] = chosenTargets(session, options.target);
  if (!target || other)
    throw new CliError(EXIT_CODES.invalid, 'one-target', 'export writes one account at a time', 'name one target with --target');
  const { dir } = options;
  const write = dir === undefined ? toStdout(io) : intoFolder(io, dir, session.folder);
  const credentials = await credentialsOf(target, session, io);
  return withApiClient(target, credentials, io, options, (account) =>
    exportTarget(session, target, account, io, { write, named: options.assets === true }),
  );
}

async function exportTarget(
  session: OpenProject,
  target: Target,
  account: ApiConnection,
  io: CliContext,
  { write, named }: Output,
): Promise<ExitCode> {
  const seen = await Promise.all(kinds.map(async (kind) => ({ kind, ...(await readKind<LiveResource>(kind, account.service, io.now)) })));
  account.status.clear();
  const errors = seen.flatMap((each) => each.error ?? []);
  if (errors.length > 0) return highestPrecedence(reportReadErrors(io, errors));
  const read = (files: readonly ExportedFile[]) => {
    const sources = files.map((file) => file.name);
    return loadDesiredState(memoryTree(files), session.project, { ...target, sources, vars: {} }, kinds);
  };
  const files = exportAccount(seen, read, io.now());
  try {
    const catalogues = named ? await exportAssetAliases(files, kinds, read, account.service, target.service.referenceApi) : [];
    account.status.clear();
    write([...files, ...catalogues]);
    warnOfSecrets(io, [...files, ...catalogues]);
    return EXIT_CODES.done;
  } catch (fault) {
    if (!(fault instanceof ApiError)) throw fault;
    return highestPrecedence(reportReadErrors(io, [fault]));
  }
}

/** Where the files go, and whether names for references are among them. */
interface Output {
  readonly write: Writer;
  readonly named: boolean;
}

/** An export is the account as it is: what would be masked in a report is only pointed at. */
function warnOfSecrets(io: CliContext, files: readonly ExportedFile[]): void {
  const leaking = files.filter(({ text }) => io.secrets.hidden(text) !== text).map(({ name }) => name);
  if (leaking.length > 0) {
    warn(io, `a text of the account repeats its owner or its API key: ${leaking.join(', ')}`, 'look at it before you commit it');
  }
}

type Writer = (files: readonly ExportedFile[]) => void;

function toStdout(io: CliContext): Writer {
  return (files) => void io.stdout.write(files.map((file) => file.text).join('\n'));
}

/**
 * Writes into a folder that is new or empty, so that nothing is overwritten; it is looked at before the account is. `project` is the
 * folder of upkeep.yaml. @throws CliError
 */
function intoFolder(io: CliContext, dir: string, project: string): Writer {
  const folder = resolve(io.cwd, dir);
  attempt(dir, () => {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length > 0)
      throw new CliError(EXIT_CODES.invalid, 'not-empty', `${dir} is not empty`, 'export into a new folder');
  });
  const head = schemaModeline('source', relativePath(folder, project));
  return (files) => {
    attempt(dir, () => {
      for (const { name, text } of files) writeFileSync(join(folder, name), `${head}\n${text}`, { flag: 'wx' });
    });
    info(io, `wrote ${files.map((file) => file.name).join(', ')} to ${dir}`);
  };
}

function attempt(dir: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT_CODES.error, 'output', `cannot write to ${dir} (${codeOf(error)})`, 'choose another folder for --dir');
  }
}
