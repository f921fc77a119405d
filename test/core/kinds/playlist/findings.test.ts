import { expect, test } from 'vitest';
import type { Json } from '../../../../src/core/model/json.ts';
import { formatFindings } from '../fixtures.ts';
import { beam, declare, id } from './fixtures.ts';

const assets = {
  intro: { id: id(1), codec: 'AVC', studio_drm: true },
  show: { id: id(3), codec: 'HEVC' },
};

test('findings about playlists have a summary and a hint in plain words', () => {
  const playlists: { readonly [key: string]: Json } = {
    a: {
      desc: 'two\nlines',
      playlist: [{ ad: 1 }, { ad: 1 }, { beam: 'x' }, { beam: 'intro' }, { beam: 'show' }, { beam: { id: 'intro' } }],
    },
    both: { playlist: [{ ...beam(1), ad: 5 }, {}] },
    none: { playlist: [] },
    long: { playlist: Array.from({ length: 101 }, (_, index) => beam(index)) },
    one: { desc: 'none', playlist: [beam(5), beam(6)] },
    solo: { playlist: [beam(7)] },
    again: { playlist: [beam(7)] },
  };
  expect(formatFindings(declare({ assets: assets, playlists }).findings)).toMatchInlineSnapshot(`
    "warning ad-first at playlists/a/playlist/0/ad
      an ad break before the first asset
      An ad break belongs after the asset that it follows.
    warning ad-after-ad at playlists/a/playlist/1/ad
      two ad breaks in a row
      Write one ad break with the length of both.
    warning unknown-asset at playlists/a/playlist/2/beam
      x is neither in the catalog nor an asset ID
      An asset ID has 32 hexadecimal characters: correct it, or name it under \`assets\`.
    warning unknown-asset at playlists/a/playlist/5/beam
      intro is neither in the catalog nor an asset ID
      It is a name of the catalog: write \`beam: intro\` to mean that asset.
    error mixed-codec at playlists/a/playlist/4/beam
      show is HEVC, but intro before it is AVC
      A playlist should hold assets of one codec: split it.
    warning control-character at playlists/a/desc
      the description holds control characters
      Viewers see it as a name: write it in one line, without tabs and other control characters.
    error playlist-entry at playlists/both/playlist/0
      an entry holds exactly one of \`beam\` and \`ad\`
      Write \`beam\` and \`ad\` as separate entries, in the order of playback: \`- beam: <asset>\`, then \`- ad: <seconds>\`.
    error playlist-entry at playlists/both/playlist/1
      an entry holds exactly one of \`beam\` and \`ad\`
      Write \`beam\` and \`ad\` as separate entries, in the order of playback: \`- beam: <asset>\`, then \`- ad: <seconds>\`.
    error no-beam at playlists/none/playlist
      the list holds no asset
      Add at least one \`- beam: <asset>\`, or remove the playlist.
    error too-many-assets at playlists/long/playlist/100
      101 assets in one playlist; the maximum is 100
      Split it into several playlists.
    error mixed-codec at playlists/long/playlist/3/beam
      show is HEVC, but intro before it is AVC
      A playlist should hold assets of one codec: split it.
    error duplicate-desc at playlists/one/desc
      one has the same description as none: none
      Give each playlist a \`desc\` of its own, or bind each of them to its live playlist under \`adopt\`.
    error asset-claimed-twice at playlists/again/playlist
      playlist/again claims the playlist of asset feed0000000000000000000000000007, which playlist/solo claims already
      Declare it once. A second live playlist of this one asset needs its own ID under \`adopt\`."
  `);
});

test('findings about smart starts have a summary and a hint in plain words', () => {
  const smart_starts: { readonly [key: string]: Json } = {
    both: { assets: [], assets_file: 'vod.txt' },
    neither: {},
    empty: { assets_file: 'empty.txt' },
    lines: { assets_file: 'lines.txt' },
    twice: { desc: 'a\tb', assets: [id(8), id(8), 'unknown'] },
    claims: { assets: [id(8)] },
  };
  const files = { 'empty.txt': '# nothing\n', 'lines.txt': `${id(9)} ${id(10)}\n../x\n`, 'vod.txt': id(11) };
  expect(formatFindings(declare({ smart_starts }, files).findings)).toMatchInlineSnapshot(`
    "error assets-and-file at smart_starts/both/assets_file
      the group has both \`assets\` and \`assets_file\`
      Keep one of the two; \`assets: null\` in an overlay removes the list.
    error no-assets at smart_starts/neither
      the group lists no assets
      Add \`assets\` or \`assets_file\`.
    warning assets-file-empty at smart_starts/empty/assets_file
      empty.txt lists no asset
      Write one asset ID a line, or remove the group.
    error assets-file-line at smart_starts/lines/assets_file
      the line is not one asset ID
      Write one asset ID (or catalog name) a line; \`#\` begins a comment.
    error assets-file-line at smart_starts/lines/assets_file
      the line is not one asset ID
      Write one asset ID (or catalog name) a line; \`#\` begins a comment.
    warning control-character at smart_starts/twice/desc
      the description holds control characters
      Viewers see it as a name: write it in one line, without tabs and other control characters.
    error asset-repeated at smart_starts/twice/assets/1
      feed0000000000000000000000000008 is listed twice in this group
      List it once.
    warning unknown-asset at smart_starts/twice/assets/2
      unknown is neither in the catalog nor an asset ID
      An asset ID has 32 hexadecimal characters: correct it, or name it under \`assets\`.
    error asset-claimed-twice at smart_starts/claims/assets/0
      smart-start/claims/feed0000000000000000000000000008 claims the playlist of asset feed0000000000000000000000000008, which smart-start/twice/feed0000000000000000000000000008 claims already
      Declare it once. A second live playlist of this one asset needs its own ID under \`adopt\`."
  `);
});

test('findings about the `assets` section have a summary and a hint in plain words', () => {
  const assets = { a: { id: id(1) }, b: { id: id(1) }, [id(2)]: { id: id(3) }, short: { id: 'long' }, long: { id: 'longer' } };
  expect(formatFindings(declare({ assets }).findings)).toMatchInlineSnapshot(`
    "error asset-id-repeated at assets/b/id
      b has the same asset ID as a
      Give each asset one name: keep one of the two, and use it everywhere.
    error asset-name-ambiguous at assets/feed0000000000000000000000000002
      the name feed0000000000000000000000000002 of asset feed0000000000000000000000000003 is also the ID of another asset
      Choose a name that is not an ID.
    error asset-name-ambiguous at assets/long
      the name long of asset longer is also the ID of another asset
      Choose a name that is not an ID."
  `);
});
