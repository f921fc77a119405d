/** Counts how often each part of the built program runs. */
import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { API_KEY, OWNER } from '../support/harness.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));
const COUNTS = fileURLToPath(new URL('counts.cjs', import.meta.url));

/** A part of the program, by file and place, and how often it ran. */
export type Counts = ReadonlyMap<string, number>;

/** Runs a command line in a folder. */
export async function counted(cwd: string, ...argv: readonly string[]) {
  const env = { ...process.env, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
  const child = spawn(process.execPath, ['--require', COUNTS, PROGRAM, ...argv], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, told] = await Promise.all([1, 3].map((channel) => textOf(child.stdio[channel])));
  const ranges: readonly (readonly [string, number])[] = JSON.parse(told ?? '');
  const counts: Counts = new Map(ranges);
  return { code: await ended, stdout: stdout ?? '', counts };
}

async function textOf(stream: unknown): Promise<string> {
  if (!(stream instanceof Readable)) throw new Error('this channel cannot be read');
  return (await stream.setEncoding('utf8').toArray()).join('');
}

/**
 * What ran often, and more often than its growth allows: sorting takes a little more than twice the steps. Up to `few` times are no trouble,
 * however they grow.
 */
export function steep(small: Counts, large: Counts, few = 20_000): readonly string[] {
  return [...large].flatMap(([part, count]) => {
    const before = small.get(part) ?? 0;
    return count > few && count > before * 2.5 ? [`${part}: ${before}, then ${count}`] : [];
  });
}
