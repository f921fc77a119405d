import { describe, expect, test } from 'vitest';
import { createLog, type Log } from '../../src/app/log.ts';
import type { NoiseOptions } from '../../src/app/options.ts';

async function logged(options: Pick<NoiseOptions, 'logLevel' | 'logFormat'>, work: (log: Log) => void): Promise<readonly string[]> {
  const lines: string[] = [];
  work(await createLog({ write: (text) => lines.push(text) }, options));
  return lines;
}

describe('as text', () => {
  const text = { logLevel: 'trace', logFormat: 'text' } as const;

  test('is one line with the level in words and members as they are', async () => {
    const lines = await logged(text, (log) => {
      log.debug({ method: 'GET', path: '/api/v4/x', status: 200, tookMs: 3 }, 'request');
      log.info({}, 'late');
    });
    expect(lines).toEqual(['debug: request method=GET path=/api/v4/x status=200 tookMs=3\n', 'info: late\n']);
  });

  test('quotes what has spaces, and shows hidden characters', async () => {
    const lines = await logged(text, (log) => log.info({ what: 'a "b"', odd: '\u001b[31m', none: null, deep: { a: 1 } }, 'x\ny'));
    expect(lines).toEqual(['info: x\\ny what="a \\"b\\"" odd="\\u001b[31m" none=null deep={"a":1}\n']);
  });
});

describe('as JSON', () => {
  test('is one object a line, with time and level, and harmless to a terminal', async () => {
    const [line = ''] = await logged({ logLevel: 'info', logFormat: 'json' }, (log) => log.info({ what: '\u009b31m \u202e' }, 'm'));
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
] as const)('at level %s %d of two lines are written', async (logLevel, count) => {
  const lines = await logged({ logLevel, logFormat: 'text' }, (log) => {
    for (const level of ['debug', 'info'] as const) log[level]({}, 'x');
  });
  expect(lines).toHaveLength(count);
});
