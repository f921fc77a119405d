/** Validates the guards of upkeep.yaml before any request: syntax, types, names. */

import schema from '../../../schemas/guard.schema.json' with { type: 'json' };
import type { UnlocatedFinding } from '../kinds/kind.ts';
import type { Path } from '../model/json.ts';
import { environment, type Names, typeError } from './cel.js';
import { suggest } from './did-you-mean.ts';

/** The part of JSON Schema that `schemas/guard.schema.json` uses. */
interface GuardSchema {
  readonly description?: string;
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: GuardSchema;
}

const definitions: { readonly [name: string]: { readonly properties: { readonly [field: string]: GuardSchema } } } = schema.definitions;

/** All types and variables. */
export const GUARD_VARIABLES: Names = {
  types: Object.fromEntries(Object.entries(definitions).map(([name, { properties }]) => [name, typesOf(properties)])),
  variables: typesOf(schema.properties),
};

/** All names that a guard may use, for hints. */
const KNOWN_VARIABLES: readonly string[] = [
  ...new Set([...Object.keys(GUARD_VARIABLES.variables), ...Object.values(GUARD_VARIABLES.types).flatMap((fields) => Object.keys(fields))]),
];

function typesOf(properties: { readonly [field: string]: GuardSchema }): { readonly [field: string]: string } {
  return Object.fromEntries(Object.entries(properties).map(([field, shape]) => [field, typeOf(shape)]));
}

/** Returns the CEL type of a schema. Without a type it is `dyn`, which is checked only when the guard is evaluated. */
function typeOf(shape: GuardSchema): string {
  if (shape.$ref !== undefined) return shape.$ref.replace('#/definitions/', '');
  if (shape.type === 'array') return `list<${typeOf(shape.items ?? {})}>`;
  return shape.type === 'string' ? 'string' : shape.type === 'integer' ? 'int' : 'dyn';
}

/** A guard as written in upkeep.yaml. */
export interface RawGuard {
  readonly id: string;
  readonly when?: string;
  readonly deny?: string;
  readonly warn?: string;
  readonly message: string;
}

/** An error in an expression, at the offset of a character. */
export interface ExpressionError extends UnlocatedFinding {
  readonly expression: string;
  readonly offset: number;
}

/** Returns the errors in the expressions of guards. `path` is the path of the list of guards. */
export function validateGuards(guards: readonly RawGuard[], path: Path): readonly ExpressionError[] {
  if (guards.length === 0) return [];
  const env = environment(GUARD_VARIABLES);
  return guards.flatMap((guard, index) =>
    (['when', 'deny', 'warn'] as const).flatMap((key): ExpressionError[] => {
      const expression = guard[key];
      const error = expression === undefined ? undefined : typeError(env, expression);
      if (expression === undefined || !error) return [];
      const { offset } = error;
      const summary = `guard \`${guard.id}\`, \`${key}\`: ${error.what}`;
      const hint = hintFor(error.code, expression.slice(offset));
      return [{ code: 'guard-expression', path: [...path, index, key], expression, offset, summary, hint }];
    }),
  );
}

const VARIABLES = Object.keys(GUARD_VARIABLES.variables).toSorted().join(', ');

function hintFor(code: string, rest: string): string {
  const [name = ''] = /^\w*/.exec(rest) ?? [];
  const near = suggest(name, KNOWN_VARIABLES);
  if (code === 'no_such_key' || code === 'unknown_variable') {
    const all = `A guard sees ${VARIABLES}; schemas/guard.schema.json lists what they hold.`;
    return near === undefined || near === name ? all : `Did you mean \`${near}\`? ${all}`;
  }
  return 'Guards are written in CEL (Common Expression Language) and must be true or false, for example `change.effect == "weakens"`.';
}
