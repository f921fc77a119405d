/** Describes the constraints of a JSON Schema in words. */
import { isObject, type Json } from '../model/json.ts';

/** A schema, or a part of one: the keywords that are read here. All schemas are upkeep's own. */
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
  /** The forms that a value may have. */
  readonly anyOf?: readonly JsonSchema[];
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

/** Describes the type of a value: `text`, `list of text`, `map by name`. `resolve` resolves the `$ref` of a part. */
export function typeOf(schema: JsonSchema, resolve: (part: JsonSchema) => JsonSchema): string {
  if (schema.items) return `list of ${typeOf(resolve(schema.items), resolve)}`;
  if (isObject(schema.additionalProperties) && !schema.properties) {
    const member = typeOf(resolve(schema.additionalProperties), resolve);
    return member === 'map' ? 'map by name' : `map of ${member}, by name`;
  }
  const { anyOf, type } = schema;
  if (anyOf && type === undefined) return [...new Set(anyOf.map((form) => typeOf(resolve(form), resolve)))].join(' or ');
  const types =
    type === undefined ? namesOfTypes([...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])]) : [type].flat();
  return types.map((type) => TYPES[type] ?? type).join(' or ') || 'map';
}

function namesOfTypes(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.map((value) => (typeof value === 'number' ? 'integer' : typeof value)))];
}

/** Returns the unit of a number, from its description. */
export function unitOf({ type, description = '' }: JsonSchema): string | undefined {
  if (type !== 'integer' && type !== 'number') return undefined;
  return /\b(Unix milliseconds|seconds|MiB|requests a second|percent|UTC)\b/i.exec(description)?.[1]?.replace('Seconds', 'seconds');
}

/** Returns the constraints of a value, each as a clause. */
export function bounds(schema: JsonSchema): readonly string[] {
  const clauses: readonly (readonly [keyword: string, describe: (bound: unknown) => string])[] = [
    ['minimum', (bound) => `at least ${bound}`],
    ['exclusiveMinimum', (bound) => `above ${bound}`],
    ['maximum', (bound) => `at most ${bound}`],
    ['minItems', (bound) => `at least ${bound} in the list`],
    ['maxItems', (bound) => `at most ${bound} in the list`],
    ['maxLength', (bound) => `at most ${bound} characters`],
    ['uniqueItems', () => 'nothing twice'],
    ['pattern', (bound) => `matches ${bound}`],
  ];
  const own = clauses.flatMap(([keyword, describe]) => (schema[keyword] === undefined ? [] : [describe(schema[keyword])]));
  return typeof schema.propertyNames?.pattern === 'string' ? [...own, `names match ${schema.propertyNames.pattern}`] : own;
}
