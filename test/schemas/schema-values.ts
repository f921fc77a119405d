/** Generates values that a schema describes: mostly valid ones, and each a few changes away from them. */
import fc from 'fast-check';
import { isObject } from '../../src/core/model/json.ts';
import { mutateJson } from '../hostile/mutate-json.ts';
import { randomOf } from '../hostile/random.ts';

type Schema = { readonly [keyword: string]: unknown };

/** JSON texts of values that a schema describes, and of values that differ from such a value in one to three places. */
export function textsFor(root: Schema): fc.Arbitrary<string> {
  const valid = valuesOf(root, root, 0).map((value) => JSON.stringify(value));
  const mutated = fc.tuple(valid, fc.nat()).map(([text, seed]) => mutateJson(Buffer.from(text), randomOf(seed, 0))?.toString() ?? text);
  return fc.oneof(valid, mutated);
}

/** Lists become shorter and optional members fewer below this level, so that recursive schemas end. */
const DEEP = 6;

function valuesOf(root: Schema, schema: Schema, level: number): fc.Arbitrary<unknown> {
  const resolved = resolve(root, schema);
  const { type, enum: values, const: only, oneOf, anyOf, examples } = resolved;
  if ('const' in resolved) return fc.constant(only);
  if (Array.isArray(values)) return fc.constantFrom<unknown>(...values);
  const alternatives = [oneOf ?? anyOf ?? []].flat().filter(isObject);
  if (alternatives.length > 0)
    return fc.oneof(...alternatives.map((each) => valuesOf(root, withAlternative(resolved, resolve(root, each), alternatives), level + 1)));
  const types = [type ?? (isObject(resolved.properties) ? 'object' : ['string', 'integer'])].flat();
  const known = Array.isArray(examples) && examples.length > 0 ? [fc.constantFrom<unknown>(...examples)] : [];
  return fc.oneof(...known, ...types.map((each) => valuesOfType(root, resolved, String(each), level)));
}

function valuesOfType(root: Schema, schema: Schema, type: string, level: number): fc.Arbitrary<unknown> {
  const limit = (keyword: string, otherwise: number) => (typeof schema[keyword] === 'number' ? schema[keyword] : otherwise);
  const least = limit('minimum', limit('exclusiveMinimum', -3) + 1);
  switch (type) {
    case 'string': {
      const [minLength, maxLength] = [limit('minLength', 0), Math.min(limit('maxLength', 12), 100)];
      const free = fc.string({ minLength, maxLength: Math.max(minLength, maxLength) });
      return typeof schema.pattern === 'string' ? matching(schema.pattern, free) : free;
    }
    case 'integer':
      return fc.integer({ min: Math.ceil(least), max: Math.max(Math.ceil(least), Math.min(limit('maximum', 1e6), 2 ** 31 - 1)) });
    case 'number':
      return fc.oneof(fc.integer({ min: Math.ceil(least), max: Math.ceil(least) + 5 }), fc.constantFrom(0.5, 1.5, least));
    case 'boolean':
      return fc.boolean();
    case 'array': {
      const minLength = limit('minItems', 0);
      const maxLength = Math.max(minLength, level > DEEP ? 0 : Math.min(limit('maxItems', 3), minLength + 3));
      return fc.array(valuesOf(root, isObject(schema.items) ? schema.items : {}, level + 1), { minLength, maxLength });
    }
    case 'object':
      return objects(root, schema, level);
    default:
      return fc.constant(null);
  }
}

/** Joins a schema with one of its alternatives, without the members that only the other ones require. */
function withAlternative({ oneOf: _one, anyOf: _any, ...schema }: Schema, alternative: Schema, alternatives: readonly Schema[]): Schema {
  const required = [schema.required ?? [], alternative.required ?? []].flat();
  const foreign = alternatives.flatMap((each) => [each.required ?? []].flat()).filter((name) => !required.includes(name));
  const properties = Object.entries({ ...Object(schema.properties), ...Object(alternative.properties) });
  const own = Object.fromEntries(properties.filter(([name]) => !foreign.includes(name)));
  return { ...schema, ...alternative, required, ...(properties.length > 0 ? { properties: own } : {}) };
}

/** Texts that match a pattern; those of a pattern with a lookahead, which the generator does not know, are any texts that match it. */
function matching(pattern: string, free: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const expression = new RegExp(pattern, 'u');
  return pattern.includes('(?!') ? free.filter((text) => expression.test(text)) : fc.stringMatching(expression);
}

function objects(root: Schema, schema: Schema, level: number): fc.Arbitrary<unknown> {
  const required = [schema.required ?? []].flat().map(String);
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
    .filter(([name]) => level <= DEEP || required.includes(name))
    .map(([name, member]) => [name, valuesOf(root, isObject(member) ? member : {}, level + 1)] as const);
  const most = Number(schema.maxProperties ?? properties.length);
  const least = Math.min(Math.max(1, Number(schema.minProperties ?? 1)), most);
  const picked =
    most < properties.length
      ? fc.shuffledSubarray(properties, { minLength: least, maxLength: most }).filter((some) => hasDependencies(schema, some))
      : fc.constant(properties);
  const own = picked.chain((members) => {
    const requiredKeys = members.map(([key]) => key).filter((key) => most < properties.length || required.includes(key));
    return fc.record(Object.fromEntries(members), { requiredKeys });
  });
  const others = isObject(schema.additionalProperties) && level <= DEEP ? schema.additionalProperties : undefined;
  const name = isObject(schema.propertyNames)
    ? valuesOf(root, { type: 'string', ...schema.propertyNames }, level)
    : fc.constantFrom('a', 'b/c');
  const minKeys = Math.max(0, Number(schema.minProperties ?? 0) - required.length);
  const member = others && valuesOf(root, others, level + 1);
  const dictionary = member ? fc.dictionary(name.map(String), member, { minKeys, maxKeys: minKeys + 2 }) : fc.constant({});
  return fc.tuple(dictionary, own).map(([some, rest]) => ({ ...some, ...rest }));
}

/** Decides whether members are there together with those that `dependencies` wants beside them. */
function hasDependencies({ dependencies }: Schema, members: readonly (readonly [string, unknown])[]): boolean {
  const names = new Set(members.map(([name]) => name));
  const wanted = Object.entries(isObject(dependencies) ? dependencies : {}).flatMap(([name, others]) =>
    names.has(name) ? [others].flat() : [],
  );
  return wanted.every((name) => names.has(String(name)));
}

function resolve(root: Schema, schema: Schema): Schema {
  const { $ref, ...rest } = schema;
  const [, name] = /^#\/definitions\/(.+)$/.exec(String($ref)) ?? [];
  if (name === undefined || !isObject(root.definitions)) return schema;
  return { ...rest, ...resolve(root, Object(root.definitions[name])) };
}
