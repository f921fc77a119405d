import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import lockSchema from '../../../schemas/lock.schema.json' with { type: 'json' };
import { GitError, LockHeldError, type LockHolder } from '../../../src/core/ledger/errors.ts';
import { readLock, unlock } from '../../../src/core/ledger/lock.ts';
import type { LedgerRemote } from '../../../src/core/ledger/remote.ts';
import type { Repository } from '../../../src/core/ledger/repository.ts';
import { clock, clone, commit, entry, git, hook, ledgerOf, lock, newClone, newRemote, originOf } from './repositories.ts';

const REF = 'refs/upkeep/locks/production';

async function heldBy(attempt: Promise<unknown>): Promise<LockHeldError> {
  const error = await attempt.then(
    () => new Error('nobody held it'),
    (reason: unknown) => reason,
  );
  if (error instanceof LockHeldError) return error;
  throw error;
}

const CONFIGURATION = { commit: 'a'.repeat(40), digest: `sha256:${'0'.repeat(64)}`, snapshot: null };

describe('acquire', () => {
  test('creates the ref with the holder, and does not change the clone', async () => {
    const { at, folder, url } = await newClone();
    const before = [git(folder, 'for-each-ref'), git(folder, 'status', '--porcelain'), git(folder, 'symbolic-ref', 'HEAD')];
    const taken = await lock(at);
    expect(git(url, 'rev-parse', REF).startsWith(taken.id)).toBe(true);
    expect(taken.id).toMatch(/^[0-9a-f]{12}$/);
    expect(await taken.held()).toBe(true);
    expect(await readLock(at, 'production')).toMatchObject({
      id: taken.id,
      by: 'ada',
      since: '2026-03-01T10:00:00.000Z',
      where: 'ada-machine',
      project: 'content',
    });
    expect([git(folder, 'for-each-ref'), git(folder, 'status', '--porcelain'), git(folder, 'symbolic-ref', 'HEAD')]).toEqual(before);
    await taken.release();
    expect(await readLock(at, 'production')).toBeNull();
    expect(await taken.held()).toBe(false);
  });

  test('says in the commit of the lock who holds which target, and since when', async () => {
    const { at, url } = await newClone();
    await lock(at, 'ada\nand bob');
    expect(git(url, 'log', '-1', '--format=%s|%b|%aI|%cI', REF)).toBe(
      'Lock of production, held by ada and bob||2026-03-01T10:00:00+00:00|2026-03-01T10:00:00+00:00',
    );
  });

  test('writes a lock file that the published schema accepts', async () => {
    const { at, url } = await newClone();
    const isLock = new Ajv({ strict: true }).compile(lockSchema);
    for (const configuration of [null, CONFIGURATION]) {
      const taken = await lock(at, 'ada', { configuration });
      expect(isLock(JSON.parse(git(url, 'show', `${REF}:lock.json`)))).toBe(true);
      await taken.release();
    }
  });

  test('creates different commits for two locks in the same second by the same person', async () => {
    const { at } = await newClone();
    const first = await lock(at);
    await first.release();
    const second = await lock(at);
    expect(second.id).not.toBe(first.id);
    expect(await first.held()).toBe(false);
  });

  test('locks each target separately', async () => {
    const { at } = await newClone();
    await lock(at);
    await lock(at, 'bob', { target: 'staging' });
    expect((await readLock(at, 'staging'))?.by).toBe('bob');
  });

  test('tells a second run who holds the lock, since when, where, and how to unlock', async () => {
    const { at, url } = await newClone();
    const { id } = await lock(at);
    const error = await heldBy(lock(await originOf(clone(url)), 'bob'));
    expect(error.message).toBe(`production is locked by ada since 2026-03-01T10:00:00.000Z, from ada-machine (lock ${id})`);
    expect(error.hint).toContain(`upkeep unlock --target production --id ${id}`);
  });

  test('has one winner in each of ten races of two, and the loser names the winner', async () => {
    const { url } = newRemote();
    const racers = await Promise.all(['ada', 'bob'].map(async (by) => ({ by, at: await originOf(clone(url)) })));
    for (let race = 0; race < 10; race++) {
      const results = await Promise.allSettled(racers.map(({ by, at }) => lock(at, by)));
      const winner = results.findIndex(({ status }) => status === 'fulfilled');
      const [won, lost] = [results[winner], results[1 - winner]];
      if (won?.status !== 'fulfilled' || lost?.status !== 'rejected') throw new Error(JSON.stringify(results));
      expect(lost.reason).toBeInstanceOf(LockHeldError);
      expect(lost.reason).toMatchObject({ holder: { by: racers[winner]?.by, id: won.value.id } });
      await won.value.release();
    }
  });
});

