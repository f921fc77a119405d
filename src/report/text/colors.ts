import picocolors from 'picocolors';

/** The meaning of a text; color is never its only sign. */
export type Style = 'plain' | 'title' | 'added' | 'removed' | 'changed' | 'alarm' | 'warning' | 'good' | 'quiet';

/** Colours of a terminal for each tone; without `colour`, texts stay as they are. */
export function painter(colour: boolean): (tone: Style, text: string) => string {
  const colours = picocolors.createColors(colour);
  const tones: { readonly [tone in Style]: (text: string) => string } = {
    plain: (text) => text,
    title: colours.bold,
    added: colours.green,
    removed: colours.red,
    changed: colours.yellow,
    alarm: (text) => colours.bold(colours.red(text)),
    warning: colours.yellow,
    good: colours.green,
    quiet: colours.dim,
  };
  return (tone, text) => tones[tone](text);
}
