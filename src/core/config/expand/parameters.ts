/** The parameters of templates: their declaration, and the arguments that a resource or a row of a table gives. */
import { errorFinding, type UnlocatedFinding } from '../../kinds/kind.ts';
import { firstOf } from '../../model/collections.ts';
import { isJsonObject, isList, type Json, type MemberPart, type Path } from '../../model/json.ts';
import type { SourceLocation } from '../source-location.ts';
import type { Variable } from '../variables.ts';
import type { Place } from './entry-lists.ts';
import { type Delimiter, PARAMETER_TYPES, type ParameterType } from './expansion-schema.ts';

/** A parameter of a template. */
export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  /** Returns the value where none is given; undefined where one must be given. */
  readonly fallback: (() => Argument) | undefined;
}

/** A value for a parameter, and where it is written. */
export interface Argument extends Variable {
  /** Returns the location of a path in the value. */
  locate(rest: Path, part: MemberPart): SourceLocation;
  /** Returns where a path in the value is written. */
  placeOf(rest: Path): Cell | Place;
}

/** A cell of a CSV file. Row and column count from 0, without the header and without rows that have no text. */
export interface Cell {
  readonly file: string;
  readonly row: number;
  readonly column: number;
  /** What divides the cells of the file. */
  readonly delimiter: Delimiter;
}

/** Returns the default of a parameter for a resource that would write a value of its own at `place`. */
export function defaultFor(fallback: Argument, place: Cell | Place): Argument {
  return { ...fallback, placeOf: (rest) => (rest.length === 0 ? place : fallback.placeOf(rest)) };
}

/** What the types are called in messages. */
const NAMES: { readonly [type in ParameterType]: string } = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  entries: 'a list of entries',
};

/** Reads the type of a parameter as declared: `string`, or `{ type: string, default: ... }`. Undefined where there is no such type. */
export function parameterTypeOf(declared: Json): ParameterType | undefined {
  const name = isJsonObject(declared) ? declared.type : declared;
  return PARAMETER_TYPES.find((type) => type === name);
}

/** Decides whether a value is of the type of a parameter. */
export function isOfType(value: Json, type: ParameterType): boolean {
  switch (type) {
    case 'entries':
      return isList(value);
    case 'integer':
      return Number.isSafeInteger(value);
    default:
      return typeof value === type;
  }
}

/** Converts the text of a cell to the type of a parameter; undefined where that is not possible. */
export function valueOfCell(text: string, type: ParameterType): Json | undefined {
  if (type === 'string') return text;
  if (type === 'boolean') return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
  const pattern = type === 'integer' ? /^-?(0|[1-9]\d*)$/ : /^-?(0|[1-9]\d*)(\.\d+)?$/;
  const value = pattern.test(text) ? Number(text) : undefined;
  return value !== undefined && isOfType(value, type) ? value : undefined;
}

/** Builds the error about a value of another type. */
export function wrongTypeOfArgument({ name, type }: Pick<Parameter, 'name' | 'type'>, written: string, path: Path): UnlocatedFinding {
  const number = type === 'integer' || type === 'number' ? /^`?\s*(-?\d+)\s*s?`?$/.exec(written.replaceAll('"', ''))?.[1] : undefined;
  const says = number === undefined ? `\`params\` of the template says ${type}.` : `Write only the number: ${number}`;
  const hint = type === 'string' ? 'Put the value in quotes.' : says;
  return errorFinding('wrong-type', path, `\`${name}\` must be ${NAMES[type]}, not ${written}`, hint);
}

/** Builds the error about a parameter without a value. */
export function missingParameter(names: readonly string[], template: string, path: Path): UnlocatedFinding {
  const list = firstOf(
    names.map((name) => `\`${name}\``),
    10,
  );
  const summary = `the template \`${template}\` needs ${list.join(', ')}`;
  return errorFinding('missing-parameter', path, summary, 'Give a value, or a default in `params` of the template.');
}
