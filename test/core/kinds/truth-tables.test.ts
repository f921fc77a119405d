/** The truth tables of every kind hold: every value compared with every value, and every field of its schema has a table. */
import { beforeAll, describe, expect, test } from 'vitest';
import { kinds } from '../../../src/core/kinds/index.ts';
import type { Kind } from '../../../src/core/kinds/kind.ts';
import type { RiskAssessment } from '../../../src/core/model/change.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { diffFields } from '../../../src/core/plan/diff-fields.ts';
import { areOpposite, effectSign } from './effect-signs.ts';
import { changeOf, liveOf, type ResourceSample, sampleReaderOf } from './resource-samples.ts';
import { ABSENT, sampleIn, type Table, tablesIn, tablesOf, uncovered } from './truth-tables.ts';

/** Returns the risk of a change. For an update all differing fields are assessed, in either direction, as for the drift report. */
function assess(kind: Kind, before: ResourceSample | null, after: ResourceSample | null): readonly RiskAssessment[] {
  if (kind.type === 'setting' && !before !== !after) {
    const fields = diffFields(before?.fields ?? kind.defaults(), after?.fields ?? kind.defaults());
    return kind.assessRisk({ action: 'update', before: before && liveOf(kind, before), after: after, fields });
  }
  if (!before || !after) return (changeOf(kind, before, after)?.fields ?? []).map(({ effect, reasons = [] }) => ({ effect, reasons }));
  return kind.assessRisk({ action: 'update', before: liveOf(kind, before), after: after, fields: diffFields(before.fields, after.fields) });
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('the truth tables of %s', (name, kind) => {
  let readSample: (document: JsonObject) => ResourceSample;
  beforeAll(async () => {
    readSample = await sampleReaderOf(name);
  });

  const tables = tablesOf(name);
  const trials = tables.flatMap((table) => table.trials.map((trial) => [trial.title, table, trial] as const));

  test.each(trials)('hold for every value before and after: %s', (_title, { lines, columns }, trial) => {
    const samples = new Map([...columns, ...lines.map(([before]) => before)].map((name) => [name, sampleIn(trial, name, readSample)]));
    const row = (before: ResourceSample | null) =>
      new Map(columns.map((after) => [after, assess(kind, before, samples.get(after) ?? null)]));
    const assessments = new Map(lines.map(([before]) => [before, row(samples.get(before) ?? null)]));
    const cell = (before: string, after: string) => assessments.get(before)?.get(after) ?? [];
    const signs = lines.map(([before]) => columns.map((after) => (isBothAbsent(before, after) ? '-' : effectSign(cell(before, after)))));
    expect(formatLines(lines, signs)).toEqual(formatLines(lines));
    const names = columns.filter((name) => name !== ABSENT);
    for (const [nth, before] of names.entries())
      for (const after of names.slice(nth + 1))
        expect([before, after]).toSatisfy(() => areOpposite(cell(before, after), cell(after, before)));
  });

  const defaultTrials = trials.filter(([, { defaultName: standard }, { isPlain }]) => standard !== undefined && isPlain);

  test.each(defaultTrials)(
    'hold for a create and a delete compared with the default: %s',
    (_title, { defaultName: standard = '', lines, columns }, trial) => {
      expect(sampleIn(trial, standard, readSample)?.fields).toEqual(readSample({}).fields);
      const created = columns.map((after) => effectSign(assess(kind, null, sampleIn(trial, after, readSample))));
      const deleted = lines.map(([before]) => effectSign(assess(kind, sampleIn(trial, before, readSample), null)));
      expect(created).toEqual(lines.find(([before]) => before === standard)?.[1]);
      expect(deleted).toEqual(lines.map(([, signs]) => signs[columns.indexOf(standard)]));
    },
  );

  test.each(tables.map((table) => [table.title, table] as const))('compare every value with every value: %s', (_title, table) => {
    const lines = table.lines.map(([line]) => line);
    expect(table.trials).not.toEqual([]);
    for (const trial of table.trials) expect(lines).toEqual(expect.arrayContaining([...trial.names]));
    if (table.columns.join() !== ABSENT) expect(lines).toEqual(table.columns);
  });

  test('cover every field and every value that the schema names', () => {
    expect(uncovered(kind, tables)).toEqual([]);
  });

  test('would not cover a new field, and the check reports that', () => {
    const sections = Object.keys(kind.schema.properties).filter((key) =>
      kind.sections.some((section) => section.addressPrefix !== null && section.key === key),
    );
    const later = { properties: { later: { type: 'boolean' } } };
    for (const key of sections) {
      const schema = { ...kind.schema, properties: { ...kind.schema.properties, [key]: later } };
      expect(uncovered({ ...kind, schema }, tables)).toContain('/later');
    }
  });
});

function isBothAbsent(before: string, after: string): boolean {
  return before === ABSENT && after === ABSENT;
}

/** Formats each line as a string, so that a failure shows the table, with its own signs or others. */
function formatLines(
  lines: Table['lines'],
  signs: readonly (readonly string[])[] = lines.map(([, ownSigns]) => ownSigns),
): readonly string[] {
  return lines.map(([name], nth) => `${name}: ${signs[nth]?.join(' ')}`);
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

  test('is parsed line by line', () => {
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
    expect(first?.trials[0]?.namedValue('true')).toEqual({ document: { lease: true }, field: { path: '/fairplay/hd/lease', value: true } });
    expect(second?.defaultName).toBe('x');
    expect(second?.trials.map(({ namedValue }) => namedValue('x'))).toEqual([{ document: { a: { b: 1, c: 2 } } }]);
  });

  test.each([
    ['table a\nfrom 1\nwas x y\nx =', 'x has 1 cells for 2 columns'],
    ['table a\nwas x\nx =', 'a: no source'],
    ['table a\nfrom 1\nx =', 'a: no line begins with was'],
    ['table a\nfrom 1\nof /a given $b\nwas x\nx =', 'nothing is b'],
    ['table a\nfrom 1\nof /a given 1\nwas x\nx =', '1 is no document'],
  ])('is invalid as %j', (text, why) => {
    expect(() => tablesIn(text)).toThrow(why);
  });

  test('defines only the names that it gives a value', () => {
    const [table] = tablesIn('table a\nfrom 1\nvalue x = {}\nwas x\nx =');
    expect(() => table?.trials[0]?.namedValue('y')).toThrow('a: nothing is y');
  });
});
