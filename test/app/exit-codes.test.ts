import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CliError,
  codeOf,
  EXIT_CODES,
  type ExitCode,
  failureOf,
  highestPrecedence,
  interrupted,
  toCliError,
} from '../../src/app/exit-codes.ts';

/** As design section 5 lists them. */
const DOCUMENTED: readonly ExitCode[] = [130, 8, 7, 10, 9, 6, 5, 4, 1, 3, 2, 0];

describe('strongest', () => {
  test('knows every code, each once', () => {
    expect([...DOCUMENTED].sort()).toEqual(Object.values(EXIT_CODES).sort());
  });

  test('is the first of the documented order, whatever the order of arrival', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...DOCUMENTED)), (exits) => {
        const expected = DOCUMENTED.find((exit) => exits.includes(exit)) ?? 0;
        expect(highestPrecedence(exits)).toBe(expected);
      }),
    );
  });
});

describe('stopOf', () => {
  test('leaves a stop as it is', () => {
    const error = interrupted();
    expect(toCliError(error)).toBe(error);
    expect(error.exit).toBe(130);
  });

  test('tells a fault of the file system as one that the user can mend', () => {
    const error = Object.assign(new Error("EACCES: permission denied, open 'x'"), { code: 'EACCES', syscall: 'open' });
    expect(toCliError(error)).toMatchObject({ exit: 1, code: 'file-system', message: "EACCES: permission denied, open 'x'" });
  });

  test.each([
    [new TypeError('x is not a function'), 'unexpected: TypeError: x is not a function'],
    ['a text', 'unexpected: a text'],
    [undefined, 'unexpected: undefined'],
  ])('tells anything else as ours, without a stack: %s', (error, summary) => {
    const stop = toCliError(error);
    expect(stop).toMatchObject({ exit: 1, code: 'unexpected', message: summary });
    expect(`${stop.message}${stop.hint}`).not.toMatch(/\n| at /);
  });
});

test('failureOf gives the document of the JSON formats', () => {
  const finding = { severity: 'error', code: 'c', summary: 's', file: 'a.yaml', line: 1, column: 2 } as const;
  expect(failureOf('live', new CliError(8, 'bad', 'what', 'do this', [finding]))).toEqual({
    schemaVersion: 1,
    target: 'live',
    error: { exit: 8, code: 'bad', summary: 'what', hint: 'do this' },
    findings: [finding],
  });
});

test('codeOf names the code of a system error, and nothing of others', () => {
  expect(codeOf(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(codeOf(new Error('x'))).toBe('failed');
  expect(codeOf('x')).toBe('failed');
});
