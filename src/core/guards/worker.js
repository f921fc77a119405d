// @ts-check
/** The worker thread of the user's guards: an endless loop or too much memory ends only this thread. Posts `ready`, then one message for each guard. */
import { parentPort, workerData } from 'node:worker_threads';
import { classesOf, environment } from '../config/cel.js';

/** @typedef {import('./run-in-worker.ts').GuardJob} GuardJob */

/**
 * Returns a function that converts a value of a CEL type: objects to instances of the type's class, integers to BigInt, because CEL
 * distinguishes them from doubles (1 == 1.0 is a type error there).
 * @param {GuardJob['names']} names
 * @param {ReturnType<typeof classesOf>} classes
 */
function converter({ types }, classes) {
  /** @param {unknown} value @param {string | undefined} type @returns {unknown} */
  const toCel = (value, type = 'dyn') => {
    if (Array.isArray(value)) return value.map((item) => toCel(item, type.replace(/^list<(.*)>$/, '$1')));
    if (typeof value !== 'object' || value === null) return Number.isSafeInteger(value) ? BigInt(Number(value)) : value;
    const members = Object.entries(value).map(([name, each]) => [name, toCel(each, types[type]?.[name])]);
    return Object.setPrototypeOf(Object.fromEntries(members), classes[type]?.prototype ?? Object.prototype);
  };
  return toCel;
}

/** @param {GuardJob} job */
function answerAll({ names, guards, target, run, plan, subjects }) {
  const classes = classesOf(names);
  const celEnvironment = environment(names, classes);
  const toCel = converter(names, classes);
  const { variables } = names;
  const forAll = { target, run: toCel(run, variables.run), plan: toCel(plan, variables.plan) };
  const contexts = subjects.map(({ change, impact }) => ({
    ...forAll,
    change: toCel(change, variables.change),
    impact: toCel(impact, variables.impact),
  }));
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
