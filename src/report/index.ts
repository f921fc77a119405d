/** The report room: documents in, text out. It fetches nothing and decides nothing. */
import type { Document, Options, Renderer } from './document.ts';
import type { Format } from './formats.ts';
import { renderHtml } from './html/index.ts';
import { renderGithub } from './machine/github.ts';
import { renderGithubMatrix } from './machine/github-matrix.ts';
import { renderGitlab } from './machine/gitlab.ts';
import { renderJson } from './machine/json.ts';
import { renderJunit } from './machine/junit.ts';
import { renderNdjson } from './machine/ndjson.ts';
import { renderPrometheus } from './machine/prometheus.ts';
import { renderSarif } from './machine/sarif.ts';
import { renderMarkdown } from './markdown/index.ts';
import { renderText } from './text/index.ts';

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
