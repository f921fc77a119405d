import { expect, test } from 'vitest';
import { yieldToEventLoop } from '../../../src/core/model/event-loop.ts';

test('of several computations that yield, one goes on in each turn of the event loop, in the order in which they yielded', async () => {
  const [turns, waiting] = [[] as number[], ['a', 'b', 'c']];
  let turn = 0;
  let isOver = false;
  const counting = async (): Promise<void> => {
    for (; !isOver; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const order: string[] = [];
  const computing = Promise.all(
    waiting.map(async (name) => {
      await yieldToEventLoop();
      order.push(name);
      turns.push(turn);
    }),
  ).finally(() => {
    isOver = true;
  });
  await Promise.all([computing, counting()]);
  expect(order).toEqual(waiting);
  expect(new Set(turns).size).toBe(waiting.length);
});
