/** `drift accept` where templates, tables, defaults and entry lists make the resources. */
import { describe, expect, test } from 'vitest';
import { acceptedTexts, asset, beams } from './project.ts';

const TEMPLATE = `
templates:
  show: # every show
    params: { title: string, pod: { type: integer, default: 60 } }
    playlist:
      desc: "\${title}"
      repeat: -1
      playlist: [ { beam: ${asset(1)} }, { ad: "\${pod}" }, { beam: ${asset(2)} } ]
`;
const show = (desc: string, pod = 60) => ({ desc, repeat: -1, playlist: [{ beam: asset(1) }, { ad: pod }, { beam: asset(2) }] });

describe('a resource that names a template', () => {
  const source = `${TEMPLATE}playlists:\n  a: { template: show, with: { title: A }, active: 0 } # one\n  b:\n    template: show\n    with: { title: B }\n`;

  test('gets an override of its own for a value of the template', () => {
    expect(acceptedTexts({ 'a.yaml': source }, { playlists: { a: { ...show('A'), active: 0, repeat: 3 }, b: show('B') } })).toEqual({
      'a.yaml': source.replace('active: 0 }', 'active: 0, repeat: 3 }'),
    });
  });

  test('gets an override for a value of its arguments, in block style below its other fields', () => {
    expect(
      acceptedTexts({ 'a.yaml': source }, { playlists: { a: { ...show('A'), active: 0 }, b: { ...show('Bee'), active: 0 } } }),
    ).toEqual({
      'a.yaml': source.replace('  b:\n    template: show\n', '  b:\n    template: show\n    desc: Bee\n    active: 0\n'),
    });
  });

  test('gets the whole list where the list of the template changed', () => {
    expect(
      acceptedTexts({ 'a.yaml': source }, { playlists: { a: { ...show('A'), active: 0 }, b: { ...show('B'), playlist: beams(1, 2) } } }),
    ).toEqual({
      'a.yaml': `${source}    playlist:\n      - beam: ${asset(1)}\n      - beam: ${asset(2)}\n`,
    });
  });

  test('changes an own field in place, and removes nothing else', () => {
    expect(acceptedTexts({ 'a.yaml': source }, { playlists: { a: { ...show('A'), active: 1 }, b: show('B') } })).toEqual({
      'a.yaml': source.replace('active: 0 }', 'active: 1 }'),
    });
  });

  test('is removed with its lines when its object is gone', () => {
    expect(acceptedTexts({ 'a.yaml': source }, { playlists: { b: show('B') } })).toEqual({
      'a.yaml': source.replace('  a: { template: show, with: { title: A }, active: 0 } # one\n', ''),
    });
  });

  test('gets an override in the overlay that names it last', () => {
    const over = 'playlists:\n  a: { beam_break_duration: 9 }\n';
    const files = { 'a.yaml': source, 'over.yaml': over };
    const targets = { main: { sources: ['a.yaml', 'over.yaml'] } };
    const live = { playlists: { a: { ...show('A'), active: 0, beam_break_duration: 9, repeat: 5 }, b: show('B') } };
    expect(acceptedTexts(files, live, targets)).toEqual({ 'over.yaml': 'playlists:\n  a: { beam_break_duration: 9, repeat: 5 }\n' });
  });
});

describe('a resource with defaults', () => {
  const source = `defaults:\n  playlists: { repeat: 7 }\nplaylists:\n  a: { playlist: [ { beam: ${asset(1)} }, { beam: ${asset(2)} } ] }\n  b: { desc: B, playlist: [ { beam: ${asset(3)} }, { beam: ${asset(2)} } ] }\n`;

  test('gets an override of its own, so that the others keep the default', () => {
    const live = { playlists: { a: { repeat: 0, playlist: beams(1, 2) }, b: { desc: 'B', repeat: 7, playlist: beams(3, 2) } } };
    expect(acceptedTexts({ 'a.yaml': source }, live)).toEqual({
      'a.yaml': source.replace(`{ beam: ${asset(2)} } ] }\n  b`, `{ beam: ${asset(2)} } ], repeat: 0 }\n  b`),
    });
  });
});