describe('acquire, with a timeout,', () => {
  test('polls with increasing delays, and acquires the lock when it is free', async () => {
    const { at } = await newClone();
    const first = await lock(at);
    const { now, elapsed, sleep, slept } = clock();
    const second = await lock(at, 'bob', {
      now,
      elapsed,
      timeoutSeconds: 600,
      sleep: async (milliseconds) => {
        await sleep(milliseconds);
        if (slept.length === 6) await first.release();
      },
    });
    expect(slept).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(await second.held()).toBe(true);
  });

  test('fails at the timeout, not later', async () => {
    const { at } = await newClone();
    await lock(at);
    const { now, elapsed, sleep, slept } = clock();
    const error = await heldBy(lock(at, 'bob', { now, elapsed, sleep, timeoutSeconds: 5 }));
    expect(error.holder.by).toBe('ada');
    expect(slept).toEqual([1_000, 2_000, 2_000]);
  });

  test('stops when the run is interrupted, without a lock', async () => {
    const { at } = await newClone();
    const first = await lock(at);
    const stop = new AbortController();
    const sleep = async (): Promise<void> => stop.abort(new Error('stopped'));
    await expect(lock(at, 'bob', { sleep, signal: stop.signal, timeoutSeconds: 60 })).rejects.toThrow('stopped');
    await first.release();
    await expect(lock(at, 'bob', { signal: stop.signal })).rejects.toThrow('stopped');
    expect(await readLock(at, 'production')).toBeNull();
  });

  test('releases the lock where the run is interrupted during the push', async () => {
    const { at } = await newClone();
    const stop = new AbortController();
    const repository = {
      ...at.repository,
      run: async (...call: Parameters<typeof at.repository.run>) => {
        const output = await at.repository.run(...call);
        if (call[0].includes('push')) stop.abort(new Error('stopped'));
        return output;
      },
    };
    await expect(lock({ ...at, repository }, 'bob', { signal: stop.signal })).rejects.toThrow('stopped');
    expect(await readLock(at, 'production')).toBeNull();
  });
});

describe('a lock whose push lost its response', () => {
  test('is held where the ref was created all the same', async () => {
    const { at } = await newClone();
    const taken = await lock({ ...at, repository: forgetful(at.repository) });
    expect(await taken.held()).toBe(true);
  });

  test('is released where the ref was deleted all the same', async () => {
    const { at } = await newClone();
    const taken = await lock(at);
    await unlock({ ...at, repository: forgetful(at.repository) }, 'production', taken.id);
    expect(await readLock(at, 'production')).toBeNull();
  });
});

describe('acquire, where the lock was released before it was read,', () => {
  /** The remote whose pushes fail with the error for each attempt, until there is none. */
  function failingPushes(at: LedgerRemote, errorOf: (attempt: number) => Error | null) {
    let attempts = 0;
    const run: Repository['run'] = async (args, call) => {
      if (!args.includes('push')) return await at.repository.run(args, call);
      attempts++;
      const error = errorOf(attempts);
      if (error) throw error;
      return await at.repository.run(args, call);
    };
    return { remote: { ...at, repository: { ...at.repository, run } }, attempts: () => attempts };
  }

  test.each(['stale info', 'cannot lock ref', 'reference already exists', 'failed to update ref', 'incorrect old value provided'])(
    'tries five times: %s',
    async (message) => {
      const { at } = await newClone();
      const lostRace = new GitError('failed', message, '');
      const late = failingPushes(at, (attempt) => (attempt < 5 ? lostRace : null));
      expect(await (await lock(late.remote)).held()).toBe(true);
      const never = failingPushes(at, () => lostRace);
      await expect(lock(never.remote, 'bob', { target: 'staging' })).rejects.toBe(lostRace);
      expect(never.attempts()).toBe(5);
    },
  );

  test.each([new GitError('unreachable', 'no route to host', ''), new TypeError('a fault of the program'), new Error('stale info')])(
    'tries once after any other error: %s',
    async (error) => {
      const { at } = await newClone();
      const { remote, attempts } = failingPushes(at, () => error);
      await expect(lock(remote)).rejects.toBe(error);
      expect(attempts()).toBe(1);
    },
  );
});

