/** Starts the built emulator as a separate process. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { account } from './independent-client.ts';

const program = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));

/** A running emulator. */
export interface BuiltEmulator {
  readonly url: string;
  /** Kills the process immediately, without cleanup. */
  kill(): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
}

/** Starts `upkeep emulate` with a data file and waits until it prints its URL. It is killed after the test. */
export async function startBuiltEmulator(dataFile: string): Promise<BuiltEmulator> {
  const argv = [program, 'emulate', '--owner', account.owner, '--api-key', account.apiKey, '--data', dataFile];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanUpAfterTest(() => void child.kill('SIGKILL'));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const started = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the emulator ended with ${code} before it listened`)));
  });
  const { url } = JSON.parse(started);
  return { url: String(url), ended, kill: () => void child.kill('SIGKILL') };
}
