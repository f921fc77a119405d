/** An edit is proved by reading the sources back: it does what it is to do, and nothing else. */
import { describe, expect, test } from 'vitest';
import type { DesiredState } from '../../../src/config/desired-state.ts';
import { memoryTree, type ProjectFiles } from '../../../src/config/project-files.ts';

import { type AcceptRequest, changedAddresses, type FileEdit, verifyEdits, withEdits } from '../../../src/drift/accept/verify-edits.ts';
import type { DesiredResource } from '../../../src/kinds/kind.ts';
import type { Finding } from '../../../src/model/finding.ts';
import { song } from '../../support/fake-kinds.ts';
import { aLiveSong, aSong, desiredStateOf } from '../../support/planning.ts';
import { NOW, withLinks } from './project.ts';

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function amendment(file: string, after: string): FileEdit {
  return { file, before: bytes(''), after: bytes(after), lines: [] };
}

describe('a tree with amended files', () => {
  const tree = memoryTree([
    { name: 'a.yaml', text: 'old' },
    { name: 'b.yaml', text: 'other' },
  ]);
  const read = (of: ProjectFiles, file: string) => [new TextDecoder().decode(of.read(file)), of.size(file)];

  test('has their new content and size, and all else as it was', () => {
    const amended = withEdits(tree, [amendment('a.yaml', 'brand new')]);
    expect([read(amended, 'a.yaml'), read(amended, 'b.yaml')]).toEqual([
      ['brand new', 9],
      ['other', 5],
    ]);
    expect([amended.at('a.yaml'), amended.at('c.yaml'), amended.list('.')]).toEqual(['file', 'missing', ['a.yaml', 'b.yaml']]);
  });

  test('has an empty file where nothing is left', () => {
    expect(read(withEdits(tree, [amendment('a.yaml', '')]), 'a.yaml')).toEqual(['', 0]);
  });

  test('has none that was not there', () => {
    expect(() => withEdits(tree, [amendment('c.yaml', 'new')]).read('c.yaml')).toThrow('c.yaml: no such file');
  });

  test('has the new content behind every link', () => {
    const amended = withEdits(withLinks(tree, { 'b.yaml': 'a.yaml' }), [amendment('a.yaml', 'brand new')]);
    expect([read(amended, 'a.yaml'), read(amended, 'b.yaml')]).toEqual([
      ['brand new', 9],
      ['brand new', 9],
    ]);
  });
});

describe('what two declarations do not declare alike', () => {
  const [a, b, c] = [aSong('a'), aSong('b'), aSong('c')];
  const changed = (was: readonly DesiredResource[], is: readonly DesiredResource[]) =>
    changedAddresses(desiredStateOf(was), desiredStateOf(is));

  test('is nothing where they are alike, in whatever order', () => {
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
  });

  test('is what only one of them declares', () => {
    expect(changed([a, b], [b, c])).toEqual(['song/a', 'song/c']);
  });

  test.each([
    ['its remote name', { remoteName: 'x' }],
    ['a field', { fields: { ...a.fields, guard: 9 } }],
    ['what is written of it', { fieldsAsWritten: {} }],
    ['what is known of it beyond its fields', { kindData: { names: {} } }],
  ])('is what differs in %s', (_what, other) => {
    expect(changed([a, b], [{ ...a, ...other }, b])).toEqual(['song/a']);
  });
});

