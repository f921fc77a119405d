import { describe, expect, test } from 'vitest';
import { kinds as realKinds } from '../../../src/core/kinds/index.ts';
import { findingLines, lamp, loadConfig, shelf } from './fixture.ts';

const A = '10c5467d77c54dc4b739db2cd832143a';
const B = '20c5467d77c54dc4b739db2cd832143b';
const two = `[{ beam: ${A} }, { beam: ${B} }]`;

/** Returns the findings of a source with the real kinds, as `line:column code`. */
function findingsOf(text: string, rules = '{}'): string[] {
  return findingLines(loadConfig({ 'a.yaml': text }, { kinds: realKinds, rules })).map((line) =>
    line.replace(/^a\.yaml:|(error|warning) /g, ''),
  );
}

describe('errors in several parts', () => {
  test('of a section and of a kind are all reported', () => {
    const text = [
      'playlists:',
      '  a: { playlist: [{ beam: 123 }] }',
      '  b: { desc: z, playlist: [{ ad: 1 }] }',
      `  c: { desc: z, playlist: ${two} }`,
      '  d: { playlist: [{ ad: 1 }] }',
      `smart_starts: { g: { assets: [${A}, ${A}] }, h: { asets: [] } }`,
      'drm_policies: { p: { fairplay: { lease_duration_seconds: 5 } }, q: { fairplai: {} } }',
    ];
    expect(findingsOf(text.join('\n'))).toEqual([
      '2:27 unquoted-id',
      '3:27 no-beam',
      '3:34 ad-first',
      '4:14 duplicate-desc',
      '5:18 no-beam',
      '5:25 ad-first',
      '6:65 asset-repeated',
      '6:107 unknown-key',
      '7:58 duration-without-persistence',
      '7:58 lease-duration-without-lease',
      '7:70 unknown-key',
    ]);
  });

  test('of different sections of a kind are all reported', () => {
    expect(findingsOf(`smart_starts: []\nplaylists: { b: { playlist: [] } }`)).toEqual(['1:15 wrong-type', '2:29 no-beam']);
  });

  test('of a setting make it invalid as a whole', () => {
    expect(findingsOf('static_key: { scope: specific, extra: 1 }')).toEqual(['1:32 unknown-key']);
  });

  test('do not affect valid resources', () => {
    const { resources } = loadConfig({
      'a.yaml': 'shelves: { x: { width: 0 }, y: { width: 1 }, z: null }\nlamp: { wats: 5 }\nloans: { v: 1, w: x }',
    });
    expect(resources.map(({ address }) => address)).toEqual(['shelf/y', 'loan/w']);
  });
});

describe('a finding that only follows from an invalid part is not reported:', () => {
  test.each([
    ['an entry of the catalog with an unknown key', `assets: { news: { id: ${A}, codek: AVC } }`, '1:57 unknown-key'],
    ['an entry of the catalog without an ID', 'assets: { news: { codec: AVC } }', '1:17 missing-key'],
    ['a catalog of another type', 'assets: []', '1:9 wrong-type'],
    ['a misspelled catalog', `asets: { news: { id: ${A} } }`, '1:1 unknown-key'],
    ['an entry with an unknown variable', `assets: { news: { id: "\${nope}" } }`, '1:23 unknown-variable'],
    ['an entry with an invalid alias', 'assets: { news: *nowhere }', '1:17 alias'],
  ])('%s gives no unknown-asset', (_what, catalog, expected) => {
    expect(findingsOf(`${catalog}\nplaylists: { a: { playlist: [{ beam: news }] } }`)).toEqual([expected]);
  });

  test('an error that does not depend on the catalog is still reported', () => {
    const text = `assets: { news: { codec: AVC } }\nplaylists: { a: { playlist: [{ beam: news }] }, b: { playlist: [] } }`;
    expect(findingsOf(text)).toEqual(['1:17 missing-key', '2:64 no-beam']);
  });

  test('an unknown asset, where the catalog may be in an invalid file', () => {
    const files = { 'a.yaml': 'assets: {', 'b.yaml': 'playlists: { a: { playlist: [{ beam: news }] } }' };
    expect(findingLines(loadConfig(files, { kinds: realKinds }))).toEqual(['a.yaml:1:9 error yaml-syntax']);
  });

  test.each([
    ['shelves: { x: { width: 0 } }', '1:24 out-of-range'],
    ['shelfs: { x: { width: 1 } }', '1:1 unknown-key'],
    ['shelves:', '1:1 null'],
    ['shelves: { x: *y }', '1:15 alias'],
    ['shelves: { a: { width: 1 }, a: { width: 1 } }', '1:29 duplicate-key'],
    ['loans: { x: 1 }', '1:13 unquoted-id'],
  ])('an undeclared address in `adopt` may be that of an invalid resource: %s', (text, expected) => {
    const findings = findingLines(loadConfig({ 'a.yaml': `${text}\nadopt: { shelf/x: a }` }));
    expect(findings).toEqual([`a.yaml:${expected.replace(' ', ' error ')}`]);
  });

  test.each([['shelves: {}\nlamp: { wats: 1 }'], ['shelves: {}\nlamp: null']])(
    'an undeclared address in `adopt` is reported where only another kind is invalid: %s',
    (text) => {
      expect(findingLines(loadConfig({ 'a.yaml': `${text}\nadopt: { shelf/x: a }` }))).toContain('a.yaml:3:10 error undeclared-address');
    },
  );

  test('a resource without a match key may have an invalid line in `adopt`', () => {
    expect(findingLines(loadConfig({ 'a.yaml': 'shelves: { nameless: { width: 1 } }\nadopt: { shelf/nameless: 7 }' }))).toEqual([
      'a.yaml:2:26 error unquoted-id',
    ]);
  });
});

