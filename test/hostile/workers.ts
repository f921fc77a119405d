/** The parent of the workers, one a processor: hands each one mutant after the other, bounds each in time, and starts another where one dies. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Order, Report } from './worker.ts';

/** What came of many mutants. */
export interface Tally {
  readonly mutants: number;
  /** Of each surface. */
  readonly surfaces: { readonly [surface: string]: { readonly mutants: number; readonly tookMs: number } };
  /** Mutants at which the worker died, was killed for taking too long, or objected. */
  readonly deaths: readonly string[];
  readonly hangs: readonly string[];
  readonly objections: readonly string[];
  readonly slowestMs: number;
  readonly memoryMib: number;
}

/** Longest time of one mutant, milliseconds: far more than any takes, on a machine that others share. */
const WATCHDOG = 60_000;
/** Largest heap of the worker, MiB: who needs more dies. */
const HEAP = 512;
/** What fails is told until there is this much of it. */
const ENOUGH = 20;

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Feeds the mutants of a seed. @throws Error where not even the worker starts */
export async function feedAll(seed: number, numbers: readonly number[]): Promise<Tally> {
  const place = mkdtempSync(join(tmpdir(), 'upkeep-crew-'));
  const worker = join(place, 'worker.mjs');
  await build({
    entryPoints: [WORKER],
    outfile: worker,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    // CommonJS files ask for packages by `require`.
    banner: {
      js: `import { createRequire as createBundleRequire } from 'node:module';\nconst require = createBundleRequire(import.meta.url);`,
    },
    logLevel: 'error',
  });
  symlinkSync(PACKAGES, join(place, 'node_modules'));
  const surfaces: { [surface: string]: { readonly mutants: number; readonly tookMs: number } } = {};
  const [deaths, hangs, objections]: [string[], string[], string[]] = [[], [], []];
  let [mutants, slowestMs, memoryMib] = [0, 0, 0];
  const queue = numbers.values();
  const work = async (): Promise<void> => {
    let hand: Hand | null = null;
    try {
      for (const number of queue) {
        hand ??= await hired(worker, place);
        const report = await hand.feed({ seed, number, show: numbers.length === 1 });
        mutants++;
        const name = `UPKEEP_MUTANT=${seed}:${number}`;
        if (typeof report === 'string') {
          (report === HUNG ? hangs : deaths).push(`${name} ${report}`);
          hand = null;
        } else {
          const so = surfaces[report.surface] ?? { mutants: 0, tookMs: 0 };
          surfaces[report.surface] = { mutants: so.mutants + 1, tookMs: so.tookMs + report.tookMs };
          [slowestMs, memoryMib] = [Math.max(slowestMs, report.tookMs), Math.max(memoryMib, report.memoryMib)];
          for (const objection of report.objections) objections.push(`${name} ${report.surface}: ${objection} ${report.mutant}`.trim());
        }
        if (deaths.length + hangs.length + objections.length >= ENOUGH) break;
      }
    } finally {
      await hand?.dismiss();
    }
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, work));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return { mutants, surfaces, deaths, hangs, objections, slowestMs, memoryMib };
}

const HUNG = 'took too long';

/** A worker that is ready. */
interface Hand {
  /** What it reports, or how it ended. */
  feed(order: Order): Promise<Report | string>;
  dismiss(): Promise<void>;
}

async function hired(worker: string, place: string): Promise<Hand> {
  const child = fork(worker, [], {
    cwd: place,
    env: { ...process.env, TMPDIR: place },
    execArgv: [`--max-old-space-size=${HEAP}`],
    silent: true,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000);
  });
  const ready = await heard(child, () => said);
  if (typeof ready === 'string') throw new Error(`the worker did not start: ${ready}`);
  return {
    feed(order) {
      const report = heard(child, () => said);
      child.send(order);
      return report;
    },
    async dismiss() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The next report of a worker, or how it ended instead. */
function heard(child: ChildProcess, said: () => string): Promise<Report | string> {
  return new Promise((resolve) => {
    const watchdog = setTimeout(() => {
      child.kill('SIGKILL');
      settle(HUNG);
    }, WATCHDOG);
    const died = (code: number | null, signal: string | null) => settle(`died (${signal ?? code}): ${said()}`);
    const settle = (result: Report | string) => {
      clearTimeout(watchdog);
      child.off('message', settle);
      child.off('exit', died);
      resolve(result);
    };
    child.on('message', settle);
    child.on('exit', died);
  });
}
