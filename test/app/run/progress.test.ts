import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createChangeLines, createProgress, durationText, MAX_CHANGE_LINES } from '../../../src/app/run/progress.ts';
import { assertProperty } from '../../support/property.ts';

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

describe('the lines of changes as they are made', () => {
  const outcome = (address: string) => ({ address, result: 'updated', tookMs: 1 }) as const;

  function told(count: number): { readonly lines: readonly string[] } & ReturnType<typeof createChangeLines> {
    const lines: string[] = [];
    const addresses = Array.from({ length: count }, (_, index) => `playlist/p${index}`);
    return { lines, ...createChangeLines(new Set(addresses), (line) => lines.push(line)) };
  }

  test('each says what was done, to which address, and how many there are', () => {
    const { lines, tell } = told(1_000);
    tell(outcome('playlist/p1'));
    tell({ address: 'playlist/p0', result: 'failed', error: 'HTTP 500', tookMs: 1 });
    tell({ address: 'playlist/p2', result: 'skipped', because: 'the run was interrupted', tookMs: 0 });
    expect(lines).toEqual([
      'updated playlist/p1 (1 of 1,000)',
      'failed playlist/p0 (2 of 1,000): HTTP 500',
      'skipped playlist/p2 (3 of 1,000): the run was interrupted',
    ]);
  });

  test('what writes nothing has none, and a change that verification finds to have failed has a second one', () => {
    const { lines, tell } = told(1);
    tell({ address: 'playlist/other', result: 'adopted', tookMs: 0 });
    tell(outcome('playlist/p0'));
    tell({ address: 'playlist/p0', result: 'failed', error: 'inconsistent after apply', tookMs: 1 });
    expect(lines).toEqual(['updated playlist/p0 (1 of 1)', 'failed playlist/p0: inconsistent after apply']);
  });

  test('equal failures have one, whatever request they name, and at the end the number of the others', () => {
    const { lines, tell, end } = told(1_000);
    for (let index = 0; index < 1_000; index++)
      tell({ address: `playlist/p${index}`, result: 'failed', error: `PATCH /api/v4/p/${index}: HTTP 500`, tookMs: 1 });
    end();
    expect(lines).toEqual([
      'failed playlist/p0 (1 of 1,000): PATCH /api/v4/p/0: HTTP 500',
      'failed for the same reason as playlist/p0: 999 more',
    ]);
  });

  test.each([MAX_CHANGE_LINES - 1, MAX_CHANGE_LINES])('all of %d changes have one', (count) => {
    const { lines, tell } = told(count);
    for (let index = 0; index < count; index++) tell(outcome(`playlist/p${index}`));
    expect(lines).toHaveLength(count);
  });

  test('of more changes the first have one, and the last of these says that there are more', () => {
    const { lines, tell } = told(250);
    for (let index = 0; index < 250; index++) tell(outcome(`playlist/p${index}`));
    expect(lines.slice(MAX_CHANGE_LINES - 1)).toEqual(['updated playlist/p99 (100 of 250)', 'the other changes are counted from here on']);
  });
});
