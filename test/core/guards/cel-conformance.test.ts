import { describe, expect, test } from 'vitest';
import { environment, typeError } from '../../../src/core/config/cel.js';
import { agrees, type ConformanceTest, isError, runConformanceTests } from './cel-conformance.ts';
import { DIFFERENT_VALUES, type Differences, ERRORS_INSTEAD_OF_VALUES } from './cel-differences.ts';

/** Extensions of CEL that the library does not claim, or claims in part: an expression with one may be refused. */
const EXTENSIONS: readonly string[] = ['block_ext', 'encoders_ext', 'macros2', 'math_ext', 'optionals', 'string_ext'];

const all = runConformanceTests();
const different = all.filter((each) => !agrees(each));

function differencesOf(tests: readonly ConformanceTest[]): Differences {
  return Object.fromEntries(tests.map(({ id, expected, actual }) => [id, [expected, actual]]));
}

describe('the published conformance tests of CEL, run as guards are run,', () => {
  test('agree with the library apart from the listed values, each of which is judged harmless or refused', () => {
    const listed = Object.assign({}, ...DIFFERENT_VALUES.map(({ tests }) => tests));
    expect(differencesOf(different.filter(({ actual }) => !isError(actual)))).toEqual(listed);
    expect(DIFFERENT_VALUES.filter(({ harmless }) => harmless === '')).toEqual([]);
  });

  test('give an error instead of a value, which refuses a guard or blocks, in the listed cases only', () => {
    const errors = different.filter(({ actual, suite }) => isError(actual) && !EXTENSIONS.includes(suite));
    expect(differencesOf(errors)).toEqual(ERRORS_INSTEAD_OF_VALUES);
  });

  test('are refused as a guard where the library would give another value because of an unsigned integer', () => {
    const refused = DIFFERENT_VALUES.filter(({ harmless }) => harmless === 'refused').flatMap(({ tests }) => Object.keys(tests));
    const within = environment({ types: {}, variables: {} });
    const codes = all.filter(({ id }) => refused.includes(id)).map(({ id, expression }) => [id, typeError(within, expression)?.code]);
    expect(codes).toEqual(refused.map((id) => [id, 'unsigned']));
  });

  test('agree in this number of cases for each suite, out of all', () => {
    const suites = [...new Set(all.map(({ suite }) => suite))];
    const counts = suites.map((suite) => {
      const tests = all.filter((each) => each.suite === suite);
      return `${suite}: ${tests.filter(agrees).length} of ${tests.length}`;
    });
    expect(counts).toEqual([
      'basic: 40 of 43',
      'bindings_ext: 5 of 5',
      'block_ext: 0 of 25',
      'comparisons: 297 of 334',
      'conversions: 95 of 109',
      'encoders_ext: 0 of 4',
      'fields: 35 of 55',
      'fp_math: 30 of 30',
      'integer_math: 62 of 64',
      'lists: 34 of 39',
      'logic: 25 of 30',
      'macros: 37 of 44',
      'macros2: 8 of 46',
      'math_ext: 17 of 199',
      'optionals: 3 of 59',
      'parse: 167 of 193',
      'plumbing: 4 of 5',
      'string: 51 of 51',
      'string_ext: 97 of 205',
      'timestamps: 48 of 66',
      'type_deductions: 12 of 12',
    ]);
  });
});
