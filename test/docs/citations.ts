/** Reads citations such as `design section 4, rule 6` out of comments, and checks that they lead somewhere. */
import ts from 'typescript';

/** A citation that leads nowhere. */
export interface BrokenCitation {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

/** The citable parts of one section of a document. */
interface Section {
  /** Numbers of its rules or points. */
  readonly numbers: Set<string>;
  /** Its headings in lower case, without backticks. */
  readonly headings: Set<string>;
}

/** Sections of each citable document, by document and by number. */
export type Documents = ReadonlyMap<string, ReadonlyMap<string, Section>>;

const NUMBER = String.raw`\d+(?:\.\d+)*`;
const LIST = `${NUMBER}(?:(?:, | and | to )${NUMBER})*`;
const DOCUMENT = '(?:(design|api-notes) sections?|(drm-api-v3|playlist-api-v4)(?: sections?)?)';
const CITATION = new RegExp(String.raw`\b${DOCUMENT} (${LIST})(?:, (?:rules?|points?) (${LIST}))?`, 'gi');
/** Words behind a citation of the design, which name a heading. Another citation may follow instead. */
const HEADING = /^, ((?:(?!api-notes|drm-api|playlist-api)[^;:.),])+)/;
/** Public standards, whose sections are not checked. */
const STANDARD = new RegExp(String.raw`\b(?:RFC|SARIF|XML) ${NUMBER} sections? ${LIST}`, 'g');
const LEFT_OVER = /\b(?:sections?|rules?|points?|decisions?|issues?) #?\d[\d.]*|§ ?\d[\d.]*|(?<!docs\/)\b(?:design|facts)\.md\b/gi;

