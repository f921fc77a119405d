import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { environment } from '../../../src/core/config/cel.js';
import { isObject } from '../../../src/core/model/json.ts';

/** One test of the published conformance tests of CEL. Results are texts: a CEL value, or `error: ...` where the library gives none. */
export interface ConformanceTest {
  /** Suite, section and name, for example `logic/AND/all_true`. Two tests may have one name; the second then ends in ` (2)`. */
  readonly id: string;
  readonly suite: string;
  readonly expression: string;
  readonly expected: string;
  readonly actual: string;
}

/** Decides whether the result is the expected one. Any error is as good as another. */
export function agrees({ expected, actual }: ConformanceTest): boolean {
  return expected === 'error' ? isError(actual) : expected === actual;
}

/** Decides whether a result is an error, at the check of the expression or at its evaluation: such a guard is refused, or blocks. */
export function isError(result: string): boolean {
  return result.startsWith('error');
}

/**
 * What guards have nothing of: protobuf messages and enums, variables with dots, declarations of functions, a check without evaluation. Time
 * zones written as offsets depend on the version of Node.
 */
const foreign =
  /\.get\w+\('[-+]?\d|TestAllTypes|TestRequired|GlobalEnum|google\.protobuf|"(?:objectValue|enumValue|messageType|function|container|checkOnly)"|"name":"\w+\.[\w.]+"/;

/** Runs every conformance test that has only what guards may use, as a guard is run: checked first, then evaluated. */
export function runConformanceTests(): readonly ConformanceTest[] {
  const used = new Map<string, number>();
  return (tests.suites ?? []).flatMap((suite) =>
    (suite.suites ?? []).flatMap((section) =>
      (section.tests ?? [])
        .filter(({ original }) => !foreign.test(JSON.stringify({ ...original, name: undefined })))
        .map(({ original }): ConformanceTest => {
          const name = `${suite.name}/${section.name}/${original.name ?? original.expr}`;
          const count = (used.get(name) ?? 0) + 1;
          used.set(name, count);
          return {
            id: count === 1 ? name : `${name} (${count})`,
            suite: suite.name,
            expression: original.expr,
            expected: expectedResult(original),
            actual: evaluate(original.expr, isObject(original.bindings) ? original.bindings : {}),
          };
        }),
    ),
  );
}

/** Returns the result that a test wants; a test without one wants `true`. */
function expectedResult({ value, evalError, typedResult }: { readonly [member: string]: unknown }): string {
  if (evalError !== undefined) return 'error';
  const wanted = value ?? (isObject(typedResult) ? typedResult.result : undefined);
  return wanted === undefined ? 'true' : literal(wanted);
}

function evaluate(expression: string, bindings: { readonly [name: string]: unknown }): string {
  const variables = Object.fromEntries(Object.keys(bindings).map((name) => [name, 'dyn']));
  try {
    const context = Object.fromEntries(
      Object.entries(bindings).map(([name, binding]) => {
        const text = literal(isObject(binding) ? binding.value : undefined);
        return [name, environment({ types: {}, variables: {} }).parse(text)()];
      }),
    );
    const within = environment({ types: {}, variables });
    const { valid, error } = within.check(expression);
    return valid ? valueText(within.parse(expression)(context)) : `error: ${error?.summary}`;
  } catch (error) {
    return `error: ${error instanceof Error && 'summary' in error ? error.summary : String(error)}`;
  }
}

/** Writes a value of the conformance tests, a JSON form of the message `cel.expr.Value`, as a CEL literal. */
function literal(value: unknown): string {
  const [[type, content] = ['', undefined]] = Object.entries(isObject(value) ? value : {});
  switch (type) {
    case 'int64Value':
      return String(content);
    case 'uint64Value':
      return `${content}u`;
    case 'doubleValue':
      return doubleText(Number(content));
    case 'bytesValue':
      return `b${JSON.stringify(Buffer.from(String(content), 'base64').toString('latin1'))}`;
    case 'listValue':
      return `[${partsOf(content, 'values').map(literal).join(', ')}]`;
    case 'mapValue':
      return mapText(partsOf(content, 'entries').map((entry) => (isObject(entry) ? [literal(entry.key), literal(entry.value)] : ['', ''])));
    case 'typeValue':
      return `type ${content}`;
    default:
      return JSON.stringify(content);
  }
}

function partsOf(content: unknown, member: string): readonly unknown[] {
  const parts = isObject(content) ? content[member] : undefined;
  return Array.isArray(parts) ? parts : [];
}

/** Writes a value of the library as a CEL literal. */
function valueText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return doubleText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString('latin1'))}`;
  if (value instanceof Date) return `timestamp(${JSON.stringify(value)})`;
  if (value instanceof Map) return mapText([...value].map(([key, each]) => [valueText(key), valueText(each)]));
  if (!isObject(value)) return JSON.stringify(value);
  const { name } = value.constructor ?? Object;
  if (name === 'UnsignedInt') return `${value.valueOf()}u`;
  if (name === 'Type') return `type ${value.name}`;
  if (name !== 'Object') return `${name} ${value}`;
  return mapText(Object.entries(value).map(([key, each]) => [valueText(key), valueText(each)]));
}

function doubleText(value: number): string {
  if (!Number.isInteger(value)) return String(value);
  return Object.is(value, -0) ? '-0.0' : `${value}.0`;
}

function mapText(entries: readonly (readonly string[])[]): string {
  return `{${entries
    .map(([key, value]) => `${key}: ${value}`)
    .sort()
    .join(', ')}}`;
}
