import { describe, expect, test } from 'vitest';
import { load } from './load.ts';

const A = '10c5467d77c54dc4b739db2cd832143a';
const B = '7771125f336c4e229c20f7307f8c3122';

describe('an entry list', () => {
  test('is included in playlists of any source, and in other lists', () => {
    const { fields, found } = load(
      {
        'a.yaml': `playlists: { p: { playlist: [ { beam: ${A} }, { include: pod }, { beam: ${B} }, { include: pod } ] } }`,
        'b.yaml': `entry_lists: { pod: [ { ad: 30 }, { include: promo } ], promo: [ { beam: ${B} }, { ad: "\${pod}" } ] }`,
      },
      { sources: ['a.yaml', 'b.yaml'], vars: { pod: 15 } },
    );
    expect(found).toEqual([]);
    const pod = [{ ad: { dur: 30 } }, { beam: { id: B } }, { ad: { dur: 15 } }];
    expect(fields['playlist/p']?.playlist).toEqual([{ beam: { id: A } }, ...pod, { beam: { id: B } }, ...pod]);
  });

  test('is included in the defaults of a folder, and each entry is located where it is written', () => {
    const { fields, found, positionOf } = load(
      { 'config/a.yaml': `entry_lists:\n  pod:\n    - { ad: 30 }\nplaylists: { p: { repeat: 1 } }` },
      { sources: [{ path: 'config', defaults: { playlists: { playlist: [{ beam: A }, { include: 'pod' }] } } }] },
    );
    expect(found).toEqual([]);
    expect(fields['playlist/p']?.playlist).toEqual([{ beam: { id: A } }, { ad: { dur: 30 } }]);
    expect(positionOf(['playlists', 'p', 'playlist', 0])).toMatchObject({ file: 'upkeep.yaml' });
    expect(positionOf(['playlists', 'p', 'playlist', 1])).toMatchObject({ file: 'config/a.yaml', line: 3 });
  });

  test('can be chosen by a variable or a parameter', () => {
    const { fields, found } = load(
      {
        'config/a.yaml': `
entry_lists: { eu: [ { ad: 30 } ], us: [ { ad: 60 } ] }
templates: { t: { params: { region: string }, playlist: { playlist: [ { beam: ${A} }, { include: "\${region}" }, { beam: ${B} }, { include: "\${here}" } ] } } }
playlists: { p: { template: t, with: { region: us } } }
`,
      },
      { vars: { here: 'eu' } },
    );
    expect(found).toEqual([]);
    expect(fields['playlist/p']?.playlist).toEqual([{ beam: { id: A } }, { ad: { dur: 60 } }, { beam: { id: B } }, { ad: { dur: 30 } }]);
  });

  test.each([
    ['an unknown list', 'entry_lists: { pod: [ { ad: 30 } ] }', '{ include: pot }', 'unknown-entry-list there is no entry list `pot`'],
    [
      'another key beside it',
      'entry_lists: { pod: [ { ad: 30 } ] }',
      '{ include: pod, ad: 30 }',
      'unknown-key an item with `include` must have no other key',
    ],
    ['no name', 'entry_lists: { pod: [ { ad: 30 } ] }', '{ include: [pod] }', 'wrong-type `include` must be the name of a list'],
  ])('is not included by an item with %s', (_what, lists, item, expected) => {
    const { found } = load({ 'config/a.yaml': `${lists}\nplaylists: { p: { playlist: [ { beam: ${A} }, ${item}, { beam: ${B} } ] } }` });
    expect(found).toContainEqual(expect.stringMatching(new RegExp(`^config/a\\.yaml:2:86 ${expected.replaceAll('`', '.')}`)));
  });

  test.each([
    ['itself', 'a: [ { include: a } ]', ['a > a']],
    ['itself through others', 'a: [ { include: b } ], b: [ { include: c } ], c: [ { include: a } ]', ['a > b > c > a']],
  ])('that includes %s is an error, even where no playlist includes it', (_what, lists, chains) => {
    const { findings } = load({ 'config/a.yaml': `entry_lists: { ${lists} }` });
    const cycles = findings.filter(({ code }) => code === 'include-cycle');
    expect(cycles.map(({ summary }) => summary.replace(/.*: /, ''))).toEqual(chains);
  });

  test('may not be nested more than 64 deep', () => {
    const lists = (depth: number) =>
      Array.from(
        { length: depth },
        (_, index) => `  l${index}: [ ${index + 1 < depth ? `{ include: l${index + 1} }` : '{ ad: 30 }'} ]`,
      ).join('\n');
    const codes = (depth: number) =>
      load({
        'config/a.yaml': `entry_lists:\n${lists(depth)}\nplaylists: { p: { playlist: [ { beam: ${A} }, { include: l0 } ] } }`,
      }).findings.map(({ code }) => code);
    expect(codes(64)).toEqual([]);
    expect(codes(66)).toContain('too-deep');
  });

  test('that nothing includes is a warning, and not the ones of other lists', () => {
    const { found } = load({ 'config/a.yaml': 'entry_lists: { a: [ { include: b } ], b: [ { ad: 30 } ] }' });
    expect(found).toEqual(['config/a.yaml:1:16 unused-entry-list no list includes the entry list `a`']);
  });

  test('of one name in two files is an error that names both places', () => {
    const { findings } = load({ 'config/a.yaml': 'entry_lists: { a: [] }', 'config/b.yaml': 'entry_lists: { a: [] }' });
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'duplicate-key',
        file: 'config/b.yaml',
        hint: 'The other one is in config/a.yaml:1. Rename one of them: the sources of a target share these names.',
      }),
    );
  });
});
