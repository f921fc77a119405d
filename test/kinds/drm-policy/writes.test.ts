import { describe, expect, test } from 'vitest';
import { drmPolicy } from '../../../src/kinds/drm-policy/index.ts';
import { ServiceError } from '../../../src/kinds/kind.ts';
import { settings as kindSettings, live, planned, theOnly } from '../answers.ts';
import { defaultPolicy, desired } from './policies.ts';

describe('writing', () => {
  const settings = { playready: { license_duration_seconds: 50000 }, widevine: { policy_overrides: { can_play: true } } };
  const object = live({ policy_name: 'old', ...defaultPolicy }, { id: '7', label: 'old' });
  const path = '/api/v3/drm/policies/create-or-update';

  test('a create carries the name and what was declared, and is never repeated blindly', () => {
    const plan = planned({ desired: desired('new', settings), live: null });
    const body = { policy_name: 'new', ...settings };
    expect(drmPolicy.writes(plan, kindSettings, 0)).toEqual([{ method: 'POST', path, body, repeatable: false }]);
  });

  test('an update carries the ID too, every declared setting, and no undeclared default', () => {
    const plan = planned({ desired: desired('new', settings), live: object });
    const body = { _id: '7', policy_name: 'new', ...settings };
    expect(drmPolicy.writes(plan, kindSettings, 0)).toEqual([{ method: 'POST', path, body, repeatable: true }]);
  });

  test('a delete names the ID in its path', () => {
    const plan = planned({ desired: null, live: { ...object, id: 'a/b' } });
    expect(drmPolicy.writes(plan, kindSettings, 0)).toEqual([{ method: 'DELETE', path: '/api/v3/drm/policy/a%2Fb', repeatable: false }]);
    expect(drmPolicy.writes(planned({ desired: null, live: null }), kindSettings, 0)).toEqual([]);
  });

  test('the answer to a create tells the ID', () => {
    const plan = planned({ desired: desired('new'), live: null });
    const write = theOnly(drmPolicy.writes(plan, kindSettings, 0));
    const configs = [{ _id: '1', policy_name: 'other' }, 'text', { _id: '2', policy_name: 'new' }];
    expect(drmPolicy.settle(plan, write, { configs })).toEqual({ state: 'done', id: '2' });
    expect(drmPolicy.settle(plan, write, { configs: [] })).toMatchObject({ state: 'failed' });
    expect(() => drmPolicy.settle(plan, write, { configs: [{ policy_name: 'new' }] })).toThrow('_id');
    expect(() => drmPolicy.settle(plan, write, { error: 0 })).toThrow(ServiceError);
  });

  test('the answer to an update or a delete shows policies, whichever', () => {
    for (const resource of [desired('new'), null]) {
      const plan = planned({ desired: resource, live: object });
      const write = theOnly(drmPolicy.writes(plan, kindSettings, 0));
      expect(drmPolicy.settle(plan, write, { configs: [] })).toEqual({ state: 'done', id: '7' });
      expect(() => drmPolicy.settle(plan, write, {})).toThrow(ServiceError);
    }
  });

  test('counts as loosening for the order only', () => {
    const field = { path: '/playready/can_play', before: false, after: true };
    expect(drmPolicy.effect({ action: 'update', field, desired: null, live: null })).toEqual({ effect: 'neutral' });
    expect((['create', 'update', 'delete'] as const).map((action) => drmPolicy.phase(action, 'neutral'))).toEqual([1, 4, 5]);
  });
});
