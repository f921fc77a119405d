import { describe, expect, test } from 'vitest';
import type { ExpandedDocument } from '../../../src/core/config/expand/definition.ts';
import { mergeDocuments } from '../../../src/core/config/overlay.ts';
import { locationIn } from '../../../src/core/config/source-location.ts';
import { nearestLocation } from '../../../src/core/config/source-map.ts';
import { parseYaml } from '../../../src/core/config/yaml/parse.ts';
import { isJsonObject, type MemberPart, type Path } from '../../../src/core/model/json.ts';

const keyed = new Set(['shelves']);

/** Returns the documents of a source with these files. */
function documentsOf(files: { readonly [file: string]: string }): readonly ExpandedDocument[] {
  return Object.entries(files).flatMap(([file, text]) => {
    const yaml = parseYaml(new TextEncoder().encode(text));
    return yaml.documents.map((value, index) => {
      if (!isJsonObject(value)) throw new Error('not a map');
      const document = { file, yaml, index, content: value };
      return {
        layerType: 'document',
        file,
        isInOneFile: true,
        depth: 0,
        value,
        document,
        locate: (path: Path, part: MemberPart) => locationIn(document, path, part),
      };
    });
  });
}

describe('mergeDocuments', () => {
  test('merges keyed sections of several files and documents', () => {
    const united = mergeDocuments(
      documentsOf({ 'a.yaml': 'shelves: { x: 1 }\nlamp: { w: 1 }', 'b.yaml': 'shelves: { y: 2 }\n---\nshelves: { z: 3 }' }),
      keyed,
    );
    expect(united.value).toEqual({ shelves: { x: 1, y: 2, z: 3 }, lamp: { w: 1 } });
    expect(united.duplicates).toEqual([]);
  });

  test('lists duplicate definitions, and keeps the first one', () => {
    const { value, duplicates: repeated } = mergeDocuments(
      documentsOf({ 'a.yaml': 'shelves: { x: 1 }\nlamp: { w: 1 }', 'b.yaml': 'shelves: { x: 2 }\nlamp: { v: 1 }' }),
      keyed,
    );
    expect(value).toEqual({ shelves: { x: 1 }, lamp: { w: 1 } });
    expect(repeated.map(({ path, document, earlier }) => [path, document.file, earlier.file])).toEqual([
      [['shelves', 'x'], 'b.yaml', 'a.yaml'],
      [['lamp'], 'b.yaml', 'a.yaml'],
    ]);
  });

  test('treats a keyed section that is not a map as one value', () => {
    expect(mergeDocuments(documentsOf({ a: 'shelves: [1]', b: 'shelves: { x: 1 }' }), keyed).duplicates.map(({ path }) => path)).toEqual([
      ['shelves'],
    ]);
    expect(mergeDocuments(documentsOf({ a: 'shelves: { x: 1 }', b: 'shelves: null' }), keyed).duplicates.map(({ path }) => path)).toEqual([
      ['shelves'],
    ]);
  });

  test('distinguishes a section without a value from a null', () => {
    const { value, bareSections } = mergeDocuments(documentsOf({ a: 'shelves:\nlamp: null\nother: ~' }), keyed);
    expect(value).toEqual({ lamp: null, other: null });
    expect(bareSections.map(({ path }) => path)).toEqual([['shelves']]);
  });
});

describe('nearestLocation', () => {
  const sources = [
    mergeDocuments(
      documentsOf({
        'base.yaml': 'shelves:\n  x:\n    width: 1\n    books: [a, b, c]\nlamp:\n  w: 1\n',
        'more.yaml': 'shelves:\n  y: { width: 2 }',
      }),
      keyed,
    ),
    mergeDocuments(documentsOf({ 'over.yaml': 'shelves:\n  x:\n    books: [d]\n' }), keyed),
  ];
  const site = (...path: Path) => {
    const found = nearestLocation(sources, path);
    return found && `${found.file}:${found.line}:${found.column}`;
  };

  test('returns the location in the last source that defines the path', () => {
    expect(site('shelves', 'x', 'books', 0)).toBe('over.yaml:3:13');
    expect(site('shelves', 'x', 'width')).toBe('base.yaml:3:12');
    expect(site('shelves', 'y', 'width')).toBe('more.yaml:2:15');
    expect(site('lamp', 'w')).toBe('base.yaml:6:6');
  });

  test('returns the location of the nearest effective ancestor of a missing path', () => {
    expect(site('shelves', 'x', 'books', 2)).toBe('over.yaml:3:12');
    expect(site('shelves', 'x', 'label')).toBe('over.yaml:2:3');
    expect(site('shelves', 'z', 'width')).toBe('over.yaml:1:1');
    expect(site('lamp', 'v')).toBe('base.yaml:5:1');
    expect(site('nothing')).toBeUndefined();
  });

  test('returns the location of the key on request, with the line and the text', () => {
    expect(nearestLocation(sources, ['shelves', 'x', 'width'], 'key')).toEqual({
      file: 'base.yaml',
      line: 3,
      column: 5,
      excerpt: '    width: 1',
      written: '1',
    });
    expect(nearestLocation(sources, ['shelves', 'x', 'label'], 'key')).toMatchObject({ file: 'over.yaml', line: 2, column: 3 });
  });
});
