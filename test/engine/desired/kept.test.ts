import { describe, expect, test, vi } from 'vitest';
import type { Project } from '../../../src/engine/desired/configuration.ts';
import type { Declaration } from '../../../src/engine/desired/declaration.ts';
import { declare } from '../../../src/engine/desired/declare.ts';
import { declareOnce } from '../../../src/engine/desired/kept.ts';
import { isKeptAs } from '../../../src/engine/desired/kept-resource.ts';
import type { LineStore, Readings } from '../../../src/engine/desired/parse.ts';
import { loadProject } from '../../../src/engine/desired/project.ts';
import { diskTree, memoryTree } from '../../../src/engine/desired/tree.ts';
import type { Kind } from '../../../src/kinds/kind.ts';
import { kinds } from '../../../src/kinds/kinds.ts';
import { isFields, type Json } from '../../../src/model/json.ts';
import { fakeKinds, lamp, projectText, shelf, told } from './fixture.ts';

/** A store as the one on disk. */
function store() {
  const entries = new Map<string, readonly string[]>();
  const kept: LineStore = { get: (digest) => entries.get(digest), keep: (digest, lines) => entries.set(digest, lines) };
  const readings: Readings = { get: () => undefined, keep: () => undefined, declared: kept };
  return { readings, entries };
}

interface Files {
  readonly [name: string]: string;
}

/** The files of a project in memory, and its target. */
function opened(files: Files) {
  const tree = memoryTree(Object.entries(files).map(([name, text]) => ({ name, text })));
  const { project, findings } = loadProject(tree);
  const target = project?.targets[0];
  if (!project || !target) throw new Error(`not a valid project: ${JSON.stringify(findings)}`);
  return { tree, project, target };
}

/** The kinds, which count how often they declare. */
function counting(counted: readonly Kind[]) {
  const counts = { declared: 0 };
  const declaring = counted.map((kind): Kind => {
    const declareOne: Kind['declare'] = (sections, tools) => {
      counts.declared += 1;
      return kind.declare(sections, tools);
    };
    return { ...kind, declare: declareOne };
  });
  return { counts, kinds: declaring };
}

const { kinds: shelves, counts } = counting(fakeKinds);

/** What a project declares with this store, and whether anything had to be declared for it. */
function once(files: Files, readings: Readings) {
  const { tree, project, target } = opened(files);
  const before = counts.declared;
  const declaration = declareOnce(tree, project, target, shelves, readings);
  return { declaration, isAnew: counts.declared > before };
}

/** All of a declaration that is data, and some of its places. */
function content({ place, written, ...rest }: Declaration, paths: readonly (readonly string[])[] = []) {
  const { resources, present, adopt, moved, removed, findings, digest } = rest;
  const all = [...paths, ...resources.map(({ path }) => path)];
  return { resources, present, adopt, moved, removed, findings, digest, places: all.map((path) => [place(path), written(path)]) };
}

const FILES: Files = {
  'upkeep.yaml': projectText(['.'], ['vars: { tone: odd }']),
  'a.yaml': `shelves:\n  tall: { width: 40, label: "\${tone}", books_file: list.txt }\n  low:\n    width: 20\n`,
  'b.yaml':
    'loans:\n  ann: a book\nlamp: { watts: 5 }\nadopt: { shelf/low: id-1 }\nmoved: [{ from: shelf/long, to: shelf/tall }]\nremoved: [shelf/gone]\n',
  'list.txt': 'good\n',
};

test('what was declared once is not declared again, and is the same with all its places', () => {
  const { readings, entries } = store();
  const first = once(FILES, readings);
  const second = once(FILES, readings);
  expect([first.isAnew, second.isAnew, entries.size]).toEqual([true, false, 1]);
  expect(told(second.declaration)).toEqual(['a.yaml:2:29 warning odd-shelf']);
  expect(content(second.declaration, [['shelves', 'low', 'width'], ['nowhere']])).toEqual(
    content(first.declaration, [['shelves', 'low', 'width'], ['nowhere']]),
  );
  expect([...second.declaration.moved, ...second.declaration.adopt, ...second.declaration.removed]).toHaveLength(3);
});