describe('unlock', () => {
  test('rejects a wrong ID and names the real holder', async () => {
    const { at, url } = await newClone();
    const { id, held } = await lock(at);
    // More characters of the commit would be right, too.
    const longer = git(url, 'rev-parse', REF).startsWith(`${id}0`) ? `${id}1` : `${id}0`;
    for (const wrong of ['0123456789ab', id.slice(0, 7), '', '-', longer, 'production']) {
      expect((await heldBy(unlock(at, 'production', wrong))).message).toContain(`locked by ada`);
    }
    expect(await held()).toBe(true);
  });

  test('deletes the lock with the first eight characters of its ID; its old holder detects that, and does not delete the lock of the next run', async () => {
    const { at } = await newClone();
    const first = await lock(at);
    expect(await unlock(at, 'production', first.id.slice(0, 8))).toMatchObject({ by: 'ada' });
    const second = await lock(at, 'bob');
    expect(await first.held()).toBe(false);
    await first.release();
    expect(await second.held()).toBe(true);
    await expect(first.pushEntry(entry(), null)).rejects.toMatchObject({ code: 'refused' });
    expect(await ledgerOf(at).latest()).toBeNull();
  });

  test('gives what the run applies to `record`, and pushes its entry with the release', async () => {
    const { at } = await newClone();
    const { id } = await lock(at, 'ada', { configuration: CONFIGURATION });
    const killed = { ...entry(), fingerprint: null, interrupted: [CONFIGURATION.commit] };
    const seen: unknown[] = [];
    const record = async ({ configuration }: LockHolder) => {
      seen.push(configuration);
      return { entry: killed, previous: null };
    };
    await unlock(at, 'production', id, { record });
    expect(seen).toEqual([CONFIGURATION]);
    expect(await readLock(at, 'production')).toBeNull();
    expect(await ledgerOf(at).latest()).toMatchObject({
      previous: null,
      entry: { fingerprint: null, interrupted: [CONFIGURATION.commit] },
    });
  });

  test('keeps the lock where the entry cannot be recorded, because another one came first', async () => {
    const { at } = await newClone();
    const { id, held } = await lock(at, 'ada', { configuration: CONFIGURATION });
    const record = async () => ({ entry: entry(), previous: 'b'.repeat(40) });
    await expect(unlock(at, 'production', id, { record })).rejects.toMatchObject({ name: 'GitError' });
    expect(await held()).toBe(true);
  });

  test('knows no configuration where the lock names none that can be one', async () => {
    const { at, folder } = await newClone();
    const { commit: hash, digest } = CONFIGURATION;
    const hostile = [
      'x',
      { commit: 'HEAD', digest, snapshot: null },
      { commit: `${hash}\n`, digest, snapshot: null },
      { commit: hash, digest: 'sha256:', snapshot: null },
      { commit: hash, digest, snapshot: '--upload-pack=x' },
    ];
    for (const configuration of hostile) {
      const made = commit(folder, { 'lock.json': JSON.stringify({ by: 'ada', configuration }) });
      git(folder, 'push', '-q', '-f', 'origin', `${made}:${REF}`);
      expect(await readLock(at, 'production')).toMatchObject({ by: 'ada', configuration: null });
    }
  });

  test('returns null without a lock', async () => {
    const { at } = await newClone();
    expect(await unlock(at, 'production', '0123456789ab')).toBeNull();
  });

  test('deletes a lock ref with unreadable contents, which still counts as a lock', async () => {
    const { at, folder, url } = await newClone();
    const strange = [
      { 'lock.json': '[1]' },
      { 'lock.json': 'not json \u001b[2J' },
      { 'lock.json': JSON.stringify({ by: 7, since: 'x\u0007\ny', where: 'https://ada:pw@example.com/run' }) },
      { other: '' },
      { 'lock.json': ' '.repeat(70_000) },
    ];
    for (const files of strange) {
      const made = commit(folder, files);
      git(folder, 'push', '-q', '-f', 'origin', `${made}:${REF}`);
      const { message, holder } = await heldBy(lock(at, 'bob'));
      expect(message).toMatch(/^production is locked by unknown since (unknown|x y), from (unknown|https:\/\/\*\*\*@example.com\/run) /);
      await unlock(at, 'production', holder.id);
      git(folder, 'rm', '-q', '-r', '--ignore-unmatch', 'lock.json', 'other');
    }
    expect(git(url, 'for-each-ref', 'refs/upkeep')).toBe('');
  });

  test('deletes a lock ref that points to a file, a folder or a tag', async () => {
    const { at, folder, url } = await newClone();
    const made = commit(folder, { other: 'text' });
    git(folder, 'tag', '-a', '-m', 'a tag', 'marked', made);
    for (const object of [`${made}:other`, `${made}^{tree}`, 'refs/tags/marked']) {
      git(folder, 'push', '-q', '-f', 'origin', `${git(folder, 'rev-parse', object).trim()}:${REF}`);
      const { holder } = await heldBy(lock(at, 'bob'));
      await unlock(at, 'production', holder.id);
    }
    expect(git(url, 'for-each-ref', 'refs/upkeep')).toBe('');
  });
});

