/** Random configurations that validation accepts. */
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import { assetId, entries, overrides, playready, settings, slicers, spec, vmp } from './accounts.ts';

/** Descriptions; `$${` is a literal `${`. */
const desc = fc
  .oneof(
    fc.constantFrom('a', 'A', 'evening block', 'evening ', 'us & them', 'Cafe\u0301', 'null', '7771e33', '0123'),
    fc.string({ minLength: 1, maxLength: 8 }),
  )
  .map((literal) => literal.replaceAll('${', () => '$${'));

/**
 * Generates playlists with different keys, without those whose description or single asset is reserved or used twice, since that is a
 * finding.
 */
function playlistsExcept(reserved: readonly string[]): fc.Arbitrary<JsonObject> {
  const key = fc.constantFrom('p1', 'p2', 'p3', 'evening', 'a');
  const playlistEntry = fc.tuple(key, fc.record({ desc, playlist: entries, ...settings }, { requiredKeys: ['playlist'] }));
  return fc.uniqueArray(playlistEntry, { maxLength: 5, selector: ([name]) => name }).map((all) => {
    const used = new Set(reserved);
    return Object.fromEntries(
      all.filter(([name, { desc: description = name, playlist }]) => {
        const names = [`desc ${description}`, ...(playlist.length === 1 ? [JSON.stringify(playlist[0])] : [])];
        const isFree = names.every((name) => !used.has(name));
        for (const name of isFree ? names : []) used.add(name);
        return isFree;
      }),
    );
  });
}

const smartStart = fc.record(
  { desc, assets: fc.uniqueArray(assetId, { minLength: 1, maxLength: 4 }), ...settings },
  { requiredKeys: ['assets'] },
);

/** The three ways to cover all tracks (drm-api-v3 section 2.3). */
const specs = fc
  .constantFrom(['ALL'], ['ALL_VIDEO', 'AUDIO'], ['SD', 'HD', 'UHD1', 'UHD2', 'AUDIO'])
  .chain((tracks) => fc.tuple(...tracks.map((track) => spec(fc.constant(track), fc.integer({ min: 1, max: 5 })))));

const policy = fc.record(
  {
    fairplay: fc.record({ persistence: fc.constant(true), lease: fc.boolean(), lease_duration_seconds: fc.constantFrom(0, 600) }),
    widevine: fc.record({ content_key_specs: specs, policy_overrides: overrides }, { requiredKeys: [] }),
    playready,
  },
  { requiredKeys: [] },
);

const scope: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom({ scope: 'all' }, { scope: 'none' }),
  slicers.map((slicer_ids) => ({ scope: 'specific', slicer_ids })),
);

const schedule: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom({ enabled: false }, {}),
  fc.record({
    enabled: fc.constant(true),
    frequency: fc.integer({ min: 1, max: 40 }),
    unit: fc.constantFrom('d', 'm'),
    hour: fc.integer({ min: 0, max: 23 }),
  }),
);

const policies = fc.dictionary(fc.constantFrom('hd', 'uhd premium', '0123', 'a'), policy, { noNullPrototype: true });

/** A configuration: each section is present in two of three cases, as only declared resources can fail. */
export const configuration: fc.Arbitrary<JsonObject> = optional(smartStart).chain((vod) =>
  fc
    .record({
      smart_starts: fc.constant(vod && { vod }),
      playlists: optional(playlistsExcept((vod?.assets ?? []).map((id) => JSON.stringify({ beam: { id } })))),
      drm_policies: optional(policies),
      vmp_reject_statuses: optional(vmp),
      static_key: optional(scope),
      key_rotation_schedule: optional(schedule),
    })
    .map((sections) => Object.fromEntries(Object.entries(sections).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))),
);

function optional<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { freq: 2, nil: undefined });
}
