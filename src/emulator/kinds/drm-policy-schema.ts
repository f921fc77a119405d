/**
 * The settings of DRM policies: the tables of drm-api-v3 sections 2.2 to 2.5, and functions that fill in their defaults, check a request
 * against them, and abridge a response. `license_begin_seconds` is documented in api-notes section 6.
 */
import type { Json, JsonObject } from '../../core/model/json.ts';
import { equal, isJsonObject, isObject } from '../../core/model/json.ts';
import { asBoolean, asInteger, asString } from '../../core/model/json-readers.ts';
import { badRequest } from '../contract.ts';

/** One setting: its default (undefined = none), and a reader, which returns undefined for a value that the table does not allow. */
interface Setting {
  readonly defaultValue: Json | undefined;
  readonly read: (value: unknown) => Json | undefined;
}

/** A table of the API document: settings, and dictionaries of settings. */
interface Table {
  readonly [member: string]: Setting | { readonly table: Table };
}

function flag(defaultValue: boolean): Setting {
  return { defaultValue, read: asBoolean };
}

function seconds(defaultValue: number): Setting {
  return { defaultValue, read: (value) => ((asInteger(value) ?? -1) < 0 ? undefined : asInteger(value)) };
}

/** Returns a setting with these values; the first is the default. */
function oneOf(defaultValue: number | string, ...others: readonly (number | string)[]): Setting {
  const values = [defaultValue, ...others];
  return { defaultValue, read: (value) => values.find((one) => one === (typeof one === 'number' ? asInteger(value) : value)) };
}

function resolutions(table: Table): Table {
  return { sd: { table }, hd: { table }, uhd1: { table }, uhd2: { table } };
}

const fairplay: Table = {
  ...resolutions({ allow_airplay: flag(true), allow_av_adapter: flag(true), hdcp_enforcement: oneOf(-1, 0, 1) }),
  key_duration_seconds: seconds(0),
  lease: flag(false),
  lease_duration_seconds: seconds(0),
  persistence: flag(false),
  persistence_duration_seconds: seconds(0),
  playback_duration_seconds: seconds(0),
  rental: flag(false),
  rental_duration_seconds: seconds(0),
};

const keySpec: Table = {
  track_type: oneOf('ALL', 'SD', 'HD', 'AUDIO', 'UHD1', 'UHD2', 'ALL_VIDEO'),
  security_level: oneOf(1, 2, 3, 4, 5),
  required_output_protection: {
    table: {
      hdcp: oneOf('HDCP_NONE', 'HDCP_V1', 'HDCP_V2', 'HDCP_V2_1', 'HDCP_V2_2', 'HDCP_NO_DIGITAL_OUTPUT'),
      disable_analog_output: flag(false),
      cgms_flags: oneOf('CGMS_NONE', 'COPY_FREE', 'COPY_ONCE', 'COPY_NEVER'),
      hdcp_srm_rule: oneOf('HDCP_SRM_RULE_NONE', 'CURRENT_SRM'),
    },
  },
};

const overrides: Table = {
  can_play: flag(true),
  can_persist: flag(false),
  license_duration_seconds: seconds(86400),
  playback_duration_seconds: seconds(0),
  rental_duration_seconds: seconds(0),
  always_include_client_id: flag(false),
  can_renew: flag(false),
  renew_with_usage: flag(false),
  renewal_delay_seconds: seconds(0),
  renewal_recovery_duration_seconds: seconds(0),
  renewal_retry_interval_seconds: seconds(0),
  renewal_server_url: { defaultValue: undefined, read: asString },
};