describe('objections', () => {
  const [a, b] = [aSong('a', { guard: 1 }), aSong('b')];
  const before = desiredStateOf([a, b]);
  const like = aSong('a', { guard: 2 });
  const live = aLiveSong('one', { title: 'a', guard: 2 });
  const asked = (of: AcceptRequest['live'], desired: DesiredResource = a): AcceptRequest => ({ kind: song, desired, live: of });
  const finding = (severity: Finding['severity'], line: number): Finding => ({
    severity,
    code: 'odd',
    summary: `line ${line} is odd`,
    file: 'a.yaml',
    line,
    column: 1,
  });

  test.each<readonly [string, readonly AcceptRequest[], DesiredState, readonly string[]]>([
    ['none to what is live', [asked(live)], desiredStateOf([like, b]), []],
    ['none to what is gone', [asked(null)], desiredStateOf([b]), []],
    ['none to both at once', [asked(live), asked(null, b)], desiredStateOf([like]), []],
    ['none to warnings', [asked(live)], { ...desiredStateOf([like, b]), findings: [finding('warning', 2)] }, []],
    ['to what is declared still', [asked(null)], desiredStateOf([a, b]), ['song/a would still be declared']],
    ['to what is declared no longer', [asked(live)], desiredStateOf([b]), ['song/a would not be declared any more']],
    [
      'to fields that still differ',
      [asked(live)],
      desiredStateOf([aSong('a', { guard: 3, list: [] }), b]),
      ['song/a would still differ in /guard, /list'],
    ],
    ['to another resource that changes', [asked(live)], desiredStateOf([like, aSong('b', { guard: 5 })]), ['song/b would change too']],
    ['to another resource that comes', [asked(live)], desiredStateOf([like, b, aSong('c')]), ['song/c would change too']],
    ['to all of it', [asked(live)], desiredStateOf([]), ['song/a would not be declared any more', 'song/b would change too']],
    [
      'to mistakes, and then to nothing else',
      [asked(live)],
      { ...desiredStateOf([]), findings: [finding('error', 3), finding('warning', 4), finding('error', 5)] },
      ['a.yaml:3 would be refused: line 3 is odd', 'a.yaml:5 would be refused: line 5 is odd'],
    ],
  ])('%s', (_what, wanted, after, found) => {
    expect(verifyEdits(wanted, before, after, NOW)).toEqual(found);
  });

  const besides = ['what is managed, adopted, moved or removed would change too'];
  const full: DesiredState = {
    ...desiredStateOf([a, b], { 'song/a': 'one', 'song/b': 'two' }),
    moved: new Map([['song/a', 'song/old']]),
    removed: new Set(['song/gone']),
  };

  test.each<readonly [string, Partial<DesiredState>, readonly string[]]>([
    ['not to the order of the sections', { managedSections: new Set([...full.managedSections].reverse()) }, []],
    ['to a section that is managed no longer', { managedSections: new Set(['songs']) }, besides],
    ['to an adoption that goes', { adopt: new Map([['song/a', 'one']]) }, besides],
    ['to an adoption of another object', { adopt: new Map([...full.adopt, ['song/b', 'three']]) }, besides],
    ['to a move that goes', { moved: new Map() }, besides],
    ['to a removal that goes', { removed: new Set() }, besides],
  ])('%s', (_what, other, found) => {
    expect(verifyEdits([asked(live)], full, { ...full, resources: [like, b], ...other }, NOW)).toEqual(found);
  });

  test('not to the adoption of what is gone', () => {
    const after = { ...full, resources: [b], adopt: new Map([['song/b', 'two']]) };
    expect(verifyEdits([asked(null)], full, after, NOW)).toEqual([]);
    expect(verifyEdits([asked(null)], full, { ...full, resources: [b] }, NOW)).toEqual([]);
    expect(verifyEdits([asked(null)], full, { ...after, adopt: new Map() }, NOW)).toEqual(besides);
  });

  test('compares as the kind does at that time', () => {
    const late = {
      ...song,
      toComparable: (desired: DesiredResource, _live: unknown, now: number) => ({
        before: { now },
        after: { now: desired.fields.guard ?? 0 },
      }),
    };
    const one = { kind: late, desired: a, live };
    expect(verifyEdits([one], before, desiredStateOf([aSong('a', { guard: NOW }), b]), NOW)).toEqual([]);
    expect(verifyEdits([one], before, desiredStateOf([like, b]), NOW)).toEqual(['song/a would still differ in /now']);
  });
});
