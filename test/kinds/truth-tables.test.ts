/** Every kind keeps its truth tables: every value against every value, and no field of its schema without a table. */
import { beforeAll, describe, expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import type { RiskAssessment } from '../../src/model/change.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { diffFields } from '../../src/plan/diff-fields.ts';
import { schemaFieldsOf } from './schema-fields.ts';
import { liveOf, type Side, sideMakerOf, stepOf } from './sides.ts';
import { mirrors, signOf } from './truth.ts';
import { type Table, type Trial, tablesIn, tablesOf, valuesIn } from './truth-tables.ts';

/** The word for the absent side of a create and of a delete. */
const NOTHING = 'nothing';

/** What a kind says of a change. An update is judged by all that differs, either way round, as the report of drift may ask. */
function verdicts(kind: Kind, before: Side | null, after: Side | null): readonly RiskAssessment[] {
  if (kind.type === 'setting' && !before !== !after) {
    const fields = diffFields(before?.fields ?? kind.defaults(), after?.fields ?? kind.defaults());
    return kind.assessRisk({ action: 'update', live: before && liveOf(kind, before), desired: after, fields });
  }
  if (!before || !after) return (stepOf(kind, before, after)?.fields ?? []).map(({ effect, reasons = [] }) => ({ effect, reasons }));
  return kind.assessRisk({ action: 'update', live: liveOf(kind, before), desired: after, fields: diffFields(before.fields, after.fields) });
}

/** The fields with another value at a place. @throws Error where the place is not there */
function put(fields: JsonObject, [member = '', ...rest]: readonly string[], value: Json): JsonObject {
  if (rest.length === 0) return { ...fields, [member]: value };
  const inner = fields[member];
  if (!isJsonObject(inner)) throw new Error(`${member} holds no fields`);
  return { ...fields, [member]: put(inner, rest, value) };
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  let sideOf: (document: JsonObject) => Side;
  beforeAll(async () => {
    sideOf = await sideMakerOf(name);
  });

  function sideIn(trial: Trial, word: string): Side | null {
    if (word === NOTHING) return null;
    const { document, put: placed } = trial.meaningOf(word);
    const side = sideOf(document);
    return placed ? { ...side, fields: put(side.fields, placed.path.split('/').slice(1), placed.value) } : side;
  }

  const tables = tablesOf(name);
  const trials = tables.flatMap((table) => table.trials.map((trial) => [trial.title, table, trial] as const));

  test.each(trials)('%s', (_title, { lines, columns }, trial) => {
    const sides = new Map([...columns, ...lines.map(([before]) => before)].map((word) => [word, sideIn(trial, word)]));
    const row = (before: Side | null) => new Map(columns.map((after) => [after, verdicts(kind, before, sides.get(after) ?? null)]));
    const grid = new Map(lines.map(([before]) => [before, row(sides.get(before) ?? null)]));
    const cell = (before: string, after: string) => grid.get(before)?.get(after) ?? [];
    const signed = lines.map(([before]) => columns.map((after) => (isVoid(before, after) ? '-' : signOf(cell(before, after)))));
    expect(inWords(lines, signed)).toEqual(inWords(lines));
    const words = columns.filter((word) => word !== NOTHING);
    for (const [nth, before] of words.entries())
      for (const after of words.slice(nth + 1)) expect([before, after]).toSatisfy(() => mirrors(cell(before, after), cell(after, before)));
  });

  const plain = trials.filter(([, { standard }, { isPlain }]) => standard !== undefined && isPlain);

  test.each(plain)('a create and a delete against the default: %s', (_title, { standard = '', lines, columns }, trial) => {
    expect(sideIn(trial, standard)?.fields).toEqual(sideOf({}).fields);
    const created = columns.map((after) => signOf(verdicts(kind, null, sideIn(trial, after))));
    const deleted = lines.map(([before]) => signOf(verdicts(kind, sideIn(trial, before), null)));
    expect(created).toEqual(lines.find(([before]) => before === standard)?.[1]);
    expect(deleted).toEqual(lines.map(([, signs]) => signs[columns.indexOf(standard)]));
  });

  test.each(tables.map((table) => [table.title, table] as const))('every value stands against every value: %s', (_title, table) => {
    const lines = table.lines.map(([line]) => line);
    expect(table.trials).not.toEqual([]);
    for (const trial of table.trials) expect(lines).toEqual(expect.arrayContaining([...trial.names]));
    if (table.columns.join() !== NOTHING) expect(lines).toEqual(table.columns);
  });

  test('no field is without a table, and no value that its schema names', () => {
    expect(untold(kind, tables)).toEqual([]);
  });

  test('a field more would be one without a table', () => {
    const tabled = Object.keys(kind.schema.properties).filter((key) =>
      kind.sections.some((section) => section.declares !== null && section.key === key),
    );
    const later = { properties: { later: { type: 'boolean' } } };
    for (const key of tabled) {
      const schema = { ...kind.schema, properties: { ...kind.schema.properties, [key]: later } };
      expect(untold({ ...kind, schema }, tables)).toContain('/later');
    }
  });
});

