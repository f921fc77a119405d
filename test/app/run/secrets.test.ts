import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../../src/app/run/secrets.ts';

const KEY = 'Key/With+Odd="quotes"\\and=Slashes';

function secretsWith(...secrets: readonly string[]) {
  const known = createSecrets();
  for (const secret of secrets) known.add(secret);
  return known;
}

describe('redacted data', () => {
  test('data without a secret is returned unchanged', () => {
    const data = { desc: 'Evening', list: [1, null, true] };
    expect(secretsWith(KEY).redactIn(data)).toBe(data);
    expect(secretsWith().redactIn(data)).toBe(data);
  });

  test('a secret is redacted in every text and member name, at any depth, and nothing else is', () => {
    const data = { [`drm-policy/${KEY}`]: [{ desc: `a ${KEY} b`, encoded: encodeURIComponent(KEY), count: 3, none: null }], at: 'now' };
    expect(secretsWith(KEY).redactIn(data)).toEqual({
      'drm-policy/[hidden]': [{ desc: 'a [hidden] b', encoded: expect.stringContaining('[hidden]'), count: 3, none: null }],
      at: 'now',
    });
  });

  test('a number is kept even if a secret has the same digits', () => {
    const data = { tookMs: 123_456_789_012, text: 'of 123456789012' };
    expect(secretsWith('123456789012').redactIn(data)).toEqual({ tookMs: 123_456_789_012, text: 'of [hidden]' });
  });
});

test('text loses a secret as it is and as JSON escapes it', () => {
  const { redact: hidden } = secretsWith(KEY);
  expect(hidden(`key ${KEY}, ${JSON.stringify({ key: KEY })}`)).toBe('key [hidden], {"key":"[hidden]"}');
});

test('a secret of fewer than 12 characters is not redacted', () => {
  const { redact: hidden, redactIn: hiddenIn } = secretsWith('me', 'production');
  expect(hidden('production: tell me')).toBe('production: tell me');
  expect(hiddenIn({ target: 'production' })).toEqual({ target: 'production' });
});

describe('the secrets of one of several targets', () => {
  const OWNER = '0123456789abcdef0123456789abcdef';

  test('the API keys of all targets are redacted, whenever and by whichever target they are added', () => {
    const run = createSecrets();
    const [first, second] = [run.forTarget(), run.forTarget()];
    second.add(KEY);
    for (const secrets of [run, first, second, run.forTarget()]) {
      expect(secrets.redact(`a ${KEY} b`)).toBe('a [hidden] b');
      expect(secrets.redactIn({ desc: KEY })).toEqual({ desc: '[hidden]' });
    }
  });

  test('an owner is redacted in the output of its own target only', () => {
    const run = createSecrets();
    const [first, second] = [run.forTarget(), run.forTarget()];
    first.addOwner(OWNER);
    expect([first.redact(OWNER), second.redact(OWNER), run.redact(OWNER)]).toEqual(['[hidden]', OWNER, OWNER]);
    expect(first.redactIn({ desc: OWNER })).toEqual({ desc: '[hidden]' });
  });
});

test('a secret that begins with another one is redacted whole', () => {
  expect(secretsWith('the-key-of-t-1', 'the-key-of-t-19').redact('is the-key-of-t-19.')).toBe('is [hidden].');
});
