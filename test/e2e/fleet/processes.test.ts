/** The built program over several targets: what each process is given, what becomes of one that is killed, and signals to all of them. */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { asFailure, asOutcome, asPlan, documentsOf } from '../../documents.ts';
import { gitStage } from '../../git-stage.ts';
import { type Stage, stage, temporaryFolder } from '../../harness.ts';
import { type RequestProxy, startProxy } from '../../proxy.ts';
import { config, manyPlaylists } from '../accounts.ts';
import { accountsOf, firstTenants, moveIn } from './tenants.ts';

const PROGRAM = fileURLToPath(new URL('../../../dist/upkeep.js', import.meta.url));
const DESIRED = config({ playlists: manyPlaylists(3) });

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A run of the program, leader of a group of its own. */
interface Run {
  /** To the whole group, as a terminal sends it. */
  signal(signal: NodeJS.Signals): void;
  /** Ends the first process alone, without a word. */
  kill(): void;
  /** Resolves once it has said this so often on stderr. */
  said(words: string, times: number): Promise<void>;
  readonly ended: Promise<{ readonly code: number | NodeJS.Signals | null; readonly stdout: string; readonly stderr: string }>;
  /** Resolves when the last of its processes has ended. */
  readonly gone: Promise<void>;
}

/** A pipe for the standard input that the processes share, and its other end, which closes when the last of them has ended. */
function sharedInput(): { readonly fd: number; readonly gone: Promise<void> } {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, 'r+');
  const end = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) });
  end.resume();
  return { fd, gone: new Promise((resolve) => end.once('close', () => resolve())) };
}

function start(set: Stage, env: NodeJS.ProcessEnv, ...argv: readonly string[]): Run {
  const { fd, gone } = sharedInput();
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    cwd: set.folder,
    env: { PATH: process.env.PATH, ...env },
    detached: true,
    stdio: [fd, 'pipe', 'pipe'],
  });
  closeSync(fd);
  const { pid, stdout: out, stderr: err } = child;
  if (pid === undefined || !out || !err) throw new Error('the program did not start');
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
    gone,
    kill: () => void child.kill('SIGKILL'),
    signal: (signal) => void process.kill(-pid, signal),
    said: (words, times) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (stderr.split(words).length > times) resolve();
        };
        err.on('data', look);
        look();
      }),
  };
}

/** A credential command: says into a file what it, and the process that started it, can see. */
function witness(file: string, then: string): string {
  return `#!/bin/sh\n{ echo "$PPID"; tr '\\0' '\\n' </proc/$$/environ; tr '\\0' '\\n' <"/proc/$PPID/environ"; } >>'${file}'\n${then}\n`;
}

