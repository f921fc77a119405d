import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kinds } from '../../../src/core/kinds/index.ts';
import { GENERAL_CODES } from '../../../src/core/model/finding-codes.ts';

const general = Object.keys(GENERAL_CODES);

/** The texts of the sources in these folders. */
function textOf(folders: readonly string[]): string {
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`));
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('/finding-codes.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** The codes of the findings that a text builds, as far as they are written where a finding is built. */
function codesIn(text: string): readonly string[] {
  const forms = [
    /\bcode: '([a-z0-9-]+)',?\s+(?:summary|path|\.\.\.)/g,
    /\b(?:error|warning)Finding\(\s*'([a-z0-9-]+)'/g,
    /\bcredentialText\(\s*'([a-z0-9-]+)'/g,
    /\breport\((?:[a-z]+, )?\s*'([a-z]+-[a-z-]+)'/g,
    /_CODE = '([a-z0-9-]+)'/g,
  ];
  return [...new Set(forms.flatMap((form) => Array.from(text.matchAll(form), ([, code = '']) => code)))].toSorted();
}

test('each code of a finding that is of no kind is in the list, so that the table, `rules` and `explain` know it', () => {
  const codes = codesIn(textOf(['src/core/config', 'src/core/plan', 'src/core/drift', 'src/core/guards', 'src/core/ledger', 'src/app']));
  expect(codes.length).toBeGreaterThan(40);
  expect(codes.filter((code) => !general.includes(code))).toEqual([]);
});

test.each(kinds)('each code of a finding about $name is in its list, or in the one of all', ({ name, findingCodes }) => {
  const codes = codesIn(textOf([`src/core/kinds/${name}`]));
  expect(codes.filter((code) => !Object.hasOwn(findingCodes, code) && !general.includes(code))).toEqual([]);
});

test('more than twenty codes are found in the texts of the kinds', () => {
  const found = kinds.flatMap(({ name }) => codesIn(textOf([`src/core/kinds/${name}`])));
  expect(found.length).toBeGreaterThan(20);
});

test('a list has no code that nothing reports', () => {
  const text = textOf(['src/core', 'src/app']);
  const owned = kinds.flatMap(({ findingCodes }) => Object.keys(findingCodes));
  const reported = (code: string) => text.split(`'${code}'`).length - 1;
  // A kind lists its codes in a file that the text holds, so that each of these codes is written at least twice.
  expect(owned.filter((code) => reported(code) < 2)).toEqual([]);
  expect(general.filter((code) => reported(code) < 1)).toEqual([]);
});
