import { describe, expect, test } from 'vitest';
import { lookupsIn } from '../../../src/core/kinds/references.ts';
import type { Json } from '../../../src/core/model/json.ts';
import { expectMalformed, fakeService, onlyItem } from './fixtures.ts';

const ENDPOINT = {
  v2: { path: '/v2/things', requestField: 'ids', listField: 'things', itemField: 'thing', idFields: ['id', 'uid'] },
  v4: '/v4/things',
};

const ASK = 'GET /v2/things';
const LIST = 'GET /v4/things';

/** Returns what one lookup of these IDs reads from a response. */
function lookUp(response: Json, ids: readonly string[], api: 'v2' | 'v4' = 'v2', endpoint: Parameters<typeof lookupsIn>[0] = ENDPOINT) {
  const { service } = fakeService({ [api === 'v2' ? ASK : LIST]: response });
  return onlyItem(lookupsIn(endpoint, ids, api)).findExisting(service);
}

describe('a lookup of IDs', () => {
  test.each([0, 1, 1000, 1001, 2500])('needs as few requests as possible for %i IDs', (count) => {
    const ids = Array.from({ length: count }, (_, index) => `id-${index}`);
    const chunks = lookupsIn(ENDPOINT, ids, 'v2');
    expect(chunks.map((chunk) => chunk.ids.length)).toEqual(
      Array.from({ length: Math.ceil(count / 1000) }, (_, index) => Math.min(1000, count - 1000 * index)),
    );
    expect(chunks.flatMap((chunk) => chunk.ids)).toEqual(ids);
    expect(lookupsIn(ENDPOINT, ids, 'v4').map((chunk) => chunk.ids)).toEqual(count === 0 ? [] : [ids]);
  });

  test('sends the IDs on v2 and none on v4, and can be repeated', async () => {
    const { service, sent } = fakeService({ [ASK]: { things: [] }, [LIST]: { items: [], total_items: 0 } });
    for (const api of ['v2', 'v4'] as const) await onlyItem(lookupsIn(ENDPOINT, ['a'], api)).findExisting(service);
    expect(sent).toEqual([
      { method: 'GET', path: '/v2/things', body: { ids: ['a'] }, repeatable: true, isList: true },
      { method: 'GET', path: '/v4/things', repeatable: true, isList: true },
    ]);
  });

  test('takes the ID from the first member that may hold it', async () => {
    expect([...(await lookUp({ things: [{ uid: 'a' }, { id: 'b', uid: 'x' }] }, ['a', 'b']))]).toEqual([
      ['a', { name: '' }],
      ['b', { name: '' }],
    ]);
  });

  test('understands a single object only where the endpoint has a member for it', async () => {
    const { itemField: _itemField, ...v2 } = ENDPOINT.v2;
    await expectMalformed(lookUp({ thing: { id: 'a' } }, ['a'], 'v2', { ...ENDPOINT, v2 }), 'no `things`');
    await expectMalformed(lookUp({ undefined: { id: 'a' } }, ['a'], 'v2', { ...ENDPOINT, v2 }), 'no `things`');
    await expectMalformed(lookUp({ thing: 'a' }, ['a']), 'no `things`');
  });

  test.each<readonly [string, Json]>([
    ['a list', { things: [{ id: 'a', desc: 'Intro' }, { id: 'b' }] }],
    ['a list with gaps', { things: [{ id: 'a', desc: 'Intro' }, null, { id: 'b', desc: null }] }],
    ['an object by ID', { things: { a: { desc: 'Intro' }, b: { id: 'B' } } }],
    ['an object by ID with gaps', { things: { a: { desc: 'Intro' }, c: null, b: {} } }],
  ])('understands %s', async (_name, response) => {
    expect([...(await lookUp(response, ['a', 'b', 'c']))]).toEqual([
      ['a', { name: 'Intro' }],
      ['b', { name: '' }],
    ]);
  });

  test('understands a single object and an empty response', async () => {
    expect([...(await lookUp({ thing: { id: 'a' } }, ['a']))]).toEqual([['a', { name: '' }]]);
    expect((await lookUp({ things: [] }, ['a'])).size).toBe(0);
    expect((await lookUp({ things: {} }, ['a'])).size).toBe(0);
  });

  test.each<readonly [string, Json, string]>([
    ['nothing that it knows', { items: [] }, 'no `things`'],
    ['no object', null, 'no `things`'],
    ['a text', { things: 'none' }, 'no `things`'],
    ['texts', { things: ['a'] }, 'no ID'],
    ['pairs', { things: [['a', {}]] }, 'no ID'],
    ['numbers', { things: [{ id: 7 }] }, 'no ID'],
    ['words by ID', { things: { a: 'gone' } }, 'no ID'],
    ['what was not asked', { things: [{ id: 'x' }] }, 'x, which was not asked for'],
  ])('fails where the response is %s', async (_name, response, why) => {
    await expectMalformed(lookUp(response, ['a', 'b']), why);
  });

  test('through the list of v4 keeps the requested IDs, and fails where the list is incomplete', async () => {
    const items = [{ id: 'a', desc: 'Intro' }, { id: 'x' }];
    expect([...(await lookUp({ items, total_items: '2' }, ['a', 'b'], 'v4'))]).toEqual([['a', { name: 'Intro' }]]);
    await expectMalformed(lookUp({ items, total_items: 3 }, ['a'], 'v4'), 'holds 2 of 3');
    await expectMalformed(lookUp({ items }, ['a'], 'v4'), '`total_items` is missing or not an integer');
    await expectMalformed(lookUp({ total_items: 0 }, ['a'], 'v4'), '`items` is missing or not a list');
    await expectMalformed(lookUp({ items: [{}], total_items: 1 }, ['a'], 'v4'), 'an element of it has no ID');
  });
});
