/**
 * The built program over several targets: credential commands, signals, unhandled errors, and SIGKILL in the middle of an apply.
 */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { asFailure, asOutcome, asPlan, documentsOf } from '../../support/documents.ts';
import { createGitProject, type GitProject } from '../../support/git-project.ts';
import { createTestProject, type TestProject, temporaryFolder } from '../../support/harness.ts';
import { localFile } from '../../support/local-files.ts';
import { type RequestProxy, startProxy } from '../../support/proxy.ts';
import { signalUntilItEnds } from '../../support/signals.ts';
import { config, manyPlaylists } from '../accounts.ts';
import { accountsOf, firstTenants, type Tenant, writeTargets } from './accounts.ts';

const PROGRAM = fileURLToPath(new URL('../../../dist/upkeep.js', import.meta.url));
const DESIRED = config({ playlists: manyPlaylists(3) });

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A run of the program. */
interface Run {
  signal(signal: NodeJS.Signals): void;
  /** Resolves once this text is so often on stderr. */
  waitForStderr(words: string, times: number): Promise<void>;
  readonly ended: Promise<{ readonly code: number | NodeJS.Signals | null; readonly stdout: string; readonly stderr: string }>;
}

function start(project: TestProject, env: NodeJS.ProcessEnv, ...argv: readonly string[]): Run {
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    cwd: project.folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stdout: out, stderr: err } = child;
  let stdout = '';
  let stderr = '';
  out.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  err.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<Awaited<Run['ended']>>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? signal, stdout, stderr }));
  });
  cleanups.push(() => void child.kill('SIGKILL'));
  return {
    ended,
    signal: (signal) => void child.kill(signal),
    waitForStderr: (words, times) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (stderr.split(words).length > times) resolve();
        };
        err.on('data', check);
        check();
      }),
  };
}

test('the credential command of each target runs once, and sees no credential of any target', async () => {
  const tenants = firstTenants(3);
  const project = await createTestProject(DESIRED, accountsOf(tenants, 2));
  const env = writeTargets(project, tenants);
  const folder = temporaryFolder();
  // The key of each comes from a command; the owners stay in the environment.
  for (const { name, apiKey } of tenants) {
    const witness = `#!/bin/sh\n{ echo "run"; tr '\\0' '\\n' </proc/$$/environ; } >>'${join(folder, name)}'\necho '${apiKey}'\n`;
    writeFileSync(join(folder, `key-of-${name}`), witness, { mode: 0o755 });
  }
  const text = project
    .read('upkeep.yaml')
    .replace(/api_key: \{ env: KEY_TENANT_(\d+) \}/g, `api_key: { command: [${folder}/key-of-tenant-$1] }`);
  project.write('upkeep.yaml', text);
  const { code, stdout, stderr } = await start(project, { ...env, KEPT: 'what is no credential' }, 'plan', '-t', '*', '--format', 'json')
    .ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(documentsOf('plan', stdout).map((document) => asPlan(document).summary.create)).toEqual([1, 1, 1]);
  for (const { name } of tenants) {
    const recorded = readFileSync(join(folder, name), 'utf8');
    expect(recorded.match(/^run$/gm)).toHaveLength(1);
    expect(recorded).toContain('KEPT=what is no credential');
    for (const { owner } of tenants) expect(recorded).not.toContain(owner);
  }
});

/** An apply over so many targets with ledgers, behind a proxy; the requests of each go one by one. */
interface Applying {
  readonly project: GitProject;
  readonly env: NodeJS.ProcessEnv;
  readonly run: Run;
  readonly tenants: readonly Tenant[];
  readonly proxy: RequestProxy;
}

/** Starts it, and calls `meet` while the first write of `together` targets is on its way. */
async function applying(
  { count, together = count, env: more = {} }: { readonly count: number; readonly together?: number; readonly env?: NodeJS.ProcessEnv },
  act: (run: Run, proxy: RequestProxy) => Promise<void>,
): Promise<Applying> {
  const tenants = firstTenants(count);
  const proxy = await startProxy();
  cleanups.push(() => proxy.close());
  const project = await createGitProject(DESIRED, accountsOf(tenants, 0));
  const env = { ...project.env, ...writeTargets(project, tenants, 'ledger: git') };
  proxy.target = project.emulator.url;
  const text = project.read('upkeep.yaml').replace(/base_url: .*/g, `base_url: ${proxy.url}`);
  project.write('upkeep.yaml', text.replaceAll('http: {', 'http: { concurrency: 1,'));
  project.commit();
  const run = start(project, { ...env, ...more }, 'apply', '--yes', '-t', '*', '--format', 'json');
  let writes = 0;
  let acting: Promise<void> | null = null;
  let arrived = (): void => {};
  const all = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  proxy.watch = async (_nth, boundary, method) => {
    if (boundary !== 'before' || method !== 'POST' || writes === together) return;
    writes += 1;
    if (writes === together) arrived();
    acting ??= all.then(() => act(run, proxy));
    await acting;
  };
  return { project, env, run, tenants, proxy };
}

const ledgerOf = ({ name }: Tenant) => `refs/upkeep/${name}`;
const lockOf = ({ name }: Tenant) => `refs/upkeep/locks/${name}`;
const INTERRUPTED = 'note: interrupted: no new requests are started';

