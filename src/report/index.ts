/** The report room: documents in, text out. It fetches nothing and decides nothing. */
import type { Document, Options, Renderer } from './document.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { renderText } from './text.ts';

export type { Document, Options } from './document.ts';

/** Every format by its name on the command line: a new one is a file and a line here. */
const RENDERERS = {
  text: renderText,
  markdown: renderMarkdown,
  html: renderHtml,
  json: renderJson,
} satisfies { readonly [format: string]: Renderer };

/** A format that documents can be reported in. */
export type Format = keyof typeof RENDERERS;

/** The names of all formats. */
export const formats: readonly string[] = Object.keys(RENDERERS);

/** Whether a word of the command line names a format. */
export function isFormat(word: string): word is Format {
  return Object.hasOwn(RENDERERS, word);
}

/** The documents in a format, with a line break at the end; harmless to terminals, CI logs and Markdown, whatever the data in them says. */
export function render(documents: readonly Document[], format: Format, options: Options): string {
  return RENDERERS[format](documents, options);
}
