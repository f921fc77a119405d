import type { FieldDifference } from '../model/change.ts';
import { compareStrings } from '../model/finding.ts';
import { equal, isJsonObject, type Json, type JsonObject, type Path, pointer } from '../model/json.ts';

/** All places where two sides differ, sorted by path. Objects are compared member by member, lists and scalars whole. */
export function diffFields(before: JsonObject, after: JsonObject): readonly FieldDifference[] {
  // Most sides are alike, which is told without a list of their members.
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
  const was = ownMember(before, member);
  const is = ownMember(after, member);
  if (was === is) return;
  if (isJsonObject(was) && isJsonObject(is)) collect(was, is, [...path, member], found);
  else if (!equal(was, is)) found.push({ path: pointer([...path, member]), before: was, after: is });
}

function ownMember(fields: JsonObject, member: string): Json {
  return Object.hasOwn(fields, member) ? (fields[member] ?? null) : null;
}
