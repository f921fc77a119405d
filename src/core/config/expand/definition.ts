/** Values that a layer of the sources defines, and where they are written. */
import type { LayerType } from '../../model/explanation.ts';
import { type Json, type JsonObject, type MemberPart, memberOf, type Path, valueAt } from '../../model/json.ts';
import type { SourceDocument } from '../source-document.ts';
import { locationIn, type SourceLocation } from '../source-location.ts';
import { nameOfSingleVariable, soleVariable, variablesIn } from '../variables.ts';
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
  /** Returns how the value at a path below is written. Absent for defaults, whose values a resource overrides. */
  writtenAt?(rest: Path): WrittenValue;
}

/** How a value is written, for an edit of it. */
export interface WrittenValue {
  /** Where it is written, or would be where its parameter has its default. */
  readonly place: Cell | Place;
  /** The parameter of the template that it is made of, and how often the template names it. */
  readonly parameter?: { readonly name: string; readonly value: Json; readonly uses: number };
  /** The text before and after the parameter, where the value is a text around one. */
  readonly around?: { readonly before: string; readonly after: string };
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
type WrittenPlace =
  | (Place & { readonly args: ExpandedValue['args'] })
  | { readonly argument: Argument; readonly name: string; readonly rest: Path };

/** Returns where a path of an expanded value is written. A text that is one parameter and nothing else is written in its argument. */
function writtenPlaceOf({ place, args, value }: ExpandedValue, rest: Path, lists: ListExpander): WrittenPlace {
  let { document, path: at } = place;
  let raw: Json | undefined = valueAt(document.content, at);
  let current: Json | undefined = value;
  let scope = args;
  for (const [index, step] of rest.entries()) {
    const found = argumentOf(raw, scope);
    if (found) return { ...found, rest: rest.slice(index) };
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
  const found = argumentOf(raw, scope);
  return found ? { ...found, rest: [] } : { document, path: at, args: scope };
}

/** Returns the location of a path of an expanded value. */
export function locateExpanded(written: ExpandedValue, rest: Path, part: MemberPart, lists: ListExpander): SourceLocation {
  const origin = writtenPlaceOf(written, rest, lists);
  return 'argument' in origin ? origin.argument.locate(origin.rest, part) : locationIn(origin.document, origin.path, part);
}

/** Returns the place of a path of an expanded value: that of the argument where the value is one parameter and nothing else. */
export function placeIn(written: ExpandedValue, rest: Path, lists: ListExpander): Cell | Place {
  const origin = writtenPlaceOf(written, rest, lists);
  return 'argument' in origin ? origin.argument.placeOf(origin.rest) : origin;
}

/** Returns how a path of a value is written that a template with this body makes. */
export function writtenIn(body: Json, written: ExpandedValue, rest: Path, lists: ListExpander): WrittenValue {
  const origin = writtenPlaceOf(written, rest, lists);
  const parameter = (name: string, { value }: Argument) => ({
    name,
    value,
    uses: variablesIn(body).filter((each) => each.name === name).length,
  });
  if ('argument' in origin) return { place: origin.argument.placeOf(origin.rest), parameter: parameter(origin.name, origin.argument) };
  const sole = soleVariable(valueAt(origin.document.content, origin.path));
  const argument = sole && origin.args?.get(sole.name);
  return sole && argument ? { place: argument.placeOf([]), parameter: parameter(sole.name, argument), around: sole } : { place: origin };
}

function argumentOf(
  raw: Json | undefined,
  args: ExpandedValue['args'],
): { readonly argument: Argument; readonly name: string } | undefined {
  const name = typeof raw === 'string' && args ? nameOfSingleVariable(raw) : undefined;
  const argument = name === undefined ? undefined : args?.get(name);
  return name === undefined || argument === undefined ? undefined : { argument, name };
}
