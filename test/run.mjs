// npm test: type check, linter, unused code, import rules and the tests, side by side. What failed is named at the end.
import { spawn } from 'node:child_process';

/** The tests of `npm test`. Of the other projects of vitest.config.ts, CI runs `machine`, and `npm run prove` also `separate-ledger`. */
const TESTS = [
  'npx',
  '--no-install',
  'vitest',
  'run',
  '--project',
  'unit',
  '--project',
  'slow',
  '--project',
  'git',
  '--project',
  'command-line',
  '--project',
  'isolated',
];

const CHECKS = ['npm', 'run', '--silent', 'check'];

/** Runs a command; whether it succeeded. Its output is shown as it comes (`inherit`), or as a whole when it fails (`pipe`). */
function succeeds([program, ...argv], stdio) {
  const child = spawn(program, argv, { stdio: ['ignore', stdio, stdio] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) process.stderr.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

console.log('some 10,000 tests and the checks take minutes; what passes is not shown');
const [tests, checks] = await Promise.all([succeeds([...TESTS, ...process.argv.slice(2)], 'inherit'), succeeds(CHECKS, 'pipe')]);
console.log(`tests: ${tests ? 'passed' : 'FAILED'}; checks (npm run check): ${checks ? 'passed' : 'FAILED'}`);
process.exitCode = tests && checks ? 0 : 1;
