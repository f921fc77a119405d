import { expect, test } from 'vitest';
import { assetNamesIn } from '../../../src/core/plan/asset-names.ts';
import { changeOf } from '../../support/changes.ts';

const names = { id1: 'news', id2: 'film', id3: 'sports', id4: 'unused', own: 'own' };
const entries = (...ids: readonly string[]) => ids.map((id) => ({ beam: { id } }));
const changed = changeOf({
  address: 'playlist/a',
  fields: [
    {
      path: '/playlist',
      before: entries('id2', 'own', '__proto__'),
      after: entries('id1', 'stranger', 'id3'),
      origin: 'change',
      effect: 'neutral',
    },
  ],
});

test('a plan names the assets of its changes that are in the catalog, sorted by ID', () => {
  const { assetNames = {} } = assetNamesIn([changed], [{}, { kindData: { names } }]);
  expect(Object.entries(assetNames)).toEqual([
    ['id1', 'news'],
    ['id2', 'film'],
    ['id3', 'sports'],
  ]);
});

test('a plan without named assets has no member for their names', () => {
  expect(assetNamesIn([changed], [{}])).toEqual({});
  expect(assetNamesIn([], [{ kindData: { names } }])).toEqual({});
});
