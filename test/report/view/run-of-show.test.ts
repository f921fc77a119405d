import { expect, test } from 'vitest';
import { runOfShow } from '../../../src/core/model/run-of-show.ts';
import { totalTexts } from '../../../src/report/view/run-of-show.ts';

test.each([
  [0, undefined],
  [1, 'repeats 1 time'],
  [2, 'repeats 2 times'],
  [-1, 'repeats for ever'],
])('the totals of a run with `repeat: %d` say %s', (repeat, text) => {
  const run = runOfShow({ entries: [{ type: 'beam', id: 'a' }], breakSeconds: 0, repeat }, new Map([['a', { seconds: 60 }]]), null);
  expect(totalTexts(run).find((each) => each.startsWith('repeats'))).toBe(text);
});
