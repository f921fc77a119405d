// Mutation tests: faults are put into sources one by one, and a test has to notice each. `npm run mutants` tries the files that changed on this
// branch, `npm run mutants -- --since REF` those that changed since a commit, `npm run mutants -- core/plan app/undo.ts` files and folders.
// Prints what no test noticed. Exits with 1 where tests notice less than 90 % of the faults of a file of the core.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { branchBase, changedSince, folderOf, sourcesAt } from './scope.mjs';
import { tryOperands } from './try-operands.mjs';

const REPORT = '.stryker-tmp/report.json';
const WANTED = 90;

const argv = process.argv.slice(2);
const since = argv[0] === '--since' ? argv[1] : undefined;
const sources = since === undefined && argv.length > 0 ? sourcesAt(argv) : changedSince(since ?? branchBase());
if (sources.length === 0) console.log('no source file has changed');

/** The mutants of Stryker, of some files of one folder. */
function tryStryker(files) {
  rmSync(REPORT, { force: true });
  const env = { ...process.env, UPKEEP_MUTATED_FOLDER: folderOf(files[0]), UPKEEP_MUTATION_REPORT: REPORT };
  const stryker = [
    'node_modules/@stryker-mutator/core/bin/stryker.js',
    'run',
    'test/mutants/stryker.config.mjs',
    '--mutate',
    files.join(','),
  ];
  const { status } = spawnSync(process.execPath, stryker, { env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the mutants of ${files.join(', ')} were not tried to the end`);
  const report = existsSync(REPORT) ? JSON.parse(readFileSync(REPORT, 'utf8')) : { files: {} };
  return new Map(files.map((file) => [file, resultOf(file, report.files[file]?.mutants ?? [])]));
}

/** A mutant with which no test file loads is neither noticed nor not. */
function resultOf(file, mutants) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const survivors = mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ location: { start }, mutatorName, replacement }) => {
      return { line: start.line, column: start.column, mutator: mutatorName, text: lines[start.line - 1].trim(), replacement };
    });
  return { killed: mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length, survivors };
}

let isWeak = false;
for (const folder of new Set(sources.map(folderOf))) {
  const files = sources.filter((source) => folderOf(source) === folder);
  const ofStryker = tryStryker(files);
  process.env.UPKEEP_MUTATED_FOLDER = folder;
  for (const file of files) {
    const [one, other] = [ofStryker.get(file), await tryOperands(file)];
    const killed = one.killed + other.killed;
    const survivors = [...one.survivors, ...other.survivors].toSorted((a, b) => a.line - b.line || a.column - b.column);
    const score = killed + survivors.length === 0 ? 100 : (100 * killed) / (killed + survivors.length);
    if (file.startsWith('src/core/') && score < WANTED) isWeak = true;
    console.log(`\n${file}: ${killed} of ${killed + survivors.length} faults were noticed (${score.toFixed(1)} %)`);
    for (const { line, column, mutator, text, replacement } of survivors)
      console.log(`  ${file}:${line}:${column}  ${mutator} of \`${text}\`: ${replacement}`);
  }
}
if (isWeak) console.log(`\na file of src/core/ is below ${WANTED} %`);
process.exitCode = isWeak ? 1 : 0;