describe('each target is a process of its own', () => {
  test('that has its own variables and none of another’s, and runs its own credential command only', async () => {
    const tenants = firstTenants(3);
    const set = await stage(DESIRED, accountsOf(tenants, 2));
    const env = moveIn(set, tenants);
    const folder = temporaryFolder();
    // The key of each comes from a command; the owners stay in the environment, and the keys for whoever looks there.
    for (const { name, apiKey } of tenants) {
      writeFileSync(join(folder, `key-of-${name}`), witness(join(folder, name), `echo '${apiKey}'`), { mode: 0o755 });
    }
    const text = set
      .read('upkeep.yaml')
      .replace(/api_key: \{ env: KEY_TENANT_(\d+) \}/g, `api_key: { command: [${folder}/key-of-tenant-$1] }`);
    set.write('upkeep.yaml', text);
    const run = start(set, { ...env, KEPT: 'what is no credential' }, 'plan', '-t', '*', '--format', 'json');
    const { code, stdout, stderr } = await run.ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(documentsOf('plan', stdout).map((document) => asPlan(document).summary.create)).toEqual([1, 1, 1]);
    const seen = tenants.map(({ name }) => readFileSync(join(folder, name), 'utf8'));
    expect(new Set(seen.map((text) => text.split('\n')[0])).size).toBe(3);
    tenants.forEach((own, index) => {
      const text = seen[index] ?? '';
      expect(text.match(/^\d+$/gm), 'its command runs once').toHaveLength(1);
      expect(text).toContain('KEPT=what is no credential');
      expect(text).toContain(own.owner);
      for (const other of tenants) if (other !== own) expect(text).not.toContain(other.owner);
    });
  });

  test('that is missed when it is killed: in its place stands an error, and the others are done', async () => {
    const tenants = firstTenants(3);
    const set = await stage(DESIRED, accountsOf(tenants, 2));
    const env = moveIn(set, tenants);
    const killer = join(temporaryFolder(), 'killer');
    writeFileSync(killer, '#!/bin/sh\nkill -9 "$PPID"\n', { mode: 0o755 });
    set.write('upkeep.yaml', set.read('upkeep.yaml').replace('{ env: KEY_TENANT_002 }', `{ command: [${killer}] }`));
    const { code, stdout, stderr } = await start(set, env, 'apply', '--yes', '-t', '*', '--format', 'json').ended;
    const [first, second, third] = documentsOf('apply', stdout);
    expect(code).toBe(1);
    expect([asOutcome(first).verified, asOutcome(third).verified]).toEqual([true, true]);
    expect(asFailure(second)).toMatchObject({ target: 'tenant-002', error: { code: 'member-lost' } });
    expect(stderr).toContain('the process for tenant-002 was ended by SIGKILL before all was said');
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe('a signal to all processes', () => {
  /** Two targets with ledgers, behind a proxy; their requests go one by one. */
  async function applying(meet: (run: Run, proxy: RequestProxy) => Promise<void>) {
    const tenants = firstTenants(2);
    const proxy = await startProxy();
    cleanups.push(() => proxy.close());
    const set = await gitStage(DESIRED, accountsOf(tenants, 0));
    const env = moveIn(set, tenants, 'ledger: git');
    proxy.target = set.emulator.url;
    const text = set.read('upkeep.yaml').replace(/base_url: .*/g, `base_url: ${proxy.url}`);
    set.write('upkeep.yaml', text.replaceAll('http: {', 'http: { concurrency: 1,'));
    set.commit();
    const run = start(set, { ...set.env, ...env }, 'apply', '--yes', '-t', '*', '--format', 'json');
    let writes = 0;
    let met: Promise<void> | null = null;
    let arrived = (): void => {};
    const both = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    proxy.watch = async (_nth, boundary, method) => {
      if (boundary !== 'before' || method !== 'POST' || writes === 2) return;
      writes += 1;
      if (writes === 2) arrived();
      met ??= both.then(() => meet(run, proxy));
      await met;
    };
    return { set, run, tenants, proxy };
  }

  const INTERRUPTED = 'note: interrupted: nothing more is begun';

  test('once: what is in flight finishes everywhere, all is said and recorded, exit 130', async () => {
    const { set, run, tenants } = await applying(async (running) => {
      running.signal('SIGINT');
      await running.said(INTERRUPTED, 2);
    });
    const { code, stdout, stderr } = await run.ended;
    expect(code).toBe(130);
    const outcomes = documentsOf('apply', stdout).map(asOutcome);
    expect(outcomes.map(({ summary }) => [summary.created, summary.skipped])).toEqual([
      [1, 2],
      [1, 2],
    ]);
    for (const { name } of tenants) expect(stderr).toContain(`${name}: ${INTERRUPTED}`);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(Object.keys(set.refs())).toEqual(tenants.map(({ name }) => `refs/upkeep/${name}`));
    await run.gone;
  });

  test('twice: every process ends at once, although their requests hang', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { run, proxy } = await applying(async (running) => {
      running.signal('SIGINT');
      await running.said(INTERRUPTED, 2);
      running.signal('SIGTERM');
      await held;
    });
    expect((await run.ended).code).toBe(130);
    await run.gone;
    letGo();
    await proxy.idle();
  });

  test('the first process killed: the others finish what is in flight, record it, and end', async () => {
    const { set, run, tenants } = await applying(async (running) => {
      running.kill();
      await running.ended;
    });
    expect((await run.ended).code).toBe('SIGKILL');
    await run.gone;
    expect(Object.keys(set.refs())).toEqual(tenants.map(({ name }) => `refs/upkeep/${name}`));
    expect(set.writes()).toHaveLength(2);
  });
});
