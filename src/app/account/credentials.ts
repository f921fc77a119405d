/** Reads the credentials of a target from the environment, a file or a command, and keeps them from child processes. */

import { type ChildProcess, spawn } from 'node:child_process';
import { constants, existsSync, realpathSync, statSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ApiCredentials } from '../../core/api-client/proof.ts';
import { type ParsedScopedKey, parseScopedKey, type ScopedKey, ScopedKeyError } from '../../core/api-client/scoped-key.ts';
import type { CredentialSource, Project, Target } from '../../core/config/project.ts';
import { isGitFolder } from '../../core/config/project-folder.ts';
import { absolutePath, pathOutside } from '../../core/ledger/git-process.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { CliError, codeOf, interrupted, isSystemError } from '../run/exit-codes.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';

/** The credentials that sign a target's requests. Never logged, printed or saved. */
export type Credentials = ApiCredentials;

/** What credentials are for. A target with one pair has the same for both. */
export type Purpose = 'read' | 'write';

/** The folder of upkeep.yaml, what it says of credentials, and the folder of which it may not use a file. */
type ProjectTargets = Pick<OpenProject, 'folder' | 'untrustedFolder'> & { readonly project: SecretVariables };

/** What of upkeep.yaml names environment variables that hold secrets. */
type SecretVariables = {
  readonly targets: readonly Pick<Target, 'credentials'>[];
  readonly omitted?: readonly Pick<Target, 'credentials'>[];
} & Pick<Project, 'notify'>;

/** The target, project and context of a credential. */
export interface CredentialContext extends ProjectTargets {
  readonly target: Target;
  readonly purpose: Purpose;
  readonly io: AppContext;
}

/** Maximum size of a credential, bytes. */
export const MAX_CREDENTIAL_BYTES = 65_536;
/** Time limit of a credential command, milliseconds. */
export const COMMAND_TIMEOUT_MS = 30_000;

/** An unusable credential. Its message is a clause that never contains the value or the output of a command. */
class CredentialError extends Error {}

/** One credential in upkeep.yaml. */
export interface NamedCredential {
  /** Its keys below `credentials`, for example `api_key` or `write.api_key`. */
  readonly name: string;
  readonly source: CredentialSource;
}

/** Decides whether a target has a pair of credentials of its own for writing. */
export function hasWritingPair({ credentials }: Pick<Target, 'credentials'>): boolean {
  return 'write' in credentials;
}

/** Returns the two credentials of a target for a purpose, by their names in upkeep.yaml. */
export function namedCredentials(
  { credentials }: Pick<Target, 'credentials'>,
  purpose: Purpose,
): { readonly owner: NamedCredential; readonly key: NamedCredential } {
  const prefix = 'read' in credentials ? `${purpose}.` : '';
  const pair = 'read' in credentials ? credentials[purpose] : credentials;
  const key =
    'apiKey' in pair ? { name: `${prefix}api_key`, source: pair.apiKey } : { name: `${prefix}scoped_key`, source: pair.scopedKey };
  return { owner: { name: `${prefix}owner`, source: pair.owner }, key };
}

/**
 * Reads a target's credentials from the sources named in upkeep.yaml and registers them for redaction. @throws CliError naming the source,
 * never a value
 */
export async function credentialsOf(
  target: Target,
  { folder, untrustedFolder, project }: ProjectTargets,
  io: AppContext,
  purpose: Purpose = 'read',
): Promise<Credentials> {
  const context = { target, purpose, io, folder, untrustedFolder, project };
  return credentialsWith(await ownerOf(context), await keyOf(context));
}

/**
 * Registers the keys of all targets that are in environment variables and files, so that no report shows them, whatever the sources name.
 * They are read for that only: what is missing, no regular file, or unreadable is passed over. No command is run.
 */
export async function hideKeys({ folder, project }: ProjectTargets, { env, secrets }: AppContext): Promise<void> {
  const targets = [...project.targets, ...(project.omitted ?? [])];
  const keys = targets.flatMap((target) => (['read', 'write'] as const).map((purpose) => namedCredentials(target, purpose).key.source));
  const sources = new Map(keys.map((source) => [JSON.stringify(source), source]));
  for (const source of sources.values()) {
    const text = await textForHiding(source, folder, env);
    for (const secret of secretsIn(text.replace(/\r?\n$/, ''))) secrets.add(secret);
  }
}

