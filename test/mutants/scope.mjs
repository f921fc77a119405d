// @ts-check
// What mutation tests measure: the source files, and for each the tests that have to notice a change of it.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { transformSync } from 'esbuild';
import { isQuickTest, isUnitTest } from '../projects.mjs';

const top = fileURLToPath(new URL('../../', import.meta.url));

/** The folders of src/ that are measured, and single files. The rest of src/ is not measured. */
const MEASURED = [
  ...['api-client', 'apply', 'guards', 'kinds', 'ledger', 'plan', 'safety', 'state'].map((stage) => `core/${stage}`),
  'report/escape.ts',
];

/** What decides a figure beside the sources and the tests. */
const CONFIGURATION = ['stryker.config.mjs', 'test/mutants/vitest.config.ts', 'test/setup.ts'];

const VERSIONS = ['@stryker-mutator/core', '@stryker-mutator/vitest-runner', 'vitest', 'fast-check'];

/** @param {string} file */
const read = (file) => readFileSync(posix.join(top, file), 'utf8');

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(posix.join(top, folder), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort();
}

/** The measured source files. */
export const sources = MEASURED.flatMap((each) => (each.endsWith('.ts') ? [`src/${each}`] : filesBelow(`src/${each}`))).filter((file) =>
  file.endsWith('.ts'),
);

/** The folders of src/ with measured files directly in them, for example `kinds/playlist`. */
export const folders = [...new Set(sources.map(folderOf))];

/** The folders and files directly below src/ that are not measured. */
export const unmeasured = readdirSync(posix.join(top, 'src')).filter((name) => !MEASURED.includes(name));

/** Returns the folder of src/ that holds a source file. @param {string} source */
export function folderOf(source) {
  return posix.dirname(source).replace(/^src\//, '');
}

/** The local files that a file imports, by their text. @param {string} file @returns {string[]} */
function importsOf(file) {
  const paths = [...read(file).matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) => path);
  return paths.map((path) => posix.join(posix.dirname(file), path)).filter((path) => existsSync(posix.join(top, path)));
}

const unitTests = filesBelow('test').filter((file) => file.endsWith('.test.ts') && isUnitTest(file));

/**
 * Returns the tests of a folder of src/: those that mirror it or a folder that contains it, and the other quick unit tests that import a
 * file directly in it.
 *
 * @param {string} folder
 */
export function testsOf(folder) {
  return unitTests.filter((test) => {
    const mirrored = posix.dirname(test).replace(/^test\/?/, '');
    const contains = mirrored !== '' && `${folder}/`.startsWith(`${mirrored}/`);
    return contains || (isQuickTest(test) && importsOf(test).some((file) => posix.dirname(file) === `src/${folder}`));
  });
}

/** @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Returns the SHA-256 of files and of the helpers below test/ that they import, directly or not; not of what is beside this file, which only
 * decides what is tried.
 *
 * @param {string[]} files
 */
function digestWithHelpers(files) {
  const all = new Set(files);
  for (const file of all) for (const helper of importsOf(file)) if (/^test\/(?!mutants\/)/.test(helper)) all.add(helper);
  return digest(JSON.stringify([...all].sort().map((file) => [file, sourceDigest(file)])));
}

/** Returns the SHA-256 of what decides every figure beside the sources and the tests: the configuration and the versions of the tools. */
export function toolDigest() {
  const versions = VERSIONS.map((name) => JSON.parse(read(`node_modules/${name}/package.json`)).version);
  return digest(JSON.stringify([versions, digestWithHelpers(CONFIGURATION)]));
}

/**
 * Returns the SHA-256 of each test of a folder, with the helpers below test/ that it imports.
 *
 * @param {string} folder
 * @returns {{ [test: string]: string }}
 */
export function testDigests(folder) {
  return Object.fromEntries(testsOf(folder).map((test) => [test, digestWithHelpers([test])]));
}

/** Returns the SHA-256 of what decides the figures of a folder beside its sources: its tests and the tools. @param {string} folder */
export function testDigest(folder) {
  return digest(JSON.stringify([toolDigest(), testDigests(folder)]));
}

/** @type {Map<string, string>} */
const digestOfFile = new Map();

/**
 * Returns the SHA-256 of what a file does, as it was at the first call: of TypeScript without its comments, its types and its layout, of any
 * other file as it stands.
 *
 * @param {string} file
 */
export function sourceDigest(file) {
  const known = digestOfFile.get(file);
  if (known !== undefined) return known;
  const text = read(file);
  const found = digest(file.endsWith('.ts') ? transformSync(text, { loader: 'ts', target: 'esnext', minifyWhitespace: true }).code : text);
  digestOfFile.set(file, found);
  return found;
}
