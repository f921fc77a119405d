import { describe, expect, test } from 'vitest';
import { ApiError, type ApiErrorKind } from '../../src/api-client/errors.ts';
import { createLog, type Log, reportReadErrors } from '../../src/app/api-connection.ts';
import type { NoiseOptions } from '../../src/app/options.ts';
import { fakeIo } from '../cli/fake-io.ts';
import { createTestProject } from '../support/harness.ts';

async function logLines(options: Pick<NoiseOptions, 'logLevel' | 'logFormat'>, work: (log: Log) => void): Promise<readonly string[]> {
  const lines: string[] = [];
  work(await createLog({ write: (text) => lines.push(text) }, options));
  return lines;
}

describe('the request log as text', () => {
  const text = { logLevel: 'trace', logFormat: 'text' } as const;

  test('an entry is one line with the name of the level and its members', async () => {
    const lines = await logLines(text, (log) => {
      log.debug({ method: 'GET', path: '/api/v4/x', status: 200, tookMs: 3 }, 'request');
      log.info({}, 'late');
    });
    expect(lines).toEqual(['debug: request method=GET path=/api/v4/x status=200 tookMs=3\n', 'info: late\n']);
  });

  test('a value with spaces is quoted, and hidden characters are escaped', async () => {
    const lines = await logLines(text, (log) => log.info({ what: 'a "b"', odd: '\u001b[31m', none: null, deep: { a: 1 } }, 'x\ny'));
    expect(lines).toEqual(['info: x\\ny what="a \\"b\\"" odd="\\u001b[31m" none=null deep={"a":1}\n']);
  });
});

describe('the request log as JSON', () => {
  test('an entry is one JSON object on one line with time and level, without control characters', async () => {
    const [line = ''] = await logLines({ logLevel: 'info', logFormat: 'json' }, (log) => log.info({ what: '\u009b31m \u202e' }, 'm'));
    expect(line).toMatch(/^\{.*\}\n$/);
    expect(line).toMatch(/^[\x20-\x7e]*\n$/);
    expect(JSON.parse(line)).toEqual({ level: 30, time: expect.any(Number), what: '\u009b31m \u202e', msg: 'm' });
  });
});

test.each([
  ['trace', 2],
  ['debug', 2],
  ['info', 1],
  ['warn', 0],
  ['error', 0],
  ['silent', 0],
] as const)('--log-level %s writes %d of a debug and an info entry', async (logLevel, count) => {
  const lines = await logLines({ logLevel, logFormat: 'text' }, (log) => {
    for (const level of ['debug', 'info'] as const) log[level]({}, 'x');
  });
  expect(lines).toHaveLength(count);
});

function apiError(kind: ApiErrorKind, path: string, advice = 'look there'): ApiError {
  return new ApiError({ kind, operation: `GET ${path}`, what: 'it did not work', advice, mayHaveWritten: 'no' });
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

const SOURCE = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\nstatic_key: { scope: none }\n' };

describe('the request log of a command', () => {
  test('as JSON it has method, path, status, time and attempt of each request, and no query', async () => {
    const project = await createTestProject(SOURCE);
    const { stderr, code } = await project.run('plan', '--log-level', 'debug', '--log-format', 'json');
    expect(code).toBe(0);
    const entries = stderr
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(entries).toHaveLength(3);
    expect(entries).toContainEqual({
      level: 20,
      time: expect.any(Number),
      method: 'GET',
      path: '/api/v3/drm/vmp-reject-statuses',
      status: 200,
      tookMs: expect.any(Number),
      attempt: 1,
      msg: 'request',
    });
    expect(stderr).not.toMatch(/msg=|sig=|\?/);
  });

  test('as text it tells why an attempt failed and when the next one starts', async () => {
    const faults = [{ method: 'GET', path: '/api/v3/drm/vmp-reject-statuses', nth: 1, status: 500 }];
    const project = await createTestProject(SOURCE, { faults, target: 'http: { requests_per_second: 0, give_up_seconds: 5 }' });
    const { stderr, code } = await project.run('plan', '--log-level', 'info');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^info: request failed method=GET path=\/api\/v3\/drm\/vmp-reject-statuses status=500 tookMs=\d+ attempt=1 fault=failed what=".*" retryInMs=\d+\n$/,
    );
  });

  test('it is empty by default', async () => {
    const project = await createTestProject(SOURCE);
    expect((await project.run('plan')).stderr).toBe('');
  });
});
