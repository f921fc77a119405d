/** What the account at a glance shows of the static key. */
import { expect, test } from 'vitest';
import { staticKeyViews } from '../../../../src/core/kinds/static-key/views.ts';
import { changeOf } from '../../../support/changes.ts';

const NOBODY = { style: 'good', text: 'No live slicer uses the static key.' };

test.each([
  ['none', [], NOBODY, 'alarm'],
  ['specific', ['a'], { style: 'alarm', text: '1 live slicer uses the static key.' }, 'alarm'],
  ['specific', ['a', 'b'], { style: 'alarm', text: '2 live slicers use the static key.' }, 'alarm'],
  ['all', [], { style: 'alarm', text: 'Every live slicer uses the static key.' }, 'quiet'],
  ['all', ['a'], { style: 'alarm', text: 'Every live slicer uses the static key; a list of 1 live slicer is kept, and ignored.' }, 'quiet'],
] as const)('the static key with the scope %s and the slicers %j is one sentence and the list', (scope, slicer_ids, summary, style) => {
  expect(staticKeyViews.overview([{ id: null, fields: { scope, slicer_ids }, unknownMembers: [] }])).toEqual({
    type: 'setting',
    title: 'Static key',
    summary,
    members: slicer_ids.map((text) => ({ style, text })),
  });
});

test('a static key that is not known is used by nobody', () => {
  expect(staticKeyViews.overview([])).toEqual({ type: 'setting', title: 'Static key', summary: NOBODY, members: [] });
});

test('the diagram of the static key is that of a setting of the account', () => {
  const change = changeOf({ fields: [{ path: '/scope', before: 'none', after: 'all', origin: 'change', effect: 'weakens' }] });
  expect(staticKeyViews.diagram(change)).toEqual({ type: 'account-setting', fields: change.fields });
});
