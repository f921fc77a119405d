/** Maps paths in the merged sources to source locations. An index by section and resource makes a lookup fast with many resources. */
import type { SourcePosition } from '../model/finding.ts';
import { isJsonObject, type Json, type MemberPart, type Path, pointer } from '../model/json.ts';
import type { SourceDocument } from './load-sources.ts';

/** A position with the text that is there. */
export interface SourceLocation extends SourcePosition {
  /** The line of the file. */
  readonly excerpt: string;
  /** The scalar as written, quotes included; undefined for maps and lists. */
  readonly written: string | undefined;
}

/** Which document of a source defines which section or member. */
export interface DocumentIndex {
  /** The document that defines each section, or each member of a keyed section, by JSON Pointer. */
  readonly byPointer: ReadonlyMap<string, SourceDocument>;
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
 * Returns the location of a path in the last source that defines it. Where none does, returns that of its nearest ancestor that a source
 * defines; undefined where no source defines its section.
 */
export function nearestLocation(sources: readonly DocumentIndex[], path: Path, part: MemberPart = 'value'): SourceLocation | undefined {
  const definition = nearestDefinition(sources, path);
  return definition && locationIn(definition.document, path.slice(0, definition.depth), definition.depth === path.length ? part : 'value');
}

/** Returns the location of exactly this path in the last source that defines it; undefined where none does. */
export function exactLocation(sources: readonly DocumentIndex[], path: Path): SourceLocation | undefined {
  const definition = nearestDefinition(sources, path);
  return definition?.depth === path.length ? locationIn(definition.document, path) : undefined;
}

/** Returns the file of `nearestLocation`, without computing line and column. */
export function fileOf(sources: readonly DocumentIndex[], path: Path): string | undefined {
  return nearestDefinition(sources, path)?.document.file;
}

/**
 * Returns the documents that define exactly this path, that of the last source first. Leaves out definitions without effect, because a
 * later source replaces a value above the path.
 */
export function documentsDefining(sources: readonly DocumentIndex[], path: Path): readonly SourceDocument[] {
  const definers: SourceDocument[] = [];
  for (const { byPointer } of sources.toReversed()) {
    const document = documentOf(byPointer, path);
    if (document === undefined) continue;
    const { depth, endsInLeaf } = definedDepth(document.value, path);
    if (depth === path.length) definers.push(document);
    else if (endsInLeaf) break;
  }
  return definers;
}

function documentOf(byPointer: DocumentIndex['byPointer'], path: Path): SourceDocument | undefined {
  return byPointer.get(pointer(path.slice(0, 2))) ?? byPointer.get(pointer(path.slice(0, 1)));
}

/** Returns the document that defines the longest prefix of a path, and the number of segments of that prefix. */
function nearestDefinition(
  sources: readonly DocumentIndex[],
  path: Path,
): { readonly document: SourceDocument; readonly depth: number } | undefined {
  let best: { readonly document: SourceDocument; readonly depth: number } | undefined;
  for (let index = sources.length - 1; index >= 0; index--) {
    const byPointer = sources[index]?.byPointer;
    const document = byPointer && documentOf(byPointer, path);
    if (document === undefined) continue;
    const { depth, endsInLeaf } = definedDepth(document.value, path);
    if (depth > (best?.depth ?? 0)) best = { document, depth };
    if (endsInLeaf || depth === path.length) break;
  }
  return best;
}

/**
 * Returns how many segments of the path a value defines. `endsInLeaf` is true where the rest of the path is missing because the value at
 * that depth is not a map. Such a value replaces those of earlier sources, since only maps merge.
 */
function definedDepth(value: Json, path: Path): { readonly depth: number; readonly endsInLeaf: boolean } {
  let at: Json | undefined = value;
  for (const [depth, segment] of path.entries()) {
    const next: Json | undefined = memberOf(at, segment);
    if (next === undefined) return { depth, endsInLeaf: !isJsonObject(at) };
    at = next;
  }
  return { depth: path.length, endsInLeaf: false };
}

function memberOf(value: Json, segment: string | number): Json | undefined {
  if (Array.isArray(value)) return typeof segment === 'number' ? value[segment] : undefined;
  return isJsonObject(value) ? value[segment] : undefined;
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
