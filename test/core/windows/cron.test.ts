import { describe, expect, it } from 'vitest';
import { readCron } from '../../../src/core/windows/cron.ts';

const at = (text: string) => Date.parse(text);

function timesOf(pattern: string, timeZone: string) {
  const read = readCron(pattern, timeZone);
  if ('problem' in read) throw new Error(read.problem);
  return read.times;
}

/** Returns the first times after an instant. */
function firstTimes(pattern: string, timeZone: string, after: string, count: number): readonly string[] {
  const times = timesOf(pattern, timeZone);
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push(times.next(found.at(-1) ?? at(after)) ?? Number.NaN);
  return found.map((time) => new Date(time).toISOString().slice(0, 16));
}

describe('a cron pattern', () => {
  it.each([
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30'], 'a time that does not exist'],
    ['30 2,4 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-29T02:30'], 'one of several that does not exist'],
    ['0,30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:00'], 'two that do not exist'],
    [
      '*/30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      ['2026-03-30T00:00', '2026-03-30T00:30'],
      'steps in an hour that does not exist',
    ],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30'], 'a time that occurs twice'],
    ['30 2,4 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-25T03:30'], 'one of several that occurs twice'],
    ['30 * * * *', 'Europe/Berlin', '2026-10-25T00:00Z', ['2026-10-25T00:30', '2026-10-25T01:30'], 'every hour that there is'],
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', ['2026-10-03T15:30', '2026-10-04T15:15'], 'a jump of half an hour'],
    ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00Z', ['2026-04-04T14:45', '2026-04-05T15:15'], 'half an hour that occurs twice'],
    ['0 0 * * *', 'America/Santiago', '2026-09-05T12:00Z', ['2026-09-06T04:00', '2026-09-07T03:00'], 'a midnight that does not exist'],
    ['0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00'], '29 February'],
    ['0 0 13 * FRI', 'UTC', '2026-10-31T00:00Z', ['2026-11-06T00:00', '2026-11-13T00:00'], 'a day of the month or a weekday'],
    ['0 9 * * 0', 'UTC', '2026-11-27T00:00Z', ['2026-11-29T09:00', '2026-12-06T09:00'], 'Sunday as 0'],
    ['0 9 * * 7', 'UTC', '2026-11-27T00:00Z', ['2026-11-29T09:00', '2026-12-06T09:00'], 'Sunday as 7'],
  ])('`%s` in %s after %s matches %j: %s', (pattern, zone, after, expected) => {
    expect(firstTimes(pattern, zone, after, expected.length)).toEqual(expected);
  });

  it('has a latest time that may be the instant itself, and a next one that is after it', () => {
    const { latest, next } = timesOf('0 9 * * *', 'UTC');
    const [before, nine, after] = ['2026-11-26T09:00Z', '2026-11-27T09:00Z', '2026-11-28T09:00Z'].map(at);
    expect([latest(at('2026-11-27T08:59:59.999Z')), latest(nine ?? 0), latest(at('2026-11-27T09:00:00.001Z'))]).toEqual([
      before,
      nine,
      nine,
    ]);
    expect([next(at('2026-11-27T08:59:59.999Z')), next(nine ?? 0)]).toEqual([nine, after]);
  });

  it('that matches no date has no times', () => {
    const { latest, next } = timesOf('0 0 30 2 *', 'Europe/Berlin');
    expect([latest(at('2026-11-27T09:00Z')), next(at('2026-11-27T09:00Z'))]).toEqual([null, null]);
  });

  it.each([
    ['0 9 * *', 'it has 4 fields, and needs 5'],
    ['0 0 9 * * *', 'it has 6 fields, and needs 5'],
    ['@daily', 'it has 1 fields, and needs 5'],
    ['2026-12-18T18:00:00', 'it has 1 fields, and needs 5'],
    ['', 'it has 0 fields, and needs 5'],
    ['61 9 * * *', 'Invalid value for minute: 61'],
    ['0 24 * * *', 'Invalid value for hour: 24'],
    ['0 9 * * MONDAY', "Syntax error, a month or day name has to stand alone ('MONDAY')."],
    ['0 22-6 * * *', "From value is larger than to value: '22-6'"],
  ])('such as `%s` is refused: %s', (pattern, problem) => {
    expect(readCron(pattern, 'UTC')).toEqual({ problem });
  });
});
