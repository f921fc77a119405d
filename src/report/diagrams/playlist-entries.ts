import { isJsonObject, type Json } from '../../model/json.ts';
import { visible } from '../escape.ts';
import { cut, pad } from '../text/layout.ts';
import type { PaintText } from '../view/model.ts';
import { alignLists, folded } from './list-alignment.ts';

/** Lines of one list that are shown. */
const MOST_LINES = 40;

/** An entry of a playlist: an asset by its ID, or an ad break by its length (playlist-api-v4 section 2.2). */
export interface PlaylistEntry {
  readonly type: 'beam' | 'ad';
  /** The ID, or `90 s`. */
  readonly label: string;
}

/** The entries of a list of assets and ad breaks, or null where the value is something else. */
export function entriesIn(value: Json): readonly PlaylistEntry[] | null {
  if (!Array.isArray(value)) return null;
  const entries = value.flatMap((entry: Json) => entryOf(entry) ?? []);
  return entries.length === value.length ? entries : null;
}

/** The same in words. */
export function entriesOf(value: Json): readonly string[] | null {
  return entriesIn(value)?.map(entryText) ?? null;
}

/** `beam 10c5467d77c54dc4b739db2cd832143a`, or `ad 90 s`. */
export function entryText({ type, label }: PlaylistEntry): string {
  return `${type} ${label}`;
}

function entryOf(entry: Json): PlaylistEntry | null {
  if (!isJsonObject(entry) || Object.keys(entry).length !== 1) return null;
  const { beam, ad } = entry;
  if (isJsonObject(beam) && typeof beam.id === 'string' && Object.keys(beam).length === 1) return { type: 'beam', label: beam.id };
  if (isJsonObject(ad) && typeof ad.dur === 'number' && Object.keys(ad).length === 1) return { type: 'ad', label: `${ad.dur} s` };
  return null;
}

/** One entry on one side or both; `at` is its position from 1 in the list it is shown of. */
interface Line {
  readonly sign: '+' | '-' | ' ';
  readonly at: number;
  readonly text: string;
}

/** Two lists of entries as one column of lines, unchanged runs folded; escaped and painted, at most `room` columns wide. */
export function entryLines(before: readonly string[], after: readonly string[], paint: PaintText, room: number): readonly string[] {
  const lines = compared(before, after);
  const digits = String(Math.max(before.length, after.length)).length;
  const shown = folded(lines, ({ sign }) => sign === ' ').map((line) => {
    if (typeof line === 'number') return paint('quiet', `  ${' '.repeat(digits)} … ${line} unchanged`);
    const text = cut(`${line.sign} ${pad('', digits - String(line.at).length)}${line.at} ${visible(line.text)}`, room);
    return line.sign === '+' ? paint('added', text) : line.sign === '-' ? paint('removed', text) : text;
  });
  return shown.length <= MOST_LINES
    ? shown
    : [...shown.slice(0, MOST_LINES), paint('quiet', `  … ${shown.length - MOST_LINES} more lines, whole in the JSON format`)];
}

function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  return alignLists(before, after).map(({ before: was, after: is }): Line => {
    if (is !== null) return { sign: was === null ? '+' : ' ', at: is + 1, text: after[is] ?? '' };
    return { sign: '-', at: (was ?? 0) + 1, text: before[was ?? 0] ?? '' };
  });
}
