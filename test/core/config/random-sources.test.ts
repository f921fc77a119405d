import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadDesiredState } from '../../../src/core/config/load-desired-state.ts';
import { diskFiles } from '../../../src/core/config/project-folder.ts';
import { expandedSchema } from '../../../src/core/config/source-schema.ts';
import { createValidator } from '../../../src/core/config/validator.ts';
import type { Sections } from '../../../src/core/kinds/kind.ts';
import { assertProperty } from '../../support/property.ts';
import { fakeKinds, fakeModel, folderWith, loadConfig, openProject, projectText } from './fixture.ts';

describe('loadDesiredState, for random input,', () => {
  const shelves = fc.dictionary(
    fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.'), minLength: 1, maxLength: 4 }),
    fc.integer({ min: 1, max: 200 }),
    {
      minKeys: 1,
      maxKeys: 8,
      noNullPrototype: true,
    },
  );

  test('does not depend on the order of keys and the split into files', () => {
    assertProperty(
      fc.property(shelves, fc.infiniteStream(fc.nat(2)), (widths, stream) => {
        const names = Object.keys(widths);
        const texts = ['', '', ''];
        for (const name of names.toReversed()) {
          const file = stream.next().value ?? 0;
          texts[file] = `${texts[file] || 'shelves:\n'}  ${JSON.stringify(name)}: { width: ${widths[name]} }\n`;
        }
        const whole = loadConfig(
          { 'c/all.yaml': JSON.stringify({ shelves: Object.fromEntries(names.map((name) => [name, { width: widths[name] }])) }) },
          { sources: ['c'] },
        );
        const split = loadConfig(Object.fromEntries(texts.map((text, index) => [`c/${index}.yaml`, text])), { sources: ['c'] });
        const byAddress = ({ resources }: typeof whole) => Object.fromEntries(resources.map(({ address, fields }) => [address, fields]));
        expect([split.findings, byAddress(split)]).toEqual([whole.findings, byAddress(whole)]);
        expect(Object.keys(byAddress(whole))).toHaveLength(names.length);
      }),
      { numRuns: 30 },
    );
  });

  test('never throws', () => {
    const piece = fc.constantFrom(
      'shelves:',
      'lamp:',
      'adopt:',
      ' ',
      '\n',
      '  x: ',
      '{ ',
      ' }',
      'width: 1',
      '[',
      ']',
      'null',
      '\t',
      '&a ',
      '*a',
      '---\n',
      `\${x}`,
      '0123',
      '"',
      '\u0000',
    );
    const folder = folderWith({ 'upkeep.yaml': projectText(['a.yaml']) });
    const { project, target } = openProject(folder);
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.array(piece, { maxLength: 20 }).map((parts) => new TextEncoder().encode(parts.join(''))),
    );
    assertProperty(
      fc.property(content, (bytes) => {
        writeFileSync(join(folder, 'a.yaml'), bytes);
        const { findings, positionOf } = loadDesiredState(diskFiles(folder), project, target, fakeModel);
        expect(findings.every(({ line, column }) => line > 0 && column > 0)).toBe(true);
        expect(positionOf(['shelves', 'x', 'width']).line).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});

test('kinds only receive sections that their schema accepts', () => {
  const check = createValidator<unknown>(expandedSchema(fakeKinds));
  const seen: Sections[] = [];
  const watched = fakeKinds.map((kind) => ({
    ...kind,
    declare: (sections: Sections) => {
      seen.push(sections);
      return { resources: [], findings: [] };
    },
  }));
  const leaf = fc.constantFrom<unknown>(null, 0, 5, 300, '', 'x', 'oak', true, [], ['a', 7, { id: 'b' }, { id: 1 }], { id: 'c' }, `\${x}`);
  const member = fc.oneof(leaf, fc.dictionary(fc.constantFrom('width', 'label', 'wood', 'books', 'locked', 'other', 'id'), leaf));
  const section = fc.oneof(leaf, fc.dictionary(fc.constantFrom('x', 'y', 'B A', 'watts'), member));
  const source = fc.dictionary(fc.constantFrom('shelves', 'loans', 'titles', 'lamp', 'adopt', 'other'), section);
  assertProperty(
    fc.property(source, source, (base, over) => {
      seen.length = 0;
      loadConfig({ 'a.yaml': JSON.stringify(base), 'b.yaml': JSON.stringify(over) }, { kinds: watched });
      for (const sections of seen) expect(check(sections)).toHaveProperty('value');
    }),
    { numRuns: 150 },
  );
});
