/** What the mutants are made from: one project that uses every section, and an account that it changes. */
import type { JsonObject } from '../../src/core/model/json.ts';

/** The asset of this number. */
export const asset = (number: number): string => number.toString(16).padStart(32, 'a55e7000');
const beam = (number: number): JsonObject => ({ beam: { id: asset(number) } });

/** upkeep.yaml; one request at a time, so that the order on the wire is always the same. */
export const PROJECT = (url: string, target = ''): string => `version: 1
rules: { unknown-asset: warning }
targets:
  live:
    base_url: ${url}
    credentials:
      owner: { env: UPKEEP_OWNER }
      api_key: { env: UPKEEP_API_KEY }
    sources: [config]
    vars: { region: eu }
    ownership: shared
    protect: ["playlist/kept"]
    limits: { delete: { count: 5, percent: 100 }, update: { percent: 100 } }
    weakening: allow
    http: { concurrency: 1, requests_per_second: 0, timeout_seconds: 1.5, give_up_seconds: 0, max_body_mib: 4 }
    service: { v3_post: form, smart_start_batch: 100 }
${target}`;

/** Optional parts of upkeep.yaml: guards, and devices. Separate, because each guard takes a thread where something changes. */
export const RULES = `guards:
  - id: production-only-strengthens
    when: target == "live" && change.kind == "drm-policy"
    deny: change.effect == "weakens" || change.fields.exists(f, f.path.matches("^/widevine") && f.after == null)
    message: Ask the rights team.
  - id: iphones-keep-hd
    deny: impact.exists(d, d.device.startsWith("iphone") && "HD" in d.lost)
    message: This takes HD away from iPhones.
  - { id: many-deletes, warn: 'plan.delete > 2 ? plan.changes.size() >= 3 : false', message: Look at each of them. }
devices:
  linux-browser:
    name: Linux browser without verified media path
    system: widevine
    security_level: 1
    outputs: [internal, digital]
    hdcp: none
    vmp_status: PLATFORM_UNVERIFIED
    srm: current
    desktop_browser: true
  lab-machine: { system: playready, security_level: 2000, outputs: [internal], virtual_machine: true }
`;

/** The source files, and the list of assets that one of them names. */
export const SOURCES: { readonly [file: string]: string } = {
  'config/playlists.yaml': `# yaml-language-server: $schema=../schemas/source.schema.json
assets:
  intro: { id: ${asset(1)}, codec: AVC, studio_drm: true }
  film: &film { id: ${asset(2)}, codec: AVC }
playlists:
  evening:
    desc: Evening block of \${region}
    repeat: -1
    studio_drm_required: 1
    playlist:
      - beam: { id: ${asset(1)} }
      - ad: { dur: 90 }
      - beam: film
      - ad: 60
  morning:
    playlist: [{ beam: intro }, { beam: film }]
  kept:
    desc: "quoted: text"
    playlist:
      - beam: film
      - beam: intro
smart_starts:
  vod:
    assets_file: vod.txt
    beam_break_duration: 30
  trailers:
    desc: |-
      Trailers
    assets: [ ${asset(20)}, '${asset(21)}' ]
adopt: { playlist/kept: kept-live }
moved: [ { from: playlist/dusk, to: playlist/evening } ]
`,
  'config/protection.yaml': `drm_policies:
  premium:
    fairplay: { lease: true, hd: { hdcp_enforcement: 1 } }
    widevine:
      content_key_specs:
        - { track_type: ALL, security_level: 1 }
      policy_overrides: { can_play: true, license_duration_seconds: 43200 }
    playready: { license_duration_seconds: 43200 }
  "odd name/ü": {}
vmp_reject_statuses: [PLATFORM_UNVERIFIED, PLATFORM_TAMPERED]
static_key: { scope: specific, slicer_ids: [studio-a, studio-b] }
key_rotation_schedule: { enabled: true, frequency: 1, unit: d, hour: 20 }
removed: [ playlist/legacy ]
`,
  'config/vod.txt': `# one ID a line\n${asset(10)}\n${asset(11)} # the second\r\n\n`,
};

const evening = {
  desc: 'Evening block of eu',
  repeat: -1,
  studio_drm_required: 1,
  playlist: [beam(1), { ad: { dur: 90 } }, beam(2), { ad: { dur: 60 } }],
};
const kept = { desc: 'quoted: text', playlist: [beam(2), beam(1)] };
const undeclared = { id: 'stranger', desc: 'Nobody declared this', repeat: 3, playlist: [beam(7), beam(8)] };
const assetIdPlaylist = (number: number, more: JsonObject): JsonObject => ({ id: asset(number), ...more, playlist: [beam(number)] });
/**
 * The account before: one playlist to create, one to update, a smart start to update, policies to update and to create, and undeclared
 * objects.
 */
export const SEED: JsonObject = {
  playlist: [
    { id: 'evening-live', ...evening, repeat: 0 },
    { id: 'kept-live', ...kept },
    assetIdPlaylist(10, { beam_break_duration: 5 }),
    undeclared,
  ],
  'drm-policy': [
    { _id: 'premium-live', policy_name: 'premium', fairplay: { lease: false } },
    { _id: 'stranger', policy_name: 'stranger', fairplay: { lease: true } },
  ],
  'vmp-reject-statuses': ['PLATFORM_UNVERIFIED'],
  'static-key': { use_static_encryption_key: false, static_key_slicer_ids: null },
  'key-rotation-schedule': { enabled: true, frequency: 7, unit: 'd', hour: 3 },
};
