// The heavy proofs, one after another, and one table of their figures. Exits with 1 when a test fails, a figure falls short, or a proof gave none.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Each proof, and the tests that give its figures; `side` where they run side by side, as they measure nothing that another one disturbs. */
const PROOFS = [
  ['fault matrix', ['test/e2e/faults']],
  ['convergence', ['test/property', 'test/kinds/contract.test.ts', 'test/e2e/ledger'], 'side'],
  ['hostile input', ['test/hostile']],
  ['secrets', ['test/e2e/secrets']],
  ['emulator under load', ['test/emulator/load.test.ts']],
  ['fleet', ['test/e2e/fleet']],
  ['mutation testing', ['test/mutants.test.ts']],
  ['supply chain', ['test/package.test.ts', 'test/workflows.test.ts']],
];

const folder = mkdtempSync(join(tmpdir(), 'upkeep-prove-'));
const figures = join(folder, 'figures.ndjson');
writeFileSync(figures, '');

/** Runs the tests of one proof; whether all of them passed. */
function passes(files, side) {
  const env = { ...process.env, UPKEEP_PROVE: '1', UPKEEP_FIGURES: figures };
  const workers = side ? availableParallelism() : 1;
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...files, `--maxWorkers=${workers}`];
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

const chosen = process.argv.slice(2);
const proofs = PROOFS.filter(([name]) => chosen.length === 0 || chosen.includes(name));
const rows = [];
for (const [name, files, side] of proofs) {
  const started = performance.now();
  const passed = await passes(files, side);
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  rows.push({ proof: name, name: 'tests', value: passed ? 'passed' : 'FAILED', wanted: `all pass (${minutes} min)`, holds: passed });
}
const lines = readFileSync(figures, 'utf8').trim().split('\n');
const measured = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
for (const [name] of proofs) {
  const own = measured.filter((figure) => figure.proof === name);
  if (own.length === 0) rows.push({ proof: name, name: 'figures', value: 'none', wanted: 'at least one', holds: false });
  rows.push(...own);
}
rmSync(folder, { recursive: true });

const order = proofs.map(([name]) => name);
const sorted = rows.toSorted((a, b) => order.indexOf(a.proof) - order.indexOf(b.proof));
const cells = sorted.map(({ proof, name, value, wanted, holds }) => [proof, name, String(value), wanted, holds ? 'holds' : 'FALLS SHORT']);
console.log(`\n${table([['proof', 'figure', 'value', 'wanted', ''], ...cells])}\n`);
process.exitCode = sorted.every(({ holds }) => holds) ? 0 : 1;
