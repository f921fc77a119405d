/** What the account at a glance shows of the rotation schedule. */
import { expect, test } from 'vitest';
import { keyRotationScheduleViews } from '../../../../src/core/kinds/key-rotation-schedule/views.ts';

const NOW = Date.parse('2027-01-10T00:00:00Z');
const OFF = { style: 'quiet', text: 'The static key is not rotated.' };
const good = (text: string) => ({ style: 'good', text });

test.each([
  [{ enabled: false }, OFF],
  [{ enabled: true, frequency: 1, unit: 'm', hour: 3 }, good('The static key is rotated every month at 03:00 UTC.')],
  [
    { enabled: true, frequency: 14, unit: 'd', hour: 0, next_rotation: Date.parse('2027-01-15T00:00:00Z') },
    good('The static key is rotated every 14 days at 00:00 UTC, next at 2027-01-15T00:00Z.'),
  ],
  [
    { enabled: null, hour: 3 },
    { style: 'warning', text: 'It is not known whether the static key is rotated: `enabled` is not shown.' },
  ],
  [
    { enabled: true, frequency: 7, unit: 'd', hour: 3, next_rotation: Date.parse('2027-01-08T03:00:00Z') },
    { style: 'alarm', text: 'Overdue since 2027-01-08T03:00Z: the static key is to be rotated every 7 days at 03:00 UTC.' },
  ],
  [{ enabled: false, next_rotation: Date.parse('2027-01-08T03:00:00Z') }, OFF],
  [{ enabled: true, frequency: 2, unit: 'y' }, good('The static key is rotated every 2 `"y"`s.')],
])('the rotation %j is one sentence', (fields, summary) => {
  const expected = { type: 'setting', title: 'Key rotation', summary, members: [] };
  expect(keyRotationScheduleViews.overview([{ id: null, fields, unknownMembers: [] }], NOW)).toEqual(expected);
});

test('a schedule that was never set does not rotate', () => {
  expect(keyRotationScheduleViews.overview([], NOW)).toMatchObject({ summary: OFF });
});
