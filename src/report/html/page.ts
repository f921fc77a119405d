/** The frame of an HTML file that loads nothing else. */
import { createHash } from 'node:crypto';
import { finish, htmlText } from '../escape.ts';
import { cutSentence } from './elements.ts';

/**
 * Wraps lines of HTML into a file. The content security policy lets the browser load and send nothing, and run only this style and script.
 */
export function htmlPage(title: string, style: string, script: string, lines: readonly string[]): string {
  const policy = `default-src 'none'; style-src '${sourceOf(style)}'; script-src '${sourceOf(script)}'; base-uri 'none'; form-action 'none'`;
  return finish([
    '<!doctype html>',
    '<html lang="en" dir="ltr">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${htmlText(cutSentence(title)) || 'upkeep'}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main>',
    ...lines,
    '</main>',
    `<script>${script}</script>`,
    '</body>',
    '</html>',
  ]);
}

/** Returns the hash of a style or a script, as a source of a content security policy. */
function sourceOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
