import { expect, test } from 'vitest';
import { start, v3 } from '../independent-client.ts';

test('the VMP statuses are an empty list until they are set', async () => {
  const { status, json } = await v3(await start(), 'GET', '/drm/vmp-reject-statuses');
  expect([status, json]).toEqual([200, { vmp_reject_statuses: [], error: 0 }]);
});

test('an update replaces the VMP statuses, each once', async () => {
  const emulator = await start({ seed: { 'vmp-reject-statuses': ['PLATFORM_TAMPERED'] } });
  const updated = await v3(emulator, 'POST', '/drm/vmp-reject-statuses/update', { vmp_reject_statuses: ['B', 'A', 'B'] });
  expect(updated.json).toEqual({ vmp_reject_statuses: ['B', 'A'], error: 0 });
  expect((await v3(emulator, 'GET', '/drm/vmp-reject-statuses/')).json).toEqual(updated.json);
  expect(emulator.dump()).toMatchObject({ '0123456789abcdef0123456789abcdef': { 'vmp-reject-statuses': ['B', 'A'] } });
});

test('the VMP statuses may be sent in reverse order', async () => {
  const emulator = await start({ seed: { 'vmp-reject-statuses': ['A', 'B', 'C'] }, quirks: { listOrder: 'reversed' } });
  expect((await v3(emulator, 'GET', '/drm/vmp-reject-statuses')).json.vmp_reject_statuses).toEqual(['C', 'B', 'A']);
});

test.each([undefined, {}, { vmp_reject_statuses: null }, { vmp_reject_statuses: 'A' }, { vmp_reject_statuses: [1] }])(
  'an update rejects %j',
  async (item) => {
    const emulator = await start({ seed: { 'vmp-reject-statuses': ['A'] } });
    const { status, json } = await v3(emulator, 'POST', '/drm/vmp-reject-statuses/update', item);
    expect([status, json]).toEqual([200, { error: 1, msg: 'vmp_reject_statuses must be a list of strings' }]);
    expect((await v3(emulator, 'GET', '/drm/vmp-reject-statuses')).json.vmp_reject_statuses).toEqual(['A']);
  },
);

test('a seed of VMP statuses that is no list of strings is rejected', async () => {
  await expect(start({ seed: { 'vmp-reject-statuses': {} } })).rejects.toThrow('seed: vmp-reject-statuses: must be a list of strings');
});
