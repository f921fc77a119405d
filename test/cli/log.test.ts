import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/cli/log.ts';
import type { NoiseOptions } from '../../src/cli/options.ts';

function logged(options: Pick<NoiseOptions, 'logLevel' | 'logFormat'>, work: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  work(createLog({ write: (text) => lines.push(text) }, options));
  return lines;
}

describe('as text', () => {
  const text = { logLevel: 'trace', logFormat: 'text' } as const;

  test('is one line with the level in words and members as they are', () => {
    const lines = logged(text, (log) => {
      log.debug({ method: 'GET', path: '/api/v4/x', status: 200, tookMs: 3 }, 'request');
      log.warn('late');
    });
    expect(lines).toEqual(['debug: request method=GET path=/api/v4/x status=200 tookMs=3\n', 'warning: late\n']);
  });

  test('quotes what has spaces, and shows hidden characters', () => {
    const lines = logged(text, (log) => log.info({ what: 'a "b"', odd: '\u001b[31m', none: null, deep: { a: 1 } }, 'x\ny'));
    expect(lines).toEqual(['info: x\\ny what="a \\"b\\"" odd="\\u001b[31m" none=null deep={"a":1}\n']);
  });
});

describe('as JSON', () => {
  test('is one object a line, with time and level, and harmless to a terminal', () => {
    const [line = ''] = logged({ logLevel: 'info', logFormat: 'json' }, (log) => log.error({ what: '\u009b31m \u202e' }, 'm'));
    expect(line).toMatch(/^\{.*\}\n$/);
    expect(line).toMatch(/^[\x20-\x7e]*\n$/);
    expect(JSON.parse(line)).toEqual({ level: 50, time: expect.any(Number), what: '\u009b31m \u202e', msg: 'm' });
  });
});

test.each([
  ['trace', 6],
  ['debug', 5],
  ['info', 4],
  ['warn', 3],
  ['error', 2],
  ['silent', 0],
] as const)('at level %s %d of six lines are written', (logLevel, count) => {
  const lines = logged({ logLevel, logFormat: 'text' }, (log) => {
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) log[level]('x');
  });
  expect(lines).toHaveLength(count);
});
