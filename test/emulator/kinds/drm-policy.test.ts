import { describe, expect, test } from 'vitest';
import { account, start, v3 } from '../independent-client.ts';

const save = '/drm/policies/create-or-update';
const fairplayTracks = { allow_airplay: true, allow_av_adapter: true, hdcp_enforcement: -1 };
const playreadyTracks = {
  analog_video_protection_level: 100,
  compressed_digital_audio_protection_level: 100,
  digital_video_protection_level: 100,
  play_enabler: false,
  require_hdcp_type_1: false,
  security_level: 2000,
  uncompressed_digital_audio_protection_level: 100,
};
const resolutions = (tracks: object) => ({ sd: tracks, hd: tracks, uhd1: tracks, uhd2: tracks });

/** The default policy of drm-api-v3 section 2.5, written out. */
const defaults = {
  fairplay: {
    ...resolutions(fairplayTracks),
    key_duration_seconds: 0,
    lease: false,
    lease_duration_seconds: 0,
    persistence: false,
    persistence_duration_seconds: 0,
    playback_duration_seconds: 0,
    rental: false,
    rental_duration_seconds: 0,
  },
  widevine: {
    content_key_specs: [
      {
        track_type: 'ALL',
        security_level: 1,
        required_output_protection: {
          hdcp: 'HDCP_NONE',
          disable_analog_output: false,
          cgms_flags: 'CGMS_NONE',
          hdcp_srm_rule: 'HDCP_SRM_RULE_NONE',
        },
      },
    ],
    policy_overrides: {
      can_play: true,
      can_persist: false,
      license_duration_seconds: 86400,
      playback_duration_seconds: 0,
      rental_duration_seconds: 0,
      always_include_client_id: false,
      can_renew: false,
      renew_with_usage: false,
      renewal_delay_seconds: 0,
      renewal_recovery_duration_seconds: 0,
      renewal_retry_interval_seconds: 0,
    },
  },
  playready: {
    ...resolutions(playreadyTracks),
    can_persist: false,
    can_play: true,
    license_begin_seconds: 3600,
    license_duration_seconds: 86400,
    playback_duration_seconds: 0,
    realtime_expiration: true,
  },
};

type Config = { readonly [member: string]: unknown };
const configs = (json: { readonly [member: string]: unknown }): Config[] => (Array.isArray(json.configs) ? json.configs : []);
const names = (json: { readonly [member: string]: unknown }) => configs(json).map(({ policy_name }) => policy_name);
const seed = {
  'drm-policy': [
    { _id: 'p1', policy_name: 'one' },
    { _id: 'p2', policy_name: 'two', playready: { can_play: false } },
  ],
};

test('a policy with only a name is created as the default policy, with the members that the service sets', async () => {
  const now = Date.now();
  const { status, json } = await v3(await start({ now: () => now }), 'POST', save, { policy_name: 'plain' });
  expect([status, json.error]).toEqual([200, 0]);
  const own = { _id: expect.stringMatching(/^[0-9a-f]{32}$/), created: now, lastmod: now, lmsig: '', owner: account.owner };
  expect(configs(json)).toEqual([{ ...own, policy_name: 'plain', ...defaults }]);
});

test('an update returns all policies and resets the settings that it does not send', async () => {
  const before = {
    license_duration_seconds: 43200,
    can_persist: true,
    playback_duration_seconds: 50,
    realtime_expiration: false,
    sd: { security_level: 150 },
  };
  const emulator = await start({
    seed: { 'drm-policy': [{ _id: 'p1', policy_name: 'one', playready: before, fairplay: { lease: true } }, { policy_name: 'two' }] },
  });
  const { json } = await v3(emulator, 'POST', save, { policy_name: 'one', playready: { license_duration_seconds: 50000 } });
  expect(names(json)).toEqual(['one', 'two']);
  expect(configs(json)[0]).toMatchObject({ _id: 'p1', ...defaults, playready: { ...defaults.playready, license_duration_seconds: 50000 } });
});

