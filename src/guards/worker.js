// @ts-check
/** A thread of its own for the users' rules: one that loops or takes all memory ends here, and nowhere else. One message for each guard. */
import { parentPort, workerData } from 'node:worker_threads';
import { environment } from '../config/cel.js';

/** @typedef {import('./run-in-worker.ts').GuardJob} GuardJob */

/**
 * CEL's integers are not JavaScript's: 1 == 1.0 is a mistake of types there.
 * @param {unknown} value
 * @returns {unknown}
 */
function exact(value) {
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, exact(each)]));
  return Number.isSafeInteger(value) ? BigInt(Number(value)) : value;
}

/** @param {GuardJob} job */
function answerAll({ names, guards, target, plan, subjects }) {
  const within = environment(names);
  const all = exact(plan);
  const contexts = subjects.map(({ change, impact }) => ({ target, plan: all, change: exact(change), impact: exact(impact) }));
  for (const { conditions } of guards) {
    const rules = conditions.map((condition) => within.parse(condition));
    parentPort?.postMessage(contexts.map((context) => answer(rules, context)));
  }
}

/**
 * Whether all conditions hold; a text says why that cannot be told.
 * @param {readonly ((context: object) => unknown)[]} rules
 * @param {object} context
 * @returns {boolean | string}
 */
function answer(rules, context) {
  try {
    return rules.every((rule) => rule(context) === true);
  } catch (error) {
    return error instanceof Error && 'summary' in error ? String(error.summary) : String(error);
  }
}

answerAll(workerData);
