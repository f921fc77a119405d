import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Format, isFormat, TARGET_FORMATS } from '../../src/report/document.ts';
import { type Document, type Options, render } from '../../src/report/index.ts';
import { eventsOf } from '../../src/report/machine/ndjson.ts';
import { rounds } from '../support/figures.ts';
import { change, failure, field, finding, OPTIONS, plan } from './documents.ts';
import { anyOptions, hostileDocument } from './hostile.ts';
import { readHtml } from './html-reading.ts';
import { readCodeQuality } from './languages/code-quality.ts';
import { readExposition } from './languages/exposition.ts';
import { readJunit } from './languages/junit.ts';
import { readSarif } from './languages/sarif.ts';
import { readAnnotations } from './languages/workflow-commands.ts';

/** What our own colours look like; the only control sequences that may come out, and only where colour was asked for. */
const COLOUR = /\u001b\[\d{1,2}m/g;

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0]/u;

/** A megabyte each (in `npm test` a tenth of it) of what is long as many words, as many lines, and once it is made harmless. */
const LONG = ['word ', '\u001b[2J', '\n::error::', '`|<b>\ud800'].map((piece) => piece.repeat(rounds(100_000, 1_000_000) / piece.length));

/** Documents in which a text stands wherever a text can stand. */
function documentsOf(text: string): readonly Document[] {
  const changed = change(text, {
    name: text,
    fields: [field(text, text, text)],
    blocked: { check: 'deletes', reason: text, override: text },
  });
  const found = finding({ summary: text, hint: text, file: text, code: text, excerpt: text });
  return [
    { type: 'plan', plan: plan([changed], { target: text, findings: [found] }) },
    { type: 'failure', failure: { ...failure([found], text), error: { exit: 1, code: text, summary: text, hint: text } } },
  ];
}

/** What a report must be in the language of its format. */
type Oracle = (text: string, document: Document, options: Options) => void;

/** The oracle of every format: one that is registered without a line here compiles no more, and fails the test below. */
const LANGUAGES: { readonly [format in Format]: Oracle } = {
  // Nothing more than what holds of every format: whoever reads it is a terminal, or the log of a CI system.
  text: (text) => expect(text.split('\n').length).toBeGreaterThan(1),
  markdown(text) {
    expect(outsideCode(text)).not.toMatch(/[@<>[\]`\\&_$]|:\/\/|www\.|\w#\d|GH-\d|\b[0-9a-f]{7,}\b|^ {0,3}#{1,6} (?!\p{L})/mu);
    for (const line of text.split('\n').filter((each) => each.startsWith('| '))) expect(line.split('|')).toHaveLength(5);
  },
  html: (text) => expect(readHtml(text).length).toBeGreaterThan(1),
  json: (text, document) => expect(JSON.parse(text)).toEqual(contentOf(document)),
  'github-matrix'(text, document) {
    if (document.type !== 'targets') expect(text).toBe('\n');
    else expect(JSON.parse(text)).toEqual({ target: document.targets.map(({ name }) => name) });
  },
  ndjson(text, document) {
    const events: unknown = JSON.parse(JSON.stringify(eventsOf(document).map((event) => ({ schemaVersion: 1, ...event }))));
    expect(text.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]))).toEqual(events);
  },
  sarif: (text) => expect(readSarif(text).tool.driver.rules.length).toBeLessThan(30),
  junit: (text) => expect(readJunit(text).attributes.name).toBe('upkeep'),
  github(text) {
    for (const command of ['error', 'warning', 'notice'])
      expect(readAnnotations(text).filter((each) => each.command === command).length).toBeLessThanOrEqual(10);
  },
  gitlab: (text) => expect(readCodeQuality(text).length).toBeLessThan(60),
  prometheus: (text) => expect(readExposition(text).every(({ value }) => value >= 0)).toBe(true),
};

/** What a CI system obeys in a report: nothing, but in the one format that is made for it annotations of ours, and those only. */
function obeyedIn(text: string, format: Format): readonly string[] {
  if (format === 'github') expect(readAnnotations(text).every(({ message }) => message !== '')).toBe(true);
  const isOurs = (line: string) => format === 'github' && /^::(?:error|warning|notice) (?:file|title)=/.test(line);
  return text.split('\n').filter((line) => (line.trim().startsWith('::') && !isOurs(line)) || /##\w*\[/.test(line));
}

it('every format that is registered has an oracle for its language', () => {
  expect(Object.keys(LANGUAGES).sort()).toEqual([...TARGET_FORMATS].sort());
});

describe.each(TARGET_FORMATS)('hostile text in %s', (format) => {
  if (!isFormat(format)) throw new Error(`${format} is listed, but no format`);

  it('is inert in the language of the format', () => {
    fc.assert(
      fc.property(hostileDocument, anyOptions, (document, options) => {
        LANGUAGES[format](render([document], format, options), document, options);
      }),
    );
  });

  it.each(LONG)('is harmless where a megabyte of it stands in every place', (text) => {
    for (const document of documentsOf(text)) {
      const report = render([document], format, OPTIONS);
      expect(report.replaceAll('\n', '')).not.toMatch(HIDDEN);
      expect(obeyedIn(report, format)).toEqual([]);
      LANGUAGES[format](report, document, OPTIONS);
    }
  });

  it('sends nothing to a terminal that acts, hides or reorders', () => {
    fc.assert(
      fc.property(fc.array(hostileDocument, { maxLength: 2 }), anyOptions, (documents, options) => {
        const text = render(documents, format, options);
        const bare = options.color ? text.replace(COLOUR, '') : text;
        expect(bare.replaceAll('\n', '')).not.toMatch(HIDDEN);
        expect(text.endsWith('\n') || (format === 'ndjson' && text === '')).toBe(true);
      }),
    );
  });

  it('has no line that a CI system obeys', () => {
    fc.assert(
      fc.property(fc.array(hostileDocument, { maxLength: 2 }), anyOptions, (documents, options) => {
        expect(obeyedIn(render(documents, format, options).replace(COLOUR, ''), format)).toEqual([]);
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

/** What JSON says of a document: all of it but the excerpts. */
function contentOf(document: Document): unknown {
  if (document.type === 'targets') return { schemaVersion: 1, targets: document.targets };
  const content = document.type === 'plan' || document.type === 'drift' ? document.plan : Object.values(document)[1];
  return JSON.parse(JSON.stringify(content, (member, value: unknown) => (member === 'excerpt' ? undefined : value)));
}
