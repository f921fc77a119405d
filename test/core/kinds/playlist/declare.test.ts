import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASSET_CODES } from '../../../../src/core/kinds/playlist/assess-assets.ts';
import { playlist } from '../../../../src/core/kinds/playlist/index.ts';
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';
import { rounds } from '../../../support/figures.ts';
import { settableCodes } from '../../../support/finding-codes.ts';
import { assertProperty } from '../../../support/property.ts';
import { beam, declare, defaults, entries, id, onlyResource, settings } from './fixtures.ts';

const assets = {
  intro: { id: id(1), codec: 'AVC', studio_drm: true },
  film: { id: id(2), codec: 'AVC' },
  show: { id: id(3), codec: 'HEVC' },
};

const KIND_DATA = {
  studio_drm: { [id(1)]: true },
  names: { [id(1)]: 'intro', [id(2)]: 'film', [id(3)]: 'show' },
  facts: { [id(1)]: { name: 'intro', studioDrm: true }, [id(2)]: { name: 'film' }, [id(3)]: { name: 'show' } },
};

function findingsOf(sections: { readonly [section: string]: Json }, files = {}) {
  return declare(sections, files).findings.map(({ severity, code, path }) => [severity, code, path.join('/')]);
}

function playlistOf(...list: readonly Json[]): { readonly [section: string]: Json } {
  return { playlists: { evening: { playlist: list } } };
}

describe('declaring a playlist', () => {
  test('adds every default, takes its key as description, and expands its short forms', () => {
    const resource = onlyResource({
      assets: assets,
      playlists: { evening: { repeat: -1, playlist: [{ beam: 'intro' }, { ad: 60 }, { beam: id(9) }] } },
    });
    expect(resource).toEqual({
      address: 'playlist/evening',
      displayName: 'evening',
      remoteName: 'evening',
      fields: { ...defaults, desc: 'evening', repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }, beam(9)] },
      declaredFields: { repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }, beam(9)] },
      matchKeys: [{ remoteName: 'evening' }],
      mayMatchByBinding: true,
      path: ['playlists', 'evening'],
      kindData: KIND_DATA,
    });
  });

  test('of exactly one beam gives match keys by its asset first, then by its description', () => {
    const { remoteName, matchKeys } = onlyResource({ playlists: { solo: { desc: 'Solo', playlist: [beam(4)] } } });
    expect([remoteName, matchKeys]).toEqual(['Solo', [{ id: id(4) }, { remoteName: 'Solo' }]]);
  });

  test('of one beam and an ad gives a match key by its description only', () => {
    expect(onlyResource({ playlists: { solo: { playlist: [beam(4), { ad: 9 }] } } }).matchKeys).toEqual([{ remoteName: 'solo' }]);
  });

  test('of one beam needs no description', () => {
    expect(onlyResource({ playlists: { solo: { desc: '', playlist: [beam(4)] } } }).matchKeys).toEqual([{ id: id(4) }]);
  });

  test('gives the same fields for true and false as for 1 and 0', () => {
    const words = onlyResource({ playlists: { a: { active: false, skip_drm: true, playlist: [beam(1)] } } });
    const numbers = onlyResource({ playlists: { a: { active: 0, skip_drm: 1, playlist: [beam(1)] } } });
    expect(words).toEqual(numbers);
    expect(words.fields).toMatchObject({ active: 0, skip_drm: 1 });
  });

  test('gives the same resource when its canonical form is declared again', () => {
    assertProperty(
      fc.property(entries, settings, fc.string({ minLength: 1 }), (list, values, desc) => {
        const first = declare({ playlists: { a: { desc, ...values, playlist: list } } }).resources.get('playlist/a');
        const again = declare({ playlists: { a: first?.fields ?? {} } }).resources.get('playlist/a');
        expect(first?.fields).toEqual({ desc, ...values, playlist: list });
        expect(again?.fields).toEqual(first?.fields);
        expect(again?.declaredFields).toEqual(first?.fields);
      }),
    );
  });
});

