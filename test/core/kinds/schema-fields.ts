/** The fields that users may write by a kind's schema, so that every field has a truth table. */
import type { Kind } from '../../../src/core/kinds/kind.ts';
import { isObject, type Json } from '../../../src/core/model/json.ts';
import { jsonOf } from '../../support/fake-account.ts';

/**
 * One field: a JSON Pointer in which `*` is any element of a list, and the values that the schema names, including the limits of its range.
 */
export interface SchemaField {
  readonly path: string;
  readonly values: readonly Json[];
}

type Shape = { readonly [keyword: string]: unknown };

/** The fields of a kind's resources; a section that is a list is one field. */
export function schemaFieldsOf({ sections, schema }: Pick<Kind, 'sections' | 'schema'>): readonly SchemaField[] {
  const definitions = schema.definitions ?? {};
  const resolved = (part: unknown): Shape => {
    const shape = isObject(part) ? part : {};
    return typeof shape.$ref === 'string' ? resolved(definitions[shape.$ref.replace('#/definitions/', '')]) : shape;
  };
  const fieldsIn = (shape: Shape, path: string): readonly SchemaField[] => {
    const items = resolved(shape.items);
    if (isObject(items.properties)) return fieldsIn(items, `${path}/*`);
    if (!isObject(shape.properties)) return [{ path, values: valuesOf(shape) }];
    return Object.entries(shape.properties).flatMap(([member, part]) => fieldsIn(resolved(part), `${path}/${member}`));
  };
  return sections
    .filter(({ addressPrefix }) => addressPrefix !== null)
    .flatMap(({ key }) => {
      const section = resolved(schema.properties[key]);
      const resource = isObject(section.additionalProperties) ? resolved(section.additionalProperties) : section;
      return fieldsIn(resource, isObject(resource.properties) ? '' : `/${key}`);
    });
}

function valuesOf({ type, enum: listed, minimum, maximum }: Shape): readonly Json[] {
  if (Array.isArray(listed)) return listed.map(jsonOf);
  if (type === 'boolean') return [false, true];
  return [minimum, maximum].flatMap((end) => (typeof end === 'number' ? [end] : []));
}
