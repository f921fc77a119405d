import { Worker } from 'node:worker_threads';
import type { Names } from '../config/cel.js';
import type { Json, JsonObject } from '../model/json.ts';

/** What a guard is evaluated for: one change, and its impact on devices. */
export interface GuardSubject {
  readonly change: JsonObject;
  readonly impact: readonly Json[];
}

/** The input of the worker: the guards as conditions that must all hold, and the data that they may use. */
export interface GuardJob {
  readonly names: Names;
  readonly guards: readonly { readonly conditions: readonly string[] }[];
  readonly target: string;
  readonly run: JsonObject;
  readonly plan: JsonObject;
  readonly subjects: readonly GuardSubject[];
}

/** Whether a guard's conditions hold for one change; a string says why the evaluation failed. */
export type GuardAnswer = boolean | string;

/** Longest time for one guard over all changes, in milliseconds. */
export const GUARD_DEADLINE_MS = 3_000;

/** How many guards may fail to answer before the others are not asked: a run must not wait for each of very many. */
const MAX_FAILED_GUARDS = 5;

/** Memory limit of the worker, in MiB. */
const MEMORY_MIB = 256;

/**
 * Evaluates every guard for every change in a worker thread, each guard within its own deadline (milliseconds). Returns the answers of each
 * guard, in the order of the changes. The start of the thread does not count. A guard that exceeds the deadline or the memory limit has
 * failed for all changes; the worker is started again for the others, which fail as well after five such guards.
 */
export async function evaluateInWorker(job: GuardJob, deadlineMs = GUARD_DEADLINE_MS): Promise<readonly (readonly GuardAnswer[])[]> {
  const answers: (readonly GuardAnswer[])[] = [];
  for (let failed = 0; answers.length < job.guards.length && failed < MAX_FAILED_GUARDS; failed++) {
    const failure = await collectAnswers({ ...job, guards: job.guards.slice(answers.length) }, deadlineMs, answers);
    if (failure !== undefined) answers.push(job.subjects.map(() => failure));
  }
  const notAsked = `it was not asked, because ${MAX_FAILED_GUARDS} guards before it gave no answer`;
  return [...answers, ...job.guards.slice(answers.length).map(() => job.subjects.map(() => notAsked))];
}

/** Appends answers until all guards have answered, or one fails. Returns why it failed. */
function collectAnswers(job: GuardJob, deadlineMs: number, answers: (readonly GuardAnswer[])[]): Promise<string | undefined> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: job,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  });
  return new Promise((resolve) => {
    let remaining = job.guards.length;
    let timer: NodeJS.Timeout | undefined;
    const end = (failure?: string): void => {
      clearTimeout(timer);
      worker.removeAllListeners();
      // A thread that is terminated while it computes may still report an error, which means nothing more.
      worker.on('error', () => undefined);
      void worker.terminate().then(() => resolve(failure));
    };
    const onTimeout = (): void => end(`it gave no answer within ${deadlineMs / 1000} s`);
    worker.on('message', (message: 'ready' | readonly GuardAnswer[]) => {
      clearTimeout(timer);
      if (message !== 'ready') {
        answers.push(message);
        remaining -= 1;
      }
      if (remaining === 0) end();
      else timer = setTimeout(onTimeout, deadlineMs);
    });
    worker.on('error', (error) => end(`it failed: ${error.message}`));
    worker.on('exit', () => end('it ended without an answer'));
  });
}
