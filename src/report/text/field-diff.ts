import type { Change, Effect, FieldChange, RiskReason } from '../../model/change.ts';
import type { Json } from '../../model/json.ts';
import { entriesOf, entryLines } from '../diagrams/playlist-entries.ts';
import { visible, visibleJson } from '../escape.ts';
import { EFFECTS, ORIGINS } from '../view/labels.ts';
import type { PaintText } from '../view/model.ts';
import type { Style } from './colors.ts';
import { around, chunks, columns, cut, indent, pad, wrap } from './layout.ts';

/** Columns that the widest label may ask of its neighbours. */
const WIDEST_LABEL = 40;
/** Characters of a path that are shown. */
const LONGEST_PATH = 240;
/** Columns that a value needs behind its label. */
const LEAST_ROOM = 40;
const ARROW = '-> ';
/** Characters of a reason that are shown. */
const LONGEST_REASON = 1_000;
/** Characters of a value that are shown beside others. */
const LONGEST_VALUE = 240;
/** Members of a set that are named. */
const MOST_MEMBERS = 40;

/** The fields of a change, one under the other with their sides aligned: a create shows what it gives, a delete what is lost. */
export function fieldLines(change: Change, paint: PaintText, room: number): readonly string[] {
  const labels = change.fields.map((field) => chunks(`${cut(fieldName(field.path), LONGEST_PATH)}:`, room));
  const ends = labels.map((label) => label.at(-1) ?? ':');
  const widest = ends.reduce((most, end) => (end.length <= WIDEST_LABEL ? Math.max(most, end.length) : most), 0);
  return change.fields.flatMap((field, index) => {
    const lines = sides(field, change, pad(ends[index] ?? ':', widest), paint, room);
    const tone = TONES[field.effect];
    const said = reasonsOf(field).flatMap((reason) => reasonLines(reason, paint, room));
    return [...(labels[index]?.slice(0, -1) ?? []), ...marked(lines, marksOf(field, change), tone, paint, room), ...said];
  });
}

const TONES: { readonly [effect in Effect]: Style } = { loosens: 'alarm', tightens: 'quiet', neutral: 'quiet' };

/** The reasons of a field, risk first. */
export function reasonsOf({ reasons = [] }: FieldChange): readonly RiskReason[] {
  return reasons.toSorted((a, b) => Number(b.effect === 'loosens') - Number(a.effect === 'loosens'));
}

function reasonLines({ effect, text }: RiskReason, paint: PaintText, room: number): readonly string[] {
  const lines = wrap(cut(`${effect}: ${visible(text)}`, LONGEST_REASON), room - 8);
  return lines.map((line, index) => `${' '.repeat(index === 0 ? 4 : 8)}${paint(TONES[effect], line)}`);
}

/** A JSON Pointer in the notation of `explain`: `/fairplay/lease` is `fairplay.lease`. */
export function fieldName(path: string): string {
  return visible(path.replace(/^\//, '').replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~'));
}

function marksOf(field: FieldChange, change: Change): string {
  const effect = field.reasons || change.fields.length === 1 ? null : EFFECTS[field.effect];
  const origin = change.origin === 'both' ? ORIGINS[field.origin] : null;
  const marks = [effect, origin].filter((mark) => mark !== null);
  return marks.length === 0 ? '' : `(${marks.join(', ')})`;
}

/** The remark behind a single line that has room for it, else below. */
function marked(lines: readonly string[], mark: string, tone: Style, paint: PaintText, room: number): readonly string[] {
  if (mark === '') return lines;
  const [only = ''] = lines;
  const fits = lines.length === 1 && columns(only) + 2 + mark.length <= room;
  return fits ? [`${only}  ${paint(tone, mark)}`] : [...lines, `    ${paint(tone, mark)}`];
}

function sides(field: FieldChange, change: Change, label: string, paint: PaintText, room: number): readonly string[] {
  const { before, after } = field;
  const was = entriesOf(before ?? []);
  const is = entriesOf(after ?? []);
  if (was && is && was.length + is.length > 0) {
    const counts = change.action === 'create' ? is.length : change.action === 'delete' ? was.length : `${was.length} -> ${is.length}`;
    return [`${label} ${counts} entries`, ...indent(entryLines(was, is, paint, room - 4), 4)];
  }
  const members = membersThatDiffer(before ?? [], after ?? []);
  if (members !== null) return hanging(`${label} ${members}`, room);
  if (change.action === 'create') return hung(label, [side(after)], room);
  if (change.action === 'delete') return hung(label, [side(before)], room);
  return arrow(label, side(before), side(after), room);
}

/** Both sides on one line, or one under the other, beginning shortly before they differ. */
function arrow(label: string, before: string, after: string, room: number): readonly string[] {
  const line = `${label} ${before} -> ${after}`;
  if (cut(line, room) === line) return [line];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const left = Math.max(room - columns(label) - 1, LEAST_ROOM) - ARROW.length;
  const shown = [before, after].map((text) => around(text, same, left).text);
  return hung(label, [`${' '.repeat(ARROW.length)}${shown[0]}`, `${ARROW}${shown[1]}`], room);
}

/** Values behind their label, or below it where it leaves too little room. */
function hung(label: string, values: readonly string[], room: number): readonly string[] {
  const left = room - columns(label) - 1;
  if (left < LEAST_ROOM) return [label.trimEnd(), ...values.map((value) => `    ${cut(value, room - 4)}`)];
  return values.map((value, index) => `${index === 0 ? label : pad('', columns(label))} ${cut(value, left)}`);
}

/** A value for a place that has little room: texts without quotes where they are plain, lists of them with commas. Null where there is none. */
export function valueText(value: Json): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return token(value);
  const texts = textsOf(value);
  if (!texts) return cut(visibleJson(value), LONGEST_VALUE);
  const more = texts.size > MOST_MEMBERS ? ` and ${texts.size - MOST_MEMBERS} more` : '';
  return texts.size === 0 ? '(none)' : `${[...texts].slice(0, MOST_MEMBERS).map(token).join(', ')}${more}`;
}

function side(value: Json): string {
  return value === null ? '(none)' : visibleJson(value);
}

/** A list of texts is read as a set: what came and what went. Null where it is no set, or only its order differs. */
function membersThatDiffer(before: Json, after: Json): string | null {
  const was = textsOf(before);
  const is = textsOf(after);
  if (!was || !is) return null;
  const added = [...is].filter((member) => !was.has(member)).map((member) => `+${token(member)}`);
  const removed = [...was].filter((member) => !is.has(member)).map((member) => `-${token(member)}`);
  const kept = was.size - removed.length;
  const members = [...added, ...removed];
  if (members.length === 0) return null;
  const more = members.length > MOST_MEMBERS ? [`… (${members.length - MOST_MEMBERS} more)`] : [];
  return [...members.slice(0, MOST_MEMBERS), ...more, ...(kept > 0 ? [`(${kept} unchanged)`] : [])].join(' ');
}

function textsOf(value: Json): ReadonlySet<string> | null {
  if (!Array.isArray(value)) return null;
  const texts = value.filter((item: Json) => typeof item === 'string');
  return texts.length === value.length ? new Set(texts) : null;
}

function token(text: string): string {
  return cut(/^[\w.:-]+$/.test(text) ? text : visibleJson(text), 60);
}

function hanging(text: string, room: number): readonly string[] {
  const [first = '', ...rest] = wrap(text, room - 4);
  return [first, ...indent(rest, 4)];
}
