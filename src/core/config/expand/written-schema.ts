/** The schema of source files as people write them: that of the expanded sources, with templates, tables, defaults and entry lists. */
import { isObject } from '../../model/json.ts';
import type { SourceModel } from '../source-model.ts';
import { expansionSchema, includeSchema, instanceProperties, type TemplatedSection } from './expansion-schema.ts';

/** A schema, or a part of one. */
type Schema = { readonly [keyword: string]: unknown };

/** Builds the schema for `explain`. `schemas/source.schema.json`, for editors, allows variables in place of numbers as well. */
export function writtenSchema({ schema, templatedSections }: SourceModel): Schema {
  const expansion = expansionSchema(templatedSections);
  const definitions: { [name: string]: unknown } = { ...objectOf(schema.definitions) };
  for (const section of templatedSections) {
    const { key, entriesField } = section;
    const member = definitionOf(objectOf(objectOf(objectOf(schema.properties)[key]).additionalProperties));
    definitions[member] = withTemplate(objectOf(definitions[member]), section);
    if (entriesField === undefined) continue;
    const list = objectOf(objectOf(objectOf(definitions[member]).properties)[entriesField]);
    const entry = definitionOf(objectOf(list.items));
    definitions[entry] = withInclude(objectOf(definitions[entry]));
  }
  const properties = { ...objectOf(schema.properties), ...expansion.properties };
  return { ...schema, title: 'upkeep source file', properties, definitions };
}

/** Returns the names of the definitions of resources that may have templates and defaults. */
export function templatedDefinitions({ schema, templatedSections }: SourceModel): readonly string[] {
  return templatedSections.map(({ key }) => definitionOf(objectOf(objectOf(objectOf(schema.properties)[key]).additionalProperties)));
}

function definitionOf({ $ref }: Schema): string {
  return String($ref).replace('#/definitions/', '');
}

/** A resource may name a template, which can give the fields that are required. */
function withTemplate({ required, if: condition, else: otherwise, ...member }: Schema, section: TemplatedSection): Schema {
  const named = { required: ['template'] };
  return {
    ...member,
    properties: { ...instanceProperties(section), ...objectOf(member.properties) },
    ...(required === undefined ? {} : { if: named, else: { required } }),
    ...(condition === undefined ? {} : { if: { anyOf: [named, condition] }, else: otherwise }),
  };
}

function withInclude(entry: Schema): Schema {
  return { ...entry, properties: { ...objectOf(entry.properties), include: includeSchema } };
}

function objectOf(value: unknown): Schema {
  return isObject(value) ? value : {};
}