const playready: Table = {
  ...resolutions({
    analog_video_protection_level: oneOf(100, 150, 200, 201),
    compressed_digital_audio_protection_level: oneOf(100, 301),
    digital_video_protection_level: oneOf(100, 250, 270, 300, 301),
    play_enabler: flag(false),
    require_hdcp_type_1: flag(false),
    security_level: oneOf(2000, 150, 3000),
    uncompressed_digital_audio_protection_level: oneOf(100, 250, 300, 301),
  }),
  can_persist: flag(false),
  can_play: flag(true),
  license_begin_seconds: seconds(3600),
  license_duration_seconds: seconds(86400),
  playback_duration_seconds: seconds(0),
  realtime_expiration: flag(true),
};

const keySpecs: Setting = { defaultValue: [withDefaults(keySpec, {})], read: readKeySpecs };

/** The DRM systems of a policy (drm-api-v3 section 2.1). */
export const policyTable: Table = {
  fairplay: { table: fairplay },
  widevine: { table: { content_key_specs: keySpecs, policy_overrides: { table: overrides } } },
  playready: { table: playready },
};

/** Returns a dictionary, empty if the value is none. */
export function dictionary(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Adds the defaults of the table to settings, which are not checked; members that are not in the table are kept. */
export function withDefaults(table: Table, settings: JsonObject): JsonObject {
  const known = Object.entries(table).flatMap(([name, entry]) => {
    const value = 'table' in entry ? withDefaults(entry.table, dictionary(settings[name])) : (settings[name] ?? entry.defaultValue);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...settings, ...Object.fromEntries(known) };
}

/** Reads the settings of a request; unknown members are ignored. @throws RouteError for a value that the table does not allow */
export function readSettings(table: Table, settings: unknown, location: string): JsonObject {
  if (!isObject(settings)) return badRequest(`${location} must be a dictionary`);
  const checked = Object.entries(table).flatMap(([name, entry]) => {
    const value = settings[name];
    if (value === undefined) return [];
    if ('table' in entry) return [[name, readSettings(entry.table, value, `${location}.${name}`)] as const];
    return [[name, entry.read(value) ?? badRequest(`${location}.${name} has a value that is not allowed`)] as const];
  });
  return Object.fromEntries(checked);
}

/** Reads the key specs: they must cover all tracks, and the levels 3 to 5 require `hdcp` (drm-api-v3 section 2.3). */
function readKeySpecs(value: unknown): Json | undefined {
  if (!Array.isArray(value)) return undefined;
  const specs = value.map((spec, index) => readSettings(keySpec, spec, `content_key_specs[${index}]`));
  const isHdcpMissing = specs.some(
    (spec) => Number(spec.security_level) > 2 && dictionary(spec.required_output_protection).hdcp === undefined,
  );
  if (isHdcpMissing) badRequest('security_level 3, 4 and 5 require hdcp');
  const tracks = new Set(specs.map((spec) => spec.track_type ?? 'ALL'));
  const coversVideo = tracks.has('ALL_VIDEO') || ['SD', 'HD', 'UHD1', 'UHD2'].every((track) => tracks.has(track));
  if (!tracks.has('ALL') && !(coversVideo && tracks.has('AUDIO'))) badRequest('content_key_specs must be specified for all tracks');
  return specs.map((spec) => withDefaults(keySpec, spec));
}

/** Drops settings with their default values, and dictionaries that are empty then: responses may be abridged (api-notes section 6). */
export function abridge(table: Table, settings: JsonObject): JsonObject {
  const members = Object.entries(settings).flatMap(([name, value]) => {
    const entry = Object.hasOwn(table, name) ? table[name] : undefined;
    if (entry === undefined) return [[name, value] as const];
    const [remaining, omittable] = 'table' in entry ? [abridge(entry.table, dictionary(value)), {}] : [value, entry.defaultValue];
    if (equal(remaining, omittable)) return [];
    return [[name, name === 'content_key_specs' && Array.isArray(remaining) ? remaining.map(abridgeKeySpec) : remaining] as const];
  });
  return Object.fromEntries(members);
}

function abridgeKeySpec(spec: Json): Json {
  return { track_type: dictionary(spec).track_type ?? null, ...abridge(keySpec, dictionary(spec)) };
}