describe('an interrupt of a run over several targets', () => {
  test('lets eight running targets finish and record requests in flight; the others are reported as interrupted, exit 130', async () => {
    const { project, run, tenants } = await applying({ count: 10, together: 8 }, async (running) => {
      running.signal('SIGINT');
      await running.waitForStderr(INTERRUPTED, 8);
    });
    const { code, stdout, stderr } = await run.ended;
    expect(code).toBe(130);
    const documents = documentsOf('apply', stdout);
    expect(documents.slice(0, 8).map((document) => asOutcome(document).summary)).toMatchObject(
      tenants.slice(0, 8).map(() => ({ created: 1, skipped: 2 })),
    );
    expect(documents.slice(8).map((document) => asFailure(document))).toMatchObject(
      tenants.slice(8).map(({ name }) => ({ target: name, error: { exit: 130, code: 'interrupted' } })),
    );
    for (const { name } of tenants.slice(0, 8)) expect(stderr).toContain(`${name}: ${INTERRUPTED}`);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(Object.keys(project.refs())).toEqual(tenants.slice(0, 8).map(ledgerOf));
  });

  test('ends all targets at once when it comes a second time, although their requests hang', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { run, proxy } = await applying({ count: 2 }, async (running) => {
      running.signal('SIGINT');
      await running.waitForStderr(INTERRUPTED, 2);
      signalUntilItEnds(running, 'SIGTERM');
      await released;
    });
    expect((await run.ended).code).toBe(130);
    release();
    await proxy.idle();
  });
});

describe('an unhandled error in a run over several targets', () => {
  /** Node options that load this program text before upkeep. */
  const preloading = (text: string): NodeJS.ProcessEnv => {
    const file = join(temporaryFolder(), 'preload.mjs');
    writeFileSync(file, text);
    return { NODE_OPTIONS: `--import ${file}` };
  };

  test('fails the target that it occurred in, which records what it has written; the others are applied', async () => {
    const env = preloading(`
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { openSync } = fs;
fs.openSync = (path, ...rest) => {
  if (String(path).endsWith('tenant-002/journal.jsonl')) void Promise.reject(new TypeError('planted rejection'));
  if (String(path).endsWith('tenant-004/journal.jsonl')) setImmediate(() => { throw new RangeError('planted exception'); });
  return openSync(path, ...rest);
};
syncBuiltinESMExports();
`);
    const { project, run, tenants } = await applying({ count: 5, env }, async () => undefined);
    const { code, stdout, stderr } = await run.ended;
    expect(code).toBe(1);
    const [first, ...rest] = documentsOf('apply', stdout);
    const [rejected, second, third, thrown, fourth, fifth] = rest;
    expect([first, third, fifth].map((document) => asOutcome(document).verified)).toEqual([true, true, true]);
    expect(asFailure(rejected)).toMatchObject({
      target: 'tenant-002',
      error: { exit: 1, summary: 'unexpected: TypeError: planted rejection' },
    });
    expect(asFailure(thrown)).toMatchObject({
      target: 'tenant-004',
      error: { exit: 1, summary: 'unexpected: RangeError: planted exception' },
    });
    for (const document of [second, fourth]) expect(asOutcome(document).summary).toMatchObject({ created: 1, skipped: 2 });
    expect(stderr).toContain('planted rejection');
    expect(stderr).not.toMatch(/^ +at /m);
    expect(Object.keys(project.refs())).toEqual(tenants.map(ledgerOf));
  });

  test('fails the whole run where it belongs to no target; running targets finish and record requests in flight', async () => {
    const env = preloading(`process.on('SIGUSR2', () => void Promise.reject(new Error('of no target')));`);
    const { project, run, tenants } = await applying({ count: 2, env }, async (running) => {
      running.signal('SIGUSR2');
      await running.waitForStderr('of no target', 1);
    });
    const { code, stdout, stderr } = await run.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: unexpected: Error: of no target$/m);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(documentsOf('apply', stdout).map((document) => asOutcome(document).summary.created)).toEqual([1, 1]);
    expect(Object.keys(project.refs())).toEqual(tenants.map(ledgerOf));
  });
});

test('a SIGKILL during an apply over five targets leaves lock and journal of each, and the next run recovers each', async () => {
  let killed = false;
  const { project, env, run, tenants, proxy } = await applying({ count: 5 }, async (running) => {
    running.signal('SIGKILL');
    await running.ended;
    killed = true;
    throw new Error('nobody is there to wait for the answer');
  });
  expect((await run.ended).code).toBe('SIGKILL');
  await proxy.idle();
  proxy.watch = null;
  expect(killed).toBe(true);
  const journals = tenants.map(({ name }) => localFile(project.folder, 'journal.jsonl', name));
  expect(journals.map((file) => existsSync(file))).toEqual(tenants.map(() => true));
  expect(Object.keys(project.refs())).toEqual(tenants.map(lockOf));

  const refused = await start(project, env, 'apply', '--yes', '-t', '*', '--format', 'json').ended;
  expect(refused.code).toBe(9);
  for (const { name } of tenants) {
    const [, id = ''] = new RegExp(`unlock --target ${name} --id ([0-9a-f]+)`).exec(refused.stderr) ?? [];
    expect((await start(project, env, 'unlock', '-t', name, '--id', id).ended).code).toBe(0);
  }
  const next = await start(project, env, 'apply', '--yes', '-t', '*', '--format', 'json').ended;
  expect(next.code, next.stderr).toBe(0);
  expect(documentsOf('apply', next.stdout).map((document) => asOutcome(document).verified)).toEqual(tenants.map(() => true));
  for (const { name } of tenants) expect(next.stderr).toContain(`${name}: note: an apply in this folder was interrupted`);
  expect(journals.map((file) => existsSync(file))).toEqual(tenants.map(() => false));
  expect(Object.keys(project.refs())).toEqual(tenants.map(ledgerOf));
  const dump = project.emulator.dump();
  for (const { owner } of tenants) expect(dump).toMatchObject({ [owner]: { playlist: [{}, {}, {}] } });
});