describe('a row of a table', () => {
  const source = `${TEMPLATE}playlists_from:\n  - { file: shows.csv, template: show, key: "\${id}" }\n`;
  const csv = `id,title,pod\r\na,"A, first",60\r\nb,B,\r\n`;
  const live = (a: object, b: object) => ({ playlists: { a: { ...show('A, first'), ...a }, b: { ...show('B'), ...b } } });

  test('changes the cell where the value is exactly one column, and quotes it where it must', () => {
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, live({ desc: 'A "new"' }, { desc: 'B, too' }))).toEqual({
      'shows.csv': `id,title,pod\r\na,"A ""new""",60\r\nb,"B, too",\r\n`,
    });
  });

  test.each([
    ['LF', (text: string) => text],
    ['CR LF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['CR LF and a byte order mark', (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
  ])('changes its own cell and no other byte where empty lines stand above and below it, in a file with %s', (_what, change) => {
    const table = (a: string, b: string) => change(`\nid,title,pod\n\na,${a},60\n\n\nb,${b},\n\n`);
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': table('"A, first"', 'B') }, live({ desc: 'New' }, { desc: 'Bee' }))).toEqual({
      'shows.csv': table('"New"', 'Bee'),
    });
  });

  test('is refused with the place and the ways out where a value of the template changed', () => {
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, live({ repeat: 2 }, {}))).toEqual([
      'playlist/a cannot be accepted: `playlists.a.repeat` comes from the template `show`, a.yaml, line 7, and no single cell of the table holds it',
    ]);
  });

  test('is refused where the column is part of a longer list', () => {
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, live(show('A, first', 90), {}))).toEqual([
      expect.stringContaining('`playlists.a.playlist` comes from the template `show`'),
    ]);
  });

  test('is refused where the object of the row is gone', () => {
    expect(acceptedTexts({ 'a.yaml': source, 'shows.csv': csv }, { playlists: { b: show('B') } })).toEqual([
      'playlist/a cannot be accepted: `playlists.a` comes from shows.csv, line 2, a row of a table',
    ]);
  });

  test('is refused where the cell is part of the key, too', () => {
    const keyed = source.replace('"${id}"', '"${title}"').replace('title: string', 'title: string');
    expect(
      acceptedTexts({ 'a.yaml': keyed, 'shows.csv': 'title,pod\nA,60\n' }, { playlists: { A: { ...show('A'), desc: 'New' } } }),
    ).toEqual([expect.stringContaining('playlist/A would not be declared any more'), expect.anything()]);
  });

  test('can be overridden by a later source that names it', () => {
    const files = { 'a.yaml': source, 'over.yaml': 'playlists:\n  a: {}\n', 'shows.csv': csv };
    expect(acceptedTexts(files, live({ repeat: 2 }, {}), { main: { sources: ['a.yaml', 'over.yaml'] } })).toEqual({
      'over.yaml': 'playlists:\n  a: { repeat: 2 }\n',
    });
  });
});

describe('a list that includes an entry list', () => {
  test('is refused, because other lists may include it, too', () => {
    const source = `entry_lists: { pod: [ { ad: 30 } ] }\nplaylists: { a: { playlist: [ { beam: ${asset(1)} }, { include: pod }, { beam: ${asset(2)} } ] } }\n`;
    expect(acceptedTexts({ 'a.yaml': source }, { playlists: { a: { playlist: beams(1, 3) } } })).toEqual([
      'playlist/a cannot be accepted: the list includes the entry list `pod`',
    ]);
  });
});

test('a value that is one typed variable is refused', () => {
  const targets = { main: { sources: ['a.yaml'], vars: { n: '3' } } };
  const source = `playlists: { a: { desc: "\${n}", playlist: [ { beam: ${asset(1)} }, { beam: ${asset(2)} } ] } }\n`;
  expect(acceptedTexts({ 'a.yaml': source }, { playlists: { a: { desc: '4', playlist: beams(1, 2) } } }, targets)).toEqual([
    'playlist/a cannot be accepted: the value is made of a variable: ${n}',
  ]);
});
