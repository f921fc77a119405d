// @ts-check
/** The door to CEL. Plain JavaScript, because a worker thread loads it as it stands, from the sources as from the package. */
import { Environment } from '@marcbachmann/cel-js';

/**
 * What an expression may name: the fields of each type, and the variables, all with their CEL types.
 * @typedef {{ readonly types: { readonly [type: string]: { readonly [field: string]: string } }, readonly variables: { readonly [name: string]: string } }} Names
 */

/** An expression beyond these is no rule that a reviewer could read; and nothing that is parsed may exhaust the stack. */
const LIMITS = { maxAstNodes: 2_000, maxDepth: 60, maxListElements: 500, maxMapEntries: 100, maxCallArguments: 16 };

/**
 * An environment in which every name is known with its type.
 * @param {Names} names
 */
export function environment({ types, variables }) {
  const made = new Environment({ unlistedVariablesAreDyn: false, limits: LIMITS });
  for (const [name, fields] of Object.entries(types)) made.registerType(name, { fields });
  for (const [name, type] of Object.entries(variables)) made.registerVariable(name, type);
  return made;
}

/**
 * What is wrong with an expression that must be true or false, and where: an offset in its characters. Undefined where nothing is.
 * @param {Environment} within
 * @param {string} expression
 * @returns {{ readonly code: string, readonly what: string, readonly offset: number } | undefined}
 */
export function typeError(within, expression) {
  const { valid, type, error } = within.check(expression);
  if (valid) return type === 'bool' ? undefined : { code: 'type', what: `it gives ${type}, and must give bool`, offset: 0 };
  return { code: error?.code ?? 'error', what: error?.summary ?? 'it cannot be read', offset: error?.range?.start ?? 0 };
}
