/** Fills in the members that a schema requires and a value lacks, for answers of which only some members matter. */
import { isObject } from '../../src/core/model/json.ts';
import type { Schema } from './published-types.ts';

/** The text of members that were filled in, so that one that is shown after all is seen. */
const TEXT = 'filled in';

/** Returns the value with all required members. A part that the schema does not allow stays as it is. */
export function fillIn(root: Schema, value: unknown): unknown {
  const fill = (schema: Schema, part: unknown): unknown => {
    const { type, properties, required, items, anyOf } = resolve(root, schema);
    if (Array.isArray(anyOf)) return fill(alternativeFor(root, anyOf.filter(isObject), part), part);
    if (Array.isArray(part)) return isObject(items) ? part.map((each) => fill(items, each)) : part;
    if (!isObject(part) || type !== 'object' || !isObject(properties)) return part;
    const own = Object.entries(part).map(([name, member]) => [name, isObject(properties[name]) ? fill(properties[name], member) : member]);
    const lacking = [required].flat().filter((name) => !Object.hasOwn(part, String(name)));
    const added = lacking.map((name) => [name, smallest(Object(properties[String(name)]))]);
    return Object.fromEntries([...own, ...added]);
  };

  const smallest = (schema: Schema): unknown => {
    const { type, enum: values, const: only, anyOf } = resolve(root, schema);
    if (Array.isArray(anyOf)) return anyOf.some((each) => each.type === 'null') ? null : smallest(anyOf[0]);
    if (Array.isArray(values)) return values[0];
    if (only !== undefined) return only;
    if (type === 'object') return fill(schema, {});
    return type === 'array' ? [] : type === 'string' ? TEXT : type === 'null' ? null : 0;
  };

  return fill(root, value);
}

function resolve(root: Schema, schema: Schema): Schema {
  const [, name] = /^#\/definitions\/(.+)$/.exec(String(schema.$ref)) ?? [];
  return name !== undefined && isObject(root.definitions) ? Object(root.definitions[name]) : schema;
}

/** Returns the alternative for a list, or that for an object with these members; one that changes nothing if there is none. */
function alternativeFor(root: Schema, alternatives: readonly Schema[], value: unknown): Schema {
  const fits = alternatives.find((each) => {
    const { type, properties } = resolve(root, each);
    if (Array.isArray(value)) return type === 'array';
    return isObject(value) && isObject(properties) && Object.keys(value).every((name) => Object.hasOwn(properties, name));
  });
  return fits ?? { not: {} };
}
