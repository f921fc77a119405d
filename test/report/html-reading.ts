/**
 * Reads the HTML of reports. It knows the tags that a report may contain and no others, so that injected markup is an unknown tag,
 * attribute or entity.
 */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { SCRIPT } from '../../src/report/html/filters.ts';

const STYLES = 'plain|title|added|removed|changed|alarm|warning|good|quiet';
const ID = 'r\\d+(?:-\\d+)*';
const HEADING = `(?:${ID}|c-[0-9a-f]{12})`;
/** Escaped data. */
const TITLE = '(?: title="[^"<>]*")?';
const ACTIONS = '(?:create|update|delete|adopt|move|forget)';
const EFFECTS = '(?:weakens|strengthens|neutral)';
const PLAYBACKS = '(?:stops|reduces|unknown|gains|neutral)';
const ENTRY_CHANGES = '(?:kept|moved|changed|added|removed)';
/** Elements without attributes. */
const PLAIN =
  'head|title|style|script|body|main|header|footer|nav|ul|li|div|pre|details|summary|thead|tbody|tr|td|bdi|code|b|del|ins|dl|dt|dd|output';

/** Every tag that a report may contain, with its attributes. */
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
    `section class="(?:part|part brief|totals)" aria-labelledby="${ID}"`,
    `h[123] id="${HEADING}"`,
    `p class="(?:${STYLES}|row|request|headline)"`,
    'nav aria-label="Parts of the report"',
    `a href="#${HEADING}"${TITLE}`,
    'a href="https://[\\w.:/~%#-]+"',
    `ul (?:class="(?:items(?: long)?|remarks|reasons|members|facts)"|aria-labelledby="${ID}")`,
    '[ou]l',
    'ol class="(?:blocks|request-sequence)"',
    `ol class="merged" aria-labelledby="${ID}"`,
    'code class="flag"',
    'del aria-hidden="true"',
    `div class="choices" id="${ID}"`,
    `button type="button" class="more" aria-expanded="false" aria-controls="${ID}"`,
    `li class="item"(?: data-action="${ACTIONS}" data-effect="${EFFECTS}" data-playback="${PLAYBACKS}" data-blocked="(?:yes|no)" data-kind="\\d+"(?: data-size="\\d+")?)?`,
    'li id="c-[0-9a-f]{12}"',
    `li class="(?:tile (?:${STYLES})|(?:beam|ad) ${ENTRY_CHANGES}|fold|state|step(?: no-requests)?|setting)"`,
    `div class="(?:head|effects|next|groups|group|group kinds|track|verdict (?:${STYLES}))"`,
    `div class="scroll" role="region" tabindex="0" aria-labelledby="${HEADING}"`,
    `table (?:class="(?:heat-map|counts)" )?aria-labelledby="${HEADING}"`,
    'th scope="(?:col|row)"',
    `td class="(?:moved|same|quiet|${EFFECTS})"`,
    `span class="(?:(?:mark |word )?(?:${STYLES})|count|to|visually-hidden|position|name|length|field|values|kind|source|named|flag)"${TITLE}`,
    'span (?:class="(?:to|sign|column)" )?aria-hidden="true"',
    'figure class="(?:playlist-diff|settings-matrix)"',
    `figcaption id="${ID}"`,
    'svg class="ribbons" aria-hidden="true" focusable="false" width="[\\d.]+rem" height="[\\d.]+rem" viewBox="0 0 \\d+ \\d+"',
    `path class="${ENTRY_CHANGES}" d="[MCHZ \\d]+"/`,
    'form class="filters" role="search" aria-label="Search and filter" autocomplete="off" hidden',
    `label for="${ID}"`,
    `input type="search" name="text" id="${ID}" spellcheck="false" placeholder="name, address, field, value"`,
    `select name="(?:effect|playback|action|blocked|kind)" id="${ID}"`,
    `option value="(?:|${ACTIONS}|${EFFECTS}|${PLAYBACKS}|yes|no|\\d+)"`,
    'button type="reset"',
    `(?:${PLAIN})`,
    `/(?:${PLAIN}|html|article|section|h[123]|p|a|span|table|th|figure|figcaption|ol|svg|form|label|select|option|button)`,
  ].join('|')})>$`,
);

const VOID = new Set(['!doctype', 'meta', 'input', 'path']);

/** A text between two tags. */
export interface HtmlText {
  /** The open elements around it, outermost first. */
  readonly path: string;
  readonly text: string;
}

/** Returns the unescaped texts of a report. Fails if the report is not balanced markup of known tags with escaped text between them. */
export function readHtml(report: string): readonly HtmlText[] {
  const embedded = [...report.matchAll(/<(style|script)>([^<]*)<\/\1>/g)].map(([, name = '', text = '']) => ({ name, text }));
  expect(embedded.map(({ name }) => name)).toEqual(['style', 'script']);
  for (const { name, text } of embedded)
    expect(report).toContain(`${name}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  expect(embedded[0]?.text).not.toMatch(/url|@import|expression|\\/);
  expect(embedded[1]?.text).toBe(SCRIPT);
  const open: string[] = [];
  const texts: HtmlText[] = [];
  for (const [index, part] of report.split(/(<[^<>]*>)/).entries()) {
    if (index % 2 === 1) applyTag(part, open);
    else if (!/^(?:style|script)$/.test(open.at(-1) ?? '')) texts.push({ path: open.join(' '), text: unescapeHtml(part) });
  }
  expect(open).toEqual([]);
  return texts.filter(({ text }) => text.trim() !== '');
}

function applyTag(tag: string, open: string[]): void {
  expect(tag).toMatch(TAGS);
  const name = /^<\/?([!\w]+)/.exec(tag)?.[1] ?? '';
  if (tag.startsWith('</')) expect(open.pop()).toBe(name);
  else if (!VOID.has(name)) open.push(name);
}

const ENTITIES: { readonly [entity: string]: string } = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function unescapeHtml(text: string): string {
  expect(text.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[<>&"']/);
  return text.replace(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity);
}

/** Returns all texts of a report, one per line. */
export function wordsIn(report: string): string {
  return readHtml(report)
    .map(({ text }) => text)
    .join('\n');
}

/** Returns what a screen reader reads between two texts of the page. */
export function spokenText(html: string, from: string, to: string): string {
  const start = html.indexOf(from);
  expect(start, from).toBeGreaterThan(0);
  const part = html.slice(start, html.indexOf(to, start));
  return part
    .replace(/<(span|del)[^>]* aria-hidden="true">[^<]*<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
