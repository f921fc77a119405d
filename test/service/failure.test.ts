import { describe, expect, it } from 'vitest';
import { type Failure, failureError, interruption, misdirection, noAttempts, unusable } from '../../src/service/failure.ts';
import { CREATE_V4, READ_V4 } from './harness.ts';

const broken: Failure = { fault: 'unreachable', what: 'it broke', advice: 'Run again.', again: 'repeatable', untouched: false };

describe('the error of a failure', () => {
  it('says what was being done, to what, and how often', () => {
    const once = failureError(READ_V4, broken, { ...noAttempts, count: 1 });
    expect(once).toMatchObject({ doing: 'GET /api/v4/things', message: 'GET /api/v4/things: it broke', advice: 'Run again.' });
    expect(failureError(READ_V4, broken, { ...noAttempts, count: 2 }).message).toBe('GET /api/v4/things: it broke (after 2 tries)');
  });

  it('holds status, wait and cause where there are any', () => {
    const cause = new Error('ECONNRESET');
    const whole = failureError(READ_V4, { ...broken, status: 503, retryAfterMs: 7000, cause }, noAttempts);
    expect([whole.status, whole.retryAfterMs, whole.cause]).toEqual([503, 7000, cause]);
    const bare = failureError(READ_V4, broken, noAttempts);
    expect([bare.status, bare.retryAfterMs, 'cause' in bare]).toEqual([undefined, undefined, false]);
  });

  it('leaves open whether a write took place where one of its attempts was lost', () => {
    const lost = { ...noAttempts, lost: true };
    expect(failureError(CREATE_V4, broken, lost).written).toBe('maybe');
    expect(failureError(READ_V4, broken, lost).written).toBe('no');
    expect(failureError(CREATE_V4, broken, noAttempts).written).toBe('no');
  });
});

describe('failures without an answer of use', () => {
  it('of a stopped run', () => {
    const advice = 'Run again: what was written stays written, and the rest is planned anew.';
    const fixed = { fault: 'interrupted', advice, again: 'never', untouched: true };
    expect(interruption(undefined)).toEqual({ ...fixed, what: 'not sent, because the run was stopped' });
    expect(interruption(broken)).toEqual({ ...fixed, what: 'not tried again, because the run was stopped; before that: it broke' });
  });

  it('of a path that leads elsewhere', () => {
    expect(misdirection()).toEqual({
      fault: 'malformed',
      what: 'not sent, because an ID in the path is empty or would lead elsewhere',
      advice: 'Look for that ID in the account, and under `adopt` in the configuration.',
      again: 'never',
      untouched: true,
    });
  });

  it('of an answer that is not what the documents say', () => {
    expect(unusable('it is HTML', 'reads', 200)).toEqual({
      fault: 'malformed',
      what: 'it is HTML',
      advice: 'Check that base_url points at the service and not at a proxy or a login page; nothing is concluded from this answer.',
      again: 'reads',
      untouched: false,
      status: 200,
    });
  });
});
