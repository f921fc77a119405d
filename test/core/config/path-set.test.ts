import { expect, test } from 'vitest';
import { pathSet, withoutInvalidParts } from '../../../src/core/config/path-set.ts';

test('a path set contains the paths below its paths, and affects their sections', () => {
  const paths = pathSet([['shelves', 'x', 'books'], ['lamp']]);
  const candidates = [
    ['shelves', 'x', 'books'],
    ['shelves', 'x', 'books', 0],
    ['lamp', 'watts'],
    ['shelves', 'x'],
    ['shelves', 'x', 'book'],
    [],
  ];
  expect(candidates.map((path) => paths.contains(path))).toEqual([true, true, true, false, false, false]);
  expect(['shelves', 'lamp', 'loans'].map((section) => paths.affectsSection(section))).toEqual([true, true, false]);
});

test('a path set with the empty path affects every section, since content of any section may be missing', () => {
  const paths = pathSet([[]]);
  expect([paths.contains([]), paths.contains(['lamp']), paths.affectsSection('lamp')]).toEqual([false, false, true]);
});

test('withoutInvalidParts removes invalid members of keyed sections, and other invalid sections as a whole', () => {
  const merged = { shelves: { x: 1, y: 2 }, lamp: { a: 1 }, loans: { z: 3 } };
  const kept = withoutInvalidParts(merged, [['shelves', 'x', 'w'], ['lamp', 'a'], []], new Set(['shelves', 'loans']));
  expect(kept).toEqual({ shelves: { y: 2 }, loans: { z: 3 } });
  expect(withoutInvalidParts(merged, [['loans']], new Set(['shelves', 'loans']))).toEqual({ shelves: merged.shelves, lamp: merged.lamp });
});
