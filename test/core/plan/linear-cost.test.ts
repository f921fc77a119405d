/** Operations at N and at 2N playlists, counted and not timed: no step may grow faster than what it works on. */

import { describe, expect, test } from 'vitest';
import type { DesiredState } from '../../../src/core/config/desired-state.ts';
import { loadDesiredState } from '../../../src/core/config/load-desired-state.ts';
import { loadProject } from '../../../src/core/config/load-project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';
import type { ParseCache, YamlFile } from '../../../src/core/config/yaml/parse.ts';
import { type ExportResult, exportAccount } from '../../../src/core/export/export-account.ts';
import type { ExportedFile } from '../../../src/core/export/source-files.ts';
import type { ApiService, CollectionKind, ConfigEntry, Kind } from '../../../src/core/kinds/kind.ts';
import { playlist } from '../../../src/core/kinds/playlist/index.ts';
import type { ProjectFiles } from '../../../src/core/model/project-files.ts';
import { diffResources } from '../../../src/core/plan/diff-resources.ts';
import { matchResources } from '../../../src/core/plan/match.ts';
import { createTestProject } from '../../support/harness.ts';
import { sourceModel } from '../../support/source-model.ts';
import { projectText } from '../config/fixture.ts';

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

function countingTree(tree: ProjectFiles, counter: Counter): ProjectFiles {
  return {
    typeOf: (path) => counter.counted('looks at files', tree.typeOf(path)),
    list: (folder) => counter.counted('folders listed', tree.list(folder)),
    size: (file) => counter.counted('sizes', tree.size(file)),
    read: (file) => counter.counted('files read', tree.read(file)),
  };
}

function countingParsed(counter: Counter, known = new Map<string, YamlFile>()): ParseCache {
  return {
    get: (digest) => counter.counted('parsed files asked for', known.get(digest)),
    set: (digest, content) => counter.counted('files parsed', known.set(digest, content)),
  };
}

/** The kind of playlists as the planner knows it: its fields may be any. */
const playlistKind: CollectionKind = playlist;

/** The kind of playlists, which counts what it is asked. */
function countingKind(counter: Counter): Kind {
  return {
    ...playlistKind,
    toComparable: (desired, live) => counter.counted('comparisons', { before: live.fields, after: desired.fields }),
    whyNotBindable: (desired, live) => counter.counted('bindings judged', playlistKind.whyNotBindable?.(desired, live)),
  };
}

/** A service that holds these playlists. */
function serviceOf(count: number, counter: Counter): ApiService {
  const items = Array.from({ length: count }, (_, number) => item(number));
  return { send: async () => counter.counted('requests', { status: 200, body: { items, total_items: count } }) };
}

function reading(files: readonly ExportedFile[], counter: Counter, parsed?: ParseCache): DesiredState {
  const settings = { name: 'upkeep.yaml', text: projectText(['.']) };
  const { project } = loadProject(memoryFiles([settings]), '2027-01-01');
  const target = project?.targets[0];
  if (!project || !target) throw new Error('not a valid project');
  return loadDesiredState(
    countingTree(memoryFiles([settings, ...files]), counter),
    project,
    target,
    sourceModel,
    parsed,
    Number.POSITIVE_INFINITY,
  );
}

/** Loads, reads, matches and compares; returns the counts. */
async function planned(count: number): Promise<Counter['counts']> {
  const counter = new Counter();
  const kind = countingKind(counter);
  const desiredState = reading(filesOf(count), counter, countingParsed(counter));
  expect([desiredState.findings, desiredState.resources.length]).toEqual([[], count]);
  if (kind.type === 'setting') throw new Error('expected a collection');
  const { objects } = await kind.read(serviceOf(count, counter));
  const match = matchResources(kind, desiredState.resources, objects, desiredState.adopt);
  expect(diffResources(kind, desiredState.resources, match, [], 0)).toEqual([]);
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
      const project = await createTestProject(files, { seed });
      const { document } = await project.plan();
      expect(document.summary).toMatchObject({ unchanged: count, create: 0, update: 0, delete: 0 });
      return document.cost.reads;
    };
    expect(await requests(200)).toBe(await requests(20));
  });
});

describe('an export', () => {
  /** How often the entries are looked at, where every one of them is refused by validation or would read back as different. */
  async function looks(count: number, flaw: (entry: ConfigEntry) => ConfigEntry): Promise<number> {
    const counter = new Counter();
    const { objects } = await playlist.read(serviceOf(count, counter));
    const express: Kind['toConfig'] = (all) => {
      const { entries, notDeclarable } = playlistKind.toConfig(all);
      return { notDeclarable, entries: entries.map((entry) => watched(flaw(entry), counter)) };
    };
    const account: readonly ExportResult[] = [{ kind: { ...playlistKind, toConfig: express }, result: { objects, warnings: [] } }];
    const { files } = exportAccount(account, (files) => reading(files, counter), 0);
    expect(files[0]?.text.match(/ is left out: /g)).toHaveLength(count);
    return counter.counts.looks ?? 0;
  }

  function watched(entry: ConfigEntry, counter: Counter): ConfigEntry {
    return new Proxy(entry, {
      get(target, member, receiver) {
        return counter.counted('looks', Reflect.get(target, member, receiver));
      },
    });
  }

  test.each([
    ['validation refuses', (entry: ConfigEntry) => ({ ...entry, value: { desc: `x ${entry.key}`, playlist: [{ beam: '' }] } })],
    ['would read back as different', (entry: ConfigEntry) => ({ ...entry, value: { ...Object(entry.value), repeat: 7 } })],
  ])('looks at no entry for each other one that %s', async (_what, flaw) => {
    const [one, two] = [await looks(100, flaw), await looks(200, flaw)];
    expect(one).toBeGreaterThan(100);
    expect(two).toBeLessThanOrEqual(2 * one + 20);
  });
});
