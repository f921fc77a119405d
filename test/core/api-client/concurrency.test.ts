import { expect, it } from 'vitest';
import { adaptiveConcurrency } from '../../../src/core/api-client/concurrency.ts';

it('adaptiveConcurrency halves the limit, but not below one, and adds one after as many accepted requests as the limit', () => {
  const limit = adaptiveConcurrency(8);
  const limits: number[] = [];
  for (let index = 0; index < 5; index++) {
    limit.decrease();
    limits.push(limit.current());
  }
  expect(limits).toEqual([4, 2, 1, 1, 1]);
  const grown = Array.from({ length: 40 }, () => {
    limit.increase();
    return limit.current();
  });
  // 1 success for the second, 2 for the third, 3 for the fourth, ...
  expect(grown.slice(0, 11)).toEqual([2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5]);
  expect(grown.at(-1)).toBe(8);
});

it('adaptiveConcurrency starts counting anew after a refusal', () => {
  const limit = adaptiveConcurrency(8);
  limit.decrease();
  for (let index = 0; index < 3; index++) limit.increase();
  limit.decrease();
  limit.increase();
  expect(limit.current()).toBe(2);
});
