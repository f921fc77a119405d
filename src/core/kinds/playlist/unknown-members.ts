/** Members of playlist entries that the API documents do not define (playlist-api-v4 section 2.2). */
import { isJson, isObject, type Path, pointer } from '../../model/json.ts';
import { asList } from '../../model/json-readers.ts';
import type { UndocumentedValue } from '../kind.ts';
import { readEntry } from './model.ts';

/** The defined members of an entry and of what it holds. */
const DEFINED = { beam: ['id'], ad: ['dur'] };

/** Returns the members of the entries of a list that the API documents do not define: an update of the list would reset them. */
export function unknownEntryMembers(playlist: unknown): readonly UndocumentedValue[] {
  return (asList(playlist) ?? []).flatMap((entry, index) => {
    const path = ['playlist', index];
    // What is no entry is unknown as a whole (`oddMembers`).
    if (!isObject(entry) || readEntry(entry) === undefined) return [];
    const inside = Object.entries(DEFINED).flatMap(([name, members]) => unknownMembers(entry[name], members, [...path, name]));
    return [...unknownMembers(entry, Object.keys(DEFINED), path), ...inside];
  });
}

/**
 * Returns the members that are not defined, except null and those that begin with `@`, which describe an answer (playlist-api-v4 section
 * 2.1).
 */
function unknownMembers(value: unknown, defined: readonly string[], path: Path): readonly UndocumentedValue[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]): UndocumentedValue[] => {
    if (defined.includes(name) || name.startsWith('@') || member === null) return [];
    return [{ path: pointer([...path, name]), value: isJson(member) ? member : 'a value that is nested too deep' }];
  });
}
