/** The names that a guard may use, as CEL types: read off the schema of what it sees, which is their one source. */
import schema from '../../schemas/guard.schema.json' with { type: 'json' };
import type { Names } from './cel.js';

/** The part of JSON Schema that `schemas/guard.schema.json` uses. */
interface Shape {
  readonly description?: string;
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Shape;
}

const definitions: { readonly [name: string]: { readonly properties: { readonly [field: string]: Shape } } } = schema.definitions;

/** Every type and variable. */
export const GUARD_VARIABLES: Names = {
  types: Object.fromEntries(Object.entries(definitions).map(([name, { properties }]) => [name, typesOf(properties)])),
  variables: typesOf(schema.properties),
};

/** Every name that can stand in a guard, for hints. */
export const KNOWN_VARIABLES: readonly string[] = [
  ...new Set([...Object.keys(GUARD_VARIABLES.variables), ...Object.values(GUARD_VARIABLES.types).flatMap((fields) => Object.keys(fields))]),
];

function typesOf(properties: { readonly [field: string]: Shape }): { readonly [field: string]: string } {
  return Object.fromEntries(Object.entries(properties).map(([field, shape]) => [field, typeOf(shape)]));
}

/** A value without a type may be any, and is looked at only when the guard is asked. */
function typeOf(shape: Shape): string {
  if (shape.$ref !== undefined) return shape.$ref.replace('#/definitions/', '');
  if (shape.type === 'array') return `list<${typeOf(shape.items ?? {})}>`;
  return shape.type === 'string' ? 'string' : shape.type === 'integer' ? 'int' : 'dyn';
}
