/** Renders documents as text. It does no I/O. */
import type { Document, Format, Options, Renderer } from './document.ts';
import { renderHtml } from './html/index.ts';
import { renderGithub, renderGithubMatrix } from './machine/github.ts';
import { renderGitlab } from './machine/gitlab.ts';
import { renderJson } from './machine/json.ts';
import { renderJunit } from './machine/junit.ts';
import { renderNdjson } from './machine/ndjson.ts';
import { renderPrometheus } from './machine/prometheus.ts';
import { renderSarif } from './machine/sarif.ts';
import { renderMarkdown } from './markdown/index.ts';
import { renderText } from './text/index.ts';

export type { CodeHostPages, Document, Format, Options, ReportOrigin } from './document.ts';

/** All renderers by format. A new format needs a file, a line here and its name in document.ts. */
const RENDERERS: { readonly [format in Format]: Renderer } = {
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

/**
 * Renders documents in a format, with a final line break unless it is empty. Data is escaped, so that it is harmless in terminals, CI logs
 * and Markdown.
 */
export function render(documents: readonly Document[], format: Format, options: Options): string {
  return RENDERERS[format](documents, options);
}
