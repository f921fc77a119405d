/** Accounts at a glance, for tests of their page. */
import type { AccountOverview, KindOverview, PlaylistOverview } from '../../src/core/model/account-overview.ts';
import type { ListEntry } from '../../src/core/model/run-of-show.ts';

/** Returns an account with some members replaced. */
export function account(more: Partial<AccountOverview> = {}): AccountOverview {
  return {
    target: 'live',
    baseUrl: 'https://api.example',
    readAt: Date.parse('2027-01-10T12:00:00Z'),
    at: null,
    parts: [],
    unread: [],
    remarks: [],
    assets: {},
    assetsUnread: [],
    ...more,
  };
}

/** Returns the part of an account that holds playlists. */
export function playlistsPart(playlists: readonly PlaylistOverview[]): AccountOverview['parts'][number] {
  return { kind: 'playlist', overview: { type: 'playlists', playlists }, warnings: [] };
}

/** Returns a live playlist. */
export function playlist(id: string, entries: readonly ListEntry[], more: Partial<PlaylistOverview> = {}): PlaylistOverview {
  const content = { entries, breakSeconds: 0, repeat: 0 };
  return {
    id,
    name: `Playlist ${id}`,
    content,
    isOnAir: true,
    requiresDrm: true,
    marks: [{ style: 'good', text: 'DRM required' }],
    ...more,
  };
}

const POLICIES: KindOverview = {
  type: 'policies',
  policies: [
    { id: '1', name: 'premium', settings: { widevine: { level: 3, can_play: true }, fairplay: { lease: true } } },
    { id: '2', name: 'standard', settings: { widevine: { level: 1, can_play: true }, fairplay: { lease: false } } },
    { id: '3', name: 'standard too', settings: { widevine: { level: 1, can_play: true }, fairplay: { lease: false } } },
  ],
  defaults: { widevine: { level: 1, can_play: true }, fairplay: { lease: false } },
  systems: { fairplay: 'FairPlay', widevine: 'Widevine' },
};

const DAY = 24 * 3_600_000;

/** An account of 300 playlists with an overdue rotation, an asset that is gone, assets that end soon, and 60 slicers. */
export function largeAccount(): AccountOverview {
  const { readAt } = account();
  const ids = Array.from({ length: 400 }, (_, index) => `${index}`.padStart(32, '0'));
  const untilOf = (index: number) => (index < 8 ? { until: readAt + (index - 1) * DAY } : {});
  const playlists = Array.from({ length: 300 }, (_, index) =>
    playlist(
      `${index}`.padStart(32, 'a'),
      Array.from({ length: 8 }, (_entry, place) =>
        place % 3 === 2
          ? ({ type: 'ad', seconds: 60 } as const)
          : ({ type: 'beam', id: ids[(index * 7 + place) % ids.length] ?? '' } as const),
      ),
      { isOnAir: index % 11 !== 0 },
    ),
  );
  const members = Array.from({ length: 60 }, (_, index) => ({ style: 'alarm', text: `sao-live-${index}` }) as const);
  const setting = (kind: string, title: string, text: string, more: { members?: typeof members; warnings?: readonly string[] } = {}) => ({
    kind,
    overview: { type: 'setting', title, summary: { style: 'alarm', text }, members: more.members ?? [] } as const,
    warnings: more.warnings ?? [],
  });
  return account({
    parts: [
      { kind: 'drm-policy', overview: POLICIES, warnings: [] },
      setting('key-rotation-schedule', 'Key rotation', 'Overdue since yesterday.', { warnings: ['key rotation is overdue'] }),
      setting('static-key', 'Static key', '60 live slicers use the static key.', { members }),
      playlistsPart(playlists),
    ],
    assets: Object.fromEntries(ids.map((id, index) => [id, { name: `Episode ${index}`, seconds: 900, ...untilOf(index) }])),
  });
}

/** An account with something of everything. */
export const EVERYTHING = account({
  parts: [
    { kind: 'drm-policy', overview: POLICIES, warnings: [] },
    {
      kind: 'static-key',
      overview: {
        type: 'setting',
        title: 'Static key',
        summary: { style: 'alarm', text: '1 live slicer uses the static key.' },
        members: [{ style: 'alarm', text: 'sao-live-001' }],
      },
      warnings: ['key rotation is failing'],
    },
    playlistsPart([
      playlist('p1', [
        { type: 'beam', id: 'pilot' },
        { type: 'ad', seconds: 90 },
        { type: 'beam', id: 'gone' },
      ]),
      playlist('p2', [{ type: 'beam', id: 'nobody-knows' }], {
        name: '',
        isOnAir: false,
        requiresDrm: false,
        marks: [{ style: 'quiet', text: 'off air' }],
      }),
      playlist('p3', [
        { type: 'beam', id: 'soon' },
        { type: 'odd', text: '{"x":1}' },
      ]),
    ]),
  ],
  unread: [{ kind: 'vmp-reject-statuses', reason: 'GET failed with 500', hint: 'try again' }],
  remarks: [{ kind: 'playlist', id: 'p3', text: 'cannot be declared: entry 2' }],
  assets: {
    pilot: { name: 'The Pilot', seconds: 3600 },
    gone: { name: 'Last Year', seconds: 1800, until: Date.parse('2027-01-01T00:00:00Z') },
    soon: { name: 'Farewell', seconds: 1200, until: Date.parse('2027-01-20T00:00:00Z') },
  },
  assetsUnread: ['The service did not tell about 1 of 4 assets: 500'],
});
