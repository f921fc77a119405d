import { expect, test } from 'vitest';
import { staticKey } from '../../../src/kinds/static-key/index.ts';
import { live } from '../answers.ts';

test('a singleton has a phase by effect, one address, and nothing to look up', () => {
  expect((['tightens', 'neutral', 'loosens'] as const).map((effect) => staticKey.phase('update', effect))).toEqual([
    'tighten',
    'update',
    'loosen',
  ]);
  expect(staticKey.unmanagedAddress(live({}))).toBe('static-key');
  expect(staticKey.defaults()).toEqual({ scope: 'none', slicer_ids: [] });
  expect([staticKey.singleton, staticKey.existenceChecksPerPlan, staticKey.get, staticKey.find]).toEqual([true, 0, undefined, undefined]);
  expect(staticKey.addresses).toEqual(['static-key']);
  expect(staticKey.sections).toEqual([{ key: 'static_key', manages: true }]);
});

test('is sent setting by setting, shares its name with nothing, and rules may set one severity', () => {
  expect([staticKey.partialUpdates, staticKey.uniqueLabels, staticKey.codes]).toEqual([false, false, ['slicer-not-found']]);
});
