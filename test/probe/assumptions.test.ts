/** The list of assumptions: its tests, settings and citations exist, and each of its questions is asked. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import schema from '../../schemas/configuration.schema.json' with { type: 'json' };
import { ASSUMPTIONS } from '../../src/probe/assumptions.ts';
import { READ_READERS } from '../../src/probe/read-step.ts';
import { writeStep } from '../../src/probe/write-step.ts';
import { brokenCitations, readDocuments } from '../docs/citations.ts';

const top = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, top), 'utf8');

/** Whether a path leads to a key of a target. */
function isSetting(path: string): boolean {
  let node: unknown = schema.definitions.target;
  for (const key of path.split('.')) {
    const properties: unknown = Object(node).properties;
    node = Object(properties)[key];
  }
  return node !== undefined;
}

test('every assumption has an ID of its own', () => {
  expect(new Set(ASSUMPTIONS.map(({ id }) => id)).size).toBe(ASSUMPTIONS.length);
});

describe.each(ASSUMPTIONS)('assumption $id', ({ id, assumed, citation, test: file, setting, question }) => {
  test('names a test that exists and a passage of the notes that exists', () => {
    expect(existsSync(new URL(file, top)), file).toBe(true);
    const documents = readDocuments(read('docs/design.md'), read('docs/api-notes.md'));
    expect(brokenCitations(documents, 'list.ts', `// ${citation}\n`)).toEqual([]);
    expect(assumed).toMatch(/^\S.*\.$/);
  });

  test('names only settings that exist', () => {
    const named = Object.values(question?.answers ?? {}).flatMap((meaning) =>
      typeof meaning === 'object' && 'setting' in meaning ? [meaning.setting] : [],
    );
    for (const path of [...named, ...(setting === undefined ? [] : [setting])]) expect(isSetting(path), path).toBe(true);
    expect(named.every((path) => path === setting)).toBe(true);
  });

  test('is asked in the step of its question, or nowhere', () => {
    const readers = {
      read: READ_READERS,
      write: { ...writeStep('a', 'form', false).readers, ...writeStep('a', 'json', true).readers },
    };
    const steps = Object.entries(readers).flatMap(([step, ofStep]) => (id in ofStep ? [step] : []));
    expect(steps).toEqual(question === undefined ? [] : [question.step]);
  });
});

test('every reader belongs to an assumption', () => {
  const asked = [
    ...Object.keys(READ_READERS),
    ...[false, true].flatMap((hasScopedKey) => Object.keys(writeStep('a', 'form', hasScopedKey).readers)),
  ];
  expect(asked.filter((id) => !ASSUMPTIONS.some((assumption) => assumption.id === id))).toEqual([]);
});
