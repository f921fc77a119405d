import { equal, isJsonObject, type Json, type JsonObject, type Path, pointer } from './json.ts';

/** A value in a reason is shown up to this length, in characters. */
const LONGEST = 200;

/**
 * Why a write did not take: the first member in which its answer shows something else than was sent, both in canonical form.
 * Undefined where the answer shows what was sent.
 */
export function describeWriteMismatch(sent: JsonObject, shown: JsonObject): string | undefined {
  const found = firstDifference(sent, shown, []);
  return found && `${found.path} reads ${words(found.shown)} in the answer, not ${words(found.sent)}: the service did not take it`;
}

interface Difference {
  readonly path: string;
  readonly sent: Json | undefined;
  readonly shown: Json | undefined;
}

function firstDifference(sent: Json | undefined, shown: Json | undefined, path: Path): Difference | undefined {
  if (!isJsonObject(sent) || !isJsonObject(shown)) return equal(sent, shown) ? undefined : { path: pointer(path), sent, shown };
  for (const member of new Set([...Object.keys(sent), ...Object.keys(shown)])) {
    const found = firstDifference(own(sent, member), own(shown, member), [...path, member]);
    if (found) return found;
  }
  return undefined;
}

function own(fields: JsonObject, member: string): Json | undefined {
  return Object.hasOwn(fields, member) ? fields[member] : undefined;
}

function words(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}
