import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyRotationSchedule as rotation } from '../../../../src/core/kinds/key-rotation-schedule/index.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { settableCodes } from '../../../support/finding-codes.ts';
import { assertAsyncProperty } from '../../../support/property.ts';
import { declareServices, expectMalformed, fakeService, liveSetting, onlyItem, requestOptions } from '../fixtures.ts';

const GET = 'GET /api/v3/drm/key-rotation-schedule';
const NOW = 1_800_000_000_000;
const daily = { enabled: true, frequency: 1, unit: 'd', hour: 20 };

function declare(key_rotation_schedule: JsonObject) {
  return rotation.declare({ key_rotation_schedule }, declareServices);
}

function desired(schedule: JsonObject) {
  return onlyItem(declare(schedule).resources);
}

async function read(body: unknown) {
  return rotation.read(fakeService({ [GET]: body }).service);
}

describe('declaring a rotation schedule', () => {
  test('gives one resource with the fields as written', () => {
    expect(declare(daily).findings).toEqual([]);
    expect(desired(daily)).toMatchObject({
      address: 'key-rotation-schedule',
      fields: daily,
      declaredFields: daily,
      matchKeys: [],
      mayMatchByBinding: false,
      path: ['key_rotation_schedule'],
    });
    expect(rotation.declare({}, declareServices).resources).toEqual([]);
  });

  test.each([{}, { enabled: false }, { enabled: false, hour: 3 }])(
    'accepts %j, which is switched off and needs no other field',
    (schedule) => {
      expect(declare(schedule).findings).toEqual([]);
      expect(desired(schedule).fields).toEqual({ ...schedule, enabled: false });
    },
  );

  test.each([
    ['enabled', 'the schedule does not say enabled, and is off without it'],
    ['frequency', 'the schedule needs frequency, which has no default'],
    ['unit', 'the schedule needs unit, which has no default'],
    ['hour', 'the schedule needs hour, which has no default'],
  ])('requires %s when rotation is on', (field, summary) => {
    const { [field]: _left, ...rest }: JsonObject = daily;
    expect(onlyItem(declare(rest).findings)).toMatchObject({
      severity: 'error',
      code: 'rotation-incomplete',
      path: ['key_rotation_schedule'],
      address: 'key-rotation-schedule',
      summary,
      hint: 'write enabled: true with frequency, unit and hour; or enabled: false',
    });
  });

  test('rejects a time in seconds, as it has to be in milliseconds', () => {
    expect(onlyItem(declare({ ...daily, next_rotation: 1_800_000_000 }).findings)).toMatchObject({
      severity: 'warning',
      code: 'next-rotation-in-seconds',
      path: ['key_rotation_schedule', 'next_rotation'],
      address: 'key-rotation-schedule',
      summary: 'next_rotation: 1800000000 lies in the past, and looks like a time in seconds',
      hint: 'it is a Unix time in milliseconds: 1800000000000',
    });
    expect(declare({ ...daily, next_rotation: NOW }).findings).toEqual([]);
    expect(declare({ ...daily, next_rotation: 0 }).findings).toEqual([]);
  });
});

describe('comparing rotation schedules', () => {
  const object = liveSetting({ ...daily, hour: 4, next_rotation: NOW + 5 });

  test('covers the declared fields only', () => {
    expect(rotation.toComparable?.(desired({ enabled: false }), object, NOW)).toEqual({
      before: { enabled: true },
      after: { enabled: false },
    });
    expect(rotation.toComparable?.(desired(daily), object, NOW)).toEqual({ before: { ...daily, hour: 4 }, after: daily });
  });

  test('shows fields that the account lacks as null', () => {
    const never = { enabled: false, frequency: null, unit: null, hour: null };
    expect(rotation.toComparable?.(desired(daily), liveSetting({ enabled: false }), NOW)).toEqual({ before: never, after: daily });
  });

  test.each([
    [1, { next_rotation: NOW + 5 }, { next_rotation: NOW + 1 }],
    [0, {}, {}],
    [-1, {}, {}],
  ])('and sending them depend on a next_rotation %i ms from now', (distance, before, after) => {
    const resource = desired({ ...daily, next_rotation: NOW + distance });
    expect(rotation.toComparable?.(resource, object, NOW)).toEqual({
      before: { ...daily, hour: 4, ...before },
      after: { ...daily, ...after },
    });
    const write = onlyItem(rotation.requests({ desired: resource, live: object }, requestOptions, NOW));
    expect(write.body).toEqual({ ...daily, ...after });
  });
});

