/** Redaction of words that are long enough to take minutes, if each fragment in them cost as much as the whole word. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../src/core/api-client/redact.ts';

const SECRET = 'a-key-of-0123456789-abcdef-and-more';
/** A large part of the secret, which is no whole secret, and one that is not large. */
const FRAGMENT = SECRET.slice(4, 30);
const SMALL_PART = SECRET.slice(4, 20);

describe('a text with thousands of fragments of a secret', () => {
  const redact = createRedactor([SECRET]);
  const word = `id${FRAGMENT.repeat(20_000)}end`;

  test('is hidden as one word of half a megabyte, and what is around it stays', () => {
    expect(redact(`before ${word} after`)).toBe('before [hidden] after');
  });

  test('is hidden word by word', () => {
    const words = `x${FRAGMENT} `.repeat(1_000);
    expect(redact(`${words}after`)).toBe(`${'[hidden] '.repeat(1_000)}after`);
  });

  test('stays as it is where no part of it is large, in half a megabyte', () => {
    const text = `id${SMALL_PART.repeat(32_768)}end`;
    expect(redact(text) === text).toBe(true);
  });
});
