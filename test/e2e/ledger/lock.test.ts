/** One apply at a time: the first one writes, the others name the holder of the lock (design section 6). */
import { expect, onTestFinished, test } from 'vitest';
import { asOutcome } from '../../support/documents.ts';
import { type Clone, type GitStage, gitStage } from '../../support/git-project.ts';
import type { RunResult } from '../../support/harness.ts';
import { startProxy } from '../../support/proxy.ts';
import { config, declare, manyPlaylists } from '../accounts.ts';

const RACES = process.env.UPKEEP_PROVE ? 50 : 5;
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
  timeout: RACES * 10_000,
}, async () => {
  const set = await gitStage(config({ playlists: manyPlaylists(1) }));
  const other = set.clone();
  for (let race = 1; race <= RACES; race++) {
    declare(set, { playlists: manyPlaylists(race) });
    set.commit();
    other.pull();
    let otherHasEnded: () => void = () => undefined;
    const out = new Promise<void>((resolve) => {
      otherHasEnded = resolve;
    });
    // The run with the lock asks, and gets its answer only after the other one has ended.
    const runs = [applyWithAnswer(set, out, 'ada'), applyWithAnswer(other, out, 'bob')].map((run) => run.finally(otherHasEnded));
    const ran = await Promise.all(runs);
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 9]);
    const winner = ran[0]?.code === 0 ? 'ada' : 'bob';
    const loser = ran.find(({ code }) => code === 9);
    expect(loser?.stderr).toMatch(new RegExp(`live is locked by ${winner} since \\d{4}-[^ ]+Z, from [^ ]+ \\(lock [0-9a-f]{12}\\)`));
    expect(loser?.stderr).toMatch(/upkeep unlock -t live --id [0-9a-f]{12}\n/);
    expect(set.writes()).toEqual(['POST /api/v4/linear-playlist']);
    expect([set.playlists().length, set.entries().length, set.entries().at(-1)?.by]).toEqual([race, race, winner]);
    expect(set.refs()).not.toHaveProperty(LOCK);
  }
});

/** Sets up a project in which a run holds the lock until `end` is called. */
async function lockedStage() {
  const set = await gitStage(config({ playlists: manyPlaylists(1) }));
  let end: () => void = () => undefined;
  const answerReady = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holder = applyWithAnswer(set, answerReady, 'ada');
  while (set.refs()[LOCK] === undefined) await new Promise((resolve) => setImmediate(resolve));
  return { set, other: set.clone(), holder, end };
}

/** The ID that a refusal names. */
function lockIn({ stderr }: RunResult): string {
  return /--id ([0-9a-f]{12})/.exec(stderr)?.[1] ?? '';
}

/** Whether a commit is in a clone. */
function knows(clone: Clone, commit: string): boolean {
  try {
    clone.git('cat-file', '-e', commit);
    return true;
  } catch {
    return false;
  }
}

/** A lock whose holder is gone for good, as a killed process leaves it. */
async function leaveLock(set: GitStage): Promise<void> {
  const tree = set.git('write-tree');
  const text = set.git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit-tree', '-m', 'a lock', tree);
  set.git('push', '-q', 'origin', `${text}:${LOCK}`);
}

test('a lock is not stolen; unlock with a wrong ID releases nothing, with the right one it releases the lock', async () => {
  const set = await gitStage(config({ playlists: manyPlaylists(1) }));
  await leaveLock(set);
  const refused = await set.run('apply', '--yes');
  expect(refused.code).toBe(9);
  const id = lockIn(refused);
  expect(set.refs()[LOCK]?.startsWith(id)).toBe(true);

  for (const wrong of ['000000000000', id.slice(0, 7), '']) {
    const kept = await set.run('unlock', '--id', wrong);
    expect([kept.code, lockIn(kept)], wrong).toEqual([9, id]);
  }
  expect((await set.refused('apply', '--yes')).document.error).toMatchObject({
    exit: 9,
    code: 'locked',
    hint: expect.stringContaining(id),
  });
  expect(set.writes()).toEqual([]);

  expect(await set.run('unlock', '--id', id)).toMatchObject({ code: 0, stderr: expect.stringContaining('released the lock of live') });
  expect((await set.run('apply', '--yes')).code).toBe(0);
  expect(await set.run('unlock', '--id', id)).toMatchObject({ code: 0, stderr: expect.stringContaining('nobody holds a lock') });
});

test('plan, drift and history need no lock', async () => {
  const { set, other, holder, end } = await lockedStage();
  const ran = await Promise.all(['plan', 'drift', 'history'].map((command) => other.run(command)));
  expect(ran.map(({ code }) => code)).toEqual([0, 3, 0]);
  end();
  expect((await holder).code).toBe(0);
  expect(set.entries()).toHaveLength(1);
});

