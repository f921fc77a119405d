/** Members of playlist entries that the API documents do not define (playlist-api-v4 section 2.2). */
import { isJson, isObject, type Path, pointer } from '../../model/json.ts';
import { asList } from '../../model/json-readers.ts';
import type { UndocumentedValue } from '../kind.ts';
import { readEntry } from './model.ts';

/** The defined members of an entry, and of what each of them holds. */
const ENTRY = ['beam', 'ad'] as const;
const DEFINED = { beam: ['id'], ad: ['dur'] } as const;

/** Returns the members of the entries of a list that the API documents do not define: an update of the list would reset them. */
export function unknownEntryMembers(playlist: unknown): readonly UndocumentedValue[] {
  const found: UndocumentedValue[] = [];
  for (const [index, entry] of (asList(playlist) ?? []).entries()) {
    // What is no entry is unknown as a whole (`oddMembers`).
    if (!isObject(entry) || readEntry(entry) === undefined) continue;
    collectUnknown(entry, ENTRY, ['playlist', index], found);
    for (const name of ENTRY) collectUnknown(entry[name], DEFINED[name], ['playlist', index, name], found);
  }
  return found;
}

/**
 * Collects the members that are not defined, except null and those that begin with `@`, which describe an answer (playlist-api-v4 section
 * 2.1).
 */
function collectUnknown(value: unknown, defined: readonly string[], path: Path, found: UndocumentedValue[]): void {
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (defined.includes(name) || name.startsWith('@') || member === null) continue;
    found.push({ path: pointer([...path, name]), value: isJson(member) ? member : 'a value that is nested too deep' });
  }
}
