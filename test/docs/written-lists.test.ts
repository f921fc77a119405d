/** The lists of kinds and formats that are written by hand name all of them, so that a new kind or format cannot leave them untrue. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import guardSchema from '../../schemas/guard.schema.json' with { type: 'json' };
import { CATALOG_IDS } from '../../src/core/device-impact/device-catalog.ts';
import { kinds } from '../../src/core/kinds/index.ts';
import type { SafetyCheck } from '../../src/core/model/change.ts';
import { FORMATS } from '../../src/report/document.ts';

const read = (page: string): string => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');

/** Returns the cells of each row of the table whose head begins with the given names. */
function rowsOf(page: string, ...head: readonly string[]): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head.join(' | ')} |`));
  if (start < 0) throw new Error(`no table has the head ${head.join(', ')}`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const codesIn = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** A kind with the names of its sections. */
interface Listed {
  readonly name: string;
  readonly sections: readonly { readonly key: string }[];
}

/** Returns the kinds that the table of kinds lacks, or lists with other sections, and those that it lists although they do not exist. */
function missingKinds(page: string, existing: readonly Listed[]): readonly string[] {
  const rows = new Map(
    rowsOf(page, 'kind', 'sections of a source').map(([name = '', sections]) => [name, [...codesIn(sections)].sort().join(', ')]),
  );
  const expected = new Map(
    existing.map(({ name, sections }) => [
      name,
      sections
        .map(({ key }) => key)
        .sort()
        .join(', '),
    ]),
  );
  return [...new Set([...rows.keys(), ...expected.keys()])].filter((name) => rows.get(name) !== expected.get(name));
}

/** Returns the sections of kinds that the table of sections lacks, or gives to another kind. */
function missingSections(page: string, existing: readonly Listed[]): readonly string[] {
  const rows = rowsOf(page, 'section', 'holds', 'kind').flatMap(([section, , kind = '']) =>
    codesIn(section).map((key) => `${key} of ${kind}`),
  );
  return existing.flatMap(({ name, sections }) => sections.map(({ key }) => `${key} of ${name}`)).filter((each) => !rows.includes(each));
}

/** Returns the formats that are in the table or in the list, and not in both. */
function missingFormats(page: string, existing: readonly string[]): readonly string[] {
  const listed = rowsOf(page, 'format', 'for', 'contains').flatMap(([format]) => codesIn(format));
  return [...new Set([...listed, ...existing])].filter((format) => !listed.includes(format) || !existing.includes(format));
}

const sources = new URL('../../src/', import.meta.url);

/** Returns the files of `src/` outside of the folders of kinds that import a file of every kind. */
function listsOfKinds(existing: readonly Listed[]): readonly string[] {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files
    .filter((file) => {
      const imports = [...readFileSync(new URL(file, sources), 'utf8').matchAll(/ from '([^']+)'/g)].map(([, path = '']) => path);
      return existing.every(({ name }) => imports.some((path) => path.endsWith(`/${name}.ts`) || path.includes(`/${name}/`)));
    })
    .map((file) => `src/${file}`);
}

/** Returns the files that the step of CONTRIBUTING about lists of kinds names. */
function namedLists(contributing: string): readonly string[] {
  const step = contributing.split('\n').find((line) => /^\d+\. Add a line to each list: /.test(line));
  return codesIn(step);
}

/** Returns the names of the options that the functions of the library take. */
function libraryOptions(): readonly string[] {
  const interfaces = readFileSync(new URL('library/types.ts', sources), 'utf8').matchAll(/^export interface \w+Options [\s\S]*?^}/gm);
  return [...interfaces].flatMap(([text]) => [...text.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name = '']) => name));
}

/** Every safety check: the compiler asks for a new one. */
const CHECKS: { readonly [check in SafetyCheck]: true } = {
  deletes: true,
  updates: true,
  protect: true,
  'playback-loss': true,
  weakening: true,
  identity: true,
  observe: true,
  'first-apply': true,
  'suspicious-read': true,
  'unknown-fields': true,
  'ignored-value': true,
  'ignore-expired': true,
  rollback: true,
  guard: true,
};

/** Returns the values that the page about safety gives for each member of a change that a guard sees. */
function valuesForGuards(page: string): { readonly [member: string]: readonly string[] } {
  const line = page.split('\n').find((each) => each.includes('Values of `action` are')) ?? '';
  const lists = line.split('Values of ')[1]?.split(';') ?? [];
  return Object.fromEntries(
    lists.map((list) => {
      const [member = '', ...values] = codesIn(list);
      return [member, values.toSorted()];
    }),
  );
}

function isSameSet(a: unknown, b: readonly string[]): boolean {
  return Array.isArray(a) && a.toSorted().join() === b.toSorted().join();
}

/** Returns the titles of the sections of a page, and the titles of the list of contents at its top. */
function contentsOf(page: string): { readonly sections: readonly string[]; readonly listed: readonly string[] } {
  const prose = page.replace(/```[\s\S]*?```/g, '');
  return {
    sections: [...prose.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title),
    listed: [...prose.matchAll(/^- \[(.+)\]\(#[\w-]+\)$/gm)].map(([, title = '']) => title),
  };
}

const NEW_KIND: Listed = { name: 'channel', sections: [{ key: 'channels' }] };

describe('the tables of docs/', () => {
  test('list every kind with its sections', () => {
    expect(missingKinds(read('concepts.md'), kinds)).toEqual([]);
    expect(missingSections(read('configuration.md'), kinds)).toEqual([]);
  });

  test('list every format', () => {
    expect(missingFormats(read('reports.md'), FORMATS)).toEqual([]);
  });

  test('list every built-in class of devices, and say of the limits of no other where they come from', () => {
    const page = read('device-impact.md');
    const listed = rowsOf(page, 'system', 'classes').flatMap(([, classes]) => codesIn(classes));
    expect(listed.toSorted()).toEqual([...CATALOG_IDS].toSorted());
    const limited = rowsOf(page, 'limit', 'classes', 'source').flatMap(([, classes]) => codesIn(classes));
    expect(limited.length).toBeGreaterThan(10);
    const isListed = (name: string) => listed.some((each) => (name.endsWith('*') ? each.startsWith(name.slice(0, -1)) : each === name));
    expect(limited.filter((name) => !isListed(name))).toEqual([]);
  });

  test('list every option of the library', () => {
    const listed = rowsOf(read('library.md'), 'option', 'of', 'meaning').flatMap(([option]) => codesIn(option));
    expect(listed.toSorted()).toEqual(libraryOptions().toSorted());
  });

  test('list every safety check', () => {
    const listed = rowsOf(read('safety.md'), 'check', 'blocks', 'override').flatMap(([check]) => codesIn(check));
    expect(listed.toSorted()).toEqual(Object.keys(CHECKS).toSorted());
  });

  test('and the page about safety gives the values that a guard sees as its schema does', () => {
    const { kind, ...values } = valuesForGuards(read('safety.md'));
    expect(kind).toEqual(kinds.map(({ name }) => name).toSorted());
    expect(Object.keys(values).toSorted()).toEqual(['action', 'effect', 'origin', 'phase', 'playback']);
    const properties: { readonly [member: string]: object } = guardSchema.definitions.Change.properties;
    for (const [member, listed] of Object.entries(values))
      expect(properties[member]).toMatchObject({ enum: expect.toSatisfy((all) => isSameSet(all, listed)) });
  });

  test('and the README leads to every page', () => {
    const pages = readdirSync(new URL('../../docs/', import.meta.url));
    expect(pages.filter((name) => !read('../README.md').includes(`](docs/${name})`))).toEqual([]);
  });

  test('and every page names every section in its list of contents, if it has one', () => {
    const pages = readdirSync(new URL('../../docs/', import.meta.url)).map((name) => ({ name, ...contentsOf(read(name)) }));
    const withContents = pages.filter(({ listed }) => listed.length > 2);
    expect(withContents.length).toBeGreaterThan(0);
    for (const { name, sections, listed } of withContents) expect([name, ...listed]).toEqual([name, ...sections]);
  });

  test('and CONTRIBUTING names every file that lists the kinds, and no other', () => {
    expect([...namedLists(read('../.github/CONTRIBUTING.md'))].sort()).toEqual([...listsOfKinds(kinds)].sort());
    expect(listsOfKinds([...kinds, NEW_KIND])).toEqual([]);
  });
});

describe('the tables of docs/ would not be complete', () => {
  test('with a new kind, with one kind less, or with a new section of a kind', () => {
    expect(missingKinds(read('concepts.md'), [...kinds, NEW_KIND])).toEqual(['channel']);
    expect(missingSections(read('configuration.md'), [...kinds, NEW_KIND])).toEqual(['channels of channel']);
    expect(missingKinds(read('concepts.md'), kinds.slice(1))).toEqual([kinds[0]?.name]);
    const withSection = kinds.map(
      (kind): Listed => (kind.name === 'playlist' ? { ...kind, sections: [...kind.sections, { key: 'channels' }] } : kind),
    );
    expect(missingKinds(read('concepts.md'), withSection)).toEqual(['playlist']);
  });

  test('with a new format, or with one format less', () => {
    expect(missingFormats(read('reports.md'), [...FORMATS, 'teletext'])).toEqual(['teletext']);
    expect(missingFormats(read('reports.md'), FORMATS.slice(1))).toEqual([FORMATS[0]]);
  });
});