describe('declaring a smart start', () => {
  test('gives one resource for each asset, matched by the ID of the asset only', () => {
    const { resources, findings } = declare({
      assets: assets,
      smart_starts: { vod: { assets: ['intro', id(9)], desc: 'VOD', beam_break_duration: 30 } },
    });
    expect(findings).toEqual([]);
    expect([...resources.keys()]).toEqual([`smart-start/vod/${id(1)}`, `smart-start/vod/${id(9)}`]);
    expect(resources.get(`smart-start/vod/${id(1)}`)).toEqual({
      address: `smart-start/vod/${id(1)}`,
      displayName: 'intro',
      remoteName: 'VOD',
      fields: { ...defaults, desc: 'VOD', beam_break_duration: 30, playlist: [beam(1)] },
      declaredFields: { desc: 'VOD', beam_break_duration: 30, playlist: [beam(1)] },
      matchKeys: [{ id: id(1) }],
      mayMatchByBinding: false,
      path: ['smart_starts', 'vod', 'assets', 0],
      kindData: KIND_DATA,
    });
    expect(resources.get(`smart-start/vod/${id(9)}`)).toMatchObject({ displayName: id(9), path: ['smart_starts', 'vod', 'assets', 1] });
  });

  test('uses an empty description by default', () => {
    const resource = onlyResource({ smart_starts: { vod: { assets: [id(1)] } } });
    expect([resource.remoteName, resource.fields.desc, resource.declaredFields]).toEqual(['', '', { playlist: [beam(1)] }]);
  });

  test('accepts an empty group', () => {
    expect(declare({ smart_starts: { vod: { assets: [] } } })).toEqual({ resources: new Map(), findings: [] });
  });

  test('reads assets from a file with names or IDs, comments, Windows line ends and a byte order mark', () => {
    const text = `\uFEFF# the back catalog\r\n${id(1)}\r\n\r\n  film   # the film\r\n${id(9)}#tail\noutro`;
    const { resources, findings } = declare({ assets: assets, smart_starts: { vod: { assets_file: 'vod.txt' } } }, { 'vod.txt': text });
    expect([...resources.values()].map(({ displayName, path }) => [displayName, path.join('/')])).toEqual([
      ['intro', 'smart_starts/vod/assets_file'],
      ['film', 'smart_starts/vod/assets_file'],
      [id(9), 'smart_starts/vod/assets_file'],
      ['outro', 'smart_starts/vod/assets_file'],
    ]);
    expect(findings.map(({ code, textFilePosition }) => [code, textFilePosition])).toEqual([
      ['unknown-asset', { file: 'config/vod.txt', line: 6, column: 1 }],
    ]);
  });

  test('accepts a file of tens of thousands of lines', () => {
    const count = rounds(20_000, 100_000);
    const text = Array.from({ length: count }, (_, index) => id(index)).join('\n');
    const { resources, findings } = declare({ smart_starts: { vod: { assets_file: 'vod.txt' } } }, { 'vod.txt': text });
    expect([resources.size, findings.length]).toEqual([count, 0]);
  });
});

test('what is null declares nothing', () => {
  expect(declare({ playlists: { evening: null }, smart_starts: { vod: null } })).toEqual({ resources: new Map(), findings: [] });
});

