/** What the sources have to say of the schedule that is live. */
import { expect, test } from 'vitest';
import { keyRotationSchedule as rotation } from '../../../src/kinds/key-rotation-schedule/index.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { liveSetting, theOnly, tools } from '../answers.ts';

const daily = { enabled: true, frequency: 1, unit: 'd', hour: 20 };
const off = { enabled: false };
const NEXT = 1_800_000_000_000;

/** The fields to be stated, and their values. */
function stated(key_rotation_schedule: JsonObject, fields: JsonObject) {
  const desired = theOnly(rotation.declare({ key_rotation_schedule }, tools).resources);
  return rotation.configEdits?.(desired, liveSetting(fields), { key_rotation_schedule });
}

test.each<[string, JsonObject, JsonObject, readonly (readonly [field: string, value: unknown])[]]>([
  ['nothing where nothing differs', daily, daily, []],
  ['nothing but the field that differs', daily, { ...daily, hour: 4 }, [['hour', 4]]],
  ['nothing of a time that only the service wrote', daily, { ...daily, next_rotation: NEXT }, []],
  [
    'the time that the service moved, where one is written',
    { ...daily, next_rotation: 1 },
    { ...daily, next_rotation: NEXT },
    [['next_rotation', NEXT]],
  ],
  ['no time any more, where the account has none', { ...daily, next_rotation: 1 }, daily, [['next_rotation', undefined]]],
  ['a field that the account has no more', daily, { ...daily, unit: null }, [['unit', undefined]]],
  [
    'off, and what is written beside it as it was left',
    daily,
    off,
    [
      ['enabled', false],
      ['frequency', undefined],
      ['unit', undefined],
      ['hour', undefined],
    ],
  ],
  ['off alone, where the rest is the same', daily, { ...daily, enabled: false }, [['enabled', false]]],
  [
    'on, with all that this asks for',
    off,
    daily,
    [
      ['enabled', true],
      ['frequency', 1],
      ['unit', 'd'],
      ['hour', 20],
    ],
  ],
  [
    'on, with what is not yet written',
    { enabled: false, hour: 20, unit: 'm' },
    daily,
    [
      ['enabled', true],
      ['frequency', 1],
      ['unit', 'd'],
    ],
  ],
  ['nothing of the period of a schedule that stays off', {}, { ...daily, enabled: false }, []],
])('%s', (_name, declared, fields, statements) => {
  expect(stated(declared, fields)).toStrictEqual(statements.map(([field, value]) => ({ path: ['key_rotation_schedule', field], value })));
});

test.each([
  [100_000_000_000, []],
  [99_999_999_999, ['next_rotation: 99999999999 lies in the past, and looks like a time in seconds']],
  ['soon', []],
])('a next rotation at %j', (next_rotation, summaries) => {
  const { findings } = rotation.declare({ key_rotation_schedule: { ...daily, next_rotation } }, tools);
  expect(findings.map(({ summary }) => summary)).toEqual(summaries);
});

test('a section that is not there declares nothing, and says nothing wrong', () => {
  for (const sections of [{}, { key_rotation_schedule: null }])
    expect(rotation.declare(sections, tools)).toEqual({ resources: [], findings: [] });
});

test('a live schedule is exported whole but for the time that the service moves', () => {
  const object = liveSetting({ ...daily, next_rotation: NEXT });
  const entry = { section: 'key_rotation_schedule', key: null, value: daily, adopt: {}, objects: [object] };
  expect(rotation.toConfig([object])).toStrictEqual({ entries: [entry], notExportable: [] });
});
