/** Tests `drift accept` with random edits by hand of playlists that a template makes of the rows of a CSV file: only their cells change. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptedTexts, asset } from '../core/drift/accept/project.ts';
import { assertProperty } from '../support/property.ts';

/** A template with entries in the short or in the long form, and a table that may say what divides its cells. */
const sourceWith = ({ isLong, delimiter, isDeclared }: Style) => `templates:
  show:
    params: { title: string, first: string, pod: { type: integer, default: 60 }, second: string, active: { type: boolean, default: true } }
    playlist:
      desc: "The \${title}!"
      active: "\${active}"
      playlist: [ ${isLong ? `{ beam: { id: "\${first}" } }, { ad: { dur: "\${pod}" } }, { beam: { id: "\${second}" } }` : `{ beam: "\${first}" }, { ad: "\${pod}" }, { beam: "\${second}" }`} ]
playlists_from:
  - { file: shows.csv, ${isDeclared ? `delimiter: ${JSON.stringify(delimiter)}, ` : ''}template: show, key: "\${id}" }
`;

const title = fc
  .array(fc.constantFrom('a', 'B', ',', ';', '"', "'", '#', '$', '{', '}', 'é', '横', ' ', '1', '!'), { minLength: 1, maxLength: 8 })
  .map((characters) => characters.join(''));

/** The cells of a row beside its ID, as texts. */
const row = fc.record({
  title,
  first: fc.integer({ min: 1, max: 9 }).map(asset),
  pod: fc.oneof(fc.constant(''), fc.integer({ min: 1, max: 300 }).map(String)),
  second: fc.integer({ min: 1, max: 9 }).map(asset),
  active: fc.constantFrom<string>('', 'true', 'FALSE'),
});

type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * How the file is written: line ends, a byte order mark, whether all cells have quotes, what divides them and where that is said, an empty
 * row in front, and the form of the entries.
 */
const style = fc.record({
  eol: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\ufeff'),
  quotes: fc.boolean(),
  isLong: fc.boolean(),
  delimiter: fc.constantFrom(',', ';', '\t'),
  isDeclared: fc.boolean(),
  hasSeparatorLine: fc.boolean(),
  hasEmptyRow: fc.boolean(),
});

type Style = typeof style extends fc.Arbitrary<infer Value> ? Value : never;

const COLUMNS = ['title', 'first', 'pod', 'second', 'active'] as const;

function csvOf(rows: readonly Row[], { eol, mark, quotes, delimiter, hasSeparatorLine, hasEmptyRow }: Style): string {
  const cell = (text: string) =>
    quotes || text.includes(delimiter) || /["]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map((each, index) => [`r${index}`, ...COLUMNS.map((name) => each[name])].map(cell).join(delimiter));
  const emptyRow = hasEmptyRow ? [delimiter.repeat(COLUMNS.length)] : [];
  const separatorLine = hasSeparatorLine ? [`sep=${delimiter}`] : [];
  return `${mark}${[...separatorLine, ...emptyRow, ['id', ...COLUMNS].join(delimiter), ...emptyRow, ...lines].join(eol)}${eol}`;
}

const escaped = (text: string) => text.replaceAll('${', () => '$${');

/** Returns the playlist that a row makes, as a declaration of its own. */
const playlistOf = ({ title: name, first, pod, second, active }: Row) => ({
  desc: escaped(`The ${name}!`),
  active: active.toUpperCase() !== 'FALSE',
  playlist: [{ beam: first }, { ad: Number(pod || '60') }, { beam: second }],
});

test('each edit of a setting, an ad or a beam changes its own cell, and no other byte of the table', () => {
  const edited = fc.tuple(row, fc.option(row), fc.subarray([...COLUMNS]));
  assertProperty(
    fc.property(fc.array(edited, { minLength: 1, maxLength: 4 }), style, (drawn, how) => {
      // Two playlists must not have the same description.
      const numbered = (each: Row, index: number): Row => ({ ...each, title: `${index}${each.title}` });
      const rows = drawn.map(([before, after, names], index) => [numbered(before, index), after && numbered(after, index), names] as const);
      const declared = rows.map(([before]) => before);
      // An edit by hand of what has its default fills the cell; one that makes nothing else leaves the cell as it is.
      const live = rows.map(([before, after, names]): Row => {
        const changed = COLUMNS.filter(
          (name) => after !== null && names.includes(name) && meaningOf(name, after) !== meaningOf(name, before),
        );
        return { ...before, ...Object.fromEntries(changed.map((name) => [name, after ? meaningOf(name, after) : ''])) };
      });
      const before = csvOf(declared, how);
      const playlists = Object.fromEntries(live.map((each, index) => [`r${index}`, playlistOf(each)]));
      const after = acceptedTexts({ 'a.yaml': sourceWith(how), 'shows.csv': before }, { playlists });
      if (live.every((each, index) => each === declared[index] || COLUMNS.every((name) => each[name] === declared[index]?.[name]))) {
        expect(after).toEqual([]);
        return;
      }
      const text = 'shows.csv' in after ? String(after['shows.csv']) : '';
      expect(Object.keys(after)).toEqual(['shows.csv']);
      const table = text.replace(/^\ufeff?(sep=.\r?\n)?/, '');
      const records = parse(table, {
        columns: true,
        delimiter: how.delimiter,
        skip_records_with_empty_values: true,
        from_line: how.hasEmptyRow ? 2 : 1,
      });
      expect(records).toEqual(live.map((each, index) => ({ id: `r${index}`, ...each })));
      expect(text.split(how.eol).filter((line, index) => line !== before.split(how.eol)[index]).length).toBe(
        live.filter((each, index) => COLUMNS.some((name) => each[name] !== declared[index]?.[name])).length,
      );
    }),
  );
});

/** Returns the text that upkeep writes for what a cell means. */
function meaningOf(column: (typeof COLUMNS)[number], cells: Row): string {
  const text = cells[column];
  if (column === 'pod') return text || '60';
  return column === 'active' ? String(text !== 'FALSE') : text;
}
