/** One apply at a time: the first one writes, the others name the holder of the lock (design section 6). */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asOutcome } from '../../support/documents.ts';
import { rounds } from '../../support/figures.ts';
import { type Clone, createGitProject, type GitProject } from '../../support/git-project.ts';
import type { RunResult } from '../../support/harness.ts';
import { atMost } from '../../support/patience.ts';
import { startProxy } from '../../support/proxy.ts';
import { config, declare, manyPlaylists } from '../accounts.ts';

const RACES = rounds(3, 50);
const LOCK = 'refs/upkeep/locks/live';

/** Runs an apply whose question is answered once `ready` resolves. */
function applyWithAnswer(clone: Clone, ready: Promise<unknown>, by: string, ...flags: readonly string[]): Promise<RunResult> {
  async function* yes() {
    await ready;
    yield 'yes\n';
  }
  return clone.runWith({ terminal: true, stdin: yes(), env: { UPKEEP_ACTOR: by } }, 'apply', ...flags);
}

test(`of two applies started together one writes, and the other exits 9 and names it (${RACES} times)`, {
  timeout: atMost(RACES * 20_000),
}, async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
  const other = project.clone();
  for (let race = 1; race <= RACES; race++) {
    declare(project, { playlists: manyPlaylists(race) });
    project.commit();
    other.pull();
    let otherHasEnded: () => void = () => undefined;
    const out = new Promise<void>((resolve) => {
      otherHasEnded = resolve;
    });
    // The run with the lock asks, and gets its answer only after the other one has ended.
    const runs = [applyWithAnswer(project, out, 'ada'), applyWithAnswer(other, out, 'bob')].map((run) => run.finally(otherHasEnded));
    const ran = await Promise.all(runs);
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 9]);
    const winner = ran[0]?.code === 0 ? 'ada' : 'bob';
    const loser = ran.find(({ code }) => code === 9);
    expect(loser?.stderr).toMatch(new RegExp(`live is locked by ${winner} since \\d{4}-[^ ]+Z, from [^ ]+ \\(lock [0-9a-f]{12}\\)`));
    expect(loser?.stderr).toMatch(/upkeep unlock --target live --id [0-9a-f]{12}\n/);
    expect(project.writes()).toEqual(['POST /api/v4/linear-playlist']);
    expect([project.playlists().length, project.entries().length, project.entries().at(-1)?.by]).toEqual([race, race, winner]);
    expect(project.refs()).not.toHaveProperty(LOCK);
  }
});

/** Sets up a project in which a run holds the lock until `end` is called. */
async function lockedProject() {
  const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
  let end: () => void = () => undefined;
  const answerReady = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holder = applyWithAnswer(project, answerReady, 'ada');
  while (project.refs()[LOCK] === undefined) await new Promise((resolve) => setImmediate(resolve));
  return { project, other: project.clone(), holder, end };
}

/** The ID that a refusal names. */
function lockIn({ stderr }: RunResult): string {
  return /--id ([0-9a-f]{12})/.exec(stderr)?.[1] ?? '';
}

/** Whether a commit was fetched into a clone, or into its copy of the ledger's repository. */
function knows(clone: Clone, commit: string): boolean {
  const records = join(clone.folder, '.git/upkeep');
  const all = existsSync(records) ? readdirSync(records, { recursive: true, encoding: 'utf8' }) : [];
  const copies = all.filter((path) => /\/ledger-[0-9a-f]+$/.test(path)).map((path) => ['--git-dir', join(records, path)]);
  return [[], ...copies].some((place) => {
    try {
      clone.git(...place, 'cat-file', '-e', commit);
      return true;
    } catch {
      return false;
    }
  });
}

/** A lock whose holder is gone for good, as a killed process leaves it. */
async function leaveLock(project: GitProject): Promise<void> {
  const tree = project.git('write-tree');
  const text = project.git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit-tree', '-m', 'a lock', tree);
  project.git('push', '-q', project.ledger, `${text}:${LOCK}`);
}

test('a lock is not stolen; unlock with a wrong ID releases nothing, with the right one it releases the lock', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
  await leaveLock(project);
  const refused = await project.run('apply', '--yes');
  expect(refused.code).toBe(9);
  const id = lockIn(refused);
  expect(project.refs()[LOCK]?.startsWith(id)).toBe(true);

  for (const wrong of ['000000000000', id.slice(0, 7), '']) {
    const kept = await project.run('unlock', '--id', wrong);
    expect([kept.code, lockIn(kept)], wrong).toEqual([9, id]);
  }
  expect((await project.refused('apply', '--yes')).document.error).toMatchObject({
    exit: 9,
    code: 'locked',
    hint: expect.stringContaining(id),
  });
  expect(project.writes()).toEqual([]);

  expect(await project.run('unlock', '--id', id)).toMatchObject({ code: 0, stderr: expect.stringContaining('released the lock of live') });
  expect((await project.run('apply', '--yes')).code).toBe(0);
  expect(await project.run('unlock', '--id', id)).toMatchObject({ code: 0, stderr: expect.stringContaining('nobody holds a lock') });
});

test('plan, drift and history need no lock', async () => {
  const { project, other, holder, end } = await lockedProject();
  const ran = await Promise.all(['plan', 'drift', 'history'].map((command) => other.run(command)));
  expect(ran.map(({ code }) => code)).toEqual([0, 3, 0]);
  end();
  expect((await holder).code).toBe(0);
  expect(project.entries()).toHaveLength(1);
});