test.each<[string, Files]>([
  ['a source', { 'b.yaml': 'loans:\n  ann: a book\nlamp: { watts: 6 }\n' }],
  ['one more source', { 'c.yaml': 'loans:\n  bob: a book\n' }],
  ['a file that a source names', { 'list.txt': 'better\n' }],
  ['a variable', { 'upkeep.yaml': projectText(['.'], ['vars: { tone: even }']) }],
  ['a rule', { 'upkeep.yaml': projectText(['.'], ['vars: { tone: odd }'], '{ odd-shelf: off }') }],
  ['the order of the sources', { 'upkeep.yaml': projectText(['b.yaml', 'a.yaml'], ['vars: { tone: odd }']) }],
])('a change of %s is seen', (_what, change) => {
  const { readings } = store();
  once(FILES, readings);
  const changed = { ...FILES, ...change };
  const { declaration, isAnew } = once(changed, readings);
  expect(isAnew).toBe(true);
  const { tree, project, target } = opened(changed);
  expect(content(declaration)).toEqual(content(declare(tree, project, target, fakeKinds)));
  expect(once(changed, readings).isAnew).toBe(false);
});

test('a file that a source names and that is gone is seen', () => {
  const { readings } = store();
  once(FILES, readings);
  const { 'list.txt': _gone, ...rest } = FILES;
  expect(told(once(rest, readings).declaration)).toContainEqual(expect.stringMatching(/^a.yaml:2:\d+ error missing-file$/));
});

test('each target has its own', () => {
  const { readings, entries } = store();
  const { tree, project, target } = opened(FILES);
  for (const name of ['main', 'other']) declareOnce(tree, project, { ...target, name }, shelves, readings);
  expect(entries.size).toBe(2);
});

test.each([
  ['a mistake', 'shelves: { tall: { width: 4000 } }\n'],
  ['aliases, which would be written out', 'shelves: { tall: &a { width: 4 }, low: *a }\n'],
])('what holds %s is not kept', (_what, text) => {
  const { readings, entries } = store();
  const files = { ...FILES, 'b.yaml': text, 'a.yaml': '' };
  expect([once(files, readings).isAnew, once(files, readings).isAnew, entries.size]).toEqual([true, true, 0]);
});

/** An entry as lines: the first one is JSON, and so is what took the place of another. */
function linesOf(entry: Json): readonly string[] {
  const [about = null, ...fields] = Array.isArray(entry) ? entry : [entry];
  return [JSON.stringify(about), ...fields.map((line: Json) => (typeof line === 'string' ? line : JSON.stringify(line)))];
}

/** Every way of leaving out a member of a value, or of putting something else in its place. */
function* spoilt(value: Json, otherwise: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const other of spoilt(item, otherwise)) yield value.map((each, at) => (at === index ? other : each));
  } else if (isFields(value)) {
    for (const [key, member] of Object.entries(value)) for (const other of spoilt(member, otherwise)) yield { ...value, [key]: other };
  }
  yield otherwise;
}

test.each<{ readonly otherwise: Json }>([
  { otherwise: null },
  { otherwise: 7 },
  { otherwise: 'x' },
  { otherwise: [] },
  { otherwise: {} },
  { otherwise: [[]] },
])('an entry with $otherwise somewhere in it stops nothing', ({ otherwise }) => {
  const { readings, entries } = store();
  once(FILES, readings);
  const [[key = '', [about = '', ...fields] = []] = []] = entries;
  const entry: Json = [JSON.parse(about), ...fields];
  let refused = 0;
  for (const other of spoilt(entry, otherwise)) {
    entries.set(key, linesOf(other));
    const { declaration, isAnew } = once(FILES, readings);
    refused += isAnew ? 1 : 0;
    for (const { address, name, fields, declared, clues, adoptable, path } of declaration.resources) {
      expect([typeof address, typeof name, typeof adoptable]).toEqual(['string', 'string', 'boolean']);
      expect([isFields(fields), isFields(declared)]).toEqual([true, true]);
      for (const clue of clues) expect(['id', 'name'].map((member) => typeof Reflect.get(clue, member))).toContain('string');
      for (const step of path) expect(['string', 'number']).toContain(typeof step);
    }
    for (const text of [...declaration.present, ...declaration.removed, ...declaration.adopt, ...declaration.moved].flat())
      expect(typeof text).toBe('string');
    for (const { line, column, file, summary, severity } of declaration.findings)
      expect([typeof line, typeof column, typeof file, typeof summary, severity]).toEqual([
        'number',
        'number',
        'string',
        'string',
        'warning',
      ]);
  }
  expect(refused).toBeGreaterThan(10);
});

