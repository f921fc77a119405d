/** The safety check of what would roll back values of the commit last applied (design section 12). */
import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/core/model/change.ts';
import { applySafetyChecks, overriddenChecks } from '../../../src/core/safety/checks.ts';
import type { PlannedChange, Rollback } from '../../../src/core/state/planned-change.ts';
import { allowed, blockingCheck, blockOf, changeOf, goingOffAir, liveSongs, many, OFF_AIR, onAir, safetyInput } from './fixtures.ts';

const REASON = 'it would roll back /title, which commit abc123 brought';
const ONLY: Rollback = { reason: REASON, isBehind: true };
const ALSO: Rollback = { reason: REASON, isBehind: false };

describe('rollback', () => {
  it('blocks any change that rolls back, with its reason, and names the way without an override first', () => {
    for (const rollback of [ONLY, ALSO])
      for (const action of ['create', 'update', 'delete', 'move'] as const)
        expect(blockOf(changeOf(action, { rollback }), safetyInput())).toStrictEqual({
          check: 'rollback',
          reason: REASON,
          lift: { edit: 'apply a commit that contains that one', allow: 'rollback' },
        });
  });

  it('blocks no change once it is overridden by its name, and is counted then', () => {
    const changes = [changeOf('update', { rollback: ALSO }), changeOf('update', { address: 'song/b' })];
    const others = allowed(9, 'updates', 'playback-loss', 'weakening', 'suspicious-read', 'unknown-fields', 'ignore-expired');
    expect(blockingCheck(changes, safetyInput({ overrides: others }))).toBe('rollback');
    const input = safetyInput({ overrides: allowed(0, 'rollback') });
    const checked = applySafetyChecks(changes, input);
    expect(checked.map(({ change: { blocked } }) => blocked)).toEqual([null, null]);
    expect(overriddenChecks(checked, input, () => true)).toEqual([{ check: 'rollback', count: 1 }]);
  });
});

describe('the limits', () => {
  const rollingBack = (action: Action, rollback: Rollback) => changeOf(action, { ...OFF_AIR, address: 'song/old', rollback });

  it.each<[string, readonly PlannedChange[], Action, string]>([
    ['deletes', many(5, 'delete'), 'delete', 'deletes'],
    ['updates', many(5, 'update'), 'update', 'updates'],
    ['what goes off air', goingOffAir(1), 'update', 'playback-loss'],
  ])('on %s do not count a change that would only roll back, and count one that does more', (_what, atTheLimit, action, check) => {
    const input = safetyInput({ ...(action === 'update' ? { ...liveSongs(10), ...onAir(10) } : {}) });
    expect(blockingCheck([...atTheLimit, rollingBack(action, ONLY)], input)).toBeNull();
    expect(blockingCheck([...atTheLimit, rollingBack(action, ALSO)], input)).toBe(check);
  });
});
