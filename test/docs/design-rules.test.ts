/** Every rule of docs/design.md has a number of its own below its heading, and names tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { problemsOf, rulesOf } from './design-rules.ts';

const top = new URL('../../', import.meta.url);
const design = readFileSync(new URL('docs/design.md', top), 'utf8');
const exists = (path: string): boolean => existsSync(new URL(path, top));

describe('the rules of docs/design.md', () => {
  test('each name a test that exists', () => {
    expect(problemsOf(design, exists)).toEqual([]);
    expect(rulesOf(design).length).toBeGreaterThan(200);
  });

  test('each have a number of their own below their heading', () => {
    const names = rulesOf(design).map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

describe('a rule is reported', () => {
  test.each([
    ['that names no test', '3. It waits.', ['7 Order 3: names no test']],
    ['whose test is in the middle of the sentence', '3. It — `test/a.test.ts` waits.', ['7 Order 3: names no test']],
    ['whose test does not exist', '3. It waits. — `test/gone.test.ts`', ['7 Order 3: test/gone.test.ts is no test']],
    ['one of whose tests does not exist', '3. It waits. — `test/a.test.ts`, `test/b.test.ts`', ['7 Order 3: test/b.test.ts is no test']],
    ['that names a file that is no test', '- 3.1. It waits. — `test/a.ts`', ['7 Order 3.1: test/a.ts is no test']],
    ['that has no number', '- It waits. — `test/a.test.ts`', ['7 Order -: has no number']],
  ])('%s', (_case, rule, problems) => {
    const page = `## 7. Waves\n\n### Order\n\n1. It ends. — \`test/a.test.ts\`\n${rule}\n`;
    expect(problemsOf(page, (path) => path === 'test/a.test.ts' || path === 'test/a.ts')).toEqual(problems);
  });
});
