import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createProgress, taking } from '../../src/app/progress.ts';

/** A work of `total` parts, and its clock in milliseconds. */
function stage(total: number) {
  const clock = { ms: 1_000_000 };
  const progress = createProgress('applying', total, () => clock.ms, 'reading back');
  return {
    clock,
    progress,
    /** What stands there after so many parts more, each after so many milliseconds. */
    ran(parts: number, each: number, done = 0): string {
      for (let part = 1; part <= parts; part += 1) {
        clock.ms += each;
        progress.reached(done + part, total);
      }
      return progress.line(clock.ms, '');
    },
  };
}

describe('how far a work has come', () => {
  test('rate and time left stand there once there is something to go by', () => {
    const { ran } = stage(1_000);
    expect(ran(1, 50)).toBe('applying 1/1,000');
    expect(ran(119, 50, 1)).toBe('applying 120/1,000 · 20/s · 44 s left');
  });

  test.each([
    ['tens a second', 100, 10_000, 'applying 20/10,000 · 10/s · 17 min left'],
    ['ones a second', 400, 100, 'applying 20/100 · 2.5/s · 32 s left'],
    ['ones a minute', 5_000, 100, 'applying 20/100 · 12/min · 7 min left'],
    ['ones an hour', 600_000, 100, 'applying 20/100 · 6/h · 14 h left'],
    ['so slow that nobody would believe it', 36_000_000, 1_000, 'applying 20/1,000 · 1/h'],
  ])('%s', (_name, each, total, line) => {
    expect(stage(total).ran(20, each)).toBe(line);
  });

  test('the rate is that of the last ten seconds', () => {
    const { ran } = stage(10_000);
    ran(100, 10);
    expect(ran(10, 1_000, 100)).toBe('applying 110/10,000 · 1.0/s · 3 h left');
  });

  test('while nothing happens, the rate falls and the time left grows', () => {
    const { ran, progress, clock } = stage(100);
    expect(ran(10, 1_000)).toBe('applying 10/100 · 1.0/s · 90 s left');
    expect(progress.line(clock.ms + 10_000, '')).toBe('applying 10/100 · 17/min · 6 min left');
    expect(progress.line(clock.ms + 60_000, '')).toBe('applying 10/100 · 4/min · 24 min left');
  });

  test('when all is done, it says what still goes on', () => {
    expect(stage(3).ran(3, 1_000)).toBe('applying 3/3 · reading back');
    expect(createProgress('targets', 0, () => 0).line(0, '')).toBe('targets 0/0');
  });

  test('never says anything but numbers, whatever the clock does', () => {
    const steps = fc.array(fc.record({ ms: fc.integer({ min: -5_000, max: 100_000 }), parts: fc.integer({ min: 0, max: 50 }) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (course) => {
        const { clock, progress } = stage(1_000);
        let done = 0;
        for (const { ms, parts } of course) {
          clock.ms += ms;
          done = Math.min(1_000, done + parts);
          progress.reached(done, 1_000);
          expect(progress.line(clock.ms, '')).toMatch(
            /^applying [\d,]+\/1,000( · reading back|( · (\d+\.\d|[\d,]+)\/(s|min|h)( · \d+ (s|min|h) left)?)?)$/,
          );
        }
      }),
    );
  });
});

test('a work of unknown size tells how long it has taken, and what happened last', () => {
  const line = taking('reading', 5_000);
  expect([line(4_000, ''), line(17_900, ''), line(17_900, 'GET /a')]).toEqual([
    'reading · 0 s',
    'reading · 12 s',
    'reading · 12 s · GET /a',
  ]);
});
