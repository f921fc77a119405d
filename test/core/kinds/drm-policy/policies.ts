import { Ajv } from 'ajv';
import fc from 'fast-check';
import { drmPolicy } from '../../../../src/core/kinds/drm-policy/index.ts';
import type { DesiredResource, UnlocatedFinding } from '../../../../src/core/kinds/kind.ts';
import { isObject, type Json, type JsonObject } from '../../../../src/core/model/json.ts';
import { declareServices, onlyItem } from '../fixtures.ts';

/** The default policy of drm-api-v3 section 2.5, and api-notes section 6, written out by hand. */
const fairplayResolution = { allow_airplay: true, allow_av_adapter: true, hdcp_enforcement: -1 };
const playreadyResolution = {
  analog_video_protection_level: 100,
  compressed_digital_audio_protection_level: 100,
  digital_video_protection_level: 100,
  play_enabler: false,
  require_hdcp_type_1: false,
  security_level: 2000,
  uncompressed_digital_audio_protection_level: 100,
};
export const outputProtection = {
  hdcp: 'HDCP_NONE',
  disable_analog_output: false,
  cgms_flags: 'CGMS_NONE',
  hdcp_srm_rule: 'HDCP_SRM_RULE_NONE',
};
export const defaultPolicy = {
  fairplay: {
    hd: fairplayResolution,
    sd: fairplayResolution,
    uhd1: fairplayResolution,
    uhd2: fairplayResolution,
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
    content_key_specs: { ALL: { security_level: 1, required_output_protection: outputProtection } },
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
      renewal_server_url: '',
    },
  },
  playready: {
    hd: playreadyResolution,
    sd: playreadyResolution,
    uhd1: playreadyResolution,
    uhd2: playreadyResolution,
    can_persist: false,
    can_play: true,
    license_begin_seconds: 3600,
    license_duration_seconds: 86400,
    playback_duration_seconds: 0,
    realtime_expiration: true,
  },
};

/** Every table of allowed values in drm-api-v3 sections 2.2 to 2.4. */
export const tables: readonly (readonly [setting: string, allowed: readonly Json[]])[] = [
  ['fairplay.hd.hdcp_enforcement', [-1, 0, 1]],
  ['widevine.content_key_specs.0.track_type', ['ALL', 'ALL_VIDEO', 'SD', 'HD', 'UHD1', 'UHD2', 'AUDIO']],
  ['widevine.content_key_specs.0.security_level', [1, 2, 3, 4, 5]],
  [
    'widevine.content_key_specs.0.required_output_protection.hdcp',
    ['HDCP_NONE', 'HDCP_V1', 'HDCP_V2', 'HDCP_V2_1', 'HDCP_V2_2', 'HDCP_NO_DIGITAL_OUTPUT'],
  ],
  ['widevine.content_key_specs.0.required_output_protection.cgms_flags', ['CGMS_NONE', 'COPY_FREE', 'COPY_ONCE', 'COPY_NEVER']],
  ['widevine.content_key_specs.0.required_output_protection.hdcp_srm_rule', ['HDCP_SRM_RULE_NONE', 'CURRENT_SRM']],
  ['playready.uhd1.analog_video_protection_level', [100, 150, 200, 201]],
  ['playready.uhd1.compressed_digital_audio_protection_level', [100, 301]],
  ['playready.uhd1.digital_video_protection_level', [100, 250, 270, 300, 301]],
  ['playready.uhd1.security_level', [150, 2000, 3000]],
  ['playready.uhd1.uncompressed_digital_audio_protection_level', [100, 250, 300, 301]],
];

const ajv = new Ajv({ allErrors: true, keywords: ['enumDescriptions'] });
const validate = ajv.compile({ ...drmPolicy.schema, type: 'object', additionalProperties: false });

/** Whether the schema accepts these settings. */
export function isValid(settings: Json): boolean {
  return validate({ drm_policies: { any: settings } });
}

/** A value inside nested objects and lists, by a path with dots; a numeric step makes a list. */
export function nested(path: string, value: Json): JsonObject {
  const wrap = (inner: Json, step: string): Json => (/^\d+$/.test(step) ? [inner] : { [step]: inner });
  const [first = '', ...rest] = path.split('.');
  return { [first]: rest.reduceRight<Json>(wrap, value) };
}

