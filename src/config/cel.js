// @ts-check
/**
 * Parses and type-checks CEL expressions. Plain JavaScript, because a worker thread loads this file directly, from the sources and from the
 * package.
 */
import { Environment } from '@marcbachmann/cel-js';

/**
 * The names that an expression may use: the fields of each type, and the variables, all with their CEL types.
 * @typedef {{ readonly types: { readonly [type: string]: { readonly [field: string]: string } }, readonly variables: { readonly [name:
 * string]: string } }} Names
 */

/** Limits of an expression, so that a reviewer can read it and parsing cannot exhaust the stack. */
const LIMITS = { maxAstNodes: 2_000, maxDepth: 60, maxListElements: 500, maxMapEntries: 100, maxCallArguments: 16 };

/**
 * Creates an environment that knows the type of every name.
 * @param {Names} names
 */
export function environment({ types, variables }) {
  const env = new Environment({ unlistedVariablesAreDyn: false, limits: LIMITS });
  for (const [name, fields] of Object.entries(types)) env.registerType(name, { fields });
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
  if (valid) return type === 'bool' ? undefined : { code: 'type', what: `it gives ${type}, and must give bool`, offset: 0 };
  return { code: error?.code ?? 'error', what: error?.summary ?? 'it cannot be read', offset: error?.range?.start ?? 0 };
}
