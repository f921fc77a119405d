/**
 * The tables of drm-api-v3 sections 2.2 to 2.5 as the service keeps them, and what follows from a table alone: filling in
 * defaults, checking a request, abridging an answer. `license_begin_seconds` is of api-notes section 6.
 */
import type { Json, JsonObject } from '../../model/json.ts';
import { equal, isJsonObject, isObject } from '../../model/json.ts';
import { asBoolean, asInteger, asString } from '../../model/json-readers.ts';
import { RouteError } from '../contract.ts';

/** One setting: its default (undefined = none), and its reading, which gives undefined for a value that its table does not allow. */
interface Setting {
  readonly fallback: Json | undefined;
  readonly read: (value: unknown) => Json | undefined;
}

/** A table of the document: settings, and dictionaries of settings. */
interface Table {
  readonly [member: string]: Setting | { readonly table: Table };
}

/** Refuses a value: what is wrong with it, and where. */
export function refuse(title: string): never {
  throw new RouteError(400, 'bad_request', title);
}

function flag(fallback: boolean): Setting {
  return { fallback, read: asBoolean };
}

function seconds(fallback: number): Setting {
  return { fallback, read: (value) => ((asInteger(value) ?? -1) < 0 ? undefined : asInteger(value)) };
}

/** One of the values, the first being the default. */
function oneOf(fallback: number | string, ...others: readonly (number | string)[]): Setting {
  const values = [fallback, ...others];
  return { fallback, read: (value) => values.find((one) => one === (typeof one === 'number' ? asInteger(value) : value)) };
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
  renewal_server_url: { fallback: undefined, read: asString },
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

const specs: Setting = { fallback: [complete(keySpec, {})], read: readSpecs };

/** The three systems of a policy (drm-api-v3 section 2.1). */
export const policy: Table = {
  fairplay: { table: fairplay },
  widevine: { table: { content_key_specs: specs, policy_overrides: { table: overrides } } },
  playready: { table: playready },
};

/** A dictionary that may be missing. */
export function part(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** What is given over the defaults of the table, unchecked; members that the table does not know are kept. */
export function complete(table: Table, given: JsonObject): JsonObject {
  const known = Object.entries(table).flatMap(([name, entry]) => {
    const value = 'table' in entry ? complete(entry.table, part(given[name])) : (given[name] ?? entry.fallback);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...given, ...Object.fromEntries(known) };
}

/** The settings of a request, each checked against its table; unknown members are ignored. */
export function readSettings(table: Table, given: unknown, where: string): JsonObject {
  if (!isObject(given)) return refuse(`${where} must be a dictionary`);
  const settings = Object.entries(table).flatMap(([name, entry]) => {
    const value = given[name];
    if (value === undefined) return [];
    if ('table' in entry) return [[name, readSettings(entry.table, value, `${where}.${name}`)] as const];
    return [[name, entry.read(value) ?? refuse(`${where}.${name} has a value that is not allowed`)] as const];
  });
  return Object.fromEntries(settings);
}

/** drm-api-v3 section 2.3: the key specs must cover all tracks, and the levels 3 to 5 need `hdcp` beside them. */
function readSpecs(value: unknown): Json | undefined {
  if (!Array.isArray(value)) return undefined;
  const given = value.map((spec, index) => readSettings(keySpec, spec, `content_key_specs[${index}]`));
  const unprotected = given.some((spec) => Number(spec.security_level) > 2 && part(spec.required_output_protection).hdcp === undefined);
  if (unprotected) refuse('security_level 3, 4 and 5 require hdcp');
  const tracks = new Set(given.map((spec) => spec.track_type ?? 'ALL'));
  const video = tracks.has('ALL_VIDEO') || ['SD', 'HD', 'UHD1', 'UHD2'].every((track) => tracks.has(track));
  if (!tracks.has('ALL') && !(video && tracks.has('AUDIO'))) refuse('content_key_specs must be specified for all tracks');
  return given.map((spec) => complete(keySpec, spec));
}

/** Without what stands at its default, down to empty dictionaries: answers abridge (api-notes section 6). */
export function abridged(table: Table, settings: JsonObject): JsonObject {
  const members = Object.entries(settings).flatMap(([name, value]) => {
    const entry = Object.hasOwn(table, name) ? table[name] : undefined;
    if (entry === undefined) return [[name, value] as const];
    const [left, empty] = 'table' in entry ? [abridged(entry.table, part(value)), {}] : [value, entry.fallback];
    if (equal(left, empty)) return [];
    return [[name, name === 'content_key_specs' && Array.isArray(left) ? left.map(abridgedSpec) : left] as const];
  });
  return Object.fromEntries(members);
}

function abridgedSpec(spec: Json): Json {
  return { track_type: part(spec).track_type ?? null, ...abridged(keySpec, part(spec)) };
}
