/** Renders a grid as columns of text. */
import { visible } from '../escape.ts';
import type { Cell, Grid } from '../view/model.ts';
import type { PaintText } from './colors.ts';
import { columns, cut, pad } from './layout.ts';

/** Minimum width of the row names, columns. */
const MIN_NAME_WIDTH = 16;

/** Renders a grid, its column titles first. A row name that does not fit beside the cells gets a line of its own. */
export function tableLines({ columns: titles, rows }: Grid, paint: PaintText, width: number): readonly string[] {
  const cellWidths = titles.map((title, index) => widest([title, ...rows.map(({ cells }) => cellText(cells[index]))]));
  const leftWidth = width - cellWidths.reduce((sum, cellWidth) => sum + cellWidth + 2, 0);
  const nameWidth = Math.min(Math.max(leftWidth, MIN_NAME_WIDTH), widest(rows.map(({ name }) => visible(name))));
  const line = (name: string, cells: readonly Cell[]): string => {
    const texts = cells.map((cell, index) => {
      const text = cellText(cell);
      return paint(cell.isUnchanged ? 'quiet' : cell.style, index === cells.length - 1 ? text : pad(text, cellWidths[index] ?? 0));
    });
    return `${pad(name, nameWidth)}  ${texts.join('  ')}`;
  };
  const head = titles.map((text): Cell => ({ style: 'quiet', text }));
  const body = rows.flatMap(({ name, cells }) => {
    const shown = cut(visible(name), width);
    return columns(shown) > nameWidth ? [shown, line('', cells)] : [line(shown, cells)];
  });
  return [line('', head), ...body];
}

/** Formats a cell; one that changes as both words: `plays>refused`. */
function cellText(cell: Cell | undefined): string {
  if (!cell) return '';
  return cell.before ? `${cell.before.text}>${cell.text}` : cell.text;
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(columns));
}
