import { expect, it } from 'vitest';
import { adaptiveWidth } from '../../src/service/width.ts';

it('is halved, never below one, and grows by one after each flight', () => {
  const width = adaptiveWidth(8);
  const widths: number[] = [];
  for (let index = 0; index < 5; index++) {
    width.halve();
    widths.push(width.now());
  }
  expect(widths).toEqual([4, 2, 1, 1, 1]);
  const grown = Array.from({ length: 40 }, () => {
    width.grow();
    return width.now();
  });
  // 1 success for the second, 2 for the third, 3 for the fourth, ...
  expect(grown.slice(0, 11)).toEqual([2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5]);
  expect(grown.at(-1)).toBe(8);
});

it('a refusal undoes what was counted towards the next step', () => {
  const width = adaptiveWidth(8);
  width.halve();
  for (let index = 0; index < 3; index++) width.grow();
  width.halve();
  width.grow();
  expect(width.now()).toBe(2);
});
