import { describe, expect, test } from 'vitest';
import { ApiError, type WriteRequest } from '../../../../src/core/kinds/kind.ts';
import { staticKey } from '../../../../src/core/kinds/static-key/index.ts';
import { apiError, declareServices, expectMalformed, fakeService, liveSetting, onlyItem, requestOptions } from '../fixtures.ts';

const STATUS = '/api/v3/drm/use-static-encryption-key';
const SLICERS = '/api/v3/drm/static-key-slicer-ids';

function account(status: unknown, slicers: unknown) {
  return fakeService({ [`GET ${STATUS}`]: status, [`GET ${SLICERS}`]: slicers });
}

describe('reading the static key', () => {
  test.each([
    [true, null, { scope: 'all', slicer_ids: [] }],
    [true, ['b', 'a'], { scope: 'all', slicer_ids: ['a', 'b'] }],
    [false, ['b', 'a', 'b'], { scope: 'specific', slicer_ids: ['a', 'b'] }],
    [false, [], { scope: 'none', slicer_ids: [] }],
    [false, null, { scope: 'none', slicer_ids: [] }],
  ])('gives the scope from status %j and slicers %j', async (use, slicers, fields) => {
    const { service, sent } = account({ use_static_encryption_key: use, error: 0 }, { static_key_slicer_ids: slicers, error: 0 });
    expect(await staticKey.read(service)).toStrictEqual({ objects: [liveSetting(fields)], warnings: [] });
    expect(sent.map(({ method, path, repeatable }) => [method, path, repeatable])).toEqual([
      ['GET', STATUS, true],
      ['GET', SLICERS, true],
    ]);
  });

  test.each([
    [{ owner: 'me' }, {}],
    [{}, { owner: 'me' }],
  ])('gives the owner from %j or %j', async (status, slicers) => {
    const { service } = account({ use_static_encryption_key: true, ...status }, { static_key_slicer_ids: [], ...slicers });
    expect((await staticKey.read(service)).owner).toBe('me');
  });

  test.each([
    [{}, 'its use_static_encryption_key is not a boolean'],
    [{ use_static_encryption_key: null }, 'its use_static_encryption_key is not a boolean'],
    [{ use_static_encryption_key: 1 }, 'its use_static_encryption_key is not a boolean'],
    [undefined, 'its use_static_encryption_key is not a boolean'],
  ])('fails for the status %j', async (status, message) => {
    await expectMalformed(staticKey.read(account(status, { static_key_slicer_ids: [] }).service), message);
  });

  test.each([{}, { static_key_slicer_ids: 'a' }, { static_key_slicer_ids: [1] }, [], 'text'])(
    'fails for the slicers %j',
    async (slicers) => {
      await expectMalformed(
        staticKey.read(account({ use_static_encryption_key: false }, slicers).service),
        'its static_key_slicer_ids is neither a list of texts nor null',
      );
    },
  );

  test('needs both responses', async () => {
    const { service } = account({ use_static_encryption_key: true }, apiError('failed'));
    await expect(staticKey.read(service)).rejects.toBeInstanceOf(ApiError);
  });
});

