import type { SourceLocation } from '../source-map.ts';

/**
 * Returns the location of a character of a scalar, by its offset in the value; the location of the scalar where the source text differs from
 * the value (escapes, folded lines). `lineAt` returns a line of the file by its number, from 1.
 */
export function locateOffset(location: SourceLocation, value: string, offset: number, lineAt: (line: number) => string): SourceLocation {
  const written = location.written ?? '';
  if (written === value && !value.includes('\n')) return { ...location, column: location.column + offset };
  if (written.length > 2 && written.slice(1, -1) === value && !value.includes('\n'))
    return { ...location, column: location.column + 1 + offset };
  return /^[|>]/.test(written) ? (inBlock(location, value, offset, lineAt) ?? location) : location;
}

/**
 * Locates an offset in a block scalar. In a literal block, and in a folded block of one line, each line of the value is one indented line.
 */
function inBlock(location: SourceLocation, value: string, offset: number, lineAt: (line: number) => string): SourceLocation | undefined {
  const before = value.slice(0, offset).split('\n');
  const line = location.line + before.length;
  const excerpt = lineAt(line);
  const lineText = value.split('\n')[before.length - 1] ?? '';
  const indent = excerpt.indexOf(lineText);
  return lineText === '' || indent < 0 ? undefined : { ...location, line, excerpt, column: indent + 1 + (before.at(-1)?.length ?? 0) };
}
