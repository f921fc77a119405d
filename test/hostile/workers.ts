/**
 * The parent of the workers, one a processor: hands each one mutant after the other, bounds each in time, and starts another where one
 * dies.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { atMost } from '../support/patience.ts';
import type { MutantRequest, Report } from './worker.ts';

/** What came of many mutants. */
export interface MutantResults {
  readonly mutants: number;
  /** Of each surface. */
  readonly surfaces: { readonly [surface: string]: { readonly mutants: number; readonly tookMs: number } };
  /** Mutants at which the worker died, was killed for taking too long, or objected. */
  readonly deaths: readonly string[];
  readonly hangs: readonly string[];
  readonly violations: readonly string[];
  readonly slowestMs: number;
  readonly memoryMib: number;
}

/** Longest time of one mutant, milliseconds: far more than any takes, on a machine that others share. */
const WATCHDOG = atMost(60_000);
/** Largest heap of the worker, MiB: who needs more dies. */
const HEAP = 512;
/** The number of failures after which feeding stops. */
const MAX_FAILURES = 20;

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Feeds the mutants of a seed. @throws Error where not even the worker starts */
export async function feedAll(seed: number, numbers: readonly number[]): Promise<MutantResults> {
  const place = mkdtempSync(join(tmpdir(), 'upkeep-workers-'));
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
  const [deaths, hangs, violations]: [string[], string[], string[]] = [[], [], []];
  let [mutants, slowestMs, memoryMib] = [0, 0, 0];
  const queue = numbers.values();
  const work = async (): Promise<void> => {
    let currentWorker: Worker | null = null;
    try {
      for (const number of queue) {
        currentWorker ??= await startWorker(worker, place);
        const report = await currentWorker.feed({ seed, number, show: numbers.length === 1 });
        mutants++;
        const name = `UPKEEP_SEED=${seed} UPKEEP_PATH=${number}`;
        if (typeof report === 'string') {
          (report === TOOK_TOO_LONG ? hangs : deaths).push(`${name} ${report}`);
          currentWorker = null;
        } else {
          const totals = surfaces[report.surface] ?? { mutants: 0, tookMs: 0 };
          surfaces[report.surface] = { mutants: totals.mutants + 1, tookMs: totals.tookMs + report.tookMs };
          [slowestMs, memoryMib] = [Math.max(slowestMs, report.tookMs), Math.max(memoryMib, report.memoryMib)];
          for (const objection of report.violations) violations.push(`${name} ${report.surface}: ${objection} ${report.mutant}`.trim());
        }
        if (deaths.length + hangs.length + violations.length >= MAX_FAILURES) break;
      }
    } finally {
      await currentWorker?.stop();
    }
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, work));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return { mutants, surfaces, deaths, hangs, violations, slowestMs, memoryMib };
}

const TOOK_TOO_LONG = 'took too long';

/** A worker that is ready. */
interface Worker {
  /** What it reports, or how it ended. */
  feed(order: MutantRequest): Promise<Report | string>;
  stop(): Promise<void>;
}

async function startWorker(worker: string, place: string): Promise<Worker> {
  const child = fork(worker, [], {
    cwd: place,
    env: { ...process.env, TMPDIR: place },
    execArgv: [`--max-old-space-size=${HEAP}`],
    silent: true,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let readStderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    readStderr = (readStderr + chunk.toString()).slice(-2_000);
  });
  const ready = await nextReport(child, () => readStderr);
  if (typeof ready === 'string') throw new Error(`the worker did not start: ${ready}`);
  return {
    feed(order) {
      const report = nextReport(child, () => readStderr);
      child.send(order);
      return report;
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The next report of a worker, or how it ended instead. */
function nextReport(child: ChildProcess, readStderr: () => string): Promise<Report | string> {
  return new Promise((resolve) => {
    const watchdog = setTimeout(() => {
      child.kill('SIGKILL');
      finish(TOOK_TOO_LONG);
    }, WATCHDOG);
    const onExit = (code: number | null, signal: string | null) => finish(`died (${signal ?? code}): ${readStderr()}`);
    const finish = (result: Report | string) => {
      clearTimeout(watchdog);
      child.off('message', finish);
      child.off('exit', onExit);
      resolve(result);
    };
    child.on('message', finish);
    child.on('exit', onExit);
  });
}
