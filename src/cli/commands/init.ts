import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { childEnvironment } from '../../app/account/credentials.ts';
import type { ExportTargetOptions } from '../../app/export-target.ts';
import { CliError, codeOf } from '../../app/run/exit-codes.ts';
import type { ReportOptions } from '../../app/run/options.ts';
import { withReports } from '../../app/run/reports.ts';
import { refuseLeavingLinks } from '../../app/run/symlinks.ts';
import { GitError } from '../../core/ledger/errors.ts';
import { openRepository, type Repository } from '../../core/ledger/repository.ts';
import { joinAnd } from '../../core/model/collections.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import { type AnswerFlags, answersOf } from '../init/answers.ts';
import { filesOf, type InitAnswers, ignoredBy, type NewFile, PROJECT_FILE, SAMPLE, SOURCES } from '../init/files.ts';
import { releaseOf } from '../init/release.ts';
import type { CliContext } from '../status-line.ts';
import { exportCommand, withReportsOnStderr } from './export.ts';

/** The credential sources of the new upkeep.yaml, whose variables git does not inherit. */
const CREDENTIALS = { owner: { env: 'UPKEEP_OWNER' }, apiKey: { env: 'UPKEEP_API_KEY' } };

/** Flags of `init`. */
export interface InitOptions extends AnswerFlags, ReportOptions, ExportTargetOptions {}

/**
 * Runs `init [FOLDER]`: writes a commented, valid project. Existing files stay unchanged and are named. With `--format json` stdout holds the
 * report of the export, and these lines go to stderr.
 */
export async function initCommand(io: CliContext, folder: string, options: InitOptions): Promise<ExitCode> {
  const path = resolve(io.cwd, folder);
  const release = releaseOf(io.env);
  const flags = await answersOf(io, options);
  if (!flags.fromLive) refuseExportFlags(options);
  refuseLeavingLinks(io.cwd, path, folder);
  orOutputError(folder, () => mkdirSync(path, { recursive: true }));
  const repository = await repositoryOf(path, io);
  const isTop = repository === null || repository.prefix === '';
  const answers: InitAnswers = { ...flags, ci: isTop ? flags.ci : 'none', release, ledger: repository ? 'git' : 'none' };
  const files = filesOf(answers);
  for (const { name } of files) refuseLeavingLinks(path, dirname(join(path, name)), join(folder, name));
  const out = options.format === 'text' ? io.stdout : io.stderr;
  const hasSources = orOutputError(folder, () => isConfigured(path));
  for (const file of files.filter(({ name }) => name !== SAMPLE || !hasSources))
    out.write(`${orOutputError(folder, () => writeNewFile(path, file, answers.ci))}\n`);
  if (flags.ci !== answers.ci)
    out.write('left     the CI recipe: it counts only at the top of the repository, where `upkeep init` can write it\n');
  if (answers.fromLive) {
    const exit = await exportCommand(io, { ...options, project: path, target: [answers.target], dir: join(folder, SOURCES) });
    if (exit !== EXIT_CODES.done) return exit;
  } else if (options.format === 'json' || options.out.length > 0) {
    const exit = await reportNoExport(io, folder, answers.target, options);
    if (exit !== EXIT_CODES.done) return exit;
  }
  out.write(nextSteps(folder, answers, repository ? await remotesOf(repository) : []));
  return EXIT_CODES.done;
}

/** Decides whether a folder has a configuration already, so that a sample would only be in its way. */
function isConfigured(path: string): boolean {
  const sources = join(path, SOURCES);
  return existsSync(join(path, PROJECT_FILE)) || (existsSync(sources) && readdirSync(sources).length > 0);
}

/** Refuses the flags of an export where none is made. @throws CliError */
function refuseExportFlags({ assets, groupBy, templates }: ExportTargetOptions): void {
  const flag = assets ? '--assets' : templates ? '--templates' : groupBy === undefined ? undefined : '--group-by';
  if (flag !== undefined)
    throw new CliError(EXIT_CODES.invalid, 'usage', `${flag} needs --from-live: otherwise nothing is exported`, 'see `upkeep init --help`');
}

/** Reports that nothing was exported, for the reader of the report of `--from-live`. */
function reportNoExport(io: CliContext, folder: string, target: string, options: InitOptions): Promise<ExitCode> {
  return withReports(options.format === 'text' ? withReportsOnStderr(io) : io, options, async (reports) => {
    const accountExport = {
      schemaVersion: 1,
      target,
      folder: join(folder, SOURCES),
      files: [],
      written: {},
      leftOut: [],
      findings: [],
    } as const;
    reports.add({ type: 'export', accountExport });
    return [EXIT_CODES.done];
  });
}

/** Returns the repository that contains a new project; null if there is none, or no git. */
async function repositoryOf(path: string, io: CliContext): Promise<Repository | null> {
  try {
    return await openRepository(path, childEnvironment(io, { targets: [{ credentials: CREDENTIALS }], notify: [] }));
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}

/** Returns the names of the remotes. @throws GitError */
async function remotesOf(repository: Repository): Promise<readonly string[]> {
  return (await repository.run(['remote'])).toString().split('\n');
}

/** Writes a file unless it exists. Returns a line that reports which. */
function writeNewFile(folder: string, { name, text }: NewFile, ci: InitAnswers['ci']): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return `wrote    ${name}`;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const advice = name === '.gitignore' ? `; it should hold ${joinAnd(ignoredBy(ci))}` : '';
    return `left     ${name}, which is there already${advice}`;
  }
}

/** Runs a disk operation. @throws CliError if it fails */
function orOutputError<Result>(folder: string, operation: () => Result): Result {
  try {
    return operation();
  } catch (error) {
    throw new CliError(EXIT_CODES.error, 'output', `cannot write to ${folder} (${codeOf(error)})`, 'choose another folder');
  }
}

function nextSteps(folder: string, { ledger, fromLive, ci, release }: InitAnswers, remotes: readonly string[]): string {
  const steps = [
    ...(folder === '.' ? [] : [`cd ${folder}`]),
    'export UPKEEP_OWNER=... UPKEEP_API_KEY=...   the user ID, and the API key',
    'upkeep doctor                                checks the setup',
    fromLive
      ? 'upkeep plan                                  is empty, because the files say what the account says'
      : `edit ${SOURCES}/account.yaml, then upkeep plan`,
    'npm install -D --ignore-scripts FILE         the release tarball; gives your editor the schemas that the files name',
    ...(ledger === 'git' && !remotes.includes('origin')
      ? ['git remote add origin ...                    applies are recorded there; without it, set ledger: none']
      : []),
    ...(ci === 'none' || release.tarball !== ''
      ? []
      : ['set UPKEEP_TARBALL and UPKEEP_SHA256         at the top of the CI recipe: the release tarball, which its jobs install']),
    ...(ledger === 'git'
      ? [`git add, commit and push${ci === 'none' ? '' : ' to the main branch: pull requests are planned with its upkeep.yaml'}`]
      : []),
    ...(ledger === 'git' && fromLive
      ? [
          ci === 'none'
            ? 'upkeep apply                                 once ownership is shared; it asks whether it is the first apply'
            : 'override first-apply in CI                   once, in the first apply after ownership is shared',
        ]
      : []),
  ];
  return `\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`;
}
