import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';
import { rounds } from '../../../support/figures.ts';
import { assertProperty, replayPath } from '../../../support/property.ts';
import { type Loaded, load } from './load.ts';
import { type Draw, type DrawnProject, drawFrom, drawProject } from './random-language.ts';
import { writeByHand } from './written-by-hand.ts';

const tape = fc.array(fc.nat(9999), { maxLength: 300, size: 'max' });

/** Writes a CSV file in one of its forms: with and without BOM, CR LF or LF, and quotes around cells that do not need them. */
function csvText(rows: readonly (readonly string[])[], draw: Draw): string {
  const lineEnd = draw.number(2) === 0 ? '\n' : '\r\n';
  const cell = (text: string) =>
    /[",\r\n]/.test(text) || draw.number(3) === 2 ? `"${text.replaceAll('"', '""').replaceAll('\n', lineEnd)}"` : text;
  const lines = rows.map((row) => row.map(cell).join(','));
  const bom = draw.number(3) === 2 ? '\uFEFF' : '';
  return `${bom}${lines.join(lineEnd)}${draw.number(2) === 0 ? lineEnd : ''}`;
}

/** Returns the files of a configuration as one text, for people who read why a test failed. */
function textsOf({ vars, sources, csv }: DrawnProject): string {
  const plain = sources.map(({ files, ...source }) => ({ ...source, files: Object.fromEntries(files) }));
  return JSON.stringify({ vars, sources: plain, csv: Object.fromEntries(csv) }, null, 1);
}

/** Loads a configuration. */
function loadDrawn({ vars, sources, csv }: DrawnProject, draw: Draw): Loaded {
  const texts: Record<string, string> = {};
  for (const { path, files } of sources)
    for (const [name, { documents }] of files)
      texts[`${path}/${name}`] = documents.map((document) => JSON.stringify(document)).join('\n---\n');
  for (const [path, rows] of csv) texts[path] = csvText(rows, draw);
  return load(texts, { vars, sources: sources.map(({ path, defaults }): Json => ({ path, defaults })) });
}

/**
 * Codes of findings about two resources: their order decides which of them is named first, and which code an asset gets that three name.
 */
const ABOUT_TWO = ['asset-claimed-twice', 'asset-repeated', 'duplicate-desc'];

/** The findings without places. Warnings about what nothing uses, and about tables without rows, are about the language only. */
function findingsOf({ findings }: Loaded): readonly string[] {
  const texts = findings
    .filter(({ code }) => !code.startsWith('unused-') && code !== 'empty-table')
    .map(({ severity, code, summary }) => (ABOUT_TWO.includes(code) ? 'about two' : `${severity} ${code} ${summary}`));
  return [...new Set(texts)].sort();
}

function declaredBy(state: Loaded) {
  const { merged, fields, presentKeys } = state;
  return { findings: findingsOf(state), merged, fields, presentKeys };
}

describe('the language, for random configurations,', () => {
  test('declares what its expansion declares that is written by hand', () => {
    const seen = { resources: 0, valid: 0 };
    assertProperty(
      fc.property(tape, (numbers) => {
        const draw = drawFrom(numbers);
        const project = drawProject(draw);
        const { sections, uselessNulls } = writeByHand(project);
        const language = loadDrawn(project, draw);
        if (uselessNulls.length > 0) {
          expect(language.findings.map(({ code }) => code)).toContain('null');
          return;
        }
        const plain = load({ 'config/all.yaml': JSON.stringify(sections) });
        expect(declaredBy(language), textsOf(project)).toEqual(declaredBy(plain));
        seen.resources += plain.resources.length;
        seen.valid += plain.findings.length === 0 ? 1 : 0;
      }),
      { numRuns: rounds(300, 3000) },
    );
    if (replayPath === undefined) expect([seen.resources, seen.valid].every((count) => count > 50)).toBe(true);
  });

  test('does not depend on the names of files and on the order of keys', () => {
    const NAMES = ['a.yaml', 'b.yaml', 'c.yaml'];
    assertProperty(
      fc.property(tape, fc.shuffledSubarray(NAMES, { minLength: NAMES.length }), (numbers, names) => {
        const draw = drawFrom(numbers);
        const project = drawProject(draw);
        const forms = drawFrom(numbers.slice(1));
        const renamed = reversed(project, (name) => names[NAMES.indexOf(name)] ?? name);
        expect(declaredBy(loadDrawn(renamed, forms)), textsOf(project)).toEqual(declaredBy(loadDrawn(project, draw)));
      }),
      { numRuns: rounds(150, 1500) },
    );
  });
});

/** Returns a configuration with other names of files, and the keys of documents in reverse order. */
function reversed(project: DrawnProject, rename: (name: string) => string): DrawnProject {
  const reverseKeys = (document: JsonObject) => Object.fromEntries(Object.entries(document).toReversed());
  const sources = project.sources.map((source) => ({
    ...source,
    files: new Map([...source.files].map(([name, { documents }]) => [rename(name), { documents: documents.map(reverseKeys) }])),
  }));
  return { ...project, sources };
}
