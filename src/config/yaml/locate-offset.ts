import type { SourceLocation } from '../source-map.ts';

/**
 * The place of a character of a scalar, by its offset in the value; the scalar's own place where what is written is not the value as it stands
 * (escapes, folded lines). `lineAt` gives a line of the file by its number.
 */
export function locateOffset(location: SourceLocation, value: string, offset: number, lineAt: (line: number) => string): SourceLocation {
  const written = location.written ?? '';
  if (written === value && !value.includes('\n')) return { ...location, column: location.column + offset };
  if (written.length > 2 && written.slice(1, -1) === value && !value.includes('\n'))
    return { ...location, column: location.column + 1 + offset };
  return /^[|>]/.test(written) ? (inBlock(location, value, offset, lineAt) ?? location) : location;
}

/** In a literal block, and in a folded one of one line, each line of the value stands on a line of its own, indented. */
function inBlock(location: SourceLocation, value: string, offset: number, lineAt: (line: number) => string): SourceLocation | undefined {
  const before = value.slice(0, offset).split('\n');
  const line = location.line + before.length;
  const excerpt = lineAt(line);
  const said = value.split('\n')[before.length - 1] ?? '';
  const indent = excerpt.indexOf(said);
  return said === '' || indent < 0 ? undefined : { ...location, line, excerpt, column: indent + 1 + (before.at(-1)?.length ?? 0) };
}
