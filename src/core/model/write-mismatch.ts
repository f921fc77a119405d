import { equal, isJsonObject, type Json, type JsonObject, type Path, pointer } from './json.ts';

/** Maximum length of a value in a message, in characters. */
const MAX_VALUE_LENGTH = 200;

/**
 * Describes why a write was not applied as sent: the first member in which the response differs from what was sent, both in canonical form.
 * Returns undefined where they are equal.
 */
export function describeWriteMismatch(sent: JsonObject, received: JsonObject): string | undefined {
  const found = firstDifference(sent, received, []);
  return (
    found && `${found.path} reads ${formatValue(found.received)} in the answer, not ${formatValue(found.sent)}: the service did not take it`
  );
}

interface Difference {
  readonly path: string;
  readonly sent: Json | undefined;
  readonly received: Json | undefined;
}

function firstDifference(sent: Json | undefined, received: Json | undefined, path: Path): Difference | undefined {
  if (!isJsonObject(sent) || !isJsonObject(received)) return equal(sent, received) ? undefined : { path: pointer(path), sent, received };
  for (const member of new Set([...Object.keys(sent), ...Object.keys(received)])) {
    const found = firstDifference(own(sent, member), own(received, member), [...path, member]);
    if (found) return found;
  }
  return undefined;
}

function own(fields: JsonObject, member: string): Json | undefined {
  return Object.hasOwn(fields, member) ? fields[member] : undefined;
}

function formatValue(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}...` : text;
}
