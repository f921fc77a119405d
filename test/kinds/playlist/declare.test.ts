import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { playlist } from '../../../src/kinds/playlist/index.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import { beam, declared, defaults, entries, id, only, settings } from './fixtures.ts';

const catalogue = {
  intro: { id: id(1), codec: 'AVC', studio_drm: true },
  film: { id: id(2), codec: 'AVC' },
  show: { id: id(3), codec: 'HEVC' },
};

const CONTEXT = { studio_drm: { [id(1)]: true }, names: { [id(1)]: 'intro', [id(2)]: 'film', [id(3)]: 'show' } };

function problemsOf(sections: { readonly [section: string]: Json }, files = {}) {
  return declared(sections, files).findings.map(({ severity, code, path }) => [severity, code, path.join('/')]);
}

function playlistOf(...list: readonly Json[]): { readonly [section: string]: Json } {
  return { playlists: { evening: { playlist: list } } };
}

describe('a playlist', () => {
  test('gets every default, its key as description, and its short forms written out', () => {
    const resource = only({
      assets: catalogue,
      playlists: { evening: { repeat: -1, playlist: [{ beam: 'intro' }, { ad: 60 }, { beam: id(9) }] } },
    });
    expect(resource).toEqual({
      address: 'playlist/evening',
      name: 'evening',
      label: 'evening',
      fields: { ...defaults, desc: 'evening', repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }, beam(9)] },
      declared: { repeat: -1, playlist: [beam(1), { ad: { dur: 60 } }, beam(9)] },
      matchKeys: [{ name: 'evening' }],
      adoptable: true,
      path: ['playlists', 'evening'],
      context: CONTEXT,
    });
  });

  test('of exactly one beam is known by its asset first, then by its description', () => {
    const { label, matchKeys } = only({ playlists: { solo: { desc: 'Solo', playlist: [beam(4)] } } });
    expect([label, matchKeys]).toEqual(['Solo', [{ id: id(4) }, { name: 'Solo' }]]);
  });

  test('of one beam and an ad is known by its description only', () => {
    expect(only({ playlists: { solo: { playlist: [beam(4), { ad: 9 }] } } }).matchKeys).toEqual([{ name: 'solo' }]);
  });

  test('of one beam may go without a description', () => {
    expect(only({ playlists: { solo: { desc: '', playlist: [beam(4)] } } }).matchKeys).toEqual([{ id: id(4) }]);
  });

  test('means the same with true and false as with 1 and 0', () => {
    const words = only({ playlists: { a: { active: false, skip_drm: true, playlist: [beam(1)] } } });
    const numbers = only({ playlists: { a: { active: 0, skip_drm: 1, playlist: [beam(1)] } } });
    expect(words).toEqual(numbers);
    expect(words.fields).toMatchObject({ active: 0, skip_drm: 1 });
  });

  test('is the same when its canonical form is declared again', () => {
    fc.assert(
      fc.property(entries, settings, fc.string({ minLength: 1 }), (list, values, desc) => {
        const first = declared({ playlists: { a: { desc, ...values, playlist: list } } }).resources.get('playlist/a');
        const again = declared({ playlists: { a: first?.fields ?? {} } }).resources.get('playlist/a');
        expect(first?.fields).toEqual({ desc, ...values, playlist: list });
        expect(again?.fields).toEqual(first?.fields);
        expect(again?.declared).toEqual(first?.fields);
      }),
    );
  });
});

