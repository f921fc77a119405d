/** What the account at a glance shows of the static key. */
import { expect, test } from 'vitest';
import { overview } from '../../../../src/core/kinds/static-key/overview.ts';

const NOBODY = { style: 'good', text: 'No live slicer uses the static key.' };

test.each([
  ['none', [], NOBODY, 'alarm'],
  ['specific', ['a'], { style: 'alarm', text: '1 live slicer uses the static key.' }, 'alarm'],
  ['specific', ['a', 'b'], { style: 'alarm', text: '2 live slicers use the static key.' }, 'alarm'],
  ['all', [], { style: 'alarm', text: 'Every live slicer uses the static key.' }, 'quiet'],
  ['all', ['a'], { style: 'alarm', text: 'Every live slicer uses the static key; a list of 1 live slicer is kept, and ignored.' }, 'quiet'],
] as const)('the static key with the scope %s and the slicers %j is one sentence and the list', (scope, slicer_ids, summary, style) => {
  expect(overview([{ id: null, fields: { scope, slicer_ids }, unknownMembers: [] }])).toEqual({
    type: 'setting',
    title: 'Static key',
    summary,
    members: slicer_ids.map((text) => ({ style, text })),
  });
});

test('a static key that is not known is used by nobody', () => {
  expect(overview([])).toEqual({ type: 'setting', title: 'Static key', summary: NOBODY, members: [] });
});
