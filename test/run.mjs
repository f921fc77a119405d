// npm test: type check, linter, unused code, import rules and the tests, side by side. What failed is named at the end.
import { spawn } from 'node:child_process';

/** The tests of `npm test`; the other projects of vitest.config.ts depend on the machine and run in CI. */
const TESTS = ['vitest', 'run', '--project', 'unit', '--project', 'command-line', '--project', 'isolated'];

/** One after the other, beside the tests. */
const CHECKS = [['tsc', '--noEmit'], ['biome', 'check', '.'], ['knip'], ['depcruise', 'src', '--config', '.dependency-cruiser.cjs']];

/** Runs a program of node_modules. Its output is shown as it comes (`inherit`), or as a whole when it fails. */
function run([program, ...argv], stdio) {
  const child = spawn('npx', ['--no-install', program, ...argv], { stdio: ['ignore', stdio, stdio] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) process.stderr.write(Buffer.concat(output));
      resolve(code === 0 ? [] : [[program, ...argv].join(' ')]);
    });
  });
}

async function checks() {
  const failed = [];
  for (const check of CHECKS) failed.push(...(await run(check, 'pipe')));
  return failed;
}

const failed = (await Promise.all([run([...TESTS, ...process.argv.slice(2)], 'inherit'), checks()])).flat();
console.log(failed.length === 0 ? 'all checks and tests passed' : `failed: ${failed.join('; ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