describe('a playlist is invalid or has a warning', () => {
  const list = (count: number) => Array.from({ length: count }, (_, index) => beam(index));

  test('with over 100 assets, not counting ads', () => {
    expect(findingsOf(playlistOf(...list(100), { ad: 5 }))).toEqual([]);
    expect(findingsOf(playlistOf(...list(1), { ad: 5 }, ...list(100)))).toEqual([
      ['error', 'too-many-assets', 'playlists/evening/playlist/101'],
    ]);
  });

  test('without any asset', () => {
    expect(findingsOf(playlistOf())).toEqual([['error', 'no-beam', 'playlists/evening/playlist']]);
    expect(findingsOf(playlistOf({ ad: 5 }))).toContainEqual(['error', 'no-beam', 'playlists/evening/playlist']);
  });

  test('without a list', () => {
    expect(findingsOf({ playlists: { evening: {} } })).toEqual([['error', 'no-beam', 'playlists/evening/playlist']]);
  });

  test('with an entry that is neither beam nor ad, and keeps the other entries', () => {
    const { resources, findings } = declare(playlistOf({}, { ad: 5 }, beam(1)));
    expect(findings.map(({ code }) => code)).toEqual(['playlist-entry']);
    expect(resources.get('playlist/evening')?.fields.playlist).toStrictEqual([{ ad: { dur: 5 } }, beam(1)]);
  });

  test('with an entry that is both beam and ad or neither, without a second finding about the list', () => {
    expect(findingsOf(playlistOf({ ...beam(1), ad: 5 }, {}))).toEqual([
      ['error', 'playlist-entry', 'playlists/evening/playlist/0'],
      ['error', 'playlist-entry', 'playlists/evening/playlist/1'],
    ]);
  });

  test('with an ad first, and with two ads in a row', () => {
    expect(findingsOf(playlistOf({ ad: 5 }, beam(1), { ad: 5 }, { ad: 6 }, beam(2), { ad: 7 }))).toEqual([
      ['warning', 'ad-first', 'playlists/evening/playlist/0/ad'],
      ['warning', 'ad-after-ad', 'playlists/evening/playlist/3/ad'],
    ]);
  });

  test('with an asset that is neither an ID nor a name of the `assets` section', () => {
    const sections = {
      assets: { intro: { id: 'intro-1' } },
      ...playlistOf({ beam: 'intro' }, { beam: { id: 'intro' } }, { beam: 'outro' }),
    };
    const { findings } = declare(sections);
    expect(findings.map(({ code, path }) => [code, path[3]])).toEqual([
      ['unknown-asset', 1],
      ['unknown-asset', 2],
    ]);
    expect(findings[0]?.hint).toContain('`beam: intro`');
    expect(findings[1]?.hint).toContain('32 hexadecimal characters');
  });

  test('with codecs that differ, where the `assets` section has them', () => {
    const mixed = { assets: assets, ...playlistOf({ beam: 'intro' }, { beam: id(9) }, { beam: 'film' }, { beam: id(3) }) };
    const { findings } = declare(mixed);
    expect(findings).toMatchObject([{ severity: 'error', code: 'mixed-codec', path: ['playlists', 'evening', 'playlist', 3, 'beam'] }]);
    expect(findings[0]?.summary).toBe('show is HEVC, but intro before it is AVC');
    expect(findingsOf({ assets: { ...assets, show: { id: id(3) } }, ...playlistOf({ beam: 'intro' }, { beam: 'show' }) })).toEqual([]);
  });

  test.each(['a\u0000', '\u001b[31mred', 'two\nlines', 'tab\tbed', 'bell\u0007', 'delete\u007f', 'next\u0085line'])(
    'with a description of control characters: %j',
    (desc) => {
      expect(findingsOf({ playlists: { a: { desc, playlist: [beam(1), beam(2)] } } })).toEqual([
        ['warning', 'control-character', 'playlists/a/desc'],
      ]);
      expect(findingsOf({ smart_starts: { vod: { desc, assets: [id(1), id(2)] } } })).toEqual([
        ['warning', 'control-character', 'smart_starts/vod/desc'],
      ]);
    },
  );

  test('but not with any other description', () => {
    for (const desc of ['Ünïcode 🎬', '👩‍👩‍👧', 'right\u202eleft', 'a\u2028b'])
      expect(findingsOf({ playlists: { a: { desc, playlist: [beam(1), beam(2)] } } })).toEqual([]);
  });

  test('but not where it allows playback without a signature under DRM, which are independent', () => {
    const settings = { skip_drm: true, studio_drm_required: 1 };
    expect(findingsOf({ playlists: { a: { ...settings, playlist: [beam(1)] } } })).toEqual([]);
    expect(findingsOf({ smart_starts: { vod: { ...settings, assets: [id(1), id(2)] } } })).toEqual([]);
  });

  test('where it has neither a description nor another match key', () => {
    expect(declare({ playlists: { a: { desc: '', playlist: [beam(1), beam(2)] } } }).resources.get('playlist/a')).toMatchObject({
      matchKeys: [],
    });
  });

  test('with the description of another playlist, even where that is a key; empty descriptions do not conflict', () => {
    const { findings } = declare({
      playlists: {
        news: { playlist: [beam(1)] },
        late: { desc: 'news', playlist: [beam(2)] },
        x: { desc: '', playlist: [beam(3)] },
        y: { desc: '', playlist: [beam(4)] },
      },
    });
    expect(findings).toStrictEqual([
      {
        severity: 'error',
        code: 'duplicate-desc',
        path: ['playlists', 'late', 'desc'],
        summary: 'late has the same description as news: news',
        hint: 'Give each playlist a `desc` of its own, or bind each of them to its live playlist under `adopt`.',
        other: { path: ['playlists', 'news', 'desc'] },
        address: 'playlist/late',
      },
    ]);
  });

  test('with the description of another playlist, unless `adopt` names both', () => {
    const playlists = Object.fromEntries(['a', 'b', 'c'].map((key) => [key, { desc: 'same', playlist: [beam(1), beam(2)] }]));
    const reported = (adopt: { readonly [address: string]: string }) =>
      declare({ playlists }, {}, adopt).findings.map(({ address, summary }) => [address, summary]);
    expect(reported({})).toEqual([
      ['playlist/b', 'b has the same description as a: same'],
      ['playlist/c', 'c has the same description as a: same'],
    ]);
    expect(reported({ 'playlist/b': 'x', 'playlist/c': 'y' })).toEqual([['playlist/a', 'a has the same description as b: same']]);
    expect(reported({ 'playlist/a': 'z', 'playlist/b': 'x', 'playlist/c': 'y' })).toEqual([]);
  });

  test('with the sole asset of another declaration, unless `adopt` binds it to another object than that of the asset', () => {
    const sections = { playlists: { loop: { playlist: [beam(1)] } }, smart_starts: { vod: { assets: [id(1)] } } };
    const codes = (adopt: { readonly [address: string]: string }) => declare(sections, {}, adopt).findings.map(({ code }) => code);
    expect(codes({})).toEqual(['asset-claimed-twice']);
    expect(codes({ 'playlist/loop': id(1) })).toEqual(['asset-claimed-twice']);
    expect(codes({ 'playlist/loop': 'other' })).toEqual([]);
  });

  test('and every such finding has its address and a hint', () => {
    const { findings } = declare({
      playlists: {
        a: { desc: '', playlist: [{ ad: 1 }, { ad: 1 }, {}, { beam: 'x' }, { beam: 'y' }] },
      },
    });
    expect(findings.length).toBe(5);
    for (const { address, hint, summary } of findings) expect([address, hint?.length, summary.length]).not.toContain(undefined);
    expect(new Set(findings.map(({ address }) => address))).toEqual(new Set(['playlist/a']));
  });
});

