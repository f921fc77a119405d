import { expect, test } from 'vitest';
import { staticKey } from '../../../../src/core/kinds/static-key/index.ts';
import { slicerReferences } from '../../../../src/core/kinds/static-key/slicer-references.ts';
import type { Json } from '../../../../src/core/model/json.ts';
import { declareServices, expectMalformed, fakeService, onlyItem } from '../fixtures.ts';

function mentions(static_key: Json) {
  return staticKey.declare({ static_key }, declareServices).resources.flatMap((resource) => slicerReferences.referencesIn(resource));
}

function lookUp(response: Json) {
  const { service } = fakeService({ 'GET /api2/slicer/status': response });
  return onlyItem(slicerReferences.lookups(['studio-a', 'Studio-A'], 'v2')).findExisting(service);
}

test('references to slicers are located where they are written, whatever their order', () => {
  expect(mentions({ scope: 'specific', slicer_ids: ['b', 'a'] })).toEqual([
    { id: 'b', path: ['static_key', 'slicer_ids', 0] },
    { id: 'a', path: ['static_key', 'slicer_ids', 1] },
  ]);
  expect(mentions({ scope: 'all' })).toEqual([]);
  const [bare] = staticKey.declare({ static_key: { scope: 'none' } }, declareServices).resources.map(({ kindData: _, ...rest }) => rest);
  expect(bare && slicerReferences.referencesIn(bare)).toEqual([]);
});

test('a slicer of another user cannot be looked up; a colon alone does not make one', () => {
  const slicer_ids = [`${'0A'.repeat(16)}:x`, 'room:x', `room-${'0A'.repeat(16)}:x`];
  expect(mentions({ scope: 'specific', slicer_ids }).map(({ whyUncheckable }) => whyUncheckable)).toEqual([
    'it names a slicer of another user, which this account cannot look up',
    undefined,
    undefined,
  ]);
});

test.each<Json>([
  { slicers: [{ slicer_id: 'Studio-A', state: 'live' }] },
  { slicers: [{ id: 'Studio-A' }] },
  { slicers: { 'Studio-A': { state: 'live' }, 'studio-a': null } },
])('slicers are recognized by their exact ID: %j', async (response) => {
  expect([...(await lookUp(response)).keys()]).toEqual(['Studio-A']);
});

test('the lookup of slicers fails for any other response, also for one with a slicer in different case', async () => {
  await expectMalformed(lookUp({ status: 'live' }), 'no `slicers`');
  await expectMalformed(lookUp({ slicers: [{ slicer_id: 'STUDIO-A' }] }), 'not asked for');
});

test.each([
  ['v2', 'GET', '/api2/slicer/status', { slicers: [] }],
  ['v4', 'GET', '/api/v4/ingest/cloud-slicers/live/slicers', { items: [], total_items: 0 }],
] as const)('slicers are looked up by %s: %s %s', async (api, method, path, response) => {
  const { service, sent } = fakeService({ [`${method} ${path}`]: response });
  await onlyItem(slicerReferences.lookups(['a'], api)).findExisting(service);
  expect(sent.map((request) => [request.path, request.body])).toEqual([[path, api === 'v2' ? { slicer_ids: ['a'] } : undefined]]);
  expect([slicerReferences.name, slicerReferences.noun, slicerReferences.code]).toEqual(['slicers', 'slicer', 'slicer-not-found']);
});
