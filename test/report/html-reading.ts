/** A reader of our HTML that knows the tags we write and no others: what data could smuggle in is a tag, an attribute or an entity too many. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';

const TONES = 'plain|title|added|removed|changed|alarm|warning|good|quiet';
const ID = 'r\\d+(?:-\\d+)*';

/** Every tag that may stand in a report, with all that may stand in it. */
const TAGS = new RegExp(
  `^<(?:${[
    '!doctype html',
    'html lang="en" dir="ltr"',
    'meta charset="utf-8"',
    `meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\\w+/]{43}='; base-uri 'none'; form-action 'none'"`,
    'meta name="referrer" content="no-referrer"',
    'meta name="viewport" content="width=device-width, initial-scale=1"',
    'meta name="color-scheme" content="light dark"',
    `(?:article|section) aria-labelledby="${ID}"`,
    `h[123] id="${ID}"`,
    `p class="(?:${TONES})"`,
    'nav aria-label="Parts of the report"',
    `a href="#${ID}"`,
    'ul class="(?:items|remarks)"',
    'li class="item"',
    'div class="head"',
    `div class="scroll" role="region" tabindex="0" aria-labelledby="${ID}"`,
    `table aria-labelledby="${ID}"`,
    'th scope="(?:col|row)"',
    'td class="(?:moved|same)"',
    `span class="(?:(?:mark |word )?(?:${TONES})|count|to|unseen)"`,
    'span (?:class="to" )?aria-hidden="true"',
    'head|title|style|body|main|header|footer|nav|ul|li|div|pre|details|summary|thead|tbody|tr|td|bdi',
    '/(?:html|head|title|style|body|main|article|section|header|footer|nav|ul|li|div|h[123]|p|a|span|pre|details|summary|table|thead|tbody|tr|th|td|bdi)',
  ].join('|')})>$`,
);

const VOID = new Set(['!doctype', 'meta']);

/** An element that was read, or the text between two tags. */
export interface Read {
  /** The open elements around it, outermost first. */
  readonly path: string;
  readonly text: string;
}

/** Reads a report, and fails where it is not plain, balanced markup of ours with escaped text between. Texts come unescaped. */
export function readHtml(report: string): readonly Read[] {
  const [, style = ''] = /<style>([^<]*)<\/style>/.exec(report) ?? [];
  expect(report).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  const open: string[] = [];
  const texts: Read[] = [];
  for (const [index, part] of report.split(/(<[^<>]*>)/).entries()) {
    if (index % 2 === 0) texts.push({ path: open.join(' '), text: plain(part, open.at(-1) === 'style') });
    else move(part, open);
  }
  expect(open).toEqual([]);
  return texts.filter(({ text, path }) => text.trim() !== '' && !path.endsWith('style'));
}

function move(tag: string, open: string[]): void {
  expect(tag).toMatch(TAGS);
  const name = /^<\/?([!\w]+)/.exec(tag)?.[1] ?? '';
  if (tag.startsWith('</')) expect(open.pop()).toBe(name);
  else if (!VOID.has(name)) open.push(name);
}

const ENTITIES: { readonly [entity: string]: string } = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function plain(text: string, isStyle: boolean): string {
  if (isStyle) expect(text).not.toMatch(/url|import|expression|\\/);
  expect(text.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[<>&"']/);
  return text.replace(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity);
}

/** All that a reader of the report reads, a line each. */
export function wordsIn(report: string): string {
  return readHtml(report)
    .map(({ text }) => text)
    .join('\n');
}
