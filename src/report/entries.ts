// Not the whole package: its other ways to compare take longer to load than a short report to write.
import { diffArrays } from 'diff/lib/diff/array.js';
import { isFields, type Json } from '../model/json.ts';
import { visible } from './escape.ts';
import { cut, pad } from './layout.ts';
import type { Paint } from './page.ts';

/** Differences beyond which a list is shown as replaced: the search costs their square. */
const MOST_DIFFERENCES = 60;
/** Lines of one list that are shown. */
const MOST_LINES = 40;
/** Unchanged entries shown on each side of a difference. */
const CONTEXT = 1;

/** The entries of a list of assets and ad breaks in words (playlist-api-v4, section 2.2), or null where the value is something else. */
export function entriesOf(value: Json): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const entries = value.flatMap((entry: Json) => entryOf(entry) ?? []);
  return entries.length === value.length ? entries : null;
}

function entryOf(entry: Json): string | null {
  if (!isFields(entry) || Object.keys(entry).length !== 1) return null;
  const { beam, ad } = entry;
  if (isFields(beam) && typeof beam.id === 'string' && Object.keys(beam).length === 1) return `beam ${beam.id}`;
  if (isFields(ad) && typeof ad.dur === 'number' && Object.keys(ad).length === 1) return `ad ${ad.dur} s`;
  return null;
}

/** One entry on one side or both; `at` is its position from 1 in the list it is shown of. */
interface Line {
  readonly sign: '+' | '-' | ' ';
  readonly at: number;
  readonly text: string;
}

/** Two lists of entries as one column of lines, unchanged runs folded; escaped and painted, at most `room` columns wide. */
export function entryLines(before: readonly string[], after: readonly string[], paint: Paint, room: number): readonly string[] {
  const lines = compared(before, after);
  const digits = String(Math.max(before.length, after.length)).length;
  const shown = folded(lines).map((line) => {
    if (typeof line === 'number') return paint('quiet', `  ${' '.repeat(digits)} … ${line} unchanged`);
    const text = cut(`${line.sign} ${pad('', digits - String(line.at).length)}${line.at} ${visible(line.text)}`, room);
    return line.sign === '+' ? paint('added', text) : line.sign === '-' ? paint('removed', text) : text;
  });
  return shown.length <= MOST_LINES
    ? shown
    : [...shown.slice(0, MOST_LINES), paint('quiet', `  … ${shown.length - MOST_LINES} more lines, whole in the JSON format`)];
}

function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  let was = 0;
  let is = 0;
  const runs = diffArrays([...before], [...after], { maxEditLength: MOST_DIFFERENCES }) ?? replaced(before, after);
  return runs.flatMap(({ value, added, removed }) =>
    value.map((text): Line => {
      if (!added) was += 1;
      if (!removed) is += 1;
      return { sign: added ? '+' : removed ? '-' : ' ', at: removed ? was : is, text };
    }),
  );
}

/** Two lists that have little in common but their ends. */
function replaced(before: readonly string[], after: readonly string[]) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return [
    { value: before.slice(0, start), added: false, removed: false },
    { value: before.slice(start, before.length - end), added: false, removed: true },
    { value: after.slice(start, after.length - end), added: true, removed: false },
    { value: before.slice(before.length - end), added: false, removed: false },
  ];
}

/** The lines, with each longer run of unchanged ones away from any difference as its length. */
function folded(lines: readonly Line[]): readonly (Line | number)[] {
  const near = new Set(lines.flatMap((line, index) => (line.sign === ' ' ? [] : around(index))));
  const shown: (Line | number)[] = [];
  let hidden: Line[] = [];
  const close = () => {
    shown.push(...(hidden.length > 1 ? [hidden.length] : hidden));
    hidden = [];
  };
  lines.forEach((line, index) => {
    if (!near.has(index)) hidden.push(line);
    else {
      close();
      shown.push(line);
    }
  });
  close();
  return shown;
}

function around(index: number): readonly number[] {
  return Array.from({ length: 2 * CONTEXT + 1 }, (_, offset) => index + offset - CONTEXT);
}
