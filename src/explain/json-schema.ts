/** Words for what a schema demands of a value. */
import { isObject, type Json } from '../model/json.ts';

/** A schema, or a part of one: the members that are read here. What they hold is the program's own, and tested. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $comment?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly default?: Json;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly examples?: readonly Json[];
  readonly properties?: { readonly [key: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly allOf?: readonly { readonly then?: JsonSchema }[];
  readonly definitions?: { readonly [name: string]: JsonSchema };
  readonly [keyword: string]: unknown;
}

const TYPES: { readonly [type: string]: string } = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'map',
  array: 'list',
};

/** What a value is: `text`, `list of text`, `map by name`. */
export function typeOf(shape: JsonSchema, resolved: (part: JsonSchema) => JsonSchema): string {
  if (shape.items) return `list of ${typeOf(resolved(shape.items), resolved)}`;
  if (isObject(shape.additionalProperties) && !shape.properties) {
    const member = typeOf(resolved(shape.additionalProperties), resolved);
    return member === 'map' ? 'map by name' : `map of ${member}, by name`;
  }
  const types =
    shape.type === undefined
      ? namesOfTypes([...(shape.enum ?? []), ...(shape.const === undefined ? [] : [shape.const])])
      : [shape.type].flat();
  return types.map((type) => TYPES[type] ?? type).join(' or ') || 'map';
}

function namesOfTypes(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.map((value) => (typeof value === 'number' ? 'integer' : typeof value)))];
}

/** The unit of a number, which its description always names. */
export function unitOf({ type, description = '' }: JsonSchema): string | undefined {
  if (type !== 'integer' && type !== 'number') return undefined;
  return /\b(Unix milliseconds|seconds|MiB|requests a second|percent|UTC)\b/i.exec(description)?.[1]?.replace('Seconds', 'seconds');
}

/** Bounds of a value, each as a clause. */
export function bounds(shape: JsonSchema): readonly string[] {
  const clauses: readonly (readonly [keyword: string, say: (bound: unknown) => string])[] = [
    ['minimum', (bound) => `at least ${bound}`],
    ['exclusiveMinimum', (bound) => `above ${bound}`],
    ['maximum', (bound) => `at most ${bound}`],
    ['minItems', (bound) => `at least ${bound} in the list`],
    ['maxItems', (bound) => `at most ${bound} in the list`],
    ['maxLength', (bound) => `at most ${bound} characters`],
    ['uniqueItems', () => 'nothing twice'],
    ['pattern', (bound) => `matches ${bound}`],
  ];
  const own = clauses.flatMap(([keyword, say]) => (shape[keyword] === undefined ? [] : [say(shape[keyword])]));
  return typeof shape.propertyNames?.pattern === 'string' ? [...own, `names match ${shape.propertyNames.pattern}`] : own;
}
