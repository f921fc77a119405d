/** Operations at N and at 2N playlists, counted and not timed: no step may grow faster than what it works on. */
import { describe, expect, test } from 'vitest';
import { compare } from '../../src/engine/compare.ts';
import type { Declaration, Tree } from '../../src/engine/desired/declaration.ts';
import { declare } from '../../src/engine/desired/declare.ts';
import type { Content, ParsedFiles } from '../../src/engine/desired/parse.ts';
import { loadProject } from '../../src/engine/desired/project.ts';
import { memoryTree } from '../../src/engine/desired/tree.ts';
import { type Exported, type ExportedFile, exportAccount } from '../../src/engine/export.ts';
import { identify } from '../../src/engine/identify.ts';
import type { Expressed, Kind, Service } from '../../src/kinds/kind.ts';
import { kinds } from '../../src/kinds/kinds.ts';
import { playlist } from '../../src/kinds/playlist/index.ts';
import { stage } from '../harness.ts';
import { projectText } from './desired/fixture.ts';

const FILE = 10;
const asset = (number: number): string => number.toString(16).padStart(32, 'a');
const item = (number: number) => ({
  id: `id-${number}`,
  desc: `Playlist ${number}`,
  playlist: [{ beam: { id: asset(number) } }, { ad: { dur: 30 } }],
});

/** Files of ten playlists each. */
function filesOf(count: number): readonly ExportedFile[] {
  return Array.from({ length: count / FILE }, (_, file) => {
    const items = Array.from({ length: FILE }, (_each, index) => item(file * FILE + index));
    const blocks = items.map(({ id, desc, playlist: [beam] }) => {
      return `  ${id}:\n    desc: ${desc}\n    playlist:\n      - beam: ${beam?.beam?.id}\n      - ad: 30\n`;
    });
    return { name: `p${file}.yaml`, text: `playlists:\n${blocks.join('')}` };
  });
}

/** How often something happened, by name. */
class Counter {
  readonly counts: { [name: string]: number } = {};

  /** Counts, and hands the value on. */
  counted<Value>(name: string, value: Value): Value {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    return value;
  }
}

function countingTree(tree: Tree, counter: Counter): Tree {
  return {
    at: (path) => counter.counted('looks at files', tree.at(path)),
    list: (folder) => counter.counted('folders listed', tree.list(folder)),
    size: (file) => counter.counted('sizes', tree.size(file)),
    read: (file) => counter.counted('files read', tree.read(file)),
  };
}

function countingParsed(counter: Counter, known = new Map<string, Content>()): ParsedFiles {
  return {
    get: (digest) => counter.counted('parsed files asked for', known.get(digest)),
    set: (digest, content) => counter.counted('files parsed', known.set(digest, content)),
  };
}

/** The kind of playlists, which counts what it is asked. */
function countingKind(counter: Counter): Kind {
  return {
    ...playlist,
    compared: (desired, live) => counter.counted('comparisons', { before: live.fields, after: desired.fields }),
    refuses: (desired, live) => counter.counted('bindings judged', playlist.refuses?.(desired, live)),
  };
}

/** A service that holds these playlists. */
function serviceOf(count: number, counter: Counter): Service {
  const items = Array.from({ length: count }, (_, number) => item(number));
  return { send: async () => counter.counted('requests', { status: 200, body: { items, total_items: count } }) };
}

function reading(files: readonly ExportedFile[], counter: Counter, parsed?: ParsedFiles): Declaration {
  const settings = { name: 'upkeep.yaml', text: projectText(['.']) };
  const { project } = loadProject(memoryTree([settings]));
  const target = project?.targets[0];
  if (!project || !target) throw new Error('not a valid project');
  return declare(countingTree(memoryTree([settings, ...files]), counter), project, target, kinds, parsed);
}

/** Everything from the files and the answer to what differs. */
async function planned(count: number): Promise<Counter['counts']> {
  const counter = new Counter();
  const kind = countingKind(counter);
  const declaration = reading(filesOf(count), counter, countingParsed(counter));
  expect([declaration.findings, declaration.resources.length]).toEqual([[], count]);
  const { objects } = await kind.read(serviceOf(count, counter));
  const identified = identify(kind, declaration.resources, objects, declaration.adopt);
  expect(compare(kind, declaration.resources, identified, [], 0)).toEqual([]);
  return counter.counts;
}

describe('a plan', () => {
  test('reads, parses and compares everything once', async () => {
    const [one, two] = [await planned(100), await planned(200)];
    expect(one).toMatchObject({ 'files parsed': 10, comparisons: 100, requests: 1 });
    expect(two).toMatchObject({ 'files parsed': 20, comparisons: 200, requests: 1 });
    for (const [name, count] of Object.entries(two)) expect(count, name).toBeLessThanOrEqual(2 * (one[name] ?? 0));
    expect(two['files read']).toBeLessThanOrEqual(20 + 2);
  });

  test('parses nothing that was read before', () => {
    const counter = new Counter();
    const parsed = countingParsed(counter);
    const files = filesOf(50);
    const [first, second] = [reading(files, counter, parsed), reading(files, counter, parsed)];
    expect(second.resources).toEqual(first.resources);
    expect(counter.counts).toMatchObject({ 'files parsed': 5, 'parsed files asked for': 10 });
  });

  test('sends as many requests for few playlists as for many', async () => {
    const requests = async (count: number) => {
      const files = Object.fromEntries(filesOf(count).map(({ name, text }) => [`config/${name}`, text]));
      const seed = { playlist: Array.from({ length: count }, (_, number) => item(number)) };
      const set = await stage(files, { seed });
      const { document } = await set.plan();
      expect(document.summary).toMatchObject({ unchanged: count, create: 0, update: 0, delete: 0 });
      return document.cost.reads;
    };
    expect(await requests(200)).toBe(await requests(20));
  });
});

describe('an export', () => {
  /** How often the entries are looked at, where every one of them is refused by validation or would read back as different. */
  async function looks(count: number, flaw: (entry: Expressed) => Expressed): Promise<number> {
    const counter = new Counter();
    const { objects } = await playlist.read(serviceOf(count, counter));
    const express: Kind['express'] = (all) => {
      const { entries, inexpressible } = playlist.express(all);
      return { inexpressible, entries: entries.map((entry) => watched(flaw(entry), counter)) };
    };
    const account: readonly Exported[] = [{ kind: { ...playlist, express }, observation: { objects, notes: [] } }];
    const [file] = exportAccount(account, (files) => reading(files, counter), 0);
    expect(file?.text.match(/ is left out: /g)).toHaveLength(count);
    return counter.counts.looks ?? 0;
  }

  function watched(entry: Expressed, counter: Counter): Expressed {
    return new Proxy(entry, {
      get(target, member, receiver) {
        return counter.counted('looks', Reflect.get(target, member, receiver));
      },
    });
  }

  test.each([
    ['validation refuses', (entry: Expressed) => ({ ...entry, value: { desc: `x ${entry.key}`, playlist: [{ beam: '' }] } })],
    ['would read back as different', (entry: Expressed) => ({ ...entry, value: { ...Object(entry.value), repeat: 7 } })],
  ])('looks at no entry for each other one that %s', async (_what, flaw) => {
    const [one, two] = [await looks(100, flaw), await looks(200, flaw)];
    expect(one).toBeGreaterThan(100);
    expect(two).toBeLessThanOrEqual(2 * one + 20);
  });
});
