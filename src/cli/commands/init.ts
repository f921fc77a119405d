import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { childEnvironment } from '../../app/child-environment.ts';
import { CliError, codeOf, EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import type { NoiseOptions } from '../../app/options.ts';
import type { CliContext } from '../../app/runtime.ts';
import { VERSION } from '../../app/version.ts';
import { GitError } from '../../ledger/errors.ts';
import { openRepository, type Repository } from '../../ledger/repository.ts';
import { type Answers, answersOf } from '../init/answers.ts';
import { filesOf, IGNORED, type InitAnswers, SOURCES } from '../init/files.ts';
import type { NewFile } from '../init/recipes.ts';
import { exportCommand } from './export.ts';

/** Where the new upkeep.yaml looks for credentials, which git is not to inherit. */
const CREDENTIALS = { owner: { env: 'UPKEEP_OWNER' }, apiKey: { env: 'UPKEEP_API_KEY' } };

/** Flags of `init`. */
export interface InitOptions extends Answers, NoiseOptions {}

/** `init [FOLDER]`: a commented project to start from, valid as it is. What is there already is left as it is, and named. */
export async function init(io: CliContext, folder: string, options: InitOptions): Promise<ExitCode> {
  const place = resolve(io.cwd, folder);
  const answers = await answersOf(io, options);
  attempt(folder, () => mkdirSync(place, { recursive: true }));
  const repository = await repositoryOf(place, io);
  const beginning: InitAnswers = { ...answers, ledger: repository ? 'git' : 'none' };
  const isTop = repository === null || repository.prefix === '';
  for (const file of filesOf(isTop ? beginning : { ...beginning, ci: 'none' }))
    io.stdout.write(`${attempt(folder, () => put(place, file))}\n`);
  if (!isTop && beginning.ci !== 'none')
    io.stdout.write('left     the CI recipe: it counts only at the top of the repository, where `upkeep init` can write it\n');
  if (beginning.fromLive) {
    const exit = await exportCommand(io, {
      ...options,
      project: place,
      target: [beginning.target],
      dir: join(place, SOURCES),
    });
    if (exit !== EXIT_CODES.done) return exit;
  }
  io.stdout.write(nextSteps(folder, beginning, repository ? await remotesOf(repository) : []));
  return EXIT_CODES.done;
}

/** The repository around a new project; null where there is none, or no git. */
async function repositoryOf(place: string, io: CliContext): Promise<Repository | null> {
  try {
    return await openRepository(place, childEnvironment(io, [{ credentials: CREDENTIALS }]));
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}

/** The names of the remotes. @throws GitError */
async function remotesOf(repository: Repository): Promise<readonly string[]> {
  return (await repository.run(['remote'])).toString().split('\n');
}

/** Writes a file unless something stands in its place, and says which. */
function put(place: string, { name, text }: NewFile): string {
  mkdirSync(dirname(join(place, name)), { recursive: true });
  try {
    writeFileSync(join(place, name), text, { flag: 'wx' });
    return `wrote    ${name}`;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const more = name === '.gitignore' ? `; it should hold ${IGNORED.join(' and ')}` : '';
    return `left     ${name}, which is there already${more}`;
  }
}

function attempt<Result>(folder: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new CliError(EXIT_CODES.error, 'output', `cannot write to ${folder} (${codeOf(error)})`, 'choose another folder');
  }
}

function nextSteps(folder: string, { ledger, fromLive, ci }: InitAnswers, remotes: readonly string[]): string {
  const steps = [
    ...(folder === '.' ? [] : [`cd ${folder}`]),
    'export UPKEEP_OWNER=... UPKEEP_API_KEY=...   the user ID, and the API key',
    'upkeep doctor                                looks whether all of it is right',
    fromLive
      ? 'upkeep plan                                  is empty, because the files say what the account says'
      : `edit ${SOURCES}/account.yaml, then upkeep plan`,
    `npm install --save-dev upkeep@${VERSION}${' '.repeat(Math.max(1, 16 - VERSION.length))}gives your editor the schemas that the files name`,
    ...(ledger === 'git' && !remotes.includes('origin')
      ? ['git remote add origin ...                    applies are recorded there; without it, set ledger: none']
      : []),
    ...(ledger === 'git' ? ['git add, commit and push'] : []),
    ...(ci === 'none' ? [] : [`see how the CI recipe installs upkeep@${VERSION}: from your registry, or in a way of your own`]),
  ];
  return `\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`;
}
