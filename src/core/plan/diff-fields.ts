import type { FieldDifference } from '../model/change.ts';
import { compareStrings } from '../model/finding.ts';
import { equal, isJsonObject, type Json, type JsonObject, type Path, pointer } from '../model/json.ts';

/** Returns all fields that differ, sorted by path. Objects are compared member by member, lists and scalars as a whole. */
export function diffFields(before: JsonObject, after: JsonObject): readonly FieldDifference[] {
  // Most resources are equal, and `equal` builds no list of members.
  if (equal(before, after)) return [];
  const found: FieldDifference[] = [];
  collect(before, after, [], found);
  return found.sort((a, b) => compareStrings(a.path, b.path));
}

function collect(before: JsonObject, after: JsonObject, path: Path, found: FieldDifference[]): void {
  for (const member of Object.keys(before)) collectMember(before, after, member, path, found);
  for (const member of Object.keys(after)) if (!Object.hasOwn(before, member)) collectMember(before, after, member, path, found);
}

function collectMember(before: JsonObject, after: JsonObject, member: string, path: Path, found: FieldDifference[]): void {
  const memberBefore = ownMember(before, member);
  const memberAfter = ownMember(after, member);
  if (memberBefore === memberAfter) return;
  if (isJsonObject(memberBefore) && isJsonObject(memberAfter)) collect(memberBefore, memberAfter, [...path, member], found);
  else if (!equal(memberBefore, memberAfter)) found.push({ path: pointer([...path, member]), before: memberBefore, after: memberAfter });
}

function ownMember(fields: JsonObject, member: string): Json {
  return Object.hasOwn(fields, member) ? (fields[member] ?? null) : null;
}
