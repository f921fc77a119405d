/** Edits are verified by loading the edited sources: they must declare the live resources, and change nothing else. */
import { describe, expect, test } from 'vitest';
import type { DesiredState } from '../../../../src/core/config/desired-state.ts';
import { memoryFiles } from '../../../../src/core/config/project-folder.ts';
import {
  type AcceptRequest,
  changedAddresses,
  type FileEdit,
  verifyEdits,
  withEdits,
} from '../../../../src/core/drift/accept/verify-edits.ts';
import type { DesiredResource, ExternalIdResolver } from '../../../../src/core/kinds/kind.ts';
import type { Finding } from '../../../../src/core/model/finding.ts';
import type { IgnoredField } from '../../../../src/core/model/ignored-fields.ts';
import type { ProjectFiles } from '../../../../src/core/model/project-files.ts';
import { song } from '../../../support/fake-kinds.ts';
import { aLiveSong, aSong, desiredStateOf } from '../../../support/planning.ts';
import { NOW, withLinks } from './project.ts';

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function fileEdit(file: string, after: string): FileEdit {
  return { file, before: bytes(''), after: bytes(after), lines: [] };
}

describe('the project files with edits', () => {
  const tree = memoryFiles([
    { name: 'a.yaml', text: 'old' },
    { name: 'b.yaml', text: 'other' },
  ]);
  const read = (of: ProjectFiles, file: string) => [new TextDecoder().decode(of.read(file)), of.size(file)];

  test('have the new content and size of edited files, and all others unchanged', () => {
    const edited = withEdits(tree, [fileEdit('a.yaml', 'brand new')]);
    expect([read(edited, 'a.yaml'), read(edited, 'b.yaml')]).toEqual([
      ['brand new', 9],
      ['other', 5],
    ]);
    expect([edited.typeOf('a.yaml'), edited.typeOf('c.yaml'), edited.list('.')]).toEqual(['file', 'missing', ['a.yaml', 'b.yaml']]);
  });

  test('contain an empty file where an edit removes everything', () => {
    expect(read(withEdits(tree, [fileEdit('a.yaml', '')]), 'a.yaml')).toEqual(['', 0]);
  });

  test('contain no file that did not exist', () => {
    expect(() => withEdits(tree, [fileEdit('c.yaml', 'new')]).read('c.yaml')).toThrow('c.yaml: no such file');
  });

  test('have the new content behind every link', () => {
    const edited = withEdits(withLinks(tree, { 'b.yaml': 'a.yaml' }), [fileEdit('a.yaml', 'brand new')]);
    expect([read(edited, 'a.yaml'), read(edited, 'b.yaml')]).toEqual([
      ['brand new', 9],
      ['brand new', 9],
    ]);
  });
});

function ignoring(path: string, line = 1): readonly IgnoredField[] {
  return [{ path, declared: { file: 'a.yaml', line, column: 1 } }];
}

describe('the changed addresses of two desired states', () => {
  const [a, b, c] = [aSong('a'), aSong('b'), aSong('c')];
  const changed = (was: readonly DesiredResource[], is: readonly DesiredResource[]) =>
    changedAddresses(desiredStateOf(was), desiredStateOf(is));

  test('are none where both declare the same, in any order and place', () => {
    expect(
      changed(
        [a, b],
        [
          { ...b, path: ['elsewhere'] },
          { ...a, fields: { ...a.fields } },
        ],
      ),
    ).toEqual([]);
    expect(changed([], [])).toEqual([]);
    expect(changed([{ ...a, ignored: ignoring('/level', 3) }], [{ ...a, ignored: ignoring('/level', 4) }])).toEqual([]);
  });

  test('include resources that only one of them declares', () => {
    expect(changed([a, b], [b, c])).toEqual(['song/a', 'song/c']);
  });

  test.each([
    ['its remote name', { remoteName: 'x' }],
    ['a field', { fields: { ...a.fields, level: 9 } }],
    ['its declared fields', { declaredFields: {} }],
    ['its kind data', { kindData: { names: {} } }],
    ['a field that is left to others', { ignored: ignoring('/level') }],
  ])('include a resource that differs in %s', (_name, other) => {
    expect(changed([a, b], [{ ...a, ...other }, b])).toEqual(['song/a']);
  });
});

