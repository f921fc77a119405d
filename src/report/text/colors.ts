import { styleText } from 'node:util';

/** The meaning of a text. Color is never its only sign. */
export type Style = 'plain' | 'title' | 'added' | 'removed' | 'changed' | 'alarm' | 'warning' | 'good' | 'quiet';

/** Marks a text with its style, or returns it as it is. */
export type PaintText = (style: Style, text: string) => string;

const FORMATS: { readonly [style in Style]: Parameters<typeof styleText>[0] | undefined } = {
  plain: undefined,
  title: 'bold',
  added: 'green',
  removed: 'red',
  changed: 'yellow',
  alarm: ['bold', 'red'],
  warning: 'yellow',
  good: 'green',
  quiet: 'dim',
};

/** Returns a painter with the colors of a terminal; without `isColored`, it returns texts as they are. */
export function painter(isColored: boolean): PaintText {
  return (style, text) => {
    const format = FORMATS[style];
    // The caller knows whether the output takes colors: `isColored` counts, not what Node finds out about stdout.
    return isColored && format !== undefined ? styleText(format, text, { validateStream: false }) : text;
  };
}