test('--lock-timeout waits for the lock, and then sees what the other run has done', async () => {
  const { set, other, holder, end } = await lockedStage();
  const waiting = other.run('apply', '--yes', '--lock-timeout', '60');
  end();
  expect((await holder).code).toBe(0);
  expect(await waiting).toMatchObject({ code: 0, stdout: expect.stringContaining('Apply: nothing to do.') });
  expect([set.writes().length, set.entries().length]).toEqual([1, 1]);
});

test('a run that is interrupted while it waits for the lock or for an answer leaves nothing behind', async () => {
  const { set, other, holder, end } = await lockedStage();
  const stop = new AbortController();
  const waiting = other.runWith({ signal: stop.signal }, 'apply', '--yes', '--lock-timeout', '60');
  // The run has checked the lock once its commit is there.
  while (!knows(other, set.refs()[LOCK] ?? '')) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect(await waiting).toMatchObject({ code: 130, stderr: expect.stringContaining('interrupted') });
  end();
  expect((await holder).code).toBe(0);

  declare(set, { playlists: manyPlaylists(2) });
  set.commit();
  const second = new AbortController();
  async function* interruptingStdin() {
    second.abort();
    yield '';
  }
  expect((await set.runWith({ terminal: true, stdin: interruptingStdin(), signal: second.signal }, 'apply')).code).toBe(130);
  expect([set.refs()[LOCK], set.entries().length]).toEqual([undefined, 1]);
});

test('an apply whose lock is taken away while it asks starts nothing, exits 9, and saves no record', async () => {
  const set = await gitStage(config({ playlists: manyPlaylists(1) }));
  async function* yes() {
    set.git('push', '-q', 'origin', `:${LOCK}`);
    yield 'yes\n';
  }
  const ran = await set.runWith({ terminal: true, stdin: yes() }, 'apply');
  expect([ran.code, set.writes(), set.entries(), set.refs()]).toEqual([9, [], [], {}]);
  expect(ran.stdout).toContain('the lock was lost');
  expect((await set.run('apply', '--yes')).code).toBe(0);
  expect(set.entries()).toHaveLength(1);
});

/** A stage with a change in each of two waves, whose requests a test sees. */
async function observedStage() {
  const set = await gitStage(config({ playlists: manyPlaylists(1), drm_policies: { premium: {} } }));
  const proxy = await startProxy();
  onTestFinished(() => proxy.close());
  proxy.target = set.emulator.url;
  set.write('upkeep.yaml', set.read('upkeep.yaml').replace(/base_url: .*/, `base_url: ${proxy.url}`));
  set.commit();
  return { set, proxy };
}

test('an apply whose lock is taken away between two waves starts nothing more, and the next run records what was done', async () => {
  const { set, proxy } = await observedStage();
  proxy.watch = (_nth, boundary, method) => {
    if (method === 'POST' && boundary === 'after') set.git('push', '-q', 'origin', `:${LOCK}`);
  };
  const { code, document, stderr } = await set.apply('--yes');
  expect(code).toBe(9);
  expect(stderr).toContain('error: the lock of live was lost');
  expect(document.outcomes).toMatchObject([
    { address: 'drm-policy/premium', result: 'created' },
    { address: 'playlist/p1', result: 'skipped', because: expect.stringContaining('the lock was lost') },
  ]);
  expect([set.playlists(), set.entries()]).toEqual([[], []]);
  proxy.watch = null;

  expect(await set.apply('--yes')).toMatchObject({ code: 0, document: { summary: { created: 1, adopted: 0 } } });
  expect(set.entries().map(({ summary }) => summary.created)).toEqual([1, 1]);
  expect(set.entries()[1]?.bindings).toMatchObject({ 'drm-policy/premium': { origin: 'created' }, 'playlist/p1': { origin: 'created' } });
});

test('an apply that is interrupted while it writes finishes requests in flight, records them, and releases the lock', async () => {
  const { set, proxy } = await observedStage();
  const stop = new AbortController();
  proxy.watch = (_nth, boundary, method) => {
    if (method === 'POST' && boundary === 'after') stop.abort();
  };
  const { code, stdout } = await set.runWith({ signal: stop.signal }, 'apply', '--yes', '--format', 'json');
  expect([code, asOutcome(JSON.parse(stdout)).outcomes]).toMatchObject([130, [{ result: 'created' }, { result: 'skipped' }]]);
  expect(Object.keys(set.refs())).toEqual(['refs/upkeep/live']);
  expect(Object.keys(set.entries()[0]?.bindings ?? {})).toEqual(['drm-policy/premium']);
  proxy.watch = null;
  expect(await set.apply('--yes')).toMatchObject({ code: 0, document: { summary: { created: 1 } } });
});