describe('a smart start', () => {
  test('makes one resource an asset, known by the ID of the asset and nothing else', () => {
    const { resources, findings } = declared({
      assets: catalogue,
      smart_starts: { vod: { assets: ['intro', id(9)], desc: 'VOD', beam_break_duration: 30 } },
    });
    expect(findings).toEqual([]);
    expect([...resources.keys()]).toEqual([`smart-start/vod/${id(1)}`, `smart-start/vod/${id(9)}`]);
    expect(resources.get(`smart-start/vod/${id(1)}`)).toEqual({
      address: `smart-start/vod/${id(1)}`,
      name: 'intro',
      label: 'VOD',
      fields: { ...defaults, desc: 'VOD', beam_break_duration: 30, playlist: [beam(1)] },
      declared: { desc: 'VOD', beam_break_duration: 30, playlist: [beam(1)] },
      matchKeys: [{ id: id(1) }],
      adoptable: false,
      path: ['smart_starts', 'vod', 'assets', 0],
      context: CONTEXT,
    });
    expect(resources.get(`smart-start/vod/${id(9)}`)).toMatchObject({ name: id(9), path: ['smart_starts', 'vod', 'assets', 1] });
  });

  test('has an empty description by default', () => {
    const resource = only({ smart_starts: { vod: { assets: [id(1)] } } });
    expect([resource.label, resource.fields.desc, resource.declared]).toEqual(['', '', { playlist: [beam(1)] }]);
  });

  test('may be an empty group', () => {
    expect(declared({ smart_starts: { vod: { assets: [] } } })).toEqual({ resources: new Map(), findings: [] });
  });

  test('reads its assets from a file: names or IDs, comments, Windows line ends, a byte order mark', () => {
    const text = `\uFEFF# the back catalogue\r\n${id(1)}\r\n\r\n  film   # the film\r\n${id(9)}#tail\noutro`;
    const { resources, findings } = declared({ assets: catalogue, smart_starts: { vod: { assets_file: 'vod.txt' } } }, { 'vod.txt': text });
    expect([...resources.values()].map(({ name, path }) => [name, path.join('/')])).toEqual([
      ['intro', 'smart_starts/vod/assets_file'],
      ['film', 'smart_starts/vod/assets_file'],
      [id(9), 'smart_starts/vod/assets_file'],
      ['outro', 'smart_starts/vod/assets_file'],
    ]);
    expect(findings.map(({ code, inFile }) => [code, inFile])).toEqual([['unknown-asset', { file: 'config/vod.txt', line: 6, column: 1 }]]);
  });

  test('of a hundred thousand lines is declared without ado', () => {
    const text = Array.from({ length: 100_000 }, (_, index) => id(index)).join('\n');
    const { resources, findings } = declared({ smart_starts: { vod: { assets_file: 'vod.txt' } } }, { 'vod.txt': text });
    expect([resources.size, findings.length]).toEqual([100_000, 0]);
  });
});

