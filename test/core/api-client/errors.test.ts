import { describe, expect, it } from 'vitest';
import { type AttemptFailure, noAttempts } from '../../../src/core/api-client/attempts.ts';
import { ApiError, failureError, interruption, invalidPath, malformed, unusable } from '../../../src/core/api-client/errors.ts';
import { CREATE_V4, READ_V4 } from './harness.ts';

describe('malformed', () => {
  it('names the request and the problem of its response', () => {
    const error = malformed(READ_V4, 'no `items`');
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'ApiError',
      category: 'malformed',
      message: 'GET /api/v4/things: the answer cannot be used: no `items`',
      advice:
        'Nothing is concluded from this answer. If it stays so and base_url is right, show this message to the operators of the service.',
      mayHaveWritten: 'no',
      status: undefined,
    });
    expect('cause' in error).toBe(false);
  });

  it('reports that a write may have happened', () => {
    expect(malformed(CREATE_V4, 'no `id`').mayHaveWritten).toBe('maybe');
  });
});

const broken: AttemptFailure = {
  category: 'unreachable',
  what: 'it broke',
  advice: 'Run again.',
  retryClass: 'repeatable',
  notReceived: false,
};

describe('failureError', () => {
  it('names method, path and number of attempts', () => {
    const once = failureError(READ_V4, broken, { ...noAttempts, count: 1 });
    expect(once).toMatchObject({ operation: 'GET /api/v4/things', message: 'GET /api/v4/things: it broke', advice: 'Run again.' });
    expect(failureError(READ_V4, broken, { ...noAttempts, count: 2 }).message).toBe('GET /api/v4/things: it broke (after 2 tries)');
  });

  it('has status, delay and cause where they are known', () => {
    const cause = new Error('ECONNRESET');
    const whole = failureError(READ_V4, { ...broken, status: 503, retryAfterMs: 7000, cause }, noAttempts);
    expect([whole.status, whole.retryAfterMs, whole.cause]).toEqual([503, 7000, cause]);
    const bare = failureError(READ_V4, broken, noAttempts);
    expect([bare.status, bare.retryAfterMs, 'cause' in bare]).toEqual([undefined, undefined, false]);
  });

  it('reports that a write may have happened where the result of one attempt is unknown', () => {
    const lost = { ...noAttempts, lost: true };
    expect(failureError(CREATE_V4, broken, lost).mayHaveWritten).toBe('maybe');
    expect(failureError(READ_V4, broken, lost).mayHaveWritten).toBe('no');
    expect(failureError(CREATE_V4, broken, noAttempts).mayHaveWritten).toBe('no');
  });
});

describe('the failure', () => {
  it('of an interrupted run says so', () => {
    const advice = 'Run again: what was written stays written, and the rest is planned anew.';
    const fixed = { category: 'interrupted', advice, retryClass: 'never', notReceived: true };
    expect(interruption(undefined)).toEqual({ ...fixed, what: 'not sent, because the run was stopped' });
    expect(interruption(broken)).toEqual({ ...fixed, what: 'not tried again, because the run was stopped; before that: it broke' });
  });

  it('of an unsafe path says that nothing was sent', () => {
    expect(invalidPath()).toEqual({
      category: 'malformed',
      what: 'not sent, because an ID in the path is empty or would lead elsewhere',
      advice: 'Look for that ID in the account, and under `adopt` in the configuration.',
      retryClass: 'never',
      notReceived: true,
    });
  });

  it('of a response that differs from the API documents names the problem', () => {
    expect(unusable('it is HTML', 'reads', 200)).toEqual({
      category: 'malformed',
      what: 'it is HTML',
      advice: 'Check that base_url points at the service and not at a proxy or a login page; nothing is concluded from this answer.',
      retryClass: 'reads',
      notReceived: false,
      status: 200,
    });
  });
});
