import { describe, expect, test } from 'vitest';
import { parseCsv } from '../../../../src/core/config/expand/csv.ts';
import { load, type Settings } from './load.ts';

const A = '10c5467d77c54dc4b739db2cd832143a';
const B = '7771125f336c4e229c20f7307f8c3122';
const TEMPLATE = `
templates:
  show:
    params: { title: string, first: string, pod: { type: integer, default: 60 }, live: { type: boolean, default: true } }
    playlist: { desc: "\${title}", active: "\${live}", playlist: [ { beam: "\${first}" }, { ad: "\${pod}" }, { beam: ${B} } ] }
`;
const FROM_FILE = '\nplaylists_from: [ { file: shows.csv, template: show, key: "${team}-${number}" } ]\n';

/** Loads a CSV file beside a source with the template. */
function withCsv(csv: string, settings?: Settings, more = '') {
  return load({ 'config/a.yaml': `${TEMPLATE}${FROM_FILE}${more}`, 'config/shows.csv': csv }, settings);
}

describe('a table', () => {
  test.each([
    ['LF', (text: string) => text],
    ['CR LF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['empty lines', (text: string) => text.replaceAll('\n', '\n\n')],
    ['no line end at the end', (text: string) => text.trimEnd()],
  ])('makes one playlist of every row, in a file with %s', (_what, change) => {
    const { fields, found } = withCsv(change(`team,number,title,first,pod,live\na,1,"Show, ""one""",${A},,\na,2,Show two,${B},90,false\n`));
    expect(found).toEqual([]);
    expect(Object.keys(fields)).toEqual(['playlist/a-1', 'playlist/a-2']);
    expect(fields['playlist/a-1']).toMatchObject({
      desc: 'Show, "one"',
      active: 1,
      playlist: [{ beam: { id: A } }, { ad: { dur: 60 } }, { beam: { id: B } }],
    });
    expect(fields['playlist/a-2']).toMatchObject({
      desc: 'Show two',
      active: 0,
      playlist: [{ beam: { id: B } }, { ad: { dur: 90 } }, { beam: { id: B } }],
    });
  });

  const FROM_SPREADSHEET = `team;number;"title";first;pod\na;1;"Show; ""one""";${A};\na;2;Show, two;${B};90\n`;

  test.each([
    ['semicolons', (csv: string) => csv],
    ['tabs', (csv: string) => csv.replace(/;(?! "")/g, '\t')],
    ['the line `sep=;`', (csv: string) => `sep=;\n${csv}`],
    ['the line `sep=;` in quotes, and CR LF', (csv: string) => `"sep=;"\n${csv}`.replaceAll('\n', '\r\n')],
    ['empty rows and columns', (csv: string) => `;;;;;;\n${csv.replaceAll('\n', ';;\n')};;;;;;\n ;;;;;;\n`],
    ['rows without text behind the last column of the header', (csv: string) => csv.replaceAll(`\n`, ';;;;\n').replace(';;;;', '')],
    ['spaces around the names of columns', (csv: string) => csv.replace('number', ' number ').replace('"title"', '"title "')],
    ['an empty column between others', (csv: string) => csv.replace('number;', 'number;;').replace(/^a;(\d);/gm, 'a;$1; ;')],
  ])('is read as a spreadsheet writes it: with %s', (what, change) => {
    const { fields, found, definitionsOf } = withCsv(change(FROM_SPREADSHEET));
    expect(found).toEqual([]);
    expect(Object.keys(fields)).toEqual(['playlist/a-1', 'playlist/a-2']);
    expect([fields['playlist/a-1']?.desc, fields['playlist/a-2']?.desc]).toEqual(['Show; "one"', 'Show, two']);
    const { place } = definitionsOf(['playlists', 'a-2', 'desc'])[0]?.writtenAt?.(['desc']) ?? {};
    expect(place).toMatchObject({ row: 1, delimiter: what === 'tabs' ? '\t' : ';' });
  });

  test.each([
    ['team;number;"title, long";first', ';'],
    ['"team;x",number', ','],
    ['"a ""b"", c\nd";number', ';'],
    ['one', ','],
    ['a;b,c', ','],
    ['a\tb;c', ';'],
  ])('is divided as its header shows: %j by %j', (header, delimiter) => {
    const table = parseCsv(new TextEncoder().encode(`${header}\n`));
    expect('fault' in table ? table.fault : table.delimiter).toBe(delimiter);
  });

  test('is divided by its `delimiter`, whatever its header or the line `sep=` says', () => {
    const table = `playlists_from: [ { file: shows.csv, delimiter: ";", template: show, key: "\${team}-\${number}" } ]\n`;
    const csv = `team;number;title;first;"pod, s"\na;1;X;${A};5\n`;
    const files = { 'config/a.yaml': TEMPLATE.replace('pod: { type', '"pod, s": { type') + table, 'config/shows.csv': csv };
    expect(load(files).found.join()).not.toContain('divided');
    const plain = { 'config/a.yaml': TEMPLATE + table, 'config/shows.csv': `sep=,\n${csv.replace('"pod, s"', 'pod')}` };
    expect(load(plain).found).toEqual([]);
  });

  test('takes rows in YAML, with variables in them', () => {
    const rows = `{ rows: [ { id: x, title: "\${region} X", first: ${A}, pod: "\${seconds}" }, { id: y, title: Y, first: ${A} } ], template: show, key: "k-\${id}" }`;
    const { fields, found } = load(
      { 'config/a.yaml': `${TEMPLATE}playlists_from: [ ${rows} ]\n` },
      { vars: { region: 'EU', seconds: 15, unused: 1 } },
    );
    expect(found).toEqual([]);
    expect(fields['playlist/k-x']).toMatchObject({
      desc: 'EU X',
      playlist: [{ beam: { id: A } }, { ad: { dur: 15 } }, { beam: { id: B } }],
    });
    expect(fields['playlist/k-y']).toMatchObject({ desc: 'Y' });
  });

  test('makes policies', () => {
    const { merged, found } = load({
      'config/a.yaml': `
templates: { p: { params: { airplay: boolean }, drm_policy: { fairplay: { hd: { allow_airplay: "\${airplay}" } } } } }
drm_policies_from: [ { file: p.csv, template: p, key: "\${name}" } ]
`,
      'config/p.csv': 'name,airplay\nGold plan,TRUE\n',
    });
    expect(found).toEqual([]);
    expect(merged.drm_policies).toEqual({ 'Gold plan': { fairplay: { hd: { allow_airplay: true } } } });
  });

  test('does not read variables in cells', () => {
    const { fields } = withCsv(`team,number,title,first\na,1,\${region},${A}\n`, { vars: { region: 'eu' } });
    expect(fields['playlist/a-1']?.desc).toBe(`\${region}`);
  });

  test.each(['team,number,title,first\n', '\nteam,number,title,first\n,,,\n'])(
    'without rows makes its section managed and empty, and is named: %j',
    (csv) => {
      const { presentKeys, resources, findings } = withCsv(csv);
      expect(findings).toMatchObject([{ severity: 'warning', code: 'empty-table', file: 'config/shows.csv', column: 1 }]);
      expect(findings[0]?.line).toBe(csv.startsWith('team') ? 1 : 2);
      expect(presentKeys).toEqual(new Set(['playlists']));
      expect(resources).toEqual([]);
    },
  );

  test('may be a list without rows, whose columns are not known', () => {
    const { presentKeys, found } = load({
      'config/a.yaml': `${TEMPLATE}playlists_from: [ { rows: [], template: show, key: "\${team}-\${number}" } ]\n`,
    });
    expect(found).toEqual([]);
    expect(presentKeys).toEqual(new Set(['playlists']));
  });

  test('is part of the digest', () => {
    const digest = (title: string) => withCsv(`team,number,title,first\na,1,${title},${A}\n`).digest;
    expect(digest('One')).toBe(digest('One'));
    expect(digest('One')).not.toBe(digest('Two'));
  });

  test('gives every value its cell, and the resource its row', () => {
    const { positionOf, placesOf, definitionsOf } = withCsv(`team,number,title,first\r\na,1,"multi\r\nline",${A}\r\na,2,"B, b",${A}\r\n`);
    const place = (path: readonly (string | number)[]) => {
      const { file, line, column } = positionOf(path);
      return `${file}:${line}:${column}`;
    };
    expect(place(['playlists', 'a-1'])).toBe('config/shows.csv:2:1');
    expect(place(['playlists', 'a-1', 'desc'])).toBe('config/shows.csv:2:5');
    expect(place(['playlists', 'a-2'])).toBe('config/shows.csv:4:1');
    expect(place(['playlists', 'a-2', 'desc'])).toBe('config/shows.csv:4:5');
    expect(place(['playlists', 'a-2', 'playlist', 0, 'beam'])).toBe('config/shows.csv:4:12');
    expect(place(['playlists', 'a-2', 'playlist', 2])).toMatch(/^config\/a\.yaml:5:/);
    expect(placesOf(['playlists', 'a-2', 'desc'])).toEqual([
      { layer: 'template', template: 'show', value: 'B, b', file: 'config/shows.csv', line: 4, column: 5, written: undefined },
    ]);
    expect(definitionsOf(['playlists', 'a-2', 'desc'])[0]?.writtenAt?.(['desc']).place).toEqual({
      file: 'config/shows.csv',
      row: 1,
      column: 2,
      delimiter: ',',
    });
  });
});

describe('an error of a spreadsheet', () => {
  test.each([
    ...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NULL!', '#NUM!', 'NaN', 'undefined', '###', 'Err:502'],
    ...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#VALEUR!', '#NOM?', '#NUL!', '#NOMBRE!'],
  ])('as a whole cell is a warning at the cell, also in the key: %s', (cell) => {
    const { findings, fields } = withCsv(`team,number,title,first\na,1,${cell},${A}\n`);
    expect(findings).toMatchObject([{ severity: 'warning', code: 'spreadsheet-error', line: 2, column: 5 }]);
    expect(fields['playlist/a-1']?.desc).toBe(cell);
    const policies = load({
      'config/a.yaml': `
templates: { p: { drm_policy: { fairplay: { persistence: true } } } }
drm_policies_from: [ { file: p.csv, template: p, key: "\${name}" } ]
`,
      'config/p.csv': `name\nGold\n${cell}\n`,
    });
    expect(policies.found).toContain(`config/p.csv:3:1 spreadsheet-error the cell holds an error of a spreadsheet: ${cell}`);
  });

  test.each(['A #N/A', '#1', '#NOW!', 'nan', 'Undefined', '##', 'NULL', 'Err: 502'])('is no cell that only looks like one: %s', (cell) => {
    expect(withCsv(`team,number,title,first\na,1,${cell},${A}\n`).found).toEqual([]);
  });

  test('is a warning in a row in YAML, too, and an error beside it where the cell takes a number', () => {
    const rows = `rows: [ { team: a, number: "1", title: "#NV", first: ${A} } ]`;
    const { found } = load({ 'config/a.yaml': `${TEMPLATE}playlists_from: [ { ${rows}, template: show, key: "\${team}-\${number}" } ]\n` });
    expect(found).toEqual(['config/a.yaml:6:60 spreadsheet-error the cell holds an error of a spreadsheet: #NV']);
    expect(withCsv(`team,number,title,first,pod\na,1,X,${A},#WERT!\n`).found).toEqual([
      'config/shows.csv:2:40 spreadsheet-error the cell holds an error of a spreadsheet: #WERT!',
      'config/shows.csv:2:40 wrong-type `pod` must be a whole number, not `#WERT!`',
    ]);
  });
});

describe('an error in a table', () => {
  const HEADER = 'team,number,title,first,pod';

  test.each([
    ['a row with too few cells', `${HEADER}\na,1,X,${A}\n`, ['config/shows.csv:2:1 csv-cells the row has 4 cells, and the header 5']],
    [
      'a cell of another type',
      `${HEADER}\na,1,X,${A},ninety\n`,
      ['config/shows.csv:2:40 wrong-type `pod` must be a whole number, not `ninety`'],
    ],
    [
      'an empty cell of a parameter without a default',
      `${HEADER}\na,1,,${A},5\n`,
      ['config/shows.csv:2:5 missing-parameter the template `show` needs `title`'],
    ],
    [
      'a cell below empty lines',
      `\n${HEADER}\n\na,1,X,${A},5\n\n\na,2,Y,${A},ninety\n`,
      ['config/shows.csv:7:40 wrong-type `pod` must be a whole number, not `ninety`'],
    ],
    [
      'a row with too few cells below an empty line, in a file with CR LF',
      `${HEADER}\r\n\r\na,1,X,${A}\r\n`,
      ['config/shows.csv:3:1 csv-cells the row has 4 cells, and the header 5'],
    ],
    ['an empty cell of the key', `${HEADER}\na,,X,${A},5\n`, ['config/shows.csv:2:3 missing-parameter `key` needs `number`']],
    ['a missing column', `team,number,title\na,1,X\n`, ['config/a.yaml:7:48 missing-parameter the template `show` needs `first`']],
    [
      'an unknown column',
      `${HEADER},pot\na,1,X,${A},5,6\n`,
      ['config/shows.csv:1:29 unknown-parameter the template `show` has no parameter `pot`'],
    ],
    ['two columns of one name', `${HEADER},pod\na,1,X,${A},5,6\n`, ['config/shows.csv:1:29 csv-header there are two columns `pod`']],
    ['a column without a name', `${HEADER},\na,1,X,${A},5,6\n`, ['config/shows.csv:1:29 csv-header a column without a name']],
    [
      'a cell of another type, behind semicolons and the line `sep=;`',
      `sep=;\n;;;;\n${HEADER.replaceAll(',', ';')};;\n;;;;;;\na;1;X;${A};ninety;;\n`,
      ['config/shows.csv:5:40 wrong-type `pod` must be a whole number, not `ninety`'],
    ],
    [
      'a quote within a cell, behind semicolons and the line `sep=;`',
      `sep=;\n;;;;\n${HEADER.replaceAll(',', ';')}\na;1;X"x;${A};\n`,
      ['config/shows.csv:4:5 csv-syntax a quote stands in the middle of this cell'],
    ],
    [
      'text behind the last column',
      `${HEADER},,\na,1,X,${A},5,,,y\n`,
      ['config/shows.csv:2:1 csv-cells the row has 8 cells, and the header 5'],
    ],
    [
      'a quote that is never closed',
      `${HEADER}\na,1,X,${A},5\na,2,"Y,${A},5\n`,
      ['config/shows.csv:3:5 csv-syntax the quote that opens this cell is never closed'],
    ],
    [
      'a quote within a cell',
      `${HEADER}\n\na,1,X,${A},5\na,2,Y"y,${A},5\n`,
      ['config/shows.csv:4:5 csv-syntax a quote stands in the middle of this cell'],
    ],
    [
      'text after a closing quote',
      `${HEADER}\na,2,"Y"y,${A},5\n`,
      ['config/shows.csv:2:5 csv-syntax a quote stands in the middle of this cell'],
    ],
    [
      'two rows with one key',
      `${HEADER}\na,1,X,${A},5\na,1,Y,${A},5\n`,
      ['config/shows.csv:3:1 duplicate-key `a-1` is defined twice in one source'],
    ],
    ['a key that is no key', `${HEADER}\na b,1,X,${A},5\n`, ['config/shows.csv:2:1 invalid-key `a b-1` cannot be a key here']],
    ['a cell that the API refuses', `${HEADER}\na,1,X,${A},0\n`, ['config/shows.csv:2:40 out-of-range `ad` must be at least 1; it is 0']],
    [
      'a column with the name of a variable',
      `${HEADER},region\na,1,X,${A},5,6\n`,
      [
        'config/shows.csv:1:29 parameter-is-variable `region` is also a variable in `vars` of the target',
        'config/shows.csv:1:29 unknown-parameter the template `show` has no parameter `region`',
      ],
    ],
    [
      'bytes that are no text',
      `${HEADER}\na,1,X\u0000,${A},5\n`,
      ['config/shows.csv:2:1 not-text the file is not text: it holds the binary character U+0000'],
    ],
    [
      'no line at all',
      '',
      [
        'config/a.yaml:7:48 missing-parameter the template `show` needs `title`, `first`',
        'config/a.yaml:7:59 unknown-variable `key` uses `team`, which is no column',
        'config/a.yaml:7:59 unknown-variable `key` uses `number`, which is no column',
      ],
    ],
  ])('is reported at its cell: %s', (_what, csv, expected) => {
    expect([...withCsv(csv, { vars: { region: 'eu' } }).found].sort()).toEqual([...expected].sort());
  });

  test.each([
    ['a row that is too short', `${HEADER}\na,1,X\n`, 'Write a comma for each empty cell.'],
    ['a row that is too long', `${HEADER}\na,1,X, y,${A},5\n`, 'Put a cell that contains a comma in quotes.'],
    ['a conflict marker', `${HEADER}\n<<<<<<< HEAD\n`, 'It is an unresolved merge conflict: keep the rows of one side.'],
    ['a row that is too short, behind semicolons', `${HEADER.replaceAll(',', ';')}\na;1\n`, 'Write a semicolon for each empty cell.'],
    ['a comment', `# shows\n${HEADER}\n`, 'CSV has no comments: begin with the names of the columns.'],
    ['seconds with their unit', `${HEADER}\na,1,X,${A},90s\n`, 'Write only the number: 90'],
    ['another unit', `${HEADER}\na,1,X,${A},2 min\n`, '`params` of the template says integer.'],
  ])('has a hint about %s', (_what, csv, hint) => {
    expect(withCsv(csv).findings.map((each) => each.hint)).toContain(hint);
  });

  test('has a hint about a `delimiter` that is not the one of the file', () => {
    const table = 'playlists_from: [ { file: shows.csv, delimiter: ",", template: show, key: "${team}-${number}" } ]\n';
    const { findings } = load({ 'config/a.yaml': TEMPLATE + table, 'config/shows.csv': 'team;number\na;1\n' });
    expect(findings).toMatchObject([
      {
        code: 'csv-header',
        summary: 'the columns are divided by semicolons, and not by commas',
        hint: 'Correct `delimiter` of the table, or leave it out.',
      },
    ]);
  });

  test.each([
    ['a column that does not exist', '${team}-${nummer}', '`key` uses `nummer`, which is no column'],
    ['no column', 'team', '`key` names no column, so every row would have the same key'],
  ])('is reported at the key where that names %s, and nowhere else', (_what, key, summary) => {
    const { findings } = load({
      'config/a.yaml': `${TEMPLATE}${FROM_FILE.replace('${team}-${number}', key)}`,
      'config/shows.csv': `${HEADER}\na,1,X,${A},5\n`,
    });
    expect(findings.map((each) => each.summary)).toEqual([summary]);
  });

  test('every row is checked in one run', () => {
    const rows = ['a,1,X', `a,2,,${A},5`, `a,3,X,${A},x`, `a,4,X,${A},5`];
    expect(withCsv([HEADER, ...rows, ''].join('\n')).findings.map(({ line, code }) => `${line} ${code}`)).toEqual([
      '2 csv-cells',
      '3 missing-parameter',
      '4 wrong-type',
    ]);
  });

  test.each([
    ['a file outside the project', '{ file: ../../x.csv, template: show, key: k }', 'outside-project'],
    ['a file that does not exist', '{ file: x.csv, template: show, key: k }', 'missing-file'],
    ['neither file nor rows', '{ template: show, key: k }', 'missing-key'],
    ['both file and rows', '{ file: shows.csv, rows: [], template: show, key: k }', 'missing-key'],
    ['no key', '{ rows: [], template: show }', 'missing-key'],
    ['a delimiter beside rows', '{ rows: [], delimiter: ";", template: show, key: k }', 'invalid-value'],
    ['a delimiter that is none', '{ rows: [], delimiter: ":", template: show, key: k }', 'invalid-value'],
    ['an unknown template', '{ rows: [], template: no, key: k }', 'unknown-template'],
    ['rows that are no maps', '{ rows: [ 1 ], template: show, key: k }', 'wrong-type'],
    ['an unknown key', '{ rows: [], template: show, key: k, only: 1 }', 'unknown-key'],
  ])('is reported at its key: %s', (_what, table, code) => {
    const { findings } = load({ 'config/a.yaml': `${TEMPLATE}playlists_from: [ ${table} ]\n` });
    expect(findings.filter(({ severity }) => severity === 'error').map((each) => each.code)).toEqual([code]);
  });

  test('a list parameter cannot come from a cell', () => {
    const { findings } = load({
      'config/a.yaml': `
templates: { t: { params: { list: entries }, playlist: { playlist: "\${list}" } } }
playlists_from: [ { file: t.csv, template: t, key: "\${id}" } ]
`,
      'config/t.csv': 'id\na\n',
    });
    expect(findings).toEqual([
      expect.objectContaining({ code: 'missing-parameter', hint: 'A list cannot come from a cell: give `list` a default in `params`.' }),
    ]);
  });

  test('a key both in a table and under `playlists` of one source is a duplicate, and in two sources an overlay', () => {
    const csv = `team,number,title,first\na,1,X,${A}\n`;
    expect(withCsv(csv, {}, 'playlists: { a-1: { repeat: 2 } }\n').findings).toContainEqual(
      expect.objectContaining({
        code: 'duplicate-key',
        file: 'config/shows.csv',
        line: 2,
        hint: 'The other one is in config/a.yaml:8. Keep one of them.',
      }),
    );
    const { fields, found } = load(
      { 'base/a.yaml': TEMPLATE + FROM_FILE, 'base/shows.csv': csv, 'over.yaml': 'playlists: { a-1: { repeat: 2 } }' },
      { sources: ['base', 'over.yaml'] },
    );
    expect(found).toEqual([]);
    expect(fields['playlist/a-1']).toMatchObject({ desc: 'X', repeat: 2 });
  });
});
