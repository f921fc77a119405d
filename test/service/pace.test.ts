import { describe, expect, it } from 'vitest';
import { learntPace, type Pace } from '../../src/service/pace.ts';

/** The gap that the pace keeps, milliseconds. */
function gapOf(pace: Pace, time: number): number {
  const first = pace.earliest(time);
  pace.took(first);
  return pace.earliest(first) - first;
}

describe('learntPace', () => {
  it('is none before the first refusal', () => {
    const pace = learntPace();
    for (let index = 0; index < 100; index++) pace.bore(index);
    expect(gapOf(pace, 1000)).toBe(0);
  });

  it('is slower after each refusal, but hardly slower than what was borne during the last second', () => {
    const pace = learntPace();
    const gaps = [1, 2, 3, 4, 5].map((time) => {
      for (let index = 0; index < 5; index++) pace.bore(10_000 + time);
      pace.refused(10_000 + time);
      return gapOf(pace, 20_000);
    });
    // Half as long again; then 20 in 1.05 s were borne; then at least 5 % longer all the same.
    const expected = [20, 30, 45, 1050 / 20, (1050 / 20) * 1.05];
    expect(gaps).toEqual(expected.map((gap) => expect.closeTo(gap, 1)));
  });

  it('is never slower than one request in two seconds', () => {
    const pace = learntPace();
    for (let index = 0; index < 100; index++) pace.refused(index * 5000);
    expect(gapOf(pace, 10_000_000)).toBe(2000);
  });

  it('lets no second hold more than its gap allows, of those that the service counts', () => {
    const pace = learntPace();
    for (let start = 0; start < 52; start++) pace.took(start);
    pace.uncount(51);
    pace.uncount(1000);
    pace.refused(60);
    // A gap of 20 ms: 52 in 1.05 s, of which 51 have started.
    expect(pace.earliest(100)).toBe(100);
    pace.took(100);
    expect(pace.earliest(120)).toBe(0 + 1050);
  });

  it('is hurried up at first hardly, then soon', () => {
    const pace = learntPace();
    for (let index = 0; index < 3; index++) pace.refused(index * 5000);
    const gaps = Array.from({ length: 1000 }, (_, index) => {
      pace.bore(100_000 + index * 100);
      return gapOf(pace, 1_000_000 + index * 3000);
    });
    expect(gaps[50]).toBeGreaterThan(45 * 0.97);
    expect(gaps[400]).toBeLessThan(45 / 2);
    expect(gaps.at(-1)).toBe(0);
  });
});
