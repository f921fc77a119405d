import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CliError, codeOf, failureOf, interrupted, toCliError } from '../../../src/app/run/exit-codes.ts';
import { LedgerError } from '../../../src/core/ledger/errors.ts';
import { EXIT_CODES, type ExitCode, highestPrecedence } from '../../../src/core/model/exit-codes.ts';
import { assertProperty } from '../../support/property.ts';

/** As design section 5 lists them. */
const DOCUMENTED: readonly ExitCode[] = [130, 8, 7, 10, 9, 6, 5, 4, 1, 3, 2, 0];

describe('highestPrecedence', () => {
  test('the documented precedence lists every exit code once', () => {
    expect([...DOCUMENTED].sort()).toEqual(Object.values(EXIT_CODES).sort());
  });

  test('highestPrecedence returns the exit code that comes first in the documented precedence, in whatever order the codes are given', () => {
    assertProperty(
      fc.property(fc.array(fc.constantFrom(...DOCUMENTED)), (exits) => {
        const expected = DOCUMENTED.find((exit) => exits.includes(exit)) ?? 0;
        expect(highestPrecedence(exits)).toBe(expected);
      }),
    );
  });
});

describe('toCliError', () => {
  test('toCliError returns a CliError unchanged', () => {
    const error = interrupted();
    expect(toCliError(error)).toBe(error);
    expect(error.exit).toBe(130);
  });

  test('toCliError refuses an entry of a newer version as what is invalid, and another unusable one as an error', () => {
    expect(toCliError(new LedgerError('x', 'update upkeep', true))).toMatchObject({ exit: 8, code: 'ledger', hint: 'update upkeep' });
    expect(toCliError(new LedgerError('x', 'y'))).toMatchObject({ exit: 1, code: 'ledger' });
  });

  test('toCliError converts a file system error to one that the user can fix', () => {
    const error = Object.assign(new Error("EACCES: permission denied, open 'x'"), { code: 'EACCES', syscall: 'open' });
    expect(toCliError(error)).toMatchObject({ exit: 1, code: 'file-system', message: "EACCES: permission denied, open 'x'" });
  });

  test.each([
    [new TypeError('x is not a function'), 'unexpected: TypeError: x is not a function'],
    ['a text', 'unexpected: a text'],
    [undefined, 'unexpected: undefined'],
  ])('toCliError reports any other error as a bug in upkeep, without a stack trace: %s', (error, summary) => {
    const stop = toCliError(error);
    expect(stop).toMatchObject({ exit: 1, code: 'unexpected', message: summary });
    expect(`${stop.message}${stop.hint}`).not.toMatch(/\n| at /);
  });
});

test('failureOf builds the error document of the JSON formats', () => {
  const finding = { severity: 'error', code: 'c', summary: 's', file: 'a.yaml', line: 1, column: 2 } as const;
  expect(failureOf('live', new CliError(8, 'bad', 'what', 'do this', [finding]))).toEqual({
    schemaVersion: 1,
    target: 'live',
    error: { exit: 8, code: 'bad', summary: 'what', hint: 'do this' },
    findings: [finding],
  });
});

test('codeOf returns the code of a system error, and `failed` for any other error', () => {
  expect(codeOf(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(codeOf(new Error('x'))).toBe('failed');
  expect(codeOf('x')).toBe('failed');
});
