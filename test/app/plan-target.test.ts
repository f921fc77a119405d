import { describe, expect, test } from 'vitest';
import { ApiError, type ApiErrorKind } from '../../src/api-client/errors.ts';
import { reportReadErrors } from '../../src/app/plan-target.ts';
import { fakeIo } from '../cli/fake-io.ts';
import { stage } from '../support/harness.ts';

function fault(kind: ApiErrorKind, path: string, advice = 'look there'): ApiError {
  return new ApiError({ kind: kind, operation: `GET ${path}`, what: 'it did not work', advice, mayHaveWritten: 'no' });
}

describe('complainOfFaults', () => {
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
  ] as const)('%s is exit code %d', (kind, exit) => {
    expect(reportReadErrors(fakeIo(), [fault(kind, '/a')])).toEqual([exit]);
  });

  test('gives an advice that neighbours share once, after the last of them', () => {
    const io = fakeIo();
    reportReadErrors(io, [fault('throttled', '/a'), fault('throttled', '/b'), fault('failed', '/c', 'ask them')]);
    expect(io.err()).toBe(
      'error: GET /a: it did not work\nerror: GET /b: it did not work\n  hint: look there\nerror: GET /c: it did not work\n  hint: ask them\n',
    );
  });
});

const SOURCE = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\nstatic_key: { scope: none }\n' };

describe('the log of requests', () => {
  test('as JSON has method, path, status, time and attempt, one line a request, and no query', async () => {
    const set = await stage(SOURCE);
    const { stderr, code } = await set.run('plan', '--log-level', 'debug', '--log-format', 'json');
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

  test('as text says why an attempt failed and when the next one comes', async () => {
    const faults = [{ method: 'GET', path: '/api/v3/drm/vmp-reject-statuses', nth: 1, status: 500 }];
    const set = await stage(SOURCE, { faults, target: 'http: { requests_per_second: 0, give_up_seconds: 5 }' });
    const { stderr, code } = await set.run('plan', '--log-level', 'info');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^info: request failed method=GET path=\/api\/v3\/drm\/vmp-reject-statuses status=500 tookMs=\d+ attempt=1 fault=failed what=".*" retryInMs=\d+\n$/,
    );
  });

  test('is silent unless asked for', async () => {
    const set = await stage(SOURCE);
    expect((await set.run('plan')).stderr).toBe('');
  });
});

describe('on a terminal', () => {
  const ERASE = '\r\u001b[2K';

  /** A clock that runs 400 ms at each look. */
  function hurrying(): () => number {
    let ms = Date.now();
    return () => (ms += 400);
  }

  test('a run that takes long shows its requests, and removes them before it prints', async () => {
    const set = await stage(SOURCE);
    const { stderr } = await set.runWith({ terminal: true, now: hurrying() }, 'plan');
    expect(stderr).toMatch(/\/api\/v3\/drm\//);
    expect(stderr.startsWith(ERASE)).toBe(true);
    expect(stderr.endsWith(ERASE)).toBe(true);
  });

  test('the log never stands behind the line', async () => {
    const set = await stage(SOURCE);
    const { stderr } = await set.runWith({ terminal: true, now: hurrying() }, 'plan', '--log-level', 'debug');
    for (const line of stderr.split('\n').filter((each) => each.includes('debug:'))) {
      expect(line.split(ERASE).at(-1)).toMatch(/^debug: /);
    }
  });

  test('--quiet shows nothing of it', async () => {
    const set = await stage(SOURCE);
    expect((await set.runWith({ terminal: true, now: hurrying() }, 'plan', '--quiet')).stderr).toBe('');
  });
});

test.each([['plan'], ['drift'], ['apply', '--yes']])(
  '%s --only that leaves nothing to look at is probably a slip, and is said',
  async (...argv) => {
    const set = await stage(SOURCE);
    const { code, stderr } = await set.run(...argv, '--only', 'playlst/*');
    expect(code).toBe(0);
    expect(stderr).toContain('warning: --only matches nothing that is managed');
  },
);

test('impact, which knows no --only, does not speak of it where nothing that devices notice is managed', async () => {
  const set = await stage({ 'config/a.yaml': 'static_key: { scope: none }\n' });
  const { code, stdout, stderr } = await set.run('impact');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('There is no policy to show.');
});
