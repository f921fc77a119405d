/** Parses a YAML file to plain values with a source map. Positions are computed only where a finding needs one. */

import type { FindingText } from '../../model/finding.ts';
import type { Json, MemberPart, Path } from '../../model/json.ts';
import { lazy } from '../lazy.ts';
import { withoutAmbiguity } from './ambiguity.ts';
import { type Member, type NodeOffsets, nodeOffsets } from './node-offsets.ts';
import { parseToEvents } from './parse-events.ts';
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

/** The parsed content of files in this run, by the SHA-256 of their bytes in hexadecimal. */
export interface ParseCache {
  get(digest: string): FileContent | undefined;
  set(digest: string, content: FileContent): unknown;
}

/** Parses like `parseYaml`, or returns the content of an earlier file with the same bytes. */
export function parseYamlCached(bytes: Uint8Array, digest: string, cache: ParseCache): YamlFile {
  const known = cache.get(digest);
  if (known !== undefined) return yamlFile(() => decodeValid(bytes), known);
  const file = parseYaml(bytes);
  const { documents, errors, invalidPaths } = file;
  cache.set(digest, { documents, errors, invalidPaths });
  return file;
}

/** Parses the YAML documents of a file. Errors are listed, never thrown. */
export function parseYaml(bytes: Uint8Array): YamlFile {
  const decoded = decodeText(bytes);
  if ('error' in decoded) {
    const { reason, line } = decoded.error;
    const error = { code: 'not-text', summary: `the file is not text: ${reason}`, hint: 'Save it as UTF-8.', line, column: 1 };
    return yamlFile(() => '', { documents: [], invalidPaths: [], errors: [error] });
  }
  const { text } = decoded;
  return yamlFile(() => text, parseContent(text));
}

/** The content of a file, without its source map. */
export type FileContent = Pick<YamlFile, 'documents' | 'errors' | 'invalidPaths'>;

/** Parses a text; errors are listed. */
function parseContent(text: string): FileContent {
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
  const { events, errors: syntaxErrors } = parseToEvents(parsable);
  for (const { offset, code, summary, hint } of [...ambiguities, ...syntaxErrors]) report(offset, code, summary, hint);
  try {
    return { errors, ...readDocuments({ text: parsable, events, report, lineOf: (offset) => lines.at(offset).line }) };
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
    const { offset, code, summary } = error.reason;
    return { documents: [], invalidPaths: [], errors: [{ code, summary, ...lines.at(offset) }] };
  }
}

/** Returns a file whose source map is built at the first lookup. */
function yamlFile(readText: () => string, content: FileContent): YamlFile {
  const text = lazy(readText);
  const lines = lazy(() => linesOf(text()));
  const roots = lazy(() => rootsOf(text()));
  return {
    ...content,
    locationOf: (document, path, part = 'value') => nodeLocation(roots()[document], path, part, text(), lines()),
    line: (number) => lines().line(number),
  };
}

function rootsOf(text: string): readonly NodeOffsets[] {
  const { parsable } = withoutAmbiguity(text);
  return nodeOffsets(parsable, parseToEvents(parsable).events);
}

/** Decodes bytes that were decoded without error before. */
function decodeValid(bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  return 'text' in decoded ? decoded.text : '';
}

function nodeLocation(root: NodeOffsets | undefined, path: Path, part: MemberPart, text: string, lines: Lines): NodeLocation {
  let key: number | undefined;
  let node = root;
  let isComplete = true;
  for (const step of path) {
    const next = memberOf(node, step);
    isComplete = next !== undefined;
    if (next === undefined) break;
    key = next.key;
    node = next.value;
  }
  const start = node?.start ?? 0;
  const atKey = key !== undefined && ((isComplete && part === 'key') || isBelow(node, key, lines));
  return { ...lines.at(atKey ? (key ?? 0) : start), written: isComplete ? writtenText(node, text) : undefined };
}

function memberOf(node: NodeOffsets | undefined, step: string | number): Partial<Member> | undefined {
  const item = typeof step === 'number' ? node?.items?.[step] : undefined;
  return item === undefined ? node?.members?.get(String(step)) : { value: item };
}

/** Decides whether a block begins on a later line than its key, or is absent; the key is then the better location. */
function isBelow(node: NodeOffsets | undefined, key: number, lines: Lines): boolean {
  if (node && isScalar(node)) return node.isEmpty === true;
  return lines.at(node?.start ?? 0).line > lines.at(key).line;
}

function writtenText(node: NodeOffsets | undefined, text: string): string | undefined {
  return node && isScalar(node) ? text.slice(node.start, node.end) : undefined;
}

/** Decides whether a node is a scalar: only of those the end is recorded. */
function isScalar(node: NodeOffsets): boolean {
  return node.end !== undefined;
}
