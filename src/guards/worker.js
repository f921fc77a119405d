// @ts-check
/** The worker thread of the user's guards: an endless loop or too much memory ends only this thread. Posts `ready`, then one message for each guard. */
import { parentPort, workerData } from 'node:worker_threads';
import { environment } from '../config/cel.js';

/** @typedef {import('./run-in-worker.ts').GuardJob} GuardJob */

/**
 * Converts integers to BigInt, because CEL distinguishes them from doubles: 1 == 1.0 is a type error there.
 * @param {unknown} value
 * @returns {unknown}
 */
function toCel(value) {
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toCel(each)]));
  return Number.isSafeInteger(value) ? BigInt(Number(value)) : value;
}

/** @param {GuardJob} job */
function answerAll({ names, guards, target, plan, subjects }) {
  const celEnvironment = environment(names);
  const wholePlan = toCel(plan);
  const contexts = subjects.map(({ change, impact }) => ({ target, plan: wholePlan, change: toCel(change), impact: toCel(impact) }));
  parentPort?.postMessage('ready');
  for (const { conditions } of guards) {
    const predicates = conditions.map((condition) => celEnvironment.parse(condition));
    parentPort?.postMessage(contexts.map((context) => answer(predicates, context)));
  }
}

/**
 * Decides whether all conditions hold; a string says why the evaluation failed.
 * @param {readonly ((context: object) => unknown)[]} predicates
 * @param {object} context
 * @returns {boolean | string}
 */
function answer(predicates, context) {
  try {
    return predicates.every((isTrue) => isTrue(context) === true);
  } catch (error) {
    return error instanceof Error && 'summary' in error ? String(error.summary) : String(error);
  }
}

answerAll(workerData);
