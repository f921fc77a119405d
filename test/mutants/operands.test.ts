import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { operandMutants } from './operands.mjs';

/** Evaluates an expression with values, under a mutant; null = none. */
function evaluate(expression: string, values: { readonly [name: string]: unknown }, mutant: number | null): unknown {
  const { text } = operandMutants('a.ts', `result = ${expression};`);
  const context = { ...values, result: undefined, isMutant: (number: number) => number === mutant };
  runInNewContext(transformSync(text, { loader: 'ts' }).code, context);
  return context.result;
}

function replacementsOf(source: string): readonly string[] {
  return operandMutants('a.ts', source).mutants.map(({ line, column, text, replacement }) => `${line}:${column} ${text} -> ${replacement}`);
}

describe('a mutant of a condition', () => {
  test('leaves one operand of a chain out, also within an operand', () => {
    expect(replacementsOf('if (a() && b(1) && (c || d)) f();')).toEqual([
      '1:5 a() && b(1) && (c || d) -> b(1) && (c || d)',
      '1:5 a() && b(1) && (c || d) -> a() && (c || d)',
      '1:5 a() && b(1) && (c || d) -> a() && b(1)',
      '1:21 c || d -> d',
      '1:21 c || d -> c',
    ]);
  });

  test('keeps what surrounds it: types, templates and functions', () => {
    const source = 'const f = (x: number): boolean => `${x && 1}` === "1" || g<string>((y) => y && x as never);';
    expect(replacementsOf(source)).toHaveLength(6);
    const { text } = operandMutants('a.ts', source);
    expect(() => transformSync(text, { loader: 'ts' })).not.toThrow();
  });

  test('has no effect until it is chosen, and then that of its replacement', () => {
    const values = { a: false, b: true };
    expect([null, 0, 1].map((mutant) => evaluate('a && b', values, mutant))).toEqual([false, true, false]);
    expect([null, 0, 1].map((mutant) => evaluate('b || a', values, mutant))).toEqual([true, false, true]);
  });
});

test('a source without such a condition has no mutant, and stays as it is', () => {
  const source = '/** Adds. */\nexport const add = (a: number, b: number) => a ?? b; // end';
  expect(operandMutants('a.ts', source)).toEqual({ mutants: [], text: source });
});
