/** Random accounts, as awkward as people and other tools leave them. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import { asList } from '../../src/core/model/json-readers.ts';
import type { ServiceQuirks } from '../../src/emulator/quirks.ts';
import { asset } from '../e2e/accounts.ts';
import { rounds } from '../support/figures.ts';
import { atMost } from '../support/patience.ts';

/** Cases of a property that runs the whole program: a few in `npm test`, many in `npm run prove`. */
export const CASES = rounds(20, 1500);

/** How long such a property may take, milliseconds: many times what it takes. */
export const TIMEOUT = atMost(CASES * 6_000);

/** What a source file takes for a variable. */
const variable = `$${'{region}'}`;

/** Texts that files, terminals and programs stumble over. */
const SPECIAL_TEXTS = [
  '',
  'a',
  'A',
  'evening block',
  '0123',
  '7771e33',
  'null',
  'true',
  '~',
  variable,
  `$${variable}`,
  '$',
  '__proto__',
  'constructor',
  '# no comment',
  '- list: {',
  '"quoted"',
  ' padded ',
  'two\nlines',
  'tab\tand\u0000null',
  '\u001b[31mred',
  'line\u2028separator',
  'right\u202eleft',
  '🎬',
  'Ünïcode',
  '\ufeffmark',
  '\ud800 alone',
  'x'.repeat(300),
];

/** Texts of any sort. */
export const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...SPECIAL_TEXTS) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);

/** IDs out of a small pool, so that they meet: also of digits only, and such as a number could be read from. */
export const assetId = fc.oneof(
  fc.integer({ min: 1, max: 6 }).map(asset),
  fc.constantFrom('0'.repeat(32), '12345678901234567890123456789012', `7771e33${'1'.repeat(25)}`),
);

const flag = fc.constantFrom(0, 1);
/** The integer settings of a playlist, in their ranges. */
export const settings = {
  active: flag,
  ad_slate_fill: flag,
  beam_break_duration: fc.constantFrom(0, 30),
  repeat: fc.constantFrom(0, -1, 3),
  skip_drm: flag,
  studio_drm_required: flag,
};

const beam = assetId.map((id): JsonObject => ({ beam: { id } }));
const adBreak = fc.integer({ min: 1, max: 300 }).map((dur): JsonObject => ({ ad: { dur } }));
/** A list that may be declared: an asset, then anything. */
export const entries = fc.oneof(
  beam.map((first) => [first]),
  fc.tuple(beam, fc.array(fc.oneof(beam, adBreak), { maxLength: 5 })).map(([first, rest]) => [first, ...rest]),
);
const onlyAds = fc.array(adBreak, { maxLength: 2 });
/** Entries that no document describes, or whose ad break has no length in whole seconds. */
const ODD_ENTRIES: readonly Json[] = [{ ad: {} }, { ad: { dur: 30.5 } }, { ad: { dur: 0 } }, { beam: {} }, { slate: { id: 'x' } }, {}, 'x'];
const oddList = fc.tuple(entries, fc.constantFrom(...ODD_ENTRIES)).map(([list, odd]) => [...list, odd]);

/** Whether an account has an odd entry, which a plan shows as the service gives it. */
export function hasOddEntry({ playlist }: JsonObject): boolean {
  const lists = (asList(playlist) ?? []).map((each) => asList(Object(each).playlist) ?? []);
  return lists.flat().some((entry) => ODD_ENTRIES.some((odd) => isDeepStrictEqual(odd, entry)));
}

/** A live playlist; often under the ID of an asset, its own or another's. */
const livePlaylist = fc
  .record(
    {
      id: fc.oneof(assetId, fc.uuid()),
      desc: text,
      playlist: fc.oneof({ weight: 9, arbitrary: entries }, { weight: 1, arbitrary: onlyAds }, { weight: 1, arbitrary: oddList }),
      ...settings,
    },
    { requiredKeys: ['id', 'playlist'] },
  )
  .chain((first) => fc.boolean().map((isSmartStart) => (isSmartStart ? { ...first, playlist: [{ beam: { id: first.id } }] } : first)));

const TRACKS = ['SD', 'HD', 'UHD1', 'UHD2', 'AUDIO', 'ALL_VIDEO', 'ALL'];

