/** The report room: documents in, text out. It fetches nothing and decides nothing. */
import type { Document, Options, Renderer } from './document.ts';
import type { Format } from './formats.ts';
import { renderGithub } from './github.ts';
import { renderGithubMatrix } from './github-matrix.ts';
import { renderGitlab } from './gitlab.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderNdjson } from './ndjson.ts';
import { renderPrometheus } from './prometheus.ts';
import { renderSarif } from './sarif.ts';
import { renderText } from './text.ts';

export type { Document, Options, Site } from './document.ts';
export type { Format } from './formats.ts';

/** Every format by its name on the command line: a new one is a file, a line here and its name in formats.ts. */
const RENDERERS: { readonly [name in Format]: Renderer } = {
  text: renderText,
  markdown: renderMarkdown,
  html: renderHtml,
  json: renderJson,
  ndjson: renderNdjson,
  sarif: renderSarif,
  junit: renderJunit,
  github: renderGithub,
  gitlab: renderGitlab,
  prometheus: renderPrometheus,
  'github-matrix': renderGithubMatrix,
};

/** The documents in a format, with a line break at the end; harmless to terminals, CI logs and Markdown, whatever the data in them says. */
export function render(documents: readonly Document[], format: Format, options: Options): string {
  return RENDERERS[format](documents, options);
}
