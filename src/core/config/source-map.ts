/** Maps paths in the merged sources to source locations. An index by section and resource makes a lookup fast with many resources. */
import { isJsonObject, type Json, type JsonObject, type MemberPart, memberOf, type Path, pointer } from '../model/json.ts';
import type { Definition } from './expand/definition.ts';
import type { Target } from './project.ts';
import type { SourceDocument } from './source-document.ts';
import { locationIn, type SourceLocation } from './source-location.ts';

/** One layer of the sources: the definition of each of its sections and members. */
export interface Layer {
  /** The definition of each section, or of each member of a keyed section, by JSON Pointer. */
  readonly byPointer: ReadonlyMap<string, Definition>;
}

/** A layer with its value. */
export interface ValueLayer extends Layer {
  readonly value: JsonObject;
}

/**
 * Returns the location of a path in the last layer that defines it. Where none does, returns that of its nearest ancestor that a layer
 * defines; undefined where no layer defines its section.
 */
export function nearestLocation(layers: readonly Layer[], path: Path, part: MemberPart = 'value'): SourceLocation | undefined {
  const found = nearestDefinition(layers, path);
  return found && locateIn(found.definition, path.slice(0, found.length), found.length === path.length ? part : 'value');
}

/** Returns the location of a path in the sources; where they have nothing like it, that of `sources` in upkeep.yaml. */
export function locationInSources(
  {
    layers,
    projectDocument,
    target,
  }: { readonly layers: readonly Layer[]; readonly projectDocument: SourceDocument; readonly target: Target },
  path: Path,
  part?: MemberPart,
): SourceLocation {
  return nearestLocation(layers, path, part) ?? locationIn(projectDocument, ['targets', target.name, 'sources']);
}

/** Returns the file of `nearestLocation`, without computing line and column where the definition is in one file. */
export function fileOf(layers: readonly Layer[], path: Path): string | undefined {
  const found = nearestDefinition(layers, path);
  if (found === undefined) return undefined;
  const { definition, length } = found;
  return definition.isInOneFile ? definition.file : locateIn(definition, path.slice(0, length), 'value').file;
}

/**
 * Returns the definitions of exactly this path, that of the last layer first. Leaves out definitions that a later layer hides,
 * because it replaces a value above the path.
 */
export function definitionsOf(layers: readonly Layer[], path: Path): readonly Definition[] {
  const definitions: Definition[] = [];
  for (const { byPointer } of layers.toReversed()) {
    const definition = definitionOf(byPointer, path);
    if (definition === undefined) continue;
    const { length, endsInLeaf } = definedPrefix(definition, path);
    if (length === path.length) definitions.push(definition);
    else if (endsInLeaf) break;
  }
  return definitions;
}

function definitionOf(byPointer: Layer['byPointer'], path: Path): Definition | undefined {
  return byPointer.get(pointer(path.slice(0, 2))) ?? byPointer.get(pointer(path.slice(0, 1)));
}

function locateIn(definition: Definition, path: Path, part: MemberPart): SourceLocation {
  return definition.locate(path.slice(definition.depth), part);
}

/** Returns the definition of the longest prefix of a path, and the number of segments of that prefix. */
function nearestDefinition(layers: readonly Layer[], path: Path): { readonly definition: Definition; readonly length: number } | undefined {
  let best: { readonly definition: Definition; readonly length: number } | undefined;
  for (let index = layers.length - 1; index >= 0; index--) {
    const byPointer = layers[index]?.byPointer;
    const definition = byPointer && definitionOf(byPointer, path);
    if (definition === undefined) continue;
    const { length, endsInLeaf } = definedPrefix(definition, path);
    if (length > (best?.length ?? 0)) best = { definition, length };
    if (endsInLeaf || length === path.length) break;
  }
  return best;
}

/**
 * Returns how many segments of the path a definition defines. `endsInLeaf` is true where the rest of the path is missing because the value
 * there is not a map. Such a value replaces those of earlier layers, since only maps merge.
 */
function definedPrefix({ depth: first, value }: Definition, path: Path): { readonly length: number; readonly endsInLeaf: boolean } {
  let at: Json | undefined = value;
  for (let depth = first; depth < path.length; depth++) {
    const next: Json | undefined = memberOf(at, path[depth] ?? '');
    if (next === undefined) return { length: depth, endsInLeaf: !isJsonObject(at) };
    at = next;
  }
  return { length: path.length, endsInLeaf: false };
}
