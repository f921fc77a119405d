/**
 * Validates by JSON Schema. The only module that validates with package `ajv`, which `ajv.cjs` loads. Of the errors of an `anyOf` or
 * `oneOf`, it reports those of the alternative that was probably meant.
 */
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { isObject, type Path } from '../model/json.ts';
import { AJV_OPTIONS, digestOf, loadAjv } from './ajv.cjs';
import { lazy } from './lazy.ts';
import validators from './precompiled-validators.cjs';

/** One violation of a schema. */
export interface SchemaError {
  /** Path of the invalid value. For an unknown, missing or invalid key, the path of the map; for duplicate items, that of the later one. */
  readonly path: Path;
  /** The keyword of the schema; `forms` where a value matches several alternatives, or none better than another. */
  readonly keyword: string;
  readonly value: unknown;
  /** For duplicate items, the path of the earlier one. */
  readonly earlierItem?: Path;
  /** The unknown, missing or invalid key. */
  readonly key?: string;
  /** The value of the keyword: allowed types or values, a bound, a pattern. For `forms`, the required keys of each form. */
  readonly keywordValue: unknown;
  /** The schema that contains the keyword. */
  readonly schema: { readonly [keyword: string]: unknown };
}

/** A value that its schema accepts, with its type, or all violations of the schema. */
export type ValidationResult<T> = { readonly value: T } | { readonly errors: readonly SchemaError[] };

/**
 * Creates a validator for a schema of the draft-07 subset. With `defaults`, it writes the defaults of absent members into the value. A
 * schema that the build has precompiled needs ajv only to describe the errors of an invalid value, since loading ajv and compiling take
 * longer than everything else in a small run. Nothing is loaded or compiled before the first value.
 */
export function createValidator<T>(schema: object, defaults = false): (value: unknown) => ValidationResult<T> {
  const precompiled = lazy(() => validators.get(digestOf(schema, defaults)));
  const explain = lazy(() => explainer<T>(schema, defaults));
  return (value) => (precompiled()?.<T>(value) ? { value } : explain()(value));
}

/** Compiles a schema at run time, with all errors and their details. */
function explainer<T>(schema: object, useDefaults: boolean): (value: unknown) => ValidationResult<T> {
  const Ajv = loadAjv();
  const ajv = new Ajv({
    ...AJV_OPTIONS,
    allErrors: true,
    verbose: true,
    useDefaults,
    code: { optimize: false, process: linearErrorConcat },
  });
  const validate = ajv.compile<T>(schema);
  const errorsOfBranch = branchChecker(ajv, 'definitions' in schema ? schema.definitions : {});
  return (value) => {
    if (validate(value)) return { value };
    return { errors: reduceAlternatives(validate.errors ?? [], errorsOfBranch).map((error) => schemaErrorOf(error, value)) };
  };
}

/**
 * Changes the code that ajv generates. This code copies all earlier errors for each invalid item of a `$ref`, which takes a minute for
 * 100,000 items. The changed code appends instead.
 */
function linearErrorConcat(code: string): string {
  return code.replace(
    /vErrors = (vErrors === null \? )(\S+) : vErrors\.concat\(\2\)/g,
    '$1(vErrors = $2) : $2.forEach((error) => vErrors.push(error))',
  );
}

/** Returns the errors of a value under one alternative; none where the alternative accepts it. */
type ErrorsOfBranch = (branch: unknown, value: unknown) => readonly ErrorObject[];

/** Creates a function that validates a value against one alternative, which is compiled at its first use. */
function branchChecker(ajv: Ajv, definitions: unknown): ErrorsOfBranch {
  const compiled = new Map<unknown, ValidateFunction>();
  const errorsOfBranch: ErrorsOfBranch = (branch, value) => {
    const validate = compiled.get(branch) ?? ajv.compile({ allOf: [branch], definitions });
    compiled.set(branch, validate);
    return validate(value) ? [] : reduceAlternatives(validate.errors ?? [], errorsOfBranch);
  };
  return errorsOfBranch;
}

