import { expect, test } from 'vitest';
import type { Json } from '../../../src/core/model/json.ts';
import { emulatedStaticKey } from '../../../src/emulator/kinds/static-key.ts';
import { account, start, v2, v3, v4 } from '../independent-client.ts';

const { owner } = account;
const status = '/drm/use-static-encryption-key';
const slicers = '/drm/static-key-slicer-ids';

test('the static key has four v3 endpoints', () => {
  expect(emulatedStaticKey.routes.map(({ method, path, apiVersion }) => `${apiVersion} ${method} ${path}`)).toEqual([
    'v3 GET /api/v3/drm/use-static-encryption-key',
    'v3 POST /api/v3/drm/use-static-encryption-key/update',
    'v3 GET /api/v3/drm/static-key-slicer-ids',
    'v3 POST /api/v3/drm/static-key-slicer-ids/update',
  ]);
});

test('the settings are false and null at first', async () => {
  const emulator = await start();
  expect((await v3(emulator, 'GET', status)).json).toEqual({ use_static_encryption_key: false, owner, error: 0 });
  expect((await v3(emulator, 'GET', slicers)).json).toEqual({ static_key_slicer_ids: null, owner, error: 0 });
});

test('slicers that were never set may be an empty list', async () => {
  const emulator = await start({ quirks: { unsetSlicers: 'empty' } });
  expect((await v3(emulator, 'GET', slicers)).json.static_key_slicer_ids).toEqual([]);
});

test('each setting is updated separately, and an update returns what a read returns', async () => {
  const emulator = await start();
  const statusUpdate = await v3(emulator, 'POST', `${status}/update`, { use_static_encryption_key: true });
  expect(statusUpdate.json).toEqual({ use_static_encryption_key: true, owner, error: 0 });
  const slicersUpdate = await v3(emulator, 'POST', `${slicers}/update`, { static_key_slicer_ids: ['b', 'a', 'b'] });
  expect(slicersUpdate.json).toEqual({ static_key_slicer_ids: ['b', 'a'], owner, error: 0 });
  expect((await v3(emulator, 'GET', status)).json).toEqual(statusUpdate.json);
  expect((await v3(emulator, 'GET', slicers)).json).toEqual(slicersUpdate.json);
});

test('slicers that are set to an empty list are read as an empty list, not null', async () => {
  const emulator = await start({ seed: { 'static-key': { static_key_slicer_ids: ['a'] } } });
  await v3(emulator, 'POST', `${slicers}/update`, { static_key_slicer_ids: [] });
  expect((await v3(emulator, 'GET', slicers)).json.static_key_slicer_ids).toEqual([]);
});

test.each([
  [status, { use_static_encryption_key: 1 }],
  [status, undefined],
  [slicers, { static_key_slicer_ids: null }],
  [slicers, { static_key_slicer_ids: ['a', 2] }],
])('%s/update rejects %j', async (path, item) => {
  const { json } = await v3(await start(), 'POST', `${path}/update`, item);
  expect(json.error).toBe(1);
  expect(json.msg).toMatch(/must be a (boolean|list of strings)/);
});

test.each([
  [{}, { use_static_encryption_key: false, static_key_slicer_ids: null }],
  [{ static_key_slicer_ids: ['b', 'a', 'b'] }, { use_static_encryption_key: false, static_key_slicer_ids: ['b', 'a'] }],
  [{ use_static_encryption_key: true }, { use_static_encryption_key: true, static_key_slicer_ids: null }],
])('the seed %j sets only its members', async (seed, dump) => {
  expect((await start({ seed: { 'static-key': seed } })).dump()).toMatchObject({ [owner]: { 'static-key': dump } });
});

test('a dump of the static key can be loaded as a seed', async () => {
  const seed = { 'static-key': { use_static_encryption_key: true, static_key_slicer_ids: null } };
  const emulator = await start({ seed });
  expect(emulator.dump()).toMatchObject({ [owner]: seed });
  expect((await start({ seed: emulator.dump() })).dump()).toEqual(emulator.dump());
  await expect(start({ seed: { 'static-key': [] } })).rejects.toThrow('must be an object');
});

test('the live slicers are those of the seed, or else those that use the static key', async () => {
  const lookup = async (seed: Json) => {
    const emulator = await start({ seed: { 'static-key': seed } });
    const { slicers } = (await v2(emulator, '/slicer/status', { slicer_ids: ['a', 'b'] })).json;
    const { items } = (await v4(emulator, 'GET', '/ingest/cloud-slicers/live/slicers')).json;
    return { slicers, items, dump: emulator.dump() };
  };
  const unset = { use_static_encryption_key: false, static_key_slicer_ids: null };
  const listItem = (id: string) => ({ '@id': `/api/v4/ingest/cloud-slicers/live/slicers/${id}`, '@type': 'LiveSlicer', id });
  expect(await lookup({ live_slicers: ['b', { id: 'c', desc: 'C' }] })).toEqual({
    slicers: [{ id: 'b', slicer_id: 'b' }],
    items: [listItem('b'), { ...listItem('c'), desc: 'C' }],
    dump: { [owner]: expect.objectContaining({ 'static-key': { ...unset, live_slicers: [{ id: 'b' }, { id: 'c', desc: 'C' }] } }) },
  });
  expect(await lookup({ static_key_slicer_ids: ['a'] })).toEqual({
    slicers: [{ id: 'a', slicer_id: 'a' }],
    items: [listItem('a')],
    dump: { [owner]: expect.objectContaining({ 'static-key': { ...unset, static_key_slicer_ids: ['a'] } }) },
  });
  expect(await lookup({})).toMatchObject({ slicers: [], items: [], dump: { [owner]: { 'static-key': unset } } });
});