/** Most files cite nothing, and need not be parsed. */
const WORTH_PARSING = /\b(?:sections?|rules?|points?|decisions?|issues?|api-v\d)[\s*/#]+\d|§|\b(?:design|facts)\.md\b/i;

/** Reads what can be cited: sections, rules and headings of docs/design.md, points of docs/api-notes.md, and its table of the API documents. */
export function readDocuments(design: string, apiNotes: string): Documents {
  return new Map([['design', sectionsOf(design)], ['api-notes', sectionsOf(apiNotes)], ...apiDocuments(apiNotes)]);
}

/** Returns the citations in comments of a source file that lead nowhere, in the order of the file. */
export function brokenCitations(documents: Documents, file: string, source: string): readonly BrokenCitation[] {
  return commentsIn(file, source).flatMap((comment) => {
    const { text } = comment;
    const found = [...text.matchAll(CITATION)].flatMap((match) => {
      const reason = whyUnresolved(documents, match, text);
      return reason === undefined ? [] : [{ offset: match.index, text: match[0], reason }];
    });
    const rest = text.replace(CITATION, blank).replace(STANDARD, blank);
    const bare = [...rest.matchAll(LEFT_OVER)].map((match) => ({ offset: match.index, text: match[0], reason: 'names no document' }));
    return [...found, ...bare]
      .sort((a, b) => a.offset - b.offset)
      .map(({ offset, ...broken }) => ({ file, line: lineOf(comment, offset), ...broken }));
  });
}

/** Counts the citations in comments of a source file. */
export function countCitations(file: string, source: string): number {
  return commentsIn(file, source).reduce((count, { text }) => count + [...text.matchAll(CITATION)].length, 0);
}

function whyUnresolved(documents: Documents, match: RegExpExecArray, text: string): string | undefined {
  const { 0: cited, 1: ownPage, 2: apiDocument, 3: sections = '', 4: numbers = '' } = match;
  const name = (ownPage ?? apiDocument ?? '').toLowerCase();
  const known = documents.get(name);
  const missing = expand(sections).find((section) => !known?.has(section));
  if (missing !== undefined) return `${name} has no section ${missing}`;
  const last = expand(sections).at(-1) ?? '';
  const section = known?.get(last);
  const number = expand(numbers).find((each) => !section?.numbers.has(each));
  if (number !== undefined) return `${name} section ${last} has no number ${number}`;
  const [, words] = (name === 'design' && HEADING.exec(text.slice(match.index + cited.length))) || [];
  if (words === undefined) return undefined;
  const heading = plain(words);
  const isThere = [heading, ...heading.split(' and ')].map((each) => section?.headings.has(each) ?? false);
  return isThere[0] || isThere.slice(1).every(Boolean) ? undefined : `design section ${last} has no heading "${heading}"`;
}

/** Expands `2.1, 4 to 6 and 8` to its numbers; in a range only the last part counts up. */
function expand(list: string): readonly string[] {
  if (list === '') return [];
  return list.split(/, | and /).flatMap((item) => {
    const [first = '', last] = item.split(' to ');
    if (last === undefined) return [first];
    const parent = first.slice(0, first.lastIndexOf('.') + 1);
    const from = Number(first.slice(parent.length));
    const to = Number(last.slice(parent.length));
    return Array.from({ length: Math.max(to - from, 0) + 1 }, (_, step) => `${parent}${from + step}`);
  });
}

/** Reads `## 4. Title` as a section; below it `### Rule N: title` and `- N.M. text` as rules, `N. text` as a point, and every other heading by its words. */
function sectionsOf(page: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Section>();
  let current: Section | undefined;
  for (const line of page.split('\n')) {
    const [, section] = /^## (\d+)\. /.exec(line) ?? [];
    if (section !== undefined) {
      current = { numbers: new Set(), headings: new Set() };
      sections.set(section, current);
    } else if (line.startsWith('## ')) current = undefined;
    const [, number] = /^(?:#+ Rule (\d+): )/.exec(line) ?? /^(?:- )?(\d+(?:\.\d+)?)\. /.exec(line) ?? [];
    const [, heading] = /^###+ (.+)$/.exec(line) ?? [];
    if (number !== undefined) current?.numbers.add(number);
    else if (heading !== undefined) current?.headings.add(plain(heading));
  }
  return sections;
}

/** Reads the rows `| document | section | title | rules |`. */
function apiDocuments(apiNotes: string): ReadonlyMap<string, ReadonlyMap<string, Section>> {
  const documents = new Map<string, Map<string, Section>>();
  for (const [, name = '', section = '', rules = ''] of apiNotes.matchAll(/^\| ([a-z]+-api-v\d) \| ([\d.]+) \| [^|]+ \| (\d*) ?\|$/gm)) {
    const numbers = new Set(Array.from({ length: Number(rules) }, (_, index) => `${index + 1}`));
    const sections = documents.get(name) ?? new Map<string, Section>();
    documents.set(name, sections.set(section, { numbers, headings: new Set() }));
  }
  return documents;
}

/** A comment as one line of text. */
interface Comment {
  readonly text: string;
  /** The line of the file in which it begins, from 1. */
  readonly line: number;
  /** Offsets in `text` at which the lines of the file begin. */
  readonly starts: readonly number[];
}

/** Returns the comments of a source file, in which texts that look like comments are none, or the notes and sources of a truth table. */
function commentsIn(file: string, source: string): readonly Comment[] {
  if (!WORTH_PARSING.test(source)) return [];
  if (file.endsWith('.txt')) return [commentOf(source.replace(/^(?!#|from ).*$/gm, ''), 1)];
  const parsed = ts.createSourceFile(
    file,
    source,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS,
  );
  const ranges = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    const at = node.getFullStart();
    for (const { pos, end } of [...(ts.getTrailingCommentRanges(source, at) ?? []), ...(ts.getLeadingCommentRanges(source, at) ?? [])])
      ranges.set(pos, end);
    for (const child of node.getChildren(parsed)) visit(child);
  };
  visit(parsed);
  return [...ranges]
    .sort(([a], [b]) => a - b)
    .map(([start, end]) => commentOf(source.slice(start, end), parsed.getLineAndCharacterOfPosition(start).line + 1));
}

/** Joins the lines of a comment without their stars, since a citation may be broken over two of them. */
function commentOf(written: string, line: number): Comment {
  const starts: number[] = [];
  let text = '';
  for (const part of written.split('\n')) {
    if (text !== '') text += ' ';
    starts.push(text.length);
    text += part.trim().replace(/^(?:\/\*+|\*(?!\/)|\/\/|#)\s*|\s*\*\/$/g, '');
  }
  return { text, line, starts };
}

function lineOf({ line, starts }: Comment, offset: number): number {
  return line + starts.filter((start) => start <= offset).length - 1;
}

function blank(text: string): string {
  return ' '.repeat(text.length);
}

function plain(heading: string): string {
  return heading.replaceAll('`', '').trim().toLowerCase();
}
