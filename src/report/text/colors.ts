import picocolors from 'picocolors';

/** The meaning of a text. Color is never its only sign. */
export type Style = 'plain' | 'title' | 'added' | 'removed' | 'changed' | 'alarm' | 'warning' | 'good' | 'quiet';

/** Marks a text with its style, or returns it as it is. */
export type PaintText = (style: Style, text: string) => string;

/** Returns a painter with the colors of a terminal; without `isColored`, it returns texts as they are. */
export function painter(isColored: boolean): PaintText {
  const colors = picocolors.createColors(isColored);
  const styles: { readonly [style in Style]: (text: string) => string } = {
    plain: (text) => text,
    title: colors.bold,
    added: colors.green,
    removed: colors.red,
    changed: colors.yellow,
    alarm: (text) => colors.bold(colors.red(text)),
    warning: colors.yellow,
    good: colors.green,
    quiet: colors.dim,
  };
  return (style, text) => styles[style](text);
}
