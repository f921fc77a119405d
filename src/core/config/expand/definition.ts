/** Values that a layer of the sources defines, and where they are written. */
import type { LayerType } from '../../model/explanation.ts';
import { type Json, type JsonObject, type MemberPart, memberOf, type Path, valueAt } from '../../model/json.ts';
import type { SourceDocument } from '../source-document.ts';
import { locationIn, type SourceLocation } from '../source-location.ts';
import { nameOfSingleVariable } from '../variables.ts';
import type { ListExpander, Place } from './entry-lists.ts';
import type { Argument, Cell } from './parameters.ts';

/** A value that a layer defines, for a path of the merged sources and what is below it. */
export interface Definition {
  readonly layerType: LayerType;
  /** The name of the template. */
  readonly template?: string;
  /** The file of the document, template, table or defaults. */
  readonly file: string;
  /** Whether all of it is written in that file: no argument and no included list. */
  readonly isInOneFile: boolean;
  /** Number of segments of the path that it stands for: 0 for a whole document, 2 for a resource. */
  readonly depth: number;
  /** The value at that path, with variables replaced and lists expanded. */
  readonly value: Json;
  /** The file that declares the resource, where that is not `file`. */
  readonly declaredIn?: string;
  /** The document, if the definition is a whole document. */
  readonly document?: SourceDocument;
  /** Returns the location of a path below. */
  locate(rest: Path, part: MemberPart): SourceLocation;
  /** Returns the cell of a CSV file that holds exactly this value; undefined where none does. */
  cellAt?(rest: Path): Cell | undefined;
}

/** The definition that is a whole document. */
export interface ExpandedDocument extends Definition {
  readonly value: JsonObject;
  readonly document: SourceDocument;
}

/** An expanded value: where it is written, and the arguments of its template. */
export interface ExpandedValue {
  readonly place: Place;
  readonly args?: ReadonlyMap<string, Argument>;
  readonly value: Json;
}

/** Where a path of an expanded value is written: in a document, or in an argument. */
export type WrittenPlace = Place | { readonly argument: Argument; readonly rest: Path };

/** Returns where a path of an expanded value is written. A text that is one parameter and nothing else is written in its argument. */
export function writtenPlaceOf({ place, args, value }: ExpandedValue, rest: Path, lists: ListExpander): WrittenPlace {
  let { document, path: at } = place;
  let raw: Json | undefined = valueAt(document.content, at);
  let current: Json | undefined = value;
  let scope = args;
  for (const [index, step] of rest.entries()) {
    const argument = argumentOf(raw, scope);
    if (argument) return { argument, rest: rest.slice(index) };
    const origin = typeof step === 'number' ? (lists.originsOf(current)?.[step] ?? step) : step;
    if (typeof origin === 'object') {
      ({ document, path: at } = origin);
      raw = valueAt(document.content, at);
      scope = undefined;
    } else {
      at = [...at, origin];
      raw = memberOf(raw, origin);
    }
    current = memberOf(current, step);
  }
  const argument = argumentOf(raw, scope);
  return argument ? { argument, rest: [] } : { document, path: at };
}

/** Returns the location of a path of an expanded value. */
export function locateExpanded(written: ExpandedValue, rest: Path, part: MemberPart, lists: ListExpander): SourceLocation {
  const origin = writtenPlaceOf(written, rest, lists);
  return 'argument' in origin ? origin.argument.locate(origin.rest, part) : locationIn(origin.document, origin.path, part);
}

function argumentOf(raw: Json | undefined, args: ExpandedValue['args']): Argument | undefined {
  const name = typeof raw === 'string' && args ? nameOfSingleVariable(raw) : undefined;
  return name === undefined ? undefined : args?.get(name);
}