/** Registers the owners of a target in the same way, so that no report of this target shows them before they are used. */
export async function hideOwners(target: Target, { folder }: Pick<ProjectTargets, 'folder'>, { env, secrets }: AppContext): Promise<void> {
  for (const purpose of ['read', 'write'] as const) {
    const owner = (await textForHiding(namedCredentials(target, purpose).owner.source, folder, env)).trim();
    if (owner !== '') secrets.addOwner(owner);
  }
}

/**
 * Returns the text of a credential in an environment variable or a file; an empty one where it cannot be read, or is that of a command. A
 * file outside the folder of upkeep.yaml, or of git, is not read: no source can show it, and a pull request may have named it.
 */
async function textForHiding(source: CredentialSource, folder: string, env: AppContext['env']): Promise<string> {
  if ('command' in source) return '';
  if ('env' in source) return env[source.env] ?? '';
  try {
    const path = realpathSync(resolve(folder, source.file));
    const mayBeShown = isBelow(realpathSync(folder), path) && !path.split(sep).some(isGitFolder);
    return mayBeShown ? await readCredentialFile(path) : '';
  } catch (error) {
    if (error instanceof CredentialError || isSystemError(error)) return '';
    throw error;
  }
}

/** Returns what is secret in the text of a key: of the file of a scoped key, its private key. */
function secretsIn(text: string): readonly string[] {
  try {
    return parseScopedKey(text).secrets;
  } catch (error) {
    if (error instanceof ScopedKeyError) return [text];
    throw error;
  }
}

/** The key of a pair: an API key, or a scoped key. */
export type Key = { readonly apiKey: string } | { readonly scopedKey: ScopedKey };

/** Returns a user ID and a key as credentials. */
export function credentialsWith(owner: string, key: Key): Credentials {
  return 'apiKey' in key ? { owner, apiKey: key.apiKey } : { owner, scopedKey: key.scopedKey };
}

/** Reads the user ID of a pair and registers it for redaction. @throws CliError as above */
export async function ownerOf(context: CredentialContext): Promise<string> {
  const owner = await checkedValue(namedCredentials(context.target, context.purpose).owner, context, checkCredential);
  context.io.secrets.addOwner(owner);
  return owner;
}

/** Reads the key of a pair and registers it for redaction, of a scoped key every text of its private key. @throws CliError as above */
export async function keyOf(context: CredentialContext): Promise<Key> {
  const { key } = namedCredentials(context.target, context.purpose);
  if (key.name.endsWith('api_key')) {
    const apiKey = await checkedValue(key, context, checkCredential);
    context.io.secrets.add(apiKey);
    return { apiKey };
  }
  const { key: scopedKey, secrets } = await checkedValue(key, context, checkScopedKey);
  for (const secret of secrets) context.io.secrets.add(secret);
  return { scopedKey };
}

/** Reads the value of one credential and checks it. @throws CliError */
async function checkedValue<Value>(
  { name, source }: NamedCredential,
  context: CredentialContext,
  check: (text: string) => Value,
): Promise<Value> {
  const { target, io } = context;
  try {
    return check((await read(source, context)).replace(/\r?\n$/, ''));
  } catch (error) {
    if (io.signal.aborted) throw interrupted();
    const { what, hint } = describeSource(source);
    const where = `targets.${target.name}.credentials.${name}`;
    throw new CliError(
      EXIT_CODES.invalid,
      'credentials',
      `credential ${name} of target ${target.name}: ${what} ${reasonOf(error)}`,
      `${hint}, or change ${where} in upkeep.yaml`,
    );
  }
}

/** @throws CredentialError, ScopedKeyError */
function checkScopedKey(text: string): ParsedScopedKey {
  if (text.trim() === '') throw new CredentialError('is empty');
  if (text.length > MAX_CREDENTIAL_BYTES) throw new CredentialError('is too long to be a credential');
  return parseScopedKey(text);
}

