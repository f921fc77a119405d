import { describe, expect, test } from 'vitest';
import { reportReadErrors } from '../../../src/app/account/api-connection.ts';
import type { ApiErrorCategory } from '../../../src/core/api-client/attempts.ts';
import { ApiError } from '../../../src/core/api-client/errors.ts';
import { fakeIo } from '../../cli/fake-io.ts';

function apiError(category: ApiErrorCategory, path: string, advice = 'look there'): ApiError {
  return new ApiError({ category, operation: `GET ${path}`, what: 'it did not work', advice, mayHaveWritten: 'no' });
}

describe('reportReadErrors', () => {
  test.each([
    ['credentials', 7],
    ['interrupted', 130],
    ['unreachable', 10],
    ['timeout', 10],
    ['not-found', 10],
    ['throttled', 10],
    ['rejected', 10],
    ['failed', 10],
    ['malformed', 10],
  ] as const)('a read error of kind %s has exit code %d', (kind, exit) => {
    expect(reportReadErrors(fakeIo(), [apiError(kind, '/a')])).toEqual([exit]);
  });

  test('advice that consecutive errors share is printed once, after the last of them', () => {
    const io = fakeIo();
    reportReadErrors(io, [apiError('throttled', '/a'), apiError('throttled', '/b'), apiError('failed', '/c', 'ask them')]);
    expect(io.err()).toBe(
      'error: GET /a: it did not work\nerror: GET /b: it did not work\n  hint: look there\nerror: GET /c: it did not work\n  hint: ask them\n',
    );
  });
});
