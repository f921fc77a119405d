/** Which templates and tables an export proposes. */
import { describe, expect, it } from 'vitest';
import { proposeTables, tableFiles } from '../../../src/core/export/tables.ts';
import type { ConfigEntry } from '../../../src/core/kinds/kind.ts';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';

const entry = (key: string, value: Json): ConfigEntry => ({ section: 'playlists', key, value, adopt: {}, objects: [] });
const many = (count: number, value: (index: number) => Json, key = (index: number) => `show-${index}`) =>
  Array.from({ length: count }, (_, index) => entry(key(index), value(index)));
const variable = (name: string) => `$\{${name}}`;

function tablesOf(entries: readonly ConfigEntry[], reserved: readonly string[] = []) {
  return proposeTables(entries, reserved).map(({ name, columns, keyColumn, body, rows }) => ({
    name,
    columns: columns.map((column) => `${column.name}:${column.type ?? 'key'}`),
    keyColumn,
    body,
    rows: rows.length,
  }));
}

describe('a table', () => {
  it('has a column for each value that differs, and a template with the others', () => {
    const value = (index: number) => ({
      desc: `Show ${index}`,
      repeat: index,
      playlist: [{ beam: 'intro' }, { ad: 30 + index }, { beam: `b${index}` }],
    });
    expect(tablesOf(many(10, value))).toEqual([
      {
        name: 'show',
        columns: ['key:key', 'desc:string', 'repeat:integer', 'ad_2:integer', 'beam_3:string'],
        keyColumn: 'key',
        body: {
          desc: variable('desc'),
          repeat: variable('repeat'),
          playlist: [{ beam: 'intro' }, { ad: variable('ad_2') }, { beam: variable('beam_3') }],
        },
        rows: 10,
      },
    ]);
  });

  it('is proposed for ten entries, and for nine not', () => {
    const value = (index: number) => ({ desc: `Show ${index}`, playlist: [{ beam: 'a' }] });
    expect(tablesOf(many(9, value))).toEqual([]);
    expect(tablesOf(many(10, value))).toHaveLength(1);
  });

  it('is proposed for entries that differ in their keys only', () => {
    const [table] = tablesOf(many(10, () => ({ playlist: [{ beam: 'a' }] })));
    expect(table).toMatchObject({ columns: ['key:key'], body: { playlist: [{ beam: 'a' }] } });
  });

  it.each<[string, (isOther: boolean) => JsonObject]>([
    ['other fields', (isOther) => (isOther ? { repeat: 1, playlist: [] } : { active: 0, playlist: [] })],
    ['longer lists', (isOther) => ({ playlist: isOther ? [{ beam: 'a' }] : [{ beam: 'a' }, { beam: 'b' }] })],
    ['another order of entries', (isOther) => ({ playlist: isOther ? [{ beam: 'a' }, { ad: 1 }] : [{ ad: 1 }, { beam: 'a' }] })],
    ['a text instead of a number', (isOther) => ({ desc: isOther ? 'a' : 1 })],
  ])('has no entry with %s', (_what, value) => {
    expect(tablesOf(many(18, (index) => value(index % 2 === 0)))).toEqual([]);
    expect(tablesOf(many(20, (index) => value(index % 2 === 0))).map(({ name, rows }) => [name, rows])).toEqual([
      ['show', 10],
      ['show-2', 10],
    ]);
  });

  it.each([
    ['an empty text', ''],
    ['a control character', 'a\tb'],
    ['an invisible character', 'a\u200bb'],
    ['a carriage return', 'a\r\nb'],
    ['a command of a CI system', '::error::a'],
    ['a command of a CI system in its second line', 'a\n::error::a'],
    ['a formula of a spreadsheet', '=1+1'],
  ])('has no cell with %s', (_what, text) => {
    const value = (index: number) => ({ desc: index === 10 ? text : `Show ${index}` });
    expect(tablesOf(many(11, value)).map(({ rows }) => rows)).toEqual([10]);
    expect(tablesOf(many(10, (index) => ({ desc: text, repeat: index }))).map(({ body }) => body)).toEqual([
      { desc: text, repeat: variable('repeat') },
    ]);
  });

  it('uses the column that equals the keys as the key', () => {
    const value = (index: number) => ({ desc: `Show ${index}`, playlist: [{ beam: `show-${index}` }] });
    expect(tablesOf(many(10, value))).toMatchObject([{ columns: ['desc:string', 'beam_1:string'], keyColumn: 'beam_1' }]);
  });

  it('has at most ten columns: entries that differ in more are divided by the value that differs least', () => {
    const family = (index: number) => (index % 2 === 0 ? 'kids' : 'news');
    const shared = (index: number) => Array.from({ length: 10 }, (_, place) => ({ beam: `${family(index)}${place}` }));
    const value = (index: number) => ({ desc: `Show ${index}`, playlist: [...shared(index), { beam: `own${index}` }] });
    const tables = tablesOf(many(20, value, (index) => `${family(index)}-${index}`));
    expect(tables.map(({ name, columns, rows }) => [name, columns, rows])).toEqual([
      ['kids', ['key:key', 'desc:string', 'beam_11:string'], 10],
      ['news', ['key:key', 'desc:string', 'beam_11:string'], 10],
    ]);
    const different = many(50, (index) => ({ playlist: Array.from({ length: 11 }, (_, place) => ({ beam: `b${index}-${place}` })) }));
    expect(tablesOf(different)).toEqual([]);
  });

  it('has no column with the name of a variable of the target', () => {
    const value = (index: number) => ({ desc: `Show ${index}` });
    expect(tablesOf(many(10, value), ['desc', 'desc_', 'key'])).toMatchObject([
      { columns: ['key_:key', 'desc__:string'], keyColumn: 'key_' },
    ]);
  });

  it.each([
    ['kids-a, kids-b', (index: number) => `kids-${String.fromCharCode(97 + index)}`, 'kids'],
    ['kids.hd-0, kids.hd-1', (index: number) => `kids.hd-${index}`, 'kids.hd'],
    ['kids, kids-1', (index: number) => (index === 0 ? 'kids' : `kids-${index}`), 'playlist'],
    ['k0, k1', (index: number) => `k${index}`, 'playlist'],
  ])('of %s is named by what the keys have in common', (_what, key, name) => {
    expect(tablesOf(many(10, () => ({}), key)).map((table) => table.name)).toEqual([name]);
  });

  it('keeps variables of the account as texts, in cells and in the template', () => {
    const tables = proposeTables(
      many(10, (index) => ({ desc: `"${index}", ${variable('x')}\n$`, playlist: [{ beam: variable('y') }] })),
      [],
    );
    const [source, csv] = tableFiles(tables);
    expect(source?.text).toContain(`- beam: $${variable('y')}\n`);
    expect(csv?.text.split('\n').slice(0, 3)).toEqual(['key,desc', `show-0,"""0"", ${variable('x')}`, '$"']);
  });
});
