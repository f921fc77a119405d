/**
 * Builds an account as a broadcaster has one: 300 playlists, of which most follow three patterns, smart starts, policies, rejected VMP
 * statuses, a static key for some slicers, and its rotation. Every call builds the same account.
 */
import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../src/core/model/json.ts';

/** Builds the account as the seed of an emulator. */
export function realisticAccount(): JsonObject {
  return {
    playlist: [...shows(), ...regions(), ...trailers(), ...specials(), ...ownPlaylists(), ...smartStarts()],
    'drm-policy': policies(),
    'vmp-reject-statuses': ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED', 'PLATFORM_SOFTWARE_VERIFIED'],
    'static-key': { use_static_encryption_key: false, static_key_slicer_ids: slicers() },
    'key-rotation-schedule': { enabled: true, frequency: 7, unit: 'd', hour: 3 },
  };
}

/** Returns the ID of an object or an asset with a name that nobody sees. */
function idOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}

const beam = (name: string): Json => ({ beam: { id: idOf(name) } });
const ad = (dur: number): Json => ({ ad: { dur } });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1).padStart(2, '0'));

function playlist(name: string, desc: string, list: readonly Json[], settings: JsonObject = {}): JsonObject {
  return { id: idOf(`playlist ${name}`), desc, playlist: list, ...settings };
}

/** The teams: their shows, the length of their ad breaks, and the settings of all their playlists. */
const TEAMS = [
  { team: 'kids', shows: ['Otters', 'Lanterns'], episodes: 30, pod: 30, settings: { studio_drm_required: 1 } },
  { team: 'news', shows: ['Morning', 'Midday'], episodes: 25, pod: 60, settings: { beam_break_duration: 20 } },
  { team: 'sport', shows: ['Derby', 'Regatta'], episodes: 25, pod: 60, settings: { ad_slate_fill: 1 } },
  { team: 'film', shows: ['Nights'], episodes: 34, pod: 120, settings: { studio_drm_required: 1, beam_break_duration: 30 } },
] as const;

/** The 194 playlists of the shows: every seventh has longer ad breaks, and every eleventh is not active. */
function shows(): readonly JsonObject[] {
  return TEAMS.flatMap(({ team, shows: names, episodes, pod, settings }) =>
    names.flatMap((show) =>
      numbered(episodes).map((number) => {
        const name = `${team} ${show} ${number}`;
        const length = Number(number) % 7 === 0 ? 90 : pod;
        const list = [beam(`${team}-ident`), beam(`${name} 1`), ad(length), beam(`${name} 2`), ...CLOSING];
        return playlist(name, name, list, { ...settings, ...(Number(number) % 11 === 0 ? { active: 0 } : {}) });
      }),
    ),
  );
}

const CLOSING = [beam('promo-week'), ad(15), beam('station-ident')];

/** The towns that have a channel of their own, by key. */
const TOWNS = [
  ...['Aalborg', 'Bergen', 'Calais', 'Dover', 'Emden', 'Falmouth', 'Galway', 'Haifa', 'Izmir', 'Jaffa', 'Kiel', 'Lagos', 'Messina'],
  ...['Naples', 'Oban', 'Palma', 'Quimper', 'Riga', 'Split', 'Turku', 'Ulm', 'Vigo', 'Whitby', 'Xanten', 'Ystad', 'Zadar', 'Ajaccio'],
  ...['Malmö', 'Łeba', '横浜', 'Ærø', "L'Estartit", 'Ísafjörður', 'Porto "Novo"', 'Bari, Puglia', 'Cádiz', 'Ostende', 'Piräus', 'Sète'],
  ...['חיפה'],
];

function regions(): readonly JsonObject[] {
  return TOWNS.map((town, index) => {
    const evening = [beam('news-evening'), ad(90), beam('promo-week'), ad(15), beam('station-ident')];
    const list = [beam('station-ident'), beam('news-open'), beam(`weather ${town}`), ad(90), ...evening];
    const settings = { repeat: -1, ad_slate_fill: 1, ...(index % 9 === 8 ? { active: 0 } : {}) };
    return playlist(`region ${town}`, `Harbour ${town}`, list, settings);
  });
}

function trailers(): readonly JsonObject[] {
  return numbered(30).map((number) => {
    const list = [beam('promo-week'), beam(`trailer ${number}`)];
    return playlist(`trailer ${number}`, `Trailer ${number}`, list, { repeat: -1, skip_drm: 1 });
  });
}

/** Names that a table has to carry as they are: they look like numbers, like YAML or like variables. */
const SPECIAL_NAMES = [
  ...['007', '0042', 'null', 'yes', '~', '1e3', '2026-11-23', 'true', '- item', 'key: value', '# 1', '@home', '%', '*', '&'],
  ...['`${channel}`', '$${x}', '__proto__', '<script>', 'say "hi"', 'a, b', "it's", '\u00e9t\u00e9', 'x'.repeat(200)],
];

function specials(): readonly JsonObject[] {
  return SPECIAL_NAMES.map((name, index) =>
    playlist(`special ${name}`, name, [beam('station-ident'), beam(`special ${name}`)], index % 6 === 5 ? { repeat: index } : {}),
  );
}

