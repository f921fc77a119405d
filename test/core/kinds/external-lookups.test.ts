import { describe, expect, test } from 'vitest';
import { externalLookupsIn } from '../../../src/core/kinds/references.ts';
import type { Json } from '../../../src/core/model/json.ts';
import { expectMalformed, fakeService, onlyItem } from './fixtures.ts';

const ENDPOINT = {
  v2: { path: '/v2/things', requestField: 'ids', listField: 'things', idFields: ['id'] },
  v4: '/v4/things',
};

const ASK = 'GET /v2/things';
const LIST = 'GET /v4/things';

/** Returns what one lookup of these external IDs finds in a response, and the requests that it sends. */
function lookUp(response: Json, externalIds: readonly string[], api: 'v2' | 'v4' = 'v2') {
  const { service, sent } = fakeService({ [api === 'v2' ? ASK : LIST]: response });
  return { found: onlyItem(externalLookupsIn(ENDPOINT, externalIds, api)).find(service), sent };
}

describe('a lookup of external IDs', () => {
  test.each([0, 1, 1000, 1001])('needs as few requests as possible for %i of them', (count) => {
    const ids = Array.from({ length: count }, (_, index) => `ep-${index}`);
    const chunks = externalLookupsIn(ENDPOINT, ids, 'v2').map((lookup) => lookup.ids);
    expect(chunks.map((chunk) => chunk.length)).toEqual(count > 1000 ? [1000, count - 1000] : count === 0 ? [] : [count]);
    expect(chunks.flat()).toEqual(ids);
    expect(externalLookupsIn(ENDPOINT, ids, 'v4').map((lookup) => lookup.ids)).toEqual(count === 0 ? [] : [ids]);
  });

  test('sends them on v2 and none on v4, and can be repeated', async () => {
    const onV2 = lookUp({ things: [] }, ['a', 'b']);
    const onV4 = lookUp({ items: [], total_items: 0 }, ['a', 'b'], 'v4');
    expect([await onV2.found, await onV4.found]).toEqual([new Map(), new Map()]);
    expect([...onV2.sent, ...onV4.sent]).toEqual([
      { method: 'GET', path: '/v2/things', body: { external_ids: ['a', 'b'] }, repeatable: true, isList: true },
      { method: 'GET', path: '/v4/things', repeatable: true, isList: true },
    ]);
  });

  test.each<readonly [string, Json]>([
    [
      'a list',
      [
        { id: '1', external_id: 'a' },
        { id: '2', external_id: 'b' },
        { id: '3', external_id: 'b' },
        { id: '3', external_id: 'b' },
      ],
    ],
    ['an object', { x: { id: '1', external_id: 'a' }, y: { id: '2', external_id: 'b' }, z: { id: '3', external_id: 'b' }, none: null }],
  ])('finds every object with one of them, each once, in %s', async (_name, things) => {
    expect(await lookUp({ things }, ['a', 'b', 'c']).found).toEqual(
      new Map([
        ['a', ['1']],
        ['b', ['2', '3']],
      ]),
    );
  });

  test('leaves out the objects of the v4 list that have another one, or none', async () => {
    const items = [{ id: '1', external_id: 'a' }, { id: '2', external_id: 'z' }, { id: '3' }, { external_id: 'z' }, 'text', null];
    expect(await lookUp({ items, total_items: 6 }, ['a'], 'v4').found).toEqual(new Map([['a', ['1']]]));
    await expectMalformed(lookUp({ items, total_items: 7 }, ['a'], 'v4').found, 'holds 6 of 7');
  });

  test.each<readonly [string, Json, string]>([
    ['no object', null, 'no `things`'],
    ['no list', {}, 'no `things`'],
    ['an element without external ID', { things: [{ id: '1' }] }, 'no external ID that was asked for'],
    ['an element with an empty external ID', { things: [{ id: '1', external_id: '' }] }, 'no external ID that was asked for'],
    ['an element with another external ID', { things: [{ id: '1', external_id: 'z' }] }, 'no external ID that was asked for'],
    ['an element without ID', { things: [{ external_id: 'a' }] }, 'has no ID'],
    ['an element with an empty ID', { things: [{ id: '', external_id: 'a' }] }, 'has no ID'],
    ['a text', { things: ['a'] }, 'no external ID that was asked for'],
  ])('refuses a response with %s', async (_name, response, why) => {
    await expectMalformed(lookUp(response, ['a']).found, why);
  });
});
