import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { brokenCitations, countCitations, readDocuments } from './citations.ts';

const top = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, top), 'utf8');
const documents = readDocuments(read('docs/design.md'), read('docs/api-notes.md'));

const files = ['src/', 'test/'].flatMap((folder) =>
  readdirSync(new URL(folder, top), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}${name.replaceAll('\\', '/')}`)
    .filter((file) => /\.[cm]?[jt]s$|\/truth[.\w]*\.txt$/.test(file)),
);

describe('citations in comments', () => {
  test('lead to a rule or heading of docs/design.md, a point of docs/api-notes.md, or a listed section of an API document', () => {
    expect(files.flatMap((file) => brokenCitations(documents, file, read(file)))).toEqual([]);
  });

  test('are found in comments of the code and of the tests', () => {
    const counted = (folder: string): number =>
      files.filter((file) => file.startsWith(folder)).reduce((sum, file) => sum + countCitations(file, read(file)), 0);
    expect(counted('src/')).toBeGreaterThan(100);
    expect(counted('test/')).toBeGreaterThan(30);
  });
});

describe('a wrong citation is reported with its file and line', () => {
  test.each([
    ['a section that the design does not have', 'design section 20', 'design has no section 20'],
    ['a rule that the design does not have', 'design section 4, rule 99', 'design section 4 has no number 99'],
    ['a rule that only other sections have', 'design section 7, rule 14', 'design section 7 has no number 14'],
    ['a part of a rule that the design does not have', 'design section 4, rule 6.99', 'design section 4 has no number 6.99'],
    ['one wrong rule among several', 'design section 4, rules 9 and 99', 'design section 4 has no number 99'],
    ['a heading that the design does not have', 'design section 3, metaphors', 'design section 3 has no heading "metaphors"'],
    ['a point that the notes do not have', 'api-notes section 1, point 40', 'api-notes section 1 has no number 40'],
    ['a section that an API document does not have', 'drm-api-v3 section 4.9', 'drm-api-v3 has no section 4.9'],
    ['a range that ends behind the last section', 'playlist-api-v4 sections 4.5 to 4.7', 'playlist-api-v4 has no section 4.7'],
    ['a rule that an API document does not have', 'playlist-api-v4 section 4.1, rule 4', 'playlist-api-v4 section 4.1 has no number 4'],
    ['a section in the short form of reports', 'drm-api-v3 2.7', 'drm-api-v3 has no section 2.7'],
    ['a section without its document', 'section 4.1', 'names no document'],
    ['a rule without its document', 'rule 11', 'names no document'],
    ['an issue', 'issue 5', 'names no document'],
    ['a decision', 'decision 7', 'names no document'],
    ['a page that is not in the repository', 'facts.md', 'names no document'],
  ])('%s is reported', (_case, text, reason) => {
    const source = `export const a = 1;\n\n/** Waits (${text}). */\nexport const b = 2; // (${text})\n`;
    const found = brokenCitations(documents, 'src/a.ts', source);
    expect(found.map(({ file, line, reason: why }) => [file, line, why])).toEqual([
      ['src/a.ts', 3, reason],
      ['src/a.ts', 4, reason],
    ]);
    for (const { text: cited } of found) expect(text).toContain(cited);
  });

  test('a citation in a later line of a block comment has the line in which it begins', () => {
    const source = '/**\n * Reads.\n * Never guesses (design\n * section 44).\n */\nexport const a = 1;\n';
    expect(brokenCitations(documents, 'src/a.ts', source)).toMatchObject([{ line: 3, text: 'design section 44' }]);
  });
});

test('a citation in a note or a source of a truth table is read, its cells are not', () => {
  const table = 'table rule 99\n# See rule 98,\nfrom  drm-api-v3 section 9.9\nwas  rule 97\n';
  expect(brokenCitations(documents, 'test/truth.txt', table)).toMatchObject([
    { line: 2, text: 'rule 98' },
    { line: 3, text: 'drm-api-v3 section 9.9' },
  ]);
});

test('texts, templates and regular expressions are not read as comments', () => {
  const source = [
    'const a = "// rule 99";',
    'const b = `/* issue 5 */`;',
    'const c = /\\/\\/ section 9/;',
    "const d = 'design section 99';",
  ];
  expect(brokenCitations(documents, 'src/a.ts', source.join('\n'))).toEqual([]);
});

test.each([
  'design section 4, rule 6',
  'design section 4, rules 6.1 to 6.3',
  'Design section 4, rules 1, 3 to 5 and 11',
  'design section 3, identity and what may be deleted',
  'design section 4, rule 9, guards',
  'design section 5, JSON: `file`',
  'design section 3), which holds for section names, too',
  'api-notes section 6; api-notes section 1, point 9',
  'api-notes section 1, drm-api-v3 section 4',
  'drm-api-v3 sections 2.1 to 2.5 and 4.1 to 4.4',
  'drm-api-v3 2.3',
  'SARIF 2.1.0 sections 3.13 to 3.52',
])('the form "%s" is accepted', (text) => {
  expect(brokenCitations(documents, 'src/a.ts', `/** Reads (${text}). */\nexport const a = 1;\n`)).toEqual([]);
});