test('--lock-timeout waits for the lock, and then sees what the other run has done', async () => {
  const { project, other, holder, end } = await lockedProject();
  const waiting = other.run('apply', '--yes', '--lock-timeout', '60');
  end();
  expect((await holder).code).toBe(0);
  expect(await waiting).toMatchObject({ code: 0, stdout: expect.stringContaining('Apply: nothing to do.') });
  expect([project.writes().length, project.entries().length]).toEqual([1, 1]);
});

test('a run that is interrupted while it waits for the lock or for an answer leaves nothing behind', async () => {
  const { project, other, holder, end } = await lockedProject();
  const stop = new AbortController();
  const waiting = other.runWith({ signal: stop.signal }, 'apply', '--yes', '--lock-timeout', '60');
  // The run has checked the lock once its commit is there.
  while (!knows(other, project.refs()[LOCK] ?? '')) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect(await waiting).toMatchObject({ code: 130, stderr: expect.stringContaining('interrupted') });
  end();
  expect((await holder).code).toBe(0);

  declare(project, { playlists: manyPlaylists(2) });
  project.commit();
  const second = new AbortController();
  async function* interruptingStdin() {
    second.abort();
    yield '';
  }
  expect((await project.runWith({ terminal: true, stdin: interruptingStdin(), signal: second.signal }, 'apply')).code).toBe(130);
  expect([project.refs()[LOCK], project.entries().length]).toEqual([undefined, 1]);
});

test('an apply whose lock is taken away while it asks starts nothing, exits 9, and saves no record', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
  async function* yes() {
    project.git('push', '-q', project.ledger, `:${LOCK}`);
    yield 'yes\n';
  }
  const ran = await project.runWith({ terminal: true, stdin: yes() }, 'apply');
  expect([ran.code, project.writes(), project.entries(), project.refs()]).toEqual([9, [], [], {}]);
  expect(ran.stdout).toContain('the lock was lost');
  expect((await project.run('apply', '--yes')).code).toBe(0);
  expect(project.entries()).toHaveLength(1);
});

/** Creates a project with a change in each of two waves, and a proxy that sees its requests. */
async function observedProject() {
  const project = await createGitProject(config({ playlists: manyPlaylists(1), drm_policies: { premium: {} } }));
  const proxy = await startProxy();
  onTestFinished(() => proxy.close());
  proxy.target = project.emulator.url;
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/base_url: .*/, `base_url: ${proxy.url}`));
  project.commit();
  return { project, proxy };
}

test('an apply whose lock is taken away between two waves starts nothing more, and the next run records what was done', async () => {
  const { project, proxy } = await observedProject();
  proxy.watch = (_nth, boundary, method) => {
    if (method === 'POST' && boundary === 'after') project.git('push', '-q', project.ledger, `:${LOCK}`);
  };
  const { code, document, stderr } = await project.apply('--yes');
  expect(code).toBe(9);
  expect(stderr).toContain('error: the lock of live was lost');
  expect(document.outcomes).toMatchObject([
    { address: 'drm-policy/premium', result: 'created' },
    { address: 'playlist/p1', result: 'skipped', because: expect.stringContaining('the lock was lost') },
  ]);
  expect([project.playlists(), project.entries()]).toEqual([[], []]);
  proxy.watch = null;

  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { created: 1, adopted: 0 } } });
  expect(project.entries().map(({ summary }) => summary.created)).toEqual([1, 1]);
  expect(project.entries()[1]?.bindings).toMatchObject({
    'drm-policy/premium': { origin: 'created' },
    'playlist/p1': { origin: 'created' },
  });
});

test('an apply that stood still while a person unlocked it writes nothing more of the same wave', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(6) }), {
    target: 'http: { requests_per_second: 0, concurrency: 1, give_up_seconds: 0 }',
  });
  const proxy = await startProxy();
  onTestFinished(() => proxy.close());
  proxy.target = project.emulator.url;
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/base_url: .*/, `base_url: ${proxy.url}`));
  project.commit();
  let elapsed = 0;
  proxy.watch = (_nth, boundary, method) => {
    if (method !== 'POST' || boundary !== 'after') return;
    project.git('push', '-q', project.ledger, `:${LOCK}`);
    elapsed = 60_000;
  };
  const { code, stderr } = await project.runWith({ elapsed: () => elapsed }, 'apply', '--yes');
  expect(code).toBe(9);
  expect(stderr).toContain('error: the lock of live was lost');
  expect(project.playlists()).toHaveLength(1);
});

test('an apply that is interrupted while it writes finishes requests in flight, records them, and releases the lock', async () => {
  const { project, proxy } = await observedProject();
  const stop = new AbortController();
  proxy.watch = (_nth, boundary, method) => {
    if (method === 'POST' && boundary === 'after') stop.abort();
  };
  const { code, stdout } = await project.runWith({ signal: stop.signal }, 'apply', '--yes', '--format', 'json');
  expect([code, asOutcome(JSON.parse(stdout)).outcomes]).toMatchObject([130, [{ result: 'created' }, { result: 'skipped' }]]);
  expect(Object.keys(project.refs())).toEqual(['refs/upkeep/live']);
  expect(Object.keys(project.entries()[0]?.bindings ?? {})).toEqual(['drm-policy/premium']);
  proxy.watch = null;
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { created: 1 } } });
});
