import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Document, formats, isFormat, render } from '../../src/report/index.ts';
import { anyOptions, hostileDocument } from './hostile.ts';

/** What our own colours look like; the only control sequences that may come out, and only where colour was asked for. */
const COLOUR = /\u001b\[\d{1,2}m/g;

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0]/u;

describe.each(formats)('hostile text in %s', (format) => {
  if (!isFormat(format)) throw new Error(`${format} is listed, but no format`);

  it('sends nothing to a terminal that acts, hides or reorders', () => {
    fc.assert(
      fc.property(fc.array(hostileDocument, { maxLength: 2 }), anyOptions, (documents, options) => {
        const text = render(documents, format, options);
        const bare = options.colour ? text.replace(COLOUR, '') : text;
        expect(bare.replaceAll('\n', '')).not.toMatch(HIDDEN);
        expect(text.endsWith('\n')).toBe(true);
      }),
    );
  });

  it('has no line that a CI system obeys', () => {
    fc.assert(
      fc.property(fc.array(hostileDocument, { maxLength: 2 }), anyOptions, (documents, options) => {
        for (const line of render(documents, format, options).replace(COLOUR, '').split('\n')) {
          expect(line.trim().startsWith('::')).toBe(false);
          expect(line).not.toMatch(/##\w*\[/);
        }
      }),
    );
  });
});

/** Markdown without what is inert in it: fixed-width blocks, code spans, and the few tags that we write. */
function outsideCode(markdown: string): string {
  const open: string[] = [];
  let ticks: string | null = null;
  for (const line of markdown.split('\n')) {
    const run = /^(`{3,})(?:diff)?$/.exec(line)?.[1];
    if (ticks === null && run) ticks = run;
    else if (ticks !== null && /^`+$/.test(line) && line.length >= ticks.length) ticks = null;
    else if (ticks === null) open.push(withoutSpans(line));
  }
  expect(ticks).toBeNull();
  return open.join('\n').replace(/<\/?(?:details|summary|br)>/g, '');
}

/** A run of backticks opens a span that the next run of the same length closes. */
function withoutSpans(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, ' ');
}

describe('hostile text in Markdown', () => {
  it('is code wherever it could be markup, a mention or a link', () => {
    fc.assert(
      fc.property(hostileDocument, anyOptions, (document, options) => {
        const rest = outsideCode(render([document], 'markdown', options));
        expect(rest).not.toMatch(/[@<>[\]`\\&_$]|:\/\/|www\.|\w#\d|GH-\d|\b[0-9a-f]{7,}\b|^ {0,3}#{1,6} (?!\p{L})/mu);
      }),
    );
  });

  it('leaves every table with three columns', () => {
    fc.assert(
      fc.property(hostileDocument, anyOptions, (document, options) => {
        const rows = render([document], 'markdown', options)
          .split('\n')
          .filter((line) => line.startsWith('| '));
        for (const line of rows) expect(line.split('|')).toHaveLength(5);
      }),
    );
  });
});

describe('hostile text in JSON', () => {
  it('is the same text when it is read back', () => {
    fc.assert(
      fc.property(hostileDocument, anyOptions, (document, options) => {
        expect(JSON.parse(render([document], 'json', options))).toEqual(contentOf(document));
      }),
    );
  });
});

/** What JSON says of a document: all of it but the excerpts. */
function contentOf(document: Document): unknown {
  if (document.type === 'targets') return { schemaVersion: 1, targets: document.targets };
  const content = document.type === 'plan' || document.type === 'drift' ? document.plan : Object.values(document)[1];
  return JSON.parse(JSON.stringify(content, (member, value: unknown) => (member === 'excerpt' ? undefined : value)));
}
