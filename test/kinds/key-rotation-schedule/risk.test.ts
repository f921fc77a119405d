/** What the truth tables of the schedule do not say: at which field a verdict stands, and in which words. */
import { describe, expect, test } from 'vitest';
import { keyRotationSchedule } from '../../../src/kinds/key-rotation-schedule/index.ts';
import type { RiskAssessment } from '../../../src/model/change.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { differencesOf } from '../../../src/plan/diff-resources.ts';
import { liveSetting, theOnly, tools } from '../answers.ts';

function effects(before: JsonObject, after: JsonObject): readonly RiskAssessment[] {
  const desired = theOnly(keyRotationSchedule.declare({ key_rotation_schedule: after }, tools).resources);
  const object = liveSetting(before);
  const fields = differencesOf(keyRotationSchedule, desired, object, 0);
  return keyRotationSchedule.assessRisk({ action: 'update', desired, live: object, fields });
}

function said(assessments: readonly RiskAssessment[]): readonly string[] {
  return assessments.flatMap(({ reasons }) => reasons.map(({ effect, text }) => `${effect} ${text}`));
}

/** A schedule in a word: `30d` is every 30 days, `on` one that does not say how often. */
function scheduleOf(word: string): JsonObject {
  if (word === 'off') return { enabled: false };
  if (word === 'on') return { enabled: true, hour: 3 };
  const [, frequency, unit = ''] = /^(\d+)([dm])$/.exec(word) ?? [];
  return { enabled: true, frequency: Number(frequency), unit, hour: 3 };
}

describe('how often the key is rotated', () => {
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

describe('the next rotation', () => {
  const soon = { ...scheduleOf('1d'), next_rotation: Date.UTC(2030, 0, 1) };
  const late = { ...scheduleOf('1d'), next_rotation: Date.UTC(2099, 0, 1) };

  test('is told as a date, where there is one', () => {
    expect(said(effects(soon, late))).toEqual([
      'loosens the static key stays in use for longer, until 2099-01-01T00:00:00.000Z instead of 2030-01-01T00:00:00.000Z',
    ]);
    const endless = { ...scheduleOf('1d'), next_rotation: Number.MAX_SAFE_INTEGER };
    expect(said(effects(endless, soon))).toEqual([
      'tightens the static key is replaced earlier, at 2030-01-01T00:00:00.000Z instead of 9007199254740991',
    ]);
  });
});
