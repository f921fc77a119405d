// Programs as processes of their own: how long each takes, how much processor and memory, by the account of the operating system.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The built command line. */
export const PROGRAM = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));

const USAGE = fileURLToPath(new URL('usage.cjs', import.meta.url));

/** An account that exists nowhere else. */
const OWNER = '0123456789abcdef0123456789abcdef';
const API_KEY = 'BenchKeyThatOpensNothing0000000000000000';

/** The environment of every process that is measured. */
export const ENV = { ...process.env, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };

/**
 * Runs Node with these arguments once. Seconds of wall clock and processor, peak resident MiB, and what it wrote.
 * @throws Error where it exits with another code than the expected ones
 */
export async function measured(argv, { cwd, exits = [0] }) {
  const started = performance.now();
  const child = spawn(process.execPath, ['--require', USAGE, ...argv], { cwd, env: ENV, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const [stdout, stderr, usage] = [gathered(child.stdio[1]), gathered(child.stdio[2]), gathered(child.stdio[3])];
  const code = await ended(child);
  const wall = (performance.now() - started) / 1000;
  if (!exits.includes(code)) throw new Error(`node ${argv.join(' ')} ended with ${code}:\n${await stderr}${(await stdout).slice(0, 2000)}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(await usage);
  return { wall, cpu: (userCPUTime + systemCPUTime) / 1e6, mib: maxRSS / 1024, stdout: await stdout, stderr: await stderr };
}

async function gathered(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
}

/** The middle of some numbers. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs several programs in turn, once to warm up and then `runs` times, so that all meet the same changes of a noisy machine.
 * Gives the medians of each, and the runs themselves.
 */
export async function inTurn(programs, runs) {
  const all = programs.map(() => []);
  for (let round = 0; round <= runs; round++) {
    for (const [index, run] of programs.entries()) {
      const one = await run();
      if (round > 0) all[index].push(one);
    }
  }
  const middle = (each, figure) => median(each.map((one) => one[figure]));
  return all.map((each) => ({ wall: middle(each, 'wall'), cpu: middle(each, 'cpu'), mib: middle(each, 'mib'), each }));
}

/** The median of the ratios of two programs that ran in turn. */
export function ratio(one, other, figure) {
  return median(one.each.map((run, index) => run[figure] / other.each[index][figure]));
}

/** An emulator as a process of its own; `latency` in milliseconds before every answer. */
export async function startEmulator(cwd, seedFile, latency = 0) {
  const flags = ['--owner', OWNER, '--api-key', API_KEY, '--seed', seedFile, '--latency', String(latency)];
  const child = spawn(process.execPath, ['--max-old-space-size=4096', PROGRAM, 'emulate', ...flags], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const over = ended(child);
  // Where the benchmark fails, nothing stays behind that would keep its output open.
  process.once('exit', () => child.kill());
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line).url));
    over.then((code) => reject(new Error(`the emulator ended with ${code}`)), reject);
  });
  const control = async (method) => {
    const answer = await fetch(`${url}/__requests`, { method });
    return method === 'GET' ? answer.json() : undefined;
  };
  return {
    url,
    /** The requests since the last call of `forget`, in order. */
    requests: () => control('GET'),
    forget: () => control('DELETE'),
    async stop() {
      child.kill();
      await over;
    },
  };
}