describe('the requests that change the scope', () => {
  const statusTrue: WriteRequest = {
    method: 'POST',
    path: `${STATUS}/update`,
    body: { use_static_encryption_key: true },
    repeatable: true,
  };
  const statusFalse: WriteRequest = { ...statusTrue, body: { use_static_encryption_key: false } };
  const list = (...static_key_slicer_ids: string[]): WriteRequest => ({
    method: 'POST',
    path: `${SLICERS}/update`,
    body: { static_key_slicer_ids },
    repeatable: true,
  });
  const all = { scope: 'all', slicer_ids: [] } as const;
  const leftover = { scope: 'all', slicer_ids: ['a'] } as const;
  const specific = { scope: 'specific', slicer_ids: ['a'] } as const;
  const none = { scope: 'none', slicer_ids: [] } as const;

  test.each([
    ['all', all, { scope: 'all' }, []],
    ['all', all, { scope: 'specific', slicer_ids: ['a'] }, [list('a'), statusFalse]],
    ['all', all, { scope: 'none' }, [statusFalse]],
    ['all with a list left over', leftover, { scope: 'all' }, []],
    ['all with a list left over', leftover, { scope: 'specific', slicer_ids: ['a'] }, [statusFalse]],
    ['all with a list left over', leftover, { scope: 'specific', slicer_ids: ['b'] }, [list('b'), statusFalse]],
    ['all with a list left over', leftover, { scope: 'none' }, [statusFalse, list()]],
    ['specific', specific, { scope: 'all' }, [statusTrue]],
    ['specific', specific, { scope: 'specific', slicer_ids: ['b', 'a'] }, [list('a', 'b')]],
    ['specific', specific, { scope: 'specific', slicer_ids: ['a'] }, []],
    ['specific', specific, { scope: 'none' }, [list()]],
    ['none', none, { scope: 'all' }, [statusTrue]],
    ['none', none, { scope: 'specific', slicer_ids: ['a'] }, [list('a')]],
    ['none', none, { scope: 'none' }, []],
  ])('lead from %s (%j) to %j', (_name, fields, static_key, requests) => {
    const desired = onlyItem(staticKey.declare({ static_key }, declareServices).resources);
    expect(staticKey.requests({ desired, live: liveSetting(fields) }, requestOptions, 0)).toEqual(requests);
  });

  test('are, where the live setting is not known, those that lead from `none`', () => {
    const writesFor = (static_key: { scope: string; slicer_ids?: string[] }) =>
      staticKey.requests(
        { desired: onlyItem(staticKey.declare({ static_key }, declareServices).resources), live: null },
        requestOptions,
        0,
      );
    expect(writesFor({ scope: 'all' })).toEqual([statusTrue]);
    expect(writesFor({ scope: 'specific', slicer_ids: ['a'] })).toEqual([list('a')]);
    expect(writesFor({ scope: 'none' })).toEqual([]);
  });

  test('do not exist where no scope is desired', () => {
    expect(staticKey.requests({ desired: null, live: liveSetting(specific) }, requestOptions, 0)).toEqual([]);
  });

  test('succeed where their responses show what was sent', () => {
    const anyChange = { desired: null, live: liveSetting({ scope: 'none', slicer_ids: [] }) };
    expect(staticKey.parseWriteResponse(anyChange, statusTrue, { use_static_encryption_key: true })).toEqual({ state: 'done' });
    expect(staticKey.parseWriteResponse(anyChange, list('a'), { static_key_slicer_ids: ['a'] })).toEqual({ state: 'done' });
    expect(staticKey.parseWriteResponse(anyChange, list(), { static_key_slicer_ids: null })).toEqual({ state: 'done' });
    expect(() => staticKey.parseWriteResponse(anyChange, statusTrue, { static_key_slicer_ids: [] })).toThrow(ApiError);
    expect(() => staticKey.parseWriteResponse(anyChange, list('a'), { use_static_encryption_key: true })).toThrow(ApiError);
    expect(staticKey.parseWriteResponse(anyChange, list('a', 'b'), { static_key_slicer_ids: ['b', 'a', 'b'] })).toEqual({ state: 'done' });
  });

  test.each([
    [
      'true although false was sent',
      statusFalse,
      { use_static_encryption_key: true },
      '/use_static_encryption_key reads true in the answer, not false',
    ],
    [
      'false although true was sent',
      statusTrue,
      { use_static_encryption_key: false },
      '/use_static_encryption_key reads false in the answer, not true',
    ],
    [
      'a slicer too many',
      list('a'),
      { static_key_slicer_ids: ['a', 'b'] },
      '/static_key_slicer_ids reads ["a","b"] in the answer, not ["a"]',
    ],
    ['a slicer too few', list('a', 'b'), { static_key_slicer_ids: ['b'] }, '/static_key_slicer_ids reads ["b"]'],
    ['no slicers', list('a'), { static_key_slicer_ids: null }, '/static_key_slicer_ids reads []'],
    ['slicers although none were sent', list(), { static_key_slicer_ids: ['a'] }, '/static_key_slicer_ids reads ["a"]'],
  ])('fail where the response shows %s', (_name, write, body, words) => {
    const result = staticKey.parseWriteResponse({ desired: null, live: liveSetting({ scope: 'none', slicer_ids: [] }) }, write, body);
    expect(result).toEqual({ state: 'failed', reason: expect.stringContaining(words) });
  });
});