describe('the rotation schedule of the service', () => {
  test.each([{ error: 0 }, { key_rotation_schedule: null }, { key_rotation_schedule: {} }, { key_rotation_schedule: { enabled: null } }])(
    'is unset where the response is %j',
    async (body) => {
      const { objects, warnings } = await read(body);
      expect(onlyItem(objects)).toEqual(liveSetting({ enabled: false }));
      expect(warnings).toEqual([]);
    },
  );

  test('is read without the members that belong to the service', async () => {
    const serviceFields = { _id: '1', created: 1, lastmod: 2, last_rotation: 3, last_err: null, err_count: 0, err_msg: '' };
    const { objects, owner } = await read({ owner: 'me', key_rotation_schedule: { ...daily, ...serviceFields, next_rotation: NOW } });
    expect(onlyItem(objects)).toEqual(liveSetting({ ...daily, next_rotation: NOW }));
    expect(owner).toBe('me');
  });

  test('keeps the members that no document names apart, as an update may reset them', async () => {
    const { objects } = await read({ key_rotation_schedule: { ...daily, later: { on: [1] }, nothing: null, '@type': 'Schedule' } });
    expect(onlyItem(objects)).toEqual({ ...liveSetting(daily), unknownMembers: [{ path: '/later', value: { on: [1] } }] });
  });

  test.each([
    [{ every: 'day', on: true }, {}],
    [
      { enabled: null, frequency: 3, unit: 'd', hour: 4 },
      { frequency: 3, unit: 'd', hour: 4 },
    ],
    [{ _id: '1', created: 1 }, {}],
  ])('is not taken for off where it does not say whether it is on: %j', async (schedule, known) => {
    const [live] = (await read({ key_rotation_schedule: schedule })).objects;
    expect(live?.fields).toEqual({ enabled: null, ...known });
  });

  test('may have numbers as strings', async () => {
    const schedule = fc.record({ frequency: fc.nat(), hour: fc.nat(23), next_rotation: fc.nat({ max: Number.MAX_SAFE_INTEGER }) });
    await assertAsyncProperty(
      fc.asyncProperty(schedule, async (numbers) => {
        const texts = Object.fromEntries(Object.entries(numbers).map(([member, value]) => [member, String(value)]));
        const [one, other] = await Promise.all([read({ key_rotation_schedule: numbers }), read({ key_rotation_schedule: texts })]);
        expect(one).toEqual(other);
        expect(onlyItem(one.objects).fields).toEqual({ enabled: null, ...numbers });
      }),
    );
  });

  test.each([
    [undefined, 'its key_rotation_schedule is not an object'],
    ['text', 'its key_rotation_schedule is not an object'],
    [{ key_rotation_schedule: [] }, 'its key_rotation_schedule is not an object'],
    [{ key_rotation_schedule: 'daily' }, 'its key_rotation_schedule is not an object'],
    [{ key_rotation_schedule: { enabled: 1 } }, 'key_rotation_schedule/enabled has another type than documented'],
    [{ key_rotation_schedule: { frequency: 1.5 } }, 'key_rotation_schedule/frequency has another type than documented'],
    [{ key_rotation_schedule: { unit: 1 } }, 'key_rotation_schedule/unit has another type than documented'],
    [{ key_rotation_schedule: { hour: {} } }, 'key_rotation_schedule/hour has another type than documented'],
    [{ key_rotation_schedule: { next_rotation: 'soon' } }, 'key_rotation_schedule/next_rotation has another type than documented'],
  ])('cannot be read from %j', async (body, message) => {
    await expectMalformed(read(body), message);
  });

  test('adds a warning about failing rotations with the text of the service, shortened', async () => {
    const { warnings } = await read({ key_rotation_schedule: { ...daily, err_count: '2', err_msg: `no key${'!'.repeat(900)}` } });
    const note = onlyItem(warnings);
    const hint = 'ask the vendor, or save the schedule again';
    expect(note).toMatchObject({ code: 'rotation-failing', address: 'key-rotation-schedule', hint });
    expect(note.summary).toBe(`key rotation is failing: 2 errors, the service says: no key${'!'.repeat(494)}`);
    const [wordless] = (await read({ key_rotation_schedule: { ...daily, err_count: 1, err_msg: 7 } })).warnings;
    expect(wordless?.summary).toBe('key rotation is failing: 1 error');
  });

  test.each(['many', {}, 1.5])('is read also where the count of failed rotations is %j, with a warning', async (err_count) => {
    const { objects, warnings } = await read({ key_rotation_schedule: { ...daily, err_count, err_msg: 'no key' } });
    expect(onlyItem(objects)).toEqual(liveSetting(daily));
    expect(onlyItem(warnings).summary).toBe('key rotation may be failing: `err_count` is no number, the service says: no key');
  });

  test.each<[JsonObject, boolean]>([
    [{ ...daily, next_rotation: NOW - 1 }, true],
    [{ ...daily, next_rotation: NOW }, false],
    [{ ...daily, next_rotation: NOW + 1 }, false],
    [{ ...daily, enabled: false, next_rotation: NOW - 1 }, false],
    [{ ...daily, next_rotation: 0 }, false],
    [{ ...daily, next_rotation: NOW / 1000 }, false],
    [daily, false],
  ])('is overdue where it is on and its next rotation is in the past: %j', (fields, isOverdue) => {
    const warnings = rotation.timeWarnings?.([liveSetting(fields)], NOW) ?? [];
    expect(warnings.map(({ code, summary }) => [code, summary])).toEqual(
      isOverdue
        ? [
            [
              'rotation-overdue',
              'key rotation is overdue: the static key was to be rotated at 2027-01-15T07:59:59.999Z, and the schedule still says so',
            ],
          ]
        : [],
    );
  });

  test('is written with all declared fields, and a response without a schedule is accepted', () => {
    const plan = { desired: desired({}), live: liveSetting(daily) };
    const write = onlyItem(rotation.requests(plan, requestOptions, NOW));
    const path = '/api/v3/drm/key-rotation-schedule/create-or-update';
    expect(write).toEqual({ method: 'POST', path, body: { enabled: false }, repeatable: true });
    expect(rotation.parseWriteResponse(plan, write, { error: 0 })).toEqual({ state: 'done' });
    expect(rotation.parseWriteResponse(plan, write, { key_rotation_schedule: null })).toEqual({ state: 'done' });
    expect(rotation.parseWriteResponse(plan, write, { key_rotation_schedule: { ...daily, enabled: false } })).toEqual({ state: 'done' });
    expect(rotation.parseWriteResponse(plan, write, { key_rotation_schedule: {} })).toEqual({ state: 'done' });
    for (const body of [undefined, { key_rotation_schedule: 'daily' }, { key_rotation_schedule: { enabled: 1 } }])
      expect(() => rotation.parseWriteResponse(plan, write, body)).toThrow(
        expect.objectContaining({ category: 'malformed', mayHaveWritten: 'maybe' }),
      );
    expect(rotation.requests({ desired: null, live: liveSetting({}) }, requestOptions, NOW)).toEqual([]);
  });

  test.each<[JsonObject, string]>([
    [{ ...daily, enabled: false }, '/enabled reads false in the answer, not true'],
    [{ ...daily, enabled: null }, '/enabled reads null in the answer, not true'],
    [{}, '/enabled reads false in the answer, not true'],
    [{ ...daily, frequency: '2' }, '/frequency reads 2 in the answer, not 1'],
    [{ ...daily, hour: null }, '/hour reads nothing in the answer, not 20'],
    [{ ...daily, unit: 'm' }, '/unit reads "m" in the answer, not "d"'],
  ])('fails the change where the response shows %j', (returned, words) => {
    const plan = { desired: desired(daily), live: liveSetting({ enabled: false }) };
    const write = onlyItem(rotation.requests(plan, requestOptions, NOW));
    const result = rotation.parseWriteResponse(plan, write, { key_rotation_schedule: returned });
    expect(result).toEqual({ state: 'failed', reason: expect.stringContaining(words) });
  });

  test('is not compared by next_rotation in the response, as the service moves that time by itself', () => {
    const plan = { desired: desired({ ...daily, next_rotation: NOW + 5 }), live: liveSetting({ enabled: false }) };
    const write = onlyItem(rotation.requests(plan, requestOptions, NOW));
    for (const next_rotation of [NOW + 5, NOW + 86_400_000, null]) {
      const returned = { ...daily, frequency: '1', next_rotation, err_count: 3, later: true };
      expect(rotation.parseWriteResponse(plan, write, { key_rotation_schedule: returned })).toEqual({ state: 'done' });
    }
  });

  test.each([{ ...daily, next_rotation: NOW + 5 }, { enabled: false }])('%j is exported so that a plan has no difference', (fields) => {
    const object = liveSetting(fields);
    const { entries, notDeclarable } = rotation.toConfig([object]);
    const { value, key, section } = onlyItem(entries);
    expect([section, key, notDeclarable]).toEqual(['key_rotation_schedule', null, []]);
    expect(value).not.toHaveProperty('next_rotation');
    const { resources, findings } = rotation.declare({ key_rotation_schedule: value }, declareServices);
    const sides = rotation.toComparable?.(onlyItem(resources), object, NOW);
    expect(findings).toEqual([]);
    expect(sides?.after).toEqual(sides?.before);
  });
});

test('a rotation schedule always exists, and the phase of its change follows from the effect', () => {
  expect((['strengthens', 'neutral', 'weakens'] as const).map((effect) => rotation.phase('update', effect))).toEqual([
    'strengthen',
    'update',
    'weaken',
  ]);
  expect(rotation.idAddress(liveSetting({}))).toBe('key-rotation-schedule');
  expect(rotation.defaults()).toEqual({ enabled: false });
  expect(rotation.type).toBe('setting');
  expect(rotation.sections).toEqual([{ key: 'key_rotation_schedule', addressPrefix: 'key-rotation-schedule' }]);
  expect(settableCodes(rotation.findingCodes)).toEqual(['next-rotation-in-seconds', 'rotation-failing', 'rotation-overdue']);
});
