/** Runs the program `git`: without a shell, with limits for time and output, and without prompts. No other module starts git. */
import { spawn, spawnSync } from 'node:child_process';
import type { Readable } from 'node:stream';
import { type GitFailure, gitErrorOf } from './errors.ts';

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
 * Configuration that disables hooks, the file system monitor and automatic garbage collection, and that keeps git from taking files of
 * a commit for a bare repository, whose configuration could name programs. Before 2.38, git does not know `safe.bareRepository`.
 */
const FIXED_OPTIONS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'safe.bareRepository=explicit',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/** Returns the environment for git: the user's, with credentials and configuration, but in English and without prompts. */
function gitEnvironment(env: GitEnvironment, more: GitEnvironment = {}): GitEnvironment {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !REMOVED_VARIABLES.includes(name)));
  return { ...kept, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_NO_REPLACE_OBJECTS: '1', ...more };
}

/**
 * Runs git in a folder and returns its output. git has its own process group, so that Ctrl-C on a terminal reaches only upkeep, which
 * lets a running push finish. @throws GitError
 */
export function runGit(folder: string, env: GitEnvironment, args: readonly string[], call: GitCall = {}): Promise<Buffer> {
  const seconds = call.remote ? TIMEOUT_SECONDS.remote : TIMEOUT_SECONDS.local;
  const { maxBuffer, ...options } = processOptions(folder, env, call);
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...FIXED_OPTIONS, ...args], { ...options, detached: true, timeout: seconds * 1000 });
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
      if (code === 0 && systemError === null) return resolve(stdout());
      const timedOutAfter = child.killed && systemError === null ? seconds : null;
      reject(gitErrorOf(failureOf(args, { stdout: stdout(), stderr: stderr(), systemError, timedOutAfter })));
    });
    // If git exits before it has read its input, its own message explains why; the broken pipe adds nothing.
    child.stdin.on('error', () => undefined);
    child.stdin.end(call.input);
  });
}

/** Collects the data of a stream, up to `maxBytes`. */
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
  return { cwd: folder, env: gitEnvironment(env, more), maxBuffer: maxBytes, windowsHide: true };
}

type Ending = Omit<GitFailure, 'command' | 'stdout' | 'stderr'> & { readonly stdout: Buffer | null; readonly stderr: Buffer | null };

/** Describes a failed call. Its command is the first argument that is neither an option of git itself nor the value of one. */
function failureOf(args: readonly string[], { stdout, stderr, ...ending }: Ending): GitFailure {
  const command = args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
  return { command, stdout: stdout?.toString() ?? '', stderr: stderr?.toString() ?? '', ...ending };
}