/** One element of `content_key_specs`; levels above 2 need `hdcp` beside them, so it is always there. */
export function spec(track: fc.Arbitrary<string>, level: fc.Arbitrary<number>) {
  return fc.record(
    {
      track_type: track,
      security_level: level,
      required_output_protection: fc.record({ hdcp: fc.constantFrom('HDCP_NONE', 'HDCP_V2') }),
    },
    { requiredKeys: ['track_type', 'required_output_protection'] },
  );
}

/** Settings of `playready` that may be declared. */
export const playready = fc.record(
  {
    can_play: fc.boolean(),
    license_duration_seconds: fc.constantFrom(86_400, 600),
    license_begin_seconds: fc.constantFrom(0, 3600),
    hd: fc.record({ security_level: fc.constantFrom(2000, 3000), play_enabler: fc.boolean() }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

/** A whole `policy_overrides`. */
export const overrides = fc.record({
  can_play: fc.boolean(),
  can_persist: fc.boolean(),
  license_duration_seconds: fc.constantFrom(86_400, 60),
});

/** A live policy, which may hold what validation refuses: uncovered or repeated tracks, unknown levels, durations without their switch. */
const livePolicy = fc.record(
  {
    _id: fc.uuid(),
    policy_name: text.filter((name) => name !== ''),
    fairplay: fc.record(
      {
        persistence: fc.boolean(),
        lease_duration_seconds: fc.constantFrom(0, 600),
        sd: fc.record({ hdcp_enforcement: fc.constantFrom(-1, 0, 7) }),
      },
      { requiredKeys: [] },
    ),
    widevine: fc.record(
      {
        content_key_specs: fc.array(spec(fc.constantFrom(...TRACKS, 'UHD9'), fc.integer({ min: 0, max: 6 })), { maxLength: 6 }),
        policy_overrides: overrides,
      },
      { requiredKeys: [] },
    ),
    playready,
  },
  { requiredKeys: ['_id', 'policy_name'] },
);

/** A set of VMP statuses, known and unknown. */
export const vmp = fc.uniqueArray(fc.constantFrom('PLATFORM_UNVERIFIED', 'PLATFORM_TAMPERED', 'LATER_STATUS', '#'), { maxLength: 4 });
const liveVmp = fc.oneof(vmp, fc.uniqueArray(text, { maxLength: 3 }));
/** A list of slicers that may be declared. */
export const slicers = fc.uniqueArray(fc.constantFrom('studio-a', 'studio-b', '007', 'owner:studio'), { minLength: 1, maxLength: 4 });

const liveSlicers = fc.uniqueArray(text, { maxLength: 3 });

const liveSchedule = fc.oneof(
  fc.constant(null),
  fc.record(
    {
      enabled: fc.boolean(),
      frequency: fc.integer({ min: 1, max: 40 }),
      unit: fc.constantFrom('d', 'm'),
      hour: fc.integer({ min: 0, max: 23 }),
    },
    { requiredKeys: [] },
  ),
);

/** An account in the form of a seed. */
export const account: fc.Arbitrary<JsonObject> = fc.record({
  playlist: fc.uniqueArray(livePlaylist, { maxLength: 10, selector: ({ id }) => id }),
  'drm-policy': fc.uniqueArray(livePolicy, { maxLength: 5, selector: ({ _id }) => _id }),
  'vmp-reject-statuses': liveVmp,
  'static-key': fc.record(
    { use_static_encryption_key: fc.boolean(), static_key_slicer_ids: fc.oneof(fc.constant(null), fc.constant([]), slicers, liveSlicers) },
    { requiredKeys: [] },
  ),
  'key-rotation-schedule': liveSchedule,
});

/** Service quirks that the API documents leave open. */
export const quirks: fc.Arbitrary<Partial<ServiceQuirks>> = fc.record({
  createdStatus: fc.constantFrom(200 as const, 201 as const),
  emptyLists: fc.constantFrom('present' as const, 'missing' as const),
  smartStartElements: fc.constantFrom('ids' as const, 'objects' as const),
  numericStrings: fc.boolean(),
  switches: fc.constantFrom('numbers' as const, 'booleans' as const),
  abridgedPolicies: fc.boolean(),
  unsetSchedule: fc.constantFrom('null' as const, 'absent' as const, 'empty' as const),
  unsetSlicers: fc.constantFrom('null' as const, 'empty' as const),
  listOrder: fc.constantFrom('insertion' as const, 'reversed' as const, 'shuffled' as const),
});
