/** JSON Schema: the one door of package `ajv`. Its errors come out as mismatches, the noise of alternatives reduced to what was probably meant. */
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { isObject, type Path } from '../model/json.ts';
import { loadAjv } from './ajv.cjs';
import { DIALECT, digestOf } from './ajv-options.js';
import { lazy } from './lazy.ts';
import validators from './precompiled-validators.cjs';

/** One way in which a value is not what its schema asks for. */
export interface SchemaError {
  /** The value concerned; of unknown, missing and refused keys the map that has them, of equal items the later one. */
  readonly path: Path;
  /** The keyword of the schema, or `forms` where a value has the form of none, or of several, of its alternatives. */
  readonly keyword: string;
  readonly value: unknown;
  /** The unknown, missing or refused key. */
  readonly key?: string;
  /** The keyword's own value: allowed types or values, a bound, a pattern; the required keys of each form. */
  readonly limit: unknown;
  /** The schema that holds the keyword. */
  readonly schema: { readonly [keyword: string]: unknown };
}

/** A value that its schema accepts, now typed, or all its mismatches. */
export type ValidationResult<T> = { readonly value: T } | { readonly mismatches: readonly SchemaError[] };

/**
 * Reads values by a schema of the draft-07 subset. With `defaults`, absent members take the schema's defaults, written into the value itself.
 * Where the build has compiled the schema, ajv itself is only asked what is wrong with a value that was refused: loading it and compiling
 * take longer than everything else in a small run. Nothing is done before the first value.
 */
export function createValidator<T>(schema: object, defaults = false): (value: unknown) => ValidationResult<T> {
  const verdict = lazy(() => validators.get(digestOf(schema, defaults)));
  const explain = lazy(() => explainer<T>(schema, defaults));
  return (value) => (verdict()?.<T>(value) ? { value } : explain()(value));
}

/** Compiles a schema at run time, so that every mistake is found and told. */
function explainer<T>(schema: object, useDefaults: boolean): (value: unknown) => ValidationResult<T> {
  const Ajv = loadAjv();
  const ajv = new Ajv({ ...DIALECT, allErrors: true, verbose: true, useDefaults, code: { optimize: false, process: linearErrorConcat } });
  const validate = ajv.compile<T>(schema);
  const branches = branchChecker(ajv, 'definitions' in schema ? schema.definitions : {});
  return (value) => {
    if (validate(value)) return { value };
    return { mismatches: collapse(validate.errors ?? [], branches).map((error) => mismatchOf(error, value)) };
  };
}

/** Ajv copies all earlier errors for each item that a `$ref` refuses, which takes a minute for 100,000 of them; so its code adds to the list instead. */
function linearErrorConcat(code: string): string {
  return code.replace(
    /vErrors = (vErrors === null \? )(\S+) : vErrors\.concat\(\2\)/g,
    '$1(vErrors = $2) : $2.forEach((error) => vErrors.push(error))',
  );
}

type Branches = (branch: unknown, value: unknown) => readonly ErrorObject[];

/** Checks a value against one alternative alone; compiled when the first mistake asks for it. */
function branchChecker(ajv: Ajv, definitions: unknown): Branches {
  const compiled = new Map<unknown, ValidateFunction>();
  const branches: Branches = (branch, value) => {
    const validate = compiled.get(branch) ?? ajv.compile({ allOf: [branch], definitions });
    compiled.set(branch, validate);
    return validate(value) ? [] : collapse(validate.errors ?? [], branches);
  };
  return branches;
}

/** Replaces the errors of all alternatives, which stand right before the error of their `anyOf` or `oneOf`, by those of the best one. */
function collapse(errors: readonly ErrorObject[], branches: Branches): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'if' || error.propertyName !== undefined) continue;
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') kept.push(error);
    else {
      while (isCause(kept.at(-1), error)) kept.pop();
      for (const cause of bestCauses(error, branches)) kept.push(cause);
    }
  }
  return kept;
}

function isCause(error: ErrorObject | undefined, of: ErrorObject): boolean {
  if (error === undefined || error.parentSchema === of.parentSchema) return false;
  return error.instancePath === of.instancePath || error.instancePath.startsWith(`${of.instancePath}/`);
}

/** What is wrong with the alternative that was probably meant: first by the type of the value, then by its keys, then by the number of errors. */
function bestCauses(error: ErrorObject, branches: Branches): readonly ErrorObject[] {
  const tried = (Array.isArray(error.schema) ? error.schema : []).map((branch: unknown) => branches(branch, error.data));
  const ofType = tried.filter((errors) => errors.length > 0 && !errors.some(isWrongType));
  if (tried.some((errors) => errors.length === 0)) return [{ ...error, keyword: 'forms', schema: requiredKeys(error.schema) }];
  if (ofType.length === 0)
    return [
      { ...error, keyword: 'type', schema: tried.flatMap((errors) => errors.filter(isWrongType).map((wrong) => wrong.schema)).flat() },
    ];
  const best = Math.min(...ofType.map(mismatchScore));
  const candidates = ofType.filter((errors) => mismatchScore(errors) === best);
  if (candidates.length > 1 && best >= FOREIGN_KEY) return [{ ...error, keyword: 'forms', schema: requiredKeys(error.schema) }];
  return (candidates[0] ?? []).map((cause) => ({ ...cause, instancePath: error.instancePath + cause.instancePath }));
}

function isWrongType(error: ErrorObject): boolean {
  return error.instancePath === '' && error.keyword === 'type';
}

/** A key that is missing or unknown at the top of an alternative weighs more than any number of mistakes below it. */
const FOREIGN_KEY = 1_000;

function mismatchScore(errors: readonly ErrorObject[]): number {
  const foreign = errors.filter((error) => error.instancePath === '' && ['required', 'additionalProperties'].includes(error.keyword));
  return foreign.length * FOREIGN_KEY + Math.min(errors.length, FOREIGN_KEY - 1);
}

function requiredKeys(alternatives: unknown): unknown {
  return (Array.isArray(alternatives) ? alternatives : []).map((branch: unknown) => (isObject(branch) ? (branch.required ?? []) : []));
}

function mismatchOf(error: ErrorObject, root: unknown): SchemaError {
  const key = keyOf(error.params);
  return {
    path: [...pathOf(error.instancePath, root), ...repeatedItem(error)],
    keyword: error.keyword,
    value: error.data,
    ...(key === undefined ? {} : { key }),
    limit: error.schema,
    schema: error.parentSchema ?? {},
  };
}

/** Of two equal items the later one is the mistake. */
function repeatedItem({ keyword, params }: ErrorObject): Path {
  return keyword === 'uniqueItems' ? [Math.max(Number(params.i), Number(params.j))] : [];
}

function keyOf(params: { readonly [name: string]: unknown }): string | undefined {
  const key = params.additionalProperty ?? params.missingProperty ?? params.propertyName;
  return typeof key === 'string' ? key : undefined;
}

/** Steps of a JSON Pointer; those into a list are numbers. */
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
