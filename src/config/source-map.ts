/** Where the merged sources are written: by section and resource, so that finding a place does not depend on how many there are. */
import type { SourcePosition } from '../model/finding.ts';
import { isJsonObject, type Json, type Path, pointer } from '../model/json.ts';
import type { SourceDocument } from './load-sources.ts';
import type { Point } from './yaml/parse.ts';

/** A place, with what stands there. */
export interface SourceLocation extends SourcePosition {
  /** The line of the file. */
  readonly excerpt: string;
  /** The scalar as written, quotes included; undefined for maps and lists. */
  readonly written: string | undefined;
}

/** A source, as far as places are concerned: by JSON Pointer of a section, or of a member of it, the document that says it. */
export interface SourceSpan {
  readonly owners: ReadonlyMap<string, SourceDocument>;
}

/** Place of a path in one document. */
export function locationIn(part: Pick<SourceDocument, 'file' | 'yaml' | 'document'>, path: Path, point: Point = 'value'): SourceLocation {
  const { line, column, written } = part.yaml.locate(part.document, path, point);
  return { file: part.file, line, column, excerpt: part.yaml.line(line), written };
}

/**
 * Place of a path in the merged sources: in the last source that says it, else its nearest ancestor that is written;
 * undefined where not even the section is.
 */
export function mergedLocationOf(sources: readonly SourceSpan[], path: Path, point: Point = 'value'): SourceLocation | undefined {
  const told = tellerOf(sources, path);
  return told && locationIn(told.part, path.slice(0, told.depth), told.depth === path.length ? point : 'value');
}

/** Place of exactly this path, in the last source that says it; undefined where none does. */
export function locationAt(sources: readonly SourceSpan[], path: Path): SourceLocation | undefined {
  const told = tellerOf(sources, path);
  return told?.depth === path.length ? locationIn(told.part, path) : undefined;
}

/** The file of that place; unlike the place it can be told without a look at the text. */
export function fileOf(sources: readonly SourceSpan[], path: Path): string | undefined {
  return tellerOf(sources, path)?.part.file;
}

/** The documents that say exactly this path, the one in force first, as far as nothing hides them. */
export function definingDocumentsOf(sources: readonly SourceSpan[], path: Path): readonly SourceDocument[] {
  const tellers: SourceDocument[] = [];
  for (const { owners } of sources.toReversed()) {
    const part = partWith(owners, path);
    if (part === undefined) continue;
    const { depth, hides } = depthOf(part.value, path);
    if (depth === path.length) tellers.push(part);
    else if (hides) break;
  }
  return tellers;
}

function partWith(owners: SourceSpan['owners'], path: Path): SourceDocument | undefined {
  return owners.get(pointer(path.slice(0, 2))) ?? owners.get(pointer(path.slice(0, 1)));
}

/** The document that says a path, or most of it, and how many of its steps. */
function tellerOf(sources: readonly SourceSpan[], path: Path): { readonly part: SourceDocument; readonly depth: number } | undefined {
  let best: { readonly part: SourceDocument; readonly depth: number } | undefined;
  for (let index = sources.length - 1; index >= 0; index--) {
    const owners = sources[index]?.owners;
    const part = owners && partWith(owners, path);
    if (part === undefined) continue;
    const { depth, hides } = depthOf(part.value, path);
    if (depth > (best?.depth ?? 0)) best = { part, depth };
    if (hides) break;
  }
  return best;
}

/** How many steps of the path a value has, and whether what it says there hides all earlier sources: only maps merge. */
function depthOf(value: Json, path: Path): { readonly depth: number; readonly hides: boolean } {
  let at: Json | undefined = value;
  for (const [depth, step] of path.entries()) {
    const next: Json | undefined = memberOf(at, step);
    if (next === undefined) return { depth, hides: !isJsonObject(at) };
    at = next;
  }
  return { depth: path.length, hides: true };
}

function memberOf(value: Json, step: string | number): Json | undefined {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isJsonObject(value) ? value[step] : undefined;
}
