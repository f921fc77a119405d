/** Finds where a value of the merged sources is written, and what to write there so that it becomes another one. */

import type { Definition, WrittenValue } from '../../config/expand/definition.ts';
import { valueOfCell } from '../../config/expand/parameters.ts';
import type { SourceLocation } from '../../config/source-location.ts';
import { type Json, type Path, valueAt } from '../../model/json.ts';

/** Where a value of the merged sources comes from. */
export interface Origin extends WrittenValue {
  readonly path: Path;
  readonly before: Json;
  readonly template: string | undefined;
  readonly location: Pick<SourceLocation, 'file' | 'line'>;
}

/** Returns a text that is equal for equal places. */
export function keyOf(place: WrittenValue['place']): string {
  return JSON.stringify('row' in place ? place : [place.document.file, place.document.index, place.path]);
}

/** Returns where a value comes from; undefined where it is a list or a map that no single place holds. */
export function originOf(inEffect: Definition, path: Path, before: Json, isEntry: boolean): Origin | undefined {
  const rest = path.slice(inEffect.depth);
  if (typeof before === 'object' && !isEntry) return undefined;
  const written = inEffect.writtenAt?.(rest);
  return written && { ...written, path, before, template: inEffect.template, location: inEffect.locate(rest, 'value') };
}

/** Returns what to write at the origin of a value so that it becomes `after`; undefined where that cannot be made back. */
export function valueFor({ place, parameter, around }: Origin, after: Json): Json | undefined {
  if (parameter && typeof after !== 'object') {
    const text = around ? textBetween(around, String(after)) : String(after);
    return text === undefined ? undefined : valueOfCell(text, typeOf(parameter.value));
  }
  if ('row' in place || around) return undefined;
  return hasVariable(valueAt(place.document.content, place.path)) ? undefined : after;
}

/** Returns the type of parameters that have such a value. */
function typeOf(value: Json): 'string' | 'number' | 'boolean' {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';
}

function textBetween({ before, after }: NonNullable<WrittenValue['around']>, text: string): string | undefined {
  const isAround = text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  return isAround ? text.slice(before.length, text.length - after.length) : undefined;
}

/** Returns a value as text. */
export function textOf(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Decides whether a place belongs to no resource: several may use it. */
export function isShared(place: WrittenValue['place']): boolean {
  return 'document' in place && ['templates', 'entry_lists'].includes(String(place.path[0]));
}

/** Says where a value comes from. */
export function describeOrigin({ path, place, around, template, location: { file, line } }: Origin): string {
  const [section, name] = 'document' in place ? place.path : [];
  const isOfTemplate = section === 'templates' || around !== undefined;
  const noun = isOfTemplate ? `the template \`${template ?? ''}\`, ` : section === 'entry_lists' ? `the entry list \`${name}\`, ` : '';
  return `\`${path.join('.')}\` comes from ${noun}${file}, line ${line}`;
}

/** Says, as the rest of a sentence, why an origin cannot hold what gives another value. */
export function whyNotMadeBack({ place, parameter, around }: Origin, after: Json | undefined): string {
  const value = JSON.stringify(after ?? null);
  if (parameter && around) return `as \`${around.before}\${${parameter.name}}${around.after}\`, which cannot give ${value}`;
  if (parameter) return `whose parameter \`${parameter.name}\` cannot hold ${value}`;
  const raw = 'document' in place ? valueAt(place.document.content, place.path) : undefined;
  return `where it is made of variables, from which it cannot be made back: ${textOf(raw ?? null)}`;
}

/** Decides whether a written value is a text with a variable. */
export function hasVariable(raw: Json | undefined): boolean {
  return typeof raw === 'string' && /(?<!\$)\$\{/.test(raw);
}
