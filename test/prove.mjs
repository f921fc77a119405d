// The heavy proofs, or those that are named, and one table of their figures. Exits with 1 when a test fails, a figure falls short, or a proof gave none.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The properties without those that are a proof of their own. */
const PROPERTIES = [
  'accept',
  'accept-tables',
  'device-sentences',
  'diff',
  'export',
  'invariants',
  'planted-bugs',
  'protection',
  'regressions',
  'stages',
  'whole-run',
].map((name) => `test/property/${name}.test.ts`);

/** The tests of ledgers that have longer versions here; all of them run in both forms of a ledger for the coverage. */
const LEDGER = ['lock', 'own-repository'].map((name) => `test/e2e/ledger/${name}.test.ts`);

/** Each proof, and the tests that give its figures (none: the coverage of all tests); `side` where it runs beside others, as it measures nothing that they disturb. */
const PROOFS = [
  ['convergence', ['test/property/converge.test.ts'], 'side'],
  ['kills', ['test/property/converge-after-kills.test.ts', 'test/e2e/ledger/kill.test.ts'], 'side'],
  [
    'properties',
    [
      ...PROPERTIES,
      'test/core/kinds/contract.test.ts',
      'test/core/apply/settling-histories.test.ts',
      'test/core/apply/edits-meanwhile.test.ts',
      ...LEDGER,
    ],
    'side',
  ],
  ['fault matrix', ['test/e2e/faults'], 'side'],
  ['probe', ['test/probe', 'test/recording'], 'side'],
  ['secrets', ['test/e2e/secrets'], 'side'],
  ['hostile input, program', ['test/hostile/program.test.ts', 'test/core/config/yaml/parse.test.ts'], 'side'],
  ['adversary', ['test/hostile/checkout.test.ts'], 'side'],
  ['supply chain', ['test/package.test.ts', 'test/workflows.test.ts'], 'side'],
  ['hostile input', ['test/hostile/mutants.test.ts']],
  ['emulator under load', ['test/emulator/load.test.ts']],
  ['multi-target', ['test/e2e/multi-target']],
  ['coverage', []],
];

const missing = PROOFS.flatMap(([, files]) => files).filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`no such tests: ${missing.join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'upkeep-prove-'));

/** Where proofs that measure nothing put their thousands of projects and clones: in memory, where this machine has such a place. */
const scratch = mkdtempSync(join(isRoomy('/dev/shm') ? '/dev/shm' : tmpdir(), 'upkeep-prove-'));

/** Whether files of a few GiB have room there. */
function isRoomy(place) {
  if (!existsSync(place)) return false;
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize >= 4 * 1024 ** 3;
}

/** Runs all tests as `npm test` and CI do, with the share of lines that they reach; vitest.config.ts has the threshold. */
async function proveCoverage() {
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--coverage'], { stdio: 'inherit' });
  const passed = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
  // Without it, a test failed.
  const summary = 'coverage/coverage-summary.json';
  const pct = existsSync(summary) ? JSON.parse(readFileSync(summary, 'utf8')).total.lines.pct : 0;
  return [{ proof: 'coverage', name: 'lines, percent', value: pct, wanted: 'at least 95, all tests pass', holds: passed && pct >= 95 }];
}

/** Runs the tests of one proof, which put their figures into a file; whether all of them passed. */
function passes(files, figures, side) {
  const env = { ...process.env, UPKEEP_PROVE: '1', UPKEEP_FIGURES: figures, ...(side ? { TMPDIR: scratch } : {}) };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...files, '--maxWorkers=1'];
  const child = spawn(process.execPath, vitest, { env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** Rows in columns; the last one is as long as it likes. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The rows of one proof: whether its tests passed, and its figures. */
async function prove([name, files, side]) {
  if (files.length === 0) return proveCoverage();
  const [figures, started] = [join(folder, name), performance.now()];
  writeFileSync(figures, '');
  const passed = await passes(files, figures, side);
  const lines = readFileSync(figures, 'utf8').trim().split('\n');
  const measured = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  const none = { proof: name, name: 'figures', value: 'none', wanted: 'at least one', holds: false };
  const wanted = `all pass (${minutesSince(started)} min)`;
  const tests = { proof: name, name: 'tests', value: passed ? 'passed' : 'FAILED', wanted, holds: passed };
  return [tests, ...(measured.length === 0 ? [none] : measured)];
}

function minutesSince(started) {
  return ((performance.now() - started) / 60_000).toFixed(1);
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((each) => !PROOFS.some(([name]) => name === each));
if (unknown.length > 0) throw new Error(`no proof is called ${unknown.join(', ')}`);
const proofs = PROOFS.filter(([name]) => chosen.length === 0 || chosen.includes(name));
const begun = performance.now();
const rows = new Map(proofs.map(([name]) => [name, []]));
const waiting = proofs.filter(([, , side]) => side);
const lane = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) rows.set(next[0], await prove(next));
};
await Promise.all(Array.from({ length: availableParallelism() }, lane));
for (const proof of proofs.filter(([, , side]) => !side)) rows.set(proof[0], await prove(proof));
for (const place of [folder, scratch]) rmSync(place, { recursive: true });

const all = [...rows.values()].flat();
const cells = all.map(({ proof, name, value, wanted, holds }) => [proof, name, String(value), wanted, holds ? 'holds' : 'FALLS SHORT']);
console.log(`\n${table([['proof', 'figure', 'value', 'wanted', ''], ...cells])}\n\n${minutesSince(begun)} minutes\n`);
process.exitCode = all.every(({ holds }) => holds) ? 0 : 1;
