import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/cli/secrets.ts';

const KEY = 'Key/With+Odd="quotes"\\and=Slashes';

function knowing(...secrets: readonly string[]) {
  const known = createSecrets();
  for (const secret of secrets) known.add(secret);
  return known;
}

describe('data', () => {
  test('is the very same where it repeats nothing', () => {
    const data = { desc: 'Evening', list: [1, null, true] };
    expect(knowing(KEY).hiddenIn(data)).toBe(data);
    expect(knowing().hiddenIn(data)).toBe(data);
  });

  test('loses the secret from every text and name, at any depth, and nothing else', () => {
    const data = { [`drm-policy/${KEY}`]: [{ desc: `a ${KEY} b`, encoded: encodeURIComponent(KEY), count: 3, none: null }], at: 'now' };
    expect(knowing(KEY).hiddenIn(data)).toEqual({
      'drm-policy/[hidden]': [{ desc: 'a [hidden] b', encoded: expect.stringContaining('[hidden]'), count: 3, none: null }],
      at: 'now',
    });
  });

  test('keeps its numbers, though a secret be one', () => {
    const data = { tookMs: 123_456_789_012, text: 'of 123456789012' };
    expect(knowing('123456789012').hiddenIn(data)).toEqual({ tookMs: 123_456_789_012, text: 'of [hidden]' });
  });
});

test('text loses a secret as it is, and as JSON writes it', () => {
  const { hidden } = knowing(KEY);
  expect(hidden(`key ${KEY}, ${JSON.stringify({ key: KEY })}`)).toBe('key [hidden], {"key":"[hidden]"}');
});

test('a word too short for a secret stays readable', () => {
  const { hidden, hiddenIn } = knowing('me', 'production');
  expect(hidden('production: tell me')).toBe('production: tell me');
  expect(hiddenIn({ target: 'production' })).toEqual({ target: 'production' });
});
