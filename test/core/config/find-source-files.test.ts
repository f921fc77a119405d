import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findSourceFiles } from '../../../src/core/config/find-source-files.ts';
import { loadDesiredState } from '../../../src/core/config/load-desired-state.ts';
import { diskFiles } from '../../../src/core/config/project-folder.ts';
import type { ProjectFiles } from '../../../src/core/model/project-files.ts';

import { fakeModel, findingLines, folderWith, loadConfig, openProject, projectText } from './fixture.ts';

type Links = { readonly [path: string]: string };

/** Creates a project with one source folder `c` and these links: path to target. */
function project(files: { readonly [name: string]: string }, links: Links, sources = ['c']): string {
  const folder = folderWith({ 'upkeep.yaml': projectText(sources), ...files });
  for (const [path, goal] of Object.entries(links)) symlinkSync(goal, join(folder, path));
  return folder;
}

/** A path in the source folder whose name is in Latin-1. */
function oddName(folder: string, end: string): Buffer {
  return Buffer.concat([Buffer.from(join(folder, 'c/')), Buffer.from(`r\u00e9sum\u00e9${end}`, 'latin1')]);
}

function loadConfigIn(folder: string, files: ProjectFiles = diskFiles(folder)) {
  const { project: found, target } = openProject(folder);
  return loadDesiredState(files, found, target, fakeModel);
}

describe('findSourceFiles reports a link that leaves the project or that could lead to missing sources:', () => {
  test.each([
    ['a folder outside', 'c/shared', '..', 'outside-project'],
    ['a file outside', 'c/notes.txt', '/etc/hosts', 'outside-project'],
    ['a YAML file outside', 'c/x.yaml', '/etc/hosts', 'outside-project'],
    ['a missing folder', 'c/gone', 'nowhere', 'missing-file'],
    ['a missing YAML file', 'c/gone.yml', '../nowhere.txt', 'missing-file'],
    ['a link to itself', 'c/self', 'self', 'missing-file'],
  ])('reports %s', (_what, path, goal, code) => {
    const outside = folderWith({ 'b.yaml': 'shelves: { kept: { width: 1 } }' });
    const folder = project({ 'c/a.yaml': 'lamp: {}' }, { [path]: goal === '..' ? outside : goal });
    const { findings, resources } = loadConfigIn(folder);
    expect(findings.map(({ file, severity, code: found }) => [file, severity, found])).toEqual([[path, 'error', code]]);
    expect(resources.map(({ address }) => address)).toEqual(['lamp']);
  });

  test.each([
    ['a link to a missing file that is no YAML', (folder: string) => symlinkSync('nowhere', join(folder, 'c/readme.txt'))],
    ['a pipe', (folder: string) => void execFileSync('mkfifo', [join(folder, 'c/pipe')])],
    ['a file that is no YAML and whose name is not UTF-8', (folder: string) => writeFileSync(oddName(folder, '.txt'), '')],
  ])('but not %s', (_what, add) => {
    const folder = project({ 'c/a.yaml': 'lamp: {}' }, {});
    add(folder);
    expect(findingLines(loadConfigIn(folder))).toEqual([]);
  });

  test('and a YAML file that is a pipe, or whose name is not UTF-8', () => {
    const folder = project({ 'c/a.yaml': 'lamp: {}' }, {});
    execFileSync('mkfifo', [join(folder, 'c/pipe.yaml')]);
    writeFileSync(oddName(folder, '.yaml'), 'lamp: {}');
    const { findings } = loadConfigIn(folder);
    expect(findings.map(({ code, summary }) => [code, summary])).toEqual([
      ['missing-file', '`c/pipe.yaml` cannot be read: it is not a regular file'],
      ['missing-file', expect.stringMatching(/^`c\/r.*\.yaml` cannot be read: its name is not UTF-8$/)],
    ]);
  });

  test('but not a hidden link', () => {
    expect(findingLines(loadConfigIn(project({ 'c/a.yaml': 'lamp: {}' }, { 'c/.lock': 'nobody@nowhere' })))).toEqual([]);
  });

  test('and does not also report its folder as empty', () => {
    expect(findingLines(loadConfigIn(project({ 'c/n.txt': '' }, { 'c/gone': 'nowhere' })))).toEqual(['c/gone:1:1 error missing-file']);
  });
});

