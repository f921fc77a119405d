import { expect, test } from 'vitest';
import { staticKey } from '../../../../src/core/kinds/static-key/index.ts';
import { settableCodes } from '../../../support/finding-codes.ts';
import { liveSetting } from '../fixtures.ts';

test('the static key is a setting with one address, and the phase of its change follows from the effect', () => {
  expect((['strengthens', 'neutral', 'weakens'] as const).map((effect) => staticKey.phase('update', effect))).toEqual([
    'strengthen',
    'update',
    'weaken',
  ]);
  expect(staticKey.idAddress(liveSetting({ scope: 'none', slicer_ids: [] }))).toBe('static-key');
  expect(staticKey.defaults()).toEqual({ scope: 'none', slicer_ids: [] });
  expect(staticKey.type).toBe('setting');
  expect(staticKey.sections).toEqual([{ key: 'static_key', addressPrefix: 'static-key' }]);
});

test('rules can set the severity of one finding about the static key', () => {
  expect(settableCodes(staticKey.findingCodes)).toEqual(['slicer-not-found']);
});
