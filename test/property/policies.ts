/** Policies a few edits apart, and devices of every make, for the properties of effects and impact. */
import fc from 'fast-check';
import { type Device, HDCP_VERSIONS } from '../../src/core/device-impact/device.ts';
import { DIMENSIONS } from '../../src/core/device-impact/settings-strength.ts';
import { requirementsOn, SYSTEM_TRACKS, valueAt } from '../../src/core/device-impact/track-requirements.ts';
import { canonicalFieldsOf } from '../../src/core/kinds/drm-policy/declare.ts';
import { isJsonObject, type Json, type JsonObject, type Path } from '../../src/core/model/json.ts';
import { fairplay, playready, widevine } from '../core/device-impact/fixtures.ts';

/** One edit of a policy's canonical fields. */
type Edit = (policy: JsonObject) => JsonObject;

/** The fields with another value at a path. */
function put(fields: JsonObject, [step = '', ...rest]: Path, value: Json): JsonObject {
  const inner = fields[step];
  return { ...fields, [step]: rest.length === 0 ? value : put(isJsonObject(inner) ? inner : {}, rest, value) };
}

const RESOLUTIONS = ['sd', 'hd', 'uhd1', 'uhd2'];

function setting(system: 'fairplay' | 'playready'): fc.Arbitrary<Edit> {
  return fc.tuple(fc.constantFrom(...RESOLUTIONS), fc.constantFrom(...DIMENSIONS[system])).chain(([resolution, { path, values }]) =>
    fc.constantFrom(...values).map(
      ([value]): Edit =>
        (policy) =>
          put(policy, [system, resolution, ...path], value),
    ),
  );
}

const LAYOUTS = [['ALL'], ['ALL_VIDEO', 'AUDIO'], ['SD', 'HD', 'UHD1', 'UHD2', 'AUDIO']];
const OVERLAPS = [
  ['ALL', 'HD'],
  ['ALL', 'ALL_VIDEO', 'HD', 'AUDIO'],
  ['ALL_VIDEO', 'SD', 'UHD1', 'AUDIO'],
];

const SPECS: Path = ['widevine', 'content_key_specs'];

function specsOf(policy: JsonObject): JsonObject {
  const { content_key_specs: specs } = isJsonObject(policy.widevine) ? policy.widevine : {};
  return isJsonObject(specs) ? specs : {};
}

/** One demand of one element, whichever there are. COPY_FREE, which protects no more than no copy mark, is left out. */
const demand: fc.Arbitrary<Edit> = fc.tuple(fc.nat(4), fc.constantFrom(...DIMENSIONS.widevine)).chain(([nth, { path, values }]) =>
  fc.constantFrom(...values.filter(([value]) => value !== 'COPY_FREE')).map(
    ([value]): Edit =>
      (policy) => {
        const names = Object.keys(specsOf(policy));
        return put(policy, [...SPECS, names[nth % names.length] ?? 'ALL', ...path], value);
      },
  ),
);

/** Other elements, each with the demands of one that was there. */
function layout(layouts: readonly (readonly string[])[]): fc.Arbitrary<Edit> {
  return fc.constantFrom(...layouts).map(
    (names): Edit =>
      (policy) => {
        const was = Object.values(specsOf(policy));
        return put(policy, SPECS, Object.fromEntries(names.map((name, index) => [name, was[index % was.length] ?? null])));
      },
  );
}

/** What lets a system play at all. */
const CAN_PLAY: readonly Path[] = [
  ['widevine', 'policy_overrides', 'can_play'],
  ['playready', 'can_play'],
];

const FLAGS: readonly Path[] = [
  ...['lease', 'persistence', 'rental'].map((name) => ['fairplay', name]),
  ['widevine', 'policy_overrides', 'can_persist'],
  ...['can_persist', 'realtime_expiration'].map((name) => ['playready', name]),
];

/** One of these switches, on or off. */
function toggle(paths: readonly Path[]): fc.Arbitrary<Edit> {
  return fc.tuple(fc.constantFrom(...paths), fc.boolean()).map(
    ([path, value]): Edit =>
      (policy) =>
        put(policy, path, value),
  );
}

/** Durations; without 0 where the API documents leave its meaning open. */
const SECONDS: readonly (readonly [path: Path, values: readonly number[]])[] = [
  ...['key', 'lease', 'persistence'].map(
    (name) =>
      [
        ['fairplay', `${name}_duration_seconds`],
        [60, 120],
      ] as const,
  ),
  ...['playback', 'rental'].map(
    (name) =>
      [
        ['fairplay', `${name}_duration_seconds`],
        [0, 60, 120],
      ] as const,
  ),
  ...['license', 'playback', 'rental'].map(
    (name) =>
      [
        ['widevine', 'policy_overrides', `${name}_duration_seconds`],
        [60, 120],
      ] as const,
  ),
  [
    ['playready', 'license_duration_seconds'],
    [60, 120],
  ],
  [
    ['playready', 'playback_duration_seconds'],
    [0, 60, 120],
  ],
  [
    ['playready', 'license_begin_seconds'],
    [0, 60, 120],
  ],
];

const license: fc.Arbitrary<Edit> = fc.oneof(
  toggle(FLAGS),
  fc.constantFrom(...SECONDS).chain(([path, values]) =>
    fc.constantFrom(...values).map(
      (value): Edit =>
        (policy) =>
          put(policy, path, value),
    ),
  ),
);

/** The default policy, but every duration whose 0 is open has a value. */
const START = SECONDS.filter(([, values]) => !values.includes(0)).reduce((policy, [path]) => put(policy, path, 60), canonicalFieldsOf({}));

/**
 * Edits of what robustness and outputs must be, and whether anything plays; `overlaps` = with elements that name one track more than once.
 */
