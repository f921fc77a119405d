import { Worker } from 'node:worker_threads';
import type { Names } from '../config/cel.js';
import type { Json, JsonObject } from '../model/json.ts';

/** What a guard is asked about: one change, and what it means for devices. */
export interface GuardSubject {
  readonly change: JsonObject;
  readonly impact: readonly Json[];
}

/** What the thread is given: the guards as conditions that must all hold, and what they may see. */
export interface GuardJob {
  readonly names: Names;
  readonly guards: readonly { readonly conditions: readonly string[] }[];
  readonly target: string;
  readonly plan: JsonObject;
  readonly subjects: readonly GuardSubject[];
}

/** What a guard says of one change; a text says why it cannot be told. */
export type GuardAnswer = boolean | string;

/** Longest time for one guard over all changes, in milliseconds. */
const DEADLINE_MS = 3_000;

/** Memory that the rules may take, in MiB. */
const MEMORY_MIB = 256;

/**
 * Asks every guard about every change, each within its own deadline (milliseconds): the answers of each guard, in the order of the changes.
 * A guard that does not answer in time, or takes too much memory, has no answer for any of them, and the others are asked all the same.
 */
export async function evaluateInWorker(work: GuardJob, deadlineMs = DEADLINE_MS): Promise<readonly (readonly GuardAnswer[])[]> {
  const answers: (readonly GuardAnswer[])[] = [];
  while (answers.length < work.guards.length) {
    const failure = await askFrom({ ...work, guards: work.guards.slice(answers.length) }, deadlineMs, answers);
    if (failure !== undefined) answers.push(work.subjects.map(() => failure));
  }
  return answers;
}

/** Collects answers until all guards have given theirs, or one fails: then why. */
function askFrom(work: GuardJob, deadlineMs: number, answers: (readonly GuardAnswer[])[]): Promise<string | undefined> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: work,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  });
  return new Promise((resolve) => {
    let left = work.guards.length;
    const end = (failure?: string): void => {
      clearTimeout(timer);
      worker.removeAllListeners();
      // A thread that is ended while it computes may still report an error, which says nothing new.
      worker.on('error', () => undefined);
      void worker.terminate().then(() => resolve(failure));
    };
    const late = (): void => end(`it gave no answer within ${deadlineMs / 1000} s`);
    let timer = setTimeout(late, deadlineMs);
    worker.on('message', (message: readonly GuardAnswer[]) => {
      answers.push(message);
      left -= 1;
      clearTimeout(timer);
      if (left === 0) end();
      else timer = setTimeout(late, deadlineMs);
    });
    worker.on('error', (error) => end(`it failed: ${error.message}`));
    worker.on('exit', () => end('it ended without an answer'));
  });
}
