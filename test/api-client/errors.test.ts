import { describe, expect, it } from 'vitest';
import { ApiError, malformed } from '../../src/api-client/errors.ts';
import { CREATE_V4, READ_V4 } from './harness.ts';

describe('malformed', () => {
  it('names the request and what is wrong with its answer', () => {
    const error = malformed(READ_V4, 'no `items`');
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'ApiError',
      kind: 'malformed',
      message: 'GET /api/v4/things: the answer cannot be used: no `items`',
      advice: 'Check that base_url points at the service and not at a proxy or a login page; nothing is concluded from this answer.',
      mayHaveWritten: 'no',
      status: undefined,
    });
    expect('cause' in error).toBe(false);
  });

  it('leaves open whether a write took place', () => {
    expect(malformed(CREATE_V4, 'no `id`').mayHaveWritten).toBe('maybe');
  });
});
