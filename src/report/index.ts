/** The report room: documents in, text out. It fetches nothing and decides nothing. */
import type { Document, Options, Renderer } from './document.ts';
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

/** Every format of all documents by its name on the command line: a new one is a file and a line here. */
const OF_ALL = {
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
} satisfies { readonly [format: string]: Renderer };

/** The formats of the list of targets too. */
const RENDERERS = { ...OF_ALL, 'github-matrix': renderGithubMatrix } satisfies { readonly [format: string]: Renderer };

/** A format that documents can be reported in. */
export type Format = keyof typeof RENDERERS;

/** The names of the formats of all documents. */
export const formats: readonly string[] = Object.keys(OF_ALL);

/** The names of the formats of the list of targets. */
export const targetFormats: readonly string[] = Object.keys(RENDERERS);

/** Whether a word of the command line names a format. */
export function isFormat(word: string): word is Format {
  return Object.hasOwn(RENDERERS, word);
}

/** The documents in a format, with a line break at the end; harmless to terminals, CI logs and Markdown, whatever the data in them says. */
export function render(documents: readonly Document[], format: Format, options: Options): string {
  return RENDERERS[format](documents, options);
}