/** The playlists that are like no other. */
function ownPlaylists(): readonly JsonObject[] {
  const news = [beam('news-open'), beam('news-evening')];
  return [
    playlist('main', 'Harbour TV', [beam('station-ident'), ...news, ad(90), beam('weather-all'), ad(60), beam('kids-ident'), ...CLOSING], {
      repeat: -1,
      ad_slate_fill: 1,
    }),
    playlist('night', 'Night service', [beam('night-loop'), ad(90), beam('weather-all')], { repeat: -1 }),
    playlist('slate', 'Back soon', [beam('slate'), beam('station-ident')], { repeat: -1, active: 0 }),
    playlist('election', 'Election special', [...news, beam('election'), ad(30), ...news], { active: 0, beam_break_duration: 45 }),
    playlist('cup', 'Cup final', [beam('sport-ident'), beam('cup 1'), ad(120), beam('cup 2'), ad(60)], { ad_slate_fill: 1, repeat: 2 }),
    playlist('songs', 'Morning songs', [beam('kids-ident'), beam('song 1'), beam('song 2'), beam('song 3')], { studio_drm_required: 1 }),
    playlist('uhd', 'Nature in 4K', [beam('glacier'), beam('forest'), beam('reef')], { studio_drm_required: 1, repeat: 1 }),
    playlist('weather', 'Weather', [beam('weather-all'), ad(15), beam('promo-week')], { repeat: -1, beam_break_duration: 10 }),
    playlist('concert', 'Winter concert', [beam('film-ident'), beam('concert'), ...CLOSING], { studio_drm_required: 1 }),
    playlist('partner', 'For partners', [beam('promo-week'), beam('partner')], { skip_drm: 1 }),
    playlist('archive', 'From the archive', [beam('archive 1'), ad(60), beam('archive 2'), ad(60), beam('archive 3')]),
    playlist('test', 'Test card', [beam('test-card'), beam('station-ident')], { active: 0 }),
  ];
}

/** The assets of smart starts, by the group that they are in. */
const SMART_STARTS = { clips: numbered(60).map((n) => idOf(`clip ${n}`)), shorts: numbered(25).map((n) => idOf(`short ${n}`)) };

function smartStarts(): readonly JsonObject[] {
  const start = (id: string, settings: JsonObject): JsonObject => ({ id, ...settings, playlist: [{ beam: { id } }] });
  return [
    ...SMART_STARTS.clips.map((id) => start(id, { desc: 'Clip', beam_break_duration: 20 })),
    ...SMART_STARTS.shorts.map((id) => start(id, { desc: 'Short', ad_slate_fill: 1 })),
  ];
}

/** Policies for streaming: name, FairPlay HDCP, Widevine level and HDCP, PlayReady level, AirPlay, and hours of a license. */
const STREAMING = [
  ['free', -1, 1, 'HDCP_NONE', 250, true, 24],
  ['basic', -1, 1, 'HDCP_NONE', 250, true, 12],
  ['standard', 0, 1, 'HDCP_V1', 270, true, 24],
  ['family', 0, 2, 'HDCP_V1', 270, true, 48],
  ['sport live', 0, 1, 'HDCP_V1', 270, false, 6],
  ['gold', 1, 3, 'HDCP_V2_2', 300, true, 24],
  ['gold abroad', 1, 3, 'HDCP_V2_2', 300, false, 24],
  ['platinum', 1, 5, 'HDCP_V2_2', 300, false, 24],
  ['early access', 1, 5, 'HDCP_V2_2', 300, false, 4],
] as const;

function policies(): readonly JsonObject[] {
  const streaming = STREAMING.map(([policy_name, fairplay, level, hdcp, playready, airplay, hours]) => ({
    policy_name,
    fairplay: { hd: { hdcp_enforcement: fairplay, allow_airplay: airplay } },
    widevine: {
      content_key_specs: [
        { track_type: 'ALL_VIDEO', security_level: level, required_output_protection: { hdcp } },
        { track_type: 'AUDIO', security_level: 1 },
      ],
      policy_overrides: { can_play: true, license_duration_seconds: hours * 3600 },
    },
    playready: { license_duration_seconds: hours * 3600, hd: { digital_video_protection_level: playready } },
  }));
  const offline = [
    { policy_name: 'download week', days: 7 },
    { policy_name: 'download month', days: 30 },
  ].map(({ policy_name, days }) => ({
    policy_name,
    fairplay: { persistence: true, persistence_duration_seconds: days * 86_400 },
    widevine: { policy_overrides: { can_play: true, can_persist: true, license_duration_seconds: days * 86_400 } },
    playready: { can_persist: true, license_duration_seconds: days * 86_400 },
  }));
  return [...streaming, ...offline, { policy_name: 'screener', fairplay: { hd: { hdcp_enforcement: 1, allow_av_adapter: false } } }];
}

function slicers(): readonly string[] {
  return ['sao', 'fra', 'nyc'].flatMap((place) => numbered(20).map((number) => `${place}-live-${number}`));
}
