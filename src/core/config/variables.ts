/** Replaces `${name}` in the values of the sources (design section 3, `vars`). `$${` is a literal `${`. */

import type { UnlocatedFinding } from '../kinds/kind.ts';
import type { FindingText } from '../model/finding.ts';
import { isJsonObject, isList, type Json, type JsonObject, nullProtoObject, type Path } from '../model/json.ts';
import { suggest } from './did-you-mean.ts';
import { createBudget, type ExpansionBudget } from './expand/budget.ts';
import type { TakesOnlyText } from './expand/text-fields.ts';

/** What `${name}` stands for. */
export interface Variable {
  readonly value: Json;
  /** Returns the value as text, for use within a longer text and in fields that take only text. */
  text(): string;
}

/** Variables by name: those of a target, and in templates the parameters, with those of the target as `outer`. `get` looks in both. */
export type Scope = Pick<ReadonlyMap<string, Variable>, 'get' | 'keys'> & { readonly outer?: Scope };

/** How variables are replaced. */
export interface ExpandOptions {
  /** Decides whether a field takes only text: there, `${name}` alone gives a number or a boolean as text, everywhere else its value. */
  readonly takesOnlyText: TakesOnlyText;
  readonly budget: ExpansionBudget;
  /** Where an unknown name should be defined, for the summary. */
  readonly definedIn: string;
}

const DEFAULT_DEFINED_IN = '`vars` of this target';

/**
 * Replaces the variables in the text values of a document. Expands neither keys nor the values of variables. Reports variables without a
 * value, which stay as they are written.
 */
export function expandVariables(
  document: Json,
  scope: Scope,
  { takesOnlyText = () => false, budget = createBudget(), definedIn = DEFAULT_DEFINED_IN }: Partial<ExpandOptions> = {},
): { readonly value: Json; readonly findings: readonly UnlocatedFinding[] } {
  // Once the budget is spent, and that is reported, nothing of the target is loaded.
  if (!hasVariables(document) || !budget.addCharacters(0)) return { value: document, findings: [] };
  const findings: UnlocatedFinding[] = [];
  let isTooLong = false;
  const expandText = (text: string, path: Path): Json => {
    const single = scope.get(nameOfSingleVariable(text) ?? '');
    if (single !== undefined && !(typeof single.value !== 'object' && takesOnlyText(path))) return single.value;
    return text.replaceAll(VARIABLE, (written, name: string | undefined, closing: string) => {
      if (name === undefined) return '${';
      const variable = closing === '' ? undefined : scope.get(name);
      if (variable === undefined) findings.push({ path: [...path], ...unknownVariable(name, closing !== '', scope, definedIn) });
      const replacement = variable?.text() ?? written;
      isTooLong ||= variable !== undefined && !budget.addCharacters(Math.max(1, replacement.length));
      return isTooLong ? written : replacement;
    });
  };
  const value = mapTexts(document, [], expandText);
  if (isTooLong) findings.push({ path: [], ...TOO_LONG });
  return { value, findings };
}

/** A variable, or the escaped beginning of one. */
const VARIABLE = /\$\$\{|\$\{([^}]*)(\}?)/g;

const TOO_LONG: FindingText = {
  code: 'too-large',
  summary: 'the variables expand to more than 32 MiB',
  hint: 'Shorten the values of variables and parameters.',
};

/** Returns the name in a text that is one `${name}` and nothing else; undefined for any other text. */
export function nameOfSingleVariable(text: string): string | undefined {
  return /^\$\{([^}]*)\}$/.exec(text)?.[1];
}

/** Returns the only variable of a text, and the text around it; undefined for a text with none or several, and for any other value. */
export function soleVariable(
  text: Json | undefined,
): { readonly name: string; readonly before: string; readonly after: string } | undefined {
  if (typeof text !== 'string') return undefined;
  const [found, ...others] = [...text.matchAll(VARIABLE)].filter(([, name]) => name !== undefined);
  const [written, name, closing] = found ?? [];
  if (!found || written === undefined || name === undefined || closing === '' || others.length > 0) return undefined;
  const literal = (part: string) => part.replaceAll('$${', () => '${');
  return { name, before: literal(text.slice(0, found.index)), after: literal(text.slice(found.index + written.length)) };
}

/** Lists the variables in the text values of a document. */
export function variablesIn(document: Json): readonly { readonly name: string; readonly path: Path; readonly isSingle: boolean }[] {
  const found: { name: string; path: Path; isSingle: boolean }[] = [];
  mapTexts(document, [], (text, path) => {
    const isSingle = nameOfSingleVariable(text) !== undefined;
    for (const [, name, closing] of text.matchAll(VARIABLE))
      if (name !== undefined && closing !== '') found.push({ name, path: [...path], isSingle });
    return text;
  });
  return found;
}

/** Decides whether a value may contain a variable. Most documents contain none, and need no copy. */
function hasVariables(value: Json): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (Array.isArray(value)) return value.some(hasVariables);
  if (isJsonObject(value)) for (const key in value) if (hasVariables(value[key] ?? null)) return true;
  return false;
}

/** Applies `change` to every text that contains `${`. Shares unchanged parts with `value`. Modifies `path` during the traversal. */
function mapTexts(value: Json, path: (string | number)[], change: (text: string, path: Path) => Json): Json {
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

/** Maps the members of a map. Returns the same map where none changes. */
export function mapMembers(fields: JsonObject, mapMember: (step: string, member: Json) => Json): Json {
  let copy: { [key: string]: Json } | undefined;
  for (const [key, member] of Object.entries(fields)) {
    const changed = mapMember(key, member);
    if (changed === member) continue;
    copy ??= Object.assign(nullProtoObject(), fields);
    copy[key] = changed;
  }
  return copy ?? fields;
}

function unknownVariable(name: string, isClosed: boolean, known: Scope, definedIn: string): FindingText {
  const code = 'unknown-variable';
  const literal = 'Write $${ for a literal ${.';
  if (!isClosed) return { code, summary: '`${` without a closing brace', hint: literal };
  const hint = (): string => {
    const near = suggest(name, known) ?? (known.outer && suggest(name, known.outer));
    const advice = near === undefined ? `Give it a value in \`vars\` of the target.` : `Did you mean \`${near}\`?`;
    return `${advice} ${literal}`;
  };
  return { code, summary: `no variable \`${name}\` in ${definedIn}`, hint };
}

/** Escapes `${` in every string of a value, so that it is read back as literal text. */
export function escapeVariables(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([member, part]): [string, Json] => [member, escapeVariables(part)]));
  return isList(value) ? value.map(escapeVariables) : value;
}
