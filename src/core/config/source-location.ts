/** Locations of values in the files of the sources. */
import type { SourcePosition } from '../model/finding.ts';
import type { MemberPart, Path } from '../model/json.ts';
import type { SourceDocument } from './source-document.ts';

/** A position with the text that is there. */
export interface SourceLocation extends SourcePosition {
  /** The line of the file; undefined where it is no YAML, of which findings quote nothing. */
  readonly excerpt: string | undefined;
  /** The scalar as written, quotes included; undefined for maps and lists. */
  readonly written: string | undefined;
}

/** Returns the location of a path in one document. */
export function locationIn(
  document: Pick<SourceDocument, 'file' | 'yaml' | 'index'>,
  path: Path,
  part: MemberPart = 'value',
): SourceLocation {
  const { line, column, written } = document.yaml.locationOf(document.index, path, part);
  return { file: document.file, line, column, excerpt: document.yaml.line(line), written };
}

/**
 * Returns the location of a character of a scalar, by its offset in the value. Returns the location of the scalar where the source text
 * differs from the value (escapes, folded lines). `lineAt` returns a line of the file by its number, from 1.
 */
export function locationOfOffset(
  location: SourceLocation,
  value: string,
  offset: number,
  lineAt: (line: number) => string,
): SourceLocation {
  const written = location.written ?? '';
  if (written === value && !value.includes('\n')) return { ...location, column: location.column + offset };
  if (written.length > 2 && written.slice(1, -1) === value && !value.includes('\n'))
    return { ...location, column: location.column + 1 + offset };
  return /^[|>]/.test(written) ? (locationInBlock(location, value, offset, lineAt) ?? location) : location;
}

/**
 * Returns the location of an offset in a block scalar: in a literal block and in a folded block of one line, each line of the value is an
 * indented line of the file. Undefined where the line is not found.
 */
function locationInBlock(
  location: SourceLocation,
  value: string,
  offset: number,
  lineAt: (line: number) => string,
): SourceLocation | undefined {
  const before = value.slice(0, offset).split('\n');
  const line = location.line + before.length;
  const excerpt = lineAt(line);
  const lineText = value.split('\n')[before.length - 1] ?? '';
  const indent = excerpt.indexOf(lineText);
  return lineText === '' || indent < 0 ? undefined : { ...location, line, excerpt, column: indent + 1 + (before.at(-1)?.length ?? 0) };
}
