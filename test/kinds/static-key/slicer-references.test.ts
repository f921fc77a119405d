import { expect, test } from 'vitest';
import { staticKey } from '../../../src/kinds/static-key/index.ts';
import { slicerReferences } from '../../../src/kinds/static-key/slicer-references.ts';
import type { Json } from '../../../src/model/json.ts';
import { answering, expectMalformed, theOnly, tools } from '../answers.ts';

function mentions(static_key: Json) {
  return staticKey.declare({ static_key }, tools).resources.flatMap((resource) => slicerReferences.references(resource));
}

function known(answer: Json) {
  const { service } = answering({ 'GET /api2/slicer/status': answer });
  return theOnly(slicerReferences.lookups(['studio-a', 'Studio-A'], 'v2')).ask(service);
}

test('slicers stand where they are written, whatever their order', () => {
  expect(mentions({ scope: 'specific', slicer_ids: ['b', 'a'] })).toEqual([
    { id: 'b', path: ['static_key', 'slicer_ids', 0] },
    { id: 'a', path: ['static_key', 'slicer_ids', 1] },
  ]);
  expect(mentions({ scope: 'all' })).toEqual([]);
  const [bare] = staticKey.declare({ static_key: { scope: 'none' } }, tools).resources.map(({ context: _, ...rest }) => rest);
  expect(bare && slicerReferences.references(bare)).toEqual([]);
});

test('a slicer of another user is beyond reach; a colon alone does not make one', () => {
  const slicer_ids = [`${'0A'.repeat(16)}:x`, 'room:x', `room-${'0A'.repeat(16)}:x`];
  expect(mentions({ scope: 'specific', slicer_ids }).map(({ uncheckable }) => uncheckable)).toEqual([
    'it is written as a slicer of another user, of which this account cannot be asked',
    undefined,
    undefined,
  ]);
});

test.each<Json>([
  { slicers: [{ slicer_id: 'Studio-A', state: 'live' }] },
  { slicers: [{ id: 'Studio-A' }] },
  { slicers: { 'Studio-A': { state: 'live' }, 'studio-a': null } },
])('are known by their exact ID: %j', async (answer) => {
  expect([...(await known(answer)).keys()]).toEqual(['Studio-A']);
});

test('nothing is concluded from another answer, nor from a slicer in other letters', async () => {
  await expectMalformed(known({ status: 'live' }), 'no `slicers`');
  await expectMalformed(known({ slicers: [{ slicer_id: 'STUDIO-A' }] }), 'not asked for');
});

test.each([
  ['v2', 'GET', '/api2/slicer/status', { slicers: [] }],
  ['v4', 'GET', '/api/v4/ingest/cloud-slicers/live/slicers', { items: [], total_items: 0 }],
] as const)('are asked for by %s: %s %s', async (api, method, path, answer) => {
  const { service, sent } = answering({ [`${method} ${path}`]: answer });
  await theOnly(slicerReferences.lookups(['a'], api)).ask(service);
  expect(sent.map((request) => [request.path, request.body])).toEqual([[path, api === 'v2' ? { slicer_ids: ['a'] } : undefined]]);
  expect([slicerReferences.name, slicerReferences.noun, slicerReferences.code]).toEqual(['slicers', 'slicer', 'slicer-not-found']);
});