describe('mistakes in a playlist', () => {
  const list = (count: number) => Array.from({ length: count }, (_, index) => beam(index));

  test('over 100 assets, ads not counted', () => {
    expect(problemsOf(playlistOf(...list(100), { ad: 5 }))).toEqual([]);
    expect(problemsOf(playlistOf(...list(1), { ad: 5 }, ...list(100)))).toEqual([
      ['error', 'too-many-assets', 'playlists/evening/playlist/101'],
    ]);
  });

  test('no asset', () => {
    expect(problemsOf(playlistOf())).toEqual([['error', 'no-beam', 'playlists/evening/playlist']]);
    expect(problemsOf(playlistOf({ ad: 5 }))).toContainEqual(['error', 'no-beam', 'playlists/evening/playlist']);
  });

  test('an entry that is both or neither, without a second complaint about the list', () => {
    expect(problemsOf(playlistOf({ ...beam(1), ad: 5 }, {}))).toEqual([
      ['error', 'playlist-entry', 'playlists/evening/playlist/0'],
      ['error', 'playlist-entry', 'playlists/evening/playlist/1'],
    ]);
  });

  test('an ad first, and two in a row', () => {
    expect(problemsOf(playlistOf({ ad: 5 }, beam(1), { ad: 5 }, { ad: 6 }, beam(2), { ad: 7 }))).toEqual([
      ['warning', 'ad-first', 'playlists/evening/playlist/0/ad'],
      ['warning', 'ad-after-ad', 'playlists/evening/playlist/3/ad'],
    ]);
  });

  test('an asset that nothing speaks for', () => {
    const sections = {
      assets: { intro: { id: 'intro-1' } },
      ...playlistOf({ beam: 'intro' }, { beam: { id: 'intro' } }, { beam: 'outro' }),
    };
    const { findings } = declared(sections);
    expect(findings.map(({ code, path }) => [code, path[3]])).toEqual([
      ['unknown-asset', 1],
      ['unknown-asset', 2],
    ]);
    expect(findings[0]?.hint).toContain('`beam: intro`');
    expect(findings[1]?.hint).toContain('32 hexadecimal characters');
  });

  test('codecs that differ, where the catalogue knows them', () => {
    const mixed = { assets: catalogue, ...playlistOf({ beam: 'intro' }, { beam: id(9) }, { beam: 'film' }, { beam: id(3) }) };
    const { findings } = declared(mixed);
    expect(findings).toMatchObject([{ severity: 'error', code: 'mixed-codec', path: ['playlists', 'evening', 'playlist', 3, 'beam'] }]);
    expect(findings[0]?.summary).toBe('show is HEVC, but intro before it is AVC');
    expect(problemsOf({ assets: { ...catalogue, show: { id: id(3) } }, ...playlistOf({ beam: 'intro' }, { beam: 'show' }) })).toEqual([]);
  });

  test.each(['a\u0000', '\u001b[31mred', 'two\nlines', 'tab\tbed', 'bell\u0007', 'delete\u007f', 'next\u0085line'])(
    'a description that cannot be shown: %j',
    (desc) => {
      expect(problemsOf({ playlists: { a: { desc, playlist: [beam(1), beam(2)] } } })).toEqual([
        ['error', 'invalid-value', 'playlists/a/desc'],
      ]);
      expect(problemsOf({ smart_starts: { vod: { desc, assets: [id(1), id(2)] } } })).toEqual([
        ['error', 'invalid-value', 'smart_starts/vod/desc'],
      ]);
    },
  );

  test('any other description can be shown', () => {
    for (const desc of ['Ünïcode 🎬', '👩‍👩‍👧', 'right\u202eleft', '\u2028', ' padded '])
      expect(problemsOf({ playlists: { a: { desc, playlist: [beam(1), beam(2)] } } })).toEqual([]);
  });

  test('playback without signature under DRM', () => {
    const contradiction = { skip_drm: true, studio_drm_required: 1 };
    expect(problemsOf({ playlists: { a: { ...contradiction, playlist: [beam(1)] } } })).toEqual([
      ['warning', 'skip-drm-with-studio-drm', 'playlists/a/skip_drm'],
    ]);
    expect(problemsOf({ smart_starts: { vod: { ...contradiction, assets: [id(1), id(2)] } } })).toEqual([
      ['warning', 'skip-drm-with-studio-drm', 'smart_starts/vod/skip_drm'],
    ]);
  });

  test('a list without description has no clue to know it by', () => {
    expect(declared({ playlists: { a: { desc: '', playlist: [beam(1), beam(2)] } } }).resources.get('playlist/a')).toMatchObject({
      matchKeys: [],
    });
  });

  test('equal descriptions, also where one is a key; empty ones are no clash', () => {
    const { findings } = declared({
      playlists: {
        news: { playlist: [beam(1)] },
        late: { desc: 'news', playlist: [beam(2)] },
        x: { desc: '', playlist: [beam(3)] },
        y: { desc: '', playlist: [beam(4)] },
      },
    });
    expect(findings).toMatchObject([
      { severity: 'error', code: 'duplicate-desc', path: ['playlists', 'late', 'desc'], address: 'playlist/late' },
    ]);
    expect(findings[0]?.summary).toContain('news');
  });

  test('every problem of a playlist names its address and a way out', () => {
    const { findings } = declared({
      playlists: {
        a: { desc: '', skip_drm: 1, studio_drm_required: 1, playlist: [{ ad: 1 }, { ad: 1 }, {}, { beam: 'x' }, { beam: 'y' }] },
      },
    });
    expect(findings.length).toBe(6);
    for (const { address, hint, summary } of findings) expect([address, hint?.length, summary.length]).not.toContain(undefined);
    expect(new Set(findings.map(({ address }) => address))).toEqual(new Set(['playlist/a']));
  });
});

