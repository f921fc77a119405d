// @ts-check
/**
 * Parses and type-checks CEL expressions. Plain JavaScript, because a worker thread loads this file directly, from the sources and from the
 * package.
 */
import { Environment, UnsignedInt } from '@marcbachmann/cel-js/evaluator';

/**
 * The names that an expression may use: the fields of each type, and the variables, all with their CEL types.
 * @typedef {{ readonly types: { readonly [type: string]: { readonly [field: string]: string } }, readonly variables: { readonly [name:
 * string]: string } }} Names
 */

/** Limits of an expression, so that a reviewer can read it and parsing cannot exhaust the stack. */
const LIMITS = { maxAstNodes: 2_000, maxDepth: 60, maxListElements: 500, maxMapEntries: 100, maxCallArguments: 16 };

/**
 * Creates a class for each type. An element of a list is of a type only as an instance of its class.
 * @param {Pick<Names, 'types'>} names
 * @returns {{ readonly [type: string]: new () => object }}
 */
export function classesOf({ types }) {
  return Object.fromEntries(Object.keys(types).map((name) => [name, class {}]));
}

/**
 * Creates an environment that knows the type of every name.
 * @param {Names} names
 */
export function environment({ types, variables }, classes = classesOf({ types })) {
  const env = new Environment({ unlistedVariablesAreDyn: false, limits: LIMITS });
  for (const [name, fields] of Object.entries(types)) env.registerType(name, { fields, ctor: classes[name] });
  for (const [name, type] of Object.entries(variables)) env.registerVariable(name, type);
  return env;
}

/**
 * Returns the first error of an expression that must be a bool, with its offset in UTF-16 code units; undefined where it is valid.
 * @param {Environment} within
 * @param {string} expression
 * @returns {{ readonly code: string, readonly what: string, readonly offset: number } | undefined}
 */
export function typeError(within, expression) {
  const { valid, type, error } = within.check(expression);
  if (!valid) return { code: error?.code ?? 'error', what: error?.summary ?? 'it cannot be read', offset: error?.range?.start ?? 0 };
  if (type !== 'bool') return { code: 'type', what: `it gives ${type}, and must give bool`, offset: 0 };
  return deviationIn(within.parse(expression).ast);
}

/**
 * The forms of RE2, the syntax of patterns in CEL, that a JavaScript pattern accepts with another meaning, for example `\A`, `\pL`,
 * `[:alpha:]` and `[]x]`. A pattern with one of them matches too little, without an error.
 */
const re2Only = /(?<!\\)(?:\\\\)*(?<form>\\(?![bBdDsSwWfnrtv]|x[0-9a-fA-F]{2})[A-Za-z]|\[:\^?\w+:\]|(?<!\[)\[\^?\])/;

/** @typedef {import('@marcbachmann/cel-js').ASTNode} Node */

/**
 * Returns the first part of an expression that the library evaluates to another value than CEL wants; undefined without one.
 * @param {unknown} part a node of the syntax tree, or what a node has as arguments
 * @returns {ReturnType<typeof typeError>}
 */
function deviationIn(part) {
  if (Array.isArray(part)) return part.map(deviationIn).find((each) => each !== undefined);
  if (!isNode(part)) return undefined;
  // The library does not find an unsigned integer in a list of other numbers, nor the reverse.
  if ((part.op === 'value' && part.args instanceof UnsignedInt) || (part.op === 'call' && part.args[0] === 'uint'))
    return { code: 'unsigned', what: 'unsigned integers are not supported: write 1, not 1u', offset: part.start };
  return misreadPattern(part) ?? deviationIn(part.args);
}

/**
 * @param {unknown} part
 * @returns {part is Node}
 */
function isNode(part) {
  return typeof part === 'object' && part !== null && 'op' in part && 'args' in part;
}

/**
 * @param {Node} node
 * @returns {ReturnType<typeof typeError>}
 */
function misreadPattern(node) {
  if (node.op !== 'rcall' || node.args[0] !== 'matches') return undefined;
  const [pattern] = node.args[2];
  const form = pattern?.op === 'value' ? re2Only.exec(String(pattern.args))?.groups?.form : undefined;
  if (pattern === undefined || form === undefined) return undefined;
  return { code: 'pattern', what: `\`matches\` takes a JavaScript pattern, where \`${form}\` means something else`, offset: pattern.start };
}
