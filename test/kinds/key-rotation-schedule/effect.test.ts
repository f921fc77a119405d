/** The specification: off, or rarer, loosens; on, or more often, tightens; a month counts as 30 days; the hour is neutral. */
import { describe, expect, test } from 'vitest';
import { differencesOf } from '../../../src/engine/compare.ts';
import { keyRotationSchedule } from '../../../src/kinds/key-rotation-schedule/index.ts';
import type { Verdict } from '../../../src/model/change.ts';
import type { Fields } from '../../../src/model/json.ts';
import { live, theOnly, tools } from '../answers.ts';
import { cells, signOf } from '../truth.ts';

function effects(before: Fields, after: Fields): readonly Verdict[] {
  const desired = theOnly(keyRotationSchedule.declare({ key_rotation_schedule: after }, tools).resources);
  const object = live(before);
  const fields = differencesOf(keyRotationSchedule, desired, object, 0);
  return keyRotationSchedule.effects({ action: 'update', desired, live: object, fields });
}

function said(verdicts: readonly Verdict[]): readonly string[] {
  return verdicts.flatMap(({ reasons }) => reasons.map(({ effect, text }) => `${effect} ${text}`));
}

/** A schedule in the words of the table: `30d` is every 30 days, `30d-off` the same switched off, `on` one that does not say how often. */
function scheduleOf(word: string): Fields {
  if (word === 'off') return { enabled: false };
  if (word === 'on') return { enabled: true, hour: 3 };
  const [, frequency, unit = '', off] = /^(-?\d+)([a-z])(-off)?$/.exec(word) ?? [];
  return { enabled: off === undefined, frequency: Number(frequency), unit, hour: 3 };
}

describe('how often the key is rotated', () => {
  test.each(
    cells(`
                 off  30d-off  1d  7d  29d  30d  1m  31d  60d  2m  12m
        off        .        .   +   +    +    +   +    +    +   +    +
        30d-off    .        .   +   +    +    +   +    +    +   +    +
        1d         -        -   .   -    -    -   -    -    -   -    -
        7d         -        -   +   .    -    -   -    -    -   -    -
        29d        -        -   +   +    .    -   -    -    -   -    -
        30d        -        -   +   +    +    .   .    -    -   -    -
        1m         -        -   +   +    +    .   .    -    -   -    -
        31d        -        -   +   +    +    +   +    .    -   -    -
        60d        -        -   +   +    +    +   +    +    .   .    -
        2m         -        -   +   +    +    +   +    +    .   .    -
        12m        -        -   +   +    +    +   +    +    +   +    .
        on         -        -   ?   ?    ?    ?   ?    ?    ?   ?    ?
        0d         -        -   ?   ?    ?    ?   ?    ?    ?   ?    ?
        -1d        -        -   ?   ?    ?    ?   ?    ?    ?   ?    ?
        2w         -        -   ?   ?    ?    ?   ?    ?    ?   ?    ?`),
  )('%s to %s: %s', (before, after, sign) => {
    expect(signOf(effects(scheduleOf(before), scheduleOf(after)))).toBe(sign);
  });

  test.each([
    ['off', '1d', 'tightens the static key will be rotated every day'],
    ['7d', 'off', 'loosens the static key will be rotated no longer (now every 7 days)'],
    ['1d', '1m', 'loosens the static key will be rotated every month instead of every day'],
    ['3m', '2d', 'tightens the static key will be rotated every 2 days instead of every 3 months'],
    [
      'on',
      '1d',
      'loosens the static key will be rotated every day instead of at unknown times: one of the schedules does not say how often',
    ],
  ])('%s to %s, in words', (before, after, words) => {
    expect(said(effects(scheduleOf(before), scheduleOf(after)))).toEqual([words]);
  });

  test('has one verdict, at the first of its fields that differs', () => {
    expect(effects(scheduleOf('1d'), scheduleOf('2m')).map(({ effect }) => effect)).toEqual(['loosens', 'neutral']);
    expect(effects(scheduleOf('off'), scheduleOf('1d')).map(({ effect }) => effect)).toEqual(['tightens', 'neutral', 'neutral', 'neutral']);
  });
});

test.each(['1d', '7d', '1m', 'off'])('the hour is neutral: %s', (word) => {
  expect(signOf(effects(scheduleOf(word), { ...scheduleOf(word), hour: 4 }))).toBe('.');
});

describe('the next rotation', () => {
  const SOON = Date.UTC(2030, 0, 1);
  const LATE = Date.UTC(2099, 0, 1);
  const next = (schedule: string, word: string): Fields => {
    const time = { soon: SOON, late: LATE }[word];
    return { ...scheduleOf(schedule), ...(time === undefined ? {} : { next_rotation: time }) };
  };

  test.each(
    cells(`
               soon  late
        soon      .     -
        late      +     .
        unset     ?     ?`),
  )('put off is a key in use for longer: %s to %s: %s', (before, after, sign) => {
    expect(signOf(effects(next('1d', before), next('1d', after)))).toBe(sign);
  });

  test.each(
    cells(`
               soon  late
        soon      .     .
        late      .     .
        unset     .     .`),
  )('says nothing where there is none, or was none: %s to %s', (before, after, sign) => {
    expect(signOf(effects(next('1d-off', before), next('1d-off', after)))).toBe(sign);
    expect(signOf(effects(next('1d-off', before), next('1d', after)))).toBe('+');
    expect(signOf(effects(next('1d', before), next('1d-off', after)))).toBe('-');
  });

  test('is told as a date, where there is one', () => {
    expect(said(effects(next('1d', 'soon'), next('1d', 'late')))).toEqual([
      'loosens the static key stays in use for longer, until 2099-01-01T00:00:00.000Z instead of 2030-01-01T00:00:00.000Z',
    ]);
    const endless = { ...scheduleOf('1d'), next_rotation: Number.MAX_SAFE_INTEGER };
    expect(said(effects(endless, next('1d', 'soon')))).toEqual([
      'tightens the static key is replaced earlier, at 2030-01-01T00:00:00.000Z instead of 9007199254740991',
    ]);
  });

  test('and the rhythm may go two ways at once', () => {
    expect(signOf(effects(next('1d', 'late'), next('7d', 'soon')))).toBe('±');
  });
});
