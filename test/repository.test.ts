import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { kinds } from '../src/core/kinds/index.ts';
import { addressPrefixes } from '../src/core/model/address.ts';
import { emulatedKinds } from '../src/emulator/kinds/index.ts';
import { sourceModel } from './support/source-model.ts';

const top = new URL('..', import.meta.url);
const example = 'examples/streaming-account/';
const names = kinds.map((kind) => kind.name);

function foldersIn(path: string): string[] {
  const entries = readdirSync(new URL(path, top), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

function filesIn(path: string): string[] {
  return readdirSync(new URL(path, top), { encoding: 'utf8', recursive: true });
}

function read(path: string): string {
  return readFileSync(new URL(path, top), 'utf8');
}

test('the folders of src/core/kinds/, the list of kinds and the list of emulated kinds name the same kinds, each once', () => {
  expect([...names].sort()).toEqual(foldersIn('src/core/kinds/'));
  expect(emulatedKinds.map((emulatedKind) => emulatedKind.name).sort()).toEqual(foldersIn('src/core/kinds/'));
});

test('no two kinds claim one section or one form of address', () => {
  const sections = kinds.flatMap((kind) => kind.sections.map((section) => section.key));
  const addresses = kinds.flatMap(addressPrefixes);
  expect(new Set(sections).size).toBe(sections.length);
  expect(new Set(addresses).size).toBe(addresses.length);
});

describe.each(names)('the kind %s', (name) => {
  test('declares, speaks to the API, and is emulated in a file of its own', () => {
    expect(filesIn(`src/core/kinds/${name}/`)).toEqual(expect.arrayContaining(['index.ts', 'declare.ts', 'api.ts']));
    expect(filesIn('src/emulator/kinds/')).toContain(`${name}.ts`);
  });

  test('has the files that src/core/kinds/index.ts names for its type', () => {
    const text = read('src/core/kinds/index.ts').replaceAll('\n * ', ' ');
    const [, ofAll = ''] = /Each folder has (.*?) A collection also has/.exec(text) ?? [];
    const [, ofCollections = ''] = /A collection also has (.*?) A setting is small/.exec(text) ?? [];
    const isCollection = kinds.find((kind) => kind.name === name)?.type === 'collection';
    const named = [...`${ofAll} ${isCollection ? ofCollections : ''}`.matchAll(/`([\w-]+\.ts)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(5);
    expect(filesIn(`src/core/kinds/${name}/`)).toEqual(expect.arrayContaining(named));
  });

  test('has its schema, which describes exactly its sections', () => {
    const schema: unknown = JSON.parse(read(`schemas/${name}.schema.json`));
    const sections = kinds.find((kind) => kind.name === name)?.sections.map((section) => section.key) ?? [];
    expect(schema).toMatchObject({ properties: Object.fromEntries(sections.map((section) => [section, expect.anything()])) });
    expect(Object.keys(kinds.find((kind) => kind.name === name)?.schema.properties ?? {}).sort()).toEqual([...sections].sort());
  });

  test('has its own tests', () => {
    expect(filesIn(`test/core/kinds/${name}/`).filter((file) => file.endsWith('.test.ts'))).not.toEqual([]);
  });
});

test('test/core/kinds/ has no folder without a kind', () => {
  expect(foldersIn('test/core/kinds/').filter((folder) => !names.includes(folder))).toEqual([]);
});

test('the example uses every section of every kind, and of the language defaults, templates, entry lists and a table', () => {
  const sources = filesIn(`${example}config/`).filter((file) => file.endsWith('.yaml'));
  const used = new Set(sources.flatMap((file) => Object.keys(parse(read(`${example}config/${file}`)))));
  const language = sourceModel.expansionKeys;
  const sections = kinds.flatMap((kind) => kind.sections.map((section) => section.key));
  expect([...used].filter((key) => !language.has(key)).sort()).toEqual(sections.sort());
  expect([...used].filter((key) => language.has(key)).sort()).toEqual(['defaults', 'entry_lists', 'playlists_from', 'templates']);
});

test('the top level holds the agreed folders and nothing else that git would keep', () => {
  const ignored = new Set([
    '.git',
    ...read('.gitignore')
      .split('\n')
      .map((line) => line.replace(/\/$/, '')),
  ]);
  expect(foldersIn('./').filter((folder) => !ignored.has(folder))).toEqual([
    '.ci',
    '.github',
    'docs',
    'examples',
    'schemas',
    'src',
    'test',
  ]);
});

test('what package.json publishes stands in the repository', () => {
  for (const path of ['schemas', 'examples', 'CHANGELOG.md', 'LICENSE', 'README.md'])
    expect(existsSync(new URL(path, top)), path).toBe(true);
});
