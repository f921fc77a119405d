/** Runs the program `git`: without a shell, with limits for time and output, and without prompts. No other module starts git. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { GitError, type GitFailure, gitErrorOf } from './errors.ts';

/** Environment variables by name. */
export type GitEnvironment = { readonly [name: string]: string | undefined };

/** Options of one call of git. */
export interface GitCall {
  /** Text for the standard input, which is then closed. */
  readonly input?: string | Uint8Array;
  /** Maximum number of bytes of output; more is a failure. */
  readonly maxBytes?: number;
  /** Whether the call contacts the remote, which may take longer. */
  readonly remote?: boolean;
  /** Additional environment variables. */
  readonly env?: GitEnvironment;
}

/** Timeouts of a local call and of one that contacts a remote, in seconds. */
const TIMEOUT_SECONDS = { local: 60, remote: 180 };

const MAX_BYTES = 1024 ** 3;

/** Variables that a hook sets, or that change the meaning of arguments. They are removed, since only the folder chooses the repository. */
const REMOVED_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_SHALLOW_FILE',
  'GIT_NAMESPACE',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
];

/**
 * Configuration that disables hooks, the file system monitor, submodules and automatic garbage collection, and that keeps git from taking
 * files of a checkout for a repository (design section 4, rule 13). The action and the recipes for CI have the same.
 */
export const FIXED_OPTIONS = [
  'safe.bareRepository=explicit',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/**
 * Returns the environment for git: the user's, with credentials and configuration, but in English and without prompts, and without
 * programs of the folder in which git runs.
 */
function gitEnvironment(folder: string, env: GitEnvironment, more: GitEnvironment = {}): GitEnvironment {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !REMOVED_VARIABLES.includes(name)));
  const plain = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_NO_REPLACE_OBJECTS: '1', GIT_PAGER: 'cat' };
  return { ...kept, ...programPath(folder, env), ...plain, ...more };
}

/** Returns PATH without relative and empty entries, which stand for the folder in which a program starts. */
export function absolutePath({ PATH: path }: GitEnvironment): GitEnvironment {
  if (path === undefined) return {};
  return { PATH: path.split(delimiter).filter(isAbsolute).join(delimiter) || '/nonexistent' };
}

/** Returns PATH without entries in the work tree of a folder: its files are those of whoever wrote the branch. */
function programPath(folder: string, env: GitEnvironment): GitEnvironment {
  const top = topOf(realpathSync(folder));
  return top === null ? absolutePath(env) : pathOutside(top, env);
}

/** Returns PATH without relative and empty entries, and without those that lie below a folder, also behind links. */
export function pathOutside(folder: string, env: GitEnvironment): GitEnvironment {
  const { PATH: path } = absolutePath(env);
  if (path === undefined) return {};
  const isOutside = (entry: string) => !existsSync(entry) || !`${realpathSync(entry)}/`.startsWith(`${folder}/`);
  return { PATH: path.split(delimiter).filter(isOutside).join(delimiter) || '/nonexistent' };
}

/** Returns the top of the work tree of a folder: the nearest folder that has `.git`; null where there is none. */
function topOf(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? null : topOf(dirname(folder));
}

/**
 * Refuses a folder where git would find a repository without `.git`: its files would choose programs to run. git before 2.38 does not know
 * `safe.bareRepository`. @throws GitError
 */
function refuseEmbeddedRepository(folder: string): void {
  const embedded = embeddedRepository(realpathSync(folder));
  if (embedded === null) return;
  throw new GitError(
    'no-repository',
    `git would take ${embedded} for a repository, because of its files HEAD and objects or commondir`,
    'remove these files: no project needs them, and as a repository they could run any program; or name the repository with GIT_DIR',
  );
}

/** Returns the nearest folder with the files of a repository but without `.git`, from here up to the top of the work tree; else null. */
function embeddedRepository(folder: string): string | null {
  const has = (name: string): boolean => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
  if (has('.git')) return null;
  if (has('HEAD') && (has('objects') || has('commondir'))) return folder;
  return dirname(folder) === folder ? null : embeddedRepository(dirname(folder));
}

/**
 * Runs git in a folder and returns its output. git has its own process group, so that Ctrl-C on a terminal reaches only upkeep, which
 * lets a running push finish. @throws GitError
 */
export async function runGit(folder: string, env: GitEnvironment, args: readonly string[], call: GitCall = {}): Promise<Buffer> {
  const seconds = call.remote ? TIMEOUT_SECONDS.remote : TIMEOUT_SECONDS.local;
  const { maxBuffer, ...options } = processOptions(folder, env, call);
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...FIXED_OPTIONS, ...args], { ...options, detached: true });
    // The option `timeout` of `spawn` would keep the process for as long where git cannot be started.
    const timer = setTimeout(() => child.kill(), seconds * 1000);
    let systemError: string | null = null;
    const onExcess = (): void => {
      systemError = 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
      child.kill();
    };
    const stdout = collect(child.stdout, maxBuffer, onExcess);
    const stderr = collect(child.stderr, maxBuffer, onExcess);
    child.once('error', (error) => {
      systemError = 'code' in error ? String(error.code) : error.message;
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 0 && systemError === null) return resolve(stdout());
      const timedOutAfter = child.killed && systemError === null ? seconds : null;
      reject(gitErrorOf(failureOf(args, { stdout: stdout(), stderr: stderr(), systemError, timedOutAfter })));
    });
    // If git exits before it has read its input, its own message explains why; the broken pipe adds nothing.
    child.stdin.on('error', () => undefined);
    child.stdin.end(call.input);
  });
}

function collect(stream: Readable, maxBytes: number, onExcess: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) onExcess();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks);
}

/** Runs git synchronously, never for a remote. @throws GitError */
export function runGitSync(folder: string, env: GitEnvironment, args: readonly string[], call: GitCall = {}): Buffer {
  const options = { ...processOptions(folder, env, call), timeout: TIMEOUT_SECONDS.local * 1000, input: call.input ?? '' };
  const { status, stdout, stderr, error } = spawnSync('git', [...FIXED_OPTIONS, ...args], options);
  if (status === 0 && error === undefined) return stdout;
  const systemError = error !== undefined && 'code' in error ? String(error.code) : null;
  throw gitErrorOf(
    failureOf(args, { stdout, stderr, systemError, timedOutAfter: systemError === 'ETIMEDOUT' ? TIMEOUT_SECONDS.local : null }),
  );
}

function processOptions(folder: string, env: GitEnvironment, { maxBytes = MAX_BYTES, env: more }: GitCall) {
  if (more?.GIT_DIR === undefined) refuseEmbeddedRepository(folder);
  return { cwd: folder, env: gitEnvironment(folder, env, more), maxBuffer: maxBytes, windowsHide: true };
}

type Ending = Omit<GitFailure, 'command' | 'stdout' | 'stderr'> & { readonly stdout: Buffer | null; readonly stderr: Buffer | null };

/** Describes a failed call. Its command is the first argument that is neither an option of git itself nor the value of one. */
function failureOf(args: readonly string[], { stdout, stderr, ...ending }: Ending): GitFailure {
  const command = args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
  return { command, stdout: stdout?.toString() ?? '', stderr: stderr?.toString() ?? '', ...ending };
}
