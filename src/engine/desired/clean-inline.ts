/** The scalars and flow collections of clean YAML (`clean.ts`), each on one line. */
import { bareFields, type Json } from '../../model/json.ts';

/** What is read may mean something else, or nothing: `yaml` must say. */
export class Unclear extends Error {}

/** Whether the rest of a line, from its first character that is no space, says nothing. */
export function isComment(rest: string): boolean {
  return rest === '' || rest.startsWith('#');
}

/** The text that a key stands for. @throws Unclear where there is none, or one that is refused */
export function keyOf(written = ''): string {
  const key = /^["']/.test(written) ? written.slice(1, -1) : written;
  if (key === '' || key === '__proto__' || key === 'constructor' || key === 'prototype') throw new Unclear();
  return key;
}

/** The value that the rest of a line stands for. @throws Unclear */
export function inlineValue(rest: string): Json {
  if (/^\w[\w./-]*$/.test(rest)) return resolved(rest);
  if (/^"[^"\\]*"$/.test(rest)) return rest.slice(1, -1);
  if (!/^[[{"']/.test(rest)) return plainScalar(rest);
  const place: Place = { text: rest, at: 0 };
  const value = flowValue(place, 1);
  if (!/^(?: +#.*| *)$/.test(rest.slice(place.at))) throw new Unclear();
  return value;
}

/** A plain scalar in block style: it may hold brackets and commas, and ends where a comment begins. */
function plainScalar(rest: string): Json {
  const comment = rest.indexOf(' #');
  const text = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
  if (!/^-?[^\s!-#%-,:>?@[\]`{|}-]/.test(text) || /:(?: |$)/.test(text)) throw new Unclear();
  return resolved(text);
}

/** How far a line is read. */
interface Place {
  readonly text: string;
  at: number;
}

/** Deeper flow is left to `yaml`. */
const MAX_DEPTH = 16;

const quoted = /"([^"\\]*)"|'([^']*)'(?!')/y;
const plainInFlow = /-?[A-Za-z0-9_./$+][A-Za-z0-9_./$+ -]*/y;
const flowKey = /("[^"\\]{0,199}"|'[^']{0,199}'|\w[\w./%@+~-]{0,199}): +/y;
const spaces = / */y;

function flowValue(place: Place, depth: number): Json {
  if (depth > MAX_DEPTH) throw new Unclear();
  const open = place.text.charAt(place.at);
  if (open === '[') return flowList(place, depth);
  if (open === '{') return flowMap(place, depth);
  const text = take(quoted, place);
  if (text !== undefined) return text[1] ?? text[2] ?? '';
  return resolved((take(plainInFlow, place) ?? unclear())[0].trimEnd());
}

function flowList(place: Place, depth: number): Json {
  const items: Json[] = [];
  for (let more = opens(place, ']'); more; more = goesOn(place, ']')) items.push(flowValue(place, depth + 1));
  return items;
}

function flowMap(place: Place, depth: number): Json {
  const members = bareFields();
  for (let more = opens(place, '}'); more; more = goesOn(place, '}')) {
    const key = keyOf((take(flowKey, place) ?? unclear())[1]);
    if (members[key] !== undefined) throw new Unclear();
    members[key] = flowValue(place, depth + 1);
  }
  return members;
}

/** Enters a collection; whether there is anything in it. */
function opens(place: Place, close: string): boolean {
  place.at += 1;
  take(spaces, place);
  if (place.text.charAt(place.at) !== close) return true;
  place.at += 1;
  return false;
}

/** Passes a comma, or the end of the collection; whether it was a comma. */
function goesOn(place: Place, close: string): boolean {
  take(spaces, place);
  const mark = place.text.charAt(place.at);
  if (mark !== ',' && mark !== close) throw new Unclear();
  place.at += 1;
  if (mark === close) return false;
  take(spaces, place);
  return true;
}

function take(what: RegExp, place: Place): RegExpExecArray | undefined {
  what.lastIndex = place.at;
  const found = what.exec(place.text) ?? undefined;
  place.at += found?.[0].length ?? 0;
  return found;
}

function unclear(): never {
  throw new Unclear();
}

/** Texts that are no texts in the core schema of YAML 1.2. */
const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...['null', 'Null', 'NULL', '~'].map((word): [string, Json] => [word, null]),
  ...['true', 'True', 'TRUE'].map((word): [string, Json] => [word, true]),
  ...['false', 'False', 'FALSE'].map((word): [string, Json] => [word, false]),
]);

/** A plain scalar by the core schema; of the numbers only whole ones that can be read in one way. @throws Unclear for the others */
function resolved(text: string): Json {
  if (!/^[-+.0-9~nNtTfF]/.test(text)) return text;
  if (/^(?:0|-?[1-9][0-9]{0,14})$/.test(text)) return Number(text);
  if (/^[-+]?(?:[0-9.]+(?:[eE][-+]?[0-9]+)?|0[xo][0-9a-fA-F]+|\.(?:inf|nan))$/i.test(text)) throw new Unclear();
  return words.get(text) ?? (words.has(text) ? null : text);
}
