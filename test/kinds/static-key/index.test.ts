import { expect, test } from 'vitest';
import { staticKey } from '../../../src/kinds/static-key/index.ts';
import { liveSetting } from '../answers.ts';

test('the static key is a setting with one address, and has a phase by effect', () => {
  expect((['tightens', 'neutral', 'loosens'] as const).map((effect) => staticKey.phase('update', effect))).toEqual([
    'tighten',
    'update',
    'loosen',
  ]);
  expect(staticKey.unmanagedAddress(liveSetting({ scope: 'none', slicer_ids: [] }))).toBe('static-key');
  expect(staticKey.defaults()).toEqual({ scope: 'none', slicer_ids: [] });
  expect(staticKey.type).toBe('setting');
  expect(staticKey.sections).toEqual([{ key: 'static_key', declares: 'static-key' }]);
});

test('rules may set the severity of one finding of the static key', () => {
  expect(staticKey.codes).toEqual(['slicer-not-found']);
});
