import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drmPolicy } from '../../../src/kinds/drm-policy/index.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { answering, expectMalformed, fault, theOnly } from '../answers.ts';
import { defaultPolicy, desired, inFull, nested, settingsArbitrary } from './policies.ts';

const LIST = 'GET /api/v3/drm/policies';

async function read(...configs: unknown[]) {
  return drmPolicy.read(answering({ [LIST]: { configs, error: 0 } }).service);
}

async function readOne(settings: JsonObject) {
  return theOnly((await read({ _id: '1', policy_name: 'p', ...settings })).objects);
}

describe('reading', () => {
  test('one request, and what the service adds of its own is left out', async () => {
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
    const { service, sent } = answering({ [LIST]: { configs: [config], error: 0 } });
    const { objects, owner, notes } = await drmPolicy.read(service);
    expect(sent).toEqual([{ method: 'GET', path: '/api/v3/drm/policies', repeatable: true }]);
    expect([owner, notes]).toEqual(['me', []]);
    expect(theOnly(objects)).toEqual({
      id: '7',
      label: 'UHD',
      matchableByName: true,
      configSection: 'drm_policies',
      unknown: [],
      fields: { policy_name: 'UHD', ...defaultPolicy, fairplay: { ...defaultPolicy.fairplay, lease: true } },
    });
    expect(drmPolicy.unmanagedAddress(theOnly(objects))).toBe('drm-policy/~7');
  });

  test('an account without policies is complete', async () => {
    expect(await read()).toEqual({ objects: [], notes: [] });
  });

  test('null and absent are the default, at every level', async () => {
    const nulls = {
      fairplay: null,
      widevine: { content_key_specs: null, policy_overrides: { can_play: null, later: null } },
      playready: { hd: null, sd: { security_level: null } },
    };
    expect(await readOne(nulls)).toMatchObject({ fields: defaultPolicy, unknown: [] });
    const spec = { track_type: null, security_level: null, required_output_protection: null };
    expect((await readOne({ widevine: { content_key_specs: [spec] } })).fields).toMatchObject(defaultPolicy);
  });

  test('abridged, written in full or with numbers as texts, a policy is what was declared', async () => {
    await fc.assert(
      fc.asyncProperty(settingsArbitrary, async (settings) => {
        const { fields } = desired('p', settings);
        const texts: JsonObject = JSON.parse(
          JSON.stringify(settings, (_member, value) => (typeof value === 'number' ? String(value) : value)),
        );
        expect((await readOne(settings)).fields).toEqual(fields);
        expect((await readOne(texts)).fields).toEqual(fields);
        expect((await readOne(inFull(fields))).fields).toEqual(fields);
      }),
    );
  });

  test('members that no document names are told with path and value', async () => {
    const spec = { track_type: 'ALL', fresh: 1, required_output_protection: { 'a/b': [true] } };
    const { unknown } = await readOne({
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

  test('values outside the tables are kept as they are', async () => {
    const { fields } = await readOne({ playready: { hd: { security_level: 9000 } }, widevine: { content_key_specs: [] } });
    expect(fields).toMatchObject({ playready: { hd: { security_level: 9000 } }, widevine: { content_key_specs: {} } });
  });

  test('a list that names a track twice differs from every desired one', async () => {
    const content_key_specs = [{ track_type: 'HD' }, { track_type: 'HD', security_level: 2 }];
    const { fields } = await readOne({ widevine: { content_key_specs } });
    expect(fields).toMatchObject({ widevine: { content_key_specs: { HD: { security_level: 1 }, 'HD (2)': { security_level: 2 } } } });
  });

  test.each([
    ['fairplay', [], 'configs/0/fairplay is not an object'],
    ['widevine', 'on', 'configs/0/widevine is not an object'],
    ['widevine.content_key_specs', {}, 'content_key_specs is not a list'],
    ['widevine.content_key_specs.0', null, 'content_key_specs/0 is not an object'],
    ['widevine.content_key_specs.0.track_type', 1, 'track_type is not of type string'],
    ['fairplay.lease', 'true', 'lease is not of type boolean'],
    ['fairplay.lease', 0, 'lease is not of type boolean'],
    ['playready.hd.security_level', 1.5, 'security_level is not of type integer'],
    ['playready.hd.security_level', 'high', 'security_level is not of type integer'],
    ['fairplay.extra', JSON.parse('['.repeat(100) + ']'.repeat(100)), 'extra is nested too deep'],
    ['fairplay.extra', JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`), 'extra is nested too deep'],
  ])('%s cannot be %j', async (setting, value, text) => {
    await expectMalformed(readOne(nested(setting, value)), text);
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
  ])('%j is no policy', async (config, text) => {
    await expectMalformed(read(config), text);
  });

  test.each([{ error: 0 }, { configs: null }, { configs: {} }, [], undefined, 'text'])('%j is no list of policies', async (body) => {
    await expectMalformed(drmPolicy.read(answering({ [LIST]: body }).service), 'its configs is not a list');
  });

  test('an ID that comes twice makes the list incredible', async () => {
    await expectMalformed(read({ _id: '1', policy_name: 'a' }, { _id: '1', policy_name: 'b' }), 'it lists one policy ID twice');
  });

  test('policies of several owners tell none, and an empty name is no clue', async () => {
    const policies = ['me', 'you'].map((owner, index) => ({ _id: String(index), policy_name: '', owner }));
    const { owner, objects } = await read(...policies);
    expect(owner).toBeUndefined();
    expect(objects.map((object) => object.matchableByName)).toEqual([false, false]);
  });
});

describe('looking for one', () => {
  const one = { _id: 'a b', policy_name: 'one' };
  const GET = 'GET /api/v3/drm/policy/a%20b';

  test('asks for it by its ID', async () => {
    const { service, sent } = answering({ [GET]: { configs: [one] } });
    expect(await drmPolicy.get?.(service, 'a b')).toMatchObject({ id: 'a b', label: 'one' });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['rejected', fault('rejected')],
    ['not-found', fault('not-found')],
    ['answered with nothing', { configs: [] }],
    ['answered with another', { configs: [{ _id: 'x', policy_name: 'x' }] }],
  ])('leaves it to the list when it was %s', async (_name, answer) => {
    const listed = answering({ [GET]: answer, [LIST]: { configs: [one] } });
    expect(await drmPolicy.get?.(listed.service, 'a b')).toMatchObject({ id: 'a b' });
    const gone = answering({ [GET]: answer, [LIST]: { configs: [] } });
    expect(await drmPolicy.get?.(gone.service, 'a b')).toBeNull();
  });

  test.each(['credentials', 'failed', 'timeout'] as const)('concludes nothing from %s', async (kind) => {
    const { service, sent } = answering({ [GET]: fault(kind), [LIST]: { configs: [] } });
    await expect(drmPolicy.get?.(service, 'a b')).rejects.toMatchObject({ kind });
    expect(sent).toHaveLength(1);
  });

  test('lets what is not a ServiceError through', async () => {
    const { service } = answering({ [GET]: new RangeError('bug'), [LIST]: { configs: [] } });
    await expect(drmPolicy.get?.(service, 'a b')).rejects.toThrow('bug');
  });

  test('finds what a create would make by its exact name', async () => {
    const named = ['premium', 'Premium', 'premium'].map((policy_name, index) => ({ _id: String(index), policy_name }));
    const { service } = answering({ [LIST]: { configs: named } });
    expect((await drmPolicy.find?.(service, desired('premium')))?.map((object) => object.id)).toEqual(['0', '2']);
  });

  test('looks for many of one moment with one reading, and at another moment with another', async () => {
    const named = ['a', 'b', 'c'].map((policy_name) => ({ _id: policy_name, policy_name }));
    const { service, sent } = answering({ [LIST]: { configs: named } });
    const look = () => Promise.all(['a', 'b', 'z'].map((name) => drmPolicy.find?.(service, desired(name))));
    expect((await look()).map((found) => found?.map(({ id }) => id))).toEqual([['a'], ['b'], []]);
    expect(sent).toHaveLength(1);
    const first = drmPolicy.find?.(service, desired('a'));
    await Promise.resolve();
    await Promise.all([first, drmPolicy.find?.(service, desired('a'))]);
    expect(sent).toHaveLength(3);
  });

  test('a reading that failed is not kept', async () => {
    const answers: { [request: string]: unknown } = { [LIST]: fault('failed') };
    const { service } = answering(answers);
    await expect(drmPolicy.find?.(service, desired('a'))).rejects.toMatchObject({ kind: 'failed' });
    answers[LIST] = { configs: [] };
    expect(await drmPolicy.find?.(service, desired('a'))).toEqual([]);
  });
});