/** Replaces the errors of all alternatives, which precede the error of their `anyOf` or `oneOf`, with those of the best alternative. */
function reduceAlternatives(errors: readonly ErrorObject[], errorsOfBranch: ErrorsOfBranch): ErrorObject[] {
  const reduced: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'if' || error.propertyName !== undefined) continue;
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') reduced.push(error);
    else {
      while (isCause(reduced.at(-1), error)) reduced.pop();
      for (const cause of bestCauses(error, errorsOfBranch)) reduced.push(cause);
    }
  }
  return reduced;
}

function isCause(error: ErrorObject | undefined, of: ErrorObject): boolean {
  if (error === undefined || error.parentSchema === of.parentSchema) return false;
  return error.instancePath === of.instancePath || error.instancePath.startsWith(`${of.instancePath}/`);
}

/**
 * Returns the errors of the alternative that was probably meant. It is chosen by the type of the value, then its keys, then the number of
 * errors.
 */
function bestCauses(error: ErrorObject, errorsOfBranch: ErrorsOfBranch): readonly ErrorObject[] {
  const errorsByBranch = (Array.isArray(error.schema) ? error.schema : []).map((branch: unknown) => errorsOfBranch(branch, error.data));
  const ofType = errorsByBranch.filter((errors) => errors.length > 0 && !errors.some(isWrongType));
  if (errorsByBranch.some((errors) => errors.length === 0)) return [{ ...error, keyword: 'forms', schema: requiredKeys(error.schema) }];
  if (ofType.length === 0)
    return [
      {
        ...error,
        keyword: 'type',
        schema: errorsByBranch.flatMap((errors) => errors.filter(isWrongType).map((wrong) => wrong.schema)).flat(),
      },
    ];
  const best = Math.min(...ofType.map(mismatchScore));
  const candidates = ofType.filter((errors) => mismatchScore(errors) === best);
  if (candidates.length > 1 && best >= KEY_MISMATCH) return [{ ...error, keyword: 'forms', schema: requiredKeys(error.schema) }];
  return (candidates[0] ?? []).map((cause) => ({ ...cause, instancePath: error.instancePath + cause.instancePath }));
}

function isWrongType(error: ErrorObject): boolean {
  return error.instancePath === '' && error.keyword === 'type';
}

/** Score of a missing or unknown top-level key of an alternative: more than any number of errors below it. */
const KEY_MISMATCH = 1_000;

function mismatchScore(errors: readonly ErrorObject[]): number {
  const foreign = errors.filter((error) => error.instancePath === '' && ['required', 'additionalProperties'].includes(error.keyword));
  return foreign.length * KEY_MISMATCH + Math.min(errors.length, KEY_MISMATCH - 1);
}

function requiredKeys(alternatives: unknown): unknown {
  return (Array.isArray(alternatives) ? alternatives : []).map((branch: unknown) => (isObject(branch) ? (branch.required ?? []) : []));
}

function schemaErrorOf(error: ErrorObject, root: unknown): SchemaError {
  const key = keyOf(error.params);
  const path = pathOf(error.instancePath, root);
  return {
    ...(error.keyword === 'uniqueItems' ? equalItems(path, error.params) : { path }),
    keyword: error.keyword,
    value: error.data,
    ...(key === undefined ? {} : { key }),
    keywordValue: error.schema,
    schema: error.parentSchema ?? {},
  };
}

/** Returns the paths of two equal items of the list at a path. */
function equalItems(list: Path, { i, j }: ErrorObject['params']): Pick<SchemaError, 'path' | 'earlierItem'> {
  const [earlier, later] = [Number(i), Number(j)].toSorted((a, b) => a - b);
  return { path: [...list, later ?? 0], earlierItem: [...list, earlier ?? 0] };
}

function keyOf(params: { readonly [name: string]: unknown }): string | undefined {
  const key = params.additionalProperty ?? params.missingProperty ?? params.propertyName;
  return typeof key === 'string' ? key : undefined;
}

/** Parses a JSON Pointer to a path, with numbers for list indexes. */
function pathOf(instancePath: string, root: unknown): Path {
  let value = root;
  return instancePath
    .split('/')
    .slice(1)
    .map((escaped) => {
      const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(value) ? Number(name) : name;
      value = Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined;
      return step;
    });
}
