/** What `npm run mutants` found, as kept in test/mutants/results.json: how many faults put into the sources no test notices, and which. */
import { describe, expect, test } from 'vitest';
import { asInteger, asList, asString } from '../src/core/model/json-readers.ts';
import explained from './mutants/explained.json' with { type: 'json' };
import results from './mutants/results.json' with { type: 'json' };
import { folderOf, folders, sourceDigest, sources, testDigest, unmeasured } from './mutants/scope.mjs';
import { proving, record } from './support/figures.ts';

/** A fault that no test notices. */
interface Survivor {
  /** The text of the line that it changes. */
  readonly text: string;
  readonly mutator: string;
  readonly replacement: string;
}

/** Why nobody could tell a survivor from the source. */
interface Explanation extends Survivor {
  readonly file: string;
  readonly why: string;
}

/** The mutants of one file, and the SHA-256 of the source and of its tests that they were tried with. */
interface Row {
  readonly source: string;
  readonly tests: string;
  readonly killed: number;
  readonly timeout: number;
  readonly survivors: readonly Survivor[];
}

const explanations: readonly Explanation[] = explained.survivors;
const rows = new Map<string, Row>(Object.entries(results.files));

const isCurrent = (source: string): boolean => {
  const row = rows.get(source);
  return row !== undefined && row.source === sourceDigest(source) && row.tests === testDigest(folderOf(source));
};

/** Returns the mutants that a test noticed, in percent; one with which no test file loads is neither noticed nor not. */
function score(files: readonly string[]): number {
  const own = files.flatMap((file) => rows.get(file) ?? []);
  const noticed = own.reduce((sum, { killed, timeout }) => sum + killed + timeout, 0);
  const survived = own.reduce((sum, { survivors }) => sum + survivors.length, 0);
  return noticed + survived === 0 ? 100 : (100 * noticed) / (noticed + survived);
}

function textOf({ text, mutator, replacement }: Survivor): string {
  return `${mutator} of \`${text}\`: ${replacement}`;
}

/** The files in which each survivor has to be explained. */
const critical = sources.filter((file) => explained.files.some((each) => file.startsWith(each)));

describe('the record of the mutation tests', () => {
  test('has a well-formed row for files that are measured, and for no other', () => {
    expect(rows.size).toBeGreaterThan(0);
    for (const [file, row] of rows) {
      expect(sources).toContain(file);
      expect([asString(row.source)?.length, asString(row.tests)?.length], file).toEqual([64, 64]);
      expect(asInteger(row.killed), file).toBeGreaterThanOrEqual(0);
      expect(asInteger(row.timeout), file).toBeGreaterThanOrEqual(0);
      for (const survivor of asList(row.survivors) ?? []) {
        expect(survivor, file).toMatchObject({ text: expect.any(String), mutator: expect.any(String), replacement: expect.any(String) });
      }
    }
  });

  test('explains a survivor in a sentence, in a file where each has to be explained', () => {
    expect(critical.length).toBeGreaterThan(explained.files.length);
    for (const { file, why } of explanations) {
      expect(critical, why).toContain(file);
      expect(why).toMatch(/^[A-Z`].{20,}\.$/);
    }
  });
});

if (proving) {
  describe('the mutation tests', () => {
    test('were run on every measured file, its tests and their helpers as they stand', () => {
      const stale = sources.filter((source) => !isCurrent(source));
      const value = stale.length === 0 ? 'none' : `${stale.length} of ${sources.length} files`;
      record({ proof: 'mutation testing', name: 'missing or stale', value, wanted: 'none', holds: stale.length === 0 });
      record({ proof: 'mutation testing', name: 'not measured', value: unmeasured.join(', '), wanted: 'named', holds: true });
      expect(stale, 'run `npm run mutants`').toEqual([]);
    });

    test.each(folders)('noticed at least 90 in 100 faults of %s', (folder) => {
      const value = score(sources.filter((source) => folderOf(source) === folder));
      const figure = { proof: 'mutation testing', name: `score of ${folder}`, value: `${value.toFixed(1)} %`, wanted: 'at least 90 %' };
      record({ ...figure, holds: value >= 90 });
      expect(value).toBeGreaterThanOrEqual(90);
    });

    test.each(critical)('left no fault of %s unnoticed without an explanation', (file) => {
      const survivors = (rows.get(file)?.survivors ?? []).map(textOf).sort();
      const explainedHere = explanations.filter((each) => each.file === file).map(textOf);
      record({
        proof: 'mutation testing',
        name: `unexplained in ${file}`,
        value: survivors.length - explainedHere.length,
        wanted: 'none',
        holds: survivors.length === explainedHere.length,
      });
      expect(explainedHere.sort()).toEqual(survivors);
    });
  });
}