/** Canonical settings as the API shapes them, every setting written. */
export function withEverySetting({ policy_name: _name, ...settings }: JsonObject): JsonObject {
  const widevine = isObject(settings.widevine) ? settings.widevine : {};
  const specs = Object.entries(isObject(widevine.content_key_specs) ? widevine.content_key_specs : {});
  const content_key_specs = specs.map(([track_type, spec]) => ({ ...(isObject(spec) ? spec : {}), track_type }));
  return JSON.parse(JSON.stringify({ ...settings, widevine: { ...widevine, content_key_specs } }));
}

/** The findings about one policy named `any`; paths are relative to its settings. */
export function findingsOf(settings: JsonObject): readonly UnlocatedFinding[] {
  const { findings } = drmPolicy.declare({ drm_policies: { any: settings } }, declareServices);
  return findings.map((finding) => ({ ...finding, path: finding.path.slice(2) }));
}

/** A desired policy of that name. */
export function desired(name: string, settings: JsonObject = {}): DesiredResource {
  return onlyItem(drmPolicy.declare({ drm_policies: { [name]: settings } }, declareServices).resources);
}

const flag = fc.boolean();
const seconds = fc.nat(1_000_000);

function partialRecord(members: { readonly [member: string]: fc.Arbitrary<Json> }): fc.Arbitrary<JsonObject> {
  const record = fc.record(members, { requiredKeys: [] });
  return record.map((parts) =>
    Object.fromEntries(Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  );
}

function choice(setting: string): fc.Arbitrary<Json> {
  const table = tables.find(([name]) => name.endsWith(setting));
  return fc.constantFrom(...(table?.[1] ?? []));
}

function resolutions(rules: fc.Arbitrary<JsonObject>) {
  return { sd: rules, hd: rules, uhd1: rules, uhd2: rules };
}

const fairplay = partialRecord({
  ...resolutions(partialRecord({ allow_airplay: flag, allow_av_adapter: flag, hdcp_enforcement: choice('hdcp_enforcement') })),
  key_duration_seconds: seconds,
  lease: flag,
  persistence: flag,
  rental: flag,
  rental_duration_seconds: seconds,
});

const spec = partialRecord({
  security_level: choice('0.security_level'),
  required_output_protection: partialRecord({
    hdcp: choice('hdcp'),
    disable_analog_output: flag,
    cgms_flags: choice('cgms_flags'),
    hdcp_srm_rule: choice('hdcp_srm_rule'),
  }),
});

const tracks = fc.constantFrom(['ALL'], ['ALL_VIDEO', 'AUDIO'], ['SD', 'HD', 'UHD1', 'UHD2', 'AUDIO'], ['ALL', 'HD', 'AUDIO']);

const specs = tracks.chain((names) =>
  fc
    .tuple(...names.map(() => spec))
    .map((bodies) => bodies.map((body, index) => ({ ...body, track_type: names[index] ?? 'ALL' })))
    .chain((list) => fc.shuffledSubarray(list, { minLength: list.length })),
);

const overrides = partialRecord({
  can_play: flag,
  can_persist: flag,
  license_duration_seconds: seconds,
  rental_duration_seconds: seconds,
  renewal_server_url: fc.constantFrom('', 'https://renew.example.com'),
});

const playready = partialRecord({
  ...resolutions(
    partialRecord({
      analog_video_protection_level: choice('analog_video_protection_level'),
      digital_video_protection_level: choice('digital_video_protection_level'),
      uncompressed_digital_audio_protection_level: choice('uncompressed_digital_audio_protection_level'),
      compressed_digital_audio_protection_level: choice('compressed_digital_audio_protection_level'),
      security_level: choice('uhd1.security_level'),
      play_enabler: flag,
      require_hdcp_type_1: flag,
    }),
  ),
  can_persist: flag,
  can_play: flag,
  license_begin_seconds: seconds,
  license_duration_seconds: seconds,
  realtime_expiration: flag,
});

/** Settings that the schema accepts, with anything left out. */
export const settingsArbitrary: fc.Arbitrary<JsonObject> = partialRecord({
  fairplay,
  widevine: partialRecord({ content_key_specs: specs, policy_overrides: overrides }),
  playready,
});
