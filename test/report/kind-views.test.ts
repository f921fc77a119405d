/** The list of the views of kinds. */
import { expect, test } from 'vitest';
import { kinds } from '../../src/core/kinds/index.ts';
import { diagramOf, KIND_VIEWS } from '../../src/report/kind-views.ts';
import { change, field } from './documents.ts';

test('every views file belongs to a kind of the list of kinds', () => {
  const names = kinds.map(({ name }) => name);
  expect([...KIND_VIEWS.keys()].filter((name) => !names.includes(name))).toEqual([]);
});

test('diagramOf returns the diagram that the kind of a change describes, and null for a kind that does not exist', () => {
  const list = field('/playlist', [], [{ beam: { id: 'a' } }]);
  expect(diagramOf(change('playlist/a', { fields: [list] }))).toMatchObject({ type: 'playlist', after: [{ label: 'a' }] });
  expect(diagramOf(change('playlist/a', { kind: 'constructor', fields: [list] }))).toBeNull();
});
