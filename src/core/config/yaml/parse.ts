/** Parses a YAML file to plain values with a source map. */

import type { FindingText } from '../../model/finding.ts';
import type { Json, MemberPart, Path } from '../../model/json.ts';
import { lazy } from '../lazy.ts';
import { withoutAmbiguity } from './ambiguity.ts';
import { memberOf, type YamlNode } from './nodes.ts';
import { parseNodes } from './parse-nodes.ts';
import { decodeText, type Lines, linesOf } from './text.ts';
import { type Report, readDocuments, TooDeepError } from './to-json.ts';

/** An error of a file that does not depend on the schema, such as a syntax error. */
interface YamlError extends FindingText {
  readonly line: number;
  readonly column: number;
}

/** The location of a path of a document. */
interface NodeLocation {
  readonly line: number;
  readonly column: number;
  /** The scalar as written, quotes included; undefined for maps, lists and aliases. */
  readonly written: string | undefined;
}

/** A file of YAML documents. */
export interface YamlFile {
  /** The values of the documents that have content. Maps have no prototype. Never modify a value, because aliases share values. */
  readonly documents: readonly Json[];
  readonly errors: readonly YamlError[];
  /** Paths, in any document, of values that must not be used because of an error. An error may have no such path. */
  readonly invalidPaths: readonly Path[];
  /**
   * Returns the location of a path of a document, or of its nearest ancestor where the path does not exist. For a block that begins on a
   * later line than its key, this is the location of the key.
   */
  locationOf(document: number, path: Path, part?: MemberPart): NodeLocation;
  /** Returns a line by its number, from 1; empty after the last line. */
  line(number: number): string;
}

/** The parsed files of this run, by the SHA-256 of their bytes in hexadecimal. */
export interface ParseCache {
  get(digest: string): YamlFile | undefined;
  set(digest: string, file: YamlFile): unknown;
}

/** Parses like `parseYaml`, or returns an earlier file with the same bytes. */
export function parseYamlCached(bytes: Uint8Array, digest: string, cache: ParseCache): YamlFile {
  const known = cache.get(digest);
  if (known !== undefined) return known;
  const file = parseYaml(bytes);
  cache.set(digest, file);
  return file;
}

/** Parses the YAML documents of a file. Errors are listed, never thrown. */
export function parseYaml(bytes: Uint8Array): YamlFile {
  const decoded = decodeText(bytes);
  if ('text' in decoded) return parseText(decoded.text);
  const { reason, line } = decoded.error;
  const error = { code: 'not-text', summary: `the file is not text: ${reason}`, hint: 'Save it as UTF-8.', line, column: 1 };
  return { documents: [], invalidPaths: [], errors: [error], ...sourceMap('', () => [], linesOf('')) };
}

function parseText(text: string): YamlFile {
  const lines = linesOf(text);
  const errors: YamlError[] = [];
  const report: Report = (offset, code, summary, hint, otherPlace) => {
    const { line, column } = lines.at(Math.min(offset, text.length));
    const last = errors.at(-1);
    if (last?.line === line && last.column === column && last.summary === summary) return;
    errors.push({
      code,
      summary,
      ...(hint === undefined ? {} : { hint }),
      ...(otherPlace === undefined ? {} : { otherPlace }),
      line,
      column,
    });
  };
  const { parsable, errors: ambiguities } = withoutAmbiguity(text);
  const { roots, errors: syntaxErrors } = parseNodes(parsable);
  for (const { offset, code, summary, hint } of [...ambiguities, ...syntaxErrors]) report(offset, code, summary, hint);
  try {
    const content = readDocuments({ text: parsable, roots, report, lineOf: (offset) => lines.at(offset).line });
    // The nodes take more memory than the values, and most runs need no location: they are parsed again where one is needed.
    return { errors, ...content, ...sourceMap(text, () => parseNodes(parsable).roots, lines) };
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
    const { offset, code, summary } = error.reason;
    return { documents: [], invalidPaths: [], errors: [{ code, summary, ...lines.at(offset) }], ...sourceMap(text, () => [], lines) };
  }
}

function sourceMap(text: string, readRoots: () => readonly YamlNode[], lines: Lines): Pick<YamlFile, 'locationOf' | 'line'> {
  const written = lazy(() => readRoots().filter(({ type }) => type !== 'absent'));
  return {
    locationOf: (document, path, part = 'value') => nodeLocation(written()[document], path, part, text, lines),
    line: (number) => lines.line(number),
  };
}

function nodeLocation(root: YamlNode | undefined, path: Path, part: MemberPart, text: string, lines: Lines): NodeLocation {
  let key: number | undefined;
  let node = root;
  let isComplete = true;
  for (const step of path) {
    const member = node?.type === 'map' ? memberOf(node, String(step)) : undefined;
    const next = node?.type === 'list' && typeof step === 'number' ? node.items[step] : member?.value;
    isComplete = next !== undefined;
    if (next === undefined) break;
    key = member?.key.start;
    node = next;
  }
  const start = node?.start ?? 0;
  const atKey = key !== undefined && ((isComplete && part === 'key') || isBelow(node, key, lines));
  return { ...lines.at(atKey ? (key ?? 0) : start), written: isComplete ? writtenText(node, text) : undefined };
}

/** Decides whether a block begins on a later line than its key, or is absent; the key is then the better location. */
function isBelow(node: YamlNode | undefined, key: number, lines: Lines): boolean {
  if (node?.type === 'absent') return true;
  if (node?.type === 'scalar') return node.contentStart === node.contentEnd;
  return lines.at(node?.start ?? 0).line > lines.at(key).line;
}

function writtenText(node: YamlNode | undefined, text: string): string | undefined {
  if (node?.type === 'absent') return '';
  return node?.type === 'scalar' ? text.slice(node.start, node.end) : undefined;
}
