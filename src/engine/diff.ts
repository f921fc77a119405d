import type { FieldDifference } from '../model/change.ts';
import { compareText } from '../model/finding.ts';
import { equal, type Fields, isFields, type Json, type Path, pointer } from '../model/json.ts';

/** All places where two sides differ, sorted by path. Objects are compared member by member, lists and scalars whole. */
export function diff(before: Fields, after: Fields): readonly FieldDifference[] {
  // Most sides are alike, which is told without a list of their members.
  if (equal(before, after)) return [];
  const found: FieldDifference[] = [];
  collect(before, after, [], found);
  return found.sort((a, b) => compareText(a.path, b.path));
}

function collect(before: Fields, after: Fields, path: Path, found: FieldDifference[]): void {
  for (const member of Object.keys(before)) collectMember(before, after, member, path, found);
  for (const member of Object.keys(after)) if (!Object.hasOwn(before, member)) collectMember(before, after, member, path, found);
}

function collectMember(before: Fields, after: Fields, member: string, path: Path, found: FieldDifference[]): void {
  const was = ownMember(before, member);
  const is = ownMember(after, member);
  if (was === is) return;
  if (isFields(was) && isFields(is)) collect(was, is, [...path, member], found);
  else if (!equal(was, is)) found.push({ path: pointer([...path, member]), before: was, after: is });
}

function ownMember(fields: Fields, member: string): Json {
  return Object.hasOwn(fields, member) ? (fields[member] ?? null) : null;
}
