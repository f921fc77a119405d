// @ts-check
// Which files mutation tests change, and the tests that have to notice it.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { isQuickTest, runsBesideOthers } from '../projects.mjs';

const top = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(posix.join(top, folder), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort();
}

/** @param {string[]} argv */
const git = (...argv) => execFileSync('git', argv, { cwd: top, encoding: 'utf8' }).trim();

/** Returns the commit at which the branch began: the one before this one, if this is the main branch. */
export function branchBase() {
  const main = ['origin/main', 'main'].find((ref) => git('for-each-ref', `refs/heads/${ref}`, `refs/remotes/${ref}`) !== '') ?? 'HEAD';
  const base = git('merge-base', 'HEAD', main);
  return base === git('rev-parse', 'HEAD') ? git('rev-parse', 'HEAD~1') : base;
}

/** Returns the source files that are not as they were at a ref. @param {string} ref @returns {string[]} */
export function changedSince(ref) {
  const tracked = git('diff', '--name-only', '--diff-filter=d', ref, '--', 'src').split('\n');
  const untracked = git('ls-files', '--others', '--exclude-standard', 'src').split('\n');
  return [...new Set([...tracked, ...untracked])].filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')).sort();
}

/** Returns the source files at these paths below src/, files or folders. @param {string[]} paths @returns {string[]} */
export function sourcesAt(paths) {
  const all = filesBelow('src').filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
  return paths.flatMap((path) => {
    const found = all.filter((file) => file === `src/${path}` || file.startsWith(`src/${path}/`));
    if (found.length === 0) throw new Error(`there is no source file src/${path}`);
    return found;
  });
}

/** Returns the folder of src/ that holds a source file. @param {string} source */
export function folderOf(source) {
  return posix.dirname(source).replace(/^src\//, '');
}

/** The local files that a file imports, by their text. @param {string} file @returns {string[]} */
function importsOf(file) {
  const text = readFileSync(posix.join(top, file), 'utf8');
  const paths = [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) => path);
  return paths.map((path) => posix.join(posix.dirname(file), path)).filter((path) => existsSync(posix.join(top, path)));
}

/**
 * Returns the tests of a folder of src/: those that mirror it or a folder that contains it, and the other quick unit tests that import a
 * file directly in it; of the use cases and the command line also the tests of the commands.
 *
 * @param {string} folder
 */
export function testsOf(folder) {
  const isCommand = /^(app|cli)(\/|$)/.test(folder);
  return filesBelow('test').filter((test) => {
    if (!test.endsWith('.test.ts') || !runsBesideOthers(test)) return false;
    const mirrored = posix.dirname(test).replace(/^test\/?/, '');
    const contains = mirrored !== '' && `${folder}/`.startsWith(`${mirrored}/`);
    if (contains || (isCommand && test.startsWith('test/cli/'))) return true;
    return isQuickTest(test) && importsOf(test).some((file) => posix.dirname(file) === `src/${folder}`);
  });
}
