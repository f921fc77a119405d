import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drmPolicy } from '../../../../src/core/kinds/drm-policy/index.ts';
import { type Json, type JsonObject, stableJson } from '../../../../src/core/model/json.ts';
import { assertAsyncProperty } from '../../../support/property.ts';
import { apiError, expectMalformed, fakeService, onlyItem } from '../fixtures.ts';
import { defaultPolicy, desired, nested, settingsArbitrary, withEverySetting } from './policies.ts';

const LIST = 'GET /api/v3/drm/policies';

async function read(...configs: unknown[]) {
  return drmPolicy.read(fakeService({ [LIST]: { configs, error: 0 } }).service);
}

async function readOne(settings: JsonObject) {
  return onlyItem((await read({ _id: '1', policy_name: 'p', ...settings })).objects);
}

describe('reading DRM policies', () => {
  test('takes one request, and leaves out members that the service adds', async () => {
    const config = {
      _id: '7',
      policy_name: 'UHD',
      created: 1,
      lastmod: 2,
      lmsig: 'x',
      owner: 'me',
      later: 'on',
      fairplay: { lease: true },
    };
    const { service, sent } = fakeService({ [LIST]: { configs: [config], error: 0 } });
    const { objects, owner, warnings } = await drmPolicy.read(service);
    expect(sent).toEqual([{ method: 'GET', path: '/api/v3/drm/policies', repeatable: true, isList: true }]);
    expect([owner, warnings]).toEqual(['me', []]);
    expect(onlyItem(objects)).toEqual({
      id: '7',
      remoteName: 'UHD',
      isMatchableByRemoteName: true,
      configSection: 'drm_policies',
      unknownMembers: [],
      maybeMissingInRead: ['/playready/license_begin_seconds'],
      fields: { policy_name: 'UHD', ...defaultPolicy, fairplay: { ...defaultPolicy.fairplay, lease: true } },
    });
    expect(drmPolicy.idAddress(onlyItem(objects))).toBe('drm-policy/~7');
  });

  test('treats an account without policies as complete', async () => {
    expect(await read()).toEqual({ objects: [], warnings: [] });
  });

  test('treats null and absent settings as the default, at every level', async () => {
    const nulls = {
      fairplay: null,
      widevine: { content_key_specs: null, policy_overrides: { can_play: null, later: null } },
      playready: { hd: null, sd: { security_level: null } },
    };
    expect(await readOne(nulls)).toMatchObject({ fields: defaultPolicy, unknownMembers: [] });
    const spec = { track_type: null, security_level: null, required_output_protection: null };
    expect((await readOne({ widevine: { content_key_specs: [spec] } })).fields).toMatchObject(defaultPolicy);
  });

  test('gives the declared policy, whether the service abridges it, shows it in full or shows numbers as strings', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(settingsArbitrary, async (settings) => {
        const { fields } = desired('p', settings);
        const texts: JsonObject = JSON.parse(
          JSON.stringify(settings, (_member, value) => (typeof value === 'number' ? String(value) : value)),
        );
        expect((await readOne(settings)).fields).toEqual(fields);
        expect((await readOne(texts)).fields).toEqual(fields);
        expect((await readOne(withEverySetting(fields))).fields).toEqual(fields);
      }),
    );
  });

  test('reports members that no document names with path and value', async () => {
    const spec = { track_type: 'ALL', fresh: 1, required_output_protection: { 'a/b': [true] } };
    const { unknownMembers: unknown } = await readOne({
      fairplay: { extra: { deep: 'x' } },
      widevine: { content_key_specs: [spec] },
      playready: { constructor: 1, hd: { toString: 'x' } },
    });
    expect(unknown).toEqual([
      { path: '/fairplay/extra', value: { deep: 'x' } },
      { path: '/widevine/content_key_specs/0/fresh', value: 1 },
      { path: '/widevine/content_key_specs/0/required_output_protection/a~1b', value: [true] },
      { path: '/playready/constructor', value: 1 },
      { path: '/playready/hd/toString', value: 'x' },
    ]);
  });

  test('keeps values outside the documented tables as they are', async () => {
    const { fields } = await readOne({ playready: { hd: { security_level: 9000 } }, widevine: { content_key_specs: [] } });
    expect(fields).toMatchObject({ playready: { hd: { security_level: 9000 } }, widevine: { content_key_specs: {} } });
  });

  test('gives a policy that differs from every desired one where its list names a track twice', async () => {
    const content_key_specs = [{ track_type: 'HD' }, { track_type: 'HD', security_level: 2 }];
    const { fields } = await readOne({ widevine: { content_key_specs } });
    expect(fields).toMatchObject({ widevine: { content_key_specs: { HD: { security_level: 1 }, 'HD (2)': { security_level: 2 } } } });
  });

  test.each<[string, Json, string, Json?]>([
    ['fairplay', [], '/fairplay'],
    ['fairplay', 5, '/fairplay'],
    ['widevine', 'on', '/widevine'],
    ['widevine.content_key_specs', {}, '/widevine/content_key_specs'],
    ['widevine.content_key_specs', { ALL: { security_level: 1 } }, '/widevine/content_key_specs'],
    ['widevine.content_key_specs.0', null, '/widevine/content_key_specs', [null]],
    ['widevine.content_key_specs.0.track_type', 1, '/widevine/content_key_specs', [{ track_type: 1 }]],
    ['widevine.content_key_specs.0.security_level', 'high', '/widevine/content_key_specs/0/security_level'],
    ['fairplay.lease', 'true', '/fairplay/lease'],
    ['fairplay.lease', 0, '/fairplay/lease'],
    ['playready.hd', 'HD', '/playready/hd'],
    ['playready.hd.security_level', 1.5, '/playready/hd/security_level'],
    ['playready.hd.security_level', 'high', '/playready/hd/security_level'],
    ['playready.hd.security_level', { least: 150 }, '/playready/hd/security_level'],
  ])('keeps %s %j as it is, and the policy alone cannot be declared', async (setting, value, path, odd = value) => {
    const settings = nested(setting, value);
    const { objects } = await read({ _id: '1', policy_name: 'odd', ...settings }, { _id: '2', policy_name: 'plain' });
    const [first, second] = objects;
    expect(first).toMatchObject({ remoteName: 'odd', unknownMembers: [{ path, value: odd }] });
    expect(second).toMatchObject({ fields: { policy_name: 'plain', ...defaultPolicy }, unknownMembers: [] });
    expect(first?.fields).not.toEqual({ policy_name: 'odd', ...defaultPolicy });
    const { entries, notDeclarable } = drmPolicy.toConfig(objects);
    expect(entries.map(({ key }) => key)).toEqual(['plain']);
    const shownPath = path.replace('/0/', '/ALL/');
    expect(notDeclarable).toEqual([
      { object: first, reason: `it holds values of another type than documented: ${shownPath} = ${stableJson(odd)}` },
    ]);
  });

  test.each([
    ['a list', JSON.parse('['.repeat(5000) + ']'.repeat(5000))],
    ['an object', JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)],
  ])('reads %s that is nested however deep, and keeps a note of it', async (_name, deep) => {
    const { unknownMembers } = await readOne({ later: { system: deep }, fairplay: { extra: deep, lease: deep } });
    expect(unknownMembers).toEqual([
      { path: '/fairplay/lease', value: 'nested too deep' },
      { path: '/later', value: 'nested too deep' },
      { path: '/fairplay/extra', value: 'nested too deep' },
    ]);
  });

  test.each([
    [{}, 'configs/0/policy_name is not a text'],
    [{ policy_name: 7, _id: '1' }, 'configs/0/policy_name is not a text'],
    [{ policy_name: 'p' }, 'configs/0/_id is not an ID'],
    [{ policy_name: 'p', _id: '' }, 'configs/0/_id is not an ID'],
    [{ policy_name: 'p', _id: '..' }, 'configs/0/_id is not an ID'],
    [{ policy_name: 'p', _id: 1 }, 'configs/0/_id is not an ID'],
    ['text', 'configs/0 is not an object'],
    [null, 'configs/0 is not an object'],
  ])('fails where a policy is %j', async (config, text) => {
    await expectMalformed(read(config), text);
  });

  test.each([{ error: 0 }, { configs: null }, { configs: {} }, [], undefined, 'text'])(
    'fails where the list of policies is %j',
    async (body) => {
      await expectMalformed(drmPolicy.read(fakeService({ [LIST]: body }).service), 'its configs is not a list');
    },
  );

  test('fails where one ID occurs twice in the list', async () => {
    await expectMalformed(read({ _id: '1', policy_name: 'a' }, { _id: '1', policy_name: 'b' }), 'it lists one policy ID twice');
  });

  test('gives no owner where the policies name several, and does not match by an empty name', async () => {
    const policies = ['me', 'you'].map((owner, index) => ({ _id: String(index), policy_name: '', owner }));
    const { owner, objects } = await read(...policies);
    expect(owner).toBeUndefined();
    expect(objects.map((object) => object.isMatchableByRemoteName)).toEqual([false, false]);
  });
});

