import { expect, it } from 'vitest';
import { spreading } from '../../src/service/spread.ts';

/** When eight requests leave that may all leave at 0. */
function flight(spread: ReturnType<typeof spreading>): readonly number[] {
  return Array.from({ length: 8 }, () => {
    const start = spread.earliest(0);
    spread.took(start);
    return start;
  });
}

it('holds nothing back before the first answer, nor after answers that come at once', () => {
  const spread = spreading(8);
  expect(flight(spread)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  spread.answered(15);
  expect(flight(spread)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

it('keeps half the distance that would fill the time of an answer evenly', () => {
  const spread = spreading(8);
  spread.answered(48);
  expect(flight(spread)).toEqual([0, 3, 6, 9, 12, 15, 18, 21]);
  expect(spread.earliest(100)).toBe(100);
});

it('keeps a few milliseconds at most, however long an answer took, and goes by the latest', () => {
  const spread = spreading(8);
  spread.answered(60_000);
  expect(flight(spread).at(-1)).toBe(35);
  spread.answered(1);
  spread.took(1000);
  expect(spread.earliest(1000)).toBe(1000);
});

it('never makes wait whoever sends one after another', () => {
  const spread = spreading(1);
  for (let time = 0; time < 1000; time += 50) {
    expect(spread.earliest(time)).toBe(time);
    spread.took(time);
    spread.answered(50);
  }
});