test('an entry of which a line is missing, or the first one is no JSON, stops nothing', () => {
  const { readings, entries } = store();
  once(FILES, readings);
  const [[key = '', lines = []] = []] = entries;
  for (const other of [[], lines.slice(1), lines.slice(0, -1), [...lines, '{}'], ['{', ...lines.slice(1)]]) {
    entries.set(key, other);
    expect(once(FILES, readings).isAnew).toBe(true);
  }
});

test('the example declares the same from the store: catalogues, files of assets and policies too', () => {
  const { readings, entries } = store();
  const tree = diskTree('examples/streaming-account');
  const { project } = loadProject(tree);
  const targets: readonly Project['targets'][number][] = project?.targets ?? [];
  expect(targets.length).toBeGreaterThan(0);
  for (const target of targets) {
    if (!project) throw new Error('no project');
    const anew = declare(tree, project, target, kinds);
    declareOnce(tree, project, target, kinds, readings);
    const again = declareOnce(tree, project, target, kinds, readings);
    expect(content(again)).toEqual(content(anew));
    expect(again.resources.length).toBeGreaterThan(5);
  }
  expect(entries.size).toBe(targets.length);
});

test('resources that share what their kind knows beside them go on sharing it', () => {
  const context = { shelf: 'of oak' };
  const sharing: Kind = {
    ...shelf,
    declare: (sections, tools) => {
      const { resources, problems } = shelf.declare(sections, tools);
      return { resources: resources.map((resource) => ({ ...resource, context, label: resource.name })), problems };
    },
  };
  const { readings, entries } = store();
  const { tree, project, target } = opened(FILES);
  declareOnce(tree, project, target, [sharing, lamp], readings);
  const [first, second] = declareOnce(tree, project, target, [sharing, lamp], readings).resources;
  expect(first?.context).toEqual(context);
  expect(second?.context).toBe(first?.context);
  expect([...entries.values()].flat().join('').split('of oak')).toHaveLength(2);
});

describe('a resource that was kept', () => {
  /** The resources as they are declared, and as they come from the store. */
  function bothWays() {
    const { readings } = store();
    const anew = once(FILES, readings).declaration.resources;
    const kept = once(FILES, readings).declaration.resources;
    return anew.map((resource, index) => ({ resource, kept: kept[index] ?? resource, other: kept[(index + 1) % kept.length] ?? resource }));
  }

  test('is known for the same, letter by letter, without being read', () => {
    const all = bothWays().map(({ resource, kept, other }) => ({ fields: resource.fields, kept, others: other.fields }));
    const parse = vi.spyOn(JSON, 'parse');
    const known = all.map(({ fields, kept, others }) => [fields, others, { ...fields, more: 1 }].map((each) => isKeptAs(each, kept)));
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(known).toEqual([
      [true, false, false],
      [true, false, false],
      [true, false, false],
      [true, false, false],
    ]);
  });

  test('says nothing where it was declared in this run, or is a copy with other fields', () => {
    for (const { resource, kept } of bothWays()) {
      expect(isKeptAs(resource.fields, resource)).toBe(false);
      expect(isKeptAs(kept.fields, { ...kept, fields: { of: 'another' } })).toBe(false);
    }
  });

  test('gives a copy all that it has', () => {
    for (const { resource, kept } of bothWays()) expect({ ...kept }).toEqual(resource);
  });

  test('has maps without prototype', () => {
    for (const { kept } of bothWays())
      expect([kept.fields, kept.declared].map((each) => Object.getPrototypeOf(each))).toEqual([null, null]);
  });
});
