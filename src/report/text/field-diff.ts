/** Renders the changed fields of a change as text. */
import type { Change, Effect, FieldChange, RiskReason } from '../../core/model/change.ts';
import { groupBy, listOf } from '../../core/model/collections.ts';
import type { Diagram, PlaylistDiagram, PlaylistEntry } from '../../core/model/diagram.ts';
import type { Json } from '../../core/model/json.ts';
import { alignLists, entryText, findMoves, foldUnchanged } from '../diagrams/list-alignment.ts';
import { visible, visibleJson } from '../escape.ts';
import { EFFECTS, originLabel } from '../view/labels.ts';
import type { PaintText, Style } from './colors.ts';
import { chunks, columns, cut, excerptAround, indent, pad, wrap } from './layout.ts';

/** Maximum width of the labels that values are aligned behind, columns. */
const MAX_LABEL_WIDTH = 40;
/** Maximum length of a path, characters. */
const MAX_PATH_LENGTH = 240;
/** Minimum width of a value behind its label, columns. */
const MIN_VALUE_WIDTH = 40;
const ARROW = '-> ';
/** Maximum length of a risk reason, characters. */
const MAX_REASON_LENGTH = 1_000;
/** Maximum length of a value in a diagram, characters. */
const MAX_VALUE_LENGTH = 240;
/** Maximum number of members of a set that are named. */
const MAX_MEMBERS = 40;
/** Maximum length of a value in which changes differ, characters. */
const MAX_DIFFERING_LENGTH = 60;
/** Maximum number of lines of one list. */
const MAX_LIST_LINES = 40;

/** The fields of a change, and what of it decides how they are shown. */
export type FieldsOfChange = Pick<Change, 'fields' | 'action' | 'origin' | 'changedBy'> &
  /** Absent where nothing above the fields says the effect of the change as a whole. */
  Partial<Pick<Change, 'effect'>>;

/**
 * Renders the fields of a change one below the other, with aligned values: a create shows the new values, a delete the old ones. The
 * lines are at most `width` columns wide. `diagram` is that of the change; null if it has none. `texts` stand in place of values, by path.
 */
export function fieldLines(
  change: FieldsOfChange,
  diagram: Diagram | null,
  paint: PaintText,
  width: number,
  texts: ReadonlyMap<string, string> = new Map(),
): readonly string[] {
  const labels = change.fields.map((field) => chunks(`${cut(fieldName(field.path), MAX_PATH_LENGTH)}:`, width));
  const lastLines = labels.map((label) => label.at(-1) ?? ':');
  const labelWidth = lastLines.reduce((most, line) => (line.length <= MAX_LABEL_WIDTH ? Math.max(most, line.length) : most), 0);
  return change.fields.flatMap((field, index) => {
    const list = diagram?.type === 'playlist' && diagram.field === field ? diagram : null;
    const label = pad(lastLines[index] ?? ':', labelWidth);
    const text = texts.get(field.path);
    const values =
      text !== undefined
        ? hangingIndent(`${label} ${text}`, width)
        : list
          ? listLines(list, change, label, paint, width)
          : valueLines(field, change, label, width);
    const reasons = reasonsOf(field).flatMap((reason) => reasonLines(reason, field, paint, width));
    return [...(labels[index]?.slice(0, -1) ?? []), ...withRemarks(values, field, change, paint, width), ...reasons];
  });
}

const STYLES: { readonly [effect in Effect]: Style } = { weakens: 'alarm', strengthens: 'quiet', neutral: 'quiet' };

/** Returns the risk reasons of a field, those that weaken protection first. */
export function reasonsOf({ reasons = [] }: FieldChange): readonly RiskReason[] {
  return reasons.toSorted((a, b) => Number(b.effect === 'weakens') - Number(a.effect === 'weakens'));
}

