/** The schema of source files as people write them, derived from that of the expanded sources: with templates, tables and variables. */
import { languageSchema, templatedSections } from '../../src/config/expand/language-schema.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { isObject } from '../../src/model/json.ts';

/** A text that is one variable and nothing else takes the type of the variable. */
const VARIABLE = { description: 'A variable or a parameter, whose type the value takes.', type: 'string', pattern: '^\\$\\{[^}]+\\}$' };

const INCLUDE = {
  description: 'The name of a list of entry_lists, whose entries are put here.',
  type: 'string',
  minLength: 1,
  examples: ['evening-pod'],
};

/** Builds the schema for editors. */
export function editorSchema(expanded: object, kinds: readonly Kind[]): object {
  const schema = object(withVariables(expanded));
  const language = languageSchema(kinds);
  const definitions = { ...object(schema.definitions) };
  for (const { key, singular, entriesField } of templatedSections(kinds)) {
    const section = object(object(schema.properties)[key]);
    const name = String(object(section.additionalProperties).$ref).replace('#/definitions/', '');
    const member = object(definitions[name]);
    definitions[name] = withTemplate(member, singular);
    const list = object(object(member.properties)[entriesField ?? '']);
    const entry = String(object(list.items).$ref).replace('#/definitions/', '');
    if (entriesField !== undefined) definitions[entry] = withInclude(object(definitions[entry]));
  }
  return {
    ...schema,
    title: 'upkeep source file',
    properties: { ...object(language.properties), ...object(schema.properties) },
    definitions,
  };
}

/** A resource may name a template, which can give the fields that are required. */
function withTemplate({ required, ...member }: { readonly [keyword: string]: unknown }, singular: string): object {
  return {
    ...member,
    properties: {
      template: {
        description: `The template that makes this ${singular}; the fields here take precedence.`,
        type: 'string',
        minLength: 1,
        examples: ['show'],
      },
      with: { description: 'Values for the parameters of the template.', type: 'object', examples: [{ title: 'Kids 01' }] },
      ...object(member.properties),
    },
    ...(required === undefined ? {} : { if: { required: ['template'] }, else: { required } }),
  };
}

function withInclude(entry: { readonly [keyword: string]: unknown }): object {
  return { ...entry, properties: { ...object(entry.properties), include: INCLUDE } };
}

/** Lets every value that is no text be a variable instead. */
function withVariables(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const parts = Object.entries(schema).map(([keyword, part]): readonly [string, unknown] => {
    if (keyword === 'properties' || keyword === 'definitions')
      return [keyword, Object.fromEntries(Object.entries(object(part)).map(([name, member]) => [name, withVariables(member)]))];
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
    types.some((type) => type === 'integer' || type === 'number' || type === 'boolean') ||
    values.some((value) => typeof value === 'number');
  if (!isScalar || types.includes('string')) return schema;
  const { description, ...rest } = schema;
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, VARIABLE] };
}

function object(value: unknown): { readonly [member: string]: unknown } {
  return isObject(value) ? value : {};
}
