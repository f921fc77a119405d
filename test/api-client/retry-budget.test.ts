import { expect, it } from 'vitest';
import { retryBudget } from '../../src/api-client/retry-budget.ts';

function spendAll(budget: ReturnType<typeof retryBudget>): number {
  let spent = 0;
  while (budget.spend()) spent++;
  return spent;
}

it('has a reserve of 100 retries, and earns one with every five successes', () => {
  const budget = retryBudget();
  expect(spendAll(budget)).toBe(100);
  for (let index = 0; index < 4; index++) budget.earn();
  expect(budget.spend()).toBe(false);
  budget.earn();
  expect(spendAll(budget)).toBe(1);
  expect(budget.spent()).toBe(101);
});

it('saves up no more than the reserve', () => {
  const budget = retryBudget();
  for (let index = 0; index < 10_000; index++) budget.earn();
  expect(spendAll(budget)).toBe(100);
});
