import { isObject } from '../model/json.ts';

/** How deep a body is described, and how many members of an object are named. */
const MAX_DEPTH = 3;
const MAX_MEMBERS = 12;

/**
 * Describes a body by its members and their types, without values: `{items: 3 x {id: string, desc: string}, total_items: number}`. Of a list
 * the first item stands for all.
 */
export function bodyShape(value: unknown, depth = 0): string {
  if (value === undefined) return 'none';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `${value.length} x ${bodyShape(value[0], depth)}`;
  if (!isObject(value)) return typeof value;
  const names = Object.keys(value);
  if (depth === MAX_DEPTH) return `{${names.length} members}`;
  const named = names.slice(0, MAX_MEMBERS).map((name) => `${name}: ${bodyShape(value[name], depth + 1)}`);
  return `{${[...named, ...(names.length > MAX_MEMBERS ? [`${names.length - MAX_MEMBERS} more`] : [])].join(', ')}}`;
}
