import { describe, expect, it } from 'vitest';
import { ownerDigest } from '../../../src/core/state/state.ts';

describe('ownerDigest', () => {
  it('distinguishes owners without revealing them', () => {
    expect(ownerDigest('me')).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(ownerDigest('me')).not.toBe(ownerDigest('you'));
    expect(ownerDigest('me')).toBe(ownerDigest('me'));
  });
});
