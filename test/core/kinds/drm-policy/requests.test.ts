import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drmPolicy } from '../../../../src/core/kinds/drm-policy/index.ts';
import { ApiError } from '../../../../src/core/kinds/kind.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { assertProperty } from '../../../support/property.ts';
import { live, onlyItem, requestOptions } from '../fixtures.ts';
import { defaultPolicy, desired, settingsArbitrary, withEverySetting } from './policies.ts';

describe('the requests for a policy', () => {
  const settings = { playready: { license_duration_seconds: 50000 }, widevine: { policy_overrides: { can_play: true } } };
  const object = live({ policy_name: 'old', ...defaultPolicy }, { id: '7', remoteName: 'old' });
  const path = '/api/v3/drm/policies/create-or-update';

  test('create it with its name and declared settings, and are not repeated after a lost response', () => {
    const change = { desired: desired('new', settings), live: null };
    const body = { policy_name: 'new', ...settings };
    expect(drmPolicy.requests(change, requestOptions, 0)).toEqual([{ method: 'POST', path, body, repeatable: false }]);
  });

  test('update it with its ID and every declared setting, and without undeclared defaults', () => {
    const change = { desired: desired('new', settings), live: object };
    const body = { _id: '7', policy_name: 'new', ...settings };
    expect(drmPolicy.requests(change, requestOptions, 0)).toEqual([{ method: 'POST', path, body, repeatable: true }]);
  });

  test('are not built for a policy without a name', () => {
    const { remoteName: _remoteName, ...withoutName } = desired('new');
    expect(() => drmPolicy.requests({ desired: withoutName, live: null }, requestOptions, 0)).toThrow('drm-policy/new has no name');
  });

  test('delete it by the ID in the path', () => {
    const change = { desired: null, live: { ...object, id: 'a/b' } };
    expect(drmPolicy.requests(change, requestOptions, 0)).toEqual([
      { method: 'DELETE', path: '/api/v3/drm/policy/a%2Fb', repeatable: false },
    ]);
  });

  test('take the ID from the response to a create', () => {
    const change = { desired: desired('new'), live: null };
    const write = onlyItem(drmPolicy.requests(change, requestOptions, 0));
    const configs = [{ _id: '1', policy_name: 'other' }, 'text', { _id: '2', policy_name: 'new' }];
    expect(drmPolicy.parseWriteResponse(change, write, { configs })).toEqual({ state: 'done', id: '2' });
    expect(() => drmPolicy.parseWriteResponse(change, write, { configs: [] })).toThrow(
      expect.objectContaining({ category: 'malformed', mayHaveWritten: 'maybe' }),
    );
    expect(() => drmPolicy.parseWriteResponse(change, write, { configs: [{ policy_name: 'new' }] })).toThrow('_id');
    expect(() => drmPolicy.parseWriteResponse(change, write, { error: 0 })).toThrow(ApiError);
  });

  test('accept a response to a delete, whatever policies it lists', () => {
    const change = { desired: null, live: object };
    const write = onlyItem(drmPolicy.requests(change, requestOptions, 0));
    expect(drmPolicy.parseWriteResponse(change, write, { configs: [] })).toEqual({ state: 'done' });
    expect(() => drmPolicy.parseWriteResponse(change, write, {})).toThrow(ApiError);
  });

  test('fail where the response to an update does not show the policy', () => {
    const change = { desired: desired('new'), live: object };
    const write = onlyItem(drmPolicy.requests(change, requestOptions, 0));
    for (const body of [{}, { configs: [] }, { configs: [{ _id: '8', policy_name: 'new' }] }])
      expect(() => drmPolicy.parseWriteResponse(change, write, body)).toThrow(
        expect.objectContaining({ category: 'malformed', mayHaveWritten: 'maybe' }),
      );
  });

  test('fail where the response shows a setting of another type than documented, and the result of a create still has the ID', () => {
    const body = { configs: [{ _id: '7', policy_name: 'new', fairplay: 'on' }] };
    const reason = expect.stringMatching(/^\/fairplay reads "on" in the answer/);
    for (const [live, id] of [[object], [null, { id: '7' }]] as const) {
      const change = { desired: desired('new'), live };
      const write = onlyItem(drmPolicy.requests(change, requestOptions, 0));
      expect(drmPolicy.parseWriteResponse(change, write, body)).toEqual({ state: 'failed', reason, ...id });
    }
  });

  test('accept responses to a create or update that show the policy in full, abridged or with numbers as strings', () => {
    assertProperty(
      fc.property(settingsArbitrary, fc.boolean(), (declared, isNew) => {
        const change = { desired: desired('new', declared), live: isNew ? null : object };
        const write = onlyItem(drmPolicy.requests(change, requestOptions, 0));
        const full = withEverySetting(change.desired?.fields ?? {});
        const texts: JsonObject = JSON.parse(JSON.stringify(full, (_member, value) => (typeof value === 'number' ? String(value) : value)));
        for (const returned of [declared, full, texts]) {
          const configs = [
            { _id: '1', policy_name: 'other', fairplay: 'broken' },
            { _id: '7', policy_name: 'new', owner: 'me', later: 1, ...returned },
          ];
          expect(drmPolicy.parseWriteResponse(change, write, { configs })).toEqual({ state: 'done', id: '7' });
        }
      }),
    );
  });

  test.each<[string, JsonObject, string]>([
    ['the old name', { policy_name: 'old', ...settings }, '/policy_name reads "old" in the answer, not "new"'],
    ['the old setting', { policy_name: 'new' }, '/playready/license_duration_seconds reads 86400 in the answer, not 50000'],
    [
      'a value other than the default for a setting that was not sent',
      { policy_name: 'new', ...settings, fairplay: { hd: { hdcp_enforcement: '1' } } },
      '/fairplay/hd/hdcp_enforcement reads 1 in the answer, not -1',
    ],
    [
      'a track too many',
      { policy_name: 'new', ...settings, widevine: { content_key_specs: [{ track_type: 'ALL' }, { track_type: 'HD' }] } },
      '/widevine/content_key_specs/HD reads',
    ],
  ])('fail where the response to an update shows %s', (_name, returned, words) => {
    const change = { desired: desired('new', settings), live: object };
    const write = onlyItem(drmPolicy.requests(change, requestOptions, 0));
    const result = drmPolicy.parseWriteResponse(change, write, { configs: [{ _id: '7', ...returned }] });
    expect(result).toEqual({ state: 'failed', reason: expect.stringContaining(words) });
  });

  test.each([
    [{}, 'done'],
    [{ created: 1_000, lastmod: 2_000 }, 'done'],
    [{ created: '5000', lastmod: '5000' }, 'done'],
    [{ created: 9_000, lastmod: 1_000 }, 'done'],
    [{ created: null, lastmod: 9_000 }, 'done'],
    [{ created: 1_000, lastmod: 2_001 }, 'failed'],
    [{ created: '1000', lastmod: '1700000000000' }, 'failed'],
  ])(
    'of a create give, for a response with %j, %s: if the policy was modified after it was created, the create overwrote it',
    (times, state) => {
      const change = { desired: desired('new'), live: null };
      const write = onlyItem(drmPolicy.requests(change, requestOptions, 0));
      const result = drmPolicy.parseWriteResponse(change, write, { configs: [{ _id: '7', policy_name: 'new', ...times }] });
      expect(result).toMatchObject({ state, ...(state === 'failed' ? { reason: expect.stringContaining('overwritten') } : {}) });
      const update = { desired: desired('new'), live: object };
      expect(drmPolicy.parseWriteResponse(update, write, { configs: [{ _id: '7', policy_name: 'new', ...times }] })).toMatchObject({
        state: 'done',
      });
    },
  );
});
