/** Markdown as GitHub renders it, by a parser that the project did not write: the data is there, and nothing of it is markup. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeSpan, fence, markdownSentence, visible } from '../../../src/report/escape.ts';
import { render } from '../../../src/report/index.ts';
import { driftMarkdown } from '../../../src/report/markdown/drift-issue.ts';
import { fitMarkdown } from '../../../src/report/markdown/fit-to-size.ts';
import { assertProperty } from '../../support/property.ts';
import { anyOptions, hostileDocument, hostileText } from '../hostile.ts';
import { readMarkdown } from '../outside-parsers.ts';

/** The elements of a report. */
const OURS = [
  ...['p', 'strong', 'em', 'code', 'pre', 'ul', 'ol', 'li', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'br', 'hr', 'details', 'summary'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
];

/** The attributes that the renderer makes of what is ours: the language of a block, and how a column is aligned. */
const OUR_ATTRIBUTES = ['code class', 'td align', 'th align', 'ol start'];

/** What code hosts make links or mentions of outside of code. */
const REFERENCE = /@[\w-]|(?:^|[^\w])#\d|\bGH-\d|https?:|www\./;

/** The text of a sentence as readers see it: without the backticks around code. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Checks that a text has nothing but what is ours. */
function expectOnlyOurs(markdown: string): void {
  const { elements, attributes, prose } = readMarkdown(markdown);
  expect([...elements].filter((name) => !OURS.includes(name))).toEqual([]);
  expect([...attributes].filter((name) => !OUR_ATTRIBUTES.includes(name))).toEqual([]);
  expect(prose).not.toMatch(REFERENCE);
}

/** A size limit, in characters, from nearly nothing to more than a document takes. */
const budgets = fc.integer({ min: 500, max: 60_000 }).map((most) => ({ most, unit: 'characters', size: (text: string) => text.length }));

describe('Markdown has only elements of its own, no link, no image and no mention, whatever the data,', () => {
  it('in a report', () => {
    assertProperty(
      fc.property(hostileDocument, anyOptions, (document, options) => {
        expectOnlyOurs(render([document], 'markdown', options));
      }),
    );
  });

  it('in a comment, where parts are left out', () => {
    assertProperty(
      fc.property(hostileDocument, anyOptions, budgets, (document, options, budget) => {
        expectOnlyOurs(fitMarkdown(document, options, budget));
      }),
    );
  });

  it('in an issue about drift', () => {
    const ages = fc.record({ address: hostileText, kind: hostileText, since: fc.constantFrom(null, '2026-01-05T12:00:00.000Z') });
    assertProperty(
      fc.property(hostileDocument, fc.array(ages, { maxLength: 4 }), anyOptions, budgets, (document, drifted, options, budget) => {
        fc.pre(document.type === 'plan' || document.type === 'drift');
        const known = { drifted, unread: drifted, now: Date.UTC(2026, 1, 1), lastApply: null };
        expectOnlyOurs(driftMarkdown(document.plan, known, options, budget));
      }),
    );
  });
});

describe('text in Markdown', () => {
  it('as a code span is the text', () => {
    assertProperty(
      fc.property(hostileText, (text) => {
        const shown = visible(text).replaceAll('|', '\\u{7c}');
        const { code, elements } = readMarkdown(`before ${codeSpan(text)} after`);
        expect(code.map(plain)).toEqual([shown.trim() === '' ? '""' : plain(shown)]);
        expect([...elements]).toEqual(['p', 'code']);
      }),
    );
  });

  it('as a cell of a table is the text, and one cell', () => {
    assertProperty(
      fc.property(hostileText, (text) => {
        const { code, elements } = readMarkdown(`| a | b |\n|---|---|\n| ${codeSpan(text)} | x |\n`);
        expect(code).toHaveLength(1);
        expect([...elements]).toEqual(['table', 'thead', 'tr', 'th', 'tbody', 'td', 'code']);
      }),
    );
  });

  it('as a sentence is the text, in words and code', () => {
    assertProperty(
      fc.property(hostileText, (text) => {
        const { text: read, elements } = readMarkdown(`- begin ${markdownSentence(text)}`);
        const shown = visible(text)
          .replaceAll('|', '\\u{7c}')
          .replaceAll(/`([^`]+)`/g, '$1')
          .replaceAll('->', '→');
        const letters = (value: string) => value.replace(/[\s`"]/g, '').replaceAll('->', '→');
        expect(letters(read)).toBe(letters(`begin ${shown}`));
        expect([...elements].filter((name) => !['ul', 'li', 'code'].includes(name))).toEqual([]);
      }),
    );
  });

  it('in a block is the text, line by line', () => {
    assertProperty(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 4 }), (texts) => {
        const lines = texts.map((text) => `+ ${visible(text)}`);
        const ticks = fence(lines.join('\n'), 3);
        expect(readMarkdown(`${ticks}diff\n${lines.join('\n')}\n${ticks}\n`).code).toEqual([`${lines.join('\n')}\n`]);
      }),
    );
  });
});
