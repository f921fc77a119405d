import { type ChildProcess, spawn } from 'node:child_process';
import { codeOf } from './exit-codes.ts';

/** The working directory, environment and limits of a credential command. */
export interface Bounds {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

/** A failed credential command. Its message is a clause that never repeats the output of the command. */
export class CommandFailure extends Error {}

/**
 * Runs a command and returns its stdout. The command runs without a shell, stdin or terminal; its stderr is not read, since it may
 * contain a secret. It leads a process group of its own, so that its child processes are killed with it.
 * @throws CommandFailure
 */
export function outputOf([program = '', ...rest]: readonly string[], bounds: Bounds): Promise<string> {
  const { cwd, env, timeoutMs, mostBytes, signal } = bounds;
  const child = spawn(program, rest, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'ignore'], detached: true, windowsHide: true });
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const giveUp = (why: string): void => {
      reject(new CommandFailure(why));
      killGroup(child);
    };
    const timer = setTimeout(() => giveUp('took too long'), timeoutMs);
    const stop = (): void => giveUp('was interrupted');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) giveUp('prints too much to be a credential');
      else chunks.push(chunk);
    });
    child.on('error', (error) => reject(new CommandFailure(`cannot be started (${codeOf(error)})`)));
    // `close` also waits for its stdout, which a child process may keep open.
    child.on('close', (code, ended) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      if (code === 0) resolve(Buffer.concat(chunks).toString());
      else reject(new CommandFailure(code === null ? `was ended by ${ended}` : `ended with exit code ${code}`));
    });
  });
}

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
