import { type ChildProcess, spawn } from 'node:child_process';
import { codeOf } from './exit-codes.ts';

/** What a credential command runs in, and how much it may take. */
export interface Bounds {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

/** Why a command gave nothing, in a clause that repeats nothing of what it printed. */
export class CommandFailure extends Error {}

/**
 * What a command prints. It runs without a shell, without input and without a terminal; what it says on stderr is not read, since it may
 * hold a secret. It is the head of a process group of its own, so that all it has started goes with it when it is given up.
 * @throws CommandFailure
 */
export function printedBy([program = '', ...rest]: readonly string[], bounds: Bounds): Promise<string> {
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
    // Not before its output is closed too, which something that it left behind may keep open.
    child.on('close', (code, ended) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      if (code === 0) resolve(Buffer.concat(chunks).toString());
      else reject(new CommandFailure(code === null ? `was ended by ${ended}` : `ended with exit code ${code}`));
    });
  });
}

function killGroup({ pid, stdout }: ChildProcess): void {
  // Whoever left the group in time cannot keep us waiting.
  stdout?.destroy();
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