describe('looking up one DRM policy', () => {
  const one = { _id: 'a b', policy_name: 'one' };
  const GET = 'GET /api/v3/drm/policy/a%20b';

  test('requests it by its ID', async () => {
    const { service, sent } = fakeService({ [GET]: { configs: [one] } });
    expect(await drmPolicy.get?.(service, 'a b')).toMatchObject({ id: 'a b', remoteName: 'one' });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['rejected', apiError('rejected')],
    ['not-found', apiError('not-found')],
    ['answered with nothing', { configs: [] }],
    ['answered with another', { configs: [{ _id: 'x', policy_name: 'x' }] }],
  ])('falls back to the list when the single read answered %s', async (_name, response) => {
    const listed = fakeService({ [GET]: response, [LIST]: { configs: [one] } });
    expect(await drmPolicy.get?.(listed.service, 'a b')).toMatchObject({ id: 'a b' });
    const service = fakeService({ [GET]: response, [LIST]: { configs: [] } });
    expect(await drmPolicy.get?.(service.service, 'a b')).toBeNull();
  });

  test.each(['credentials', 'failed', 'timeout'] as const)('fails where the service answers %s', async (category) => {
    const { service, sent } = fakeService({ [GET]: apiError(category), [LIST]: { configs: [] } });
    await expect(drmPolicy.get?.(service, 'a b')).rejects.toMatchObject({ category });
    expect(sent).toHaveLength(1);
  });

  test('passes on errors other than ApiError', async () => {
    const { service } = fakeService({ [GET]: new RangeError('bug'), [LIST]: { configs: [] } });
    await expect(drmPolicy.get?.(service, 'a b')).rejects.toThrow('bug');
  });

  test('finds the policy that a create would make by its exact name', async () => {
    const policies = ['premium', 'Premium', 'premium'].map((policy_name, index) => ({ _id: String(index), policy_name }));
    const { service } = fakeService({ [LIST]: { configs: policies } });
    expect((await drmPolicy.find?.(service, desired('premium')))?.map((object) => object.id)).toEqual(['0', '2']);
  });

  test('shares one list request among lookups of the same moment, and sends another one later', async () => {
    const policies = ['a', 'b', 'c'].map((policy_name) => ({ _id: policy_name, policy_name }));
    const { service, sent } = fakeService({ [LIST]: { configs: policies } });
    const lookUp = () => Promise.all(['a', 'b', 'z'].map((name) => drmPolicy.find?.(service, desired(name))));
    expect((await lookUp()).map((found) => found?.map(({ id }) => id))).toEqual([['a'], ['b'], []]);
    expect(sent).toHaveLength(1);
    const first = drmPolicy.find?.(service, desired('a'));
    await Promise.resolve();
    await Promise.all([first, drmPolicy.find?.(service, desired('a'))]);
    expect(sent).toHaveLength(3);
  });

  test('does not keep the result of a failed read', async () => {
    const responses: { [request: string]: unknown } = { [LIST]: apiError('failed') };
    const { service } = fakeService(responses);
    await expect(drmPolicy.find?.(service, desired('a'))).rejects.toMatchObject({ category: 'failed' });
    responses[LIST] = { configs: [] };
    expect(await drmPolicy.find?.(service, desired('a'))).toEqual([]);
  });
});
