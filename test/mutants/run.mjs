// Mutation tests: `npm run mutants` for every file whose figures are missing or stale, or `npm run mutants -- plan core/kinds/kind.ts` for
// these folders and files. A mutant that a test noticed is not tried again on this machine while it and that test stay as they are.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { currentRows, store } from './results.mjs';
import { folderOf, folders, sources, testDigests, toolDigest } from './scope.mjs';

const top = new URL('../../', import.meta.url);

const name = (folder) => folder.replaceAll('/', '-');
const digestsFile = (folder) => `.stryker-tmp/${name(folder)}.tests.json`;

function json(file) {
  return JSON.parse(readFileSync(new URL(file, top), 'utf8'));
}

/**
 * Keeps of the last report about a folder the mutants that were noticed by a test that is, with its helpers, as it was then. What survived is
 * tried again: stryker takes it for settled where it runs while a module is loaded, whatever tests are new.
 */
function forgetUnsettled(folder) {
  const file = `.stryker-tmp/${name(folder)}.json`;
  if (!existsSync(new URL(file, top))) return;
  const then = existsSync(new URL(digestsFile(folder), top)) ? json(digestsFile(folder)) : { tools: '', tests: {} };
  const now = testDigests(folder);
  const report = json(file);
  const settled = new Set(
    Object.entries(report.testFiles)
      .filter(([test]) => then.tools === toolDigest() && then.tests[test] !== undefined && then.tests[test] === now[test])
      .flatMap(([, { tests }]) => tests.map(({ id }) => id)),
  );
  const isSettled = ({ status, killedBy }) => status === 'Killed' && killedBy.every((id) => settled.has(id));
  for (const source of Object.values(report.files)) source.mutants = source.mutants.filter(isSettled);
  writeFileSync(new URL(file, top), JSON.stringify(report));
}

const named = process.argv.slice(2);
const isNamed = (source) => named.includes(folderOf(source)) || named.includes(source.replace(/^src\//, ''));
const unknown = named.filter((name) => !folders.includes(name) && !sources.includes(`src/${name}`));
if (unknown.length > 0) throw new Error(`not measured: ${unknown.join(', ')}; a file in one of ${folders.join(', ')}`);

const current = currentRows();
for (const folder of folders) {
  const own = sources.filter((source) => folderOf(source) === folder);
  const files = own.filter((source) => (named.length > 0 ? isNamed(source) : !current.has(source)));
  if (files.length === 0) continue;
  const digests = JSON.stringify({ tools: toolDigest(), tests: testDigests(folder) });
  forgetUnsettled(folder);
  const env = { ...process.env, UPKEEP_MUTATED_FOLDER: folder };
  const stryker = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', '--mutate', files.join(',')];
  const { status } = spawnSync(process.execPath, stryker, { cwd: top, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the mutants of ${folder} were not tried to the end`);
  writeFileSync(new URL(digestsFile(folder), top), digests);
  store(json(`.stryker-tmp/reports/${name(folder)}.json`), files);
}
