import { expect, test } from 'vitest';
import { parseDuration, writeDuration } from '../../../src/core/model/duration.ts';

test('a duration is written with its unit: days from two on, then hours, then minutes', () => {
  const written = ['1m', '90m', '1h', '24h', '36h', '62h', '2d', '14d', '366d'];
  expect(written.map((each) => writeDuration(parseDuration(each)))).toEqual(written);
  expect(['60m', '1d', '48h', '1440m'].map((each) => writeDuration(parseDuration(each)))).toEqual(['1h', '24h', '2d', '24h']);
});

test('what is written has the length of what was read, for every whole number of minutes', () => {
  for (let minutes = 1; minutes <= 20_000; minutes += 1) expect(parseDuration(writeDuration(minutes * 60_000))).toBe(minutes * 60_000);
});
