/** Reads the text files that the sources name, for `Kind.declare`. */
import { posix } from 'node:path';
import type { DeclareContext, UnlocatedFinding } from '../kinds/kind.ts';
import type { Path } from '../model/json.ts';
import type { Reader } from './yaml/reader.ts';
import { decodeText, type Lines, linesOf } from './yaml/text.ts';

/** The `DeclareContext` of one run, and the lines of the files that it has read, for excerpts. */
export interface TextFileReader {
  readonly tools: DeclareContext;
  /** Returns a line of a text file, from 1; undefined where the file was not read. */
  line(file: string, number: number): string | undefined;
}

/** Creates a reader over the files of a project; `fileOf` returns the source file of a path, to which file names are relative. */
export function createTextFileReader(reader: Reader, fileOf: (path: Path) => string): TextFileReader {
  const lines = new Map<string, Lines>();
  const readText: DeclareContext['readText'] = (path, name) => {
    const file = posix.isAbsolute(name) ? name : posix.join(posix.dirname(fileOf(path)), name);
    const got = reader.read(file);
    if ('fault' in got) return { problem: unusable(path, name, got.fault.code, got.fault.reason) };
    const decoded = decodeText(got.bytes);
    if ('fault' in decoded) return { problem: unusable(path, name, 'not-text', `${decoded.fault.reason} (line ${decoded.fault.line})`) };
    const text = decoded.text.replaceAll('\r\n', '\n');
    lines.set(file, linesOf(text));
    return { file, text };
  };
  return { tools: { readText }, line: (file, number) => lines.get(file)?.line(number) };
}

function unusable(path: Path, name: string, code: string, reason: string): UnlocatedFinding {
  return {
    severity: 'error',
    code,
    summary: `\`${name}\` cannot be used: ${reason}`,
    hint: 'The name is relative to the file that holds it.',
    path,
  };
}