/** Renders a reason below its field, without the name of that field. A fixed-width block needs no marks of code. */
function reasonLines({ effect, text }: RiskReason, { path }: FieldChange, paint: PaintText, width: number): readonly string[] {
  const plain = text
    .replace(/ \(`([^`]+)`\)$/, (found: string, name: string) => (path.endsWith(`/${name}`) ? '' : found))
    .replace(/`([^`]+)`/g, '$1');
  const lines = wrap(cut(`${effect}: ${visible(plain)}`, MAX_REASON_LENGTH), width - 8);
  return lines.map((line, index) => `${' '.repeat(index === 0 ? 4 : 8)}${paint(STYLES[effect], line)}`);
}

/** Formats a JSON Pointer in the notation of `explain`: `/fairplay/lease` becomes `fairplay.lease`. */
export function fieldName(path: string): string {
  return visible(path.replace(/^\//, '').replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Adds the effect and the origin of a field, where the change as a whole does not say them: behind a single line that fits, else below. */
function withRemarks(
  lines: readonly string[],
  field: FieldChange,
  change: FieldsOfChange,
  paint: PaintText,
  width: number,
): readonly string[] {
  const isSaid = field.reasons !== undefined || (change.effect !== undefined && change.fields.length === 1);
  const effect = isSaid ? null : EFFECTS[field.effect];
  const origin = change.origin === 'both' ? originLabel(field.origin, change) : null;
  const remarks = [effect, origin].filter((remark) => remark !== null);
  if (remarks.length === 0) return lines;
  const text = `(${remarks.join(', ')})`;
  const [line = ''] = lines;
  const fits = lines.length === 1 && columns(line) + 2 + text.length <= width;
  return fits ? [`${line}  ${paint(STYLES[field.effect], text)}`] : [...lines, `    ${paint(STYLES[field.effect], text)}`];
}

/** Renders the list of a playlist: how many entries it has, and the changed ones with their positions. */
function listLines(list: PlaylistDiagram, { action }: FieldsOfChange, label: string, paint: PaintText, width: number): readonly string[] {
  const [before, after] = [list.before.map(shownEntry), list.after.map(shownEntry)];
  const counts = action === 'create' ? after.length : action === 'delete' ? before.length : `${before.length} -> ${after.length}`;
  const noun = counts === 1 ? 'entry' : 'entries';
  return [`${label} ${counts} ${noun}`, ...indent(entryLines(before, after, paint, width - 4), 4)];
}

function shownEntry({ name, ...entry }: PlaylistEntry): string {
  return name === undefined ? entryText(entry) : entryText({ ...entry, label: name });
}

/** Says where an entry was before, or is now, with positions from 1; empty for one that did not move. */
function moveRemark(preposition: 'from' | 'to', index: number | undefined): string {
  return index === undefined ? '' : `  (moved ${preposition} ${index + 1})`;
}

/** Renders two lists as one column of lines with positions from 1; runs of unchanged entries are folded. Escapes the entries. */
export function entryLines(before: readonly string[], after: readonly string[], paint: PaintText, width: number): readonly string[] {
  const positionWidth = String(Math.max(before.length, after.length)).length;
  const pairs = alignLists(before, after);
  const moves = findMoves(pairs, before, after);
  const movedTo = new Map(moves.map((move) => [move.before, move.after]));
  const movedFrom = new Map(moves.map((move) => [move.after, move.before]));
  const lines = foldUnchanged(pairs, (pair) => pair.before !== null && pair.after !== null).map((pair) => {
    if (typeof pair === 'number') return paint('quiet', `  ${' '.repeat(positionWidth)} … ${pair} unchanged`);
    const index = pair.after ?? pair.before ?? 0;
    const text = visible((pair.after === null ? before : after)[index] ?? '');
    const line = (sign: string, move = '') =>
      cut(`${sign} ${String(index + 1).padStart(positionWidth)} ${text}`, width - move.length) + move;
    if (pair.before === null) return paint('added', line('+', moveRemark('from', movedFrom.get(index))));
    return pair.after === null ? paint('removed', line('-', moveRemark('to', movedTo.get(index)))) : line(' ');
  });
  const omitted = lines.length - MAX_LIST_LINES;
  return omitted <= 0 ? lines : [...lines.slice(0, MAX_LIST_LINES), paint('quiet', `  … ${omitted} more lines, whole in the JSON format`)];
}

/** Renders the values of a field, on one line if possible. */
function valueLines({ before, after }: FieldChange, { action }: FieldsOfChange, label: string, width: number): readonly string[] {
  const members = changedMembers(before ?? [], after ?? []);
  if (members !== null) return hangingIndent(`${label} ${members}`, width);
  if (action === 'create') return labelled(label, [jsonText(after)], width);
  if (action === 'delete') return labelled(label, [jsonText(before)], width);
  return arrowLines(label, jsonText(before), jsonText(after), width);
}

/** Renders both values on one line, or one below the other, starting shortly before they differ. */
function arrowLines(label: string, before: string, after: string, width: number): readonly string[] {
  const line = `${label} ${before} -> ${after}`;
  if (cut(line, width) === line) return [line];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const valueWidth = Math.max(width - columns(label) - 1, MIN_VALUE_WIDTH) - ARROW.length;
  const [from, to] = [before, after].map((text) => excerptAround(text, same, valueWidth).text);
  return labelled(label, [`${' '.repeat(ARROW.length)}${from}`, `${ARROW}${to}`], width);
}

/** Puts values behind their label, or below it if it leaves too little room. */
function labelled(label: string, values: readonly string[], width: number): readonly string[] {
  const valueWidth = width - columns(label) - 1;
  if (valueWidth < MIN_VALUE_WIDTH) return [label.trimEnd(), ...values.map((value) => `    ${cut(value, width - 4)}`)];
  return values.map((value, index) => `${index === 0 ? label : pad('', columns(label))} ${cut(value, valueWidth)}`);
}

/** Formats a value for a diagram: plain strings without quotes, lists of strings with commas. Returns null for null. */
export function valueText(value: Json): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return shortText(value);
  const members = setOf(value);
  if (!members) return cut(visibleJson(value), MAX_VALUE_LENGTH);
  return members.size === 0 ? '(none)' : listOf([...members].map(shortText), MAX_MEMBERS);
}

function jsonText(value: Json): string {
  return value === null ? '(none)' : visibleJson(value);
}

/** Maximum number of different values that are given of a field in which changes differ. */
const MAX_DIFFERING_VALUES = 4;

/** Says how many values changes set that differ in a field, and the most frequent ones of values that are no lists or objects. */
export function differingText(values: readonly Json[]): string {
  const numbers = [...groupBy(values.map(visibleJson), (text) => text)].map(([text, { length }]) => ({ text, length }));
  const total = `${numbers.length.toLocaleString('en-US')} different values`;
  if (values.some((value) => typeof value === 'object' && value !== null)) return total;
  const shown = numbers
    .toSorted((a, b) => b.length - a.length)
    .map(({ text, length }) => `${cut(text, MAX_DIFFERING_LENGTH)}${length === 1 ? '' : ` (${length} times)`}`);
  return `${total}: ${listOf(shown, MAX_DIFFERING_VALUES)}`;
}

/** Lists the added and removed members of two lists of strings, compared as sets; null if they are no such lists, or equal as sets. */
export function changedMembers(before: Json, after: Json): string | null {
  const [from, to] = [setOf(before), setOf(after)];
  if (!from || !to) return null;
  const added = [...to].filter((member) => !from.has(member)).map((member) => `+${shortText(member)}`);
  const removed = [...from].filter((member) => !to.has(member)).map((member) => `-${shortText(member)}`);
  const unchanged = from.size - removed.length;
  const members = [...added, ...removed];
  if (members.length === 0) return null;
  const more = members.length > MAX_MEMBERS ? [`… (${members.length - MAX_MEMBERS} more)`] : [];
  return [...members.slice(0, MAX_MEMBERS), ...more, ...(unchanged > 0 ? [`(${unchanged} unchanged)`] : [])].join(' ');
}

/** Returns a list of strings as a set; null if the value is something else. */
function setOf(value: Json): ReadonlySet<string> | null {
  if (!Array.isArray(value)) return null;
  const strings = value.filter((item: Json) => typeof item === 'string');
  return strings.length === value.length ? new Set(strings) : null;
}

/** Formats a string without quotes if it is plain, else as JSON; long ones are cut. */
function shortText(text: string): string {
  return cut(/^[\w.:-]+$/.test(text) ? text : visibleJson(text), 60);
}

function hangingIndent(text: string, width: number): readonly string[] {
  const [first = '', ...rest] = wrap(text, width - 4);
  return [first, ...indent(rest, 4)];
}
