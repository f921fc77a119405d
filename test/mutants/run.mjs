// Mutation tests: `npm run mutants` for every file whose figures are missing or stale, or `npm run mutants -- plan kinds/kind.ts` for
// these folders and files. A mutant that a test noticed is not tried again on this machine while source, tests and helpers stay as they are.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { currentRows, store } from './results.mjs';
import { folderOf, folders, sources, testDigest } from './scope.mjs';

const top = new URL('../../', import.meta.url);

function json(file) {
  return JSON.parse(readFileSync(new URL(file, top), 'utf8'));
}

/** Lets what survived be tried again: stryker takes it for settled where it runs while a module is loaded, whatever tests are new. */
function forgetSurvivors(kept) {
  if (!existsSync(new URL(kept, top))) return;
  const report = json(kept);
  for (const file of Object.values(report.files)) file.mutants = file.mutants.filter(({ status }) => status === 'Killed');
  writeFileSync(new URL(kept, top), JSON.stringify(report));
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
  const name = `${folder.replaceAll('/', '-')}-${testDigest(folder).slice(0, 12)}`;
  forgetSurvivors(`.stryker-tmp/${name}.json`);
  const env = { ...process.env, UPKEEP_MUTATED_FOLDER: folder, UPKEEP_MUTANTS_NAME: name };
  const stryker = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', '--mutate', files.join(',')];
  const { status } = spawnSync(process.execPath, stryker, { cwd: top, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the mutants of ${folder} were not tried to the end`);
  store(json(`.stryker-tmp/reports/${name}.json`), files);
}
