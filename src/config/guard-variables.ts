/** The variables that a guard may use, with their CEL types, derived from `schemas/guard.schema.json`. */
import schema from '../../schemas/guard.schema.json' with { type: 'json' };
import type { Names } from './cel.js';

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
export const KNOWN_VARIABLES: readonly string[] = [
  ...new Set([...Object.keys(GUARD_VARIABLES.variables), ...Object.values(GUARD_VARIABLES.types).flatMap((fields) => Object.keys(fields))]),
];

function typesOf(properties: { readonly [field: string]: GuardSchema }): { readonly [field: string]: string } {
  return Object.fromEntries(Object.entries(properties).map(([field, shape]) => [field, typeOf(shape)]));
}

/** Returns the CEL type of a schema; `dyn` without a type, which is checked only when the guard is evaluated. */
function typeOf(shape: GuardSchema): string {
  if (shape.$ref !== undefined) return shape.$ref.replace('#/definitions/', '');
  if (shape.type === 'array') return `list<${typeOf(shape.items ?? {})}>`;
  return shape.type === 'string' ? 'string' : shape.type === 'integer' ? 'int' : 'dyn';
}
