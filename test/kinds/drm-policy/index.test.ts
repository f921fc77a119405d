import { expect, test } from 'vitest';
import { drmPolicy } from '../../../src/kinds/drm-policy/index.ts';
import { live } from '../answers.ts';
import { defaultPolicy } from './policies.ts';

test('policies are known by names that are unique, and always sent whole', () => {
  expect(drmPolicy.name).toBe('drm-policy');
  expect(drmPolicy.sections).toEqual([{ key: 'drm_policies', declares: 'drm-policy/' }]);
  const { type, uniqueLabels, partialUpdates, existenceChecksPerPlan } = drmPolicy;
  expect([type, uniqueLabels, partialUpdates, existenceChecksPerPlan]).toEqual(['collection', true, false, 20]);
  expect(drmPolicy.unmanagedAddress(live({}, { id: '7' }))).toBe('drm-policy/~7');
  expect(drmPolicy.defaults()).toEqual(defaultPolicy);
});

test('rules may set the severity of every warning, and of no error', () => {
  expect(drmPolicy.codes).toEqual([
    'cgms-on-desktop',
    'duration-without-switch',
    'hdcp-type-1-without-effect',
    'lease-duration-without-lease',
    'level-with-hdcp-none',
    'offline-duration-without-can-persist',
    'overrides-without-license-duration',
    'reserved-field',
    'testing-only',
    'tracks-overlap',
  ]);
});