function isVoid(before: string, after: string): boolean {
  return before === NOTHING && after === NOTHING;
}

/** Each line in one text, so that a failure shows the table; the signs are its own or others. */
function inWords(lines: Table['lines'], signs: readonly (readonly string[])[] = lines.map(([, own]) => own)): readonly string[] {
  return lines.map(([name], nth) => `${name}: ${signs[nth]?.join(' ')}`);
}

/** Fields without a table, and named values that no table tries. */
function untold(kind: Pick<Kind, 'sections' | 'schema'>, tables: readonly Table[]): readonly string[] {
  return schemaFieldsOf(kind).flatMap(({ path, values }) => {
    if (!tables.some(({ fields }) => fields.some((field) => isAbout(field, path)))) return [path];
    const tried = new Set(tables.flatMap((table) => valuesIn(table, (place) => isAbout(place, path))).map(plainly));
    return values.filter((value) => !tried.has(plainly(value))).map((value) => `${path} ${JSON.stringify(value)}`);
  });
}

/** Whether a place is a field, `*` being any element of a list; a list is told with its elements. */
function isAbout(place: string, field: string): boolean {
  const [steps, own] = [place.split('/'), field.split('/')];
  const isPrefix = steps.every((step, nth) => step === own[nth] || own[nth] === '*');
  return isPrefix && (steps.length === own.length || own[steps.length] === '*');
}

/** 0 and false, 1 and true mean the same in the source files. */
function plainly(value: Json): Json {
  return typeof value === 'boolean' ? Number(value) : value;
}

describe('a truth table', () => {
  const TEXT = `
let on = { lease: true }
# a remark
table lease, with $on
from  2.2
of    /fairplay/{hd,sd}/lease given $on
was    false  true
false  =      ±
true   ±      =
table both
from  2.3
given { a: { b: 1 } }
value x = { a: { c: 2 } }
default x
was  x
x    =`;

  test('is read line by line', () => {
    const [first, second, ...more] = tablesIn(TEXT);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ from: '2.2', fields: ['/fairplay/hd/lease', '/fairplay/sd/lease'], columns: ['false', 'true'] });
    expect(first?.lines).toEqual([
      ['false', ['=', '±']],
      ['true', ['±', '=']],
    ]);
    expect(first?.trials.map(({ title, isPlain }) => [title, isPlain])).toEqual([
      ['lease, with { lease: true }: /fairplay/hd/lease given {"lease":true}', false],
      ['lease, with { lease: true }: /fairplay/sd/lease given {"lease":true}', false],
    ]);
    expect(first?.trials[0]?.meaningOf('true')).toEqual({ document: { lease: true }, put: { path: '/fairplay/hd/lease', value: true } });
    expect(second?.standard).toBe('x');
    expect(second?.trials.map(({ meaningOf }) => meaningOf('x'))).toEqual([{ document: { a: { b: 1, c: 2 } } }]);
  });

  test.each([
    ['table a\nfrom 1\nwas x y\nx =', 'x has 1 cells for 2 columns'],
    ['table a\nwas x\nx =', 'a: no source'],
    ['table a\nfrom 1\nx =', 'a: no line begins with was'],
    ['table a\nfrom 1\nof /a given $b\nwas x\nx =', 'nothing is b'],
    ['table a\nfrom 1\nof /a given 1\nwas x\nx =', '1 is no document'],
  ])('%j is none', (text, why) => {
    expect(() => tablesIn(text)).toThrow(why);
  });

  test('knows the names that it gives a meaning only', () => {
    const [table] = tablesIn('table a\nfrom 1\nvalue x = {}\nwas x\nx =');
    expect(() => table?.trials[0]?.meaningOf('y')).toThrow('a: nothing is y');
  });
});
