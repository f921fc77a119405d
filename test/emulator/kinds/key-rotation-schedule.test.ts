import { expect, test } from 'vitest';
import { account, start, v3 } from '../independent-client.ts';

const path = '/drm/key-rotation-schedule';
const update = `${path}/create-or-update`;
const schedule = (json: { readonly [member: string]: unknown }) => json.key_rotation_schedule;

/** Starts an emulator at a time that the test controls. Signatures have the current time, so any timestamp is accepted. */
function at(time: string, options = {}) {
  const clock = { now: Date.parse(time) };
  return { clock, started: start({ now: () => clock.now, timestampToleranceSeconds: 1e9, ...options }) };
}

test.each([
  ['null', { key_rotation_schedule: null }],
  ['absent', {}],
  ['empty', { key_rotation_schedule: {} }],
] as const)('a schedule that was never set may be %s', async (unsetSchedule, members) => {
  const { json } = await v3(await start({ quirks: { unsetSchedule } }), 'GET', path);
  expect(json).toEqual({ owner: account.owner, ...members, error: 0 });
});

test('an update stores what is sent and adds the members that the service sets', async () => {
  const { started, clock } = at('2026-03-10T12:00:00Z');
  const emulator = await started;
  const { json } = await v3(emulator, 'POST', update, { enabled: true, frequency: '2', unit: 'd', hour: 20 });
  expect(schedule(json)).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{32}$/),
    created: clock.now,
    lastmod: clock.now,
    last_rotation: null,
    last_err: null,
    err_count: 0,
    err_msg: '',
    enabled: true,
    frequency: 2,
    unit: 'd',
    hour: 20,
    next_rotation: Date.parse('2026-03-12T20:00:00Z'),
  });
  expect((await v3(emulator, 'GET', path)).json).toEqual(json);
});

test('next_rotation keeps its value until it has passed, and then the service advances it', async () => {
  const { started, clock } = at('2026-03-10T12:00:00Z');
  const emulator = await started;
  const next = Date.parse('2026-03-11T06:00:00Z');
  await v3(emulator, 'POST', update, { enabled: true, frequency: 1, unit: 'd', hour: 6, next_rotation: next });
  expect(schedule((await v3(emulator, 'GET', path)).json)).toMatchObject({ next_rotation: next, last_rotation: null });
  clock.now = Date.parse('2026-03-13T07:00:00Z');
  const later = { next_rotation: Date.parse('2026-03-14T06:00:00Z'), last_rotation: Date.parse('2026-03-13T06:00:00Z') };
  expect(schedule((await v3(emulator, 'GET', path)).json)).toMatchObject(later);
});

test('a month without the day of the schedule rotates on its last day', async () => {
  const emulator = await at('2027-01-31T12:00:00Z').started;
  const { json } = await v3(emulator, 'POST', update, { enabled: true, frequency: 1, unit: 'm', hour: 3 });
  expect(schedule(json)).toMatchObject({ next_rotation: Date.parse('2027-02-28T03:00:00Z') });
});

test('a schedule that does not rotate has no next_rotation, and keeps one that is set', async () => {
  const { started, clock } = at('2026-03-10T12:00:00Z');
  const emulator = await started;
  const { json } = await v3(emulator, 'POST', update, { enabled: false, frequency: 1, unit: 'd', hour: 1 });
  expect(schedule(json)).not.toHaveProperty('next_rotation');
  const due = await v3(emulator, 'POST', update, { next_rotation: clock.now - 1 });
  expect(schedule(due.json)).toMatchObject({ next_rotation: clock.now - 1, last_rotation: null, frequency: 1 });
});

test('an update keeps created and the members that it omits', async () => {
  const { started, clock } = at('2026-03-10T12:00:00Z');
  const emulator = await started;
  const created = clock.now;
  const first = await v3(emulator, 'POST', update, { enabled: true, frequency: 3, unit: 'd', hour: 1 });
  clock.now += 1000;
  const second = await v3(emulator, 'POST', update, { hour: 2 });
  expect(schedule(second.json)).toMatchObject({ enabled: true, frequency: 3, hour: 2, created, lastmod: created + 1000 });
  expect(schedule(first.json)).toMatchObject({ hour: 1 });
});

test.each([
  ['hour', 24],
  ['hour', -1],
  ['unit', 'w'],
  ['frequency', 0],
  ['enabled', 'yes'],
  ['next_rotation', -5],
])('an update rejects %s %j', async (member, value) => {
  const emulator = await start();
  const { json } = await v3(emulator, 'POST', update, { enabled: true, [member]: value });
  expect(json).toEqual({ error: 1, msg: `${member} has a value that is not allowed` });
  expect(schedule((await v3(emulator, 'GET', path)).json)).toBeNull();
});

test('a seed may contain rotation errors or be null, and is rejected otherwise', async () => {
  const failing = { enabled: true, frequency: 1, unit: 'd', hour: 1, next_rotation: 4e12, err_count: 3, err_msg: 'no contact' };
  const emulator = await start({ seed: { 'key-rotation-schedule': failing } });
  expect(schedule((await v3(emulator, 'GET', path)).json)).toMatchObject(failing);
  expect((await start({ seed: emulator.dump() })).dump()).toMatchObject({ [account.owner]: { 'key-rotation-schedule': failing } });
  expect((await start({ seed: { 'key-rotation-schedule': null } })).dump()).toMatchObject({
    [account.owner]: { 'key-rotation-schedule': null },
  });
  await expect(start({ seed: { 'key-rotation-schedule': 5 } })).rejects.toThrow('must be an object or null');
});

test('an update rejects an item that is no dictionary', async () => {
  expect((await v3(await start(), 'POST', update, [])).json.msg).toBe('the schedule must be a dictionary');
});

test('the frequency has no upper limit', async () => {
  const emulator = await start();
  for (const frequency of [2000, Number.MAX_SAFE_INTEGER]) {
    const { json } = await v3(emulator, 'POST', update, { enabled: true, frequency, unit: 'd', hour: 3 });
    expect(json).toMatchObject({ error: 0, key_rotation_schedule: { frequency } });
  }
});