describe('an invalid alias is reported once:', () => {
  test.each([
    ['to nothing', 'shelves: { x: *y }', ['1:15 alias']],
    ['within itself', 'shelves: &a { x: *a }', ['1:18 alias']],
    ['within itself, repeated', 'shelves: &a { x: { width: 1, books: [*a] } }\nlamp: { shades: [*a] }', ['1:38 alias']],
    ['as a section', 'shelves: *y', ['1:10 alias']],
    ['as a field', 'shelves: { x: { width: *y, wood: ash } }', ['1:24 alias', '1:34 invalid-value']],
  ])('an alias %s is one finding', (_what, text, expected) => {
    expect(findingLines(loadConfig({ 'a.yaml': text }))).toEqual(expected.map((each) => `a.yaml:${each.replace(' ', ' error ')}`));
  });

  test('where its few lines expand to millions of values', () => {
    const lines = Array.from({ length: 8 }, (_, level) => {
      const items = level === 0 ? Array.from({ length: 9 }, () => '{}') : Array.from({ length: 9 }, () => `*l${level - 1}`);
      return `  s${level}: { width: 1, books: &l${level} [${items.join(', ')}] }`;
    });
    const codes = loadConfig({ 'a.yaml': `shelves:\n${lines.join('\n')}\n` }).findings.map(({ code }) => code);
    expect(codes.filter((code) => code === 'alias')).toHaveLength(1);
    expect(codes).not.toContain('null');
  });

  test('beside a merge key', () => {
    expect(findingLines(loadConfig({ 'a.yaml': 'shelves:\n  x: &x { width: 1 }\n  y: { <<: *x, label: a }' }))).toEqual([
      'a.yaml:3:8 error unsupported-key',
    ]);
  });
});

describe('an error is reported by one finding:', () => {
  test.each([
    [`playlists: { a: { playlist: [{ beam: ${A} }, { ad: .inf }] } }`, ['1:80 ambiguous-number']],
    [`playlists: { a: { playlist: [{ beam: ${A} }, { ad: { dur: .nan } }] } }`, ['1:87 ambiguous-number']],
    [`playlists: { a: { playlist: [{ beam: "\${x}" }] } }`, ['1:38 unknown-variable']],
    [`smart_starts: { a: { assets_file: "\${x}.txt" } }`, ['1:35 unknown-variable']],
  ])('%s has one finding', (text, expected) => {
    expect(findingsOf(text)).toEqual(expected);
  });
});

describe('rules', () => {
  test('report an error whose severity cannot be set', () => {
    const { findings } = loadConfig(
      { 'a.yaml': 'static_key: { scope: specific }' },
      { kinds: realKinds, rules: '{ slicers-missing: warning, mixed-codek: warning, unknown-vmp-status: off }' },
    );
    expect(findings.map(({ severity, code, summary }) => [severity, code, summary])).toEqual([
      ['error', 'slicers-missing', 'scope specific needs slicer_ids'],
      ['warning', 'unused-rule', 'the severity of `slicers-missing` cannot be set'],
      ['warning', 'unused-rule', '`rules` knows no code `mixed-codek`'],
    ]);
  });
});

describe('two lines of `adopt`', () => {
  test('with one remote ID are an error at the second line that names the first address', () => {
    const text = 'shelves: { x: { width: 1 }, y: { width: 1 } }\nadopt:\n  shelf/x: one\n  shelf/y: one';
    expect(loadConfig({ 'a.yaml': text }).findings).toMatchObject([
      { code: 'duplicate-binding', line: 4, column: 3, address: 'shelf/y', summary: expect.stringContaining('`shelf/x`') },
    ]);
  });

  test('may have equal IDs of objects of different kinds', () => {
    const other = { ...shelf, name: 'desk', sections: [{ key: 'desks', addressPrefix: 'desk/' }], schema: lamp.schema };
    const desk = { ...other, declare: () => ({ resources: [], findings: [] }) };
    const text = 'shelves: { x: { width: 1 } }\nadopt: { shelf/x: one, desk/x: one }';
    expect(findingLines(loadConfig({ 'a.yaml': text }, { kinds: [shelf, desk] }))).toEqual(['a.yaml:2:24 error undeclared-address']);
  });
});
