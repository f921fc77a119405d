/**
 * A reader of our HTML that knows the tags we write and no others: what data could smuggle in is a tag, an attribute or an entity too
 * many.
 */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { SCRIPT } from '../../src/report/html/filters.ts';

const STYLES = 'plain|title|added|removed|changed|alarm|warning|good|quiet';
const ID = 'r\\d+(?:-\\d+)*';
const ACTIONS = '(?:create|update|delete|adopt|move|forget)';
const EFFECTS = '(?:loosens|tightens|neutral)';
const FATES = '(?:kept|moved|changed|added|removed)';
/** Elements that need no attribute. */
const PLAIN =
  'head|title|style|script|body|main|header|footer|nav|ul|li|div|pre|details|summary|thead|tbody|tr|td|bdi|code|b|del|ins|dl|dt|dd|output';

/** Every tag that may stand in a report, with all that may stand in it. */
const TAGS = new RegExp(
  `^<(?:${[
    '!doctype html',
    'html lang="en" dir="ltr"',
    'meta charset="utf-8"',
    `meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\\w+/]{43}='; script-src 'sha256-[\\w+/]{43}='; base-uri 'none'; form-action 'none'"`,
    'meta name="referrer" content="no-referrer"',
    'meta name="viewport" content="width=device-width, initial-scale=1"',
    'meta name="color-scheme" content="light dark"',
    `article aria-labelledby="${ID}"`,
    `section class="(?:part|overview)" aria-labelledby="${ID}"`,
    `h[123] (?:class="unseen" )?id="${ID}"`,
    `p class="(?:${STYLES}|row|request)"`,
    'nav aria-label="Parts of the report"',
    `a href="#${ID}"`,
    `ul (?:class="(?:items(?: long)?|remarks|reasons)"|aria-labelledby="${ID}")`,
    'ol class="(?:blocks|steps)"',
    `li class="item"(?: data-action="${ACTIONS}" data-effect="${EFFECTS}" data-blocked="(?:yes|no)" data-kind="\\d+")?`,
    `li class="(?:tile (?:${STYLES})|(?:beam|ad) ${FATES}|fold|state|step(?: without)?|setting)"`,
    'div class="(?:head|groups|group|group kinds|track)"',
    `div class="scroll" role="region" tabindex="0" aria-labelledby="${ID}"`,
    `table (?:class="(?:heat|counts)" )?aria-labelledby="${ID}"`,
    'th scope="(?:col|row)"',
    `td class="(?:moved|same|quiet|${EFFECTS})"`,
    `span class="(?:(?:mark |word )?(?:${STYLES})|count|to|unseen|at|name|length|field|values)"`,
    'span (?:class="(?:to|sign)" )?aria-hidden="true"',
    'figure class="(?:timeline|board)"',
    `figcaption id="${ID}"`,
    'svg class="ribbons" aria-hidden="true" focusable="false" width="[\\d.]+rem" height="[\\d.]+rem" viewBox="0 0 \\d+ \\d+"',
    `path class="${FATES}" d="[MCHZ \\d]+"/`,
    'form class="filters" role="search" aria-label="Search and filter" autocomplete="off" hidden',
    `label for="${ID}"`,
    `input type="search" name="text" id="${ID}" spellcheck="false" placeholder="address, field, value"`,
    `select name="(?:effect|action|blocked|kind)" id="${ID}"`,
    `option value="(?:|${ACTIONS}|${EFFECTS}|yes|no|\\d+)"`,
    'button type="reset"',
    `(?:${PLAIN})`,
    `/(?:${PLAIN}|html|article|section|h[123]|p|a|span|table|th|figure|figcaption|ol|svg|form|label|select|option|button)`,
  ].join('|')})>$`,
);

const VOID = new Set(['!doctype', 'meta', 'input', 'path']);

/** An element that was read, or the text between two tags. */
export interface Read {
  /** The open elements around it, outermost first. */
  readonly path: string;
  readonly text: string;
}

/** Reads a report, and fails where it is not plain, balanced markup of ours with escaped text between. Texts come unescaped. */
export function readHtml(report: string): readonly Read[] {
  const ours = [...report.matchAll(/<(style|script)>([^<]*)<\/\1>/g)].map(([, name = '', text = '']) => ({ name, text }));
  expect(ours.map(({ name }) => name)).toEqual(['style', 'script']);
  for (const { name, text } of ours) expect(report).toContain(`${name}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  expect(ours[0]?.text).not.toMatch(/url|@import|expression|\\/);
  expect(ours[1]?.text).toBe(SCRIPT);
  const open: string[] = [];
  const texts: Read[] = [];
  for (const [index, part] of report.split(/(<[^<>]*>)/).entries()) {
    if (index % 2 === 1) move(part, open);
    else if (!/^(?:style|script)$/.test(open.at(-1) ?? '')) texts.push({ path: open.join(' '), text: plain(part) });
  }
  expect(open).toEqual([]);
  return texts.filter(({ text }) => text.trim() !== '');
}

function move(tag: string, open: string[]): void {
  expect(tag).toMatch(TAGS);
  const name = /^<\/?([!\w]+)/.exec(tag)?.[1] ?? '';
  if (tag.startsWith('</')) expect(open.pop()).toBe(name);
  else if (!VOID.has(name)) open.push(name);
}

const ENTITIES: { readonly [entity: string]: string } = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function plain(text: string): string {
  expect(text.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[<>&"']/);
  return text.replace(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity);
}

/** All that a reader of the report reads, a line each. */
export function wordsIn(report: string): string {
  return readHtml(report)
    .map(({ text }) => text)
    .join('\n');
}
