/** The built program as a process of its own, killed by SIGKILL at the boundary of a request. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cleanUpAfterTest } from './cleanup.ts';
import { API_KEY, OWNER } from './harness.ts';
import type { Boundary, RequestProxy } from './proxy.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));

/** The folder, environment and arguments of a run. */
interface Run {
  readonly folder: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly argv: readonly string[];
}

/** Runs the program against a proxy, kills it at a boundary, and returns whether that boundary was reached. */
export async function runAndKill(
  { folder, env, argv }: Run,
  proxy: RequestProxy,
  at: { readonly nth: number; readonly boundary: Boundary },
): Promise<boolean> {
  const secrets = { UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
  const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd: folder, env: { ...env, ...secrets }, stdio: 'ignore' });
  const end = cleanUpAfterTest(() => void child.kill('SIGKILL'));
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  let wasKilled = false;
  proxy.count = 0;
  proxy.watch = async (nth, boundary) => {
    if (nth === at.nth && boundary === at.boundary) {
      wasKilled = true;
      child.kill('SIGKILL');
      await ended;
    }
    if (wasKilled) throw new Error('nobody is there to wait for the answer');
  };
  await ended;
  await proxy.idle();
  proxy.watch = null;
  await end();
  return wasKilled;
}