describe('the problems of edited sources', () => {
  const [a, b] = [aSong('a', { level: 1 }), aSong('b')];
  const before = desiredStateOf([a, b]);
  const like = aSong('a', { level: 2 });
  const live = aLiveSong('one', { title: 'a', level: 2 });
  const request = (of: AcceptRequest['live'], desired: DesiredResource = a): AcceptRequest => ({ kind: song, desired, live: of });
  const finding = (severity: Finding['severity'], line: number): Finding => ({
    severity,
    code: 'odd',
    summary: `line ${line} is odd`,
    file: 'a.yaml',
    line,
    column: 1,
  });

  test.each<readonly [string, readonly AcceptRequest[], DesiredState, readonly string[]]>([
    ['are none where the live resource is declared', [request(live)], desiredStateOf([like, b]), []],
    ['are none where a deleted resource is no longer declared', [request(null)], desiredStateOf([b]), []],
    ['are none for both at once', [request(live), request(null, b)], desiredStateOf([like]), []],
    ['are none for warnings', [request(live)], { ...desiredStateOf([like, b]), findings: [finding('warning', 2)] }, []],
    ['include a deleted resource that is still declared', [request(null)], desiredStateOf([a, b]), ['song/a would still be declared']],
    ['include a live resource that is no longer declared', [request(live)], desiredStateOf([b]), ['song/a would not be declared any more']],
    [
      'include fields that still differ',
      [request(live)],
      desiredStateOf([aSong('a', { level: 3, list: [] }), b]),
      ['song/a would still differ in /level, /list'],
    ],
    [
      'include an accepted field that still differs, although it is left to others',
      [request(live)],
      desiredStateOf([{ ...aSong('a', { level: 3 }), ignored: ignoring('/level') }, b]),
      ['song/a would still differ in /level'],
    ],
    [
      'include no other field that is left to others',
      [request(live, { ...a, ignored: ignoring('/level') })],
      desiredStateOf([{ ...aSong('a', { level: 3 }), ignored: ignoring('/level') }, b]),
      [],
    ],
    [
      'include another resource that changes',
      [request(live)],
      desiredStateOf([like, aSong('b', { level: 5 })]),
      ['song/b would change too'],
    ],
    ['include another resource that is added', [request(live)], desiredStateOf([like, b, aSong('c')]), ['song/c would change too']],
    ['include every problem', [request(live)], desiredStateOf([]), ['song/a would not be declared any more', 'song/b would change too']],
    [
      'are only the errors of the sources where there are any',
      [request(live)],
      { ...desiredStateOf([]), findings: [finding('error', 3), finding('warning', 4), finding('error', 5)] },
      ['a.yaml:3 would be refused: line 3 is odd', 'a.yaml:5 would be refused: line 5 is odd'],
    ],
  ])('%s', (_name, requests, after, expected) => {
    expect(verifyEdits(requests, before, after, NOW)).toEqual(expected);
  });

  const otherProblem = ['what is managed, adopted, moved or removed would change too'];
  const full: DesiredState = {
    ...desiredStateOf([a, b], { 'song/a': 'one', 'song/b': 'two' }),
    moved: new Map([['song/a', 'song/old']]),
    removed: new Set(['song/gone']),
  };

  test.each<readonly [string, Partial<DesiredState>, readonly string[]]>([
    ['do not include the order of the sections', { presentKeys: new Set([...full.presentKeys].reverse()) }, []],
    ['include a section that is no longer managed', { presentKeys: new Set(['songs']) }, otherProblem],
    ['include an `adopt` entry that is removed', { adopt: new Map([['song/a', 'one']]) }, otherProblem],
    ['include an `adopt` entry with another object', { adopt: new Map([...full.adopt, ['song/b', 'three']]) }, otherProblem],
    ['include a `moved` entry that is removed', { moved: new Map() }, otherProblem],
    ['include a `removed` entry that is removed', { removed: new Set() }, otherProblem],
  ])('%s', (_name, other, expected) => {
    expect(verifyEdits([request(live)], full, { ...full, resources: [like, b], ...other }, NOW)).toEqual(expected);
  });

  test('do not include the `adopt` entry of a deleted resource', () => {
    const after = { ...full, resources: [b], adopt: new Map([['song/b', 'two']]) };
    expect(verifyEdits([request(null)], full, after, NOW)).toEqual([]);
    expect(verifyEdits([request(null)], full, { ...full, resources: [b] }, NOW)).toEqual([]);
    expect(verifyEdits([request(null)], full, { ...after, adopt: new Map() }, NOW)).toEqual(otherProblem);
  });

  test('are found with the assets that external IDs named, and with no other', () => {
    const resolved: (string | undefined)[] = [];
    const resolve: ExternalIdResolver['resolve'] = (edited, idOf) => {
      resolved.push(idOf('ep-1'), idOf('constructor'));
      return edited;
    };
    const external = { referencesIn: () => [], lookups: () => [], resolver: () => ({ resolve }) };
    const referenceLookup = { name: 'covers', noun: 'cover', code: 'cover-not-found', referencesIn: () => [], lookups: () => [], external };
    const one = { kind: { ...song, referenceLookup }, desired: { ...a, externalIds: { 'ep-1': 'one' } }, live };
    expect(verifyEdits([one], before, desiredStateOf([like, b]), NOW)).toEqual([]);
    expect(resolved).toEqual(['one', undefined]);
  });

  test('are found with toComparable of the kind, at the given time', () => {
    const late = {
      ...song,
      toComparable: (desired: DesiredResource, _live: unknown, now: number) => ({
        before: { now },
        after: { now: desired.fields.level ?? 0 },
      }),
    };
    const one = { kind: late, desired: a, live };
    expect(verifyEdits([one], before, desiredStateOf([aSong('a', { level: NOW }), b]), NOW)).toEqual([]);
    expect(verifyEdits([one], before, desiredStateOf([like, b]), NOW)).toEqual(['song/a would still differ in /now']);
  });
});
