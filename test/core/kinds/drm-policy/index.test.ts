import { expect, test } from 'vitest';
import { drmPolicy } from '../../../../src/core/kinds/drm-policy/index.ts';
import { settableCodes } from '../../../support/finding-codes.ts';
import { live } from '../fixtures.ts';
import { defaultPolicy } from './policies.ts';

test('DRM policies have unique names and are always sent whole', () => {
  expect(drmPolicy.name).toBe('drm-policy');
  expect(drmPolicy.sections).toEqual([{ key: 'drm_policies', addressPrefix: 'drm-policy/', singular: 'drm_policy' }]);
  const { type, hasUniqueRemoteNames, hasPartialUpdates, spotChecksPerPlan } = drmPolicy;
  expect([type, hasUniqueRemoteNames, hasPartialUpdates, spotChecksPerPlan]).toEqual(['collection', true, false, 20]);
  expect(drmPolicy.idAddress(live({}, { id: '7' }))).toBe('drm-policy/~7');
  expect(drmPolicy.defaults()).toEqual(defaultPolicy);
});

test('rules can set the severity of every warning about DRM policies, and of tracks that are not covered', () => {
  expect(settableCodes(drmPolicy.findingCodes).toSorted()).toEqual([
    'cgms-on-desktop',
    'control-character',
    'duration-without-switch',
    'hdcp-type-1-without-effect',
    'hidden-license-begin',
    'lease-duration-without-lease',
    'level-with-hdcp-none',
    'name-not-nfc',
    'name-spaces',
    'offline-duration-without-can-persist',
    'policy-name-in-urls',
    'reserved-field',
    'testing-only',
    'tracks-not-covered',
    'tracks-overlap',
  ]);
});
