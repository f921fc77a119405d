/** Draws what a command prints at a terminal as an SVG, so that a picture of it can be compared with what the command prints now. */

const COLUMN = 8.4;
const LINE = 19;
const MARGIN = 18;

/** Colors of the picture, by the code of the color in the output. */
const COLORS: { readonly [code: string]: string } = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#e3b341',
  '34': '#79c0ff',
  '35': '#d2a8ff',
  '36': '#76e3ea',
};

/** How a part of the output is shown. */
interface Style {
  readonly color: string | null;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

const PLAIN: Style = { color: null, isBold: false, isDim: false };

/** Returns the style after an escape sequence with one code. @throws Error for a code that the picture does not know. */
function styleAfter(style: Style, code: string): Style {
  if (code === '1') return { ...style, isBold: true };
  if (code === '2') return { ...style, isDim: true };
  if (code === '22') return { ...style, isBold: false, isDim: false };
  if (code === '39') return { ...style, color: null };
  const color = COLORS[code];
  if (color === undefined) throw new Error(`the picture of a terminal does not know the code ${code}`);
  return { ...style, color };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function spanOf(text: string, { color, isBold, isDim }: Style): string {
  if (text === '') return '';
  const attributes = [
    ...(color === null ? [] : [` fill="${color}"`]),
    ...(isBold ? [' font-weight="bold"'] : []),
    ...(isDim ? [' fill-opacity="0.65"'] : []),
  ].join('');
  return attributes === '' ? escaped(text) : `<tspan${attributes}>${escaped(text)}</tspan>`;
}

/**
 * Returns the SVG of lines with escape sequences for bold, dim and colors. `title` is read out in place of the picture.
 * @throws Error for another escape sequence.
 */
export function terminalPicture(title: string, columns: number, lines: readonly string[]): string {
  let style = PLAIN;
  const rows = lines.map((line, index) => {
    // The parts with an even index are text, the others are codes.
    const spans = line.split(/\u001b\[(\d+)m/).map((part, at) => {
      if (at % 2 === 0) return spanOf(part, style);
      style = styleAfter(style, part);
      return '';
    });
    return `  <text x="${MARGIN}" y="${MARGIN + LINE * (index + 0.75)}">${spans.join('')}</text>`;
  });
  const width = Math.ceil(columns * COLUMN) + 2 * MARGIN;
  const height = lines.length * LINE + 2 * MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>${escaped(title)}</title>
  <style>text { font: 14px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #e6edf3; white-space: pre; }</style>
  <rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${rows.join('\n')}
</svg>
`;
}
