/** The report room: documents in, text out. It fetches nothing and decides nothing. */
import type { Document, Options, Renderer } from './document.ts';
import type { Format } from './formats.ts';
import { renderGithubMatrix } from './github-matrix.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { renderText } from './text.ts';

export type { Document, Options } from './document.ts';
export type { Format } from './formats.ts';

/** Every format by its name on the command line: a new one is a file, a line here and its name in formats.ts. */
const RENDERERS: { readonly [name in Format]: Renderer } = {
  text: renderText,
  markdown: renderMarkdown,
  html: renderHtml,
  json: renderJson,
  'github-matrix': renderGithubMatrix,
};

/** The documents in a format, with a line break at the end; harmless to terminals, CI logs and Markdown, whatever the data in them says. */
export function render(documents: readonly Document[], format: Format, options: Options): string {
  return RENDERERS[format](documents, options);
}