/** @throws CredentialError if a value cannot be a credential */
function checkCredential(value: string): string {
  if (value.trim() === '') throw new CredentialError('is empty');
  if (value.length > MAX_CREDENTIAL_BYTES) throw new CredentialError('is too long to be a credential');
  if (/[\p{C}\ufffd]/u.test(value)) throw new CredentialError('holds control characters or several lines, and so no credential');
  if (value.trim() !== value) throw new CredentialError('begins or ends with white space, which is no part of a credential');
  if (/^(["'`]).*\1$/.test(value)) throw new CredentialError('is in quotes, which are no part of a credential');
  if (/^(?:\$\{.*\}|\$\(.*\)|\$\w+|\{\{.*\}\}|<.*>|%\w+%)$/.test(value))
    throw new CredentialError('looks like a placeholder that nothing has replaced by a value');
  return value;
}

async function read(source: CredentialSource, { io, folder, untrustedFolder, project }: CredentialContext): Promise<string> {
  if ('command' in source) {
    const ownEnvironment = childEnvironment(io, project);
    const env = { ...withoutEmbeddedRepositories(ownEnvironment), ...absolutePath(ownEnvironment) };
    if (untrustedFolder === null) return runCommand(source.command, { cwd: folder, env, signal: io.signal });
    refuseUntrustedFiles(filesOfCommand(source.command, folder, env), untrustedFolder);
    refuseArgumentsInto(untrustedFolder, source.command);
    const trusted = environmentOutside(untrustedFolder, env);
    return inEmptyFolder(untrustedFolder, (cwd) => runCommand(source.command, { cwd, env: trusted, signal: io.signal }));
  }
  if ('file' in source) {
    const path = resolve(folder, source.file);
    if (untrustedFolder !== null) refuseUntrustedFiles([path], untrustedFolder);
    return readCredentialFile(path);
  }
  const value = io.env[source.env];
  return value === undefined ? Promise.reject(new CredentialError('is not set')) : Promise.resolve(value);
}

/**
 * Returns the files that a command may name: the program, also by way of PATH, and each argument, `--option=value`, `@value` or
 * `--option=@value` that is a file, as it would be in the folder of upkeep.yaml.
 */
function filesOfCommand(
  [program = '', ...args]: readonly string[],
  folder: string,
  { PATH: path = '' }: AppContext['env'],
): readonly string[] {
  const programs = program.includes('/') ? [resolve(folder, program)] : path.split(delimiter).map((each) => join(each, program));
  const values = args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)]);
  const named = values
    .flatMap((value) => [value, value.replace(/^@/, '')])
    .filter((value) => isAbsolute(value) || isFile(join(folder, value)));
  return [...programs.filter(isFile).slice(0, 1), ...named.map((value) => resolve(folder, value))];
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Decides whether a path lies below a folder, or leads there. */
function isBelow(folder: string, path: string): boolean {
  const below = (each: string) => !/^\.\.(?:[/\\]|$)/.test(relative(folder, each));
  return below(path) || (existsSync(path) && below(realpathSync(path)));
}

/** Refuses files of a work tree whose settings are not trusted, also behind links. @throws CredentialError */
function refuseUntrustedFiles(paths: readonly string[], untrustedFolder: string): void {
  const found = paths.find((path) => isBelow(untrustedFolder, path));
  if (found === undefined) return;
  throw untrustedFile(`uses ${found}, which is a file of the work tree`);
}

function untrustedFile(clause: string): CredentialError {
  return new CredentialError(
    `${clause}, and --trust-from does not trust its files: name one outside of it, or run without --trust-from where the branch is trusted`,
  );
}

/**
 * Returns an environment without what leads into a work tree: folders of PATH, since a file there that cannot be run is passed over and a
 * program may start others, and variables that hold the path, such as those by which a CI system names its workspace.
 */
function environmentOutside(untrustedFolder: string, env: AppContext['env']): AppContext['env'] {
  const variables = Object.entries(env).filter(([, value = '']) => !leadsInto(untrustedFolder, value));
  return { ...Object.fromEntries(variables), ...pathOutside(untrustedFolder, env) };
}

/** Decides whether a text holds the path of a folder, or of what lies below it. */
function leadsInto(folder: string, text: string): boolean {
  const paths = [folder, realpathSync(folder)].filter((path) => path !== '/');
  return paths.some((path) =>
    text
      .split(path)
      .slice(1)
      .some((rest) => /^(?![\w.-])/.test(rest)),
  );
}

/** Refuses arguments that hold the path of the work tree anywhere, such as that of a script or a folder. @throws CredentialError */
function refuseArgumentsInto(untrustedFolder: string, command: readonly string[]): void {
  const found = command.find((argument) => leadsInto(untrustedFolder, argument));
  if (found === undefined) return;
  throw untrustedFile(`has the argument ${found}, which leads into the work tree`);
}

/** Runs work in a new empty folder, and removes it. @throws CredentialError if that would lie in the work tree */
async function inEmptyFolder<Result>(untrustedFolder: string, work: (folder: string) => Promise<Result>): Promise<Result> {
  if (isBelow(untrustedFolder, tmpdir()))
    throw new CredentialError(`would start in ${tmpdir()}, which lies in the work tree: set TMPDIR to a folder outside of it`);
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Reads a file anywhere on this machine, also through symbolic links, since platforms mount secrets in many places. It checks the opened
 * file itself, and opens it without blocking, as a pipe without a writer would.
 */
async function readCredentialFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new CredentialError('is not a regular file');
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_CREDENTIAL_BYTES + 1));
    if (bytesRead > MAX_CREDENTIAL_BYTES) throw new CredentialError('is too long to be a credential');
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Describes a credential source: its kind and name, and what to do if it yields no value. */
export function describeSource(source: CredentialSource): { readonly what: string; readonly hint: string } {
  if ('env' in source) return { what: `the environment variable ${source.env}`, hint: 'set it' };
  if ('file' in source) return { what: `the file ${source.file}`, hint: 'put the value there' };
  return {
    what: `the command ${source.command[0] ?? ''}`,
    hint: 'run it by hand to see why (its stderr is not shown, because it may hold a secret)',
  };
}