test('the holder of a lock is read from a file of up to 64 KiB', async () => {
  const { at, folder } = await newClone();
  const text = JSON.stringify({ by: 'ada', since: 'now', where: 'here' });
  for (const [size, by] of [
    [65_536, 'ada'],
    [65_537, 'unknown'],
  ] as const) {
    const made = commit(folder, { 'lock.json': text.padEnd(size) });
    git(folder, 'push', '-q', '-f', 'origin', `${made}:${REF}`);
    expect(await readLock(at, 'production')).toMatchObject({ by });
  }
});

describe('a remote that rejects pushes', () => {
  test('is reported with the message of its hook and the permissions that upkeep needs', async () => {
    const { at, url } = await newClone();
    hook(url, 'pre-receive', 'echo "policy: refs/upkeep is closed" >&2; exit 1');
    await expect(lock(at)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/pre-receive hook declined.*policy: refs\/upkeep is closed/),
      hint: expect.stringContaining('refs/upkeep/*'),
    });
  });

  test('is reported where it hides refs', async () => {
    const { at, url } = await newClone();
    git(url, 'config', 'transfer.hideRefs', 'refs/upkeep');
    await expect(lock(at)).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('hidden ref') });
  });

  test('is reported where it does not support atomic pushes', async () => {
    const { at, url } = await newClone();
    git(url, 'config', 'receive.advertiseAtomic', 'false');
    await expect(lock(at)).rejects.toMatchObject({ code: 'refused', hint: expect.stringContaining('atomic') });
  });

  test('is reported where it rejects deletes, and keeps the lock', async () => {
    const { at, url } = await newClone();
    const taken = await lock(at);
    hook(url, 'update', 'case "$3" in 0000*) echo "no deletes" >&2; exit 1;; esac');
    await expect(taken.release()).rejects.toMatchObject({ code: 'refused' });
    expect(await taken.held()).toBe(true);
  });

  test('is reported where it no longer exists', async () => {
    const { at, folder } = await newClone();
    const taken = await lock(at);
    git(folder, 'remote', 'set-url', 'origin', `${folder}/nowhere.git`);
    await expect(lock(at)).rejects.toMatchObject({ code: 'unreachable' });
    await expect(taken.held()).rejects.toMatchObject({ code: 'unreachable' });
    await expect(taken.release()).rejects.toMatchObject({ code: 'unreachable' });
  });
});

/** A repository whose pushes take place, and whose answers are lost. */
function forgetful(repository: Awaited<ReturnType<typeof originOf>>['repository']): typeof repository {
  return {
    ...repository,
    run: async (args, call) => {
      const output = await repository.run(args, call);
      if (!args.includes('push')) return output;
      return await repository.run(['cat-file', '-e', 'lost']);
    },
  };
}
