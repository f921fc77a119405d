/** The schema of overlays, derived from the schema of all sources: members are optional, and null removes a value. */
import { isObject } from '../../src/core/model/json.ts';

const TAKES_AWAY = 'Takes away what an earlier source says.';

/** The schema for overlays. */
export function overlaySchema(source: object): object {
  const description = 'What is laid over earlier sources: maps merge by key, everything else is replaced, and null takes away.';
  return Object.assign({}, relaxed(source, false), { title: 'upkeep overlay file', description, type: 'object' });
}

/** Lists are replaced as a whole, so their items have to be complete. */
function relaxed(schema: unknown, inList: boolean): unknown {
  if (!isObject(schema)) return schema;
  const { required, type, enum: values, enumDescriptions, if: condition, else: otherwise, ...rest } = schema;
  const parts = Object.entries(rest).map(([keyword, part]): readonly [string, unknown] => {
    if (keyword === 'properties' || keyword === 'definitions')
      return [keyword, Object.fromEntries(Object.entries(Object(part)).map(([name, member]) => [name, relaxed(member, inList)]))];
    if (keyword === 'additionalProperties' || keyword === 'items') return [keyword, relaxed(part, inList || keyword === 'items')];
    // One alternative that takes null is enough.
    if (keyword === 'anyOf' && Array.isArray(part)) return [keyword, part.map((each, index) => relaxed(each, inList || index > 0))];
    return [keyword, part];
  });
  return {
    ...Object.fromEntries(parts),
    ...(type === undefined ? {} : { type: inList ? type : [type, 'null'].flat() }),
    ...(Array.isArray(values) ? { enum: inList ? values : [...values, null] } : {}),
    ...(Array.isArray(enumDescriptions) ? { enumDescriptions: inList ? enumDescriptions : [...enumDescriptions, TAKES_AWAY] } : {}),
    ...(inList && required !== undefined ? { required } : {}),
    ...(inList && condition !== undefined ? { if: condition, else: otherwise } : {}),
  };
}
