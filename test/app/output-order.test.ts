import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOutputOrder } from '../../src/app/output-order.ts';

test('output of the first incomplete target is written at once, output of a later one in its turn, and late output at once', () => {
  const order = createOutputOrder();
  const done: string[] = [];
  const say = (place: number, text: string) => order.at(place, () => done.push(text));
  say(1, 'b1');
  say(0, 'a1');
  order.close(2);
  say(1, 'b2');
  expect(done).toEqual(['a1']);
  order.close(0);
  expect(done).toEqual(['a1', 'b1', 'b2']);
  say(1, 'b3');
  order.close(1);
  say(3, 'd1');
  expect(done).toEqual(['a1', 'b1', 'b2', 'b3', 'd1']);
  say(0, 'a2');
  expect(done).toEqual(['a1', 'b1', 'b2', 'b3', 'd1', 'a2']);
});

test('whatever is ready first, the order is that of the places, and within one that of saying', () => {
  const counts = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(counts, fc.infiniteStream(fc.nat()), (said, choices) => {
      const order = createOutputOrder();
      const done: string[] = [];
      const left = said.map((count, place) => ({ place, count, next: 0 }));
      for (const choice of choices) {
        const running = left.filter(({ count, next }) => next <= count);
        const one = running[choice % running.length];
        if (!one) break;
        const text = `${one.place}.${one.next}`;
        if (one.next === one.count) order.close(one.place);
        else order.at(one.place, () => done.push(text));
        one.next += 1;
      }
      expect(done).toEqual(said.flatMap((count, place) => Array.from({ length: count }, (_, next) => `${place}.${next}`)));
    }),
  );
});
