/** The built program as processes of their own: the emulator's state survives a kill, and help loads nothing that it does not need. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { API_KEY, createTestProject, OWNER, projectFile, runMain, temporaryFolder } from '../support/harness.ts';
import { config, manyPlaylists } from './accounts.ts';

const program = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(cwd: string, ...argv: readonly string[]) {
  const env = { ...process.env, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
  return { child, ended };
}

/** An emulator with its URL, and its further output. */
async function emulator(cwd: string, ...flags: readonly string[]) {
  const { child, ended } = start(cwd, program, 'emulate', '--owner', OWNER, '--api-key', API_KEY, ...flags);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const first = new Promise<string>((resolve) => {
    reader.on('line', (line) => {
      lines.push(line);
      resolve(line);
    });
  });
  const { url } = JSON.parse(await first);
  return { url: String(url), lines, child, ended };
}

test('the built emulator keeps its saved state after SIGKILL, and exits 0 after SIGTERM', async () => {
  const project = await createTestProject(config({ playlists: manyPlaylists(3), static_key: { scope: 'specific', slicer_ids: ['a'] } }));
  const first = await emulator(project.folder, '--data', 'state.json');
  project.write('upkeep.yaml', projectFile(first.url, 'weakening: allow'));
  expect((await project.apply('--yes')).document).toMatchObject({ verified: true, summary: { created: 3, updated: 1 } });
  first.child.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');

  const second = await emulator(project.folder, '--data', 'state.json');
  project.write('upkeep.yaml', projectFile(second.url, 'weakening: allow'));
  expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [], summary: { unchanged: 4 } } });
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
  expect(second.lines).toHaveLength(1);
});

test('the built emulator reads a seed, latency and faults from files', async () => {
  const folder = temporaryFolder();
  const project = await createTestProject(config({ playlists: {} }));
  project.write('seed.json', JSON.stringify({ playlist: [{ id: 'seeded', playlist: [{ beam: { id: 'x' } }] }] }));
  project.write('faults.json', JSON.stringify([{ method: 'GET', nth: 2, html: true }]));
  const { url, child, ended } = await emulator(project.folder, '--seed', 'seed.json', '--faults', 'faults.json', '--latency', '1');
  project.write('upkeep.yaml', projectFile(url));
  expect((await project.plan()).document.summary.undeclared).toBe(1);
  expect((await project.plan()).code).toBe(10);
  expect(await runMain(folder, {}, ['plan', '--project', project.folder])).toMatchObject({ code: 0 });
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

test('the built program logs its requests with --log-level', async () => {
  const project = await createTestProject(config({ playlists: {} }));
  const { child, ended } = start(project.folder, program, 'plan', '--log-level', 'debug', '--log-format', 'json');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  expect(await ended).toBe(0);
  expect(said).toContain('"path":"/api/v4/linear-playlist');
});

/** Reports the packages of the modules that Node loads: esbuild writes the origin above each module. Only real imports count. */
const RECORDER = `
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
  import { writeSync } from 'node:fs';
  export async function load(url, context, next) {
    const loaded = await next(url, context);
    const from = String(loaded.source ?? '').matchAll(/^\\\\s*\\\\/\\\\/ node_modules\\\\/((?:@[^/]+\\\\/)?[^/]+)/gm);
    for (const name of new Set(Array.from(from, ([, name]) => name))) writeSync(2, 'loaded ' + name + '\\\\n');
    return loaded;
  }
\`));
`;

test.each([
  [['--help'], ['commander'], ['undici', 'ajv', 'js-yaml', 'yaml', 'pino']],
  [['--version'], ['commander'], ['undici', 'ajv', 'js-yaml', 'yaml', 'pino']],
  // Package yaml is needed at once where js-yaml refuses a text, so it lies in the same file, and runs at its first use.
  [['validate'], ['commander', 'js-yaml'], ['undici', 'pino']],
])('the built program loads only the modules it needs for %j', async (argv, needed, unneeded) => {
  const project = await createTestProject(config({ playlists: manyPlaylists(1) }));
  project.write('recorder.mjs', RECORDER);
  const { child, ended } = start(project.folder, '--import', join(project.folder, 'recorder.mjs'), program, ...argv);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  expect(await ended).toBe(0);
  const loaded = new Set([...said.matchAll(/^loaded (\S+)$/gm)].map(([, name]) => name));
  for (const name of needed) expect(loaded).toContain(name);
  for (const name of unneeded) expect(loaded).not.toContain(name);
});
