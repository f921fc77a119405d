import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/app/secrets.ts';

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

describe('the secrets of one of several targets', () => {
  const OWNER = '0123456789abcdef0123456789abcdef';

  test('hide the API keys of all targets, whenever and by whichever target they become known', () => {
    const run = createSecrets();
    const [first, second] = [run.forTarget(), run.forTarget()];
    second.add(KEY);
    for (const secrets of [run, first, second, run.forTarget()]) {
      expect(secrets.hidden(`a ${KEY} b`)).toBe('a [hidden] b');
      expect(secrets.hiddenIn({ desc: KEY })).toEqual({ desc: '[hidden]' });
    }
  });

  test('hide an owner in the output of its own target only', () => {
    const run = createSecrets();
    const [first, second] = [run.forTarget(), run.forTarget()];
    first.addOwner(OWNER);
    expect([first.hidden(OWNER), second.hidden(OWNER), run.hidden(OWNER)]).toEqual(['[hidden]', OWNER, OWNER]);
    expect(first.hiddenIn({ desc: OWNER })).toEqual({ desc: '[hidden]' });
  });
});

test('nothing is left over of a secret that begins with another one', () => {
  expect(knowing('the-key-of-t-1', 'the-key-of-t-19').hidden('is the-key-of-t-19.')).toBe('is [hidden].');
});
