import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createProgress, durationText } from '../../src/app/progress.ts';
import { assertProperty } from '../support/property.ts';

/** A work of `total` parts, and its clock in milliseconds. */
function setUpProgress(total: number) {
  const clock = { ms: 1_000_000 };
  const progress = createProgress('applying', total, () => clock.ms, 'reading back');
  return {
    clock,
    progress,
    /** What stands there after so many parts more, each after so many milliseconds. */
    ran(parts: number, each: number, done = 0): string {
      for (let part = 1; part <= parts; part += 1) {
        clock.ms += each;
        progress.update(done + part, total);
      }
      return progress.text(clock.ms, '');
    },
  };
}

describe('the progress of work of known size', () => {
  test('the rate and the time left appear once there are enough data', () => {
    const { ran } = setUpProgress(1_000);
    expect(ran(1, 50)).toBe('applying 1/1,000');
    expect(ran(119, 50, 1)).toBe('applying 120/1,000 · 20/s · 44 s left');
  });

  test.each([
    ['tens a second', 100, 10_000, 'applying 20/10,000 · 10/s · 17 min left'],
    ['ones a second', 400, 100, 'applying 20/100 · 2.5/s · 32 s left'],
    ['ones a minute', 5_000, 100, 'applying 20/100 · 12/min · 7 min left'],
    ['ones an hour', 600_000, 100, 'applying 20/100 · 6/h · 14 h left'],
    ['so slow that the time left is not shown', 36_000_000, 1_000, 'applying 20/1,000 · 1/h'],
  ])('the rate and the time left have a readable unit: %s', (_name, each, total, line) => {
    expect(setUpProgress(total).ran(20, each)).toBe(line);
  });

  test('the rate is that of the last ten seconds', () => {
    const { ran } = setUpProgress(10_000);
    ran(100, 10);
    expect(ran(10, 1_000, 100)).toBe('applying 110/10,000 · 1.0/s · 3 h left');
  });

  test('the rate falls and the time left grows while nothing happens', () => {
    const { ran, progress, clock } = setUpProgress(100);
    expect(ran(10, 1_000)).toBe('applying 10/100 · 1.0/s · 90 s left');
    expect(progress.text(clock.ms + 10_000, '')).toBe('applying 10/100 · 17/min · 6 min left');
    expect(progress.text(clock.ms + 60_000, '')).toBe('applying 10/100 · 4/min · 24 min left');
  });

  test('the next step is named when all items are done', () => {
    expect(setUpProgress(3).ran(3, 1_000)).toBe('applying 3/3 · reading back');
    expect(createProgress('targets', 0, () => 0).text(0, '')).toBe('targets 0/0');
  });

  test('the progress text has valid numbers only, whatever the clock does', () => {
    const steps = fc.array(fc.record({ ms: fc.integer({ min: -5_000, max: 100_000 }), parts: fc.integer({ min: 0, max: 50 }) }), {
      maxLength: 60,
    });
    assertProperty(
      fc.property(steps, (course) => {
        const { clock, progress } = setUpProgress(1_000);
        let done = 0;
        for (const { ms, parts } of course) {
          clock.ms += ms;
          done = Math.min(1_000, done + parts);
          progress.update(done, 1_000);
          expect(progress.text(clock.ms, '')).toMatch(
            /^applying [\d,]+\/1,000( · reading back|( · (\d+\.\d|[\d,]+)\/(s|min|h)( · \d+ (s|min|h) left)?)?)$/,
          );
        }
      }),
    );
  });
});

test('the status text of work of unknown size shows the elapsed time and the last event', () => {
  const line = durationText('reading', 5_000);
  expect([line(4_000, ''), line(17_900, ''), line(17_900, 'GET /a')]).toEqual([
    'reading · 0 s',
    'reading · 12 s',
    'reading · 12 s · GET /a',
  ]);
});
