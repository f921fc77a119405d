import { expect, test } from 'vitest';
import { emulatedStaticKey } from '../../../src/emulator/kinds/static-key.ts';
import type { Json } from '../../../src/model/json.ts';
import { account, start, v2, v3, v4 } from '../independent-client.ts';

const { owner } = account;
const status = '/drm/use-static-encryption-key';
const slicers = '/drm/static-key-slicer-ids';

test('speaks as v3', () => {
  expect(emulatedStaticKey.routes.map(({ method, path, apiVersion }) => `${apiVersion} ${method} ${path}`)).toEqual([
    'v3 GET /api/v3/drm/use-static-encryption-key',
    'v3 POST /api/v3/drm/use-static-encryption-key/update',
    'v3 GET /api/v3/drm/static-key-slicer-ids',
    'v3 POST /api/v3/drm/static-key-slicer-ids/update',
  ]);
});

test('starts with false and null', async () => {
  const emulator = await start();
  expect((await v3(emulator, 'GET', status)).json).toEqual({ use_static_encryption_key: false, owner, error: 0 });
  expect((await v3(emulator, 'GET', slicers)).json).toEqual({ static_key_slicer_ids: null, owner, error: 0 });
});

test('slicers that were never set may be an empty list', async () => {
  const emulator = await start({ quirks: { unsetSlicers: 'empty' } });
  expect((await v3(emulator, 'GET', slicers)).json.static_key_slicer_ids).toEqual([]);
});

test('each setting is updated for itself, and answers as it reads', async () => {
  const emulator = await start();
  const turned = await v3(emulator, 'POST', `${status}/update`, { use_static_encryption_key: true });
  expect(turned.json).toEqual({ use_static_encryption_key: true, owner, error: 0 });
  const listed = await v3(emulator, 'POST', `${slicers}/update`, { static_key_slicer_ids: ['b', 'a', 'b'] });
  expect(listed.json).toEqual({ static_key_slicer_ids: ['b', 'a'], owner, error: 0 });
  expect((await v3(emulator, 'GET', status)).json).toEqual(turned.json);
  expect((await v3(emulator, 'GET', slicers)).json).toEqual(listed.json);
});

test('an emptied list stays an empty list, not null', async () => {
  const emulator = await start({ seed: { 'static-key': { static_key_slicer_ids: ['a'] } } });
  await v3(emulator, 'POST', `${slicers}/update`, { static_key_slicer_ids: [] });
  expect((await v3(emulator, 'GET', slicers)).json.static_key_slicer_ids).toEqual([]);
});

test.each([
  [status, { use_static_encryption_key: 1 }],
  [status, undefined],
  [slicers, { static_key_slicer_ids: null }],
  [slicers, { static_key_slicer_ids: ['a', 2] }],
])('%s/update refuses %j', async (path, item) => {
  const { json } = await v3(await start(), 'POST', `${path}/update`, item);
  expect(json.error).toBe(1);
  expect(json.msg).toMatch(/must be a (boolean|list of strings)/);
});

test.each([
  [{}, { use_static_encryption_key: false, static_key_slicer_ids: null }],
  [{ static_key_slicer_ids: ['b', 'a', 'b'] }, { use_static_encryption_key: false, static_key_slicer_ids: ['b', 'a'] }],
  [{ use_static_encryption_key: true }, { use_static_encryption_key: true, static_key_slicer_ids: null }],
])('the seed %j sets what it names', async (seed, dump) => {
  expect((await start({ seed: { 'static-key': seed } })).dump()).toMatchObject({ [owner]: { 'static-key': dump } });
});

test('a dump can be seeded again', async () => {
  const seed = { 'static-key': { use_static_encryption_key: true, static_key_slicer_ids: null } };
  const emulator = await start({ seed });
  expect(emulator.dump()).toMatchObject({ [owner]: seed });
  expect((await start({ seed: emulator.dump() })).dump()).toEqual(emulator.dump());
  await expect(start({ seed: { 'static-key': [] } })).rejects.toThrow('must be an object');
});

test('live slicers are those that the seed names; without such, those that the static key names', async () => {
  const asking = async (seed: Json) => {
    const emulator = await start({ seed: { 'static-key': seed } });
    const { slicers } = (await v2(emulator, '/slicer/status', { slicer_ids: ['a', 'b'] })).json;
    const { items } = (await v4(emulator, 'GET', '/ingest/cloud-slicers/live/slicers')).json;
    return { slicers, items, dump: emulator.dump() };
  };
  const unset = { use_static_encryption_key: false, static_key_slicer_ids: null };
  const listed = (id: string) => ({ '@id': `/api/v4/ingest/cloud-slicers/live/slicers/${id}`, '@type': 'LiveSlicer', id });
  expect(await asking({ live_slicers: ['b', { id: 'c', desc: 'C' }] })).toEqual({
    slicers: [{ id: 'b', slicer_id: 'b' }],
    items: [listed('b'), { ...listed('c'), desc: 'C' }],
    dump: { [owner]: expect.objectContaining({ 'static-key': { ...unset, live_slicers: [{ id: 'b' }, { id: 'c', desc: 'C' }] } }) },
  });
  expect(await asking({ static_key_slicer_ids: ['a'] })).toEqual({
    slicers: [{ id: 'a', slicer_id: 'a' }],
    items: [listed('a')],
    dump: { [owner]: expect.objectContaining({ 'static-key': { ...unset, static_key_slicer_ids: ['a'] } }) },
  });
  expect(await asking({})).toMatchObject({ slicers: [], items: [], dump: { [owner]: { 'static-key': unset } } });
});