test('an update by _id may rename a policy, keeps created and sets lastmod', async () => {
  const clock = { now: Date.now() };
  const emulator = await start({ now: () => clock.now, seed });
  const created = clock.now;
  clock.now += 5000;
  const { json } = await v3(emulator, 'POST', save, { _id: 'p1', policy_name: 'renamed' });
  expect(configs(json)[0]).toMatchObject({ _id: 'p1', policy_name: 'renamed', created, lastmod: created + 5000 });
  expect(names(json)).toEqual(['renamed', 'two']);
});

test.each([
  [{ _id: 'none', policy_name: 'x' }, 'no policy has the ID none'],
  [{ _id: 5, policy_name: 'x' }, 'no policy has the ID'],
  [{ _id: 'p1', policy_name: 'two' }, 'another policy is named two'],
  [{ fairplay: {} }, 'policy_name is required'],
  [{ policy_name: '' }, 'policy_name is required'],
  [[], 'item must be a dictionary'],
  [{ policy_name: 'one', fairplay: null }, 'item.fairplay must be a dictionary'],
  [{ policy_name: 'one', fairplay: { lease: 1 } }, 'item.fairplay.lease'],
  [{ policy_name: 'one', fairplay: { hd: { hdcp_enforcement: 2 } } }, 'item.fairplay.hd.hdcp_enforcement'],
  [{ policy_name: 'one', fairplay: { key_duration_seconds: -1 } }, 'item.fairplay.key_duration_seconds'],
  [{ policy_name: 'one', fairplay: { lease_duration_seconds: 60 } }, 'fairplay.lease_duration_seconds requires persistence'],
  [{ policy_name: 'one', fairplay: { playback_duration_seconds: 60 } }, 'fairplay.playback_duration_seconds requires persistence'],
  [{ policy_name: 'one', widevine: { policy_overrides: { can_persist: true } } }, 'policy_overrides requires can_play'],
  [{ policy_name: 'one', widevine: { content_key_specs: {} } }, 'item.widevine.content_key_specs'],
  [{ policy_name: 'one', widevine: { content_key_specs: [] } }, 'must be specified for all tracks'],
  [{ policy_name: 'one', widevine: { content_key_specs: [{ track_type: 'ALL_VIDEO' }] } }, 'must be specified for all tracks'],
  [{ policy_name: 'one', widevine: { content_key_specs: [{ track_type: 'all' }] } }, 'content_key_specs[0].track_type'],
  [{ policy_name: 'one', widevine: { content_key_specs: [{ security_level: 3 }] } }, 'require hdcp'],
  [{ policy_name: 'one', playready: { uhd2: { digital_video_protection_level: 200 } } }, 'digital_video_protection_level'],
])('create-or-update rejects %j', async (item, reason) => {
  const emulator = await start({ seed });
  const before = emulator.dump();
  const { status, json } = await v3(emulator, 'POST', save, item);
  expect([status, json.error]).toEqual([200, 1]);
  expect(json.msg).toContain(reason);
  expect(emulator.dump()).toEqual(before);
});

test.each([[['ALL']], [['ALL_VIDEO', 'AUDIO']], [['SD', 'HD', 'UHD1', 'UHD2', 'AUDIO']]])(
  'key specs of %j cover all tracks and get defaults',
  async (tracks) => {
    const specs = tracks.map((track_type) => ({ track_type, security_level: 5, required_output_protection: { hdcp: 'HDCP_V2' } }));
    const { json } = await v3(await start(), 'POST', save, { policy_name: 'x', widevine: { content_key_specs: specs } });
    const protection = { hdcp: 'HDCP_V2', disable_analog_output: false, cgms_flags: 'CGMS_NONE', hdcp_srm_rule: 'HDCP_SRM_RULE_NONE' };
    const expected = specs.map((spec) => ({ ...spec, required_output_protection: protection }));
    expect(configs(json)[0]).toMatchObject({ widevine: { content_key_specs: expected } });
  },
);

