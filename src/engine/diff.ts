import type { FieldDifference } from '../model/change.ts';
import { compareText } from '../model/finding.ts';
import { equal, type Fields, isFields, type Json, type Path, pointer } from '../model/json.ts';

/** All places where two sides differ, sorted by path. Objects are compared member by member, lists and scalars whole. */
export function diff(before: Fields, after: Fields): readonly FieldDifference[] {
  const found: FieldDifference[] = [];
  collect(before, after, [], found);
  return found.sort((a, b) => compareText(a.path, b.path));
}

function collect(before: Fields, after: Fields, path: Path, found: FieldDifference[]): void {
  for (const member of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const was = ownMember(before, member);
    const is = ownMember(after, member);
    const here = [...path, member];
    if (isFields(was) && isFields(is)) collect(was, is, here, found);
    else if (!equal(was, is)) found.push({ path: pointer(here), before: was, after: is });
  }
}

function ownMember(fields: Fields, member: string): Json {
  return Object.hasOwn(fields, member) ? (fields[member] ?? null) : null;
}
