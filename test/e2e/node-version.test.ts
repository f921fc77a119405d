/** What an old version of Node gets from the built program, library and worker: one sentence, before anything that it cannot read is loaded. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { EXIT_CODES } from '../../src/core/model/exit-codes.ts';
import { temporaryFolder } from '../support/harness.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const NEEDED = packageJson.engines.node.replace('>=', '');
const STARTED = ['upkeep.js', 'index.js', 'worker.js'];

/** Runs a program in Node, which says that it is of another version. */
function runOn(version: string, program: string, ...argv: readonly string[]) {
  const disguise = join(temporaryFolder(), 'version.cjs');
  writeFileSync(disguise, `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', disguise, program, ...argv], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Writes a program that may import the library by `INDEX`, and start the worker by `WORKER`. */
function programOf(text: string): string {
  const file = join(temporaryFolder(), 'program.mjs');
  const [index, worker] = ['index.js', 'worker.js'].map((name) => JSON.stringify(join(dist, name)));
  writeFileSync(file, text.replaceAll('INDEX', String(index)).replaceAll('WORKER', String(worker)));
  return file;
}

const sentence = (version: string): string => `upkeep needs Node ${NEEDED} or newer, and this is ${version}`;
const refused = (version: string) => ({
  status: EXIT_CODES.invalid,
  stdout: '',
  stderr: `error: ${sentence(version)}\nhint: install a newer Node, or put it first in PATH: node --version\n`,
});

describe('a version of Node that is too old', () => {
  test.each(STARTED)('gets one sentence and exit code 8 from dist/%s', (name) => {
    expect(runOn('18.19.0', join(dist, name), '--version')).toEqual(refused('18.19.0'));
  });

  test('is one before the version that package.json demands, by number and not by text', () => {
    const [major = 0, minor = 0, patch = 0] = NEEDED.split('.').map(Number);
    const older = [`${major}.${minor}.${patch - 1}`, `${major}.${minor - 1}.99`, `${major - 1}.99.99`, '9.11.2', `${major}.9.9`];
    const newer = [
      NEEDED,
      `${major}.${minor}.${patch + 9}`,
      `${major}.${minor + 1}.0`,
      `${major + 1}.0.0`,
      '100.0.0',
      `${NEEDED}-nightly1`,
    ];
    for (const version of older) expect(runOn(version, join(dist, 'upkeep.js'), '--version')).toEqual(refused(version));
    for (const version of newer) expect([version, runOn(version, join(dist, 'upkeep.js'), '--version').status]).toEqual([version, 0]);
  });

  test('ends a program that imports the library with the same sentence and exit code', () => {
    const statically = programOf('import { plan } from INDEX;\nconsole.log(plan);\n');
    const dynamically = programOf('const { plan } = await import(INDEX);\nconsole.log(plan);\n');
    for (const program of [statically, dynamically]) expect(runOn('18.19.0', program)).toEqual(refused('18.19.0'));
  });

  test('leaves a program alone that catches the error of the import: the library prints nothing and ends no process', () => {
    const program = programOf('await import(INDEX).catch(({ message }) => console.log(message));\nconsole.log("goes on");\n');
    expect(runOn('18.19.0', program)).toEqual({ status: 0, stdout: `${sentence('18.19.0')}\ngoes on\n`, stderr: '' });
    const handles = programOf('process.on("uncaughtException", ({ message }) => console.log(message));\nawait import(INDEX);\n');
    expect(runOn('18.19.0', handles)).toMatchObject({ stdout: `${sentence('18.19.0')}\n`, stderr: '' });
  });

  test('gets no worker: the thread ends with the same sentence and exit code, and the program goes on', () => {
    const start = `import { Worker } from 'node:worker_threads';\nnew Worker(WORKER).on('exit', (code) => console.log(code));\n`;
    expect(runOn('18.19.0', programOf(start))).toEqual({ ...refused('18.19.0'), status: 0, stdout: '8\n' });
  });

  test.each(STARTED)('can read dist/%s and all that it loads before the version is known', async (name) => {
    const files = [join(dist, name)];
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      const [old, today] = await Promise.all(['node12.20', 'esnext'].map((target) => transform(text, { target })));
      expect(old?.code, file).toBe(today?.code);
      for (const [, path = ''] of (today?.code ?? '').matchAll(/^(?:import|export)\b[^;(]*"([^"]+)";$/gm)) {
        if (path.startsWith('.')) files.push(join(dirname(file), path));
        else expect(path, file).toBe('module');
      }
    }
    expect(files.length).toBeGreaterThan(1);
    expect(files.map((file) => readFileSync(file).length).reduce((sum, bytes) => sum + bytes)).toBeLessThan(20_000);
  });
});
