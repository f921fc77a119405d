/** The schema of source files for editors, where a variable may stand in place of a number, and of true and false. */
import { isObject } from '../../src/model/json.ts';

/** A text that is one variable and nothing else takes the type of the variable. */
const VARIABLE = { description: 'A variable or a parameter, whose type the value takes.', type: 'string', pattern: '^\\$\\{[^}]+\\}$' };

/** Lets every value that is no text be a variable instead. */
export function editorSchema(schema: object): object {
  return Object.assign({}, withVariables(schema));
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