describe('a smart start is invalid or has a warning', () => {
  test('with one asset twice, by name and by ID', () => {
    const { resources, findings } = declare({ assets: assets, smart_starts: { vod: { assets: ['intro', id(1)] } } });
    expect([...resources.values()].map(({ path }) => path)).toEqual([['smart_starts', 'vod', 'assets', 0]]);
    expect(findings).toMatchObject([
      { code: 'asset-repeated', path: ['smart_starts', 'vod', 'assets', 1], address: `smart-start/vod/${id(1)}` },
    ]);
  });

  test.each(['1.23457E+31', '1,23457E+31', '123', '-1', '.5', '1.234.567', '1e5'])(
    'with %s as an asset: an error, because what looks like a number is no asset ID',
    (number) => {
      const sections = {
        playlists: { a: { playlist: [{ beam: number }, { beam: { id: number } }] } },
        smart_starts: { vod: { assets: [`${number}0`] } },
      };
      const expected = ['playlists/a/playlist/0/beam', 'playlists/a/playlist/1/beam', 'smart_starts/vod/assets/0'];
      expect(findingsOf(sections)).toEqual(expected.map((path) => ['error', 'unknown-asset', path]));
    },
  );

  test('with a number in its `assets_file`', () => {
    expect(findingsOf({ smart_starts: { vod: { assets_file: 'vod.txt' } } }, { 'vod.txt': '1.23457E+31\n' })).toEqual([
      ['error', 'unknown-asset', 'smart_starts/vod/assets_file'],
    ]);
  });

  test.each(['e5', 'a1', '1-2', 'v1.2', '12345678901234567890123456789012', '1.x', '1e+'])('%s is not taken for a number', (text) => {
    expect(findingsOf({ smart_starts: { vod: { assets: [text] } } }).filter(([severity]) => severity === 'error')).toEqual([]);
  });

  test('an asset whose name or ID in the catalog is a number is known', () => {
    const assets = { 123: { id: id(1) }, film: { id: '7' } };
    expect(findingsOf({ assets, ...playlistOf({ beam: '123' }, { beam: 'film' }) })).toEqual([]);
  });

  test('an ID in the catalog that a spreadsheet has rounded is a warning, at the catalog only', () => {
    const sections = { assets: { film: { id: '1.23457E+31' } }, ...playlistOf({ beam: 'film' }, { beam: id(2) }) };
    expect(findingsOf(sections)).toEqual([['warning', 'unknown-asset', 'assets/film/id']]);
  });

  test('with a `#` right behind an asset, where it begins no comment', () => {
    const { findings } = declare({ smart_starts: { vod: { assets: ['intro#1', 'intro'] } } });
    const hint = 'An asset ID has 32 hexadecimal characters: correct it, or name it under `assets`.';
    expect(findings.map(({ code, hint }) => [code, hint])).toEqual([
      ['unknown-asset', `${hint} A comment needs a space in front of #.`],
      ['unknown-asset', hint],
    ]);
  });

  test('with a description that begins with a space, which a playlist must not have either', () => {
    const desc = ' News';
    const { findings } = declare({
      playlists: { a: { desc, playlist: [beam(1), beam(2)] } },
      smart_starts: { vod: { desc, assets: [id(3)] } },
    });
    const warning = {
      severity: 'warning',
      code: 'name-spaces',
      summary:
        'the description begins or ends with a space, and the service may store it in another form, under which it is not found again',
      hint: 'Remove the space.',
    };
    expect(findings).toStrictEqual([
      { ...warning, path: ['playlists', 'a', 'desc'], address: 'playlist/a' },
      { ...warning, path: ['smart_starts', 'vod', 'desc'] },
    ]);
  });

  test('with an asset of another group or of a one-asset playlist', () => {
    const { findings } = declare({
      playlists: { solo: { playlist: [beam(1)] }, again: { playlist: [beam(1)] }, both: { playlist: [beam(2), beam(3)] } },
      smart_starts: { a: { assets: [id(1), id(2)] }, b: { assets: [id(2), id(3)] } },
    });
    expect(findings.map(({ severity, code, address }) => [severity, code, address])).toEqual([
      ['error', 'asset-claimed-twice', 'playlist/again'],
      ['error', 'asset-claimed-twice', `smart-start/a/${id(1)}`],
      ['error', 'asset-claimed-twice', `smart-start/b/${id(2)}`],
    ]);
    expect(findings[1]?.summary).toContain('playlist/solo');
  });

  test('with both a list and a file, or neither', () => {
    expect(findingsOf({ smart_starts: { vod: { assets: [], assets_file: 'vod.txt' } } })).toEqual([
      ['error', 'assets-and-file', 'smart_starts/vod/assets_file'],
    ]);
    expect(findingsOf({ smart_starts: { vod: {} } })).toEqual([['error', 'no-assets', 'smart_starts/vod']]);
  });

  test('with a file that cannot be read, and keeps the finding of the reader', () => {
    expect(findingsOf({ smart_starts: { vod: { assets_file: 'gone.txt' } } })).toEqual([
      ['error', 'missing-file', 'smart_starts/vod/assets_file'],
    ]);
  });

  test('with a file without assets', () => {
    const files = { 'vod.txt': '# nothing yet\n\n' };
    expect(findingsOf({ smart_starts: { vod: { assets_file: 'vod.txt' } } }, files)).toEqual([
      ['warning', 'assets-file-empty', 'smart_starts/vod/assets_file'],
    ]);
  });

  test('with faulty lines in its file, each located in that file', () => {
    const files = { 'vod.txt': `${id(1)}\n ${id(2)} ${id(3)}\n../x\n${id(1)}\n` };
    const { resources, findings } = declare({ smart_starts: { vod: { assets_file: 'vod.txt' } } }, files);
    expect([...resources.keys()]).toEqual([`smart-start/vod/${id(1)}`]);
    expect(findings.map(({ code, textFilePosition }) => [code, textFilePosition?.line, textFilePosition?.column])).toEqual([
      ['assets-file-line', 2, 2],
      ['assets-file-line', 3, 1],
      ['asset-repeated', 4, 1],
    ]);
  });
});

