/** Replaces `${name}` in the text values of the sources (design section 3, `vars`). `$${` is a literal `${`. */

import type { UnlocatedFinding } from '../kinds/kind.ts';
import type { FindingText } from '../model/finding.ts';
import { isJsonObject, isList, type Json, type JsonObject, nullProtoObject, type Path } from '../model/json.ts';
import { suggest } from './did-you-mean.ts';

/** Maximum number of characters that variables may add to one document: as many as the maximum number of bytes of a file. */
const MAX_ADDED = 32 * 1024 * 1024;

/**
 * Replaces the variables in the text values of a document. Does not expand keys, nor the replacement values themselves. Reports variables
 * without a value.
 */
export function expandVariables(
  document: Json,
  vars: { readonly [name: string]: string },
): { readonly value: Json; readonly findings: readonly UnlocatedFinding[] } {
  if (!hasVariables(document)) return { value: document, findings: [] };
  const findings: UnlocatedFinding[] = [];
  let added = 0;
  const expandText = (text: string, path: Path) =>
    text.replaceAll(/\$\$\{|\$\{([^}]*)(\}?)/g, (written, name: string | undefined, closing: string) => {
      if (name === undefined) return '${';
      const replacement = closing !== '' && Object.hasOwn(vars, name) ? vars[name] : undefined;
      if (replacement === undefined) findings.push({ path: [...path], ...unknownVariable(name, closing !== '', Object.keys(vars)) });
      added += replacement?.length ?? 0;
      return added > MAX_ADDED ? written : (replacement ?? written);
    });
  const value = mapTexts(document, [], expandText);
  if (added > MAX_ADDED)
    findings.push({
      code: 'too-large',
      path: [],
      summary: 'the variables expand to more than 32 MiB',
      hint: 'Shorten the values of `vars`.',
    });
  return { value, findings };
}

/** Decides whether a value may contain a variable. Most documents contain none, and need no copy. */
function hasVariables(value: Json): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (Array.isArray(value)) return value.some(hasVariables);
  if (isJsonObject(value)) for (const key in value) if (hasVariables(value[key] ?? null)) return true;
  return false;
}

/** Applies `change` to every text that contains `${`. Shares unchanged parts with `value`. Modifies `path` during the traversal. */
function mapTexts(value: Json, path: (string | number)[], change: (text: string, path: Path) => string): Json {
  if (typeof value === 'string') return value.includes('${') ? change(value, path) : value;
  const mapMember = (step: string | number, member: Json) => {
    path.push(step);
    const changed = mapTexts(member, path, change);
    path.pop();
    return changed;
  };
  if (Array.isArray(value)) return mapItems(value, mapMember);
  return isJsonObject(value) ? mapMembers(value, mapMember) : value;
}

function mapItems(list: readonly Json[], mapMember: (step: number, item: Json) => Json): Json {
  let copy: Json[] | undefined;
  for (const [index, item] of list.entries()) {
    const changed = mapMember(index, item);
    if (changed === item) continue;
    copy ??= [...list];
    copy[index] = changed;
  }
  return copy ?? list;
}

function mapMembers(fields: JsonObject, mapMember: (step: string, member: Json) => Json): Json {
  let copy: { [key: string]: Json } | undefined;
  for (const [key, member] of Object.entries(fields)) {
    const changed = mapMember(key, member);
    if (changed === member) continue;
    copy ??= Object.assign(nullProtoObject(), fields);
    copy[key] = changed;
  }
  return copy ?? fields;
}

function unknownVariable(name: string, isClosed: boolean, known: readonly string[]): FindingText {
  const code = 'unknown-variable';
  const literal = 'Write $${ for a literal ${.';
  if (!isClosed) return { code, summary: '`${` without a closing brace', hint: literal };
  const near = suggest(name, known);
  const advice = near === undefined ? 'Give it a value in `vars` of the target.' : `Did you mean \`${near}\`?`;
  return { code, summary: `no variable \`${name}\` in \`vars\` of this target`, hint: `${advice} ${literal}` };
}

/** Escapes `${` in every string of a value, so that it is read back as literal text. */
export function escapeVariables(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([member, part]): [string, Json] => [member, escapeVariables(part)]));
  return isList(value) ? value.map(escapeVariables) : value;
}