describe('findSourceFiles returns each file of a source once:', () => {
  test.each([
    ['a circle', { 'c/loop': '.' }, ['c/loop:1:1 error duplicate-link']],
    ['two circles', { 'c/loop': '.', 'c/loop2': '.' }, ['c/loop:1:1 error duplicate-link', 'c/loop2:1:1 error duplicate-link']],
    ['a circle below', { 'c/d/up': '..' }, ['c/d/up:1:1 error duplicate-link']],
    ['a circle through a folder that is no source', { 'c/e': '../e', 'e/back': '../c' }, ['c/e/back:1:1 error duplicate-link']],
    ['a link before the folder that it leads to', { 'c/alias': 'd' }, ['c/alias:1:1 error duplicate-link']],
    ['a link to a file', { 'c/again.yaml': 'a.yaml' }, ['c/again.yaml:1:1 error duplicate-link']],
    ['two links to one folder', { 'c/one': '../e', 'c/two': '../e' }, ['c/two:1:1 error duplicate-link']],
    ['a link into a linked folder', { 'c/one': '../e', 'c/two.yaml': '../e/f.yaml' }, ['c/two.yaml:1:1 error duplicate-link']],
  ])('returns each file once through %s', (_what, links, expected) => {
    const files = { 'c/a.yaml': 'lamp: {}', 'c/d/b.yaml': 'loans: { x: y }', 'e/f.yaml': 'shelves: {}' };
    const declaration = loadConfigIn(project(files, links));
    expect(findingLines(declaration)).toEqual(expected);
    expect(declaration.resources.map(({ address }) => address)).toEqual(['loan/x', 'lamp']);
  });

  test('with a finding that names the target of the link', () => {
    expect(loadConfigIn(project({ 'c/a.yaml': 'lamp: {}' }, { 'c/loop': '.' })).findings).toMatchObject([
      { summary: '`c/loop` leads to `c`, which this source holds already', hint: expect.stringContaining('Remove the link') },
    ]);
  });

  test('with a link within the project, also if another source contains the same file', () => {
    const files = { 'c/a.yaml': 'lamp: {}', 'e/f.yaml': 'shelves: { x: { width: 1 } }', 'over/b.yaml': 'lamp: { watts: 1 }' };
    const declaration = loadConfigIn(project(files, { 'c/e': '../e', 'over/e': '../e' }, ['c', 'over']));
    expect(findingLines(declaration)).toEqual([]);
    expect(declaration.resources.map(({ address }) => address)).toEqual(['shelf/x', 'lamp']);
  });

  test('without upkeep.yaml, by whatever path it is reached', () => {
    const folder = project({ 'c/a.yaml': 'lamp: {}' }, { 'c/up': '..' });
    expect(findingLines(loadConfigIn(folder))).toEqual(['c/up/c:1:1 error duplicate-link']);
  });
});

describe('findSourceFiles rejects', () => {
  /** Returns project files without links, in which every folder contains folders with these names. */
  const endless = (names: readonly string[]): ProjectFiles => ({
    typeOf: () => 'folder',
    list: () => names,
    size: () => 0,
    read: () => new Uint8Array(),
  });

  test('folders over 64 deep', () => {
    expect(findSourceFiles(endless(['a', 'b']), 'c', 'upkeep.yaml')).toEqual({
      code: 'too-deep',
      reason: 'nests folders more than 64 deep',
    });
  });

  test('more than 200 links', () => {
    const links = (count: number): ProjectFiles => ({
      ...endless(Array.from({ length: count }, (_, index) => `${index}.yaml`)),
      typeOf: (path) => (path === 'c' ? 'folder' : 'file'),
      resolve: (path) => path.replace(/^c\//, 'd/'),
    });
    expect(findSourceFiles(links(200), 'c', 'upkeep.yaml')).toMatchObject({ files: { length: 200 } });
    expect(findSourceFiles(links(201), 'c', 'upkeep.yaml')).toEqual({ code: 'too-large', reason: 'holds more than 200 links' });
  });

  test('more than 200,000 files and folders', () => {
    const names = Array.from({ length: 200_001 }, (_, index) => `${index}.txt`);
    const files: ProjectFiles = { ...endless(names), typeOf: (path) => (path === 'c' ? 'folder' : 'file') };
    expect(findSourceFiles(files, 'c', 'upkeep.yaml')).toEqual({ code: 'too-large', reason: 'holds more than 200000 files and folders' });
  });
});

test('findSourceFiles warns of files whose names are almost those of sources, unless `rules` turn that off', () => {
  const files = {
    'c/a.yaml': '',
    'c/b.YAML': '',
    'c/d/e.Yml': '',
    'c/.f.yaml': '',
    'c/g.json': '',
    'c/.hidden/h.yaml': '',
    'c/i.yaml.orig': '',
  };
  const warnings = (rules?: string) => findingLines(loadConfig(files, { sources: ['c'], ...(rules === undefined ? {} : { rules }) }));
  expect(warnings()).toEqual(['c/.f.yaml', 'c/b.YAML', 'c/d/e.Yml'].map((file) => `${file}:1:1 warning file-not-read`));
  expect(warnings('{ file-not-read: off }')).toEqual([]);
});