test('rules can set the severity of every warning about playlists and their assets, of mixed codecs, and of assets that the service does not have', () => {
  const { findings } = declare(
    {
      assets: assets,
      playlists: {
        a: {
          desc: ' Cafe\u0301',
          skip_drm: 1,
          studio_drm_required: 1,
          playlist: [{ ad: 1 }, { ad: 1 }, { beam: 'x' }, { beam: 'intro' }, { beam: 'show' }],
        },
        none: { desc: 'two\nlines', playlist: [] },
      },
      smart_starts: { vod: { assets_file: 'vod.txt' } },
    },
    { 'vod.txt': '' },
  );
  const warnings = findings.filter(({ severity }) => severity === 'warning').map(({ code }) => code);
  const ofAccount = ['external-id-replaced', 'scheduled-entries', 'asset-id-case'];
  expect(new Set(settableCodes(playlist.findingCodes))).toEqual(
    new Set([...warnings, ...Object.keys(ASSET_CODES), ...ofAccount, 'asset-not-found', 'mixed-codec']),
  );
  expect(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(['mixed-codec', 'no-beam']);
});

describe('the `assets` section', () => {
  test('must not have two names for one ID', () => {
    expect(findingsOf({ assets: { a: { id: id(1) }, b: { id: id(1) } } })).toEqual([['error', 'asset-id-repeated', 'assets/b/id']]);
  });

  test('must not have a name that is, or looks like, the ID of another asset', () => {
    const assets: JsonObject = { [id(1)]: { id: id(2) }, short: { id: 'long' }, long: { id: 'longer' }, [id(5)]: { id: id(5) } };
    expect(findingsOf({ assets })).toEqual([
      ['error', 'asset-name-ambiguous', `assets/${id(1)}`],
      ['error', 'asset-name-ambiguous', 'assets/long'],
    ]);
  });

  test('declares no resource by itself', () => {
    expect(declare({ assets: assets })).toEqual({ resources: new Map(), findings: [] });
  });
});
