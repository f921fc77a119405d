/** A grid in columns of text. */

import { visible } from '../escape.ts';
import type { Cell, Grid } from '../view/model.ts';
import type { PaintText } from './colors.ts';
import { columns, cut, pad } from './layout.ts';

/** Columns of a terminal that names have at least. */
const NARROWEST_NAME = 16;

/** The lines of a grid, its columns first. A name for which there is no room beside the cells stands on a line of its own. */
export function tableLines({ columns: titles, rows }: Grid, paint: PaintText, room: number): readonly string[] {
  const widths = titles.map((title, index) => widest([title, ...rows.map(({ cells }) => wordsOf(cells[index]))]));
  const left = room - widths.reduce((sum, width) => sum + width + 2, 0);
  const names = Math.min(Math.max(left, NARROWEST_NAME), widest(rows.map(({ name }) => visible(name))));
  const line = (name: string, cells: readonly Cell[]): string => {
    const shown = cells.map((cell, index) => {
      const words = wordsOf(cell);
      return paint(cell.isUnchanged ? 'quiet' : cell.style, index === cells.length - 1 ? words : pad(words, widths[index] ?? 0));
    });
    return `${pad(name, names)}  ${shown.join('  ')}`;
  };
  const head = titles.map((text): Cell => ({ style: 'quiet', text }));
  const body = rows.flatMap(({ name, cells }) => {
    const shown = cut(visible(name), room);
    return columns(shown) > names ? [shown, line('', cells)] : [line(shown, cells)];
  });
  return [line('', head), ...body];
}

/** Both words of a cell that changes: `plays>refused`. */
function wordsOf(cell: Cell | undefined): string {
  if (!cell) return '';
  return cell.before ? `${cell.before.text}>${cell.text}` : cell.text;
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(columns));
}