function reasonOf(error: unknown): string {
  return error instanceof CredentialError || error instanceof ScopedKeyError ? error.message : `cannot be read (${codeOf(error)})`;
}

/** The working directory and environment of a credential command, and what interrupts it. */
interface CommandOptions {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly signal: AbortSignal;
}

/**
 * Runs a command and returns its stdout. The command runs without a shell, stdin or terminal; its stderr is not read, since it may
 * contain a secret. It leads a process group of its own, so that its child processes are killed with it.
 * @throws CredentialError
 */
function runCommand([program = '', ...args]: readonly string[], options: CommandOptions): Promise<string> {
  const { cwd, env, signal } = options;
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'ignore'], detached: true, windowsHide: true });
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (reason: string): void => {
      reject(new CredentialError(reason));
      killGroup(child);
    };
    const timer = setTimeout(() => fail('took too long'), COMMAND_TIMEOUT_MS);
    const stop = (): void => fail('was interrupted');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_CREDENTIAL_BYTES) fail('prints too much to be a credential');
      else chunks.push(chunk);
    });
    child.on('error', (error) => reject(new CredentialError(`cannot be started (${codeOf(error)})`)));
    // `close` also waits for its stdout, which a child process may keep open.
    child.on('close', (code, endSignal) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      if (code === 0) resolve(Buffer.concat(chunks).toString());
      else reject(new CredentialError(code === null ? `was ended by ${endSignal}` : `ended with exit code ${code}`));
    });
  });
}

/** Kills a command and its child processes. */
function killGroup({ pid, stdout }: ChildProcess): void {
  // A child process that left the group may still hold the pipe open.
  stdout?.destroy();
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/**
 * Returns the environment for git and credential commands: the user's own, without the variables that hold credentials of any target, or
 * addresses and keys of receivers of notifications.
 * Child processes of git (a hook of a local remote, an ssh command, a credential helper) inherit it, too.
 */
export function childEnvironment({ env }: Pick<AppContext, 'env'>, project: SecretVariables): AppContext['env'] {
  const hidden = secretVariables(project);
  // No upkeep.yaml takes away what keeps git from the network.
  return Object.fromEntries(Object.entries(env).filter(([name]) => name === 'GIT_NO_LAZY_FETCH' || !hidden.has(name)));
}

/** Adds to an environment that git takes no files of a checkout for a repository, for commands that start git. */
function withoutEmbeddedRepositories(env: AppContext['env']): AppContext['env'] {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0);
  return {
    ...env,
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${count}`]: 'explicit',
  };
}

/** Returns the names of the environment variables that hold secrets of a project. */
function secretVariables({ targets, omitted = [], notify }: SecretVariables): Set<string> {
  const named = [...targets, ...omitted].flatMap((target) =>
    (['read', 'write'] as const).flatMap((purpose) => Object.values(namedCredentials(target, purpose))),
  );
  const receivers = notify.flatMap(({ url, secret }) => (secret === null ? [url] : [url, secret]));
  return new Set([...named.flatMap(({ source }: NamedCredential) => ('env' in source ? [source.env] : [])), ...receivers]);
}
