/** What `npm run mutants` found, as kept in test/mutants/results.json: how many faults put into the sources no test notices, and which. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import explained from './mutants/explained.json' with { type: 'json' };
import results from './mutants/results.json' with { type: 'json' };
import { proving, record } from './support/figures.ts';

interface Survivor {
  readonly line: string;
  readonly mutator: string;
  readonly replacement: string;
}

/** Why a survivor is none: nobody could tell the mutant from the source. */
interface Explanation extends Survivor {
  readonly file: string;
  readonly why: string;
}

/** The mutants of one file, counted by what became of them, and the text that was mutated. */
interface Row {
  readonly sha256: string;
  readonly killed: number;
  readonly timeout: number;
  readonly survived: number;
  readonly noCoverage: number;
  readonly survivors?: readonly Survivor[];
}

const top = new URL('..', import.meta.url);
const explanations: readonly Explanation[] = explained.survivors;
const rows = new Map<string, Row>(Object.entries(results.files));
const folders = ['api-client', 'apply', 'config', 'drift', 'explain', 'export', 'guards', 'kinds', 'plan', 'safety', 'state'];
const sources = folders.flatMap((folder) => {
  const files = readdirSync(new URL(`src/${folder}/`, top), { encoding: 'utf8', recursive: true });
  return files.filter((file) => file.endsWith('.ts')).map((file) => `src/${folder}/${file}`);
});
const texts = new Map(sources.map((file) => [file, readFileSync(new URL(file, top), 'utf8')]));
const measured = sources.filter((file) => rows.get(file)?.sha256 === digest(texts.get(file)));
const changed = sources.filter((file) => !measured.includes(file));
const named = sources.filter((file) => explained.files.some((each) => file.startsWith(each)));

function digest(text = ''): string {
  return createHash('sha256').update(text).digest('hex');
}

function lines(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (texts.get(file)?.split('\n').length ?? 0), 0);
}

/** Mutants that a test noticed, in percent of all; a mutant with which nothing loads is neither. */
function score(files: readonly string[]): number {
  const sum = (count: (row: Row) => number) => files.reduce((total, file) => total + count(rows.get(file) ?? none), 0);
  const noticed = sum(({ killed, timeout }) => killed + timeout);
  return (100 * noticed) / (noticed + sum(({ survived, noCoverage }) => survived + noCoverage));
}

const none: Row = { sha256: '', killed: 0, timeout: 0, survived: 0, noCoverage: 0 };

function textOf({ line, mutator, replacement }: Survivor): string {
  return `${mutator} of \`${line}\`: ${replacement}`;
}

const survivorsIn = (file: string) => (rows.get(file)?.survivors ?? []).map(textOf).sort();
const explanationsOf = (file: string) => explanations.flatMap((each) => (each.file === file ? textOf(each) : [])).sort();

describe('mutants', () => {
  test.each(folders)('at least 85 in 100 of %s are noticed by a test', (folder) => {
    const isOwn = (file: string) => file.startsWith(`src/${folder}/`);
    const own = measured.filter(isOwn);
    const share = (100 * lines(own)) / lines(sources.filter(isOwn));
    const value = score(own);
    const figure = own.length === 0 ? 'not measured' : `${value.toFixed(1)} % in ${share.toFixed(0)} % of its lines`;
    const wanted = 'at least 85 % in at least 90 % of its lines';
    record({ proof: 'mutation testing', name: `score of ${folder}`, value: figure, wanted, holds: value >= 85 && share >= 90 });
    if (proving) expect(share, 'lines measured as they stand: run `npm run mutants`').toBeGreaterThanOrEqual(90);
    expect(value < 85, figure).toBe(false);
  });

  test('were tried on the sources as they stand', () => {
    const share = (100 * lines(changed)) / lines(sources);
    const named = changed.length > 3 ? [...changed.slice(0, 3), `${changed.length - 3} more files`] : changed;
    const value = changed.length === 0 ? 'none' : `${share.toFixed(0)} % of the lines: ${named.join(', ')}`;
    const wanted = 'at most 10 % of the lines';
    record({ proof: 'mutation testing', name: 'unmeasured, or changed since', value, wanted, holds: share <= 10 });
    if (proving) expect(share, changed.join(', ')).toBeLessThanOrEqual(10);
    expect([...rows.keys()].filter((file) => folders.some((folder) => file.startsWith(`src/${folder}/`)))).toEqual([...rows.keys()]);
  });

  test('that survive in the safety checks, the schedule, the static key and the signature are each explained, and no other', () => {
    const unmeasured = named.filter((file) => changed.includes(file));
    const open = named.filter((file) => !unmeasured.includes(file)).filter((file) => `${survivorsIn(file)}` !== `${explanationsOf(file)}`);
    const value = [...open, ...unmeasured.map((file) => `${file} (changed since)`)].join(', ') || 'none';
    const holds = value === 'none';
    record({ proof: 'mutation testing', name: 'unexplained in guard, order, static-key, sign', value, wanted: 'none', holds });
    for (const file of named) if (!unmeasured.includes(file)) expect(explanationsOf(file), file).toEqual(survivorsIn(file));
    if (proving) expect(unmeasured, 'run `npm run mutants` for their folders').toEqual([]);
    expect(named.length).toBeGreaterThan(explained.files.length);
  });

  test('are explained in a sentence, and only where a survivor has to be', () => {
    for (const { file, why } of explanations) {
      expect(named, why).toContain(file);
      expect(why).toMatch(/^[A-Z`].{20,}\.$/);
    }
  });
});
