/** What the truth tables of the schedule do not cover: the field and the text of each risk. */
import { describe, expect, test } from 'vitest';
import { keyRotationSchedule } from '../../../../src/core/kinds/key-rotation-schedule/index.ts';
import type { RiskAssessment } from '../../../../src/core/model/change.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { differencesOf } from '../../../../src/core/plan/diff-resources.ts';
import { declareServices, liveSetting, onlyItem } from '../fixtures.ts';

function riskOf(before: JsonObject, after: JsonObject): readonly RiskAssessment[] {
  const desired = onlyItem(keyRotationSchedule.declare({ key_rotation_schedule: after }, declareServices).resources);
  const object = liveSetting(before);
  const fields = differencesOf(keyRotationSchedule, desired, object, 0);
  return keyRotationSchedule.assessRisk({ action: 'update', after: desired, before: object, fields });
}

function formatReasons(assessments: readonly RiskAssessment[]): readonly string[] {
  return assessments.flatMap(({ reasons }) => reasons.map(({ effect, text }) => `${effect} ${text}`));
}

/** A schedule as a short name: `30d` is every 30 days, `on` one without a frequency. */
function scheduleOf(word: string): JsonObject {
  if (word === 'off') return { enabled: false };
  if (word === 'on') return { enabled: true, hour: 3 };
  const [, frequency, unit = ''] = /^(\d+)([dm])$/.exec(word) ?? [];
  return { enabled: true, frequency: Number(frequency), unit, hour: 3 };
}

describe('the risk of a changed rotation frequency', () => {
  test.each([
    ['off', '1d', 'strengthens the static key will be rotated every day'],
    ['7d', 'off', 'weakens the static key will be rotated no longer (now every 7 days)'],
    ['1d', '1m', 'weakens the static key will be rotated every month instead of every day'],
    ['3m', '2d', 'strengthens the static key will be rotated every 2 days instead of every 3 months'],
    [
      'on',
      '1d',
      'weakens the static key will be rotated every day instead of at unknown times: one of the schedules does not say how often',
    ],
  ])('from %s to %s has its reason in plain words', (before, after, words) => {
    expect(formatReasons(riskOf(scheduleOf(before), scheduleOf(after)))).toEqual([words]);
  });

  test('is rarer at times and more often at times where days are compared with months', () => {
    expect(formatReasons(riskOf(scheduleOf('30d'), scheduleOf('1m')))).toEqual([
      'weakens the static key will be rotated every month instead of every 30 days, which is rarer at times',
      'strengthens the static key will be rotated every month instead of every 30 days, which is more often at times',
    ]);
    expect(formatReasons(riskOf(scheduleOf('365d'), scheduleOf('12m')))).toEqual([
      'weakens the static key will be rotated every 12 months instead of every 365 days',
    ]);
  });

  test('is assessed once, at the first of its fields that differs', () => {
    expect(riskOf(scheduleOf('1d'), scheduleOf('2m')).map(({ effect }) => effect)).toEqual(['weakens', 'neutral']);
    expect(riskOf(scheduleOf('off'), scheduleOf('1d')).map(({ effect }) => effect)).toEqual([
      'strengthens',
      'neutral',
      'neutral',
      'neutral',
    ]);
  });
});

describe('the risk of a changed next rotation', () => {
  const in2030 = { ...scheduleOf('1d'), next_rotation: Date.UTC(2030, 0, 1) };
  const in2099 = { ...scheduleOf('1d'), next_rotation: Date.UTC(2099, 0, 1) };

  test('names the time as a date, where there is one', () => {
    expect(formatReasons(riskOf(in2030, in2099))).toEqual([
      'weakens the static key stays in use for longer, until 2099-01-01T00:00:00.000Z instead of 2030-01-01T00:00:00.000Z',
    ]);
    const endless = { ...scheduleOf('1d'), next_rotation: Number.MAX_SAFE_INTEGER };
    expect(formatReasons(riskOf(endless, in2030))).toEqual([
      'strengthens the static key is replaced earlier, at 2030-01-01T00:00:00.000Z instead of 9007199254740991',
    ]);
  });
});