export function demands(overlaps: boolean): fc.Arbitrary<Edit> {
  const layouts = layout(overlaps ? [...LAYOUTS, ...OVERLAPS] : LAYOUTS);
  return fc.oneof({ arbitrary: demand, weight: 3 }, layouts, setting('fairplay'), setting('playready'), toggle(CAN_PLAY));
}

/** Any edit. */
export const edits: fc.Arbitrary<Edit> = fc.oneof(demands(true), license);

/** Edits to values of which nobody knows what they mean: outside of the tables, a duration of 0, a track type that is not listed. */
export const undefinedValues: fc.Arbitrary<Edit> = fc
  .constantFrom<readonly [path: Path, value: Json]>(
    ...RESOLUTIONS.map((resolution) => [['fairplay', resolution, 'hdcp_enforcement'], 7] as const),
    ...RESOLUTIONS.map((resolution) => [['playready', resolution, 'security_level'], 9000] as const),
    ...['ALL', 'HD'].map((name) => [[...SPECS, name, 'required_output_protection', 'hdcp'], 'hdcp_v1'] as const),
    [[...SPECS, 'ALL', 'security_level'], 9],
    [[...SPECS, '"UHD3"'], { security_level: 5 }],
    [['fairplay', 'lease_duration_seconds'], 0],
    [['widevine', 'policy_overrides', 'license_duration_seconds'], 0],
    [['playready', 'license_duration_seconds'], 0],
  )
  .map(
    ([path, value]): Edit =>
      (policy) =>
        put(policy, path, value),
  );

/** Two policies that are one to three edits apart. */
export function pairs(edit: fc.Arbitrary<Edit>): fc.Arbitrary<readonly [before: JsonObject, after: JsonObject]> {
  return fc.tuple(fc.array(edit, { maxLength: 12 }), fc.array(edit, { minLength: 1, maxLength: 3 })).map(([some, few]) => {
    const before = some.reduce((policy, each) => each(policy), START);
    return [before, few.reduce((policy, each) => each(policy), before)] as const;
  });
}

/** Returns the same policy with each wide element expanded into the elements it covers, where no other element covers them. */
export function writtenOut(policy: JsonObject): JsonObject {
  const specs = specsOf(policy);
  const fine = Object.entries(specs).flatMap(([name, spec]) => tracksOf(name).map((track) => [track, spec] as const));
  return put(policy, SPECS, Object.fromEntries(fine));
}

/** The most elements that may name one track of `demands(true)`. */
const MOST_ELEMENTS = 3;

/**
 * The policy as those read it who know which element counts for each track: the widest, the second one, the third, as far as there are as
 * many.
 */
export function readings(policy: JsonObject): readonly JsonObject[] {
  return Array.from({ length: MOST_ELEMENTS }, (_, nth) => {
    const counting = SYSTEM_TRACKS.widevine.map((track) => {
      const elements = requirementsOn('widevine', policy, track);
      return [track, valueAt(policy, (elements[nth] ?? elements.at(-1))?.place ?? [])] as const;
    });
    return put(policy, SPECS, Object.fromEntries(counting));
  });
}

function tracksOf(name: string): readonly string[] {
  const video = ['SD', 'HD', 'UHD1', 'UHD2'];
  return name === 'ALL' ? [...video, 'AUDIO'] : name === 'ALL_VIDEO' ? video : [name];
}

const BASIC = ['internal', 'digital', 'repeater', 'analog'] as const;
const APPLE = [...BASIC, 'airplay', 'av_adapter'] as const;
const everyPath = <T>(outputs: readonly T[]) => outputs.flatMap((output) => HDCP_VERSIONS.map((hdcp) => ({ outputs: [output], hdcp })));

/** Devices that each lack one capability: any requirement of a policy affects one of them. */
export const TELLING: readonly Device[] = [
  ...everyPath(APPLE).map((parts) => fairplay(parts)),
  ...everyPath(BASIC).flatMap((parts) => [true, false].map((cgms_a) => widevine({ ...parts, cgms_a }))),
  ...everyPath(BASIC).flatMap((parts) => [true, false].map((cgms_a) => playready({ ...parts, cgms_a }))),
  ...[1, 2, 3, 4].map((security_level) => widevine({ security_level })),
  ...[150, 2000].map((security_level) => playready({ security_level })),
  widevine({ srm: 'outdated' }),
  widevine({ srm: 'unknown' }),
  widevine({ desktop_browser: true }),
  playready({ virtual_machine: true }),
];

const flag = fc.boolean();
const hdcp = fc.constantFrom(...HDCP_VERSIONS);
const some = <T>(outputs: readonly T[]) => fc.subarray([...outputs], { minLength: 1 });

/** Any device. */
export const devices: fc.Arbitrary<Device> = fc.oneof(
  fc.record({ hdcp, outputs: some(APPLE), offline: flag }).map(fairplay),
  fc
    .record({
      hdcp,
      outputs: some(BASIC),
      offline: flag,
      security_level: fc.integer({ min: 1, max: 5 }),
      cgms_a: flag,
      srm: fc.constantFrom('current', 'outdated', 'unknown'),
      desktop_browser: flag,
      vmp_status: fc.constantFrom(null, 'A', 'B'),
    })
    .map(widevine),
  fc
    .record({
      hdcp,
      outputs: some(BASIC),
      offline: flag,
      security_level: fc.constantFrom(150, 2000, 3000),
      cgms_a: flag,
      virtual_machine: flag,
    })
    .map(playready),
);

/** VMP sets; the same before and after a change of a policy. */
export const vmpSets: fc.Arbitrary<readonly string[] | null> = fc.constantFrom(null, [], ['A']);
