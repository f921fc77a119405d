/** The schema of source files for editors: a variable may stand in place of a number, and null where a template or a default may say a value. */
import { isObject } from '../../src/core/model/json.ts';

/** A text that is one variable and nothing else takes the type of the variable. */
const VARIABLE = { description: 'A variable or a parameter, whose type the value takes.', type: 'string', pattern: '^\\$\\{[^}]+\\}$' };

const NULL = { description: 'Removes what a template or a default says.', type: 'null' };

/** Lets every value that is no text be a variable instead, and the fields of `members`, which may have templates and defaults, be null. */
export function editorSchema(schema: object, members: readonly string[]): object {
  const written = objectOf(withVariables(schema));
  const definitions = { ...objectOf(written.definitions) };
  const pending = [...members];
  const seen = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const { properties, ...rest } = objectOf(definitions[name]);
    const entries = Object.entries(objectOf(properties)).map(([key, member]): readonly [string, unknown] => {
      const target = String(objectOf(member).$ref ?? '').replace('#/definitions/', '');
      if (isObject(objectOf(definitions[target]).properties)) pending.push(target);
      return [key, ['template', 'with'].includes(key) ? member : { anyOf: [member, NULL] }];
    });
    definitions[name] = { ...rest, properties: Object.fromEntries(entries) };
  }
  return { ...written, definitions };
}

function objectOf(value: unknown): { readonly [member: string]: unknown } {
  return isObject(value) ? value : {};
}

function withVariables(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const parts = Object.entries(schema).map(([keyword, part]): readonly [string, unknown] => {
    if (keyword === 'properties' || keyword === 'definitions')
      return [keyword, Object.fromEntries(Object.entries(Object(part)).map(([name, member]) => [name, withVariables(member)]))];
    if (keyword === 'additionalProperties' || keyword === 'items') return [keyword, withVariables(part)];
    return [keyword, part];
  });
  return orVariable(Object.fromEntries(parts));
}

/** Allows a variable in place of a number, or of true and false. */
function orVariable(schema: { readonly [keyword: string]: unknown }): unknown {
  const types = [schema.type].flat();
  const values: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
  const isScalar =
    ['integer', 'number', 'boolean'].some((type) => types.includes(type)) || values.some((value) => typeof value === 'number');
  if (!isScalar || types.includes('string')) return schema;
  const { description, ...rest } = schema;
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, VARIABLE] };
}
