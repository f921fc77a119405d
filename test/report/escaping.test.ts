import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Format, isFormat, TARGET_FORMATS } from '../../src/report/document.ts';
import { type Document, type Options, render } from '../../src/report/index.ts';
import { eventsOf } from '../../src/report/machine/ndjson.ts';
import { withVerdict } from '../../src/report/view/verdict.ts';
import { rounds } from '../support/figures.ts';
import { assertProperty } from '../support/property.ts';
import { change, failure, field, finding, OPTIONS, plan } from './documents.ts';
import { anyOptions, hostileDocument, hostileText } from './hostile.ts';
import { readHtml } from './html-reading.ts';
import { readCodeQuality } from './languages/code-quality.ts';
import { readExposition } from './languages/exposition.ts';
import { readJunit } from './languages/junit.ts';
import { readSarif } from './languages/sarif.ts';
import { readAnnotations } from './languages/workflow-commands.ts';

/** The control sequences of colors: the only ones that a report may contain, and only with the option `color`. */
const COLOR_SEQUENCE = /\u001b\[\d{1,2}m/g;

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0]/u;

/** Texts of a megabyte each (in `npm test` a fiftieth of it): many words, many lines, and texts that are longer once escaped. */
const LONG = ['word ', '\u001b[2J', '\n::error::', '`|<b>\ud800'].map((piece) => piece.repeat(rounds(20_000, 1_000_000) / piece.length));

/** Returns documents that contain a text wherever they can contain a text. */
function documentsOf(text: string): readonly Document[] {
  const changed = change(text, {
    name: text,
    fields: [field(text, text, text)],
    blocked: { check: 'deletes', reason: text, lift: { edit: text } },
  });
  const found = finding({ summary: text, hint: text, file: text, code: text, excerpt: text });
  return [
    { type: 'plan', plan: plan([changed], { target: text, findings: [found] }) },
    { type: 'failure', failure: { ...failure([found], text), error: { exit: 1, code: text, summary: text, hint: text } } },
  ];
}

/** Checks that a report is valid in the language of its format. */
type Checker = (text: string, document: Document, options: Options) => void;

/** The checker of every format. A new format without a line here does not compile. */
const LANGUAGES: { readonly [format in Format]: Checker } = {
  // Terminals and CI logs read text; the tests below check what holds for every format.
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

/** Returns the lines that a CI system executes, except the annotations of the format `github`. */
function executedLines(text: string, format: Format): readonly string[] {
  if (format === 'github') expect(readAnnotations(text).every(({ message }) => message !== '')).toBe(true);
  const isOurs = (line: string) => format === 'github' && /^::(?:error|warning|notice) (?:file|title)=/.test(line);
  return text.split('\n').filter((line) => (line.trim().startsWith('::') && !isOurs(line)) || /##\w*\[/.test(line));
}

it('every format has a checker for its language', () => {
  expect(Object.keys(LANGUAGES).sort()).toEqual([...TARGET_FORMATS].sort());
});

describe.each(TARGET_FORMATS)('hostile text in %s', (format) => {
  if (!isFormat(format)) throw new Error(`${format} is listed, but no format`);

  it('is inert in the language of the format', () => {
    assertProperty(
      fc.property(hostileDocument, anyOptions, (document, options) => {
        LANGUAGES[format](render([document], format, options), document, options);
      }),
    );
  });

  it.each(LONG)('is harmless as a megabyte in every text of a document', (text) => {
    for (const document of documentsOf(text)) {
      const report = render([document], format, OPTIONS);
      expect(report.replaceAll('\n', '')).not.toMatch(HIDDEN);
      expect(executedLines(report, format)).toEqual([]);
      LANGUAGES[format](report, document, OPTIONS);
    }
  });

  it('sends no control, hidden or reordering character to a terminal', () => {
    assertProperty(
      fc.property(fc.array(hostileDocument, { maxLength: 2 }), anyOptions, (documents, options) => {
        const text = render(documents, format, options);
        const uncolored = options.color ? text.replace(COLOR_SEQUENCE, '') : text;
        expect(uncolored.replaceAll('\n', '')).not.toMatch(HIDDEN);
        expect(text.endsWith('\n') || ((format === 'ndjson' || format === 'github') && text === '')).toBe(true);
      }),
    );
  });

  it('contains no line that a CI system executes', () => {
    assertProperty(
      fc.property(fc.array(hostileDocument, { maxLength: 2 }), anyOptions, (documents, options) => {
        expect(executedLines(render(documents, format, options).replace(COLOR_SEQUENCE, ''), format)).toEqual([]);
      }),
    );
  });
});

/** Details show values as they are; everything else is sentences, in which backticks enclose code. */
it('every line of text has backticks in pairs only, whatever the data', () => {
  assertProperty(
    fc.property(hostileText, hostileText, (text, other) => {
      const reasons = [
        { playback: 'stops', text },
        { playback: 'reduces', text: other },
      ] as const;
      const blocked = { check: 'guard', reason: text, lift: { edit: other } } as const;
      const changes = [
        change(`playlist/${text}`, { name: other, playback: 'stops', playbackReasons: reasons, blocked }),
        change('playlist/b', { name: text, effect: 'weakens' }),
      ];
      const findings = [{ ...finding({ summary: text, hint: other, file: text }), excerpt: '' }];
      const report = render([{ type: 'plan', plan: plan(changes, { target: text, findings }) }], 'text', { ...OPTIONS, width: 60 });
      for (const line of report.split('\n')) expect((line.match(/`/g) ?? []).length % 2).toBe(0);
    }),
  );
});

/** Removes what is inert in Markdown: fixed-width blocks, code spans, and the tags of the report itself. */
function outsideCode(markdown: string): string {
  const open: string[] = [];
  let ticks: string | null = null;
  for (const line of markdown.split('\n')) {
    const run = /^(`{3,})(?:diff)?$/.exec(line)?.[1];
    if (ticks === null && run) ticks = run;
    else if (ticks !== null && /^`+$/.test(line) && line.length >= ticks.length) ticks = null;
    else if (ticks === null) open.push(withoutSpans(line.replace(/^> \[!(?:CAUTION|WARNING|TIP|NOTE)\]$|^>(?: |$)/, '')));
  }
  expect(ticks).toBeNull();
  return open.join('\n').replace(/<\/?(?:details|summary|br)>/g, '');
}

/** Removes code spans: a run of backticks starts one, and the next run of the same length ends it. */
function withoutSpans(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, ' ');
}

/** Returns the content of a document as JSON contains it: with the verdict of a plan, without the excerpts of findings. */
function contentOf(document: Document): unknown {
  if (document.type === 'targets') return { schemaVersion: 1, targets: document.targets };
  const isPlan = document.type === 'plan' || document.type === 'drift';
  const content = isPlan ? withVerdict(document.type, document.plan) : Object.values(document)[1];
  return JSON.parse(JSON.stringify(content, (member, value: unknown) => (member === 'excerpt' ? undefined : value)));
}
