/** Signals to the built program, as a terminal sends them: to the whole process group, while requests are delayed. */

import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { asFailure, asOutcome, asPlan } from '../support/documents.ts';
import type { GitProject } from '../support/git-project.ts';
import { API_KEY, OWNER, temporaryFolder } from '../support/harness.ts';
import { signalUntilItEnds } from '../support/signals.ts';
import { duringFirstRequest, INTERRUPTED, interruptProject, LOCK, PROGRAM } from './interrupt-project.ts';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A run of the program, leader of a group of its own. */
interface Run {
  signal(signal: NodeJS.Signals): void;
  /** Resolves once this text is on stderr. */
  waitForStderr(words: string): Promise<void>;
  readonly ended: Promise<{ readonly code: number | NodeJS.Signals | null; readonly stdout: string; readonly stderr: string }>;
}

function start(project: GitProject, ...argv: readonly string[]): Run {
  const env = { ...project.env, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    cwd: project.folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the program did not start');
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<Awaited<Run['ended']>>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? signal, stdout, stderr }));
  });
  cleanups.push(() => void child.kill('SIGKILL'));
  return {
    signal: (signal) => void process.kill(-pid, signal),
    waitForStderr: (words) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (stderr.includes(words)) resolve();
        };
        child.stderr.on('data', check);
        check();
      }),
    ended,
  };
}

const interruptWith =
  (signal: NodeJS.Signals) =>
  async (run: Run): Promise<void> => {
    run.signal(signal);
    await run.waitForStderr(INTERRUPTED);
  };

describe('a signal', () => {
  test('that comes several times within a second is one', async () => {
    const { project, proxy } = await interruptProject();
    const run = duringFirstRequest(proxy, 'POST', start(project, 'apply', '--yes', '--format', 'json'), async (each) => {
      each.signal('SIGTERM');
      each.signal('SIGTERM');
      each.signal('SIGHUP');
      await each.waitForStderr(INTERRUPTED);
    });
    expect(await run.ended).toMatchObject({ code: 130 });
    expect(project.entries().map(({ summary }) => summary)).toMatchObject([{ created: 1, skipped: 3 }]);
    expect(project.refs()).not.toHaveProperty(LOCK);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    '%s lets requests in flight finish, starts nothing more, prints and records all, and exits 130',
    async (signal) => {
      const { project, proxy } = await interruptProject();
      const run = duringFirstRequest(proxy, 'POST', start(project, 'apply', '--yes', '--format', 'json'), interruptWith(signal));
      const { code, stdout, stderr } = await run.ended;
      expect(code).toBe(130);
      expect(asOutcome(JSON.parse(stdout))).toMatchObject({ summary: { created: 1, skipped: 3, failed: 0 }, verified: false });
      expect(stderr).not.toMatch(/^ +at /m);
      expect(project.writes()).toHaveLength(1);
      expect(project.entries().map(({ summary }) => summary)).toMatchObject([{ created: 1, skipped: 3 }]);
      expect(project.refs()).not.toHaveProperty(LOCK);
      expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { created: 3 }, verified: true } });
    },
  );

  test('that comes twice ends the program at once, although a request hangs, and the next run converges', async () => {
    const { project, proxy } = await interruptProject();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const run = duringFirstRequest(proxy, 'POST', start(project, 'apply', '--yes', '--format', 'json'), async (each) => {
      await interruptWith('SIGINT')(each);
      signalUntilItEnds(each, 'SIGTERM');
      await released;
    });
    const { code, stderr } = await run.ended;
    expect(code).toBe(130);
    release();
    await proxy.idle();
    const id = project.refs()[LOCK]?.slice(0, 12) ?? '';
    expect(stderr).toMatch(/note: in flight, and perhaps carried out: POST \/api\/v4\/linear-playlist \(playlist\/\w+\)/);
    expect(stderr).toContain(`note: the lock of live stays; release it with: upkeep unlock --target live --id ${id}\n`);
    expect((await project.run('unlock', '--id', id)).code).toBe(0);
    expect((await project.apply('--yes')).document.verified).toBe(true);
    expect(project.playlists()).toHaveLength(4);
  });

  test.each(['plan', 'drift'])('during %s prints one document and exits 130', async (command) => {
    const { project, proxy } = await interruptProject();
    const { code, stdout } = await duringFirstRequest(proxy, 'GET', start(project, command, '--format', 'json'), interruptWith('SIGINT'))
      .ended;
    expect(code).toBe(130);
    expect(asPlan(JSON.parse(stdout)).changes).toEqual([]);
    expect(project.writes()).toEqual([]);
  });

  test('while the program waits for the lock of another run exits 130 at once, and the other run keeps the lock', async () => {
    const { project, proxy } = await interruptProject();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      proxy.watch = (_nth, boundary, method) => {
        if (boundary !== 'before' || method !== 'POST') return;
        proxy.watch = null;
        resolve();
        return released;
      };
    });
    const first = start(project, 'apply', '--yes');
    await reached;
    const lock = project.refs()[LOCK];
    const second = start(project, 'apply', '--yes', '--lock-timeout', '3600', '--format', 'json');
    await second.waitForStderr('another run holds the lock of live');
    second.signal('SIGINT');
    const { code, stdout } = await second.ended;
    expect(code).toBe(130);
    expect(asFailure(JSON.parse(stdout)).error).toMatchObject({ exit: 130, code: 'interrupted' });
    expect(project.refs()[LOCK]).toBe(lock);
    release();
    expect((await first.ended).code).toBe(0);
  });
});

test('an interrupt during the push of the entry stops neither git nor the entry', async () => {
  const { project } = await interruptProject();
  const folder = temporaryFolder();
  const [arrived, go] = [join(folder, 'arrived'), join(folder, 'go')];
  execFileSync('mkfifo', [arrived, go]);
  project.hook(
    'pre-receive',
    `while read -r _old _new ref; do [ "$ref" = refs/upkeep/live ] && echo here >'${arrived}' && cat '${go}' >/dev/null; done; exit 0`,
  );
  const run = start(project, 'apply', '--yes', '--format', 'json');
  const pushing = new Promise<void>((resolve) => {
    const reader = spawn('cat', [arrived], { stdio: ['ignore', 'pipe', 'ignore'] });
    reader.stdout.once('data', () => resolve());
    cleanups.push(() => void reader.kill('SIGKILL'));
  });
  await pushing;
  run.signal('SIGINT');
  await run.waitForStderr(INTERRUPTED);
  writeFileSync(go, 'go\n');
  const { code, stdout } = await run.ended;
  expect(asOutcome(JSON.parse(stdout)).verified).toBe(true);
  expect(code).toBe(130);
  expect(project.entries()).toHaveLength(1);
  expect(project.refs()).not.toHaveProperty(LOCK);
});
