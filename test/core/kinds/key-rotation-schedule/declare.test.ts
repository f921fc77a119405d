/** The edits of the configuration that make it declare a live schedule. */
import { expect, test } from 'vitest';
import { keyRotationSchedule as rotation } from '../../../../src/core/kinds/key-rotation-schedule/index.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { declareServices, liveSetting, onlyItem } from '../fixtures.ts';

const daily = { enabled: true, frequency: 1, unit: 'd', hour: 20 };
const off = { enabled: false };
const NEXT = 1_800_000_000_000;

/** The fields to be stated, and their values. */
function configEditsOf(key_rotation_schedule: JsonObject, fields: JsonObject) {
  const desired = onlyItem(rotation.declare({ key_rotation_schedule }, declareServices).resources);
  return rotation.configEdits?.(desired, liveSetting(fields), { key_rotation_schedule });
}

test.each<[string, JsonObject, JsonObject, readonly (readonly [field: string, value: unknown])[]]>([
  ['nothing where nothing differs', daily, daily, []],
  ['nothing but the field that differs', daily, { ...daily, hour: 4 }, [['hour', 4]]],
  ['nothing where only the service wrote the time', daily, { ...daily, next_rotation: NEXT }, []],
  [
    'the time that the service moved, where one is written',
    { ...daily, next_rotation: 1 },
    { ...daily, next_rotation: NEXT },
    [['next_rotation', NEXT]],
  ],
  ['no time where the account has none', { ...daily, next_rotation: 1 }, daily, [['next_rotation', undefined]]],
  ['the removal of a field that the account no longer has', daily, { ...daily, unit: null }, [['unit', undefined]]],
  [
    '`enabled: false`, and the other fields as they are live',
    daily,
    off,
    [
      ['enabled', false],
      ['frequency', undefined],
      ['unit', undefined],
      ['hour', undefined],
    ],
  ],
  ['`enabled: false` alone, where the rest is equal', daily, { ...daily, enabled: false }, [['enabled', false]]],
  [
    '`enabled: true`, with all fields that this requires',
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
    '`enabled: true`, with the fields that are not yet written',
    { enabled: false, hour: 20, unit: 'm' },
    daily,
    [
      ['enabled', true],
      ['frequency', 1],
      ['unit', 'd'],
    ],
  ],
  ['no period for a schedule that stays off', {}, { ...daily, enabled: false }, []],
])('the edits of a rotation schedule write %s', (_name, declared, fields, statements) => {
  expect(configEditsOf(declared, fields)).toStrictEqual(
    statements.map(([field, value]) => ({ path: ['key_rotation_schedule', field], value })),
  );
});

test.each([
  [100_000_000_000, []],
  [99_999_999_999, ['next_rotation: 99999999999 lies in the past, and looks like a time in seconds']],
  ['soon', []],
])('a next rotation at %j has a warning where it looks like a time in seconds', (next_rotation, summaries) => {
  const { findings } = rotation.declare({ key_rotation_schedule: { ...daily, next_rotation } }, declareServices);
  expect(findings.map(({ summary }) => summary)).toEqual(summaries);
});

test('an absent section declares no rotation schedule and has no finding', () => {
  for (const sections of [{}, { key_rotation_schedule: null }])
    expect(rotation.declare(sections, declareServices)).toEqual({ resources: [], findings: [] });
});

test('a live rotation schedule is exported in full except for the time that the service moves', () => {
  const object = liveSetting({ ...daily, next_rotation: NEXT });
  const entry = { section: 'key_rotation_schedule', key: null, value: daily, adopt: {}, objects: [object] };
  expect(rotation.toConfig([object])).toStrictEqual({ entries: [entry], notDeclarable: [] });
});