test('GET of one policy returns a list of one, and error 1 for an unknown ID', async () => {
  const emulator = await start({ seed });
  expect(names((await v3(emulator, 'GET', '/drm/policy/p2')).json)).toEqual(['two']);
  expect((await v3(emulator, 'GET', '/drm/policy/p3')).json).toEqual({ error: 1, msg: 'no policy has the ID p3' });
});

test('DELETE returns the remaining policies, and error 1 for a deleted one', async () => {
  const emulator = await start({ seed });
  expect(names((await v3(emulator, 'DELETE', '/drm/policy/p1/')).json)).toEqual(['two']);
  expect((await v3(emulator, 'DELETE', '/drm/policy/p1')).json.error).toBe(1);
  expect(names((await v3(emulator, 'GET', '/drm/policies')).json)).toEqual(['two']);
});

describe('with quirks, policies', () => {
  test('may be sent without default values and empty dictionaries', async () => {
    const specs = [
      { track_type: 'ALL_VIDEO', security_level: 2 },
      { track_type: 'AUDIO', required_output_protection: { cgms_flags: 'COPY_ONCE' } },
    ];
    const emulator = await start({ seed, quirks: { abridgedPolicies: true } });
    const overrides = { can_play: true, renewal_server_url: 'https://renew.example' };
    const { json } = await v3(emulator, 'POST', save, {
      policy_name: 'x',
      widevine: { content_key_specs: specs, policy_overrides: overrides },
    });
    const serviceMembers = ['_id', 'created', 'lastmod', 'lmsig', 'owner'];
    const settings = configs(json).map((config) =>
      Object.fromEntries(Object.entries(config).filter(([name]) => !serviceMembers.includes(name))),
    );
    expect(settings).toEqual([
      { policy_name: 'one' },
      { policy_name: 'two', playready: { can_play: false } },
      { policy_name: 'x', widevine: { content_key_specs: specs, policy_overrides: { renewal_server_url: 'https://renew.example' } } },
    ]);
  });

  test('may be listed in reverse order', async () => {
    const { json } = await v3(await start({ seed, quirks: { listOrder: 'reversed' } }), 'GET', '/drm/policies');
    expect(names(json)).toEqual(['two', 'one']);
  });

  test('may have numeric strings and an unknown member in every object', async () => {
    const { json } = await v3(await start({ seed, quirks: { numericStrings: true, unknownMembers: true } }), 'GET', '/drm/policy/p1');
    const addition = { later_addition: { since: 'tomorrow' } };
    expect(json).toMatchObject({ ...addition, error: 0 });
    expect(configs(json)[0]).toMatchObject({
      ...addition,
      playready: { ...addition, license_duration_seconds: '86400', sd: { ...addition, security_level: '2000' } },
    });
  });
});

describe('a seed of policies', () => {
  test('keeps undocumented values, and a dump can be loaded as a seed', async () => {
    const undocumented = {
      _id: 'undocumented',
      policy_name: 'undocumented',
      created: 5,
      fairplay: { lease_duration_seconds: 60, novel: { a: 1 } },
      playready: { sd: { security_level: 9 } },
    };
    const emulator = await start({ seed: { 'drm-policy': [undocumented] } });
    expect(configs((await v3(emulator, 'GET', '/drm/policies')).json)[0]).toMatchObject(undocumented);
    expect((await start({ seed: emulator.dump() })).dump()).toEqual(emulator.dump());
  });

  test.each([
    [{}, 'must be a list'],
    [[null], '[0] needs a policy_name'],
    [[{ _id: 'a' }], '[0] needs a policy_name'],
    [
      [
        { _id: 'a', policy_name: 'x' },
        { _id: 'a', policy_name: 'y' },
      ],
      '[1]._id occurs twice',
    ],
  ])('rejects %j', async (policies, reason) => {
    await expect(start({ seed: { 'drm-policy': policies } })).rejects.toThrow(reason);
  });
});