describe('mistakes in a smart start', () => {
  test('one asset twice, by name and by ID', () => {
    const { resources, findings } = declared({ assets: catalogue, smart_starts: { vod: { assets: ['intro', id(1)] } } });
    expect(resources.size).toBe(1);
    expect(findings).toMatchObject([
      { code: 'asset-repeated', path: ['smart_starts', 'vod', 'assets', 1], address: `smart-start/vod/${id(1)}` },
    ]);
  });

  test('one asset in two groups, or in a one-asset playlist', () => {
    const { findings } = declared({
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

  test('a list beside a file, or neither', () => {
    expect(problemsOf({ smart_starts: { vod: { assets: [], assets_file: 'vod.txt' } } })).toEqual([
      ['error', 'assets-and-file', 'smart_starts/vod/assets_file'],
    ]);
    expect(problemsOf({ smart_starts: { vod: {} } })).toEqual([['error', 'no-assets', 'smart_starts/vod']]);
  });

  test('a file that cannot be read is told as the engine says it', () => {
    expect(problemsOf({ smart_starts: { vod: { assets_file: 'gone.txt' } } })).toEqual([
      ['error', 'missing-file', 'smart_starts/vod/assets_file'],
    ]);
  });

  test('a file without assets', () => {
    const files = { 'vod.txt': '# nothing yet\n\n' };
    expect(problemsOf({ smart_starts: { vod: { assets_file: 'vod.txt' } } }, files)).toEqual([
      ['warning', 'assets-file-empty', 'smart_starts/vod/assets_file'],
    ]);
  });

  test('lines of a file, each with its place', () => {
    const files = { 'vod.txt': `${id(1)}\n ${id(2)} ${id(3)}\n../x\n${id(1)}\n` };
    const { resources, findings } = declared({ smart_starts: { vod: { assets_file: 'vod.txt' } } }, files);
    expect([...resources.keys()]).toEqual([`smart-start/vod/${id(1)}`]);
    expect(findings.map(({ code, inFile }) => [code, inFile?.line, inFile?.column])).toEqual([
      ['assets-file-line', 2, 2],
      ['assets-file-line', 3, 1],
      ['asset-repeated', 4, 1],
    ]);
  });
});

test('rules may set the severity of every warning, of mixed codecs, and of assets that the service does not have', () => {
  const { findings } = declared(
    {
      assets: catalogue,
      playlists: {
        a: {
          desc: '',
          skip_drm: 1,
          studio_drm_required: 1,
          playlist: [{ ad: 1 }, { ad: 1 }, { beam: 'x' }, { beam: 'intro' }, { beam: 'show' }],
        },
        none: { playlist: [] },
      },
      smart_starts: { vod: { assets_file: 'vod.txt' } },
    },
    { 'vod.txt': '' },
  );
  const warnings = findings.filter(({ severity }) => severity === 'warning').map(({ code }) => code);
  expect(new Set(playlist.codes)).toEqual(new Set([...warnings, 'asset-not-found', 'mixed-codec']));
  expect(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(['mixed-codec', 'no-beam']);
});

describe('mistakes in the catalogue', () => {
  test('two names for one ID', () => {
    expect(problemsOf({ assets: { a: { id: id(1) }, b: { id: id(1) } } })).toEqual([['error', 'asset-id-repeated', 'assets/b/id']]);
  });

  test('a name that is the ID of another asset, or looks like one', () => {
    const assets: JsonObject = { [id(1)]: { id: id(2) }, short: { id: 'long' }, long: { id: 'longer' }, [id(5)]: { id: id(5) } };
    expect(problemsOf({ assets })).toEqual([
      ['error', 'asset-name-ambiguous', `assets/${id(1)}`],
      ['error', 'asset-name-ambiguous', 'assets/long'],
    ]);
  });

  test('alone it declares nothing', () => {
    expect(declared({ assets: catalogue })).toEqual({ resources: new Map(), findings: [] });
  });
});
