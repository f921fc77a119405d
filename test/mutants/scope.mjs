// @ts-check
// What mutation tests measure: the source files, and for each the tests that have to notice a change of it.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { isUnitTest } from '../projects.mjs';

const top = fileURLToPath(new URL('../../', import.meta.url));

/** The folders of src/ that are measured, and single files. The rest of src/ is not measured. */
const MEASURED = ['api-client', 'apply', 'guards', 'kinds', 'ledger', 'plan', 'safety', 'state', 'report/escape.ts'];

/** What decides a figure beside the sources and the tests. */
const CONFIGURATION = [
  'stryker.config.mjs',
  'test/mutants/vitest.config.ts',
  'test/mutants/scope.mjs',
  'test/setup.ts',
  'test/projects.mjs',
];

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
 * Returns the tests of a folder of src/: those that mirror it or a folder that contains it, and the other unit tests that import a file
 * directly in it.
 *
 * @param {string} folder
 */
export function testsOf(folder) {
  return unitTests.filter((test) => {
    const mirrored = posix.dirname(test).replace(/^test\/?/, '');
    const contains = mirrored !== '' && `${folder}/`.startsWith(`${mirrored}/`);
    return contains || importsOf(test).some((file) => posix.dirname(file) === `src/${folder}`);
  });
}

/** @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Returns the SHA-256 of what decides the figures of a folder beside its sources: its tests, the helpers below test/ that they import, the
 * configuration and the versions of the tools.
 *
 * @param {string} folder
 */
export function testDigest(folder) {
  const files = new Set([...testsOf(folder), ...CONFIGURATION]);
  for (const file of files) for (const helper of importsOf(file)) if (helper.startsWith('test/')) files.add(helper);
  const versions = VERSIONS.map((name) => JSON.parse(read(`node_modules/${name}/package.json`)).version);
  return digest(JSON.stringify([versions, [...files].sort().map((file) => [file, digest(read(file))])]));
}

/** Returns the SHA-256 of a source file as it stands. @param {string} source */
export function sourceDigest(source) {
  return digest(read(source));
}
